#include "ptx/trace.h"

#include "error.h"
#include "machine_code/elf.h"
#include "processor.h"
#include "ptx/file_launch.h"
#include "ptx/machine.h"
#include "ptx/machine_accesses.h"
#include "ptx/races.h"
#include "ptx/tensor_map.h"
#include "recording/disk.h"
#include "recording/format.h"
#include "traced/builder.h"
#include "traced/host_text.h"
#include "traced/launch.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <chrono>
#include <cstring>
#include <map>
#include <mutex>
#include <utility>

namespace ptx {

namespace {

constexpr std::size_t most_ptx_text = 3u << 20, most_variables = 64, most_arrays = 200;

// Limits for running a launch a second time: instructions of warps (some tenths of a second), bytes of its buffers.
constexpr uint64_t most_steps_again = 1'000'000, most_bytes_again = 64u << 20;

// Turns "_ZZ9transposePKfPfE4tile" into "tile".
std::string short_name(const std::string& symbol)
{
    std::string name = kernels::readable_name(symbol.c_str());
    if (const std::size_t scope = name.rfind("::"); scope != std::string::npos)
        name = name.substr(scope + 2);
    return name.empty() ? symbol : name;
}

// Reports at the start of each block how many blocks began before it.
struct BlockProgress {
    const OnProgress& told;
    std::mutex mutex = {};
    uint64_t begun = 0;
    void block_begins()
    {
        const std::lock_guard lock(mutex);
        told(begun++);
    }
};

// Receives the steps of the blocks that one core runs.
struct TraceSink {
    traced::Builder builder;
    std::optional<ExecutedSteps> executed; // records what the machine code does in these steps
    TileTraffic tiles;
    const std::vector<uint32_t>* numbers; // by statement: the number of its instruction
    BlockProgress* progress;
    uint64_t next_block = 0;

    void take(uint64_t block, uint32_t warp, traced::Step& step)
    {
        if (block >= next_block) {
            next_block = block + 1;
            progress->block_begins();
        }
        if (executed)
            executed->take(block, warp, step);
        step.instruction = (*numbers)[step.instruction - 1];
        tiles.take(step);
        builder.take(block, warp, step);
    }
    void join(TraceSink&& after)
    {
        builder.join(std::move(after.builder));
        if (executed)
            executed->join(*std::move(after.executed));
        tiles.join(after.tiles);
    }
};

// Runs a compiled kernel and makes its recording.
class Trace {
public:
    Trace(const traced::Request& request, const traced::UserKernel& kernel, const traced::CompiledKernel& compiled,
          FileLaunch launch)
        : request_(request), kernel_(kernel), compiled_(compiled), made_(std::move(launch))
    {
        for (const traced::Buffer& buffer : launch_.buffers)
            shown_.push_back(buffer.shown);
    }

    Traced run(const std::stop_token& stop, const OnProgress& told)
    {
        prepare();
        choose_output(stop);
        recording::Recording planned = describe();
        std::vector<recording::Index3> blocks = request_.blocks;
        if (blocks.empty())
            blocks.push_back({0, 0, 0});
        BlockProgress progress{told};
        const std::optional<ExecutedSteps> executed = code_->steps(planned, places_, blocks);
        const auto make = [&] { return TraceSink{{planned, places_, blocks}, executed, {}, &numbers_, &progress}; };
        Traced result;
        const auto begin = std::chrono::steady_clock::now();
        auto [outcome, sink] = run_watched(program_, machine_, regions_, make, stop);
        result.milliseconds =
            std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
        result.steps = outcome.steps;
        result.printed = outcome.printed;
        result.warnings = outcome.warnings;
        choose_recording(result, sink);
        finish(result, outcome, sink.tiles);
        keep_values(result, outcome, stop);
        for (std::size_t i = 0; i < launch_.buffers.size(); ++i) {
            result.after.push_back(traced::without_bytes(launch_.buffers[i]));
            result.after.back().bytes = std::move(regions_[i].bytes);
        }
        if (request_.check == "gemm")
            result.check = traced::check_gemm(request_, launch_, result.after, stop);
        result.before = std::move(made_.launch.buffers);
        return result;
    }

private:
    void prepare()
    {
        guess_rows();
        machine_ = {.extent = launch_.extent,
                    .dynamic_shared_bytes = launch_.dynamic_shared_bytes,
                    .arguments = made_.arguments.bytes,
                    .cluster = launch_.cluster,
                    .cooperative = made_.cooperative};
        if (request_.most_steps)
            machine_.most_steps = *request_.most_steps;
        regions_ = initial_regions();
        code_.emplace(compiled_, program_, request_.as_written);
    }

