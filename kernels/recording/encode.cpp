#include "recording/format.h"
#include "recording_generated.h"

#include <algorithm>
#include <bit>

namespace recording {

static_assert(std::endian::native == std::endian::little, "vectors are copied into the file as they lie in memory");

namespace {

using Builder = flatbuffers::FlatBufferBuilder;
template <class T>
using Offset = flatbuffers::Offset<T>;
template <class T>
using VectorOffset = Offset<flatbuffers::Vector<T>>;

constexpr uint64_t access_bytes = 4 + 3 * sizeof(uint32_t) + warp_size * sizeof(uint32_t);

format::Index3 to_format(const Index3& index)
{
    return {index.x, index.y, index.z};
}

format::SharedTotals to_format(const SharedTotals& totals)
{
    return {totals.instructions, totals.wavefronts, totals.conflicts};
}

format::GlobalTotals to_format(const GlobalTotals& totals)
{
    return {totals.requests, totals.sectors};
}

// A vector filled in place: the large ones are not copied twice.
template <class T, class Fill>
VectorOffset<T> make_vector(Builder& builder, size_t size, Fill fill)
{
    T* data = nullptr;
    const VectorOffset<T> vector = builder.CreateUninitializedVector<T>(size, &data);
    fill(data);
    return vector;
}

template <class T, class Member>
VectorOffset<T> make_access_vector(Builder& builder, const BlockTrace& trace, size_t accesses, Member member)
{
    return make_vector<T>(builder, accesses, [&](T* out) {
        for (const WarpTrace& warp : trace.warps)
            for (const Access& access : warp.accesses)
                *out++ = static_cast<T>(access.*member);
    });
}

VectorOffset<uint32_t> make_offset_steps(Builder& builder, const BlockTrace& trace, size_t accesses)
{
    return make_vector<uint32_t>(builder, accesses * warp_size, [&](uint32_t* out) {
        for (const WarpTrace& warp : trace.warps)
            for (const Access& access : warp.accesses) {
                uint32_t previous = 0;
                for (const uint32_t offset : access.offset) {
                    *out++ = offset - previous;
                    previous = offset;
                }
            }
    });
}

Offset<format::BlockTrace> make_trace(Builder& builder, const BlockTrace& trace)
{
    size_t accesses = 0;
    for (const WarpTrace& warp : trace.warps)
        accesses += warp.accesses.size();
    const auto warp_accesses = make_vector<uint32_t>(builder, trace.warps.size(), [&](uint32_t* out) {
        for (const WarpTrace& warp : trace.warps)
            *out++ = static_cast<uint32_t>(warp.accesses.size());
    });
    const auto op = make_access_vector<uint8_t>(builder, trace, accesses, &Access::op);
    const auto array = make_access_vector<uint8_t>(builder, trace, accesses, &Access::array);
    const auto width = make_access_vector<uint8_t>(builder, trace, accesses, &Access::width);
    const auto line = make_access_vector<uint32_t>(builder, trace, accesses, &Access::line);
    const auto mask = make_access_vector<uint32_t>(builder, trace, accesses, &Access::mask);
    const auto steps = make_offset_steps(builder, trace, accesses);
    const auto transposed = make_access_vector<uint8_t>(builder, trace, accesses, &Access::transposed);
    const bool as_executed = std::ranges::any_of(trace.warps, [](const WarpTrace& warp) {
        return std::ranges::any_of(warp.accesses, [](const Access& access) { return access.instruction != 0; });
    });
    VectorOffset<uint32_t> instruction;
    if (as_executed)
        instruction = make_access_vector<uint32_t>(builder, trace, accesses, &Access::instruction);
    const format::Index3 block = to_format(trace.block);
    return format::CreateBlockTrace(builder, &block, warp_accesses, op, array, width, line, mask, steps, transposed,
                                    instruction);
}

Offset<format::LineTotals> make_line(Builder& builder, const LineTotals& line)
{
    const format::SharedTotals shared_load = to_format(line.totals.shared_load);
    const format::SharedTotals shared_store = to_format(line.totals.shared_store);
    const format::GlobalTotals global_load = to_format(line.totals.global_load);
    const format::GlobalTotals global_store = to_format(line.totals.global_store);
    return format::CreateLineTotals(builder, line.line, &shared_load, &shared_store, &global_load, &global_store);
}

Offset<format::Array> make_array(Builder& builder, const Array& array)
{
    const auto name = builder.CreateString(array.name);
    const auto layout = builder.CreateVector(array.layout);
    return format::CreateArray(builder, name, static_cast<format::Space>(array.space), array.rows, array.cols,
                               array.element_bytes, array.bytes, layout, array.pitch);
}

Offset<format::Parameter> make_parameter(Builder& builder, const Parameter& parameter)
{
    return format::CreateParameter(builder, builder.CreateString(parameter.name), parameter.value);
}

Offset<format::SourceFile> make_source(Builder& builder, const SourceFile& source)
{
    const auto name = builder.CreateString(source.name);
    return format::CreateSourceFile(builder, name, builder.CreateString(source.text));
}

Offset<format::Device> make_device(Builder& builder, const Device& device)
{
    const auto backend = builder.CreateString(device.backend);
    const auto name = builder.CreateString(device.name);
    const auto toolkit = builder.CreateString(device.toolkit);
    return format::CreateDevice(builder, backend, name, device.compute_capability, device.sm_count,
                                device.max_threads_per_sm, device.clock_khz, device.peak_gflops, toolkit);
}

Offset<format::Resources> make_resources(Builder& builder, const Resources& r)
{
    return format::CreateResources(builder, r.registers_per_thread, r.shared_bytes_per_block, r.local_bytes_per_thread,
                                   r.blocks_per_sm);
}

Offset<format::Placements> make_placements(Builder& builder, const std::vector<Placement>& placements)
{
    const auto column = [&]<class T>(T Placement::*member) {
        return make_vector<T>(builder, placements.size(), [&](T* out) {
            for (const Placement& placement : placements)
                *out++ = placement.*member;
        });
    };
    const auto sm = column(&Placement::sm);
    const auto start = column(&Placement::start_ns);
    const auto end = column(&Placement::end_ns);
    return format::CreatePlacements(builder, sm, start, end);
}

VectorOffset<uint32_t> make_owner_steps(Builder& builder, const std::vector<uint32_t>& owner)
{
    return make_vector<uint32_t>(builder, owner.size(), [&](uint32_t* out) {
        uint32_t previous = 0;
        for (const uint32_t value : owner) {
            *out++ = value - previous;
            previous = value;
        }
    });
}

template <class Table, class T, class Make>
VectorOffset<Offset<Table>> make_tables(Builder& builder, const std::vector<T>& values, Make make)
{
    std::vector<Offset<Table>> tables;
    tables.reserve(values.size());
    for (const T& value : values)
        tables.push_back(make(builder, value));
    return builder.CreateVector(tables);
}

Offset<format::MachineInstruction> make_instruction(Builder& builder, const MachineInstruction& instruction)
{
    const auto text = builder.CreateString(instruction.text);
    return format::CreateMachineInstruction(builder, text, instruction.address, instruction.line);
}

Offset<format::AsExecuted> make_executed(Builder& builder, const AsExecuted& executed)
{
    const auto kernel = builder.CreateString(executed.kernel);
    const auto language = builder.CreateString(executed.language);
    const auto instructions = make_tables<format::MachineInstruction>(builder, executed.instructions, make_instruction);
    const auto notes = builder.CreateVectorOfStrings(executed.notes);
    return format::CreateAsExecuted(builder, kernel, language, instructions, executed.multiplies, notes);
}

} // namespace

uint64_t encoded_bound(const Recording& recording)
{
    constexpr uint64_t table = 256; // more than any table of ours with its strings' and vectors' lengths and padding
    uint64_t bytes = 4096 + recording.stage.size() + recording.device.backend.size() + recording.device.name.size() +
                     recording.device.toolkit.size() + recording.recorded_at.size();
    for (const SourceFile& source : recording.sources)
        bytes += table + source.name.size() + source.text.size();
    for (const Parameter& parameter : recording.parameters)
        bytes += table + parameter.name.size();
    for (const Array& array : recording.arrays)
        bytes += table + array.name.size() + array.layout.size() * sizeof(uint32_t);
    bytes += recording.lines.size() * table;
    if (recording.executed) {
        bytes += table + recording.executed->kernel.size() + recording.executed->language.size();
        for (const MachineInstruction& instruction : recording.executed->instructions)
            bytes += table + instruction.text.size();
        for (const std::string& note : recording.executed->notes)
            bytes += table + note.size();
    }
    bytes += recording.owner.size() * sizeof(uint32_t);
    bytes += recording.placements.size() * (sizeof(uint32_t) + 2 * sizeof(uint64_t));
    for (const BlockTrace& trace : recording.blocks) {
        bytes += table + trace.warps.size() * sizeof(uint32_t);
        for (const WarpTrace& warp : trace.warps)
            bytes += warp.accesses.size() * access_bytes;
    }
    return bytes;
}

flatbuffers::DetachedBuffer encode(const Recording& recording)
{
    Builder builder(encoded_bound(recording));
    builder.ForceDefaults(true); // keeps -0.0, and a reader without our defaults sees every value
    const auto stage = builder.CreateString(recording.stage);
    const auto parameters = make_tables<format::Parameter>(builder, recording.parameters, make_parameter);
    const Problem& p = recording.problem;
    const auto problem = format::CreateProblem(builder, p.M, p.N, p.K, p.alpha, p.beta);
    const auto source_file = builder.CreateString(recording.source().name);
    const auto source_text = builder.CreateString(recording.source().text);
    std::vector<SourceFile> others = recording.sources;
    others.erase(others.begin() + recording.body);
    const auto other_sources = make_tables<format::SourceFile>(builder, others, make_source);
    const auto device = make_device(builder, recording.device);
    const auto recorded_at = builder.CreateString(recording.recorded_at);
    Offset<format::Resources> resources;
    if (recording.resources)
        resources = make_resources(builder, *recording.resources);
    Offset<format::PlacedRun> placed;
    if (const auto& run = recording.placed) {
        const auto used = make_resources(builder, run->resources);
        placed = format::CreatePlacedRun(builder, used, run->plain_ms, run->placed_ms);
    }
    const auto arrays = make_tables<format::Array>(builder, recording.arrays, make_array);
    const auto lines = make_tables<format::LineTotals>(builder, recording.lines, make_line);
    const auto owner = make_owner_steps(builder, recording.owner);
    const auto placements = make_placements(builder, recording.placements);
    const auto blocks = make_tables<format::BlockTrace>(builder, recording.blocks, make_trace);
    Offset<format::AsExecuted> executed;
    if (recording.executed)
        executed = make_executed(builder, *recording.executed);
    const format::Index3 grid = to_format(recording.launch.grid), block = to_format(recording.launch.block);

    format::RecordingBuilder root(builder);
    root.add_stage(stage);
    root.add_parameters(parameters);
    root.add_problem(problem);
    root.add_grid(&grid);
    root.add_block(&block);
    root.add_source_file(source_file);
    root.add_source_text(source_text);
    root.add_device(device);
    root.add_recorded_at(recorded_at);
    root.add_resources(resources);
    root.add_arrays(arrays);
    root.add_lines(lines);
    root.add_owner_steps(owner);
    root.add_placements(placements);
    root.add_blocks(blocks);
    root.add_other_sources(other_sources);
    root.add_body(recording.body);
    root.add_inputs(static_cast<uint8_t>(recording.inputs));
    root.add_executed(executed);
    root.add_placed(placed);
    format::FinishRecordingBuffer(builder, root.Finish());
    return builder.Release();
}

} // namespace recording
