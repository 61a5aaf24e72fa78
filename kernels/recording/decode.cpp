#include "recording/check.h"
#include "recording/tables.h"

#include <numeric>
#include <utility>

namespace recording {

namespace {

// Converts columns to rows; check_lengths() has verified them.
std::vector<WarpTrace> rows_of(const TraceColumns& from)
{
    std::vector<WarpTrace> warps(from.warp_accesses.size());
    size_t i = 0;
    auto steps = from.offset_steps.begin();
    for (size_t warp = 0; warp < warps.size(); ++warp) {
        warps[warp].accesses.resize(from.warp_accesses[warp]);
        for (Access& access : warps[warp].accesses) {
            access.op = static_cast<Op>(from.op[i]);
            access.array = from.array[i];
            access.width = from.width[i];
            access.transposed = from.transposed ? static_cast<Transposed>((*from.transposed)[i]) : Transposed::unknown;
            access.line = from.line[i];
            access.mask = from.mask[i];
            access.instruction = from.instruction ? (*from.instruction)[i] : 0;
            std::partial_sum(steps, steps + warp_size, access.offset.begin());
            steps += warp_size;
            ++i;
        }
    }
    return warps;
}

std::vector<Placement> rows_of(const PlacementColumns& from)
{
    const size_t count = from.sm.size();
    require(from.start_ns.size() == count && from.end_ns.size() == count,
            "the columns of its placements have different lengths");
    std::vector<Placement> to(count);
    for (size_t i = 0; i < count; ++i)
        to[i] = {from.sm[i], from.start_ns[i], from.end_ns[i]};
    return to;
}

void check_lengths(const TraceColumns& trace)
{
    const size_t accesses = trace.op.size();
    require(trace.array.size() == accesses && trace.width.size() == accesses && trace.line.size() == accesses &&
                trace.mask.size() == accesses && trace.offset_steps.size() == accesses * warp_size &&
                (!trace.transposed || trace.transposed->size() == accesses) &&
                (!trace.instruction || trace.instruction->size() == accesses),
            "the columns of a trace have different lengths");
    const auto& of_warps = trace.warp_accesses;
    require(std::accumulate(of_warps.begin(), of_warps.end(), uint64_t{0}) == accesses,
            "the accesses of a trace's warps do not add up");
}

class Decoder {
public:
    explicit Decoder(size_t content_bytes) : unread(content_bytes) {}

    Recording decode(const format::Recording& from)
    {
        Recording to;
        InFile file;
        read_parts(from, parts(to, file));
        require(to.body <= file.other_sources.size(), "its lines are in source file {} of {}", to.body,
                file.other_sources.size() + 1);
        to.sources = std::move(file.other_sources);
        to.sources.insert(to.sources.begin() + to.body, std::move(file.source));
        to.placements = rows_of(file.placements);
        name_atomic_rules(to);
        return to;
    }

private:
    // Several references in a FlatBuffer may lead to the same bytes, so a small file could expand to a huge recording.
    // A valid file needs each byte only once.
    void take(uint64_t bytes)
    {
        require(bytes <= unread, "its parts overlap");
        unread -= bytes;
    }

    template <class From, class... Part>
    void read_parts(const From& from, std::tuple<Part...> to)
    {
        static_assert(sizeof...(Part) == From::Traits::fields_number);
        [&]<size_t... i>(std::index_sequence<i...>)
        {
            (read(from.template get_field<i>(), std::get<i>(to)), ...);
        }
        (std::index_sequence_for<Part...>());
    }

    // Reads a table's field into a member of a struct; a missing field leaves the member unchanged.
    template <class Field, class T>
    void read(Field from, T& to)
    {
        if constexpr (!std::is_pointer_v<Field>) {
            to = static_cast<T>(from);
        } else if (from != nullptr) {
            if constexpr (requires { to.has_value(); }) {
                read(from, to.emplace());
            } else if constexpr (requires { to.list; }) {
                read(from, to.list);
            } else if constexpr (requires { to.numbers; }) {
                read_list(*from, to.numbers);
                std::partial_sum(to.numbers.begin(), to.numbers.end(), to.numbers.begin());
            } else if constexpr (std::is_same_v<T, BlockTrace>) {
                read_trace(*from, to);
            } else if constexpr (is_text<Field> || VectorField<Field>) {
                read_list(*from, to);
            } else {
                read_parts(*from, parts(to));
            }
        }
    }

    void read_list(const flatbuffers::String& from, std::string& to)
    {
        take(from.size());
        to = from.str();
    }
    template <class From, class T>
    void read_list(const flatbuffers::Vector<From>& from, std::vector<T>& to)
    {
        if constexpr (std::is_arithmetic_v<T>) {
            take(from.size() * sizeof(T));
            to.assign(from.begin(), from.end());
        } else {
            check_count<T>(from.size());
            to.reserve(from.size());
            for (const auto* one : from)
                read(one, to.emplace_back());
        }
    }

    void read_trace(const format::BlockTrace& from, BlockTrace& to)
    {
        TraceColumns columns;
        read_parts(from, parts(columns));
        check_lengths(columns);
        warps_read += columns.warp_accesses.size();
        require(warps_read <= warp_limit, "it traces more than the {} warps that are allowed", warp_limit);
        to = {columns.block, rows_of(columns)};
    }

    uint64_t unread = 0;
    uint64_t warps_read = 0;
};

} // namespace

Recording decode(std::span<const std::byte> content)
{
    // The deepest path is root, vector of traces, trace. Each list entry has one table, and there are a few more.
    constexpr flatbuffers::uoffset_t depth = 8;
    constexpr flatbuffers::uoffset_t tables =
        parameter_limit + source_limit + 2 * array_limit + line_limit + warp_limit + instruction_limit + 16;
    require(content.size() <= content_limit, "its content is too large");
    const auto* bytes = reinterpret_cast<const uint8_t*>(content.data());
    flatbuffers::Verifier verifier(bytes, content.size(), depth, tables);
    require(format::VerifyRecordingBuffer(verifier), "its tables are malformed");
    return Decoder(content.size()).decode(*format::GetRecording(bytes));
}

} // namespace recording
