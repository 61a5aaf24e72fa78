// What a CUDA program whose kernels run without a GPU and gemmscope say to each other.
//
// The program runs as it is, in a process of its own, on libcudart.so of this folder (library/) instead of NVIDIA's.
// That library has no kernel run by itself: it connects to the Unix socket that socket_variable names and asks. Each
// question is a frame, a Call with the bytes of its struct, and each has one answer, the bytes of the struct beside it
// below. gemmscope (device.h) executes the PTX.
//
// Memory of the GPU is one file that both map: gemmscope sends its descriptor when the program connects (SCM_RIGHTS).
// An address of the GPU is where the PTX machine has a buffer (ptx/program.h); `offset` says where its bytes lie in the
// file. So copies between host and device are the library's work alone, and gemmscope looks at the file when a kernel
// is launched.
#pragma once

#include <concepts>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>
#include <vector>

namespace cudart {

// Structs as bytes: each number takes 8 of them, a text or a list its length first. A struct names its members once, in
// `static void parts(auto& archive, auto& self)`. Without other libraries: half of it runs in other programs.

class Writer {
public:
    void operator()(const auto&... values) { (put(values), ...); }
    const std::string& bytes() const { return bytes_; }

private:
    void put(std::integral auto value)
    {
        const auto wide = static_cast<uint64_t>(value);
        bytes_.append(reinterpret_cast<const char*>(&wide), sizeof wide);
    }
    void put(const std::string& text)
    {
        put(text.size());
        bytes_ += text;
    }
    template <class T>
    void put(const std::vector<T>& list)
    {
        put(list.size());
        for (const T& one : list)
            put(one);
    }
    template <class T>
    requires std::is_class_v<T>
    void put(const T& value) { T::parts(*this, value); }

    std::string bytes_;
};

// Throws std::runtime_error where the bytes end too early.
class Reader {
public:
    explicit Reader(const std::string& bytes) : bytes_(bytes) {}
    void operator()(auto&... values) { (get(values), ...); }

private:
    const char* take(uint64_t count)
    {
        if (count > bytes_.size() - at_)
            throw std::runtime_error("A message ends too early.");
        at_ += count;
        return bytes_.data() + at_ - count;
    }
    template <std::integral T>
    void get(T& value)
    {
        uint64_t wide = 0;
        std::memcpy(&wide, take(sizeof wide), sizeof wide);
        value = static_cast<T>(wide);
    }
    void get(std::string& text)
    {
        uint64_t size = 0;
        get(size);
        const char* const from = take(size);
        text.assign(from, size);
    }
    template <class T>
    void get(std::vector<T>& list)
    {
        uint64_t size = 0;
        get(size);
        list.clear();
        for (uint64_t i = 0; i < size; ++i)
            get(list.emplace_back());
    }
    template <class T>
    requires std::is_class_v<T>
    void get(T& value) { T::parts(*this, value); }

