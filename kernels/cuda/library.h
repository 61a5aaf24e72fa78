// A shared library that is looked for when the program runs, so that the program starts where it is missing.
#pragma once

#include <initializer_list>
#include <string>

namespace cuda {

class Library {
public:
    // Opens the first of `names` that is found on the system's library path, in $CUDA_HOME and $CUDA_PATH, in the
    // toolkit's usual folders or beside the executable. found() says whether there was one.
    Library(std::initializer_list<const char*> names);
    ~Library();
    Library(Library&& other) noexcept;
    Library& operator=(Library&& other) noexcept;

    bool found() const { return handle_ != nullptr; }

    // Throws kernels::Unavailable naming the library and the function where the library is too old to have it.
    template <class Function>
    Function function(const char* name) const
    {
        return reinterpret_cast<Function>(address(name));
    }

    // Null where the library is too old to have it.
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

} // namespace cuda
