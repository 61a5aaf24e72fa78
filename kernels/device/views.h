// Views in the style of std::mdspan: view(row, col) reads, view.store(row, col, value) writes; functions that end in 4
// move 16 bytes. A view knows the layout of its memory. It reports each access to the block's probe, with the calling
// source line (the default argument __builtin_LINE() is evaluated at the call).
#pragma once

#include "device/block.h"
#include "device/layouts.h"

// Arrays are numbered as in a recording: the operands first, then the shared tiles in the order of their declaration.
enum : int { array_A = 0, array_B = 1, array_C = 2, first_tile = 3 };

// How a matrix treats its edges. guarded: reads outside return 0 and writes outside do nothing, while the lane stays in
// step with its warp. inside: every access is known to lie inside, and 16-byte accesses to be aligned, so nothing is
// checked.
enum class Edges { guarded, inside };

// A row-major matrix in global memory, with `pitch` elements from row to row. Element is const if the matrix is only
// read. If cols < pitch, the rest of each row is zeros.
template <class Element, class Probe, Edges edges = Edges::guarded>
class Matrix {
public:
    __device__ Matrix(Element* data, int rows, int cols, int pitch, int array, Block<Probe>& block)
        : data(data), rows(rows), cols(cols), pitch(pitch), array(array), probe(block.probe)
    {
    }

    // Returns the matrix without its first rows and columns; a thread that walks along needs no index into the whole.
    __device__ Matrix part(int row, int col) const
    {
        Matrix result = *this;
        result.move(row, col);
        return result;
    }

    // Advances by this many rows and columns.
    __device__ void move(int by_rows, int by_cols)
    {
        const int64_t elements = int64_t(by_rows) * pitch + by_cols;
        data += elements;
        start += elements * sizeof(Element);
        rows -= by_rows;
        cols -= by_cols;
    }

    __device__ Element operator()(int row, int col, int line = __builtin_LINE()) const
    {
        const bool inside = contains(row, col);
        probe.access(recording::Op::global_load, array, offset(row, col), sizeof(Element), inside, line);
        return inside ? data[index(row, col)] : Element{};
    }

    // Loads columns col..col+3; col is a multiple of 4. This is one 16-byte access if every row starts on a 16-byte
    // boundary (the pitch is a multiple of 4), otherwise four accesses of 4 bytes. For 16-bit elements, whose rows
    // always start so: columns col..col+7; col is a multiple of 8.
    __device__ float4 load4(int row, int col, int line = __builtin_LINE()) const
    {
        if constexpr (edges == Edges::guarded && sizeof(Element) == 4)
            if (pitch % 4 != 0)
                return float4{(*this)(row, col, line), (*this)(row, col + 1, line), (*this)(row, col + 2, line),
                              (*this)(row, col + 3, line)};
        const bool inside = contains(row, col);
        probe.access(recording::Op::global_load, array, offset(row, col), 16, inside, line);
        return inside ? *reinterpret_cast<const float4*>(&data[index(row, col)]) : float4{0, 0, 0, 0};
    }

    // The same for two columns; col is a multiple of 2: 8 bytes.
    __device__ float2 load2(int row, int col, int line = __builtin_LINE()) const
    {
        if (edges == Edges::guarded && pitch % 2 != 0)
            return float2{(*this)(row, col, line), (*this)(row, col + 1, line)};
        const bool inside = contains(row, col);
        probe.access(recording::Op::global_load, array, offset(row, col), 8, inside, line);
        return inside ? *reinterpret_cast<const float2*>(&data[index(row, col)]) : float2{0, 0};
    }

    __device__ void store(int row, int col, Element value, int line = __builtin_LINE()) const
    {
        const bool inside = contains(row, col);
        probe.access(recording::Op::global_store, array, offset(row, col), sizeof(Element), inside, line);
        if (inside)
            data[index(row, col)] = value;
    }

