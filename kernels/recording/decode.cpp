#include "error.h"
#include "recording/format.h"
#include "recording_generated.h"

#include <fmt/format.h>

namespace recording {

namespace {

[[noreturn]] void fail(const std::string& reason)
{
    throw kernels::Error(reason);
}

Index3 from_format(const format::Index3& index)
{
    return {index.x(), index.y(), index.z()};
}

SharedTotals from_format(const format::SharedTotals* totals)
{
    return totals ? SharedTotals{totals->instructions(), totals->wavefronts(), totals->conflicts()} : SharedTotals{};
}

GlobalTotals from_format(const format::GlobalTotals* totals)
{
    return totals ? GlobalTotals{totals->requests(), totals->sectors()} : GlobalTotals{};
}

Resources from_format(const format::Resources& resources)
{
    return {resources.registers_per_thread(), resources.shared_bytes_per_block(), resources.local_bytes_per_thread(),
            resources.blocks_per_sm()};
}

template <class T>
size_t size_of(const flatbuffers::Vector<T>* vector)
{
    return vector ? vector->size() : 0;
}

// The accesses of one trace as they lie in the file: one entry per access in each column, 32 in steps.
struct Columns {
    const uint8_t* op;
    const uint8_t* array;
    const uint8_t* width;
    const uint32_t* line;
    const uint32_t* mask;
    const uint32_t* steps;
    const uint8_t* transposed;   // null: not recorded
    const uint32_t* instruction; // likewise

    Access take()
    {
        Access access;
        access.op = static_cast<Op>(*op++);
        access.array = *array++;
        access.width = *width++;
        if (transposed)
            access.transposed = static_cast<Transposed>(*transposed++);
        if (instruction)
            access.instruction = *instruction++;
        access.line = *line++;
        access.mask = *mask++;
        uint32_t offset = 0;
        for (uint32_t& lane : access.offset)
            lane = offset += *steps++;
        return access;
    }
};

class Decoder {
public:
    explicit Decoder(size_t content_bytes) : unread(content_bytes) {}

    Recording decode(const format::Recording& from)
    {
        Recording to;
        to.stage = text(from.stage());
        const format::Problem& p = *from.problem();
        to.problem = {p.m(), p.n(), p.k(), p.alpha(), p.beta()};
        to.launch = {from_format(*from.grid()), from_format(*from.block())};
        to.sources = decode_all<SourceFile>(from.other_sources(), source_limit - 1, "other source files");
        if (from.body() > to.sources.size())
            fail(fmt::format("its lines are in source file {} of {}", from.body(), to.sources.size() + 1));
        to.sources.insert(to.sources.begin() + from.body(), {text(from.source_file()), text(from.source_text())});
        to.body = from.body();
        to.inputs = static_cast<Inputs>(from.inputs());
        to.recorded_at = text(from.recorded_at());
        if (const format::Device* device = from.device())
            to.device = decode(*device);
        if (const format::Resources* resources = from.resources())
            to.resources = from_format(*resources);
        if (const format::PlacedRun* placed = from.placed())
            to.placed = {.resources = placed->resources() ? from_format(*placed->resources()) : Resources{},
                         .plain_ms = placed->plain_ms(),
                         .placed_ms = placed->placed_ms()};
        to.parameters = decode_all<Parameter>(from.parameters(), parameter_limit, "parameters");
        to.arrays = decode_all<Array>(from.arrays(), array_limit, "arrays");
        to.lines = decode_all<LineTotals>(from.lines(), line_limit, "lines");
        to.owner = owners(from.owner_steps());
        if (const format::Placements* placements = from.placements())
            to.placements = decode(*placements);
        to.blocks = decode_all<BlockTrace>(from.blocks(), warp_limit, "blocks");
        if (const format::AsExecuted* executed = from.executed())
            to.executed = decode(*executed);
        return to;
    }

private:
    // Several references in a FlatBuffer may lead to the same bytes, so that a small file could be read into a huge
    // recording. An honest file lets every byte be read once.
    void take(uint64_t bytes)
    {
        if (bytes > unread)
            fail("its parts overlap");
        unread -= bytes;
    }

    std::string text(const flatbuffers::String* from)
    {
        if (!from)
            return {};
        take(from->size());
        return from->str();
    }

    template <class T, class From>
    std::vector<T> decode_all(const flatbuffers::Vector<flatbuffers::Offset<From>>* from, size_t limit,
                              const char* what)
    {
        if (size_of(from) > limit)
            fail(fmt::format("it has {} {}, more than the {} that are allowed", size_of(from), what, limit));
        std::vector<T> to;
        to.reserve(size_of(from));
        for (size_t i = 0; i < size_of(from); ++i)
            to.push_back(decode(*from->Get(static_cast<flatbuffers::uoffset_t>(i))));
        return to;
    }

    std::vector<uint32_t> owners(const flatbuffers::Vector<uint32_t>* steps)
    {
        take(size_of(steps) * sizeof(uint32_t));
        std::vector<uint32_t> to(size_of(steps));
        uint32_t owner = 0;
        for (size_t i = 0; i < to.size(); ++i)
            to[i] = owner += steps->data()[i];
        return to;
    }

    Device decode(const format::Device& from)
    {
        return {text(from.backend()),      text(from.name()), from.compute_capability(), from.sm_count(),
                from.max_threads_per_sm(), from.clock_khz(),  from.peak_gflops(),        text(from.toolkit())};
    }

