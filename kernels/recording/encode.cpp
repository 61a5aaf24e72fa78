#include "recording/tables.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <numeric>
#include <utility>

namespace recording {

static_assert(std::endian::native == std::endian::little, "vectors are copied into the file as they lie in memory");

namespace {

using Builder = flatbuffers::FlatBufferBuilder;
template <class T>
using Offset = flatbuffers::Offset<T>;

TraceColumns columns_of(const BlockTrace& trace)
{
    TraceColumns to{.block = trace.block, .transposed = std::vector<uint8_t>()};
    std::vector<uint32_t> instruction;
    size_t accesses = 0;
    for (const WarpTrace& warp : trace.warps)
        accesses += warp.accesses.size();
    const auto reserve = [&](auto&... column) { (column.reserve(accesses), ...); };
    reserve(to.op, to.array, to.width, to.line, to.mask, *to.transposed, instruction);
    to.offset_steps.resize(accesses * warp_size);
    auto steps = to.offset_steps.begin();
    for (const WarpTrace& warp : trace.warps) {
        to.warp_accesses.push_back(static_cast<uint32_t>(warp.accesses.size()));
        for (const Access& access : warp.accesses) {
            to.op.push_back(static_cast<uint8_t>(access.op));
            to.array.push_back(access.array);
            to.width.push_back(access.width);
            to.line.push_back(access.line);
            to.mask.push_back(access.mask);
            steps = std::adjacent_difference(access.offset.begin(), access.offset.end(), steps);
            to.transposed->push_back(static_cast<uint8_t>(access.transposed));
            instruction.push_back(access.instruction);
        }
    }
    if (std::ranges::any_of(instruction, [](uint32_t one) { return one != 0; }))
        to.instruction = std::move(instruction);
    return to;
}

InFile in_file(const Recording& recording)
{
    InFile to{.source = recording.source(), .other_sources = recording.sources};
    to.other_sources.erase(to.other_sources.begin() + recording.body);
    for (const Placement& placement : recording.placements) {
        to.placements.sm.push_back(placement.sm);
        to.placements.start_ns.push_back(placement.start_ns);
        to.placements.end_ns.push_back(placement.end_ns);
    }
    return to;
}

// Converts a member of a struct to the value of a table's field: an offset, a number, or a struct stored in the table.
template <class Field, class T>
auto put(Builder& to, const T& value);

// Totals that formats 3.2 and 3.4 added. Only few lines have them.
template <class T>
inline constexpr bool is_mostly_absent =
    std::is_same_v<T, format::AtomicTotals> || std::is_same_v<T, format::ConstantTotals> ||
    std::is_same_v<T, format::BulkTotals> || std::is_same_v<T, format::SharedAtomicCost> ||
    std::is_same_v<T, format::GlobalAtomicCost>;

template <class Table, size_t... i>
Offset<Table> put_table(Builder& to, const auto& parts, std::index_sequence<i...>)
{
    static_assert(sizeof...(i) == Table::Traits::fields_number);
    const std::tuple all{put<FieldOf<Table, i>>(to, std::get<i>(parts))...}; // braces evaluate in order
    const auto argument = []<class T>(const T& value) {
        if constexpr (is_mostly_absent<T>) {
            const T nothing;
            return std::memcmp(&value, &nothing, sizeof value) == 0 ? nullptr : &value;
        } else if constexpr (requires { typename T::Traits; }) {
            return &value;
        } else {
            return value;
        }
    };
    return Table::Traits::Create(to, argument(std::get<i>(all))...);
}

template <class Field, class T>
auto put(Builder& to, const T& value)
{
    if constexpr (requires { value.has_value(); }) {
        return value ? put<Field>(to, *value) : decltype(put<Field>(to, *value))();
    } else if constexpr (requires { value.list; }) {
        return value.list.empty() ? decltype(put<Field>(to, value.list))() : put<Field>(to, value.list);
    } else if constexpr (requires { value.numbers; }) {
        uint32_t* steps = nullptr;
        const auto vector = to.CreateUninitializedVector<uint32_t>(value.numbers.size(), &steps);
        std::adjacent_difference(value.numbers.begin(), value.numbers.end(), steps);
        return vector;
    } else if constexpr (!std::is_pointer_v<Field>) {
        return static_cast<Field>(value);
    } else if constexpr (is_text<Field>) {
        return to.CreateString(value);
    } else if constexpr (std::is_same_v<T, BlockTrace>) {
        return put<Field>(to, columns_of(value));
    } else if constexpr (is_table<Field>) {
        const auto all = parts(value);
        return put_table<Target<Field>>(to, all, std::make_index_sequence<std::tuple_size_v<decltype(all)>>());
    } else if constexpr (!VectorField<Field>) {
        return std::apply([](const auto&... part) { return Target<Field>(part...); }, parts(value));
    } else if constexpr (std::is_pointer_v<Element<Field>>) {
        std::vector<decltype(put<Element<Field>>(to, value.front()))> all;
        all.reserve(value.size());
        for (const auto& one : value)
            all.push_back(put<Element<Field>>(to, one));
        return to.CreateVector(all);
    } else {
        return to.CreateVector(value);
    }
}

void add(Builder& to, flatbuffers::voffset_t field, const auto& value)
{
    using T = std::remove_cvref_t<decltype(value)>;
    if constexpr (requires { value.o; })
        to.AddOffset(field, value);
    else if constexpr (std::is_class_v<T>)
        to.AddStruct(field, &value);
    else
        to.AddElement(field, value, T{});
}

// Writes the root table in the layout that every gemmscope has used. The texts of all sources are adjacent, and the
// root's own fields are in the order of recording.fbs, not sorted by size.
template <size_t... field>
Offset<format::Recording> put_root(Builder& to, const auto& all, std::index_sequence<field...>)
{
    using Table = format::Recording;
    static_assert(sizeof...(field) == Table::Traits::fields_number);
    std::tuple<decltype(put<FieldOf<Table, field>>(to, std::get<field>(all)))...> values;
    const auto write = [&]<size_t... i>(std::index_sequence<i...>)
    {
        static_assert(sizeof...(i) == sizeof...(field));
        ((std::get<i>(values) = put<FieldOf<Table, i>>(to, std::get<i>(all))), ...);
    };
    write(std::index_sequence<0, 1, 2, 3, 4, 5, 6, 15, 7, 8, 9, 10, 11, 12, 13, 14, 16, 17, 18, 19>());
    const auto start = to.StartTable();
    (add(to, flatbuffers::FieldIndexToOffset(field), std::get<field>(values)), ...);
    return {to.EndTable(start)};
}

// Returns an upper bound for the bytes that a part of a recording takes in the file.
template <class T>
uint64_t bound_of(const T& value)
{
    // More than any table takes, including the lengths and padding of its strings and vectors.
    constexpr uint64_t table = 256;
    if constexpr (requires { value.has_value(); }) {
        return value ? bound_of(*value) : 0;
    } else if constexpr (std::is_same_v<T, WarpTrace>) {
        return sizeof(uint32_t) + value.accesses.size() * sizeof(Access);
    } else if constexpr (std::is_same_v<T, std::vector<uint32_t>> || std::is_same_v<T, std::vector<uint8_t>> ||
                         std::is_same_v<T, std::vector<Placement>> || std::is_same_v<T, std::string>) {
        return value.size() * sizeof(value[0]);
    } else if constexpr (requires { value.size(); }) {
        return std::accumulate(value.begin(), value.end(), uint64_t{0},
                               [](uint64_t sum, const auto& one) { return sum + table + bound_of(one); });
    } else if constexpr (std::is_trivially_copyable_v<T>) {
        return sizeof(T);
    } else {
        return std::apply([](const auto&... part) { return (uint64_t{0} + ... + bound_of(part)); },
                          kernels::members(value));
    }
}

} // namespace

uint64_t encoded_bound(const Recording& recording)
{
    return 4096 + bound_of(recording);
}

flatbuffers::DetachedBuffer encode(const Recording& recording)
{
    Builder builder(encoded_bound(recording));
    builder.ForceDefaults(true); // preserves -0.0; a reader with other defaults sees every value
    const InFile file = in_file(recording);
    const auto all = parts(recording, file);
    const auto root = put_root(builder, all, std::make_index_sequence<std::tuple_size_v<decltype(all)>>());
    format::FinishRecordingBuffer(builder, root);
    return builder.Release();
}

} // namespace recording
