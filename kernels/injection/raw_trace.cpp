#include "injection/raw_trace.h"

#include "error.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <map>
#include <sstream>

namespace injection {

namespace {

namespace fs = std::filesystem;

std::string bytes_of(const fs::path& file)
{
    std::ifstream from(file, std::ios::binary);
    std::ostringstream bytes;
    bytes << from.rdbuf();
    if (!from)
        throw kernels::Error(fmt::format("What was traced is incomplete: {} cannot be read.", file.string()));
    return std::move(bytes).str();
}

template <class T>
std::vector<T> rows_of(const fs::path& file)
{
    const std::string bytes = bytes_of(file);
    if (bytes.size() % sizeof(T) != 0)
        throw kernels::Error(fmt::format("What was traced is incomplete: {} ends too early.", file.string()));
    std::vector<T> rows(bytes.size() / sizeof(T));
    if (!rows.empty())
        std::memcpy(rows.data(), bytes.data(), bytes.size());
    return rows;
}

uint32_t number(const Fields& fields, const std::string& name, uint32_t least = 0)
{
    return std::max(least, static_cast<uint32_t>(std::min<uint64_t>(fields.number(name), UINT32_MAX)));
}

recording::Index3 index(const Fields& fields, const std::string& name)
{
    return {number(fields, name + "_x", 1), number(fields, name + "_y", 1), number(fields, name + "_z", 1)};
}

void read_blocks(RawTrace& trace, const Fields& fields, const fs::path& folder)
{
    const std::vector<Event> events = rows_of<Event>(folder / events_file);
    const auto blocks = fields.all("traced_block"), kept = fields.all("traced_events");
    const auto wanted = fields.all("wanted_events");
    uint64_t at = 0;
    for (std::size_t i = 0; i < blocks.size() && i < kept.size() && i < wanted.size(); ++i) {
        const uint64_t count = std::strtoull(kept[i].c_str(), nullptr, 10);
        if (count > events.size() - at)
            throw kernels::Error("What was traced is incomplete: there are fewer events than were counted.");
        TracedBlock block{.block = static_cast<uint32_t>(std::strtoul(blocks[i].c_str(), nullptr, 10)),
                          .wanted = std::strtoull(wanted[i].c_str(), nullptr, 10)};
        block.events.assign(events.begin() + static_cast<std::ptrdiff_t>(at),
                            events.begin() + static_cast<std::ptrdiff_t>(at + count));
        at += count;
        trace.blocks.push_back(std::move(block));
    }
}

std::vector<ArgumentWord> arguments_in(const Fields& fields)
{
    std::vector<ArgumentWord> words;
    for (const std::string& text : fields.all("argument")) {
        ArgumentWord word;
        std::istringstream(text) >> word.parameter >> word.offset >> word.value;
        words.push_back(word);
    }
    return words;
}

std::vector<KeptMemory> kept_in(const fs::path& file)
{
    const std::string bytes = bytes_of(file);
    std::vector<KeptMemory> result;
    for (std::size_t at = 0; at < bytes.size();) {
        uint64_t place[2] = {}; // address and size
        if (bytes.size() - at >= sizeof place)
            std::memcpy(place, bytes.data() + at, sizeof place);
        const std::size_t first = at + sizeof place;
        if (place[1] == 0 || first > bytes.size() || place[1] > (bytes.size() - first) / 2)
            throw kernels::Error(fmt::format("What was traced is incomplete: {} ends too early.", file.string()));
        const auto* const from = reinterpret_cast<const uint8_t*>(bytes.data()) + first;
        result.push_back({place[0], {from, from + place[1]}, {from + place[1], from + 2 * place[1]}});
        at = first + 2 * place[1];
    }
    return result;
}

// Merges the partial totals of each instruction. The result is ascending by pc.
std::vector<InstructionTotals> joined(const std::vector<InstructionTotals>& shares)
{
    std::map<uint64_t, InstructionTotals> of_pc;
    for (const InstructionTotals& share : shares) {
        const uint64_t pc = share.pc / sharers * sharers;
        InstructionTotals& sum = of_pc.try_emplace(pc, InstructionTotals{.pc = pc}).first->second;
        sum.executed += share.executed;
        sum.lanes_active += share.lanes_active;
        sum.wavefronts += share.wavefronts;
        sum.groups += share.groups;
        sum.sectors += share.sectors;
        sum.not_lowest = std::max(sum.not_lowest, share.not_lowest);
        sum.highest = std::max(sum.highest, share.highest);
        sum.kind = share.kind;
        sum.size = share.size;
        sum.flags = share.flags;
    }
    std::vector<InstructionTotals> totals;
    for (const auto& [pc, sum] : of_pc)
        totals.push_back(sum);
    return totals;
}

} // namespace

RawTrace read_trace(const fs::path& folder)
{
    const Fields fields = Fields::read(folder / done_file);
    RawTrace trace{
        .kernel = fields.text("kernel"),
        .name = fields.text("name"),
        .launch = {.grid = index(fields, "grid"), .block = index(fields, "block")},
        .cluster = index(fields, "cluster"),
        .device = {.backend = "cuda",
                   .name = fields.text("device"),
                   .compute_capability = number(fields, "compute_capability"),
                   .sm_count = number(fields, "sms"),
                   .max_threads_per_sm = number(fields, "threads_per_sm"),
                   .clock_khz = number(fields, "clock_khz"),
                   .toolkit = fmt::format("CUDA {}", fields.text("cuda"))},
        .resources = {.registers_per_thread = number(fields, "registers"),
                      .shared_bytes_per_block = number(fields, "dynamic_shared") + number(fields, "static_shared"),
                      .local_bytes_per_thread = number(fields, "local_bytes")},
        .pc = fields.number("pc"),
        .code_bytes = fields.number("code_bytes"),
        .lost = fields.number("not_in_table")};
    read_blocks(trace, fields, folder);
    trace.totals = joined(rows_of<InstructionTotals>(folder / totals_file));
    trace.runs = rows_of<BlockRun>(folder / runs_file);
    if (trace.runs.size() != trace.launch.grid.volume())
        throw kernels::Error("What was traced is incomplete: not every block's run was noted.");
    trace.allocations = rows_of<Allocation>(folder / allocations_file);
    std::ranges::sort(trace.allocations, {}, &Allocation::address);
    trace.arguments = arguments_in(fields);
    trace.kept = kept_in(folder / values_file);
    trace.not_kept = fields.all("not_kept");
    trace.cubin = bytes_of(folder / cubin_file);
    return trace;
}

namespace {

struct Line {
    uint64_t start = 0;
    ListedLaunch launch;
};

// Parses the columns that injected/launch_list.cpp writes. The name comes last because it may contain any character.
bool read_line(const std::string& text, Line& line)
{
    std::istringstream from(text);
    uint64_t time = 0, device = 0;
    ListedLaunch& launch = line.launch;
    from >> line.start >> time;
    for (recording::Index3* index : {&launch.launch.grid, &launch.launch.block, &launch.cluster}) {
        from >> index->x >> index->y >> index->z;
        *index = {std::max(index->x, 1u), std::max(index->y, 1u), std::max(index->z, 1u)};
    }
    from >> launch.resources.registers_per_thread >> launch.resources.shared_bytes_per_block >>
        launch.resources.local_bytes_per_thread >> device;
    launch.time_ns = static_cast<double>(time);
    from.ignore(1, '\t');
    return static_cast<bool>(std::getline(from, launch.name));
}

std::vector<fs::path> files_named(const fs::path& folder, std::string_view start)
{
    std::vector<fs::path> files;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder))
        if (entry.path().filename().string().starts_with(start))
            files.push_back(entry.path());
    std::ranges::sort(files);
    return files;
}

} // namespace