    // Shapes a buffer as an n x n matrix if it has one row of n * n elements and n is an argument of the kernel.
    void guess_rows()
    {
        for (std::size_t i = 0; i < launch_.buffers.size(); ++i) {
            traced::Buffer& buffer = made_.launch.buffers[i];
            for (const Parameter& parameter : program_.parameters) {
                uint64_t side = 0;
                if ((parameter.bytes == 4 || parameter.bytes == 8) &&
                    parameter.first + parameter.bytes <= made_.arguments.bytes.size())
                    std::memcpy(&side, made_.arguments.bytes.data() + parameter.first, parameter.bytes);
                if (buffer.rows != 1 || side < 2 || side > buffer.cols || side * side != buffer.cols)
                    continue;
                buffer.rows = buffer.cols = static_cast<uint32_t>(side);
                square_.push_back(i);
            }
        }
    }

    // Returns the memory before the launch. Buffers can be large, so only this copy and its source exist.
    std::vector<Region> initial_regions() const
    {
        std::vector<Region> regions;
        for (const traced::Buffer& buffer : launch_.buffers)
            regions.push_back({.name = buffer.name, .bytes = buffer.bytes, .writable = buffer.writable});
        for (Region& region : variable_regions(program_)) {
            region.name = short_name(region.name);
            regions.push_back(std::move(region));
        }
        return regions;
    }

    // Chooses the output: C, or the buffer that the first block stores most to. Marks what that block uses as shown.
    void choose_output(const std::stop_token& stop)
    {
        const auto is_c = [](const traced::Buffer& buffer) { return buffer.role == 'C'; };
        if (const auto c = std::ranges::find_if(launch_.buffers, is_c);
            c != launch_.buffers.end() && launch_.multiplies) {
            output_ = static_cast<std::size_t>(c - launch_.buffers.begin());
            return;
        }
        std::map<uint64_t, uint64_t> stores;
        MachineLaunch one = machine_;
        one.only_first_block = true;
        const Watch watch = [&](uint64_t, uint32_t, const traced::Step& step) {
            if (traced::in_global(step) && step.mask != 0)
                show(region_number(step.address[static_cast<std::size_t>(std::countr_zero(step.mask))]));
            if (step.op == recording::Op::global_store || step.op == recording::Op::global_atomic ||
                (step.op == recording::Op::bulk_store && step.space == recording::Space::global))
                for (uint32_t lane = 0; lane < 32; ++lane)
                    if ((step.mask >> lane & 1) != 0)
                        stores[(step.address[lane] - first_window) / window_bytes] += 1 + step.bytes / 4;
        };
        ptx::run(program_, one, regions_, watch, stop);
        regions_ = initial_regions();
        std::erase_if(stores, [this](const auto& one_of) { return one_of.first >= launch_.buffers.size(); });
        if (!stores.empty())
            output_ = std::ranges::max_element(stores, {}, [](const auto& one_of) { return one_of.second; })->first;
        else if (const auto last = std::ranges::find(shown_.rbegin(), shown_.rend(), true); last != shown_.rend())
            output_ = static_cast<std::size_t>(shown_.rend() - last) - 1;
    }

    void show(uint64_t region)
    {
        if (region < shown_.size() && !launch_.buffers[region].bytes.empty())
            shown_[region] = true;
    }

    // Returns whether the kernel uses the variable: the program then has its address as a constant. Headers declare
    // variables that the kernel does not use.
    bool uses_variable(std::size_t i) const
    {
        const uint64_t first = program_.variable_addresses[i];
        return !program_.variables[i].name.starts_with('$') && // a string literal, such as the format of a printf
               std::ranges::any_of(program_.constants, [&](const Program::Constant& constant) {
                   return constant.wide && constant.value - first <= program_.variables[i].bytes;
               });
    }

