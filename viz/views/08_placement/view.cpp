// The placement view: where and when each block of the launch ran, with waves, tail and imbalance. Another page shows
// which block sums which part of K of which tile.
#include "viz/draw/draw.h"
#include "viz/draw/focus.h"
#include "viz/figure/draw_figure.h"
#include "viz/figure/layout.h"
#include "viz/text/figures.h"
#include "viz/views/08_placement/facts.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <utility>

namespace viz {

std::unique_ptr<View> make_placement_view();

namespace {

constexpr const char* page_names[] = {"over time", "along K"}; // indexed by PlacementPage
constexpr const char* page_tips[] = {
    "Where and when each block ran (`f`)",
    "Which block adds up which part of K of which tile, and who is idle in the end (`f`)"};

class PlacementView final : public View {
public:
    std::string_view name() const override { return "placement"; }
    std::string_view title() const override { return "Placement"; }
    ViewGroup group() const override { return ViewGroup::who; }
    ViewCommands commands() override;
    Figure figure(const ViewFrame& frame, const Box& box) override;
    void draw_controls(ViewFrame& frame) override;
    std::string options() const override { return text_of_options(chosen); }
    void set_options(std::string_view text) override { chosen = options_of<PlacementOptions>(text); }

private:
    void choose_recordings(const ViewFrame& frame);
    void follow_page(const ViewFrame& frame);
    void follow_selection(const ViewFrame& frame);
    void move_time(const ViewFrame& frame);
    void show_work_of(const ViewFrame& frame);
    void choose_page(bool of_work) { chosen.page = of_work ? PlacementPage::work : PlacementPage::times; }
    void show_next_launch();
    void run_time();
    void select(const ViewScene& scene, PlacementSide& side, uint32_t block);
    void step_block(const ViewScene& scene, int by);
    void step_lane(const ViewScene& scene, int by);
    TimeWindow::Limits limits() const { return {.whole = whole, .least = whole * 1e-4}; }

    std::size_t count() const { return comparing ? 2 : 1; } // number of sides
    std::span<PlacementSide> shown_sides() { return std::span(sides).first(count()); }
    bool racing() const; // the two launches have the same problem
    float switch_width(const ViewFrame& frame) const;
    Box add_heading(Figure& shown, const ViewFrame& frame, std::size_t at, const Rich& headline, Box box) const;
    Rich headline_of(const ViewFrame& frame, std::size_t at, bool with_speeds) const;
    ShownLaunch launch_at(const ViewFrame& frame, std::size_t at);
    void add_times(Figure& shown, const ViewFrame& frame, std::size_t at, const Box& box);
    void add_untimed(Figure& shown, const ViewFrame& frame, std::size_t at, Box box);
    void add_parts_of_k(Figure& shown, const ViewFrame& frame, std::size_t at, const Box& box);
    void explain_times(Figure& shown, const ViewFrame& frame, std::size_t at) const;

