// The request to a traced program, and its answer, as files in a folder. gemmscope writes the request and reads the
// answer; the library injected into the program does the reverse. This code uses no other libraries, because it runs in
// arbitrary programs.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include <sys/types.h>

namespace injection {

// The environment variable with the path of the request file.
inline constexpr const char* request_variable = "GEMMSCOPE_TRACE";

// Files in the request's folder. The files of a launch are complete once done_file exists.
inline constexpr const char* request_file = "request";
inline constexpr const char* launches_file = "launches-";      // followed by the process id: a line per launch
inline constexpr const char* error_file = "error-";            // followed by the process id: a sentence
inline constexpr const char* begun_file = "begun";             // exists once the launch to record has begun
inline constexpr const char* done_file = "launch";             // properties of the launch, as Fields
inline constexpr const char* events_file = "events";           // injection::Event of each chosen block in turn
inline constexpr const char* totals_file = "totals";           // injection::InstructionTotals
inline constexpr const char* runs_file = "runs";               // injection::BlockRun of each block of the grid
inline constexpr const char* allocations_file = "allocations"; // address and bytes, 8 bytes each
inline constexpr const char* cubin_file = "cubin";
inline constexpr const char* values_file = "values"; // address and size, 8 bytes each; the bytes before, and after

struct Request {
    bool list = false;                 // list every launch; false: record one launch
    std::string kernel;                // regular expression to search for in the kernel's name; empty: any kernel
    uint64_t launch = 1;               // record the n-th matching launch, starting at 1
    std::vector<std::string> blocks;   // "X,Y,Z"; empty: first, middle, last
    std::string library;               // path of libsanitizer-public.so or libcupti.so
    std::string patches;               // the folder with patches-90.cubin and so on
    pid_t tracer = 0;                  // the process that asks; when it ends, the program ends
    uint64_t event_bytes = 1ull << 30; // maximum GPU memory for events
    uint64_t value_bytes = 0;          // of each buffer, to keep as they are before and after the launch

    // Throw std::runtime_error if the file cannot be written or read.
    void write(const std::filesystem::path& file) const;
    static Request read(const std::filesystem::path& file);
};

// Eight bytes of one of the launch's arguments. They may be an address.
struct ArgumentWord {
    uint32_t parameter = 0, offset = 0; // parameters count from 0; the offset in it is in bytes
    uint64_t value = 0;
};

// Lines "name value", in order; a value extends to the end of its line and contains no line breaks.
struct Fields {
    std::vector<std::pair<std::string, std::string>> fields;

    void add(const std::string& name, const std::string& value);
    void add(const std::string& name, uint64_t value);
    std::string text(const std::string& name) const; // empty if there is none
    uint64_t number(const std::string& name) const;  // 0 if there is none
    std::vector<std::string> all(const std::string& name) const;

    void write(const std::filesystem::path& file) const; // atomic: writes under another name first
    static Fields read(const std::filesystem::path& file);
};

} // namespace injection
