#include "recording/check.h"

#include "recording/format.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <set>
#include <string_view>

namespace recording {

namespace {

bool takes_part(const Access& access, size_t lane)
{
    return (access.mask >> lane & 1) != 0;
}

// Checks an operation that accesses no memory. `largest` is the largest allowed offset of a lane.
void check_bare(const Access& access, uint32_t largest, const Place& at)
{
    require(access.array == 0, at, "is a {} with an array", name(access.op));
    require(access.width == 0 || access.op == Op::async_wait, at, "is a {} with a width", name(access.op));
    for (size_t lane = 0; lane < warp_size; ++lane) {
        if (largest == 0)
            require(access.offset[lane] == 0, at, "is a {} with an address", name(access.op));
        else if (takes_part(access, lane))
            require(access.offset[lane] <= largest, at, "has {} in lane {}, more than {}", access.offset[lane], lane,
                    largest);
    }
}

// Checks that the array has `bytes` bytes at each lane's offset, and that the offset is a multiple of `aligned`.
void check_offsets(const Access& access, const Array& array, uint32_t bytes, uint32_t aligned, const Place& at)
{
    for (size_t lane = 0; lane < warp_size; ++lane) {
        const uint32_t offset = access.offset[lane];
        if (!takes_part(access, lane))
            continue;
        require(uint64_t{offset} + bytes <= array.bytes, at, "leaves array {} in lane {}", array.name, lane);
        require(offset % aligned == 0, at, "is not aligned to its {} bytes in lane {}", aligned, lane);
    }
}

void check_space(const Access& access, const Array& array, const Place& at)
{
    Space space = array.space; // WMMA loads and stores access either space
    switch (access.op) {
    case Op::global_load:
    case Op::global_store:
    case Op::async_load:
    case Op::global_atomic: space = Space::global; break;
    case Op::bulk_load:
    case Op::bulk_store: // bulk copies go in either direction
    case Op::tile_load:
    case Op::tile_store: break;
    default: space = Space::shared;
    }
    require(array.space == space, at, "is to array {} in the wrong space", array.name);
}

void check_addresses(const Access& access, const std::vector<Array>& arrays, const Place& at)
{
    require(access.array < arrays.size(), at, "is to array {} of {}", access.array, arrays.size());
    const Array& array = arrays[access.array];
    check_space(access, array, at);
    switch (access.op) {
    case Op::matrix_load:
    case Op::matrix_store:
        require(access.width == 16, at, "is a {} of {} bytes", name(access.op), access.width);
        return check_offsets(access, array, 16, 16, at);
    case Op::tile_load:
    case Op::tile_store:
        require(access.width > 0, at, "is {} bytes wide", access.width);
        return check_offsets(access, array, access.width, array.element_bytes, at);
    case Op::bulk_load:
    case Op::bulk_store:
        require(std::popcount(access.mask) <= 1, at, "is a {} of several lanes", name(access.op));
        return check_offsets(access, array, 1, 1, at);
    case Op::matrix_multiply: return check_offsets(access, array, 1, 1, at);
    default:
        require(std::has_single_bit(access.width) && access.width <= 16 &&
                    (access.width >= 4 || (access.op != Op::async_load && access.op != Op::async_store)),
                at, "is {} bytes wide", access.width);
        return check_offsets(access, array, access.width, access.width, at);
    }
}

} // namespace

void check_access(const Access& access, const std::vector<Array>& arrays, const Place& at)
{
    const auto kind = static_cast<int>(access.op);
    require(kind < op_count && access.op != Op::constant_load, at, "is of unknown kind {}", kind);
    require(access.transposed == Transposed::unknown ||
                (access.op == Op::matrix_load && access.transposed <= Transposed::yes),
            at, "says {} of its transposition", static_cast<int>(access.transposed));
    for (size_t lane = 0; lane < warp_size; ++lane)
        require(takes_part(access, lane) || access.offset[lane] == 0, at,
                "has an address for lane {}, which took no part", lane);
    if (has_addresses(access))
        return check_addresses(access, arrays, at);
    const bool numbered = access.op == Op::arrive || access.op == Op::wait;
    check_bare(access, access.op == Op::shuffle ? warp_size - 1 : numbered ? barrier_limit - 1 : 0, at);
}

// Checks that a recording's parts are consistent. Its users may then index and multiply without checks.

namespace {

// Returns the length of the UTF-8 sequence at the start of the nonempty text; 0 if it is invalid.
size_t utf8_sequence(std::string_view text)
{
    const auto byte = [&](size_t i) { return static_cast<unsigned char>(text[i]); };
    const unsigned char first = byte(0);
    if (first < 0x80)
        return 1;
    const size_t length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
    if (first < 0xc2 || first > 0xf4 || text.size() < length)
        return 0;
    for (size_t i = 1; i < length; ++i)
        if ((byte(i) & 0xc0) != 0x80)
            return 0;
    // The second byte reveals overlong forms, surrogates, and values beyond U+10FFFF.
    const unsigned char second = byte(1);
    const bool wrong = (first == 0xe0 && second < 0xa0) || (first == 0xed && second > 0x9f) ||
                       (first == 0xf0 && second < 0x90) || (first == 0xf4 && second > 0x8f);
    return wrong ? 0 : length;
}

// Strings appear in the window, in terminals and in JSON, so they must be UTF-8 without control characters.
void check_text(std::string_view text, bool several_lines, const char* what)
{
    while (!text.empty()) {
        const size_t length = utf8_sequence(text);
        require(length > 0, "its {} is not UTF-8", what);
        const auto first = static_cast<unsigned char>(text[0]);
        const bool control = first < 0x20 || first == 0x7f ||
                             (first == 0xc2 && static_cast<unsigned char>(text[1]) < 0xa0); // C1: U+0080 to U+009F
        const bool allowed = several_lines && (first == '\n' || first == '\t' || first == '\r' || first == '\f');
        require(!control || allowed, "its {} has control characters", what);
        text.remove_prefix(length);
    }
}

void check_name(std::string_view name, const char* what)
{
    require(name.size() <= name_limit, "its {} is {} bytes long, more than {}", what, name.size(), name_limit);
    check_text(name, false, what);
}

void check_strings(const Recording& recording)
{
    check_name(recording.stage, "stage");
    require(!recording.stage.empty(), "it names no stage");
    check_count<Parameter>(recording.parameters.size());
    std::set<std::string_view> names;
    for (const Parameter& parameter : recording.parameters) {
        check_name(parameter.name, "parameter's name");
        require(names.insert(parameter.name).second, "its parameter {} is there twice", parameter.name);
    }
    require(!recording.sources.empty(), "it has 0 source files");
    check_count<SourceFile>(recording.sources.size());
    require(recording.body < recording.sources.size(), "its lines are in source file {} of {}", recording.body,
            recording.sources.size());
    for (const SourceFile& source : recording.sources) {
        check_name(source.name, "source file's name");
        require_at_most(source_text_limit, source.text.size(), "its source text is {} bytes long, more than {}");
        check_text(source.text, true, "source text");
    }
    check_name(recording.device.backend, "backend");
    check_name(recording.device.name, "device");
    check_name(recording.device.toolkit, "toolkit");
    check_name(recording.recorded_at, "time");
}

void check_resources(const Resources& used)
{
    require_at_most(registers_limit, used.registers_per_thread, "it uses {} registers per thread, more than {}");
    require_at_most(shared_bytes_limit, used.shared_bytes_per_block, "it uses {} bytes of shared memory, more than {}");
    require_at_most(local_bytes_limit, used.local_bytes_per_thread, "it uses {} bytes of local memory, more than {}");
    require_at_most(blocks_per_sm_limit, used.blocks_per_sm, "{} of its blocks fit an SM, more than {}");
}

void check_device(const Recording& recording)
{
    const Device& device = recording.device;
    require(std::isfinite(device.peak_gflops) && device.peak_gflops >= 0, "the device's peak is not a number");
    require_at_most(sm_limit, device.sm_count, "its device has {} SMs, more than {}");
    require_at_most(threads_per_sm_limit, device.max_threads_per_sm,
                    "its device has {} threads on an SM, more than {}");
    if (recording.resources)
        check_resources(*recording.resources);
}

void check_placed(const PlacedRun& placed)
{
    check_resources(placed.resources);
    for (const double ms : {placed.plain_ms, placed.placed_ms})
        require(std::isfinite(ms) && ms >= 0, "the time of the launch that placed its blocks is not a number");
}

// Checks CUDA's limits, and that 32 bits can number the launch's threads, as the owner map does.
void check_launch(const Recording& recording, uint64_t owners)
{
    const auto& [M, N, K, alpha, beta] = recording.problem;
    require(M > 0 && N > 0 && K > 0, "its problem {} x {} x {} is empty", M, N, K);
    const auto& [grid, block] = recording.launch;
    require(grid.x > 0 && grid.y > 0 && grid.z > 0, "its grid ({},{},{}) is empty", grid.x, grid.y, grid.z);
    require(grid.x <= 0x7fffffff && grid.y <= 0xffff && grid.z <= 0xffff, "its grid ({},{},{}) is too large for CUDA",
            grid.x, grid.y, grid.z);
    require(block.x > 0 && block.y > 0 && block.z > 0, "its blocks of ({},{},{}) threads are empty", block.x, block.y,
            block.z);
    require(block.x <= 1024 && block.y <= 1024 && block.z <= 64 && block.volume() <= 1024,
            "its blocks of ({},{},{}) threads are too large for CUDA", block.x, block.y, block.z);
    require(grid.volume() <= no_owner / block.volume(), "its launch has 2^32 threads or more");
    const uint64_t known = std::max({block_limit, owners, uint64_t{recording.placements.size()}});
    require(grid.volume() <= known, "its grid has {} blocks, of which neither owners nor placements are recorded",
            grid.volume());
}

void check_array(const Array& array)
{
    check_name(array.name, "array's name");
    const std::string& name = array.name;
    require(!name.empty(), "one of its arrays has no name");
    require(array.space == Space::global || array.space == Space::shared, "array {} is in an unknown space", name);
    const bool absent = array.space == Space::global && array.rows == 0 && array.cols == 0 && array.bytes == 0;
    require(absent || (array.rows > 0 && array.cols > 0), "array {} is empty", name);
    require(array.element_bytes > 0 && array.element_bytes <= 16, "array {} has elements of {} bytes", name,
            array.element_bytes);
    // Offsets of accesses have 32 bits, so no product below exceeds 2^32 x 16.
    constexpr uint64_t largest = uint64_t{1} << 32;
    require(array.bytes <= largest, "array {} has {} bytes, more than 4 GiB", name, array.bytes);
    require(array.space == Space::global || array.bytes <= shared_bytes_limit,
            "array {} has {} bytes, more than the {} of a block's shared memory", name, array.bytes,
            shared_bytes_limit);
    const uint64_t elements = uint64_t{array.rows} * array.cols;
    require(elements <= largest, "array {} has {} elements but {} bytes", name, elements, array.bytes);
    if (array.layout.empty()) {
        const uint64_t row = uint64_t{array.cols} * array.element_bytes;
        require(array.pitch == 0 || array.pitch >= row, "array {} has rows of {} bytes, {} apart", name, row,
                array.pitch);
        const uint64_t end = array.rows == 0 ? 0 : (array.rows - 1) * array.row_bytes() + row;
        require(end <= array.bytes, "array {} has {} elements but {} bytes", name, elements, array.bytes);
        return;
    }
    require(array.pitch == 0, "array {} has both a layout and a pitch", name);
    require(array.layout.size() == elements, "array {} has {} elements but {} in its layout", name, elements,
            array.layout.size());
    const uint64_t last = *std::max_element(array.layout.begin(), array.layout.end());
    require(last + array.element_bytes <= array.bytes, "array {} has {} bytes but an element at byte {}", name,
            array.bytes, last);
}

void check_arrays(const Recording& recording)
{
    const std::vector<Array>& arrays = recording.arrays;
    require(arrays.size() >= 3, "it has {} arrays where A, B and C are needed", arrays.size());
    check_count<Array>(arrays.size());
    for (const Array& array : arrays)
        check_array(array);
    for (size_t i = 0; i < 3; ++i)
        require(arrays[i].space == Space::global, "array {} is not in global memory", arrays[i].name);
    const Array& C = arrays[2];
    const Problem& problem = recording.problem;
    require(C.rows == problem.M && C.cols == problem.N, "C is {} x {} but the problem {} x {}", C.rows, C.cols,
            problem.M, problem.N);
}

// Returns the largest valid line number. It is the source's last line, or any number if the source is missing.
uint32_t last_line(const SourceFile& source)
{
    const std::string& text = source.text;
    if (text.empty())
        return UINT32_MAX;
    const auto ends = static_cast<uint64_t>(std::count(text.begin(), text.end(), '\n'));
    return static_cast<uint32_t>(std::min<uint64_t>(ends + (text.back() == '\n' ? 0 : 1), UINT32_MAX));
}

void check_lines(const Recording& recording)
{
    check_count<LineTotals>(recording.lines.size());
    const uint32_t last = last_line(recording.source());
    uint32_t previous = 0;
    for (const LineTotals& line : recording.lines) {
        require(line.line > previous, "its totals are not in the order of their lines: {} after {}", line.line,
                previous);
        require(line.line <= last, "it has totals for line {} of a source of {} lines", line.line, last);
        const Totals& of = line.totals;
        require(of.shared_atomic_cost.instructions <= of.shared_atomic.instructions &&
                    of.global_atomic_cost.requests <= of.global_atomic.instructions,
                "line {} has costs of more atomic operations than it has", line.line);
        require(of.shared_atomic_cost.conflicts <= of.shared_atomic_cost.wavefronts &&
                    (of.shared_atomic_cost.instructions > 0 || of.shared_atomic_cost.wavefronts == 0),
                "line {} has costs of atomic operations that contradict one another", line.line);
        previous = line.line;
    }
}

void check_owner(const Recording& recording)
{
    const std::vector<uint32_t>& owner = recording.owner;
    const uint64_t elements = uint64_t{recording.arrays[2].rows} * recording.arrays[2].cols;
    require(owner.empty() || owner.size() == elements, "its owner map has {} elements but C has {}", owner.size(),
            elements);
    const uint64_t threads = recording.launch.grid.volume() * recording.launch.block.volume();
    // There is no branch per element, so this costs little compared with reading the map.
    uint32_t largest = 0;
    for (const uint32_t thread : owner)
        largest = std::max(largest, thread + 1); // no_owner becomes 0
    require(largest <= threads, "its owner map names thread {} of {}", largest - 1, threads);
}

void check_placements(const Recording& recording)
{
    const std::vector<Placement>& placements = recording.placements;
    const uint64_t blocks = recording.launch.grid.volume();
    require(placements.empty() || placements.size() == blocks, "it places {} blocks of {}", placements.size(), blocks);
    for (size_t i = 0; i < placements.size(); ++i) {
        require(placements[i].sm < sm_limit, "block number {} ran on SM {}, more than {}", i, placements[i].sm,
                sm_limit - 1);
        require(placements[i].start_ns <= placements[i].end_ns, "block number {} ended before it started", i);
    }
}

void check_trace(const BlockTrace& trace, const Recording& recording, uint32_t last_line_number)
{
    const auto& [x, y, z] = trace.block;
    const Launch& launch = recording.launch;
    require(x < launch.grid.x && y < launch.grid.y && z < launch.grid.z, "block ({},{},{}) is not in its grid", x, y,
            z);
    require(trace.warps.size() == launch.warps_per_block(), "block ({},{},{}) has {} warps instead of {}", x, y, z,
            trace.warps.size(), launch.warps_per_block());
    for (size_t warp = 0; warp < trace.warps.size(); ++warp) {
        const uint64_t lanes = std::min<uint64_t>(launch.threads_per_block() - warp * warp_size, warp_size);
        const auto existing = static_cast<uint32_t>((uint64_t{1} << lanes) - 1);
        const std::vector<Access>& accesses = trace.warps[warp].accesses;
        for (size_t i = 0; i < accesses.size(); ++i) {
            const Access& access = accesses[i];
            const Place at{trace.block, warp, i};
            require(access.line > 0 && access.line <= last_line_number, at, "is in line {} of {}", access.line,
                    last_line_number);
            require((access.mask & ~existing) == 0, at, "has lanes of threads that do not exist");
            check_access(access, recording.arrays, at);
            if (i > 0 && accesses[i - 1].op == Op::bulk_load && access.op == Op::bulk_store) { // either direction
                const Array& from = recording.arrays[accesses[i - 1].array];
                require(from.space != recording.arrays[access.array].space, Place{trace.block, warp, i - 1},
                        "is to array {} in the wrong space", from.name);
            }
        }
    }
}

void check_traces(const Recording& recording)
{
    const uint64_t warps = uint64_t{recording.blocks.size()} * recording.launch.warps_per_block();
    require_at_most(warp_limit, warps, "it traces {} warps, more than {}");
    const uint32_t last_line_number = last_line(recording.source());
    std::set<uint64_t> seen;
    for (const BlockTrace& trace : recording.blocks) {
        check_trace(trace, recording, last_line_number);
        const auto& [x, y, z] = trace.block;
        require(seen.insert(recording.launch.grid.number_of(trace.block)).second, "block ({},{},{}) is in it twice", x,
                y, z);
    }
}

void check_race(const Race& race, const Recording& recording, uint32_t last_line)
{
    const Index3 &grid = recording.launch.grid, &block = race.block;
    require(block.x < grid.x && block.y < grid.y && block.z < grid.z,
            "it has a race in block ({},{},{}) outside the grid", block.x, block.y, block.z);
    require(race.array < recording.arrays.size() && recording.arrays[race.array].space == Space::shared &&
                race.offset < recording.arrays[race.array].bytes,
            "it has a race at byte {} of array {}, which is no place in shared memory", race.offset, race.array);
    for (const RaceAccess* const access : {&race.first, &race.second})
        require(access->warp < recording.launch.warps_per_block() && access->lane < warp_size &&
                    access->line <= last_line,
                "it has a race of warp {}, lane {} at line {}, which do not exist", access->warp, access->lane,
                access->line);
    require(race.first.writes || race.second.writes, "it has a race of two reads");
}

void check_values(const Values& values, const std::vector<Array>& arrays)
{
    require(values.array < arrays.size(), "it has values of array {} of {}", values.array, arrays.size());
    const Array& array = arrays[values.array];
    check_name(values.type, "element type");
    require(array.space == Space::global, "it has values of array {}, which is not in global memory", array.name);
    require(values.before.size() <= std::min<uint64_t>(array.bytes, most_value_bytes),
            "it has {} bytes of values of array {}", values.before.size(), array.name);
    for (const std::vector<uint8_t>* const other : {&values.after, &values.again})
        require(other->empty() || other->size() == values.before.size(),
                "the values of array {} before and after the launch have {} and {} bytes", array.name,
                values.before.size(), other->size());
}

void check_executed(const Recording& recording)
{
    const size_t known = recording.executed ? recording.executed->instructions.size() : 0;
    for (const BlockTrace& trace : recording.blocks)
        for (size_t warp = 0; warp < trace.warps.size(); ++warp)
            for (size_t i = 0; i < trace.warps[warp].accesses.size(); ++i) {
                const uint32_t instruction = trace.warps[warp].accesses[i].instruction;
                require(instruction <= known, Place{trace.block, warp, i}, "is of machine instruction {} of {}",
                        instruction, known);
            }
    if (!recording.executed)
        return;
    const InstructionTrace& executed = *recording.executed;
    check_name(executed.kernel, "kernel");
    check_name(executed.language, "machine language");
    check_count<MachineInstruction>(executed.instructions.size());
    check_count<std::string>(executed.notes.size());
    for (const std::string& note : executed.notes)
        check_name(note, "note");
    check_count<Values>(executed.values.size());
    size_t bytes = 0;
    std::set<uint32_t> seen;
    for (const Values& values : executed.values) {
        check_values(values, recording.arrays);
        require(seen.insert(values.array).second, "it has values of array {} twice", values.array);
        bytes += values.before.size();
    }
    require_at_most(most_value_bytes_together, bytes, "it has {} bytes of values, more than {}");
    for (const uint8_t array : executed.guessed)
        require(array < recording.arrays.size(), "it guesses the shape of array {} of {}", array,
                recording.arrays.size());
    const uint32_t last = last_line(recording.source());
    check_count<Race>(executed.races.size());
    for (const Race& race : executed.races)
        check_race(race, recording, last);
    const MachineInstruction* before = nullptr;
    for (const MachineInstruction& instruction : executed.instructions) {
        check_name(instruction.text, "machine instruction");
        require(instruction.line <= last, "a machine instruction is of line {} of {}", instruction.line, last);
        require(before == nullptr || instruction.address > before->address,
                "its machine instructions are not in the order of their addresses: {} after {}", instruction.address,
                before == nullptr ? 0 : before->address);
        before = &instruction;
    }
}

} // namespace

void check_planned(const Recording& planned)
{
    const uint64_t owners = uint64_t{planned.problem.M} * planned.problem.N;
    check_strings(planned);
    check_launch(planned, owners);
    check_arrays(planned);
    const uint64_t bytes = encoded_bound(planned) + owners * sizeof(uint32_t);
    require(bytes <= content_limit, "who owns which element of C takes {} MiB, and a file has room for {}", bytes >> 20,
            content_limit >> 20);
}

void check(const Recording& recording)
{
    check_strings(recording);
    check_device(recording);
    check_launch(recording, recording.owner.size());
    check_arrays(recording);
    check_lines(recording);
    check_owner(recording);
    check_placements(recording);
    if (recording.placed)
        check_placed(*recording.placed);
    check_traces(recording);
    check_executed(recording);
}

} // namespace recording
