#include "injection/executed_recording.h"

#include "injection/traced_memory.h"
#include "injection/traced_program.h"
#include "model/access_cost.h"
#include "recording/disk.h"
#include "recording/format.h"
#include "traced/builder.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <set>

namespace injection {

namespace {

using recording::Array;
using recording::MachineInstruction;
using recording::Op;
using recording::Recording;
using traced::Step;

// Maps addresses of the code to numbers of instructions, counted from 1. Instructions of called functions outside the
// kernel come after its end, in ascending order of address.
class Instructions {
public:
    Instructions(const RawTrace& trace, const std::vector<MachineInstruction>& code) : code_(code)
    {
        std::set<uint64_t> called;
        for (const InstructionTotals& totals : trace.totals)
            if (inside(trace, totals.pc))
                known_[totals.pc] = 0;
            else
                called.insert(totals.pc);
        for (auto& [pc, number] : known_) {
            const auto address = static_cast<uint32_t>(pc - trace.pc);
            const auto at = std::ranges::lower_bound(code_, address, {}, &MachineInstruction::address);
            if (at == code_.end() || at->address != address)
                code_.insert(at, {.text = "", .address = address, .line = 0});
        }
        for (auto& [pc, number] : known_)
            number = 1 + static_cast<uint32_t>(std::ranges::lower_bound(code_, static_cast<uint32_t>(pc - trace.pc), {},
                                                                        &MachineInstruction::address) -
                                               code_.begin());
        auto address = static_cast<uint32_t>(trace.code_bytes);
        for (const uint64_t pc : called) {
            code_.push_back({.text = fmt::format("in a function that is called, at {:#x}", pc), .address = address});
            address += 16;
            known_[pc] = static_cast<uint32_t>(code_.size());
        }
    }

    uint32_t number_of(uint64_t pc) const
    {
        const auto place = known_.find(pc);
        return place == known_.end() ? 0 : place->second;
    }
    const std::vector<MachineInstruction>& code() const { return code_; }

private:
    static bool inside(const RawTrace& trace, uint64_t pc) { return pc - trace.pc < trace.code_bytes; }

