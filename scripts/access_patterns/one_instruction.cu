// Runs memory instructions one by one, each in a launch of one warp: scripts/measure-access-patterns profiles them.
// Standard input: lines "op width mask offset0 ... offset31", mask in hexadecimal, offsets in bytes.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <map>
#include <sstream>
#include <string>

constexpr int shared_bytes = 65536;

struct Pattern {
    uint32_t mask;
    uint32_t offset[32];
};

struct Places { // of this lane
    uint32_t shared;
    const char* global;
    uint32_t lane;
    bool active;
};

__device__ Places places(const Pattern& pattern, const char* memory, bool varies_shared, int width)
{
    extern __shared__ char tile[];
    const uint32_t lane = threadIdx.x;
    const uint32_t straight = lane * width, varied = pattern.offset[lane];
    const uint32_t base = static_cast<uint32_t>(__cvta_generic_to_shared(tile));
    return {base + (varies_shared ? varied : straight), memory + (varies_shared ? straight : varied), lane,
            (pattern.mask >> lane & 1) != 0};
}

// cp.async, its read (global) or its write (shared) as the pattern says, the other one straight.
template <int width, bool bypass, bool varies_shared>
__global__ void async_copy(Pattern pattern, const char* memory)
{
    const Places at = places(pattern, memory, varies_shared, width);
    if (at.active) {
        if constexpr (bypass)
            asm volatile("cp.async.cg.shared.global [%0], [%1], %2;" ::"r"(at.shared), "l"(at.global), "n"(width) : "memory");
        else
            asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(at.shared), "l"(at.global), "n"(width) : "memory");
    }
    asm volatile("cp.async.wait_all;" ::: "memory");
}

// The pattern's offsets are those of rows of 16 bytes.
template <int matrices>
__global__ void matrix_store(Pattern pattern, const char* memory)
{
    const Places at = places(pattern, memory, true, 16);
    if constexpr (matrices == 1)
        asm volatile("stmatrix.sync.aligned.m8n8.x1.shared.b16 [%0], {%1};" ::"r"(at.shared), "r"(at.lane) : "memory");
    else if constexpr (matrices == 2)
        asm volatile("stmatrix.sync.aligned.m8n8.x2.shared.b16 [%0], {%1, %1};" ::"r"(at.shared), "r"(at.lane) : "memory");
    else
        asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1, %1, %1, %1};" ::"r"(at.shared), "r"(at.lane)
                     : "memory");
}

__global__ void shared_atomic(Pattern pattern, char* memory)
{
    const Places at = places(pattern, memory, true, 4);
    uint32_t before = 0;
    if (at.active)
        asm volatile("atom.shared.add.u32 %0, [%1], %2;" : "=r"(before) : "r"(at.shared), "r"(at.lane) : "memory");
    reinterpret_cast<uint32_t*>(memory)[at.lane] = before;
}

template <class Kernel>
void launch(Kernel kernel, const Pattern& pattern, char* memory)
{
    if (cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, shared_bytes) != cudaSuccess)
        std::abort();
    kernel<<<1, 32, shared_bytes>>>(pattern, memory);
    if (const cudaError_t error = cudaDeviceSynchronize(); error != cudaSuccess) {
        std::fprintf(stderr, "%s\n", cudaGetErrorString(error));
        std::exit(1);
    }
}

int main()
{
    char* memory = nullptr;
    if (cudaMalloc(&memory, 1 << 20) != cudaSuccess || cudaMemset(memory, 0, 1 << 20) != cudaSuccess)
        return 1;
    const std::map<std::string, void (*)(const Pattern&, char*)> ops = {
        {"cp.ca.global 4", [](const Pattern& p, char* m) { launch(async_copy<4, false, false>, p, m); }},
        {"cp.ca.global 8", [](const Pattern& p, char* m) { launch(async_copy<8, false, false>, p, m); }},
        {"cp.ca.global 16", [](const Pattern& p, char* m) { launch(async_copy<16, false, false>, p, m); }},
        {"cp.cg.global 16", [](const Pattern& p, char* m) { launch(async_copy<16, true, false>, p, m); }},
        {"cp.ca.shared 4", [](const Pattern& p, char* m) { launch(async_copy<4, false, true>, p, m); }},
        {"cp.ca.shared 8", [](const Pattern& p, char* m) { launch(async_copy<8, false, true>, p, m); }},
        {"cp.ca.shared 16", [](const Pattern& p, char* m) { launch(async_copy<16, false, true>, p, m); }},
        {"cp.cg.shared 16", [](const Pattern& p, char* m) { launch(async_copy<16, true, true>, p, m); }},
        {"stmatrix.x1 16", [](const Pattern& p, char* m) { launch(matrix_store<1>, p, m); }},
        {"stmatrix.x2 16", [](const Pattern& p, char* m) { launch(matrix_store<2>, p, m); }},
        {"stmatrix.x4 16", [](const Pattern& p, char* m) { launch(matrix_store<4>, p, m); }},
        {"atom.shared 4", [](const Pattern& p, char* m) { launch(shared_atomic, p, m); }},
    };
    for (std::string line; std::getline(std::cin, line);) {
        std::istringstream words(line);
        std::string op, width;
        Pattern pattern{};
        words >> op >> width >> std::hex >> pattern.mask >> std::dec;
        for (uint32_t& offset : pattern.offset)
            words >> offset;
        const auto found = ops.find(op + " " + width);
        if (!words || found == ops.end()) {
            std::fprintf(stderr, "not understood: %s\n", line.c_str());
            return 2;
        }
        found->second(pattern, memory);
    }
    return cudaFree(memory) == cudaSuccess ? 0 : 1;
}
