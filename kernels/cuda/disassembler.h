// NVIDIA's disassembler, if it is installed; it provides the text of each instruction.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>

namespace cuda {

class Disassembler {
public:
    // Looks for nvdisasm in PATH and in the toolkit's usual folders.
    Disassembler();

    std::string name() const { return program_.empty() ? "" : "nvdisasm"; }

    // Returns the instructions of one kernel (by its lowered name) by address, such as "@!P0 LDS.128 R4, [R2+0x10]".
    // Returns an empty map if there is no disassembler or it fails.
    std::map<uint32_t, std::string> texts(std::string_view cubin, std::string_view kernel) const;

private:
    std::filesystem::path program_;
};

} // namespace cuda
