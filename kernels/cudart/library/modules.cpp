// Functions that nvcc's host code calls before main(): they register fat binaries, kernels and variables of the
// program. Their declarations are in the toolkit's crt/host_runtime.h.

#include "cudart/library/runtime.h"

#include <algorithm>
#include <cstring>
#include <sstream>
#include <string_view>

// NOLINTBEGIN(readability-identifier-naming): the functions' names are CUDA's.

namespace cudart {

namespace {

// A fat binary has a header and then entries. Each entry has a header of its own before its bytes.
constexpr uint32_t fat_magic = 0xBA55ED50;
struct FatHeader {
    uint32_t magic;
    uint16_t version, header_bytes;
    uint64_t bytes; // of the entries
};
struct FatEntry {
    uint16_t kind, unknown; // 1: PTX, 2: machine code
    uint32_t header_bytes;
    uint64_t bytes; // of the data after the header
    uint32_t compressed_bytes, options;
    uint16_t minor, major;
    uint32_t architecture; // 90
    uint32_t name_offset, name_bytes;
    uint64_t flags, zero, whole_bytes;
};
constexpr uint64_t is_compressed = 0xf000; // the bits of all compression methods

// Reads the PTX for the newest architecture up to sm_90, and the machine code for sm_90.
void read_entries(Module& module, const char* fat_binary)
{
    FatHeader header;
    std::memcpy(&header, fat_binary, sizeof header);
    if (header.magic != fat_magic) {
        module.no_code = "The program's device code is in a form that is not known.";
        return;
    }
    const char *at = fat_binary + header.header_bytes, *const end = at + header.bytes;
    uint32_t newest = 0;
    bool compressed = false;
    while (at + sizeof(FatEntry) <= end) {
        FatEntry entry;
        std::memcpy(&entry, at, sizeof entry);
        const bool plain = (entry.flags & is_compressed) == 0;
        const char* const bytes = at + entry.header_bytes;
        if (entry.kind == 1 && entry.architecture <= 90 && entry.architecture >= newest) {
            compressed = !plain;
            newest = entry.architecture;
            module.ptx = plain ? std::string(bytes, strnlen(bytes, entry.bytes)) : "";
        } else if (entry.kind == 2 && entry.architecture == 90 && plain) {
            module.cubin = std::string(bytes, entry.bytes);
        }
        at = bytes + entry.bytes;
    }
    if (module.ptx.empty())
        module.no_code = compressed ? "The program's PTX is compressed: build it with nvcc's option --no-compress."
                                    : "The program has no PTX for a GPU up to sm_90: build it with nvcc's option "
                                      "-gencode arch=compute_90,code=compute_90.";
}

} // namespace

// Returns the name that ".extern .global .align 4 .u32 calls;" declares, or an empty one for another line.
std::string_view declared_variable(std::string_view line)
{
    if (!line.starts_with(".extern .global") && !line.starts_with(".extern .const"))
        return {};
    const std::size_t end = line.find_last_not_of("];0123456789[");
    const std::size_t begin = line.find_last_of(" \t", end);
    return line.substr(begin + 1, line.find_first_of("[;", begin) - begin - 1);
}

bool defines_variable(std::string_view text, std::string_view name)
{
    for (std::size_t at = text.find("\n.visible "); at != text.npos; at = text.find("\n.visible ", at + 1)) {
        const std::string_view line = text.substr(at + 1, text.find('\n', at + 1) - at - 1);
        const std::size_t found = line.find(name);
        if (found != line.npos && line[found - 1] == ' ' && line.find_first_of("[;= ", found) == found + name.size())
            return true;
    }
    return false;
}

// Adds `added` to the number behind the word, which is that of a source file.
void renumber(std::string& line, std::string_view word, int added)
{
    const std::size_t at = line.find(word);
    if (at == std::string::npos)
        return;
    const std::size_t begin = line.find_first_of("0123456789", at + word.size()),
                      end = line.find_first_not_of("0123456789", begin);
    if (begin != std::string::npos && end != std::string::npos)
        line.replace(begin, end - begin, std::to_string(std::stoi(line.substr(begin, end - begin)) + added));
}

// Joins the PTX of several sources to one text. Each numbers its source files from 1, and declares what others define.
std::string linked_ptx(const std::vector<std::string>& texts)
{
    if (texts.size() <= 1)
        return texts.empty() ? std::string() : texts.front();
    std::string all = std::string(linked_mark) + "\n";
    for (std::size_t i = 0; i < texts.size(); ++i) {
        std::istringstream lines(texts[i]);
        for (std::string line; std::getline(lines, line);) {
            const bool is_header =
                line.starts_with(".version") || line.starts_with(".target") || line.starts_with(".address_size");
            const std::string name(declared_variable(line));
            const bool defined = !name.empty() && std::ranges::any_of(texts, [&name](const std::string& other) {
                return defines_variable(other, name);
            });
            if ((is_header && i > 0) || defined)
                continue;
            for (const std::string_view word : {".file", ".loc", "inlined_at"})
                renumber(line, word, static_cast<int>(1000 * i));
            all += line + "\n";
        }
    }
    return all;
}

// Reads the parts of which nvcc's -rdc=true linked a fat binary. Their PTX is there once for each source; one of them has
// the kernels of this program, or all of them are one text.
void read_parts(Module& module, const char* const* parts)
{
    std::vector<std::string> texts;
    for (; *parts != nullptr; ++parts) {
        Module part;
        read_entries(part, *parts);
        if (!part.ptx.empty())
            texts.push_back(part.ptx);
        else if (module.no_code.empty())
            module.no_code = part.no_code;
    }
    module.ptx = linked_ptx(texts);
    if (texts.size() > 1)
        module.cubin.clear(); // its table of lines is that of one text each
    if (!module.ptx.empty())
        module.no_code.clear();
}

void** Runtime::add_module(const void* wrapper)
{
    const std::lock_guard lock(mutex_);
    modules_.push_back(std::make_unique<Module>());
    Module& module = *modules_.back();
    struct {
        uint32_t magic, version; // 2: linked by nvcc from parts
        const char* fat_binary;
        const char* const* parts;
    } of;
    std::memcpy(&of, wrapper, sizeof of);
    read_entries(module, of.fat_binary);
    if (of.version == 2 && of.parts != nullptr)
        read_parts(module, of.parts);
    return reinterpret_cast<void**>(&module);
}

} // namespace cudart

