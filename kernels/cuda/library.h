// Finding CUDA's libraries and programs at run time, so that this program starts without them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <initializer_list>
#include <string>
#include <vector>

namespace cuda {

// A shared library that is opened at run time, so that the program also starts without it.
class Library {
public:
    // Opens the first of `names` that is found on the system's library path, in $CUDA_HOME and $CUDA_PATH, in the
    // toolkit's usual folders, or beside the executable. found() returns whether there was one.
    Library(std::initializer_list<const char*> names);
    ~Library();
    Library(Library&& other) noexcept;
    Library& operator=(Library&& other) noexcept;

    bool found() const { return handle_ != nullptr; }

    // Throws kernels::Unavailable, naming the library and the function, if the library is too old to have the function.
    template <class Function>
    Function function(const char* name) const
    {
        return reinterpret_cast<Function>(address(name));
    }

    // Returns null if the library is too old to have the function.
    template <class Function>
    Function find(const char* name) const
    {
        return reinterpret_cast<Function>(address_or_null(name));
    }

private:
    void* address(const char* name) const;
    void* address_or_null(const char* name) const;

    void* handle_ = nullptr;
    std::string name_;
};

// Returns the folders in CUDA_HOME and CUDA_PATH if they are absolute, then the usual folders. Relative paths are
// ignored: they would load code from wherever the program was started.
std::vector<std::filesystem::path> toolkit_homes();

// Finds one of the toolkit's programs in PATH, then in the toolkits; empty if it is missing. Relative folders are
// ignored.
std::filesystem::path find_program(const char* name);

std::string bytes_in_words(uint64_t bytes); // "3.2 GiB"

} // namespace cuda
