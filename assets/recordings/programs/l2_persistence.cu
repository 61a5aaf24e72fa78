// A small table is read again and again, while an array that is read once streams through the same L2. Who stays?
//
// Three ways to say it: a window of the stream, in which lines persist; or a hint at each load of what is read once.
// gemmscope: kernel=lookups<EVICT_FIRST> grid=4 block=128 args=array,4096,table,1024,sums
// gemmscope: buffer=array=16*4096:iota buffer=table=4*1024:iota buffer=sums=4*512

#include <algorithm>
#include <cstdio>

enum Hint { PLAIN, STREAMING, NO_ALLOCATE, EVICT_FIRST };

template <Hint hint>
__device__ float4 load(const float4* address)
{
    float4 v;
    if (hint == STREAMING) { // first to be evicted
        v = __ldcs(address);
    } else if (hint == NO_ALLOCATE) { // takes no line of L1
        asm("ld.global.L1::no_allocate.v4.f32 {%0, %1, %2, %3}, [%4];"
            : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w) : "l"(address));
    } else if (hint == EVICT_FIRST) { // first to be evicted from L2
        unsigned long long policy;
        asm("createpolicy.fractional.L2::evict_first.b64 %0, 1.0;" : "=l"(policy));
        asm("ld.global.L2::cache_hint.v4.f32 {%0, %1, %2, %3}, [%4], %5;"
            : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w) : "l"(address), "l"(policy));
    } else {
        v = *address;
    }
    return v;
}

template <Hint hint>
__global__ void lookups(const float4* array, int length, const float* table, int entries, float* sums)
{
    const int thread = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
    const int step = threads % entries;
    int entry = thread % entries;
    float sum = 0;
#pragma unroll 4
    for (int i = thread; i < length; i += threads) {
        const float4 v = load<hint>(array + i);
        sum += table[entry] * (v.x + v.y + v.z + v.w);
        entry += step;
        if (entry >= entries)
            entry -= entries;
    }
    sums[thread] = sum;
}

// Lines of the table persist in L2 for launches of this stream, as many as fit what is set aside.
void persist(cudaStream_t stream, void* table, size_t bytes, size_t set_aside)
{
    cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, set_aside);
    cudaStreamAttrValue value = {};
    value.accessPolicyWindow.base_ptr = table;
    value.accessPolicyWindow.num_bytes = bytes;
    value.accessPolicyWindow.hitRatio = bytes == 0 ? 0 : std::min(1.0, double(set_aside) / bytes);
    value.accessPolicyWindow.hitProp = cudaAccessPropertyPersisting;
    value.accessPolicyWindow.missProp = cudaAccessPropertyStreaming;
    cudaStreamSetAttribute(stream, cudaStreamAttributeAccessPolicyWindow, &value);
}

int main()
{
    const int length = 1 << 26, entries = 6 << 20, blocks = 1056, threads = 256; // 1 GiB and 24 MiB
    cudaDeviceProp gpu;
    cudaGetDeviceProperties(&gpu, 0);
    float4* array;
    float *table, *sums;
    cudaMalloc(&array, length * sizeof(float4));
    cudaMalloc(&table, entries * sizeof(float));
    cudaMalloc(&sums, blocks * threads * sizeof(float));
    cudaMemset(array, 0, length * sizeof(float4));
    cudaMemset(table, 0, entries * sizeof(float));
    cudaStream_t stream;
    cudaStreamCreate(&stream);

    lookups<PLAIN><<<blocks, threads, 0, stream>>>(array, length, table, entries, sums);
    lookups<STREAMING><<<blocks, threads, 0, stream>>>(array, length, table, entries, sums);
    lookups<NO_ALLOCATE><<<blocks, threads, 0, stream>>>(array, length, table, entries, sums);
    lookups<EVICT_FIRST><<<blocks, threads, 0, stream>>>(array, length, table, entries, sums);
    persist(stream, table, entries * sizeof(float), gpu.persistingL2CacheMaxSize);
    lookups<PLAIN><<<blocks, threads, 0, stream>>>(array, length, table, entries, sums);

    persist(stream, nullptr, 0, 0); // gives the lines back
    cudaCtxResetPersistingL2Cache();
    const cudaError_t failed = cudaDeviceSynchronize();
    std::printf("%s\n", cudaGetErrorString(failed));
    return failed != cudaSuccess;
}