    std::array<PlacementSide, 2> sides;
    std::vector<ShownLaunch> launches; // of this frame; marks of the figure refer to them
    PlacementOptions chosen;
    bool shows_work = false;             // in this frame
    std::optional<std::size_t> followed; // the last Selection::block that was followed
    double whole = 1;                    // duration of the longer launch, in nanoseconds
    TimeWindow time;
    double sweep = 0;     // the time at which C is shown
    bool running = false; // the time advances
    double seconds = 0;   // time of the previous frame
    std::optional<std::size_t> step;
    std::vector<Launches> offered;                                             // available for every side
    std::vector<std::shared_ptr<const recording::Recording>> offered_launches; // of the first side
    Launches shown = Launches::recorded;
    bool comparing = false;
    Box controls_place{};
};

ViewCommands PlacementView::commands() // for both pages
{
    ViewCommands all = {
        {"f", "which block adds up which part of K; or where and when blocks ran",
         [this](const ViewScene&) { choose_page(!shows_work); }},
        {"v", "the recording, or a shipped launch: of many blocks, or of few tiles and a long K",
         [this](const ViewScene&) { show_next_launch(); }},
        {"n", "the next block of the SM; along K, of the lane",
         [this](const ViewScene& scene) { step_block(scene, 1); }},
        {"N", "the previous block of the SM; along K, of the lane",
         [this](const ViewScene& scene) { step_block(scene, -1); }},
        {"j", "the next SM; along K, the next lane", [this](const ViewScene& scene) { step_lane(scene, 1); }},
        {"k", "the previous SM; along K, the previous lane", [this](const ViewScene& scene) { step_lane(scene, -1); }},
        {"p", "time goes on by itself, and C fills; or stops; not along K", [this](const ViewScene&) { run_time(); }}};
    const ViewCommands of_time =
        TimeWindow::commands([this] { return shows_work ? nullptr : &time; }, [this] { return limits(); });
    all.insert(all.end(), of_time.begin(), of_time.end());
    return all;
}

void PlacementView::choose_recordings(const ViewFrame& frame)
{
    comparing = frame.comparing();
    offered.clear();
    offered_launches.clear();
    for (const Launches which : all_launches)
        if (auto launch = launch_of(frame.columns[0], frame.ladder_facts, which, shows_work);
            launch && (!comparing || launch_of(frame.columns[1], frame.ladder_facts, which, shows_work))) {
            offered.push_back(which);
            offered_launches.push_back(std::move(launch));
        }
    const auto has = [&](Launches which) { return std::ranges::find(offered, which) != offered.end(); };
    // Along K the few tiles of the recorded launch can be told apart.
    const auto& recorded_here = frame.columns[0].recording;
    const bool few_tiles =
        shows_work && has(Launches::recorded) && recorded_here && recorded_here->launch.grid.volume() > 1;
    shown = has(Launches::many) && !few_tiles ? Launches::many : offered.empty() ? Launches::recorded : offered.front();
    if (chosen.launch && has(*chosen.launch))
        shown = *chosen.launch;
    double longest = 1;
    for (std::size_t i = 0; i < count(); ++i) {
        sides[i].shipped = shown != Launches::recorded;
        const auto launch = launch_of(frame.columns[i], frame.ladder_facts, shown, shows_work);
        const auto& recorded = frame.columns[i].recording;
        auto facts = frame.columns[i].memo<launch_facts>(launch ? launch : recorded);
        if (facts != sides[i].facts) {
            sides[i] = {.facts = std::move(facts), .shipped = sides[i].shipped};
            followed.reset();
        }
        if (const PlacementPicture* picture = sides[i].picture())
            longest = std::max(longest, static_cast<double>(picture->span_ns));
    }
    if (longest != whole) {
        whole = longest;
        time = {0, whole};
        // Starts at the tail, which shows the SMs that still work.
        if (const PlacementPicture* picture = sides[0].picture())
            sweep = static_cast<double>(picture->span_ns - picture->tail_ns);
    }
}

// Shows the requested page. Without a request, shows the times if they are known.
void PlacementView::follow_page(const ViewFrame& frame)
{
    shows_work = chosen.page == PlacementPage::work;
    choose_recordings(frame);
    if (!chosen.page && offered.empty()) {
        shows_work = true;
        choose_recordings(frame);
        show_work_of(frame);
        shows_work = sides[0].work.busy() || sides[0].work.facts() != nullptr;
        if (!shows_work)
            choose_recordings(frame);
    } else if (shows_work) {
        show_work_of(frame);
    }
}

void PlacementView::show_work_of(const ViewFrame& frame)
{
    WorkPlaces sms;
    if (frame.ladder_facts.gpu.properties)
        sms.count = frame.ladder_facts.gpu.properties->sm_count;
    show_work(frame.columns, sms, shown_sides());
}

// Selects the block of all views. Also does so in a shipped launch whose grid has that block.
void PlacementView::follow_selection(const ViewFrame& frame)
{
    for (PlacementSide& side : sides)
        if (const PlacedBlocks* placed = side.facts ? side.facts->placed() : nullptr; placed != nullptr && !side.block)
            side.block = placed->blocks.front().block;
    if (frame.columns.front().recording->blocks.empty() || followed == frame.selection.block)
        return;
    followed = frame.selection.block;
    const auto& blocks = frame.columns.front().recording->blocks;
    const recording::Index3& shared = blocks[std::min(frame.selection.block, blocks.size() - 1)].block;
    for (PlacementSide& side : sides)
        if (side.facts)
            side.select(shared);
}

// Moves the time: with the timeline's steps, by playing after `p`, or by dragging. The page along K has no time.
void PlacementView::move_time(const ViewFrame& frame)
{
    constexpr double whole_launch = 6; // seconds
    running = running && !shows_work;
    if (running)
        sweep = std::min(whole, sweep + (frame.seconds - seconds) / whole_launch * whole);
    running = running && sweep < whole;
    seconds = frame.seconds;
    if (!shows_work && step && step != frame.selection.step)
        if (const Focus focus = focus_on(frame, frame.columns.front()); focus.warp)
            sweep = whole * static_cast<double>(focus.step) /
                    static_cast<double>(std::max<std::size_t>(1, focus.warp->accesses.size() - 1));
    step = frame.selection.step;
}

void PlacementView::show_next_launch()
{
    const auto now = std::ranges::find(offered, shown);
    if (now != offered.end())
        chosen.launch = now + 1 == offered.end() ? offered.front() : *(now + 1);
}

void PlacementView::run_time()
{
    if (shows_work)
        return;
    running = !running;
    if (running && sweep >= whole)
        sweep = 0;
}

void PlacementView::select(const ViewScene& scene, PlacementSide& side, uint32_t block)
{
    side.block = block;
    const recording::Index3 index = index_of(block, side.recording().launch.grid);
    for (PlacementSide& other : sides) // the same block of the other stage
        if (&other != &side && other.facts)
            other.select(index);
    const recording::Recording& recorded = *scene.columns.front().recording;
    if (!side.shipped)
        scene.requests.block = index;
    else if (const recording::Index3& grid = recorded.launch.grid;
             index.x < grid.x && index.y < grid.y && index.z < grid.z)
        if (const auto here = recorded_block(recorded, linear_of(index, grid))) // so that the other views show it, too
            scene.selection.block = *here;
}

// Moves along the SM, or along the lane on the page along K.
void PlacementView::step_block(const ViewScene& scene, int by)
{
    PlacementSide& side = sides[0];
    if (const auto next = shows_work ? side.work.next_block(side.block, by, 0) : side.next_on_sm(by))
        select(scene, side, *next);
}

// Moves to the first block of the next or previous SM that has one. On the page along K, moves to the first block of
// the next or previous lane.
void PlacementView::step_lane(const ViewScene& scene, int by)
{
    PlacementSide& side = sides[0];
    if (const auto next = shows_work ? side.work.next_block(side.block, 0, by) : side.next_sm(by))
        select(scene, side, *next);
}

bool PlacementView::racing() const
{
    return comparing && sides[0].picture() != nullptr && sides[1].picture() != nullptr &&
           may_race(sides[0].recording(), sides[1].recording());
}

// Returns the width of the buttons at the right of the first row, including the gap before them.
float PlacementView::switch_width(const ViewFrame& frame) const
{
    float width = frame.theme.px(12 + 2 * 6);
    for (const char* const page : page_names)
        width += draw::button_width(page);
    for (const auto& launch : offered_launches)
        width += draw::button_width(size_words(launch->problem).c_str()) + frame.theme.px(6);
    return width;
}

void PlacementView::draw_controls(ViewFrame& frame)
{
    constexpr const char* names[] = {"recorded launch", "large launch", "tall launch"};
    const float gap = frame.theme.px(6);
    if (const PlacedBlock* selected = sides[0].selected(); selected && !shows_work)
        frame.hint = "Selected: " + plain(block_words(sides[0].recording(), *selected));
    ImGui::SetCursorScreenPos(controls_place.min);
    for (const bool work : {false, true}) {
        if (draw::choice(frame.theme, {page_names[work ? 1 : 0], shows_work == work, {}}, frame.hint))
            choose_page(work);
        mark_item(frame.marks, work ? "page:work" : "page:times");
        if (ImGui::IsItemHovered())
            frame.point_out(rich(page_tips[work ? 1 : 0]));
        ImGui::SameLine(0, work ? 2 * gap : gap);
    }
    for (std::size_t i = 0; i < offered.size(); ++i) {
        if (i > 0)
            ImGui::SameLine(0, gap);
        const recording::Recording& launch = *offered_launches[i];
        const std::string size = size_words(launch.problem);
        if (draw::choice(frame.theme, {size.c_str(), shown == offered[i], {}}, frame.hint))
            chosen.launch = offered[i];
        mark_item(frame.marks, names[static_cast<std::size_t>(offered[i])]);
        if (ImGui::IsItemHovered())
            frame.point_out(rich("{}: {}, **{}**", offered[i] != Launches::recorded ? "Shipped" : "Recorded", size,
                                 counted(launch.launch.grid.volume(), "block")));
    }
}

// Adds the heading to the left of the buttons and returns the box below.
Box PlacementView::add_heading(Figure& figure, const ViewFrame& frame, std::size_t at, const Rich& headline,
                               Box box) const
{
    Heading heading = stage_heading(frame, frame.theme, frame.columns[at], headline);
    heading.box = {box.min, {at == 0 ? controls_place.min.x - frame.theme.px(12) : box.max.x, box.min.y}};
    heading.box.max.y += heading_height(frame.theme, heading, heading.box.width());
    if (at == 0)
        heading.box.max.y = std::max(heading.box.max.y, controls_place.max.y + frame.theme.px(2));
    box.min.y = heading.box.max.y;
    figure.headings.push_back(std::move(heading));
    return box;
}

// If `with_speeds`, adds the ladder's speeds to the times of the launches.
Rich PlacementView::headline_of(const ViewFrame& frame, std::size_t at, bool with_speeds) const
{
    const PlacementSide &side = sides[at], &other = sides[1 - at];
    if (racing()) {
        const auto speeds = comparable_speeds(frame.columns.front(), frame.columns[1]);
        const Speed& speed = at == 0 ? speeds.first : speeds.second;
        const bool both = with_speeds && speeds.first.gflops && speeds.second.gflops;
        return race_headline(side.facts->runner, other.facts->runner, sweep,
                             both ? speed.gflops : recording::Measured<double>());
    }
    return at == 1 && other.picture() != nullptr ? no_race(side.recording(), other.recording())
                                                 : headline(*side.picture());
}

ShownLaunch PlacementView::launch_at(const ViewFrame& frame, std::size_t at)
{
    PlacementSide& side = sides[at];
    return {.side = side,
            .stage = frame.columns[at],
            .theme = frame.theme,
            .first = at == 0,
            .time = time,
            .now = sweep,
            .racing = racing(),
            .select = [this, &side](const ViewScene& scene, uint32_t block) { select(scene, side, block); },
            .move_to = [this](double ns) { sweep = std::clamp(ns, time.from, time.until); },
            .use_wheel = [this](float from, float until) { time.use_wheel(from, until, limits()); }};
}

Figure PlacementView::figure(const ViewFrame& frame, const Box& box)
{
    follow_page(frame);
    follow_selection(frame);
    move_time(frame);
    controls_place = {{box.max.x - switch_width(frame) + frame.theme.px(12), box.min.y},
                      {box.max.x, box.min.y + ImGui::GetFrameHeight()}};
    Figure all{
        .numbers = {{Numbers::How::recorded, "SMs and times of blocks"}, {Numbers::How::derived, "waves, shares"}},
        .settled = !running};
    launches.clear();
    launches.reserve(count());
    for (std::size_t i = 0; i < count(); ++i)
        launches.push_back(launch_at(frame, i));
    // The sides are one below another, so that equal times are aligned.
    const std::vector<Track> rooms(count(), share_of_rest());
    const std::vector<Box> places =
        rows({box.min, {box.max.x - frame.theme.px(2), box.max.y - frame.theme.px(2)}}, rooms, frame.theme.px(4));
    for (std::size_t i = 0; i < count(); ++i)
        shows_work ? add_parts_of_k(all, frame, i, places[i]) : add_times(all, frame, i, places[i]);
    return all;
}

void PlacementView::explain_times(Figure& figure, const ViewFrame& frame, std::size_t at) const
{
    const PlacementSide& side = sides[at];
    const PlacementPicture& picture = *side.picture();
    explain_stage(figure, frame, frame.columns[at],
                  {wave_words(side.recording(), picture),
                   idle_words(picture, std::min(sweep, static_cast<double>(picture.span_ns))),
                   balance_words(side.recording(), picture)});
}

void PlacementView::add_times(Figure& figure, const ViewFrame& frame, std::size_t at, const Box& box)
{
    const Theme& theme = frame.theme;
    // Both sides have maps of the same width, whatever their headlines are, so that equal times are aligned.
    const float map = std::min(box.width() * 0.36f, box.height() - theme.px(comparing ? 48 : 24));
    if (sides[at].picture() == nullptr)
        return add_untimed(figure, frame, at, box);
    const auto height = [&](bool with_speeds) {
        const Heading first = stage_heading(frame, theme, frame.columns[0], headline_of(frame, 0, with_speeds));
        return heading_height(theme, first, controls_place.min.x - theme.px(12) - box.min.x);
    };
    const bool with_speeds = !racing() || height(true) <= height(false); // for both sides alike
    const Box below = add_heading(figure, frame, at, headline_of(frame, at, with_speeds), box);
    explain_times(figure, frame, at);
    const std::vector<Box> parts = columns(below, {share_of_rest(), pixels(map)}, theme.px(16));
    add_lanes(figure, launches[at], parts[0]);
    add_map(figure, launches[at], parts[1]);
}

// Adds the reason for missing times, and below it the map of blocks by SM.
void PlacementView::add_untimed(Figure& figure, const ViewFrame& frame, std::size_t at, Box box)
{
    const StageColumn& stage = frame.columns[at];
    const PlacementSide& side = sides[at];
    const bool tiny = !stage.speed.gflops && stage.speed.gflops.missing().missing == recording::Missing::tiny;
    // Without other launches, none with times can be offered.
    const bool alone = std::ranges::none_of(offered, [](Launches one) { return one != Launches::recorded; });
    const Elsewhere others = tiny                    ? Elsewhere::behind_tiny
                             : alone || side.shipped ? Elsewhere::nowhere
                                                     : Elsewhere::above;
    box = add_heading(figure, frame, at, {}, box);
    Rich why = no_placement(side.recording(), others);
    if (side.facts->placed() != nullptr) {
        ImFont* const font = frame.theme.text;
        constexpr float ragged = 1.1f; // lines end before the edge
        const float lines = std::ceil(draw::measure(font, plain(why)).x * ragged / box.width());
        const std::vector<Box> parts =
            rows(box, {pixels((lines + 0.5f) * draw::line_height(font)), share_of_rest()}, 0);
        add_map(figure, launches[at], parts[1]);
        box = parts[0];
    }
    figure.panels.push_back(words_panel("why no times:" + stage.slug, box, std::move(why)));
    figure.panels.back().is_picture = side.facts->placed() != nullptr;
}

void PlacementView::add_parts_of_k(Figure& figure, const ViewFrame& frame, std::size_t at, const Box& box)
{
    const WorkSide& work = sides[at].work;
    const StageColumn& stage = frame.columns[at];
    if (work.facts() == nullptr) {
        const Rich why =
            work.busy() ? rich("Finding out which block has which part of K ...") : no_work(work.why_not());
        figure.panels.push_back(
            words_panel("why no parts:" + stage.slug, add_heading(figure, frame, at, {}, box), why));
        return;
    }
    const WorkFacts& own = *work.facts();
    const WorkFacts* const other = comparing ? sides[1 - at].work.facts() : nullptr;
    const Box below = add_heading(figure, frame, at, work_headline(own), box);
    explain_stage(figure, frame, stage, work_words(own, !comparing));
    // Both sides have one scale if they have the same number of blocks, and a k-tile is the same amount of work.
    const auto unit = [](const WorkFacts& one) {
        const TileWork& tiles = one.launched().work;
        return uint64_t{tiles.BM} * tiles.BN * tiles.BK;
    };
    const bool alike = other != nullptr && unit(*other) == unit(own) && other->places == own.places;
    add_work(figure, launches[at], !comparing, alike ? other->launched().lanes.length : 0, below);
}

} // namespace

Box beside_reduction(Figure& figure, const ShownLaunch& launch, const Box& all)
{
    if (launch.side.work.facts()->launched().work.slices < 2)
        return all;
    const std::vector<Box> beside = columns(all, {share_of_rest(), share_of_rest(0.85f)}, launch.theme.px(12));
    const Box& box = beside[1];
    const TileWork& work = launch.side.work.facts()->launched().work;
    const auto parts = parts_of_block(work, launch.side.block.value_or(0));
    const uint32_t tile = parts.empty() ? 0 : work.parts[parts.front()].tile;
    const Cell element{work.places[tile].row * work.BM, work.places[tile].col * work.BN};
    const recording::Recording& recording = launch.side.recording();
    const auto steps =
        std::make_shared<const std::vector<ReductionStep>>(reduction_steps(recording, work, tile, element));
    const auto number = [&recording](const std::optional<double>& value) {
        return value ? short_value(recording, *value) : std::string("?");
    };
    CellLayer cells{.rows = static_cast<uint32_t>(steps->size()), .cols = 3, .widest = "= -00.00"};
    cells.colour = [steps, &theme = launch.theme](uint32_t step, uint32_t col) {
        return col < 2 ? category_colour(theme, (*steps)[step].block)
                       : mix(theme.panel, theme.accent(),
                             0.3f + 0.7f * static_cast<float>(step + 1) / static_cast<float>(steps->size()));
    };
    cells.words = [steps, number](uint32_t step, uint32_t col) {
        const ReductionStep& one = (*steps)[step];
        return col == 0 ? fmt::format("slice {}", step)
                        : (col == 1 ? "+ " : "= ") + number(col == 1 ? one.slice : one.total);
    };
    cells.value = [steps](uint32_t step, uint32_t col) {
        return col == 1 ? (*steps)[step].slice : (*steps)[step].total;
    };
    cells.id = [name = launch.named("slice")](uint32_t step, uint32_t col) {
        return col == 0 || name.empty() ? std::string()
                                        : fmt::format("{} {} {}", name, step, col == 1 ? "sum" : "total");
    };
    cells.tip = [steps, number, element](uint32_t step, uint32_t) {
        const ReductionStep& one = (*steps)[step];
        return rich("Block {} added up **{}** for {}: **{}**. With it the element has **{}**.", index(one.block),
                    counted(one.k_tiles, "k-tile"), element_name("C", {element}), number(one.slice), number(one.total));
    };
    cells.rows_apart = true;
    figure.panels.push_back({.id = "reduction:" + launch.stage.slug,
                             .box = box,
                             .title = fmt::format("second kernel: {}, slice by slice", element_name("C", {element})),
                             .shorter = {"second kernel: " + element_name("C", {element}), "slices added"},
                             .origin = NumberOrigin::derived,
                             .layers = {std::move(cells)}});
    return beside[0];
}

std::unique_ptr<View> make_placement_view()
{
    return std::make_unique<PlacementView>();
}

} // namespace viz
