// thread_coords: every thread of a 2-D launch writes its own (column, row).
//
// Idea: a launch can count in two directions. A thread finds its column from the x indices and its row from the y
// indices, each in the way in which vector_add finds its index: block index * block size + thread index.
//
// Look at: the smallest example has a grid of (2,3) blocks of (2,2) threads, for 6 rows of 4 elements: x counts columns,
// so it comes first where a matrix has its rows first. Then which threads share a warp: the hardware numbers the threads
// of a block with x running fastest, threadIdx.y * blockDim.x + threadIdx.x, and every 32 of them are a warp. A block
// of (2,2) is 4 lanes of one warp, and 28 lanes do not exist; in a block of (8,8) a warp is 4 rows of 8 threads, in one of
// (32,4) a whole row. Memory is numbered the same way: element (row, column) lies at place row * width + column.
//
// The matrix need not consist of whole blocks: a guard stops threads beyond its edge.
//
// Loads per result: none. A result is the pair, stored in one piece of 8 bytes; the only arithmetic is that of the
// indices.
//
// Still slow: blocks of 4 threads leave seven eighths of each warp empty, and an SM holds only so many blocks.

#include "device/gemm.h"

namespace thread_coords {

struct Parameters {
    int width = 2, height = 2; // of a block, in threads
};

template <Parameters P, class Probe>
__global__ void __launch_bounds__(P.width * P.height) thread_coords(Coordinates coordinates, Probe probe)
{
    Block block(probe);
    const auto C = coordinates.C(block);

    const int col = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= coordinates.M || col >= coordinates.N)
        return;

    C.store2(row, 2 * col, {float(col), float(row)});
}

} // namespace thread_coords

#ifndef __CUDACC__ // what the host needs to know
#include "describe.h"

namespace thread_coords {

inline constexpr Parameters variants[] = {{}, {1, 32}, {5, 7}, {8, 8}, {16, 16}, {32, 4}};

inline std::string refusal(Parameters p)
{
    if (p.width < 1 || p.width > 1024 || p.height < 1 || p.height > 1024)
        return "width and height must be between 1 and 1024";
    return p.width * p.height > 1024 ? "width * height is the number of threads per block and must not exceed 1024"
                                     : "";
}

inline auto info()
{
    return StageInfo<Parameters, Coordinates>{
        .slug = "thread_coords",
        .idea = "each thread writes its column and row; warps count x first",
        .builds_on = "",
        .parameters = {{"width", &Parameters::width, "threads per block along x"},
                       {"height", &Parameters::height, "threads per block along y"}},
        .variants = variants,
        .refusal = refusal,
        .launch = [](Parameters p, const Problem& problem) -> Launch {
            return {.grid = {ceil_div(problem.N, p.width), ceil_div(problem.M, p.height)},
                    .block = {p.width, p.height}};
        },
        .on_cpu = compiled<variants>([]<Parameters P, class Probe>() { return &thread_coords<P, Probe>; }),
        .tiny = Tiny<Parameters>{{}, 6, 4, 1},
    };
}

} // namespace thread_coords
#endif
