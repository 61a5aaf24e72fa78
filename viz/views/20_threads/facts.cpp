#include "viz/views/20_threads/facts.h"

#include "viz/analysis/hierarchy.h"
#include "viz/analysis/partial_sums.h"
#include "viz/analysis/roofline.h"
#include "viz/analysis/tiling.h"
#include "viz/analysis/values.h"
#include "viz/draw/focus.h"
#include "viz/text/figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

namespace viz {

using recording::Recording;
using recording::warp_size;

namespace {

using Contents = std::shared_ptr<SharedContents>;

Contents contents_of_block(const Recording& recording, const recording::BlockTrace& block)
{
    return std::make_shared<SharedContents>(recording, block);
}

std::vector<Subtile> subtiles_at(const Recording& recording, const Contents& contents,
                                 const recording::BlockTrace& block, uint32_t warp, std::size_t step)
{
    const std::optional<Fragments> held = held_fragments(recording, contents, block, warp, step).fragments;
    return held ? subtiles_of(*held) : std::vector<Subtile>();
}

// Returns null unless a thread owns several rectangles of C: the warp tile is then not divided.
const std::vector<Subtile>* subtiles_shown(const StageColumn& stage, const Focus& focus, const MapMarks& marks)
{
    if (!focus.warp || marks.thread.size() < 2)
        return nullptr;
    const Contents& contents = stage.memo<contents_of_block>(*focus.block);
    const auto& subtiles = stage.memo<subtiles_at>(contents, *focus.block, focus.warp_index, focus.step);
    return subtiles.size() > 1 ? &subtiles : nullptr;
}

Rich subtile_words(const std::vector<Subtile>& subtiles)
{
    const auto ready = static_cast<std::size_t>(std::ranges::count(subtiles, true, &Subtile::ready));
    return rich(
        "The warp's tile is **{}** subtiles. Their numbers are the order in which their values of A and B reach the "
        "registers, for each k anew. At this step those of **{}** are there: filled.",
        subtiles.size(), ready);
}

bool passes_on(const Recording& recording)
{
    return !recording.blocks.empty() && sums_pass_through_shared(recording, recording.blocks.front());
}

// Returns an element's values before and after the launch: " (0 -> 63)". Empty if the recording lacks them.
std::string change_words(const Recording& recording, const Cell& element)
{
    using recording::Moment;
    const auto text = [&](Moment moment) {
        const auto value = recorded_value(recording, array_C, element, moment);
        return value ? value_text(*value) : std::string();
    };
    const std::string before = text(Moment::before), after = text(Moment::after), again = text(Moment::again);
    if (after.empty())
        return {};
    return fmt::format(" ({}{})", before == after ? after : fmt::format("{} \u2192 {}", before, after),
                       again.empty() || again == after ? "" : fmt::format(", in a second run {}", again));
}

// Returns whether the recorded source is the ladder's thread_coords, in which each thread stores its column and row.
bool stores_indices(const Recording& recording)
{
    static constexpr std::string_view lines[] = {"const int col = blockIdx.x * blockDim.x + threadIdx.x;",
                                                 "const int row = blockIdx.y * blockDim.y + threadIdx.y;",
                                                 "C.store2(row, 2 * col, {float(col), float(row)});"};
    return recording.stage == "thread_coords" && std::ranges::all_of(lines, [&](std::string_view line) {
               return recording.source().text.find(line) != std::string::npos;
           });
}

// Returns the value that the launch wrote to an element. If it was not recorded, it follows from the source or from the
// inputs, if they are known and few. Returns nothing for a program's kernel, which may compute anything.
std::string written_text(const Recording& recording, const Cell& element)
{
    constexpr uint32_t most_terms = 256; // summed in each frame, for each cell in sight
    if (const auto value = recorded_value(recording, array_C, element, recording::Moment::after))
        return value_text(*value);
    if (!multiplies(recording))
        return {};
    if (stores_indices(recording))
        return fmt::format("({}, {})", element.col, element.row);
    const recording::Problem& problem = recording.problem;
    if (adds_vectors(recording)) {
        const auto a = value_of(recording, array_A, element), b = value_of(recording, array_B, element);
        return a && b ? value_text(*a + *b) : "";
    }
    const bool rounds_inputs = has_op(recording, recording::Op::matrix_multiply);
    if (problem.K > most_terms || problem.alpha != 1 || problem.beta != 0 || rounds_inputs)
        return "";
    const auto sum = partial_sum(recording, element, 0, problem.K);
    return sum ? value_text(*sum) : "";
}

// Returns the index among all threads of the launch: "i 130", or "x 2, y 1", with z if the launch has several.
std::string global_index(const recording::Launch& launch, const Owner& owner)
{
    const uint32_t x = owner.block_index.x * launch.block.x + owner.thread_index.x,
                   y = owner.block_index.y * launch.block.y + owner.thread_index.y;
    if (launch.grid.z * launch.block.z > 1)
        return fmt::format("x {}, y {}, z {}", x, y, owner.block_index.z * launch.block.z + owner.thread_index.z);
    return launch.grid.y * launch.block.y == 1 ? fmt::format("i {}", x) : fmt::format("x {}, y {}", x, y);
}

// Returns "2 x 32" if the cells fill that rectangle, otherwise "128 elements".
std::string extent_of(const std::vector<Cell>& cells)
{
    const CellRect all = *bounds(cells);
    return uint64_t{all.rows} * all.cols == cells.size() ? extent_text(all) : counted(cells.size(), "element");
}

Rich launch_words(const ThreadFacts& facts)
{
    const recording::Launch& launch = facts.recording.launch;
    const Cell extent = extent_of_c(facts.recording);
    const Value of_c = extent.row == 1 ? Value(extent.col) : extent_text({0, 0, extent.row, extent.col});
    return rich("**{}** of **{}** for {} elements of {}.", counted(launch.grid.volume(), "block"),
                counted(launch.threads_per_block(), "thread"), of_c, facts.recording.arrays[2].name);
}

Rich outlined_words(const ThreadFacts& facts)
{
    const recording::Launch& launch = facts.recording.launch;
    const uint32_t thread = facts.thread, first = thread - thread % warp_size;
    const std::vector<Cell> block = cells_of_threads(facts.owned, 0, launch.threads_per_block()),
                            warp = cells_of_threads(facts.owned, first, first + warp_size);
    std::vector<Rich> said;
    if (!block.empty())
        said.push_back(rich("Selected: block **{}**, **{}** of {};",
                            index_text(index_of(facts.block, launch.grid), launch.grid), extent_of(block),
                            facts.recording.arrays[2].name));
    if (!warp.empty())
        said.push_back(rich("its warp **{}**, **{}**;", first / warp_size, extent_of(warp)));
    const std::size_t own = cells_of_threads(facts.owned, thread, thread + 1).size();
    said.push_back(
        rich("its thread **{}**, **{}**.", index(thread), own == 0 ? "no element" : counted(own, "element")));
    return joined(std::move(said));
}

} // namespace

bool ThreadFacts::has_product() const
{
    return recording.problem.K > 1 && recording.arrays.size() > 2 && recording.arrays[0].cols > 0 && !shape.wrapped;
}

std::string ThreadFacts::name_of(Cell of) const
{
    return element_name(recording.arrays[2].name, {of});
}

ThreadFacts thread_facts(const ViewScene& scene, const StageColumn& stage)
{
    const Recording& recording = *stage.recording;
    const Focus focus = focus_on(scene, stage);
    const auto& c = scene.selection.c;
    const auto owner = c ? owner_of(recording, c->first, c->second) : std::nullopt;
    const uint32_t block =
        owner ? owner->block : (focus.block ? linear_of(focus.block->block, recording.launch.grid) : 0);
    const uint32_t thread = owner ? owner->thread : scene.selection.warp * warp_size + scene.selection.lane;
    const OwnedCells& owned = stage.memo<owned_by_block>(block);
    const auto first = std::ranges::find(*owned, thread, &OwnedCell::thread);
    const std::optional<Cell> element = owner                   ? std::optional(Cell{c->first, c->second})
                                        : first != owned->end() ? std::optional(first->cell)
                                                                : std::nullopt;
    const MapMarks& marks = stage.memo<map_marks>(owned, thread);
    const bool followed = focus.block != nullptr && block == linear_of(focus.block->block, recording.launch.grid) &&
                          thread / warp_size == focus.warp_index;
    const OwnersKnown known = stage.memo<owners_known>();
    const uint64_t* idle = adds_atomically(recording) || known == OwnersKnown::none
                               ? nullptr // a thread that owns no element may have added to one
                               : stage.memo_later<threads_without_element>(recording.owner.size() <= elements_in_frame);
    return {.stage = stage,
            .recording = recording,
            .shape = map_shape(recording),
            .block = block,
            .thread = thread,
            .owned = *owned,
            .element = element,
            .marks = marks,
            .others_show = focus.block != nullptr ? block_name(recording, *focus.block) : "",
            .passed_on = stage.memo<passes_on>(),
            .subtiles = followed ? subtiles_shown(stage, focus, marks) : nullptr,
            .idle = idle != nullptr ? std::optional(*idle) : std::nullopt,
            .known = known};
}

Rich colour_words(ColourBy by)
{
    switch (by) {
    case ColourBy::block:
        return rich(
            "Blocks that touch differ in colour; colours repeat. Each is named where it has room; zoomed in, each "
            "cell has the number of its thread.");
    case ColourBy::warp: return rich("Each colour, and number, is a warp of its block: 32 threads that run together.");
    case ColourBy::lane:
        return rich(
            "Each colour, and number, is a lane, a thread's place in its warp. Hue: lanes 0-7, 8-15, 16-23, 24-31; "
            "darker: higher.");
    case ColourBy::value:
        return rich("Each colour, and number, is the element's value after the launch; lighter: larger.");
    case ColourBy::sm: break;
    }
    return rich("Each colour, and number, is the SM on which the block ran; colours repeat after nine.");
}

Rich headline(const ThreadFacts& facts)
{
    const recording::Launch& launch = facts.recording.launch;
    const uint64_t idle = facts.idle.value_or(0), all = launch.grid.volume() * launch.threads_per_block();
    const std::string threads = counted(all, "thread");
    if (facts.known == OwnersKnown::none)
        return rich("{} · who stores is **not known**", threads);
    if (facts.known == OwnersKnown::of_recorded_blocks)
        return rich("{} · **{}** of {} recorded", threads, facts.recording.blocks.size(),
                    counted(launch.grid.volume(), "block"));
    if (idle > 0)
        return rich("{} · {} {} no result", threads, Value(idle).as(Meaning::strong), idle == 1 ? "stores" : "store");
    if (adds_atomically(facts.recording))
        return rich("{} · {} added to atomically", threads,
                    Value(counted(facts.recording.owner.size(), "element")).as(Meaning::strong));
    const double each =
        static_cast<double>(facts.recording.owner.size()) / static_cast<double>(std::max<uint64_t>(1, all));
    const Value results =
        Value(plain(rich("{} {}", rounded(each), each == 1 ? "result" : "results"))).as(Meaning::strong);
    return facts.passed_on && multiplies(facts.recording) ? rich("{} · {} stored by each", threads, results)
                                                          : rich("{} · {} each", threads, results);
}

std::vector<Rich> paragraphs(const ThreadFacts& facts)
{
    if (facts.known == OwnersKnown::none)
        return {rich("**{}** of **{}**.", counted(facts.recording.launch.grid.volume(), "block"),
                     counted(facts.recording.launch.threads_per_block(), "thread")),
                rich("This trace has no stores by TMA, so which thread stores an element of {} is not known.",
                     facts.recording.arrays[array_C].name)};
    std::vector<Rich> launch{launch_words(facts)};
    if (facts.known == OwnersKnown::of_recorded_blocks)
        launch.push_back(rich("What the other **{}** store was not recorded.",
                              counted(facts.recording.launch.grid.volume() - facts.recording.blocks.size(), "block")));
    if (const uint64_t idle = facts.idle.value_or(0); idle > 0)
        launch.push_back(rich("**{}** of {} {} no element.", Value(counted(idle, "thread")).as(Meaning::conflict),
                              facts.known == OwnersKnown::all ? "the launch" : "the recorded blocks",
                              idle == 1 ? "owns" : "own"));
    if (adds_atomically(facts.recording))
        launch.push_back(
            rich("Several threads can add to one element by atomic operations: shown is the last one of each."));
    else if (facts.passed_on && !multiplies(facts.recording))
        launch.push_back(rich("Shown is who *stores* an element: another warp may have computed it."));
    else if (facts.passed_on)
        launch.push_back(
            rich("Shown is who *stores* an element. These sums pass through shared memory first: another warp "
                 "may have added them up."));
    std::vector<Rich> said{joined(std::move(launch)), outlined_words(facts)};
    if (facts.subtiles != nullptr)
        said.push_back(subtile_words(*facts.subtiles));
    return said;
}

Rich element_words(const ThreadFacts& facts, Cell element)
{
    const auto owner = owner_of(facts.recording, element.row, element.col);
    const std::string name = facts.name_of(element) + change_words(facts.recording, element);
    if (!owner)
        return rich("{}: {}", name,
                    facts.known == OwnersKnown::all ? "written by no thread" : "its store was not recorded");
    Rich words = rich("{}: {}", name, describe(*owner, facts.recording));
    if (!recorded_block(facts.recording, owner->block) && !facts.others_show.empty())
        words.push_back({.words = "; its accesses were not recorded: other views show block " + facts.others_show});
    return words;
}

std::string block_words(const Owner& owner, const recording::Launch& launch)
{
    return index_text(owner.block_index, launch.grid);
}

std::string owner_name(const ThreadFacts& facts, const Owner& owner, ColourBy by, bool each_cell)
{
    return by == ColourBy::block && !each_cell ? block_words(owner, facts.recording.launch)
                                               : std::to_string(number_of(owner, by));
}

std::vector<std::string> owner_lines(const ThreadFacts& facts, Cell element, const Owner& owner)
{
    const recording::Launch& launch = facts.recording.launch;
    std::vector<std::string> lines{global_index(launch, owner)};
    if (const std::string value = written_text(facts.recording, element); !value.empty())
        lines.push_back(facts.recording.arrays[array_C].name + " = " + value);
    for (std::string line : {fmt::format("thread {}", owner.thread), "block " + block_words(owner, launch),
                             facts.name_of(element), fmt::format("warp {}, lane {}", owner.warp, owner.lane)})
        lines.push_back(std::move(line));
    if (owner.sm)
        lines.push_back(fmt::format("SM {}", *owner.sm));
    return lines;
}

std::vector<std::size_t> lines_with_room(const Theme& theme, const ThreadFacts& facts,
                                         const std::vector<CellRect>& cells, ImVec2 size)
{
    const auto most = static_cast<std::size_t>(std::max(0.0f, size.y / draw::line_height(theme.mono)));
    if (most < 2 || size.x < theme.px(40))
        return {};
    std::vector<float> widest;
    for (const CellRect& cell : cells) {
        const auto element = map_element(facts.shape, {cell.row, cell.col});
        const auto owner = element ? owner_of(facts.recording, element->row, element->col) : std::nullopt;
        if (!owner)
            continue;
        const std::vector<std::string> lines = owner_lines(facts, *element, *owner);
        widest.resize(std::max(widest.size(), lines.size()));
        for (std::size_t i = 0; i < lines.size(); ++i)
            widest[i] = std::max(widest[i], draw::measure(theme.mono, lines[i]).x);
    }
    std::vector<std::size_t> found;
    for (std::size_t i = 0; i < widest.size() && found.size() < most; ++i)
        if (widest[i] + theme.px(6) <= size.x)
            found.push_back(i);
    return found;
}

ThreadPlaces thread_places(const Theme& theme, const ThreadFacts& facts, const Box& box)
{
    const ImVec2 ruler = ruler_size(theme, facts.shape), end{std::floor(box.max.x), std::floor(box.max.y)};
    if (!facts.has_product())
        return {{{std::round(box.min.x + ruler.x), std::round(box.min.y + ruler.y)}, end}};
    const float gap = theme.px(8), title = draw::line_height(theme.text) + theme.px(3);
    const float longest = longest_term(theme, facts.recording) + theme.px(2);
    const float least_a = std::max(longest, box.width() * 0.22f), least_b = std::max(theme.px(90), box.height() * 0.2f);
    const float width = box.width() - ruler.x - gap - least_a, height = box.height() - ruler.y - gap - least_b;
    const auto rows = static_cast<float>(facts.shape.rows), cols = static_cast<float>(facts.shape.cols);
    const float cell = std::max(0.001f, std::min(width / cols, height / rows));
    const ImVec2 corner{std::floor(box.max.x - cell * cols), std::floor(box.max.y - cell * rows)};
    ThreadPlaces places{{corner, end}};
    places.a = {{box.min.x, corner.y}, {corner.x - ruler.x - gap, end.y}};
    places.b = {{corner.x, box.min.y}, {end.x, corner.y - ruler.y - gap}};
    places.sum = {box.min, {places.a.max.x, corner.y - title - theme.px(4)}};
    return places;
}

uint32_t number_of(const Owner& owner, ColourBy by)
{
    return by == ColourBy::warp             ? owner.warp
           : by == ColourBy::lane           ? owner.lane
           : by == ColourBy::sm && owner.sm ? *owner.sm
                                            : owner.thread;
}

uint32_t largest_number(const recording::Recording& recording, ColourBy by)
{
    const uint32_t largest = std::max(1u, recording.launch.threads_per_block()) - 1;
    return by == ColourBy::warp   ? largest / recording::warp_size
           : by == ColourBy::lane ? recording::warp_size - 1
           : by == ColourBy::sm   ? std::max(1u, recording.device.sm_count) - 1
                                  : largest;
}

bool sm_known(const ViewScene& scene)
{
    const auto has = [](const StageColumn& stage) { return !stage.recording->placements.empty(); };
    return std::ranges::any_of(scene.columns, has);
}

std::span<const ColourBy> colours_of(const ViewScene& scene)
{
    static constexpr ColourBy all[] = {ColourBy::block, ColourBy::warp, ColourBy::lane, ColourBy::sm, ColourBy::value};
    const bool values_known = std::ranges::any_of(scene.columns, [](const StageColumn& stage) {
        return recording::values_of(*stage.recording, array_C) != nullptr;
    });
    return std::span(all).first(std::size(all) - (values_known ? 0 : 1));
}

double largest_stretch(const MapShape& shape, const draw::Box& map)
{
    constexpr float least = 8; // pixels
    const bool short_one = shape.wrapped && static_cast<float>(shape.rows) * least <= map.height() &&
                           static_cast<float>(shape.cols) * least <= map.width();
    return short_one ? 3 : 1;
}

} // namespace viz
