#include "cuda/context.h"

#include "cuda/library.h"
#include "error.h"

#include <fmt/format.h>

#include <fstream>
#include <utility>

namespace cuda {

namespace {

// Returns the number of FP32 lanes per SM.
int lanes_per_sm(uint32_t compute_capability)
{
    const bool sixty_four = compute_capability == 60 || (compute_capability >= 70 && compute_capability <= 80);
    return sixty_four ? 64 : 128;
}

// Returns "580.159.04", or the CUDA version that the driver supports if the kernel module does not report its version.
std::string driver_version(int cuda_version)
{
    std::ifstream file("/sys/module/nvidia/version");
    std::string version;
    if (std::getline(file, version) && !version.empty())
        return "driver " + version;
    return fmt::format("driver for CUDA {}.{}", cuda_version / 1000, cuda_version % 1000 / 10);
}

} // namespace

Context::Context(int gpu) : number_(gpu)
{
    int count = 0;
    CUDA_CHECK(driver_, cuDeviceGetCount, &count);
    if (gpu < 0 || gpu >= count)
        throw kernels::Unavailable(fmt::format("There is no GPU {} on this machine, which has {}.", gpu, count));
    CUDA_CHECK(driver_, cuDriverGetVersion, &cuda_version_);
    CUDA_CHECK(driver_, cuDeviceGet, &id_, gpu);
    describe();
    if (const CUresult result = driver_.cuDevicePrimaryCtxRetain(&context_, id_); result != CUDA_SUCCESS)
        throw kernels::Unavailable(fmt::format("The GPU ({}) cannot be used now: {}; check with nvidia-smi whether "
                                               "another program holds it.",
                                               device_.name, driver_.text(result)));
    enter();
    CUDA_CHECK(driver_, cuStreamCreate, &stream_, CU_STREAM_NON_BLOCKING);
}

Context::~Context()
{
    driver_.cuCtxSetCurrent(context_);
    if (stream_)
        driver_.cuStreamDestroy(stream_);
    driver_.cuDevicePrimaryCtxRelease(id_);
}

int Context::attribute(CUdevice_attribute which) const
{
    int value = 0;
    CUDA_CHECK(driver_, cuDeviceGetAttribute, &value, which, id_);
    return value;
}

void Context::describe()
{
    char name[256] = {};
    CUDA_CHECK(driver_, cuDeviceGetName, name, static_cast<int>(sizeof name) - 1, id_);
    device_.backend = "cuda";
    device_.name = name;
    device_.compute_capability = attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR) * 10 +
                                 attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
    device_.sm_count = attribute(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
    device_.max_threads_per_sm = attribute(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR);
    device_.clock_khz = attribute(CU_DEVICE_ATTRIBUTE_CLOCK_RATE);
    device_.peak_gflops = 2.0 * device_.sm_count * lanes_per_sm(device_.compute_capability) * device_.clock_khz * 1e-6;
    device_.toolkit = driver_version(cuda_version_);
}

void Context::enter() const
{
    if (!lost_.empty())
        throw kernels::Error(
            fmt::format("This process cannot use the GPU any more since an earlier fault: {} Start it again.", lost_));
    CUDA_CHECK(driver_, cuCtxSetCurrent, context_);
}

uint64_t Context::free_bytes() const
{
    std::size_t free = 0, total = 0;
    CUDA_CHECK(driver_, cuMemGetInfo, &free, &total);
    return free;
}

uint64_t Context::total_bytes() const
{
    std::size_t free = 0, total = 0;
    CUDA_CHECK(driver_, cuMemGetInfo, &free, &total);
    return total;
}

void Context::check_limits(const recording::Launch& launch) const
{
    const struct {
        uint64_t value;
        CUdevice_attribute limit;
        const char* what;
    } extents[] = {
        {launch.grid.x, CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X, "blocks in x"},
        {launch.grid.y, CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y, "blocks in y"},
        {launch.grid.z, CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z, "blocks in z"},
        {launch.block.volume(), CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK, "threads per block"},
    };
    for (const auto& extent : extents)
        if (extent.value > static_cast<uint64_t>(attribute(extent.limit)))
            throw kernels::Error(fmt::format("This launch needs {} {}, and the GPU takes at most {}; choose a smaller "
                                             "size or larger tiles.",
                                             extent.value, extent.what, attribute(extent.limit)));
}

void Context::upload(const Buffer& to, const void* from, uint64_t bytes) const
{
    if (bytes == 0)
        return;
    CUDA_CHECK(driver_, cuMemcpyHtoDAsync, to.address(), from, bytes, stream_);
    synchronize("the copy to the GPU");
}

void Context::download(void* to, const Buffer& from, uint64_t bytes, uint64_t start) const
{
    if (bytes == 0)
        return;
    CUDA_CHECK(driver_, cuMemcpyDtoHAsync, to, from.address() + start, bytes, stream_);
    synchronize("the copy from the GPU");
}

void Context::copy(const Buffer& to, const Buffer& from) const
{
    CUDA_CHECK(driver_, cuMemcpyDtoDAsync, to.address(), from.address(), from.bytes(), stream_);
}

void Context::fill(const Buffer& buffer, unsigned char byte) const
{
    if (buffer.bytes() > 0)
        CUDA_CHECK(driver_, cuMemsetD8Async, buffer.address(), byte, buffer.bytes(), stream_);
}

void Context::synchronize(const std::string& doing) const
{
    const CUresult result = driver_.cuStreamSynchronize(stream_);
    if (result == CUDA_SUCCESS)
        return;
    switch (result) {
    case CUDA_ERROR_ILLEGAL_ADDRESS: lost_ = fmt::format("{} read or wrote memory that is not its own.", doing); break;
    case CUDA_ERROR_MISALIGNED_ADDRESS:
        lost_ = fmt::format("{} read or wrote at an address that is not a multiple of the access's width.", doing);
        break;
    case CUDA_ERROR_LAUNCH_TIMEOUT:
        lost_ = fmt::format("{} ran longer than the display's driver allows.", doing);
        break;
    default: lost_ = fmt::format("{} failed on the GPU: {}.", doing, driver_.text(result));
    }
    throw kernels::Error(lost_ + " The GPU's context is lost with it.");
}

Buffer::Buffer(const Context& context, uint64_t bytes) : context_(&context), bytes_(bytes)
{
    if (bytes == 0)
        return;
    const CUresult result = context.driver().cuMemAlloc(&address_, bytes);
    if (result == CUDA_ERROR_OUT_OF_MEMORY)
        throw kernels::Error(
            fmt::format("The GPU has not enough memory: {} more were asked for and {} are free; choose "
                        "a smaller size or close other programs that use the GPU.",
                        bytes_in_words(bytes), bytes_in_words(context.free_bytes())));
    context.driver().check(result, "cuMemAlloc", std::source_location::current());
}

Buffer::~Buffer()
{
    if (address_)
        context_->driver().cuMemFree(address_);
}

Buffer::Buffer(Buffer&& other) noexcept
    : context_(other.context_), address_(std::exchange(other.address_, 0)), bytes_(std::exchange(other.bytes_, 0))
{
}

Buffer& Buffer::operator=(Buffer&& other) noexcept
{
    std::swap(context_, other.context_);
    std::swap(address_, other.address_);
    std::swap(bytes_, other.bytes_);
    return *this;
}

Event::Event(const Context& context) : context_(context)
{
    CUDA_CHECK(context.driver(), cuEventCreate, &event_, CU_EVENT_DEFAULT);
}

Event::~Event()
{
    context_.driver().cuEventDestroy(event_);
}

void Event::record() const
{
    CUDA_CHECK(context_.driver(), cuEventRecord, event_, context_.stream());
}

double Event::milliseconds_since(const Event& earlier) const
{
    CUDA_CHECK(context_.driver(), cuEventSynchronize, event_);
    float milliseconds = 0;
    context_.driver().check(context_.driver().elapsed_time(&milliseconds, earlier.event_, event_), "cuEventElapsedTime",
                            std::source_location::current());
    return milliseconds;
}

} // namespace cuda
