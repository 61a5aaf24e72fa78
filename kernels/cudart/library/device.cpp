// The properties of the GPU that the program sees, and CUDA's error messages. The GPU is an H200, since kernels are
// compiled for sm_90. The values are those of one that this project measured (assets/recordings/gpu.json), so that no
// property is zero that is not zero on a GPU.
#include "cudart/library/runtime.h"

#include <cstring>
#include <map>

// NOLINTBEGIN(readability-identifier-naming): the functions' names are CUDA's.

namespace cudart {

namespace {

// cudaDeviceProp of CUDA 13.
struct Properties {
    char name[256];
    unsigned char uuid[16];
    char luid[8];
    unsigned luid_mask;
    std::size_t memory_bytes, shared_bytes_per_block;
    int registers_per_block, warp_size;
    std::size_t most_pitch;
    int threads_per_block, block_extent[3], grid_extent[3];
    std::size_t constant_bytes;
    int major, minor;
    std::size_t texture_alignment, texture_pitch_alignment;
    int sm_count, integrated, maps_host_memory;
    int texture_1d, texture_1d_mipmap, texture_2d[2], texture_2d_mipmap[2], texture_2d_linear[3], texture_2d_gather[2],
        texture_3d[3], texture_3d_other[3], texture_cube, texture_1d_layers[2], texture_2d_layers[3],
        texture_cube_layers[2];
    int surface_1d, surface_2d[2], surface_3d[3], surface_1d_layers[2], surface_2d_layers[3], surface_cube,
        surface_cube_layers[2];
    std::size_t surface_alignment;
    int concurrent_kernels, ecc, pci_bus, pci_device, pci_domain, tcc, copy_engines, unified_addresses, memory_bus_bits,
        l2_bytes, most_persisting_l2, threads_per_sm, stream_priorities, caches_globals_in_l1, caches_locals_in_l1;
    std::size_t shared_bytes_per_sm;
    int registers_per_sm, managed_memory, is_multi_gpu_board, board_group, host_native_atomics, pageable_memory,
        concurrent_managed, preemption, host_pointer_of_registered, cooperative_launch;
    std::size_t shared_bytes_opt_in;
    int host_page_tables, direct_managed, blocks_per_sm, access_window;
    std::size_t reserved_shared_bytes;
    int host_register, sparse_arrays, host_register_read_only, timeline_semaphores, memory_pools, gpu_direct;
    unsigned gpu_direct_flush;
    int gpu_direct_ordering;
    unsigned pool_handles;
    int deferred_arrays, ipc_events, cluster_launch, function_pointers, numa_config, numa, mps, host_numa;
    unsigned pci_id, pci_subsystem;
    int multinode_ipc, reserved[56];
};
static_assert(sizeof(Properties) == 1008);

// cudaDeviceProp of CUDA 12, which has the clocks and a few members more between those of 13.
struct Properties12 {
    char name[256];
    unsigned char uuid[16];
    char luid[8];
    unsigned luid_mask;
    std::size_t memory_bytes, shared_bytes_per_block;
    int registers_per_block, warp_size;
    std::size_t most_pitch;
    int threads_per_block, block_extent[3], grid_extent[3], clock_khz;
    std::size_t constant_bytes;
    int major, minor;
    std::size_t texture_alignment, texture_pitch_alignment;
    int device_overlap, sm_count, kernel_timeout, integrated, maps_host_memory, compute_mode;
    int texture_1d, texture_1d_mipmap, texture_1d_linear, texture_2d[2], texture_2d_others[7], texture_3d[3],
        texture_others[11];
    int surface_1d, surface_2d[2], surface_3d[3], surface_others[8];
    std::size_t surface_alignment;
    int concurrent_kernels, ecc, pci_bus, pci_device, pci_domain, tcc, copy_engines, unified_addresses,
        memory_clock_khz, memory_bus_bits, l2_bytes, most_persisting_l2, threads_per_sm, stream_priorities,
        caches_globals_in_l1, caches_locals_in_l1;
    std::size_t shared_bytes_per_sm;
    int registers_per_sm, managed_memory, is_multi_gpu_board, board_group, host_native_atomics, single_to_double,
        pageable_memory, concurrent_managed, preemption, host_pointer_of_registered, cooperative_launch,
        cooperative_on_several;
    std::size_t shared_bytes_opt_in;
    int host_page_tables, direct_managed, blocks_per_sm, access_window;
    std::size_t reserved_shared_bytes;
    int host_register, sparse_arrays, host_register_read_only, timeline_semaphores, memory_pools, gpu_direct;
    unsigned gpu_direct_flush;
    int gpu_direct_ordering;
    unsigned pool_handles;
    int deferred_arrays, ipc_events, cluster_launch, function_pointers, reserved[63];
};
static_assert(sizeof(Properties12) == 1032);

constexpr int clock_khz = 1980000, memory_clock_khz = 3201000, l2_bytes = 60 << 20;
constexpr std::size_t memory_bytes = 150'109'880'320;

Properties h200()
{
    Properties gpu{};
    std::strcpy(gpu.name, "NVIDIA H200");
    for (std::size_t i = 0; i < sizeof gpu.uuid; ++i)
        gpu.uuid[i] = static_cast<unsigned char>(i + 1);
    gpu.memory_bytes = memory_bytes;
    gpu.shared_bytes_per_block = 48 * 1024;
    gpu.registers_per_block = gpu.registers_per_sm = 65536;
    gpu.warp_size = 32;
    gpu.most_pitch = 0x7fffffff;
    gpu.threads_per_block = gpu.block_extent[0] = gpu.block_extent[1] = 1024;
    gpu.block_extent[2] = 64;
    gpu.grid_extent[0] = 0x7fffffff;
    gpu.grid_extent[1] = gpu.grid_extent[2] = 65535;
    gpu.constant_bytes = 65536;
    gpu.major = 9;
    gpu.texture_alignment = gpu.surface_alignment = 512;
    gpu.texture_pitch_alignment = 32;
    gpu.sm_count = sm_count;
    gpu.maps_host_memory = gpu.concurrent_kernels = gpu.ecc = gpu.unified_addresses = gpu.stream_priorities =
        gpu.caches_globals_in_l1 = gpu.caches_locals_in_l1 = gpu.managed_memory = gpu.concurrent_managed =
            gpu.preemption = gpu.host_pointer_of_registered = gpu.cooperative_launch = gpu.host_register =
                gpu.memory_pools = gpu.ipc_events = gpu.cluster_launch = gpu.function_pointers = 1;
    gpu.pci_bus = 1;
    gpu.copy_engines = 3;
    gpu.memory_bus_bits = 6016;
    gpu.l2_bytes = l2_bytes;
    gpu.most_persisting_l2 = l2_bytes / 8 * 5;
    gpu.threads_per_sm = 2048;
    gpu.shared_bytes_per_sm = 228 * 1024;
    gpu.shared_bytes_opt_in = 227 * 1024;
    gpu.blocks_per_sm = 32;
    gpu.access_window = 0x8000000;
    gpu.reserved_shared_bytes = 1024;
    gpu.texture_1d = gpu.texture_2d[0] = gpu.surface_2d[0] = 131072;
    gpu.texture_2d[1] = gpu.surface_2d[1] = 65536;
    gpu.surface_1d = gpu.texture_1d_mipmap = 32768;
    for (int i = 0; i < 3; ++i)
        gpu.texture_3d[i] = gpu.surface_3d[i] = 16384;
    return gpu;
}

Properties12 h200_of_cuda_12()
{
    const Properties from = h200();
    Properties12 to{};
    std::memcpy(to.name, from.name, sizeof to.name + sizeof to.uuid);
    to.memory_bytes = from.memory_bytes;
    to.shared_bytes_per_block = from.shared_bytes_per_block;
    to.registers_per_block = to.registers_per_sm = from.registers_per_sm;
    to.warp_size = from.warp_size;
    to.most_pitch = from.most_pitch;
    to.threads_per_block = from.threads_per_block;
    std::memcpy(to.block_extent, from.block_extent, sizeof to.block_extent + sizeof to.grid_extent);
    to.clock_khz = clock_khz;
    to.memory_clock_khz = memory_clock_khz;
    to.constant_bytes = from.constant_bytes;
    to.major = from.major;
    to.texture_alignment = to.surface_alignment = from.texture_alignment;
    to.texture_pitch_alignment = from.texture_pitch_alignment;
    to.sm_count = from.sm_count;
    to.device_overlap = to.maps_host_memory = to.concurrent_kernels = to.ecc = to.unified_addresses =
        to.stream_priorities = to.caches_globals_in_l1 = to.caches_locals_in_l1 = to.managed_memory =
            to.concurrent_managed = to.preemption = to.host_pointer_of_registered = to.cooperative_launch =
                to.host_register = to.memory_pools = to.ipc_events = to.cluster_launch = to.function_pointers = 1;
    to.texture_1d = to.texture_1d_linear = to.surface_1d = from.texture_1d;
    std::memcpy(to.texture_2d, from.texture_2d, sizeof to.texture_2d);
    std::memcpy(to.surface_2d, from.surface_2d, sizeof to.surface_2d);
    std::memcpy(to.texture_3d, from.texture_3d, sizeof to.texture_3d);
    std::memcpy(to.surface_3d, from.surface_3d, sizeof to.surface_3d);
    to.pci_bus = from.pci_bus;
    to.copy_engines = from.copy_engines;
    to.memory_bus_bits = from.memory_bus_bits;
    to.l2_bytes = from.l2_bytes;
    to.most_persisting_l2 = from.most_persisting_l2;
    to.threads_per_sm = from.threads_per_sm;
    to.shared_bytes_per_sm = from.shared_bytes_per_sm;
    to.single_to_double = 2;
    to.shared_bytes_opt_in = from.shared_bytes_opt_in;
    to.blocks_per_sm = from.blocks_per_sm;
    to.access_window = from.access_window;
    to.reserved_shared_bytes = from.reserved_shared_bytes;
    return to;
}

// Returns the value of a cudaDeviceAttr. Attributes that are missing here are 0 on an H200, too.
int attribute(int number)
{
    static const Properties gpu = h200();
    static const std::map<int, int> values = {
        {1, gpu.threads_per_block},
        {2, gpu.block_extent[0]},
        {3, gpu.block_extent[1]},
        {4, gpu.block_extent[2]},
        {5, gpu.grid_extent[0]},
        {6, gpu.grid_extent[1]},
        {7, gpu.grid_extent[2]},
        {8, static_cast<int>(gpu.shared_bytes_per_block)},
        {9, static_cast<int>(gpu.constant_bytes)},
        {10, gpu.warp_size},
        {11, static_cast<int>(gpu.most_pitch)},
        {12, gpu.registers_per_block},
        {13, clock_khz},
        {14, static_cast<int>(gpu.texture_alignment)},
        {15, 1}, // copies while kernels run
        {16, gpu.sm_count},
        {19, 1}, // can map host memory
        {21, gpu.texture_1d},
        {22, gpu.texture_2d[0]},
        {23, gpu.texture_2d[1]},
        {31, 1}, // concurrent kernels
        {32, gpu.ecc},
        {33, gpu.pci_bus},
        {36, memory_clock_khz},
        {37, gpu.memory_bus_bits},
        {38, gpu.l2_bytes},
        {39, gpu.threads_per_sm},
        {40, gpu.copy_engines},
        {41, 1}, // unified addresses
        {75, gpu.major},
        {76, gpu.minor},
        {78, 1}, // stream priorities
        {79, 1}, // caches globals in L1
        {80, 1}, // caches locals in L1
        {81, static_cast<int>(gpu.shared_bytes_per_sm)},
        {82, gpu.registers_per_sm},
        {83, 1}, // managed memory
        {87, 2}, // single to double precision
        {89, 1}, // concurrent managed access
        {90, 1}, // preemption
        {91, 1}, // host pointers of registered memory
        {95, 1}, // cooperative launch
        {97, static_cast<int>(gpu.shared_bytes_opt_in)},
        {99, 1}, // registers host memory
        {106, gpu.blocks_per_sm},
        {108, gpu.most_persisting_l2},
        {109, gpu.access_window},
        {111, static_cast<int>(gpu.reserved_shared_bytes)},
        {115, 1}, // supports memory pools
        {120, 1}, // supports clusters
        {125, 1}, // events can be shared between processes
    };
    const auto found = values.find(number);
    return found == values.end() ? 0 : found->second;
}

struct ErrorWords {
    Error number;
    const char *name, *words;
};
constexpr ErrorWords errors[] = {
    {0, "cudaSuccess", "no error"},
    {1, "cudaErrorInvalidValue", "invalid argument"},
    {2, "cudaErrorMemoryAllocation", "out of memory"},
    {9, "cudaErrorInvalidConfiguration", "invalid configuration argument"},
    {12, "cudaErrorInvalidPitchValue", "invalid pitch argument"},
    {13, "cudaErrorInvalidSymbol", "invalid device symbol"},
    {21, "cudaErrorInvalidMemcpyDirection", "invalid copy direction for memcpy"},
    {52, "cudaErrorMissingConfiguration", "__global__ function call is not configured"},
    {98, "cudaErrorInvalidDeviceFunction", "invalid device function"},
    {100, "cudaErrorNoDevice", "no CUDA-capable device is detected"},
    {101, "cudaErrorInvalidDevice", "invalid device ordinal"},
    {209, "cudaErrorNoKernelImageForDevice", "no kernel image is available for execution on the device"},
    {400, "cudaErrorInvalidResourceHandle", "invalid resource handle"},
    {600, "cudaErrorNotReady", "device not ready"},
    {700, "cudaErrorIllegalAddress", "an illegal memory access was encountered"},
    {701, "cudaErrorLaunchOutOfResources", "too many resources requested for launch"},
    {704, "cudaErrorPeerAccessAlreadyEnabled", "peer access is already enabled"},
    {710, "cudaErrorAssert", "device-side assert triggered"},
    {713, "cudaErrorHostMemoryNotRegistered", "pointer does not correspond to a registered memory region"},
    {719, "cudaErrorLaunchFailure", "unspecified launch failure"},
    {720, "cudaErrorCooperativeLaunchTooLarge", "too many blocks in cooperative launch"},
    {801, "cudaErrorNotSupported", "operation not supported"},
    {900, "cudaErrorStreamCaptureUnsupported", "operation not permitted when stream is capturing"},
    {903, "cudaErrorStreamCaptureUnmatched", "operation not permitted on a stream that is not capturing"},
};

const ErrorWords& words_of(Error error)
{
    static constexpr ErrorWords unknown = {999, "cudaErrorUnknown", "unknown error"};
    for (const ErrorWords& one : errors)
        if (one.number == error)
            return one;
    return unknown;
}

Error of_device(int device)
{
    return Runtime::get().result(device == 0 ? success : invalid_device);
}

} // namespace

} // namespace cudart