    SourceFile decode(const format::SourceFile& from) { return {text(from.name()), text(from.text())}; }

    MachineInstruction decode(const format::MachineInstruction& from)
    {
        return {text(from.text()), from.address(), from.line()};
    }

    AsExecuted decode(const format::AsExecuted& from)
    {
        AsExecuted to{.kernel = text(from.kernel()),
                      .language = text(from.language()),
                      .instructions = decode_all<MachineInstruction>(from.instructions(), instruction_limit,
                                                                     "machine instructions"),
                      .multiplies = from.multiplies(),
                      .notes = {}};
        if (size_of(from.notes()) > note_limit)
            fail(fmt::format("it has {} notes, more than {}", size_of(from.notes()), note_limit));
        for (size_t i = 0; i < size_of(from.notes()); ++i)
            to.notes.push_back(text(from.notes()->Get(static_cast<flatbuffers::uoffset_t>(i))));
        return to;
    }

    Parameter decode(const format::Parameter& from) { return {text(from.name()), from.value()}; }

    LineTotals decode(const format::LineTotals& from)
    {
        return {from.line(),
                {from_format(from.shared_load()), from_format(from.shared_store()), from_format(from.global_load()),
                 from_format(from.global_store())}};
    }

    Array decode(const format::Array& from)
    {
        Array to{text(from.name()),
                 static_cast<Space>(from.space()),
                 from.rows(),
                 from.cols(),
                 from.element_bytes(),
                 from.bytes(),
                 {},
                 from.pitch()};
        take(size_of(from.layout()) * sizeof(uint32_t));
        if (from.layout())
            to.layout.assign(from.layout()->begin(), from.layout()->end());
        return to;
    }

    std::vector<Placement> decode(const format::Placements& from)
    {
        const size_t count = size_of(from.sm());
        if (size_of(from.start_ns()) != count || size_of(from.end_ns()) != count)
            fail("the columns of its placements have different lengths");
        take(count * (sizeof(uint32_t) + 2 * sizeof(uint64_t)));
        std::vector<Placement> to(count);
        for (size_t i = 0; i < count; ++i) {
            const auto at = static_cast<flatbuffers::uoffset_t>(i);
            to[i] = {from.sm()->Get(at), from.start_ns()->Get(at), from.end_ns()->Get(at)};
        }
        return to;
    }

    BlockTrace decode(const format::BlockTrace& from)
    {
        BlockTrace to{from_format(*from.block()), {}};
        const size_t warps = size_of(from.warp_accesses()), accesses = size_of(from.op());
        if (size_of(from.array()) != accesses || size_of(from.width()) != accesses ||
            size_of(from.line()) != accesses || size_of(from.mask()) != accesses ||
            size_of(from.offset_steps()) != accesses * warp_size ||
            (from.transposed() && from.transposed()->size() != accesses) ||
            (from.instruction() && from.instruction()->size() != accesses))
            fail("the columns of a trace have different lengths");
        take(warps * sizeof(uint32_t) + accesses * (3 + 2 * sizeof(uint32_t) + warp_size * sizeof(uint32_t)) +
             size_of(from.transposed()) + size_of(from.instruction()) * sizeof(uint32_t));
        uint64_t sum = 0;
        for (size_t i = 0; i < warps; ++i)
            sum += from.warp_accesses()->Get(static_cast<flatbuffers::uoffset_t>(i));
        if (sum != accesses)
            fail("the accesses of a trace's warps do not add up");
        warps_read += warps;
        if (warps_read > warp_limit)
            fail(fmt::format("it traces more than the {} warps that are allowed", warp_limit));
        to.warps.resize(warps);
        if (accesses == 0)
            return to;
        Columns columns{from.op()->data(),
                        from.array()->data(),
                        from.width()->data(),
                        from.line()->data(),
                        from.mask()->data(),
                        from.offset_steps()->data(),
                        from.transposed() ? from.transposed()->data() : nullptr,
                        from.instruction() ? from.instruction()->data() : nullptr};
        for (size_t i = 0; i < warps; ++i) {
            const uint32_t count = from.warp_accesses()->Get(static_cast<flatbuffers::uoffset_t>(i));
            to.warps[i].accesses.reserve(count);
            for (uint32_t access = 0; access < count; ++access)
                to.warps[i].accesses.push_back(columns.take());
        }
        return to;
    }

    uint64_t unread = 0;
    uint64_t warps_read = 0;
};

} // namespace

Recording decode(std::span<const std::byte> content)
{
    // Deepest: root, vector of traces, trace. One table per entry of a list, and a few more.
    constexpr flatbuffers::uoffset_t depth = 8;
    constexpr flatbuffers::uoffset_t tables =
        parameter_limit + source_limit + array_limit + line_limit + warp_limit + instruction_limit + 16;
    if (content.size() > content_limit)
        fail("its content is too large");
    const auto* bytes = reinterpret_cast<const uint8_t*>(content.data());
    flatbuffers::Verifier verifier(bytes, content.size(), depth, tables);
    if (!format::VerifyRecordingBuffer(verifier))
        fail("its tables are malformed");
    return Decoder(content.size()).decode(*format::GetRecording(bytes));
}

} // namespace recording
