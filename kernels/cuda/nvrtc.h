// NVRTC compiles CUDA source text to machine code, with or without a GPU in the machine.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace cuda {

// The text to compile, and the files that it may include, under the names that its #include lines use.
struct Program {
    struct Header {
        std::string name;
        std::string_view text;
    };
    std::string text;
    std::vector<Header> headers;
};

struct Compiled {
    std::string image;        // a cubin, or PTX if NVRTC does not support the GPU's architecture
    std::string lowered_name; // the kernel's name in the image
    std::string log;          // the compiler's warnings
    std::string ptx;          // the PTX from which the machine code was generated
};

class Nvrtc {
public:
    // Opens the newest NVRTC whose output a driver for CUDA `newest_major` can load. Throws kernels::Unavailable if
    // none is found (naming the package to install), or if it is too old, or newer than the driver.
    explicit Nvrtc(int newest_major = 1000);
    ~Nvrtc();
    Nvrtc(Nvrtc&&) noexcept;
    Nvrtc& operator=(Nvrtc&&) noexcept;

    std::string version() const; // "13.0"

    // Returns the options for a GPU of this compute capability (90 for sm_90): machine code if this NVRTC supports the
    // architecture, otherwise PTX for the nearest older one. Throws kernels::Unavailable if this NVRTC no longer
    // supports the GPU.
    std::vector<std::string> options_for(int compute_capability) const;

    // `expression` names the kernel with its template arguments; it is empty for a program without kernels. May be
    // called from several threads at once. Throws kernels::Error with NVRTC's log if the program does not compile.
    Compiled compile(const Program& program, const std::string& expression,
                     const std::vector<std::string>& options) const;

private:
    struct Functions;
    std::unique_ptr<Functions> nvrtc_;
    int major_ = 0, minor_ = 0;
};

} // namespace cuda