using namespace cudart;

CUDART_API Error cudaGetDeviceProperties(Properties* result, int device)
{
    if (device == 0)
        *result = h200();
    return of_device(device);
}
CUDART_API Error cudaGetDeviceProperties_v2(Properties12* result, int device)
{
    if (device == 0)
        *result = h200_of_cuda_12();
    return of_device(device);
}
CUDART_API Error cudaDeviceGetAttribute(int* value, int number, int device)
{
    *value = attribute(number);
    return of_device(device);
}
CUDART_API Error cudaGetDeviceCount(int* count)
{
    *count = 1;
    return good();
}
CUDART_API Error cudaGetDevice(int* device)
{
    *device = 0;
    return good();
}
CUDART_API Error cudaSetDevice(int device)
{
    return of_device(device);
}
CUDART_API Error cudaInitDevice(int device, unsigned, unsigned)
{
    return of_device(device);
}
CUDART_API Error cudaGetDeviceFlags(unsigned* flags)
{
    *flags = 0;
    return good();
}
CUDART_API Error cudaChooseDevice(int* device, const void*)
{
    *device = 0;
    return good();
}
CUDART_API Error cudaDeviceGetLimit(std::size_t* value, int limit)
{
    constexpr std::size_t limits[] = {1024, 8 << 20, 8 << 20}; // stack, printf, heap
    *value = limit >= 0 && limit < 3 ? limits[limit] : 0;
    return good();
}
CUDART_API Error cudaDeviceGetCacheConfig(int* config)
{
    *config = 0;
    return good();
}
CUDART_API Error cudaDeviceGetSharedMemConfig(int* config)
{
    *config = 1; // banks of four bytes
    return good();
}
CUDART_API Error cudaDeviceGetStreamPriorityRange(int* least, int* greatest)
{
    *least = 0;
    *greatest = -5;
    return good();
}
CUDART_API Error cudaDeviceGetPCIBusId(char* id, int length, int device)
{
    constexpr char text[] = "0000:01:00.0";
    if (length < static_cast<int>(sizeof text))
        return Runtime::get().result(invalid_value);
    std::memcpy(id, text, sizeof text);
    return of_device(device);
}
CUDART_API Error cudaDeviceCanAccessPeer(int* can, int, int)
{
    *can = 0;
    return good();
}
CUDART_API Error cudaDeviceGetDefaultMemPool(void** pool, int device)
{
    static char the_pool;
    *pool = &the_pool;
    return of_device(device);
}
CUDART_API Error cudaDriverGetVersion(int* version)
{
    *version = 13000;
    return good();
}
CUDART_API Error cudaRuntimeGetVersion(int* version)
{
    *version = 13000;
    return good();
}
CUDART_API Error cudaGetLastError()
{
    return Runtime::get().take_last_error();
}
CUDART_API Error cudaPeekAtLastError()
{
    return Runtime::get().last_error();
}
CUDART_API const char* cudaGetErrorName(Error error)
{
    return words_of(error).name;
}
CUDART_API const char* cudaGetErrorString(Error error)
{
    return words_of(error).words;
}

// NOLINTEND(readability-identifier-naming)