    // Stores columns col and col + 1; col is even. One access of 8 bytes if every row starts on an 8-byte boundary.
    __device__ void store2(int row, int col, float2 value, int line = __builtin_LINE()) const
    {
        if (edges == Edges::guarded && pitch % 2 != 0) {
            store(row, col, value.x, line);
            store(row, col + 1, value.y, line);
            return;
        }
        const bool inside = contains(row, col);
        probe.access(recording::Op::global_store, array, offset(row, col), 8, inside, line);
        if (inside)
            *reinterpret_cast<float2*>(&data[index(row, col)]) = value;
    }

    __device__ void store4(int row, int col, float4 value, int line = __builtin_LINE()) const
    {
        if (edges == Edges::guarded && pitch % 4 != 0) {
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

    // Starts to copy 16 bytes, from column col on, to (to_row, to_col) of a shared tile. They are visible to all
    // threads after commit_copies, wait_copies and sync. It copies pieces of 4 bytes if rows do not start on 16-byte
    // boundaries; rows of 16-bit elements always do.
    template <class Tile>
    __device__ void copy_async_16(int row, int col, const Tile& to, int to_row, int to_col,
                                  int line = __builtin_LINE()) const
    {
        if constexpr (edges == Edges::guarded && sizeof(Element) == 4)
            if (pitch % 4 != 0) {
                for (int i = 0; i < 4; ++i)
                    copy_async_4(row, col + i, to, to_row, to_col + i, line);
                return;
            }
        const bool inside = contains(row, col);
        probe.access(recording::Op::async_load, array, offset(row, col), 16, inside, line);
        // The address is inside even if nothing is read: with others, an H200 counted fewer sectors than were read.
        ptx::cp_async_16(to.async_target(to_row, to_col, 16, line), inside ? &data[index(row, col)] : data, inside,
                         line);
    }

    // The same for one element of 4 bytes.
    template <class Tile>
    __device__ void copy_async_4(int row, int col, const Tile& to, int to_row, int to_col,
                                 int line = __builtin_LINE()) const
    {
        static_assert(sizeof(Element) == 4);
        const bool inside = contains(row, col);
        probe.access(recording::Op::async_load, array, offset(row, col), 4, inside, line);
        ptx::cp_async_4(to.async_target(to_row, to_col, 4, line), &data[index(row, col)], inside, line);
    }

    // Reports an operation that no lane carries out itself and that starts at this element.
    __device__ void note(recording::Op op, int row, int col, int line) const
    {
        probe.access(op, array, offset(row, col), 0, true, line);
    }

private:
    __device__ bool contains(int row, int col) const { return edges == Edges::inside || (row < rows && col < cols); }
    __device__ size_t index(int row, int col) const { return size_t(row) * pitch + col; }
    __device__ uint64_t offset(int row, int col) const { return start + index(row, col) * sizeof(Element); }

    Element* data;
    int rows, cols, pitch, array;
    Probe& probe;
    uint64_t start = 0; // in bytes from the start of the whole matrix
};

// Unpacks the four floats of a 16-byte access into registers.
inline __device__ void unpack(float4 from, float* to)
{
    to[0] = from.x;
    to[1] = from.y;
    to[2] = from.z;
    to[3] = from.w;
}

// Memory for a tile, to be declared __shared__. It starts on a 128-byte boundary, in bank 0.
template <auto layout, class Element = float>
struct alignas(128) TileStorage {
    Element cells[layout.size()];
};

// A tile in shared memory, accessed through its layout.
template <auto layout, class Probe, class Element = float>
class SharedTile {
public:
    __device__ SharedTile(TileStorage<layout, Element>& storage, Block<Probe>& block)
        : SharedTile(storage, first_tile + block.tiles++, block.probe)
    {
    }

    __device__ SharedTile(TileStorage<layout, Element>& storage, int array, Probe& probe)
        : cells(storage.cells), array(array), probe(probe)
    {
    }

    __device__ Element operator()(int row, int col, int line = __builtin_LINE()) const
    {
        probe.access(recording::Op::shared_load, array, offset(row, col), sizeof(Element), true, line);
        return cells[layout.index(row, col)];
    }

    __device__ float4 load4(int row, int col, int line = __builtin_LINE()) const
    {
        probe.access(recording::Op::shared_load, array, offset(row, col), 16, true, line);
        return *reinterpret_cast<const float4*>(&cells[layout.index(row, col)]);
    }

    __device__ void store(int row, int col, Element value, int line = __builtin_LINE()) const
    {
        probe.access(recording::Op::shared_store, array, offset(row, col), sizeof(Element), true, line);
        cells[layout.index(row, col)] = value;
    }

    __device__ void store4(int row, int col, float4 value, int line = __builtin_LINE()) const
    {
        probe.access(recording::Op::shared_store, array, offset(row, col), 16, true, line);
        *reinterpret_cast<float4*>(&cells[layout.index(row, col)]) = value;
    }

    // Loads four 8 x 8 matrices of 16-bit elements, see ptx::ldmatrix_x4: this lane supplies the 16 bytes at (row,
    // col). All 32 lanes must call it together.
    template <bool transposed = false>
    __device__ void load_matrices(uint32_t (&to)[4], int row, int col, int line = __builtin_LINE()) const
    {
        probe.access(recording::Op::matrix_load, array, offset(row, col), 16, true, line, transposed);
        ptx::ldmatrix_x4<transposed>(to, &cells[layout.index(row, col)], line);
    }

    // Returns the destination of an asynchronous copy of `bytes` bytes; used by Matrix.
    __device__ void* async_target(int row, int col, int bytes, int line) const
    {
        return target(recording::Op::async_store, row, col, bytes, line);
    }

    // Returns the address of an element for an instruction that no lane carries out itself, with operation `op`.
    __device__ Element* target(recording::Op op, int row, int col, int bytes, int line) const
    {
        probe.access(op, array, offset(row, col), bytes, true, line);
        return &cells[layout.index(row, col)];
    }

    // Returns the start of the `edge` x `edge` elements from (row, col) on, which one instruction of the warp moves as
    // a whole. It is recorded as one access in which lane i represents row i. Blocks must be one-dimensional.
    __device__ Element* square(recording::Op op, int row, int col, int edge, int line) const
    {
        const int lane = threadIdx.x % 32;
        probe.access(op, array, offset(row + lane % edge, col), edge * sizeof(Element), lane < edge, line);
        return &cells[layout.index(row, col)];
    }

    // Returns the tile without its first rows and columns, for layouts in which the distance between two elements is
    // the same everywhere (RowMajor, Padded). Accesses at constant offsets then need no address computation.
    __device__ SharedTile part(int row, int col) const
    {
        SharedTile result = *this;
        result.cells += layout.index(row, col);
        result.start = offset(row, col);
        return result;
    }

    // Returns the elements from row to row, for layouts in which that distance is constant.
    __device__ static int stride() { return layout.index(1, 0) - layout.index(0, 0); }

private:
    __device__ uint64_t offset(int row, int col) const
    {
        return start + uint64_t(layout.index(row, col)) * sizeof(Element);
    }

    Element* cells;
    int array;
    Probe& probe;
    uint64_t start = 0; // in bytes from the start of the whole tile
};

// Several instances of a tile, one for each stage of a pipeline. Each stage is a separate array in a recording.
template <auto layout, int stages, class Probe, class Element = float>
class SharedRing {
public:
    __device__ SharedRing(TileStorage<layout, Element> (&storage)[stages], Block<Probe>& block)
        : storage(storage), first(first_tile + block.tiles), probe(block.probe)
    {
        block.tiles += stages;
    }

    __device__ SharedTile<layout, Probe, Element> operator[](int stage) const
    {
        return {storage[stage], first + stage, probe};
    }

private:
    TileStorage<layout, Element> (&storage)[stages];
    int first;
    Probe& probe;
};
