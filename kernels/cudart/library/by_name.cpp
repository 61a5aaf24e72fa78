// Functions of the runtime that are served by their name alone. Some have nothing to do, since all work is done at once and caches have no
// figures here. The others are not served: each is told by its name and fails, so that a program which calls one
// starts, and says what it misses. The names are those that libcudart.so.13 exports beside what the other files serve, and a few of
// versions before.
#include "cudart/library/runtime.h"

// clang-format off
#define NOTHING_TO_DO(NO) \
    NO(cudaThreadSynchronize) NO(cudaDeviceSynchronize) NO(cudaDeviceReset) NO(cudaDeviceSetLimit) \
    NO(cudaDeviceSetCacheConfig) NO(cudaDeviceSetSharedMemConfig) NO(cudaMemPoolSetAttribute) NO(cudaMemPoolTrimTo) \
    NO(cudaProfilerStart) NO(cudaProfilerStop) NO(cudaSetDeviceFlags) NO(cudaStreamSynchronize) \
    NO(cudaStreamQuery) NO(cudaStreamSetAttribute) NO(cudaEventSynchronize) NO(cudaEventQuery) \
    NO(cudaGraphUpload) NO(cudaCtxResetPersistingL2Cache) NO(cudaStreamCopyAttributes) NO(cudaDeviceGraphMemTrim)

#define NOT_SERVED(NO) \
    NO(__cudaGetProcAddress) NO(__cudaRegisterSurface) NO(__cudaRegisterTexture) NO(cudaArrayGetInfo) \
    NO(cudaArrayGetMemoryRequirements) NO(cudaArrayGetPlane) NO(cudaArrayGetSparseProperties) NO(cudaBindTexture) \
    NO(cudaBindTexture2D) NO(cudaBindTextureToArray) NO(cudaCreateChannelDesc) NO(cudaCreateSurfaceObject) \
    NO(cudaCreateTextureObject) NO(cudaDestroyExternalMemory) \
    NO(cudaDestroyExternalSemaphore) NO(cudaDestroySurfaceObject) NO(cudaDestroyTextureObject) \
    NO(cudaDeviceDisablePeerAccess) NO(cudaDeviceEnablePeerAccess) NO(cudaDeviceFlushGPUDirectRDMAWrites) \
    NO(cudaDeviceGetByPCIBusId) NO(cudaDeviceGetGraphMemAttribute) NO(cudaDeviceGetHostAtomicCapabilities) \
    NO(cudaDeviceGetMemPool) NO(cudaDeviceGetNvSciSyncAttributes) NO(cudaDeviceGetP2PAtomicCapabilities) \
    NO(cudaDeviceGetP2PAttribute) NO(cudaDeviceGetTexture1DLinearMaxWidth) \
    NO(cudaDeviceRegisterAsyncNotification) NO(cudaDeviceSetGraphMemAttribute) NO(cudaDeviceSetMemPool) \
    NO(cudaDeviceUnregisterAsyncNotification) NO(cudaEGLStreamConsumerAcquireFrame) NO(cudaEGLStreamConsumerConnect) \
    NO(cudaEGLStreamConsumerConnectWithFlags) NO(cudaEGLStreamConsumerDisconnect) \
    NO(cudaEGLStreamConsumerReleaseFrame) NO(cudaEGLStreamProducerConnect) NO(cudaEGLStreamProducerDisconnect) \
    NO(cudaEGLStreamProducerPresentFrame) NO(cudaEGLStreamProducerReturnFrame) NO(cudaEventCreateFromEGLSync) \
    NO(cudaExternalMemoryGetMappedBuffer) NO(cudaExternalMemoryGetMappedMipmappedArray) NO(cudaFreeArray) \
    NO(cudaFreeMipmappedArray) NO(cudaFuncGetParamInfo) NO(cudaGLGetDevices) NO(cudaGLMapBufferObject) \
    NO(cudaGLMapBufferObjectAsync) NO(cudaGLRegisterBufferObject) NO(cudaGLSetBufferObjectMapFlags) \
    NO(cudaGLSetGLDevice) NO(cudaGLUnmapBufferObject) NO(cudaGLUnmapBufferObjectAsync) \
    NO(cudaGLUnregisterBufferObject) NO(cudaGetChannelDesc) NO(cudaGetDeviceProperties_v2) NO(cudaGetDriverEntryPoint) \
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
    NO(cudaLogsRegisterCallback) NO(cudaLogsUnregisterCallback) NO(cudaMalloc3DArray) NO(cudaMallocArray) \
    NO(cudaMallocMipmappedArray) NO(cudaMemDiscardAndPrefetchBatchAsync) NO(cudaMemDiscardBatchAsync) \
    NO(cudaMemGetDefaultMemPool) NO(cudaMemGetMemPool) NO(cudaMemPoolCreate) NO(cudaMemPoolDestroy) \
    NO(cudaMemPoolExportPointer) NO(cudaMemPoolExportToShareableHandle) NO(cudaMemPoolGetAccess) \
    NO(cudaMemPoolGetAttribute) NO(cudaMemPoolImportFromShareableHandle) NO(cudaMemPoolImportPointer) \
    NO(cudaMemPoolSetAccess) NO(cudaMemPrefetchBatchAsync) NO(cudaMemRangeGetAttribute) NO(cudaMemRangeGetAttributes) \
    NO(cudaMemSetMemPool) NO(cudaMemcpy2DArrayToArray) NO(cudaMemcpy2DFromArray) NO(cudaMemcpy2DFromArrayAsync) \
    NO(cudaMemcpy2DToArray) NO(cudaMemcpy2DToArrayAsync) NO(cudaMemcpy3DBatchAsync) NO(cudaMemcpy3DPeer) \
    NO(cudaMemcpy3DPeerAsync) NO(cudaMemcpyArrayToArray) NO(cudaMemcpyBatchAsync) NO(cudaMemcpyFromArray) \
    NO(cudaMemcpyFromArrayAsync) NO(cudaMemcpyToArray) NO(cudaMemcpyToArrayAsync) \
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
