// What the host code that nvcc makes calls before main(): fat binaries, kernels and variables of the program. Their declarations
// are in the toolkit's crt/host_runtime.h.
#include "cudart/library/runtime.h"

#include <cstring>

// NOLINTBEGIN(readability-identifier-naming): the functions' names are CUDA's.

namespace cudart {

namespace {

// A fat binary: a header, then entries, each with a header of its own before its bytes.
constexpr uint32_t fat_magic = 0xBA55ED50;
struct FatHeader {
    uint32_t magic;
    uint16_t version, header_bytes;
    uint64_t bytes; // of the entries
};
struct FatEntry {
    uint16_t kind, unknown; // 1: PTX, 2: machine code
    uint32_t header_bytes;
    uint64_t bytes; // of what follows the header
    uint32_t compressed_bytes, options;
    uint16_t minor, major;
    uint32_t architecture; // 90
    uint32_t name_offset, name_bytes;
    uint64_t flags, zero, whole_bytes;
};
constexpr uint64_t is_compressed = 0xf000; // any of its methods

// The PTX for the newest GPU that sm_90 runs, and the machine code for sm_90.
void read_entries(Module& module, const char* fat_binary)
{
    FatHeader header;
    std::memcpy(&header, fat_binary, sizeof header);
    if (header.magic != fat_magic) {
        module.no_code = "The program's device code is in a form that is not known.";
        return;
    }
    const char *at = fat_binary + header.header_bytes, *const end = at + header.bytes;
    uint32_t newest = 0;
    bool compressed = false;
    while (at + sizeof(FatEntry) <= end) {
        FatEntry entry;
        std::memcpy(&entry, at, sizeof entry);
        const bool plain = (entry.flags & is_compressed) == 0;
        const char* const bytes = at + entry.header_bytes;
        if (entry.kind == 1 && entry.architecture <= 90 && entry.architecture >= newest) {
            compressed = !plain;
            newest = entry.architecture;
            module.ptx = plain ? std::string(bytes, strnlen(bytes, entry.bytes)) : "";
        } else if (entry.kind == 2 && entry.architecture == 90 && plain) {
            module.cubin = std::string(bytes, entry.bytes);
        }
        at = bytes + entry.bytes;
    }
    if (module.ptx.empty())
        module.no_code = compressed ? "The program's PTX is compressed: build it with nvcc's option --no-compress."
                                    : "The program has no PTX for a GPU up to sm_90: build it with nvcc's option "
                                      "-gencode arch=compute_90,code=compute_90.";
}

} // namespace

void** Runtime::add_module(const void* wrapper)
{
    const std::lock_guard lock(mutex_);
    modules_.push_back(std::make_unique<Module>());
    Module& module = *modules_.back();
    const char* fat_binary = nullptr; // at 8 in the wrapper
    std::memcpy(&fat_binary, static_cast<const char*>(wrapper) + 8, sizeof fat_binary);
    read_entries(module, fat_binary);
    return reinterpret_cast<void**>(&module);
}

} // namespace cudart

using namespace cudart;

CUDART_API void** __cudaRegisterFatBinary(void* wrapper)
{
    return Runtime::get().add_module(wrapper);
}

CUDART_API void __cudaRegisterFatBinaryEnd(void**) {}
CUDART_API void __cudaUnregisterFatBinary(void**) {}

CUDART_API char __cudaInitModule(void**)
{
    Runtime::get().load_managed();
    return 1;
}

CUDART_API void __cudaRegisterFunction(void** module, const char* host, char*, const char* name, int, void*, void*,
                                       void*, void*, int*)
{
    Runtime::get().add_kernel(module, host, name);
}

CUDART_API void __cudaRegisterVar(void** module, char* host, char*, const char* name, int, std::size_t, int, int)
{
    Runtime::get().add_symbol(module, host, name, nullptr);
}

CUDART_API void __cudaRegisterManagedVar(void** module, void** host, char*, const char* name, int, std::size_t, int,
                                         int)
{
    Runtime::get().add_symbol(module, host, name, host);
}

CUDART_API Error cudaGetSymbolAddress(void** address, const void* symbol)
{
    const LoadedVariable* const variable = Runtime::get().variable(symbol);
    if (variable != nullptr)
        *address = reinterpret_cast<void*>(variable->address);
    return Runtime::get().result(variable != nullptr ? success : invalid_symbol);
}

CUDART_API Error cudaGetSymbolSize(std::size_t* bytes, const void* symbol)
{
    const LoadedVariable* const variable = Runtime::get().variable(symbol);
    if (variable != nullptr)
        *bytes = variable->bytes;
    return Runtime::get().result(variable != nullptr ? success : invalid_symbol);
}

// NOLINTEND(readability-identifier-naming)