    void add_global(recording::Recording& planned)
    {
        planned.arrays.resize(3);
        planned.arrays[0].name = "A";
        planned.arrays[1].name = "B";
        planned.arrays[2] = {.name = "output", .rows = 1, .cols = 1, .bytes = 4};
        for (std::size_t i = 0; i < launch_.buffers.size(); ++i) {
            const traced::Buffer& buffer = launch_.buffers[i];
            if (output_ != i && (!shown_[i] || planned.arrays.size() >= most_arrays))
                continue;
            std::size_t to = planned.arrays.size();
            if (output_ == i)
                to = 2;
            else if (launch_.multiplies && (buffer.role == 'A' || buffer.role == 'B'))
                to = buffer.role == 'A' ? 0 : 1;
            if (to == planned.arrays.size())
                planned.arrays.emplace_back();
            planned.arrays[to] = traced::array_of(buffer);
            if (std::ranges::find(square_, i) != square_.end())
                guessed_squares_.push_back(static_cast<uint8_t>(to));
            places_.push_back({global_address(i), to});
        }
        for (std::size_t i = 0; i < std::min(program_.variables.size(), most_variables); ++i) {
            const Region& region = regions_[launch_.buffers.size() + i];
            if (region.bytes.empty() || program_.variables[i].space == Space::constant || !uses_variable(i))
                continue;
            const uint64_t bytes = region.bytes.size();
            places_.push_back({global_address(launch_.buffers.size() + i), planned.arrays.size()});
            const uint32_t element = bytes % 4 == 0 ? 4 : 1;
            planned.arrays.push_back({.name = region.name,
                                      .rows = 1,
                                      .cols = static_cast<uint32_t>(bytes / element),
                                      .element_bytes = element,
                                      .bytes = bytes});
        }
    }

    // Returns the constants of the source, with the values that the name of the kernel gives its template parameters.
    traced::Names names_in_kernel() const
    {
        traced::Names names = names_;
        const std::size_t open = kernel_.kernel.find('<');
        if (open == std::string::npos)
            return names;
        const std::vector<std::string> values = traced::split_at_commas(
            std::string_view(kernel_.kernel).substr(open + 1, kernel_.kernel.rfind('>') - open - 1));
        for (std::size_t i = 0; i < std::min(values.size(), written_.template_parameters.size()); ++i)
            try {
                names[written_.template_parameters[i]] = traced::evaluate(values[i], names_, "a template argument");
            } catch (const kernels::Error&) { // the argument is a type
            }
        return traced::constants_in(kernel_.text, std::move(names)); // such as constexpr int rows = BM / 4;
    }

    // Sets the shape that the source declares. Returns false if the source does not declare one.
    bool shape_as_written(recording::Array& array) const
    {
        const auto declared = shared_written_.find(array.name);
        if (declared == shared_written_.end() || declared->second.extents.empty())
            return false;
        uint64_t count = 1, last = 1;
        try {
            for (const std::string& extent : declared->second.extents) {
                if (extent.empty())
                    return false;
                last = static_cast<uint64_t>(
                    std::max<int64_t>(0, traced::evaluate(extent, names_in_kernel(), array.name)));
                count *= last;
            }
        } catch (const kernels::Error&) {
            return false;
        }
        if (count == 0 || array.bytes % count != 0 || array.bytes / count > 16)
            return false;
        array.element_bytes = static_cast<uint32_t>(array.bytes / count);
        array.cols = static_cast<uint32_t>(last);
        array.rows = static_cast<uint32_t>(count / last);
        return true;
    }

    void add_shared(recording::Recording& planned)
    {
        shared_written_ = traced::shared_arrays_in(kernel_.text, written_.line);
        for (const Placed& placed : program_.shared) {
            const uint64_t bytes = placed.dynamic ? launch_.dynamic_shared_bytes : placed.bytes;
            if (bytes == 0 || planned.arrays.size() >= 250)
                continue;
            recording::Array array{.name = short_name(placed.name),
                                   .space = recording::Space::shared,
                                   .rows = 1,
                                   .cols = static_cast<uint32_t>(bytes),
                                   .element_bytes = 1,
                                   .bytes = bytes};
            if (!shape_as_written(array))
                guessed_.push_back(planned.arrays.size());
            places_.push_back({placed.first, planned.arrays.size()});
            planned.arrays.push_back(std::move(array));
        }
    }

