// Views in the vocabulary of std::mdspan: view(row, col) reads, view.store(row, col, value) writes, the forms ending
// in 4 move 16 bytes. A view knows the layout of its memory and tells the block's probe of each access and of the
// source line that asked for it (the default argument __builtin_LINE() is evaluated where the call stands).
#pragma once

#include "device/block.h"
#include "device/layouts.h"

// Arrays are numbered as in a recording: the operands first, then the shared tiles as they are declared.
enum : int { array_A = 0, array_B = 1, array_C = 2, first_tile = 3 };

// What a matrix does about its edges. guarded: reading outside gives 0 and writing outside does nothing; lanes that do so
// stay in step with their warp. inside: every access is known to lie within, and 16-byte accesses to be aligned, so
// nothing is checked.
enum class Edges { guarded, inside };

// A row-major matrix in global memory; Element is float, or const float for one that is only read.
template <class Element, class Probe, Edges edges = Edges::guarded>
class Matrix {
public:
    __device__ Matrix(Element* data, int rows, int cols, int array, Block<Probe>& block)
        : data(data), rows(rows), cols(cols), array(array), probe(block.probe)
    {
    }

    __device__ float operator()(int row, int col, int line = __builtin_LINE()) const
    {
        const bool inside = contains(row, col);
        probe.access(recording::Op::global_load, array, offset(row, col), 4, inside, line);
        return inside ? data[index(row, col)] : 0.0f;
    }

    // Columns col..col+3, col a multiple of 4. One 16-byte access where every row starts on a 16-byte boundary, that
    // is where cols is a multiple of 4, else four accesses of 4 bytes.
    __device__ float4 load4(int row, int col, int line = __builtin_LINE()) const
    {
        if (edges == Edges::guarded && cols % 4 != 0)
            return float4{(*this)(row, col, line), (*this)(row, col + 1, line), (*this)(row, col + 2, line),
                          (*this)(row, col + 3, line)};
        const bool inside = contains(row, col);
        probe.access(recording::Op::global_load, array, offset(row, col), 16, inside, line);
        return inside ? *reinterpret_cast<const float4*>(&data[index(row, col)]) : float4{0, 0, 0, 0};
    }

    __device__ void store(int row, int col, float value, int line = __builtin_LINE()) const
    {
        const bool inside = contains(row, col);
        probe.access(recording::Op::global_store, array, offset(row, col), 4, inside, line);
        if (inside)
            data[index(row, col)] = value;
    }

    __device__ void store4(int row, int col, float4 value, int line = __builtin_LINE()) const
    {
        if (edges == Edges::guarded && cols % 4 != 0) {
            store(row, col, value.x, line);
            store(row, col + 1, value.y, line);
            store(row, col + 2, value.z, line);
            store(row, col + 3, value.w, line);
            return;
        }
        const bool inside = contains(row, col);
        probe.access(recording::Op::global_store, array, offset(row, col), 16, inside, line);
        if (inside)
            *reinterpret_cast<float4*>(&data[index(row, col)]) = value;
    }

private:
    __device__ bool contains(int row, int col) const { return edges == Edges::inside || (row < rows && col < cols); }
    __device__ size_t index(int row, int col) const { return size_t(row) * cols + col; }
    __device__ uint64_t offset(int row, int col) const { return index(row, col) * sizeof(float); }

    Element* data;
    int rows, cols, array;
    Probe& probe;
};

// The four floats of a 16-byte access, into registers.
inline __device__ void unpack(float4 from, float* to)
{
    to[0] = from.x;
    to[1] = from.y;
    to[2] = from.z;
    to[3] = from.w;
}

// Memory for a tile, to be declared __shared__. It starts on a 128-byte boundary, in bank 0.
template <auto layout>
struct alignas(128) TileStorage {
    float cells[layout.size()];
};

// A tile in shared memory, seen through its layout.
template <auto layout, class Probe>
class SharedTile {
public:
    __device__ SharedTile(TileStorage<layout>& storage, Block<Probe>& block)
        : cells(storage.cells), array(first_tile + block.tiles++), probe(block.probe)
    {
    }

    __device__ float operator()(int row, int col, int line = __builtin_LINE()) const
    {
        probe.access(recording::Op::shared_load, array, offset(row, col), 4, true, line);
        return cells[layout.index(row, col)];
    }

    __device__ float4 load4(int row, int col, int line = __builtin_LINE()) const
    {
        probe.access(recording::Op::shared_load, array, offset(row, col), 16, true, line);
        return *reinterpret_cast<const float4*>(&cells[layout.index(row, col)]);
    }

    __device__ void store(int row, int col, float value, int line = __builtin_LINE()) const
    {
        probe.access(recording::Op::shared_store, array, offset(row, col), 4, true, line);
        cells[layout.index(row, col)] = value;
    }

    __device__ void store4(int row, int col, float4 value, int line = __builtin_LINE()) const
    {
        probe.access(recording::Op::shared_store, array, offset(row, col), 16, true, line);
        *reinterpret_cast<float4*>(&cells[layout.index(row, col)]) = value;
    }

private:
    __device__ static uint64_t offset(int row, int col) { return uint64_t(layout.index(row, col)) * sizeof(float); }

    float* cells;
    int array;
    Probe& probe;
};
