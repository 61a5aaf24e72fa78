#include "cuda/disassembler.h"

#include "cuda/toolkit_paths.h"
#include "error.h"
#include "machine_code/disassembly.h"
#include "machine_code/elf.h"
#include "run_program.h"
#include "temporary_folder.h"

#include <fstream>
#include <optional>
#include <string>

namespace cuda {

Disassembler::Disassembler() : program_(find_program("nvdisasm")) {}

std::map<uint32_t, std::string> Disassembler::texts(std::string_view cubin, std::string_view kernel) const
try {
    const std::optional<uint32_t> symbol =
        program_.empty() ? std::nullopt : find_symbol(cubin, kernel); // a cubin may contain many kernels
    if (!symbol)
        return {};
    const kernels::TemporaryFolder folder;
    const std::string file = (folder.path() / "cubin").string();
    std::ofstream(file, std::ios::binary) << cubin;
    return parse_disassembly(
        kernels::run_program(
            {.words = {program_.string(), "-c", "-fun", std::to_string(*symbol), file}, .takes_errors = false})
            .text);
} catch (const kernels::Error&) { // no folder for the file, or not a cubin
    return {};
}

} // namespace cuda