    recording::Recording describe()
    {
        recording::Recording planned;
        planned.stage = kernel_.kernel;
        planned.launch = launch_.extent;
        planned.sources = {{kernel_.file.filename().string(), traced::shown_text(kernel_.text)}};
        if (compiled_.ptx.size() <= most_ptx_text)
            planned.sources.push_back({kernel_.file.stem().string() + ".ptx", traced::shown_text(compiled_.ptx)});
        planned.device.backend = "cpu";
        planned.device.name = kernels::processor_name();
        planned.device.toolkit = compiled_.compiler + ", its PTX executed";
        planned.recorded_at = recording::utc_now();
        const auto shared = static_cast<uint32_t>(launch_.dynamic_shared_bytes > 0
                                                      ? program_.dynamic_first + launch_.dynamic_shared_bytes
                                                      : program_.shared_bytes);
        if (compiled_.registers > 0)
            planned.resources = recording::Resources{
                .registers_per_thread = compiled_.registers,
                .shared_bytes_per_block = shared,
                .local_bytes_per_thread = compiled_.local_bytes,
                .blocks_per_sm = blocks_per_sm(launch_.extent.warps_per_block(), compiled_.registers, shared)};
        add_global(planned);
        add_shared(planned);
        planned.problem = launch_.problem;
        if (made_.by_host_program.empty() && launch_.multiplies &&
            std::ranges::all_of(launch_.buffers, [](const traced::Buffer& buffer) {
                return buffer.role == '\0' || buffer.type == "float";
            }))
            planned.inputs = recording::Inputs::random; // views can compute these values
        planned.executed =
            recording::InstructionTrace{.kernel = kernel_.kernel, .language = "PTX", .multiplies = launch_.multiplies};
        if (!launch_.multiplies)
            planned.problem = {.M = planned.arrays[2].rows, .N = planned.arrays[2].cols, .K = 1};
        if (code_->one_to_one())
            numbers_ = code_->list(*planned.executed);
        else
            number_statements(*planned.executed);
        return planned;
    }

    void choose_recording(Traced& result, TraceSink& sink)
    {
        result.recording = sink.builder.finish();
        result.written = result.recording.totals();
        std::string why_written = code_->why_written();
        if (sink.executed && why_written.empty())
            why_written = sink.executed->doubt();
        if (sink.executed && why_written.empty())
            result.recording = sink.executed->finish();
        std::vector<std::string>& notes = result.recording.executed->notes;
        notes.insert(notes.begin(), note_on_accesses(why_written));
    }

    // Numbers the statements other than arithmetic and branches, by line. All calls of a function share its numbers.
    void number_statements(recording::InstructionTrace& executed)
    {
        std::map<uint32_t, const Statement*> by_line;
        for (const Instruction& instruction : program_.instructions)
            if (instruction.kind != Kind::arithmetic && instruction.kind != Kind::nop &&
                instruction.kind != Kind::branch && instruction.kind != Kind::exit) {
                const Statement& statement = program_.statements[instruction.statement];
                by_line.emplace(statement.line, &statement);
            }
        std::map<uint32_t, uint32_t> numbers;
        for (const auto& [line, statement] : by_line) {
            executed.instructions.push_back(
                {traced::shown_text(traced::with_short_lists(statement->text)).substr(0, 200), line,
                 statement->source_line});
            numbers[line] = static_cast<uint32_t>(executed.instructions.size());
        }
        for (const Statement& statement : program_.statements) {
            const auto found = numbers.find(statement.line);
            numbers_.push_back(found == numbers.end() ? 0 : found->second);
        }
    }

    // Sets the shape of an array that boxes of one kind fill. Its rows are the rows of all boxes, one box below
    // another, and are swizzled as by the copies. Returns false for other arrays.
    bool shape_of_boxes(recording::Array& array, std::size_t number, const Outcome& outcome) const
    {
        const uint64_t first = std::ranges::find(places_, number, &traced::Place::array)->first;
        auto one = outcome.tiles.lower_bound(first);
        const auto end = outcome.tiles.lower_bound(first + array.bytes);
        if (one == end)
            return false;
        const TensorMap map = one->second;
        const uint64_t row_bytes = uint64_t{map.box[0]} * map.element_bytes;
        for (; one != end; ++one)
            if (one->second.box != map.box || one->second.swizzle != map.swizzle ||
                one->second.element_bytes != map.element_bytes || (one->first - first) % map.box_bytes() != 0)
                return false;
        if (array.bytes % row_bytes != 0)
            return false;
        array.element_bytes = map.element_bytes;
        array.cols = map.box[0];
        array.rows = static_cast<uint32_t>(array.bytes / row_bytes);
        array.pitch = 0;
        array.layout.clear();
        if (map.swizzle == 0)
            return true;
        for (uint64_t at = first; at < first + array.bytes; at += map.element_bytes)
            array.layout.push_back(static_cast<uint32_t>(swizzled(at, map.swizzle) - first));
        return true;
    }