    const std::string& bytes_;
    std::size_t at_ = 0;
};

template <class T>
std::string packed(const T& value)
{
    Writer writer;
    T::parts(writer, value);
    return writer.bytes();
}

template <class T>
T unpacked(const std::string& bytes)
{
    T value;
    Reader reader(bytes);
    T::parts(reader, value);
    return value;
}

inline constexpr const char* socket_variable = "GEMMSCOPE_CUDART"; // of the environment: the socket's path

// Likewise: the process that started the program, which ends with it.
inline constexpr const char* parent_variable = "GEMMSCOPE_CUDART_PARENT";

inline constexpr uint64_t most_memory = uint64_t{4} << 30; // of all buffers of a program together, in bytes

enum class Call : uint32_t { load_module, describe_kernel, allocate, release, launch, tell };

struct Frame { // before each question and each answer
    uint32_t call = 0, unused = 0;
    uint64_t bytes = 0; // that follow
};

// Errors that gemmscope answers with; numbers of cudaError_t.
enum class Status : uint32_t {
    success = 0,
    invalid_value = 1,
    memory_allocation = 2,
    invalid_configuration = 9,
    invalid_device_function = 98,
    illegal_address = 700,
    assertion = 710,
    launch_failure = 719,
    cooperative_too_large = 720,
    not_supported = 801,
};
constexpr bool is_sticky(Status status) // all that follows in the process fails with it, too
{
    return status == Status::illegal_address || status == Status::assertion || status == Status::launch_failure;
}

// A fat binary of the program, which is loaded when something of it is used first.
struct LoadModule {
    std::string ptx, cubin; // either may be empty
    static void parts(auto& archive, auto& self) { archive(self.ptx, self.cubin); }
};
struct LoadedVariable {
    std::string name; // as PTX has it
    uint64_t address = 0, bytes = 0, offset = 0;
    static void parts(auto& archive, auto& self) { archive(self.name, self.address, self.bytes, self.offset); }
};
struct LoadedModule {
    uint64_t number = 0;
    std::string error; // a sentence: why nothing of it can be used
    std::vector<LoadedVariable> variables;
    static void parts(auto& archive, auto& self) { archive(self.number, self.error, self.variables); }
};

struct DescribeKernel {
    uint64_t module = 0;
    std::string name; // lowered: "_Z3addPf"
    static void parts(auto& archive, auto& self) { archive(self.module, self.name); }
};
struct ParameterPlace {
    uint64_t first = 0, bytes = 0; // in the kernel's parameters
    static void parts(auto& archive, auto& self) { archive(self.first, self.bytes); }
};
struct DescribedKernel {
    std::string error; // a sentence: why it cannot be launched
    std::vector<ParameterPlace> parameters;
    uint64_t parameter_bytes = 0, shared_bytes = 0, local_bytes = 0;
    uint32_t registers = 0;       // of a thread; 0: not known
    uint32_t most_threads = 1024; // of a block; fewer where __launch_bounds__ says so
    static void parts(auto& archive, auto& self)
    {
        archive(self.error, self.parameters, self.parameter_bytes, self.shared_bytes, self.local_bytes, self.registers,
                self.most_threads);
    }
};

struct Allocate {
    uint64_t bytes = 0;
    bool host_visible = false; // managed or pinned: the host uses it at the same address
    static void parts(auto& archive, auto& self) { archive(self.bytes, self.host_visible); }
};
struct Allocated {
    uint64_t address = 0, offset = 0; // 0: there is no room
    static void parts(auto& archive, auto& self) { archive(self.address, self.offset); }
};

struct ReleaseMemory {
    uint64_t address = 0;
    static void parts(auto& archive, auto& self) { archive(self.address); }
};

struct Extent {
    uint32_t x = 1, y = 1, z = 1;
    static void parts(auto& archive, auto& self) { archive(self.x, self.y, self.z); }
};
struct LaunchKernel {
    uint64_t module = 0;
    std::string name;
    Extent grid, block, cluster{0, 0, 0}; // zeros: the launch does not say it
    uint64_t shared_bytes = 0;            // dynamic
    uint64_t most_shared_bytes = 0;       // that the program allowed the kernel by cudaFuncSetAttribute
    bool cooperative = false;
    std::string arguments; // as DescribedKernel::parameters places them
    static void parts(auto& archive, auto& self)
    {
        archive(self.module, self.name, self.grid, self.block, self.cluster, self.shared_bytes, self.most_shared_bytes,
                self.cooperative, self.arguments);
    }
};

// A sentence for whoever started the program: a function that is not served.
struct Tell {
    std::string words;
    static void parts(auto& archive, auto& self) { archive(self.words); }
};

struct Answer { // of release, launch and tell
    uint32_t status = 0;
    static void parts(auto& archive, auto& self) { archive(self.status); }
};

// Both throw std::runtime_error where the other end is gone, or says what no frame says.
void send_frame(int socket, uint32_t call, const std::string& bytes);
struct ReceivedFrame {
    uint32_t call = 0;
    std::string bytes;
};
ReceivedFrame receive_frame(int socket);

// A file's descriptor, from one process to the other.
void send_descriptor(int socket, int descriptor);
int receive_descriptor(int socket);

} // namespace cudart
