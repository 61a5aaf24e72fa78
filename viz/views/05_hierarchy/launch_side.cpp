#include "viz/views/05_hierarchy/launch_side.h"

#include <fmt/format.h>

#include <algorithm>

namespace viz {

using recording::Index3;
using recording::Launch;
using recording::warp_size;

namespace {

std::string extent(const Index3& index)
{
    if (index.z > 1)
        return fmt::format("{} x {} x {}", index.x, index.y, index.z);
    return index.y > 1 ? fmt::format("{} x {}", index.x, index.y) : fmt::format("{}", index.x);
}

// Kept on one line.
std::string whole(std::string text)
{
    for (std::size_t i = text.find(' '); i != std::string::npos; i = text.find(' ', i))
        text.replace(i, 1, "\u00a0");
    return text;
}

bool is_vectors(const recording::Recording& recording)
{
    return extent_of_c(recording).row == 1 && !recording.executed; // of any kernel nobody knows how it counts
}

// "C(1·2+1, 1·4+3) = C(3,7)": how the ids become the one element of a thread, where they do so in the usual way.
std::string element_by_arithmetic(const LaunchSide& side, const Index3& block, const Index3& in_block)
{
    std::string element = side.element(side.selected);
    const std::vector<Cell> cells = side.owned(side.selected);
    if (cells.size() != 1)
        return element;
    const Launch& launch = side.plan.launch;
    const auto sum = [](uint32_t of, uint32_t threads, uint32_t rest) {
        return fmt::format("{}·{}+{}", of, threads, rest);
    };
    const std::string along_x = sum(block.x, launch.block.x, in_block.x);
    const std::string along_y = sum(block.y, launch.block.y, in_block.y);
    const std::string& name = side.recording->arrays[2].name;
    if (!side.usual)
        return element;
    return is_vectors(*side.recording) ? fmt::format("{}({}) = {}({})", name, along_x, name, cells[0].col)
                                       : fmt::format("{}({}, {}) = {}", name, *side.usual ? along_x : along_y,
                                                     *side.usual ? along_y : along_x, element);
}

// The element that a thread of a typed launch stands for.
Message typed_element(const LaunchSide& side, const Index3& block, const Index3& in_block)
{
    const Launch& launch = side.plan.launch;
    const bool swapped = side.plan.swapped;
    const Covered at = covered_by(launch, side.selected.block, side.selected.thread, swapped);
    const auto sum = [](uint64_t factor, uint64_t by, uint64_t rest) {
        return whole(fmt::format("{} x {} + {} =", factor, by, rest));
    };
    const std::string along_x = sum(block.x, launch.block.x, in_block.x);
    const std::string along_y = sum(block.y, launch.block.y, in_block.y);
    if (launch.grid.y == 1 && launch.block.y == 1 && !swapped)
        return {"hierarchy.element_typed", {{"sum", along_x}, {"element", index(at.col)}}};
    const uint64_t cols = covered_extent(launch, swapped).col;
    return {"hierarchy.place_typed",
            {{"row_sum", swapped ? along_x : along_y},
             {"row", index(at.row)},
             {"col_sum", swapped ? along_y : along_x},
             {"col", index(at.col)},
             {"place_sum", sum(at.row, cols, at.col)},
             {"place", at.row * cols + at.col}}};
}

Message written_elements(const LaunchSide& side, const Index3& block, const Index3& in_block)
{
    const std::vector<Cell> cells = side.owned(side.selected);
    const std::string& output = side.recording->arrays[2].name;
    if (cells.size() == 1)
        return {"hierarchy.writes_one", {{"element", element_name(output, cells)}}};
    if (!cells.empty()) {
        const CellRect all = *bounds(cells);
        return {"hierarchy.writes",
                {{"elements", cells.size()},
                 {"output", output},
                 {"top", index(all.row)},
                 {"bottom", index(all.row + all.rows - 1)},
                 {"left", index(all.col)},
                 {"right", index(all.col + all.cols - 1)}}};
    }
    if (!is_vectors(*side.recording))
        return {"hierarchy.surplus_thread", {{"output", output}}};
    const uint32_t threads = side.plan.launch.block.x;
    return {"hierarchy.surplus_vector",
            {{"sum", whole(fmt::format("{} x {} + {} = {}", block.x, threads, in_block.x,
                                       uint64_t{block.x} * threads + in_block.x))},
             {"elements", side.recording->problem.N}}};
}

LaunchPlan recorded_plan(const recording::Recording& recording)
{
    const Plan plan = plan_of(recording.launch, false, Wrapping::when_one_row);
    return {plan, warp_rects(plan)};
}

struct Owners { // what they say of the launch
    IdleThreads idle;
    std::optional<bool> usual;
};
Owners owners_of(const recording::Recording& recording)
{
    return {idle_threads(recording), usual_mapping(recording)};
}

} // namespace

LaunchPlan typed_plan(const Launch& launch, bool swapped)
{
    const bool one_row = launch.grid.y == 1 && launch.grid.z == 1;
    const Plan plan = plan_of(launch, swapped, one_row ? Wrapping::when_one_row : Wrapping::never);
    return {plan, warp_rects(plan)};
}

LaunchSide::LaunchSide(const LaunchPlan& launch, LaunchPlace& place, const StageColumn* stage)
    : column(stage), plan(launch.plan), warps(launch.warps), camera(place.camera), selected(place.selected)
{
    selected = {std::min<uint64_t>(selected.block, plan.launch.grid.volume() - 1),
                std::min(selected.thread, plan.launch.threads_per_block() - 1)};
}

LaunchSide::LaunchSide(const LaunchPlan& typed, LaunchPlace& place) : LaunchSide(typed, place, nullptr) {}

LaunchSide::LaunchSide(const StageColumn& stage, LaunchPlace& place)
    : LaunchSide(stage.memo<recorded_plan>(), place, &stage)
{
    recording = stage.recording.get();
    if (const auto* owners = stage.memo_later<owners_of>(recording->owner.size() <= elements_in_frame)) {
        idle = &owners->idle;
        usual = owners->usual;
    }
}

std::vector<Cell> LaunchSide::owned(ThreadRef ref) const
{
    if (!recording)
        return {};
    return cells_of_threads(column->memo<cells_of_block>(static_cast<uint32_t>(ref.block)), ref.thread, ref.thread + 1);
}

std::string LaunchSide::element(ThreadRef ref) const
{
    if (!recording) {
        const Covered at = covered_by(plan.launch, ref.block, ref.thread, plan.swapped);
        return plan.block_wrap || plan.grid_wrap ? fmt::format("i = {}", at.col)
                                                 : fmt::format("({}, {})", at.row, at.col);
    }
    if (ref.block != selected.block)
        return {};
    const std::vector<Cell> cells = owned(ref);
    if (cells.empty())
        return multiplies(*recording) ? "surplus" : "stores nothing";
    const std::string& name = recording->arrays[2].name;
    return cells.size() == 1 ? fmt::format("{}({},{})", name, cells[0].row, cells[0].col)
                             : fmt::format("{} of {}", cells.size(), name);
}

Message headline(const LaunchSide& side)
{
    const Launch& launch = side.plan.launch;
    const Value blocks = launch.grid.volume(), threads = launch.threads_per_block();
    const bool guarded = side.recording && multiplies(*side.recording); // others may have no result and still work
    if (guarded && side.idle && !side.idle->work_for_others && side.idle->total > 0)
        return {"hierarchy.head_surplus",
                {{"blocks", blocks}, {"threads", threads}, {"surplus", Value(side.idle->total).as(Meaning::conflict)}}};
    return {"hierarchy.head",
            {{"blocks", blocks}, {"threads", threads}, {"warps", Value(launch.warps_per_block()).as(Meaning::strong)}}};
}

std::vector<PathStep> path_steps(const LaunchSide& side)
{
    const Launch& launch = side.plan.launch;
    const uint32_t thread = side.selected.thread;
    const Index3 block_at = index_of(side.selected.block, launch.grid), thread_at = index_of(thread, launch.block);
    const std::string block = index_text(block_at, launch.grid), in_block = index_text(thread_at, launch.block);
    std::string element = side.element(side.selected);
    const std::string sum = side.recording ? element_by_arithmetic(side, block_at, thread_at) : element;
    return {{{"hierarchy.step_grid", {{"grid", extent(launch.grid)}}}, extent(launch.grid)},
            {{"hierarchy.step_block", {{"block", block}}}, block},
            {{"hierarchy.step_warp", {{"warp", thread / warp_size}}}, {}},
            {{"hierarchy.step_thread", {{"thread", in_block}, {"lane", thread % warp_size}}}, in_block},
            {{"hierarchy.step_element", {{"element", sum}}}, element}};
}

Messages launch_messages(const Theme& theme, const LaunchSide& side)
{
    const Launch& launch = side.plan.launch;
    const uint64_t blocks = launch.grid.volume();
    const uint32_t threads = launch.threads_per_block();
    Messages messages{{"hierarchy.launch",
                       {{"grid", extent(launch.grid)},
                        {"block", extent(launch.block)},
                        {"blocks", blocks},
                        {"threads", threads},
                        {"all", blocks * threads}}}};
    if (!side.recording) {
        messages.push_back({"hierarchy.typed"});
        return messages;
    }
    const recording::Problem& problem = side.recording->problem;
    if (is_vectors(*side.recording))
        messages.push_back({"hierarchy.vectors",
                            {{"elements", problem.N},
                             {"threads", threads},
                             {"quotient", with_decimals(static_cast<double>(problem.N) / threads, 2)},
                             {"blocks", blocks}}});
    else
        messages.push_back({"hierarchy.product",
                            {{"rows", problem.M}, {"cols", problem.N}, {"output", side.recording->arrays[2].name}}});
    if (!side.idle)
        messages.push_back({"hierarchy.looking"});
    else if (side.idle->work_for_others)
        messages.push_back({"hierarchy.helpers", {{"output", side.recording->arrays[2].name}}});
    else if (side.idle->total == 0)
        messages.push_back({"hierarchy.no_surplus"});
    else if (!multiplies(*side.recording))
        messages.push_back(
            {"hierarchy.no_store", {{"threads", side.idle->total}, {"output", side.recording->arrays[2].name}}});
    else
        messages.push_back({"hierarchy.surplus",
                            {{"swatch", Swatch{mix(theme.background, theme.warning, 0.25f)}},
                             {"threads", Value(side.idle->total).as(Meaning::conflict)}}});
    return messages;
}

Messages warp_messages(const LaunchSide& side)
{
    const uint32_t threads = side.plan.launch.threads_per_block(), full = threads / warp_size;
    const uint32_t rest = threads % warp_size;
    Value::List warps;
    if (full > 0)
        warps.emplace_back(Message{"hierarchy.full_warps", {{"warps", full}}});
    if (rest > 0)
        warps.emplace_back(Message{"hierarchy.part_warp", {{"threads", Value(rest).as(Meaning::conflict)}}});
    Messages messages{{"hierarchy.warps", {{"warps", warps}}}};
    if (rest > 0)
        messages.push_back({"hierarchy.empty_lanes", {{"first", rest}}});
    messages.push_back({"hierarchy.colours", {{"repeat", side.warps.size() > 9}}});
    if (side.plan.block_wrap != 0)
        messages.push_back({"hierarchy.rows"});
    return messages;
}

Message path_message(const LaunchSide& side)
{
    const Launch& launch = side.plan.launch;
    const uint32_t thread = side.selected.thread;
    const Index3 block = index_of(side.selected.block, launch.grid), in_block = index_of(thread, launch.block);
    return {
        "hierarchy.path",
        {{"block", index_text(block, launch.grid)},
         {"block_sum", whole(linear_text(block, launch.grid))},
         {"thread", index_text(in_block, launch.block)},
         {"thread_sum", whole(linear_text(in_block, launch.block))},
         {"number", index(thread)},
         {"warp", thread / warp_size},
         {"lane", thread % warp_size},
         {"rest", side.recording ? written_elements(side, block, in_block) : typed_element(side, block, in_block)}}};
}

Message swap_message(const LaunchSide& side)
{
    const Launch& launch = side.plan.launch;
    const bool swapped = side.plan.swapped;
    const uint32_t warp = side.selected.thread / warp_size;
    const uint32_t end = std::min((warp + 1) * warp_size, launch.threads_per_block());
    std::vector<Cell> places;
    for (uint32_t thread = warp * warp_size; thread < end; ++thread) {
        const Covered at = covered_by(launch, side.selected.block, thread, swapped);
        places.push_back({static_cast<uint32_t>(at.row), static_cast<uint32_t>(at.col)});
    }
    const CellRect rect = bounds(places).value_or(CellRect{});
    const Covered all = covered_extent(launch, swapped);
    const int now = sectors_of_warp(launch, side.selected.block, warp, swapped);
    const int other = sectors_of_warp(launch, side.selected.block, warp, !swapped);
    return {"hierarchy.swap",
            {{"warp", warp},
             {"rows", rect.rows},
             {"cols", rect.cols},
             {"matrix_rows", all.row},
             {"matrix_cols", all.col},
             {"sectors", now},
             {"swapped", other},
             {"same", now == other}}};
}

Messages point_messages(const LaunchSide& side, const PlanHit& hit)
{
    const Launch& launch = side.plan.launch;
    Messages messages{
        {"hierarchy.point",
         {{"block", index_text(index_of(hit.block, launch.grid), launch.grid)}, {"number", index(hit.block)}}}};
    if (hit.thread) {
        const IdleSet* set = side.idle ? side.idle->of(hit.block) : nullptr;
        messages.push_back({"hierarchy.point_thread",
                            {{"thread", index_text(index_of(*hit.thread, launch.block), launch.block)},
                             {"number", index(*hit.thread)},
                             {"warp", *hit.thread / warp_size},
                             {"lane", *hit.thread % warp_size},
                             {"surplus", set != nullptr && set->idle[*hit.thread]}}});
    }
    if (side.recording && !recorded_block(*side.recording, static_cast<uint32_t>(hit.block)))
        messages.push_back({"hierarchy.not_recorded"});
    return messages;
}

} // namespace viz