    // Returns the contents of the buffers after a run with the blocks in reverse order. Returns nothing if there is
    // only one block, if the run takes long or fails, or if blocks wait for one another.
    std::optional<std::vector<Region>> run_again(const Outcome& outcome, const std::stop_token& stop) const
    {
        uint64_t bytes = 0;
        for (const Region& region : regions_)
            bytes += region.bytes.size();
        if (launch_.extent.grid.volume() < 2 || outcome.steps > most_steps_again || bytes > most_bytes_again ||
            program_.synchronizes_blocks)
            return {};
        MachineLaunch reversed = machine_;
        reversed.last_block_first = true;
        reversed.most_steps = std::min(reversed.most_steps, most_steps_again);
        std::vector<Region> regions = initial_regions();
        try {
            ptx::run(
                program_, reversed, regions, [](uint64_t, uint32_t, const traced::Step&) {}, stop);
        } catch (const kernels::Cancelled&) {
            throw;
        } catch (const kernels::Error&) {
            return {};
        }
        return regions;
    }

    void keep_values(Traced& result, const Outcome& outcome, const std::stop_token& stop) const
    {
        const std::optional<std::vector<Region>> again = run_again(outcome, stop);
        recording::InstructionTrace& executed = *result.recording.executed;
        std::size_t left = recording::most_value_bytes_together;
        const std::vector<Region> before = variable_regions(program_);
        for (const auto& [first, array] : places_) {
            if (first < first_window)
                continue;
            const uint64_t region = region_number(first), buffers = launch_.buffers.size();
            const auto& held = region < buffers ? launch_.buffers[region].bytes : before[region - buffers].bytes;
            const std::size_t count = std::min({held.size(), recording::most_value_bytes, left});
            left -= count;
            const auto kept = [count](const std::vector<std::byte>& bytes) {
                const auto* const from = reinterpret_cast<const uint8_t*>(bytes.data());
                return std::vector<uint8_t>(from, from + count);
            };
            recording::Values values{.array = static_cast<uint32_t>(array),
                                     .type = region < buffers ? launch_.buffers[region].type : "",
                                     .before = kept(held),
                                     .after = kept(regions_[region].bytes),
                                     .ran_again = again.has_value()};
            if (again)
                values.again = kept((*again)[region].bytes);
            if (values.again == values.after)
                values.again.clear();
            if (values.after == values.before && values.again.empty())
                values.after.clear();
            if (again && regions_[region].bytes != (*again)[region].bytes)
                executed.notes.push_back(
                    fmt::format("A second run with the blocks in reverse order leaves other values in {}: the result "
                                "depends on the order of the blocks. gemmscope info FILE --values {} shows where.",
                                result.recording.arrays[array].name, result.recording.arrays[array].name));
            if (count > 0)
                executed.values.push_back(std::move(values));
        }
        std::ranges::sort(executed.values, {}, &recording::Values::array);
    }