    std::vector<MachineInstruction> code_;
    std::map<uint64_t, uint32_t> known_; // by pc
};

// The text that a recording shows as the kernel's source, and the line in it of each instruction.
struct Source {
    std::vector<recording::SourceFile> files; // the lines are in the first file
    std::vector<uint32_t> lines;              // by number of the instruction, from 1; entry 0 is not used
};

// Lists the instructions, one in each line, below a title line.
recording::SourceFile listing(const RawTrace& trace, const std::vector<MachineInstruction>& code)
{
    std::string text = fmt::format("// {}, machine code of sm_{}\n", trace.name, trace.device.compute_capability);
    for (const MachineInstruction& instruction : code)
        text += fmt::format("{:05x}  {}\n", instruction.address, instruction.text);
    return {short_name(trace.name, 40) + ".sass", std::move(text)};
}

std::optional<std::string> text_of(const std::string& file)
{
    std::string text = recording::content_of(file, recording::largest_source);
    const bool plain = std::ranges::none_of(text, [](char c) { // other text is not source code
        return static_cast<unsigned char>(c) >= 0x7f ||
               (static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t' && c != '\r' && c != '\f');
    });
    return plain && !text.empty() ? std::optional(std::move(text)) : std::nullopt;
}

// Returns the file of most of the code that was not inlined.
std::optional<std::size_t> main_file(const cuda::SourceRows& rows)
{
    std::map<std::size_t, std::size_t> count;
    for (const cuda::SourceRow& row : rows.rows)
        count[row.file] += row.called_from == 0 && row.file < rows.files.size();
    const auto most = std::ranges::max_element(count, {}, [](const auto& file) { return file.second; });
    return most == count.end() || most->second == 0 ? std::nullopt : std::optional(most->first);
}

// Returns the main file of the code, or the file with the known source's name.
std::optional<std::size_t> file_of(const cuda::SourceRows& rows, const recording::SourceFile* known)
{
    if (known == nullptr)
        return main_file(rows);
    for (std::size_t i = 0; i < rows.files.size(); ++i)
        if (std::filesystem::path(rows.files[i]).filename() == known->name)
            return i;
    return std::nullopt;
}

// Finds the source and the lines. An instruction without a line in the file gets the line of the instruction before it.
Source source_of(const RawTrace& trace, const std::vector<MachineInstruction>& code, const cuda::SourceRows& rows,
                 const recording::SourceFile* known)
{
    Source source{.files = {}, .lines = {0}};
    const std::optional<std::size_t> file = file_of(rows, known);
    const std::optional<std::string> text = !file   ? std::nullopt
                                            : known ? std::optional(known->text)
                                                    : text_of(rows.files[*file]);
    if (!text) {
        source.files = {listing(trace, code)};
        for (uint32_t line = 2; line < code.size() + 2; ++line)
            source.lines.push_back(line);
        return source;
    }
    source.files = {{std::filesystem::path(rows.files[*file]).filename().string(), *text}, listing(trace, code)};
    const auto last = static_cast<uint32_t>(std::ranges::count(*text, '\n') + (text->back() != '\n'));
    uint32_t line = 1;
    for (const MachineInstruction& instruction : code) {
        if (const uint32_t own = line_at(rows, instruction.address, *file); own != 0)
            line = std::min(own, last); // the file may have changed since compilation
        source.lines.push_back(line);
    }
    return source;
}

class Barriers { // numbers of mbarriers, by their address
public:
    uint32_t number_of(uint64_t address)
    {
        return numbers_.emplace(address, static_cast<uint32_t>(numbers_.size())).first->second;
    }

private:
    std::map<uint64_t, uint32_t> numbers_;
};

std::optional<Op> access_op(Byte4 flags, Op load, Op store, Op atomic)
{
    switch (flags & (flag_read | flag_write)) {
    case flag_read: return load;
    case flag_write: return store;
    case flag_read | flag_write: return atomic;
    default: return std::nullopt;
    }
}

// Returns the operation of an event, or nothing if recordings have none. executed_recording() then adds a note.
std::optional<Op> op_of(const Event& event, uint32_t threads_per_block)
{
    switch (event.kind) {
    case EventKind::global_access: return access_op(event.flags, Op::global_load, Op::global_store, Op::global_atomic);
    case EventKind::shared_access: return access_op(event.flags, Op::shared_load, Op::shared_store, Op::shared_atomic);
    case EventKind::matrix_access: return access_op(event.flags, Op::matrix_load, Op::matrix_store, Op::matrix_store);
    case EventKind::copy_read: return Op::async_load;
    case EventKind::copy_write: return Op::async_store;
    case EventKind::copy_commit: return Op::async_commit;
    case EventKind::copy_wait: return Op::async_wait;
    case EventKind::barrier:
        if (event.size == 0 || event.size >= threads_per_block)
            return Op::barrier;
        return std::nullopt;
    case EventKind::mbarrier_arrive: return Op::arrive;
    case EventKind::mbarrier_wait: return Op::wait;
    case EventKind::warpgroup_multiply: return Op::matrix_multiply;
    default: return std::nullopt;
    }
}

std::string_view left_out(EventKind kind)
{
    switch (kind) {
    case EventKind::remote_shared_access: return "accesses to another block's shared memory";
    case EventKind::barrier: return "barriers of a part of the block";
    case EventKind::shuffle: return "shuffles";
    case EventKind::warpgroup_wait: return "waits for wgmma";
    case EventKind::bulk_read:
    case EventKind::bulk_write: return "bulk copies";
    default: return "other steps";
    }
}

uint64_t address_of(const Event& event, unsigned lane)
{
    return in_global(event.kind) ? event.address[lane] : event.address[lane] & shared_offset_bits;
}

class Conversion {
public:
    Conversion(const RawTrace& trace, const Source& source) : trace_(trace), source_(source) {}

    std::optional<Step> step(const Event& event, uint32_t instruction)
    {
        const std::optional<Op> op = op_of(event, trace_.launch.threads_per_block());
        if (!op) {
            left_out_.insert(left_out(event.kind));
            return std::nullopt;
        }
        Step step{.op = *op, .line = source_.lines[instruction], .instruction = instruction, .mask = event.mask};
        const bool has_width = in_global(event.kind) || in_shared(event.kind) || event.kind == EventKind::copy_write ||
                               event.kind == EventKind::copy_wait;
        step.width = static_cast<uint8_t>(has_width ? std::min(event.size, 255u) : 0);
        const bool numbered = *op == Op::arrive || *op == Op::wait;
        for (unsigned lane = 0; lane < lanes; ++lane)
            if (event.mask >> lane & 1)
                step.address[lane] = numbered    ? std::min(barriers_.number_of(event.address[lane]), 255u)
                                     : has_width ? address_of(event, lane)
                                                 : 0;
        return step;
    }

    const std::set<std::string_view>& left_out_kinds() const { return left_out_; }

private:
    const RawTrace& trace_;
    const Source& source_;
    Barriers barriers_;
    std::set<std::string_view> left_out_;
};

void add_atomic(recording::Totals& totals, const InstructionTotals& counted, const MachineInstruction& instruction)
{
    const bool shared = in_shared(counted.kind);
    (shared ? totals.shared_atomic : totals.global_atomic) +=
        {counted.executed, counted.lanes_active, counted.wavefronts};
    const recording::AtomicRule rule =
        recording::atomic_rule(shared ? Op::shared_atomic : Op::global_atomic,
                               static_cast<int>(std::min(counted.size, 255u)), instruction.text);
    if (!shared && rule == recording::AtomicRule::sectors)
        totals.global_atomic_cost += {counted.executed, counted.sectors};
    const model::AtomicWavefronts sums{counted.executed, counted.sectors, counted.groups};
    if (const auto cost = model::shared_atomics(rule, sums); shared && cost)
        totals.shared_atomic_cost += *cost;
}

void add(recording::Totals& totals, const InstructionTotals& counted, const MachineInstruction& instruction)
{
    const bool loads = (counted.flags & (flag_read | flag_write)) == flag_read;
    const bool stores = (counted.flags & (flag_read | flag_write)) == flag_write;
    if (!loads && !stores && counted.wavefronts > 0)
        add_atomic(totals, counted, instruction);
    if (in_shared(counted.kind) && (loads || stores))
        (loads ? totals.shared_load : totals.shared_store) +=
            {counted.executed, counted.wavefronts, counted.wavefronts - counted.groups};
    if (in_global(counted.kind) && (loads || stores))
        (loads ? totals.global_load : totals.global_store) += {counted.executed, counted.sectors};
}

// Returns the totals by line over the whole launch, as counted on the GPU.
std::vector<recording::LineTotals> lines_of(const RawTrace& trace, const Instructions& instructions,
                                            const Source& source)
{
    std::map<uint32_t, recording::Totals> lines;
    for (const InstructionTotals& counted : trace.totals)
        if (const uint32_t number = instructions.number_of(counted.pc); number > 0) {
            recording::Totals totals;
            add(totals, counted, instructions.code()[number - 1]);
            if (totals != recording::Totals{})
                lines[source.lines[number]] += totals;
        }
    std::vector<recording::LineTotals> result;
    for (const auto& [line, totals] : lines)
        result.push_back({line, totals});
    return result;
}

std::vector<recording::Placement> placements_of(const RawTrace& trace)
{
    uint64_t first = UINT64_MAX;
    for (const BlockRun& run : trace.runs)
        if (run.end_ns != 0)
            first = std::min<uint64_t>(first, run.start_ns);
    std::vector<recording::Placement> result;
    for (const BlockRun& run : trace.runs) {
        if (run.end_ns < run.start_ns || run.start_ns < first)
            // The end of the block was not recorded: the block ended in a way that has no patch.
            return {};
        result.push_back({run.sm, run.start_ns - first, run.end_ns - first});
    }
    return result;
}

// Keeps what each array in global memory held before and after the launch.
void keep_values(Recording& recording, const Memory& memory, const RawTrace& trace)
{
    recording::InstructionTrace& executed = *recording.executed;
    std::size_t left = recording::most_value_bytes_together;
    std::vector<std::string> missing;
    for (const auto& [first, number] : memory.places) {
        const Array& array = recording.arrays[number];
        if (array.space != recording::Space::global)
            continue;
        const auto holds = [first = first](const KeptMemory& one) { return first - one.address < one.before.size(); };
        const auto kept = std::ranges::find_if(trace.kept, holds);
        if (kept == trace.kept.end() || left == 0) {
            missing.push_back(array.name);
            continue;
        }
        const uint64_t from = first - kept->address;
        const uint64_t count =
            std::min({array.bytes, kept->before.size() - from, uint64_t{recording::most_value_bytes}, uint64_t{left}});
        left -= count;
        const auto part = [&](const std::vector<uint8_t>& bytes) {
            const auto begin = bytes.begin() + static_cast<std::ptrdiff_t>(from);
            return std::vector<uint8_t>(begin, begin + static_cast<std::ptrdiff_t>(count));
        };
        const auto type = memory.types.find(number);
        recording::Values values{.array = static_cast<uint32_t>(number),
                                 .type = type != memory.types.end() ? type->second : "",
                                 .before = part(kept->before),
                                 .after = part(kept->after)};
        if (values.after == values.before)
            values.after.clear();
        executed.values.push_back(std::move(values));
    }
    std::ranges::sort(executed.values, {}, &recording::Values::array);
    const std::string unknown = "No instruction that is seen touches it, or its allocation was not seen.";
    if (!missing.empty())
        executed.notes.push_back(fmt::format("What {} held before and after the launch is not kept. {}{}",
                                             fmt::join(missing, ", "), fmt::join(trace.not_kept, " "),
                                             trace.not_kept.empty() ? unknown : ""));
}

} // namespace

Recording executed_recording(const RawTrace& trace, const KernelCode& code, const std::optional<KnownLaunch>& known,
                             const recording::SourceFile* compiled)
{
    const Instructions instructions(trace, code.instructions);
    const Source source = source_of(trace, instructions.code(), code.lines, known ? &known->source : compiled);
    const Memory memory =
        known ? memory_of(trace, *known) : memory_of(trace, pointers_of(trace, source.files.front().text));
    const Array& output = memory.arrays[2];
    const bool multiplies = known && known->multiplies;
    Recording planned{.stage = known ? known->kernel : short_name(trace.name),
                      .problem =
                          multiplies ? known->problem : recording::Problem{.M = output.rows, .N = output.cols, .K = 1},
                      .launch = trace.launch,
                      .device = trace.device,
                      .recorded_at = recording::utc_now(),
                      .resources = trace.resources};
    planned.arrays = memory.arrays;
    planned.executed = recording::InstructionTrace{
        .kernel = short_name(trace.name, 200), .language = "SASS", .multiplies = multiplies};
    std::vector<MachineInstruction> listed = instructions.code();
    for (std::size_t i = 0; i < listed.size(); ++i)
        listed[i].line = source.lines[i + 1];
    planned.sources = source.files;
    planned.executed->instructions = std::move(listed);

    std::vector<recording::Index3> whole;
    for (const TracedBlock& block : trace.blocks)
        if (block.whole())
            whole.push_back(trace.launch.grid.place_of(block.block));
        else
            planned.executed->notes.push_back(fmt::format(
                "Block number {} made {} steps, more than the GPU's memory that tracing could have; it is left out.",
                block.block, block.wanted));
    traced::Builder builder(std::move(planned), memory.places, whole);
    Conversion conversion(trace, source);
    for (const TracedBlock& block : trace.blocks)
        for (const Event& event : block.events)
            if (const auto step = conversion.step(event, instructions.number_of(event.pc)); block.whole() && step)
                builder.take(block.block, event.warp, *step);
    const uint64_t elsewhere = builder.elsewhere();
    Recording result = builder.finish();
    result.lines = lines_of(trace, instructions, source);
    result.placements = placements_of(trace);
    keep_values(result, memory, trace);
    std::vector<std::string>& notes = result.executed->notes;
    for (const std::string_view kind : conversion.left_out_kinds())
        notes.push_back(fmt::format("Left out: {}.", kind));
    if (elsewhere > 0)
        notes.push_back(fmt::format("{} steps touched memory outside of what was taken for buffers.", elsewhere));
    if (trace.resources.local_bytes_per_thread > 0)
        notes.push_back(fmt::format("Left out: accesses to local memory, of which a thread has {} bytes.",
                                    trace.resources.local_bytes_per_thread));
    if (trace.lost > 0)
        notes.push_back(fmt::format("The totals miss {} steps: the kernel has too many instructions.", trace.lost));
    return result;
}

} // namespace injection
