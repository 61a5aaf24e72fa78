// Tests contents that recording::encode() never produces: inconsistent columns, and parts that are shared or missing.
#include "tests/kernels/recording/recording_file_support.h"

#include <recording_generated.h>

namespace {

using namespace file_support;

// The builders below write only the fields that matter.
namespace format = recording::format;
using Builder = flatbuffers::FlatBufferBuilder;

struct Parts {
    flatbuffers::Offset<format::Placements> placements;
    flatbuffers::Offset<flatbuffers::Vector<flatbuffers::Offset<format::BlockTrace>>> blocks;
    flatbuffers::Offset<flatbuffers::Vector<flatbuffers::Offset<format::Array>>> arrays;
    flatbuffers::Offset<flatbuffers::String> source_file;
    uint32_t body = 0;
};

Bytes content_of_parts(Builder& builder, const Parts& parts)
{
    const auto stage = builder.CreateString("naive");
    const auto problem = format::CreateProblem(builder, 1, 1, 1, 1, 0);
    auto arrays = parts.arrays;
    if (arrays.IsNull()) {
        std::vector<flatbuffers::Offset<format::Array>> three;
        for (const char* name : {"A", "B", "C"})
            three.push_back(
                format::CreateArray(builder, builder.CreateString(name), format::Space::global, 1, 1, 4, 4));
        arrays = builder.CreateVector(three);
    }
    const format::Index3 one(1, 1, 1);
    format::RecordingBuilder root(builder);
    root.add_stage(stage);
    root.add_problem(problem);
    root.add_grid(&one);
    root.add_block(&one);
    root.add_arrays(arrays);
    root.add_placements(parts.placements);
    root.add_blocks(parts.blocks);
    root.add_source_file(parts.source_file);
    root.add_body(parts.body);
    format::FinishRecordingBuffer(builder, root.Finish());
    return {reinterpret_cast<const char*>(builder.GetBufferPointer()), builder.GetSize()};
}

std::string refusal_of_parts(Builder& builder, const Parts& parts)
{
    return refusal(wrap(content_of_parts(builder, parts)));
}

// Lengths of the columns of one trace.
struct Lengths {
    uint32_t counted = 2; // the number in warp_accesses
    size_t op = 2, array = 2, width = 2, line = 2, mask = 2, steps = 64;
    std::optional<size_t> transposed; // none: the column is missing
};

flatbuffers::Offset<format::BlockTrace> trace(Builder& builder, const Lengths& lengths)
{
    const auto bytes = [&](size_t n, uint8_t value) { return builder.CreateVector(std::vector<uint8_t>(n, value)); };
    const auto words = [&](size_t n, uint32_t value) { return builder.CreateVector(std::vector<uint32_t>(n, value)); };
    const format::Index3 block(0, 0, 0);
    const auto counts = words(1, lengths.counted), steps = words(lengths.steps, 0);
    const auto line = words(lengths.line, 1), mask = words(lengths.mask, 1);
    const auto op = bytes(lengths.op, 0);
    const auto array = bytes(lengths.array, 0), width = bytes(lengths.width, 4);
    flatbuffers::Offset<flatbuffers::Vector<uint8_t>> transposed;
    if (lengths.transposed)
        transposed = bytes(*lengths.transposed, 0);
    return format::CreateBlockTrace(builder, &block, counts, op, array, width, line, mask, steps, transposed);
}

std::string refusal_of_trace(const Lengths& lengths)
{
    Builder builder;
    Parts parts;
    parts.blocks = builder.CreateVector(std::vector{trace(builder, lengths)});
    return refusal_of_parts(builder, parts);
}

TEST(RecordingStructure, MissingOptionalPartsAreEmpty)
{
    Builder builder;
    EXPECT_EQ(refusal_of_parts(builder, {}), "");
    EXPECT_EQ(refusal_of_trace({}), "");
    EXPECT_EQ(refusal_of_trace({0, 0, 0, 0, 0, 0, 0}), "");
}

// Formats 1 and 2.0 have neither.
TEST(RecordingStructure, WithoutOtherSourcesAndTransposition)
{
    for (const uint16_t major : {uint16_t{1}, uint16_t{2}}) {
        Builder builder;
        Parts parts;
        parts.source_file = builder.CreateString("stages/02_naive.cu");
        parts.blocks = builder.CreateVector(std::vector{trace(builder, {})});
        const Folder folder;
        put_bytes(folder / "old.gscope", wrap(content_of_parts(builder, parts), major, 0));
        const recording::Recording old = recording::read(folder / "old.gscope");
        EXPECT_EQ(old.sources, (std::vector<recording::SourceFile>{{"stages/02_naive.cu", ""}}));
        EXPECT_EQ(old.body, 0);
        for (const recording::Access& access : old.blocks.at(0).warps.at(0).accesses)
            EXPECT_EQ(access.transposed, recording::Transposed::unknown);
        recording::write(old, folder / "new.gscope");
        expect_identical(old, recording::read(folder / "new.gscope"));
    }
}

TEST(RecordingStructure, TheBodyIsOneOfTheSources)
{
    Builder builder;
    Parts parts;
    parts.body = 1;
    EXPECT_TRUE(says(refusal_of_parts(builder, parts), "its lines are in source file 1 of 1"));
}

TEST(RecordingStructure, ColumnsOfDifferentLengths)
{
    const std::string reason = "the columns of a trace have different lengths";
    for (const Lengths& lengths :
         {Lengths{2, 1}, Lengths{2, 2, 1}, Lengths{2, 2, 2, 3}, Lengths{2, 2, 2, 2, 0}, Lengths{2, 2, 2, 2, 2, 1},
          Lengths{2, 2, 2, 2, 2, 2, 63}, Lengths{2, 2, 2, 2, 2, 2, 64, 1}})
        EXPECT_TRUE(says(refusal_of_trace(lengths), reason));
    EXPECT_TRUE(says(refusal_of_trace({3}), "the accesses of a trace's warps do not add up"));
    EXPECT_TRUE(says(refusal_of_trace({1}), "the accesses of a trace's warps do not add up"));
    EXPECT_TRUE(says(refusal_of_trace({~0u}), "the accesses of a trace's warps do not add up"));

    Builder builder;
    const auto sm = builder.CreateVector(std::vector<uint32_t>(1));
    const auto start = builder.CreateVector(std::vector<uint64_t>(2)), end = start;
    Parts parts;
    parts.placements = format::CreatePlacements(builder, sm, start, end);
    EXPECT_TRUE(says(refusal_of_parts(builder, parts), "the columns of its placements have different lengths"));
}

// A thousand references lead to one trace of a thousand accesses. The file of 143 KB would expand to 144 MB.
TEST(RecordingStructure, SharedPartsDoNotMultiply)
{
    Builder builder;
    const auto once = trace(builder, {1000, 1000, 1000, 1000, 1000, 1000, 32000});
    Parts parts;
    parts.blocks = builder.CreateVector(std::vector(1000, once));
    EXPECT_TRUE(says(refusal_of_parts(builder, parts), "its parts overlap"));

    Builder strings;
    const auto name = strings.CreateString(std::string(4000, 'x'));
    const auto array = format::CreateArray(strings, name, format::Space::global, 1, 1, 4, 4);
    Parts same;
    same.arrays = strings.CreateVector(std::vector(100, array));
    EXPECT_TRUE(says(refusal_of_parts(strings, same), "its parts overlap"));
}

TEST(RecordingStructure, RequiredPartsAndIdentifier)
{
    Builder builder;
    const auto stage = builder.CreateString("naive");
    format::RecordingBuilder root(builder);
    root.add_stage(stage);
    const auto table = root.fbb_.EndTable(root.start_); // not Finish(), which fails because of missing fields
    format::FinishRecordingBuffer(builder, flatbuffers::Offset<format::Recording>(table));
    const Bytes incomplete(reinterpret_cast<const char*>(builder.GetBufferPointer()), builder.GetSize());
    EXPECT_TRUE(says(refusal(wrap(incomplete)), "its tables are malformed"));

    Bytes renamed = content_of(sample::recording());
    renamed.replace(4, 4, "ABCD");
    EXPECT_TRUE(says(refusal(wrap(renamed)), "its tables are malformed"));
    EXPECT_TRUE(says(refusal(wrap("")), "its tables are malformed"));
}

// The writer visits members and fields side by side. If two of the same type were swapped, reading would not detect it.
TEST(RecordingStructure, AFieldHasWhatItsMemberHas)
{
    recording::Recording made = sample::recording();
    made.executed = recording::InstructionTrace{
        .kernel = "k", .language = "PTX", .instructions = {{"ret;", 7, 4}}, .notes = {"note"}};
    const Bytes content = content_of(made);
    const format::Recording& file = *format::GetRecording(content.data());
    const auto same = [](const auto& fields, const auto& members) { EXPECT_EQ(fields, members); };
    const auto text = [](const flatbuffers::String* in_file) { return in_file->str(); };
    const recording::Problem& p = made.problem;
    same(std::tuple(file.problem()->m(), file.problem()->n(), file.problem()->k(), file.problem()->alpha()),
         std::tie(p.M, p.N, p.K, p.alpha));
    const recording::Device& d = made.device;
    const format::Device& device = *file.device();
    same(std::tuple(text(device.backend()), text(device.name()), device.compute_capability(), device.sm_count(),
                    device.max_threads_per_sm(), device.clock_khz(), device.peak_gflops(), text(device.toolkit())),
         std::tie(d.backend, d.name, d.compute_capability, d.sm_count, d.max_threads_per_sm, d.clock_khz, d.peak_gflops,
                  d.toolkit));
    const recording::Resources& r = made.resources.value();
    const format::Resources& used = *file.resources();
    same(std::tuple(used.registers_per_thread(), used.shared_bytes_per_block(), used.local_bytes_per_thread(),
                    used.blocks_per_sm()),
         std::tie(r.registers_per_thread, r.shared_bytes_per_block, r.local_bytes_per_thread, r.blocks_per_sm));
    const recording::Array& a = made.arrays[3];
    const format::Array& array = *file.arrays()->Get(3);
    same(std::tuple(text(array.name()), array.rows(), array.cols(), array.element_bytes(), array.bytes()),
         std::tie(a.name, a.rows, a.cols, a.element_bytes, a.bytes));
    const recording::Totals& t = made.lines[1].totals;
    const format::LineTotals& line = *file.lines()->Get(1);
    same(std::tuple(line.line(), line.shared_store()->instructions(), line.shared_store()->wavefronts(),
                    line.shared_store()->conflicts(), line.shared_load()->wavefronts()),
         std::tie(made.lines[1].line, t.shared_store.instructions, t.shared_store.wavefronts, t.shared_store.conflicts,
                  t.shared_load.wavefronts));
    same(std::tuple(file.grid()->x(), file.grid()->y(), file.block()->x(), text(file.source_file()),
                    text(file.source_text()), text(file.recorded_at()), file.body()),
         std::tie(made.launch.grid.x, made.launch.grid.y, made.launch.block.x, made.source().name, made.source().text,
                  made.recorded_at, made.body));
    const format::AsExecuted& executed = *file.executed();
    const format::MachineInstruction& instruction = *executed.instructions()->Get(0);
    same(std::tuple(text(executed.kernel()), text(executed.language()), text(instruction.text()), instruction.address(),
                    instruction.line()),
         std::tuple("k", "PTX", "ret;", 7u, 4u));
    const recording::Access& access = made.blocks[0].warps[0].accesses[1];
    const format::BlockTrace& trace = *file.blocks()->Get(0);
    same(std::tuple(trace.op()->Get(1), trace.array()->Get(1), trace.width()->Get(1), trace.line()->Get(1),
                    trace.mask()->Get(1), trace.offset_steps()->Get(33)),
         std::tuple(static_cast<uint8_t>(access.op), access.array, access.width, access.line, access.mask,
                    access.offset[1] - access.offset[0]));
}

} // namespace
