#include "cuda/context.h"

#include "cuda/library.h"
#include "error.h"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <utility>

namespace cuda {

namespace {

Library open_driver()
{
    Library library({"libcuda.so.1"});
    if (!library.found())
        throw kernels::Unavailable("There is no NVIDIA driver on this machine (libcuda.so.1 was not found); to use "
                                   "an NVIDIA GPU, install the package nvidia-driver.");
    return library;
}

[[noreturn]] void refuse(const Driver& driver, CUresult result)
{
    switch (result) {
    case CUDA_ERROR_NO_DEVICE:
        throw kernels::Unavailable("The NVIDIA driver is installed but sees no GPU; check with nvidia-smi, and that "
                                   "CUDA_VISIBLE_DEVICES does not hide the GPU.");
    case CUDA_ERROR_SYSTEM_DRIVER_MISMATCH:
        throw kernels::Unavailable("The NVIDIA driver's library and kernel module are of different versions; restart "
                                   "the machine to finish the driver's update.");
    case CUDA_ERROR_STUB_LIBRARY:
        throw kernels::Unavailable("The libcuda.so.1 that was found is the toolkit's stub, not the NVIDIA driver; take "
                                   "the folder 'stubs' out of LD_LIBRARY_PATH.");
    default:
        throw kernels::Unavailable(
            fmt::format("The NVIDIA driver does not start: {}; check with nvidia-smi.", driver.text(result)));
    }
}

} // namespace

Driver::Driver() : library(open_driver())
{
    if (const CUresult result = cuInit(0); result != CUDA_SUCCESS)
        refuse(*this, result);
    int version = 0, count = 0;
    CUDA_CHECK(*this, cuDriverGetVersion, &version);
    if (version < 12000)
        throw kernels::Unavailable(fmt::format("The NVIDIA driver is too old (it knows CUDA {}.{}, and CUDA 12 is "
                                               "needed); update to driver 525 or later.",
                                               version / 1000, version % 1000 / 10));
    if (const CUresult result = cuDeviceGetCount(&count); result != CUDA_SUCCESS)
        refuse(*this, result);
    if (count == 0)
        refuse(*this, CUDA_ERROR_NO_DEVICE);
}

std::string Driver::text(CUresult result) const
{
    const char *name = nullptr, *description = nullptr;
    if (cuGetErrorName(result, &name) != CUDA_SUCCESS || cuGetErrorString(result, &description) != CUDA_SUCCESS)
        return fmt::format("error {}", static_cast<int>(result));
    return fmt::format("{} ({})", description, name);
}

void Driver::check(CUresult result, const char* call, std::source_location place) const
{
    if (result == CUDA_SUCCESS)
        return;
    throw kernels::Error(fmt::format("The GPU's driver refused {} (in {}, line {}): {}.", call,
                                     std::filesystem::path(place.file_name()).filename().string(), place.line(),
                                     text(result)));
}

std::vector<kernels::ListedGpu> listed_gpus(const Driver& driver)
{
    int count = 0;
    CUDA_CHECK(driver, cuDeviceGetCount, &count);
    std::vector<kernels::ListedGpu> result;
    for (int number = 0; number < count; ++number) {
        CUdevice device = 0;
        CUuuid uuid{};
        char name[256] = {};
        CUDA_CHECK(driver, cuDeviceGet, &device, number);
        CUDA_CHECK(driver, cuDeviceGetName, name, static_cast<int>(sizeof name) - 1, device);
        CUDA_CHECK(driver, cuDeviceGetUuid, &uuid, device);
        std::string text = "GPU-";
        for (std::size_t i = 0; i < sizeof uuid.bytes; ++i)
            text += fmt::format("{}{:02x}", i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "",
                                static_cast<unsigned char>(uuid.bytes[i]));
        result.push_back({number, name, text});
    }
    return result;
}

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

Kernel::Kernel(const Context& context, const std::string& image, const std::string& lowered_name,
               uint32_t dynamic_shared)
    : context_(&context), dynamic_shared_(dynamic_shared)
{
    CUDA_CHECK(context.driver(), cuModuleLoadData, &module_, image.c_str());
    try {
        CUDA_CHECK(context.driver(), cuModuleGetFunction, &function_, module_, lowered_name.c_str());
        if (dynamic_shared > 0)
            allow_dynamic_shared();
    } catch (...) {
        context.driver().cuModuleUnload(module_);
        throw;
    }
}

void Kernel::allow_dynamic_shared() const
{
    if (const auto most =
            static_cast<uint32_t>(context_->attribute(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN));
        dynamic_shared_ > most)
        throw kernels::Error(
            fmt::format("The kernel needs {} of shared memory per block, and this GPU gives a block at "
                        "most {}; choose smaller tiles or fewer stages.",
                        bytes_in_words(dynamic_shared_), bytes_in_words(most)));
    CUDA_CHECK(context_->driver(), cuFuncSetAttribute, function_, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
               static_cast<int>(dynamic_shared_));
}

Kernel::~Kernel()
{
    if (module_)
        context_->driver().cuModuleUnload(module_);
}

Kernel::Kernel(Kernel&& other) noexcept
    : context_(other.context_), module_(std::exchange(other.module_, nullptr)),
      function_(std::exchange(other.function_, nullptr)), dynamic_shared_(other.dynamic_shared_)
{
}

recording::Resources Kernel::resources(uint32_t threads_per_block) const
{
    const auto attribute = [this](CUfunction_attribute which) {
        int value = 0;
        CUDA_CHECK(context_->driver(), cuFuncGetAttribute, &value, which, function_);
        return static_cast<uint32_t>(value);
    };
    int blocks = 0;
    CUDA_CHECK(context_->driver(), cuOccupancyMaxActiveBlocksPerMultiprocessor, &blocks, function_,
               static_cast<int>(threads_per_block), dynamic_shared_);
    return {.registers_per_thread = attribute(CU_FUNC_ATTRIBUTE_NUM_REGS),
            .shared_bytes_per_block = attribute(CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES) + dynamic_shared_,
            .local_bytes_per_thread = attribute(CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES),
            .blocks_per_sm = static_cast<uint32_t>(blocks)};
}

void Kernel::launch(const recording::Launch& launch, void** arguments, CUlaunchAttribute* attribute) const
{
    const Driver& driver = context_->driver();
    if (attribute == nullptr) {
        CUDA_CHECK(driver, cuLaunchKernel, function_, launch.grid.x, launch.grid.y, launch.grid.z, launch.block.x,
                   launch.block.y, launch.block.z, dynamic_shared_, context_->stream(), arguments, nullptr);
        return;
    }
    const CUlaunchConfig config{.gridDimX = launch.grid.x,
                                .gridDimY = launch.grid.y,
                                .gridDimZ = launch.grid.z,
                                .blockDimX = launch.block.x,
                                .blockDimY = launch.block.y,
                                .blockDimZ = launch.block.z,
                                .sharedMemBytes = dynamic_shared_,
                                .hStream = context_->stream(),
                                .attrs = attribute,
                                .numAttrs = 1};
    driver.check(driver.launch_with_attributes(&config, function_, arguments, nullptr), "cuLaunchKernelEx",
                 std::source_location::current());
}

void Kernel::launch(const recording::Launch& extent, std::span<const std::span<const std::byte>> arguments,
                    bool early) const
{
    std::vector<void*> pointers; // the driver knows each argument's size from the cubin, and only reads the arguments
    for (const std::span<const std::byte> argument : arguments)
        pointers.push_back(const_cast<std::byte*>(argument.data()));
    CUlaunchAttribute may_begin{};
    may_begin.id = CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION;
    may_begin.value.programmaticStreamSerializationAllowed = 1;
    const bool known =
        context_->driver().launch_with_attributes != nullptr && context_->device().compute_capability >= 90;
    launch(extent, pointers.data(), early && known ? &may_begin : nullptr);
}

void Kernel::launch_with(const recording::Launch& extent, const std::optional<recording::Index3>& cluster,
                         std::span<void* const> arguments) const
{
    void** const pointers = const_cast<void**>(arguments.data()); // the driver only reads them
    if (!cluster)
        return launch(extent, pointers, nullptr);
    if (context_->driver().launch_with_attributes == nullptr)
        throw kernels::Error("This driver is too old for clusters of blocks; install one for CUDA 12 or later.");
    CUlaunchAttribute in_clusters{};
    in_clusters.id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION;
    in_clusters.value.clusterDim = {cluster->x, cluster->y, cluster->z};
    launch(extent, pointers, &in_clusters);
}

} // namespace cuda
