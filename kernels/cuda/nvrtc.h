// NVRTC: CUDA source text to machine code, on machines with and without a GPU.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace cuda {

// What is compiled: the main text, and the files that it may include, under the names that it includes them by.
struct Program {
    struct Header {
        std::string name;
        std::string_view text;
    };
    std::string text;
    std::vector<Header> headers;
};

struct Compiled {
    std::string image;        // a cubin, or PTX where NVRTC does not know the GPU's architecture
    std::string lowered_name; // of the kernel in it
    std::string log;          // the compiler's warnings
    std::string ptx;          // what the machine code was made of
};

class Nvrtc {
public:
    // The newest NVRTC that a driver for CUDA `newest_major` can load the output of.
    // Throws kernels::Unavailable: none found (and which package has it), too old, newer than the driver.
    explicit Nvrtc(int newest_major = 1000);
    ~Nvrtc();
    Nvrtc(Nvrtc&&) noexcept;
    Nvrtc& operator=(Nvrtc&&) noexcept;

    std::string version() const; // "13.0"

    // The options for a GPU of this compute capability (90 for sm_90): its own machine code where this NVRTC knows it,
    // else PTX for the nearest older one. Throws kernels::Unavailable where the GPU is too old for this NVRTC.
    std::vector<std::string> options_for(int compute_capability) const;

    // `expression` names the kernel, template arguments included; empty: of a program without kernels. May be called from several threads at once.
    // Throws kernels::Error with NVRTC's log when the program does not compile.
    Compiled compile(const Program& program, const std::string& expression,
                     const std::vector<std::string>& options) const;

private:
    struct Functions;
    std::unique_ptr<Functions> nvrtc_;
    int major_ = 0, minor_ = 0;
};

} // namespace cuda