std::vector<ListedLaunch> read_launches(const fs::path& folder)
{
    std::vector<Line> lines;
    for (const fs::path& file : files_named(folder, launches_file)) {
        std::ifstream from(file);
        Line line;
        for (std::string text; std::getline(from, text);)
            if (read_line(text, line))
                lines.push_back(line);
    }
    std::ranges::stable_sort(lines, {}, &Line::start);
    std::vector<ListedLaunch> result;
    std::map<std::string, std::size_t> places; // key: all properties of a launch
    std::map<std::string, uint64_t> of_name;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        const ListedLaunch& one = lines[i].launch;
        const auto& [grid, block] = one.launch;
        const std::string key =
            fmt::format("{},{},{} {},{},{} {} {} {}", grid.x, grid.y, grid.z, block.x, block.y, block.z,
                        one.resources.registers_per_thread, one.resources.shared_bytes_per_block, one.name);
        const uint64_t number = ++of_name[one.name];
        const auto [place, added] = places.emplace(key, result.size());
        if (added) {
            result.push_back(one);
            result.back().first = i + 1;
            result.back().first_of_name = number;
            result.back().count = 1;
        } else {
            ++result[place->second].count;
            result[place->second].time_ns += one.time_ns;
        }
    }
    return result;
}

std::string read_errors(const fs::path& folder)
{
    std::string sentences;
    for (const fs::path& file : files_named(folder, error_file)) {
        std::ifstream from(file);
        for (std::string line; std::getline(from, line);)
            if (sentences.find(line) == std::string::npos)
                sentences += (sentences.empty() ? "" : " ") + line;
    }
    return sentences;
}

} // namespace injection