using namespace cudart;

CUDART_API void** __cudaRegisterFatBinary(void* wrapper)
{
    return Runtime::get().add_module(wrapper);
}

CUDART_API void __cudaRegisterFatBinaryEnd(void**) {}
CUDART_API void __cudaUnregisterFatBinary(void**) {}

CUDART_API char __cudaInitModule(void**)
{
    Runtime::get().load_managed();
    return 1;
}

CUDART_API void __cudaRegisterFunction(void** module, const char* host, char*, const char* name, int, void*, void*,
                                       void*, void*, int*)
{
    Runtime::get().add_kernel(module, host, name);
}

CUDART_API void __cudaRegisterVar(void** module, char* host, char*, const char* name, int, std::size_t, int, int)
{
    Runtime::get().add_symbol(module, host, name, nullptr);
}

CUDART_API void __cudaRegisterManagedVar(void** module, void** host, char*, const char* name, int, std::size_t, int,
                                         int)
{
    Runtime::get().add_symbol(module, host, name, host);
}

CUDART_API Error cudaGetSymbolAddress(void** address, const void* symbol)
{
    const LoadedVariable* const variable = Runtime::get().variable(symbol);
    if (variable != nullptr)
        *address = reinterpret_cast<void*>(variable->address);
    return Runtime::get().result(variable != nullptr ? success : invalid_symbol);
}

CUDART_API Error cudaGetSymbolSize(std::size_t* bytes, const void* symbol)
{
    const LoadedVariable* const variable = Runtime::get().variable(symbol);
    if (variable != nullptr)
        *bytes = variable->bytes;
    return Runtime::get().result(variable != nullptr ? success : invalid_symbol);
}

// NOLINTEND(readability-identifier-naming)