    void finish(Traced& result, const Outcome& outcome, const TileTraffic& tiles)
    {
        recording::Recording& recording = result.recording;
        std::vector<std::string>& notes = recording.executed->notes;
        std::vector<uint8_t>& guessed = recording.executed->guessed;
        guessed = guessed_squares_;
        for (const uint8_t array : guessed_squares_)
            notes.push_back(fmt::format("The rows of {} are guessed: {} x {} elements, as the kernel is given {}.",
                                        recording.arrays[array].name, recording.arrays[array].rows,
                                        recording.arrays[array].cols, recording.arrays[array].cols));
        for (const std::size_t array : guessed_) {
            if (shape_of_boxes(recording.arrays[array], array, outcome)) {
                notes.push_back(fmt::format(
                    "The rows of {} in shared memory are those of the boxes that a tensor map copies to it.",
                    recording.arrays[array].name));
                continue;
            }
            traced::guess_shape(recording.arrays[array], array, recording.blocks);
            guessed.push_back(static_cast<uint8_t>(array));
            notes.push_back(fmt::format(
                "The rows of {} in shared memory are guessed from its accesses: elements of {} byte{}, {} in a row.",
                recording.arrays[array].name, recording.arrays[array].element_bytes,
                recording.arrays[array].element_bytes == 1 ? "" : "s", recording.arrays[array].cols));
        }
        if (!program_.approximate.empty())
            notes.push_back(fmt::format("PTX leaves the last bits of {} open; here they are the processor's.",
                                        fmt::join(program_.approximate, ", ")));
        if (recording.resources)
            notes.emplace_back(
                "Registers are those that the assembler gives a thread for sm_90, and the blocks on an SM what follows "
                "from them on an H200.");
        if (const recording::Index3& cluster = outcome.cluster; cluster.volume() > 1)
            notes.push_back(fmt::format("Blocks run in clusters of {} x {} x {}.{}", cluster.x, cluster.y, cluster.z,
                                        outcome.between_blocks == 0
                                            ? ""
                                            : fmt::format(" {} instructions of warps reach shared memory of other "
                                                          "blocks of theirs; no step of the recording shows them.",
                                                          outcome.between_blocks)));
        if (outcome.together)
            notes.emplace_back("All blocks of the grid run together, as in a cooperative launch. The accesses by which "
                               "they wait at its barrier are not shown and not counted.");
        if (outcome.textures > 0)
            notes.push_back(
                fmt::format("{} instructions of warps read textures, or read or write surfaces. No step of the "
                            "recording shows them; a filter's weights have 8 bits below the point.",
                            outcome.textures));
        if (const LocalTraffic& local = outcome.local; local.loads + local.stores > 0)
            notes.push_back(
                fmt::format("Local memory, which is global memory behind L1, holds arrays whose index differs "
                            "by thread, and the arguments of printf and of functions that are not inlined: "
                            "{} loads and {} stores of warps, {} bytes. No step of the recording shows them.",
                            local.loads, local.stores, local.bytes));
        tiles.write(notes);
        if (!made_.by_host_program.empty())
            notes.push_back(made_.by_host_program);
        else
            for (const std::string& note : traced::notes_of_launches(kernel_.host_text(), outcome.cluster.volume() > 1))
                if (!outcome.together || note.find("launches cooperatively") == std::string::npos)
                    notes.push_back(note);
        if (!outcome.printed.empty() && made_.by_host_program.empty())
            notes.emplace_back("What the kernel prints is left out.");
        std::ranges::sort(guessed);
        notes.insert(notes.end(), outcome.warnings.begin(), outcome.warnings.end());
        notes.insert(notes.end(), outcome.remarks.begin(), outcome.remarks.end());
        if (notes.size() > 60)
            notes.resize(60);
        recording.executed->races = races_in_arrays(outcome.races, places_, recording.arrays);
    }

    const traced::Request& request_;
    const traced::UserKernel& kernel_;
    const traced::CompiledKernel& compiled_;
    FileLaunch made_;
    const traced::WrittenKernel& written_ = made_.written;
    const traced::Names& names_ = made_.names;
    const Program& program_ = made_.program;
    const traced::PreparedLaunch& launch_ = made_.launch;
    MachineLaunch machine_;
    std::vector<Region> regions_;
    std::vector<traced::Place> places_;
    std::optional<std::size_t> output_;
    std::map<std::string, traced::WrittenArray> shared_written_;
    std::vector<std::size_t> guessed_;     // shared arrays whose shape is guessed
    std::vector<std::size_t> square_;      // buffers whose rows are guessed
    std::vector<uint8_t> guessed_squares_; // the arrays of these buffers
    std::vector<uint32_t> numbers_;        // by statement: the number of its instruction
    std::vector<bool> shown_;              // by buffer: whether it is an array of the recording
    std::optional<ExecutedCode> code_;
};

} // namespace

Traced trace(const traced::Request& request, const traced::UserKernel& kernel, const traced::CompiledKernel& compiled,
             const std::stop_token& stop, const OnProgress& told)
{
    return trace(request, kernel, compiled, file_launch(request, kernel, compiled), stop, told);
}

Traced trace(const traced::Request& request, const traced::UserKernel& kernel, const traced::CompiledKernel& compiled,
             FileLaunch launch, const std::stop_token& stop, const OnProgress& told)
{
    return Trace(request, kernel, compiled, std::move(launch)).run(stop, told);
}

} // namespace ptx
