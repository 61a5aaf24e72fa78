// A library in the place of libsanitizer-public.so. Memory of the GPU is memory of the process, and the test plays the
// program: it calls back as the Sanitizer API does, and writes what the kernel and the patches would.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>

#pragma GCC diagnostic ignored "-Wmissing-declarations" // dlsym finds these functions by their names

using Handle = void*;
using Callback = void (*)(void* data, int domain, uint32_t id, const void* what);

namespace {

struct Played {
    Callback callback = nullptr;
    void* data = nullptr;
    const void* launch_data = nullptr; // what the patches of the next launch are given
    uint64_t refused = 0;              // a copy from this address fails
};

Played& played()
{
    static Played one;
    return one;
}

} // namespace

extern "C" {

// For the test.
void played_call(int domain, uint32_t id, const void* what)
{
    played().callback(played().data, domain, id, what);
}
const void* played_launch_data()
{
    return played().launch_data;
}
void played_refuse(uint64_t address)
{
    played().refused = address;
}

// NVIDIA's names.
// NOLINTBEGIN(readability-identifier-naming)
int sanitizerSubscribe(Handle* subscriber, Callback callback, void* data)
{
    *subscriber = &played();
    played() = {.callback = callback, .data = data};
    return 0;
}
int sanitizerEnableDomain(uint32_t, Handle, int)
{
    return 0;
}
int sanitizerAddPatchesFromFile(const char*, Handle)
{
    return 0;
}
int sanitizerPatchInstructions(int, Handle, const char*)
{
    return 0;
}
int sanitizerPatchModule(Handle)
{
    return 0;
}
int sanitizerSetLaunchCallbackData(Handle, Handle, Handle, const void* data)
{
    played().launch_data = data;
    return 0;
}
int sanitizerGetFunctionPcAndSize(Handle, const char*, uint64_t* pc, uint64_t* bytes)
{
    *pc = 0x1000;
    *bytes = 64;
    return 0;
}
int sanitizerAlloc(Handle, void** memory, std::size_t bytes)
{
    *memory = std::malloc(bytes);
    return *memory != nullptr ? 0 : 2;
}
int sanitizerFree(Handle, void* memory)
{
    std::free(memory);
    return 0;
}
int sanitizerMemcpyHostToDeviceAsync(void* to, void* from, std::size_t bytes, Handle)
{
    std::memcpy(to, from, bytes);
    return 0;
}
int sanitizerMemcpyDeviceToHost(void* to, void* from, std::size_t bytes, Handle)
{
    if (reinterpret_cast<uint64_t>(from) == played().refused)
        return 1;
    std::memcpy(to, from, bytes);
    return 0;
}
int sanitizerMemset(void* memory, int value, std::size_t bytes, Handle)
{
    std::memset(memory, value, bytes);
    return 0;
}
int sanitizerStreamSynchronize(Handle)
{
    return 0;
}
int sanitizerGetResultString(int, const char** text)
{
    *text = "played error";
    return 0;
}
// NOLINTEND(readability-identifier-naming)
}
