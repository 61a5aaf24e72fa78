// The protocol between gemmscope and a CUDA program whose kernels run without a GPU.
//
// The unmodified program runs in a process of its own with the libcudart.so of this folder (library/) instead of
// NVIDIA's. That library does not run kernels. It connects to the Unix socket that socket_variable names and sends
// requests. Each request is a frame, with a Call and the bytes of its struct. Each has one answer, with the bytes of
// the struct that follows below. gemmscope (device.h) executes the PTX.
//
// The GPU's memory is one file that both processes map. gemmscope sends its descriptor when the program connects
// (SCM_RIGHTS). An address of the GPU is the PTX machine's address of a buffer (ptx/program.h), and `offset` says where
// its bytes are in the file. So the library alone copies between host and device, and gemmscope reads the file when a
// kernel is launched.
#pragma once

#include <concepts>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>
#include <vector>

namespace cudart {

// Structs as bytes. Each number takes 8 bytes, and texts and lists begin with their length. A struct lists its members
// once, in `static void parts(auto& archive, auto& self)`. Uses no other libraries, since half of it runs in other
// programs.

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

// Throws std::runtime_error if the bytes end too early.
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

inline constexpr const char* socket_variable = "GEMMSCOPE_CUDART"; // environment variable with the socket's path

// The environment variable with the process that started the program. The program ends with it.
inline constexpr const char* parent_variable = "GEMMSCOPE_CUDART_PARENT";

inline constexpr uint64_t most_memory = uint64_t{4} << 30; // of all buffers of a program together, in bytes

enum class Call : uint32_t { load_module, describe_kernel, allocate, release, launch, tell };

struct Frame { // the header of each request and each answer
    uint32_t call = 0, unused = 0;
    uint64_t bytes = 0; // number of bytes that follow
};

// Errors that gemmscope returns, as values of cudaError_t.
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

// The first line of PTX that was joined from that of several sources (-rdc=true).
inline constexpr std::string_view linked_mark = "// Joined from several sources.";

// A fat binary of the program. It is loaded when a part of it is used for the first time.
struct LoadModule {
    std::string ptx, cubin; // either may be empty
    static void parts(auto& archive, auto& self) { archive(self.ptx, self.cubin); }
};
struct LoadedVariable {
    std::string name; // the name in the PTX
    uint64_t address = 0, bytes = 0, offset = 0;
    static void parts(auto& archive, auto& self) { archive(self.name, self.address, self.bytes, self.offset); }
};
struct LoadedModule {
    uint64_t number = 0;
    std::string error; // if not empty, a sentence that says why it cannot be used
    std::vector<LoadedVariable> variables;
    static void parts(auto& archive, auto& self) { archive(self.number, self.error, self.variables); }
};

struct DescribeKernel {
    uint64_t module = 0;
    std::string name; // lowered: "_Z3addPf"
    static void parts(auto& archive, auto& self) { archive(self.module, self.name); }
};
struct ParameterPlace {
    uint64_t first = 0, bytes = 0; // in the bytes of the parameters
    static void parts(auto& archive, auto& self) { archive(self.first, self.bytes); }
};
struct DescribedKernel {
    std::string error; // if not empty, a sentence that says why it cannot be launched
    std::vector<ParameterPlace> parameters;
    uint64_t parameter_bytes = 0, shared_bytes = 0, local_bytes = 0;
    uint32_t registers = 0;       // per thread; 0 if not known
    uint32_t most_threads = 1024; // per block; fewer if __launch_bounds__ says so
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
    uint64_t address = 0, offset = 0; // 0 if there is no memory left
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
    Extent grid, block, cluster{0, 0, 0}; // zeros if the launch does not set it
    uint64_t shared_bytes = 0;            // dynamic
    uint64_t most_shared_bytes = 0;       // limit that the program set by cudaFuncSetAttribute
    bool cooperative = false;
    std::string arguments; // in the layout of DescribedKernel::parameters
    static void parts(auto& archive, auto& self)
    {
        archive(self.module, self.name, self.grid, self.block, self.cluster, self.shared_bytes, self.most_shared_bytes,
                self.cooperative, self.arguments);
    }
};

// A sentence for the user about a function that is not supported.
struct Tell {
    std::string words;
    static void parts(auto& archive, auto& self) { archive(self.words); }
};

struct Answer { // to release, launch and tell
    uint32_t status = 0;
    static void parts(auto& archive, auto& self) { archive(self.status); }
};

// Both throw std::runtime_error if the other process is gone, or if the data is not a frame.
void send_frame(int socket, uint32_t call, const std::string& bytes);
struct ReceivedFrame {
    uint32_t call = 0;
    std::string bytes;
};
ReceivedFrame receive_frame(int socket);

// Send a file descriptor from one process to the other.
void send_descriptor(int socket, int descriptor);
int receive_descriptor(int socket);

} // namespace cudart
