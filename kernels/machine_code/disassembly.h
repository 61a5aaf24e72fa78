// What a disassembler printed.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace cuda {

// Of nvdisasm -c: by address, such as "@!P0 LDS.128 R4, [R2+0x10]".
std::map<uint32_t, std::string> parse_disassembly(std::string_view text);

} // namespace cuda