// Functions of the runtime that are handled by their name alone. Some have nothing to do, since all work is done at
// once and caches are not simulated. The others are not supported: each reports its name and fails. So a program that
// calls one can start, and says what is missing. The names are the exports of
// libcudart.so.13 that no other file here defines, and a few exports of older versions.
// clang-format off
#define NOTHING_TO_DO(NO) \
    NO(cudaThreadSynchronize) NO(cudaDeviceSynchronize) NO(cudaDeviceReset) NO(cudaDeviceSetLimit) \
    NO(cudaDeviceSetCacheConfig) NO(cudaDeviceSetSharedMemConfig) NO(cudaMemPoolSetAttribute) NO(cudaMemPoolTrimTo) \
    NO(cudaProfilerStart) NO(cudaProfilerStop) NO(cudaSetDeviceFlags) NO(cudaStreamSynchronize) \
    NO(cudaStreamQuery) NO(cudaStreamSetAttribute) NO(cudaEventSynchronize) NO(cudaEventQuery) \
    NO(cudaGraphUpload) NO(cudaCtxResetPersistingL2Cache) NO(cudaStreamCopyAttributes) NO(cudaDeviceGraphMemTrim)

#define NOT_SERVED(NO) \
    NO(__cudaGetProcAddress) NO(__cudaRegisterSurface) NO(__cudaRegisterTexture) \
    NO(cudaArrayGetMemoryRequirements) NO(cudaArrayGetPlane) NO(cudaArrayGetSparseProperties) NO(cudaBindTexture) \
    NO(cudaBindTexture2D) NO(cudaBindTextureToArray) \
    NO(cudaDestroyExternalMemory) \
    NO(cudaDestroyExternalSemaphore) \
    NO(cudaDeviceDisablePeerAccess) NO(cudaDeviceEnablePeerAccess) NO(cudaDeviceFlushGPUDirectRDMAWrites) \
    NO(cudaDeviceGetByPCIBusId) NO(cudaDeviceGetGraphMemAttribute) NO(cudaDeviceGetHostAtomicCapabilities) \
    NO(cudaDeviceGetMemPool) NO(cudaDeviceGetNvSciSyncAttributes) NO(cudaDeviceGetP2PAtomicCapabilities) \
    NO(cudaDeviceGetP2PAttribute) NO(cudaDeviceGetTexture1DLinearMaxWidth) \
    NO(cudaDeviceRegisterAsyncNotification) NO(cudaDeviceSetGraphMemAttribute) NO(cudaDeviceSetMemPool) \
    NO(cudaDeviceUnregisterAsyncNotification) NO(cudaEGLStreamConsumerAcquireFrame) NO(cudaEGLStreamConsumerConnect) \
    NO(cudaEGLStreamConsumerConnectWithFlags) NO(cudaEGLStreamConsumerDisconnect) \
    NO(cudaEGLStreamConsumerReleaseFrame) NO(cudaEGLStreamProducerConnect) NO(cudaEGLStreamProducerDisconnect) \
    NO(cudaEGLStreamProducerPresentFrame) NO(cudaEGLStreamProducerReturnFrame) NO(cudaEventCreateFromEGLSync) \
    NO(cudaExternalMemoryGetMappedBuffer) NO(cudaExternalMemoryGetMappedMipmappedArray) \
    NO(cudaFreeMipmappedArray) NO(cudaFuncGetParamInfo) NO(cudaGLGetDevices) NO(cudaGLMapBufferObject) \
    NO(cudaGLMapBufferObjectAsync) NO(cudaGLRegisterBufferObject) NO(cudaGLSetBufferObjectMapFlags) \
    NO(cudaGLSetGLDevice) NO(cudaGLUnmapBufferObject) NO(cudaGLUnmapBufferObjectAsync) \
    NO(cudaGLUnregisterBufferObject) NO(cudaGetDriverEntryPoint) \
    NO(cudaGetDriverEntryPointByVersion) NO(cudaGetExportTable) NO(cudaGetFuncBySymbol) NO(cudaGetMipmappedArrayLevel) \
    NO(cudaGetSurfaceObjectResourceDesc) NO(cudaGetTextureObjectResourceDesc) NO(cudaGetTextureObjectResourceViewDesc) \
    NO(cudaGetTextureObjectTextureDesc) NO(cudaGetTextureReference) NO(cudaGraphAddChildGraphNode) \
    NO(cudaGraphAddDependencies) NO(cudaGraphAddEventRecordNode) \
    NO(cudaGraphAddEventWaitNode) NO(cudaGraphAddExternalSemaphoresSignalNode) \
    NO(cudaGraphAddExternalSemaphoresWaitNode) \
    NO(cudaGraphAddMemAllocNode) NO(cudaGraphAddMemFreeNode) \
    NO(cudaGraphAddMemcpyNodeFromSymbol) NO(cudaGraphAddMemcpyNodeToSymbol) \
    NO(cudaGraphAddNode) NO(cudaGraphChildGraphNodeGetGraph) NO(cudaGraphClone) NO(cudaGraphConditionalHandleCreate) \
    NO(cudaGraphDebugDotPrint) NO(cudaGraphDestroyNode) NO(cudaGraphEventRecordNodeGetEvent) \
    NO(cudaGraphEventRecordNodeSetEvent) NO(cudaGraphEventWaitNodeGetEvent) NO(cudaGraphEventWaitNodeSetEvent) \
    NO(cudaGraphExecChildGraphNodeSetParams) NO(cudaGraphExecEventRecordNodeSetEvent) \
    NO(cudaGraphExecEventWaitNodeSetEvent) NO(cudaGraphExecExternalSemaphoresSignalNodeSetParams) \
    NO(cudaGraphExecExternalSemaphoresWaitNodeSetParams) NO(cudaGraphExecGetFlags) NO(cudaGraphExecHostNodeSetParams) \
    NO(cudaGraphExecKernelNodeSetParams) NO(cudaGraphExecMemcpyNodeSetParams) NO(cudaGraphExecMemcpyNodeSetParams1D) \
    NO(cudaGraphExecMemcpyNodeSetParamsFromSymbol) NO(cudaGraphExecMemcpyNodeSetParamsToSymbol) \
    NO(cudaGraphExecMemsetNodeSetParams) NO(cudaGraphExecNodeSetParams) NO(cudaGraphExecUpdate) \
    NO(cudaGraphExternalSemaphoresSignalNodeGetParams) NO(cudaGraphExternalSemaphoresSignalNodeSetParams) \
    NO(cudaGraphExternalSemaphoresWaitNodeGetParams) NO(cudaGraphExternalSemaphoresWaitNodeSetParams) \
    NO(cudaGraphGetEdges) NO(cudaGraphGetRootNodes) NO(cudaGraphHostNodeGetParams) NO(cudaGraphHostNodeSetParams) \
    NO(cudaGraphInstantiateWithParams) NO(cudaGraphKernelNodeCopyAttributes) NO(cudaGraphKernelNodeGetAttribute) \
    NO(cudaGraphKernelNodeGetParams) NO(cudaGraphKernelNodeSetAttribute) NO(cudaGraphKernelNodeSetParams) \
    NO(cudaGraphMemAllocNodeGetParams) NO(cudaGraphMemFreeNodeGetParams) NO(cudaGraphMemcpyNodeGetParams) \
    NO(cudaGraphMemcpyNodeSetParams) NO(cudaGraphMemcpyNodeSetParams1D) NO(cudaGraphMemcpyNodeSetParamsFromSymbol) \
    NO(cudaGraphMemcpyNodeSetParamsToSymbol) NO(cudaGraphMemsetNodeGetParams) NO(cudaGraphMemsetNodeSetParams) \
    NO(cudaGraphNodeFindInClone) NO(cudaGraphNodeGetDependencies) NO(cudaGraphNodeGetDependentNodes) \
    NO(cudaGraphNodeGetEnabled) NO(cudaGraphNodeGetType) NO(cudaGraphNodeSetEnabled) NO(cudaGraphNodeSetParams) \
    NO(cudaGraphReleaseUserObject) NO(cudaGraphRemoveDependencies) NO(cudaGraphRetainUserObject) \
    NO(cudaGraphicsEGLRegisterImage) NO(cudaGraphicsGLRegisterBuffer) NO(cudaGraphicsGLRegisterImage) \
    NO(cudaGraphicsMapResources) NO(cudaGraphicsResourceGetMappedEglFrame) \
    NO(cudaGraphicsResourceGetMappedMipmappedArray) NO(cudaGraphicsResourceGetMappedPointer) \
    NO(cudaGraphicsResourceSetMapFlags) NO(cudaGraphicsSubResourceGetMappedArray) NO(cudaGraphicsUnmapResources) \
    NO(cudaGraphicsUnregisterResource) NO(cudaGraphicsVDPAURegisterOutputSurface) \
    NO(cudaGraphicsVDPAURegisterVideoSurface) NO(cudaImportExternalMemory) NO(cudaImportExternalSemaphore) \
    NO(cudaIpcCloseMemHandle) NO(cudaIpcGetEventHandle) NO(cudaIpcGetMemHandle) NO(cudaIpcOpenEventHandle) \
    NO(cudaIpcOpenMemHandle) NO(cudaKernelSetAttributeForDevice) NO(cudaLaunchCooperativeKernelMultiDevice) \
    NO(cudaLibraryEnumerateKernels) NO(cudaLibraryGetGlobal) NO(cudaLibraryGetKernel) NO(cudaLibraryGetKernelCount) \
    NO(cudaLibraryGetManaged) NO(cudaLibraryGetUnifiedFunction) NO(cudaLibraryLoadData) NO(cudaLibraryLoadFromFile) \
    NO(cudaLibraryUnload) NO(cudaLogsCurrent) NO(cudaLogsDumpToFile) NO(cudaLogsDumpToMemory) \
    NO(cudaLogsRegisterCallback) NO(cudaLogsUnregisterCallback) \
    NO(cudaMallocMipmappedArray) NO(cudaMemDiscardAndPrefetchBatchAsync) NO(cudaMemDiscardBatchAsync) \
    NO(cudaMemGetDefaultMemPool) NO(cudaMemGetMemPool) NO(cudaMemPoolCreate) NO(cudaMemPoolDestroy) \
    NO(cudaMemPoolExportPointer) NO(cudaMemPoolExportToShareableHandle) NO(cudaMemPoolGetAccess) \
    NO(cudaMemPoolGetAttribute) NO(cudaMemPoolImportFromShareableHandle) NO(cudaMemPoolImportPointer) \
    NO(cudaMemPoolSetAccess) NO(cudaMemPrefetchBatchAsync) NO(cudaMemRangeGetAttribute) NO(cudaMemRangeGetAttributes) \
    NO(cudaMemSetMemPool) NO(cudaMemcpy2DArrayToArray) \
    NO(cudaMemcpy3DBatchAsync) NO(cudaMemcpy3DPeer) \
    NO(cudaMemcpy3DPeerAsync) NO(cudaMemcpyArrayToArray) NO(cudaMemcpyBatchAsync) \
    NO(cudaMemcpyFromArrayAsync) NO(cudaMemcpyToArrayAsync) \
    NO(cudaMipmappedArrayGetMemoryRequirements) NO(cudaMipmappedArrayGetSparseProperties) \
    NO(cudaOccupancyAvailableDynamicSMemPerBlock) NO(cudaOccupancyMaxActiveClusters) \
    NO(cudaOccupancyMaxPotentialClusterSize) NO(cudaSetValidDevices) NO(cudaSignalExternalSemaphoresAsync) \
    NO(cudaStreamBeginCaptureToGraph) NO(cudaStreamGetAttribute) \
    NO(cudaStreamGetCaptureInfo) NO(cudaStreamGetDevice) NO(cudaStreamGetId) NO(cudaStreamUpdateCaptureDependencies) \
    NO(cudaThreadExchangeStreamCaptureMode) NO(cudaUnbindTexture) NO(cudaUserObjectCreate) NO(cudaUserObjectRelease) \
    NO(cudaUserObjectRetain) NO(cudaVDPAUGetDevice) NO(cudaVDPAUSetVDPAUDevice) NO(cudaWaitExternalSemaphoresAsync)
// clang-format on

#define FAILS(name)                       \
    CUDART_API cudart::Error name()       \
    {                                     \
        return cudart::not_served(#name); \
    }
#define SUCCEEDS(name)              \
    CUDART_API cudart::Error name() \
    {                               \
        return cudart::good();      \
    }
NOTHING_TO_DO(SUCCEEDS)
NOT_SERVED(FAILS)
