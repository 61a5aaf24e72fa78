// Maps the structs of recording.h to the tables of recording.fbs, for encode.cpp and decode.cpp. A table's fields are
// its struct's members in the same order. Encoding and decoding visit table and struct side by side, without the names
// of fields.
#pragma once

#include "recording/format.h"
#include "recording_generated.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <tuple>
#include <type_traits>
#include <vector>

namespace recording {

// A trace as stored in the file; recording.fbs documents the columns. Older files lack the last two.
struct TraceColumns {
    Index3 block;
    std::vector<uint32_t> warp_accesses;
    std::vector<uint8_t> op, array, width;
    std::vector<uint32_t> line, mask, offset_steps;
    std::optional<std::vector<uint8_t>> transposed;
    std::optional<std::vector<uint32_t>> instruction;
};

struct PlacementColumns {
    std::vector<uint32_t> sm;
    std::vector<uint64_t> start_ns, end_ns;
};

// Parts of a recording that the file stores in another form.
struct InFile {
    SourceFile source; // the file that recorded lines refer to
    std::vector<SourceFile> other_sources;
    PlacementColumns placements;
};

// Numbers that the file stores as differences from the previous number. They are converted in place, to save memory.
template <class Numbers>
struct Steps {
    Numbers& numbers;
};
template <class Numbers>
Steps(Numbers&) -> Steps<Numbers>; // Clang 14 has no implicit deduction guides for aggregates

// A list that a later version of the format added. It is written only if it is not empty, so recordings of older
// formats are written exactly as they were read.
template <class List>
struct UnlessEmpty {
    List& list;
};
template <class List>
UnlessEmpty(List&) -> UnlessEmpty<List>;

// Returns the members of a struct as references.
auto parts(auto& value)
{
    return kernels::members(value);
}
auto parts(kernels::Like<LineTotals> auto& line)
{
    auto& of = line.totals;
    return std::tie(line.line, of.shared_load, of.shared_store, of.global_load, of.global_store, of.shared_atomic,
                    of.global_atomic, of.constant_load, of.bulk_load, of.bulk_store, of.shared_atomic_cost,
                    of.global_atomic_cost);
}
auto parts(kernels::Like<InstructionTrace> auto& of)
{
    return std::tuple_cat(std::tie(of.kernel, of.language, of.instructions, of.multiplies, of.notes),
                          std::tuple(UnlessEmpty{of.values}, UnlessEmpty{of.guessed}, UnlessEmpty{of.races}));
}
auto parts(kernels::Like<Recording> auto& to, kernels::Like<InFile> auto& file)
{
    return std::tuple_cat(
        std::tie(to.stage, to.parameters, to.problem, to.launch.grid, to.launch.block, file.source.name,
                 file.source.text, to.device, to.recorded_at, to.resources, to.arrays, to.lines),
        std::tuple(Steps{to.owner}),
        std::tie(file.placements, to.blocks, file.other_sources, to.body, to.inputs, to.executed, to.placed));
}

// Traits of a table field's type: what it points to, and its kind.
template <class Table, size_t index>
using FieldOf = typename Table::Traits::template FieldType<index>;
template <class Field>
using Target = std::remove_const_t<std::remove_pointer_t<Field>>;
template <class Field>
inline constexpr bool is_table = std::is_base_of_v<flatbuffers::Table, Target<Field>>;
template <class Field>
inline constexpr bool is_text = std::is_same_v<Target<Field>, flatbuffers::String>;
template <class Field>
concept VectorField = !is_text<Field> && requires
{
    typename Target<Field>::return_type;
};
template <VectorField Field>
using Element = typename Target<Field>::return_type; // a number, or a pointer to a table or string

} // namespace recording
