// What the program that is traced is asked to note, and where it leaves what it noted: a folder of files. Written by gemmscope,
// read by what is injected into the program, and the other way round. Without other libraries: it runs in any program.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace injection {

// The environment variable that names the request's file.
inline constexpr const char* request_variable = "GEMMSCOPE_TRACE";

// In the request's folder. Those of a launch are there once done_file is.
inline constexpr const char* request_file = "request";
inline constexpr const char* launches_file = "launches-"; // and the process's number: a line per launch
inline constexpr const char* error_file = "error-";       // and the process's number: a sentence
inline constexpr const char* done_file = "launch";        // what was launched, as fields
inline constexpr const char* events_file = "events";      // injection::Event of each chosen block, one after another
inline constexpr const char* totals_file = "totals";      // injection::InstructionTotals
inline constexpr const char* runs_file = "runs";          // injection::BlockRun of each block of the grid
inline constexpr const char* allocations_file = "allocations"; // address and bytes, 8 bytes each
inline constexpr const char* cubin_file = "cubin";

struct Request {
    bool list = false;               // every launch; else one is recorded
    std::string kernel;              // regular expression that the kernel's name contains a match of; empty: any
    uint64_t launch = 1;             // the how-many-th of those that match
    std::vector<std::string> blocks; // "X,Y,Z"; empty: first, middle, last
    std::string library;             // libsanitizer-public.so or libcupti.so
    std::string patches;             // the folder of patches-90.cubin and so on
    // Modules are patched as they are loaded, and stay so. Else the wanted launch's is, when it begins: that costs other kernels
    // nothing, but waits for ever where the program calls cuLaunchKernel itself, which holds a lock of the driver's then.
    bool at_load = false;
    uint64_t event_bytes = 1ull << 30; // of the GPU's memory, at most

    // Throw std::runtime_error where the file cannot be written or read.
    void write(const std::filesystem::path& file) const;
    static Request read(const std::filesystem::path& file);
};

// Lines "name value", in order; the value reaches to the end of its line, and has none in it.
struct Fields {
    std::vector<std::pair<std::string, std::string>> fields;

    void add(const std::string& name, const std::string& value);
    void add(const std::string& name, uint64_t value);
    std::string text(const std::string& name) const; // empty where there is none
    uint64_t number(const std::string& name) const;  // 0 where there is none
    std::vector<std::string> all(const std::string& name) const;

    void write(const std::filesystem::path& file) const; // whole: under another name first
    static Fields read(const std::filesystem::path& file);
};

} // namespace injection
