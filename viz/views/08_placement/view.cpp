// Placement: where and when each block of the launch ran; waves, tail and imbalance.
#include "viz/view.h"

#include "viz/draw/focus.h"
#include "viz/draw/heading.h"
#include "viz/text/figures.h"
#include "viz/text/templates.h"
#include "viz/views/08_placement/first_row.h"
#include "viz/views/08_placement/messages.h"
#include "viz/views/08_placement/placement_options.h"
#include "viz/views/08_placement/placement_side.h"
#include "viz/views/08_placement/work_messages.h"
#include "viz/views/08_placement/work_page.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace viz {

std::unique_ptr<View> make_placement_view();

namespace {

class PlacementView final : public View {
public:
    std::string_view name() const override { return "placement"; }
    std::string_view title() const override { return "Placement"; }
    ViewGroup group() const override { return ViewGroup::who; }
    std::vector<Numbers> numbers() const override
    {
        return {{Numbers::How::recorded, "SMs and times of blocks"}, {Numbers::How::derived, "waves, shares"}};
    }
    ViewCommands commands() override;
    void draw(ViewFrame& frame) override;
    bool settled() const override { return !running; }
    std::string options() const override { return text_of_options(chosen); }
    void set_options(std::string_view text) override { chosen = options_of<PlacementOptions>(text); }

private:
    void choose_recordings(ViewFrame& frame);
    float draw_switch(ViewFrame& frame, const draw::Box& box);
    void move_time(const ViewFrame& frame);
    void follow_selection(const ViewFrame& frame);
    TimeWindow::Limits limits() const;
    void select(const ViewScene& scene, PlacementSide& side, uint32_t block);
    void step_block(const ViewScene& scene, int by);
    void step_lane(const ViewScene& scene, int by);
    void show_next_launch();
    void run_time();
    void follow_page(ViewFrame& frame);
    void draw_work(ViewFrame& frame, std::size_t at, draw::Box box);
    void draw_times(ViewFrame& frame, std::size_t at, draw::Box box);
    void draw_untimed(ViewFrame& frame, std::size_t at, const FirstRow& row, float map);
    void draw_lanes(ViewFrame& frame, std::size_t at, const draw::Box& box);
    bool racing() const; // both launches are of one problem
    Message headline_of(const ViewFrame& frame, std::size_t at) const;
    void draw_map(ViewFrame& frame, std::size_t at, const draw::Box& box);
    void use_mouse(ViewFrame& frame, PlacementSide& side, const PlacedBlock* hovered, const draw::Box& box);
    void point_out(ViewFrame& frame, PlacementSide& side, const PlacedBlock* hovered);
    std::size_t count() const { return comparing ? 2 : 1; } // of the sides

    std::array<PlacementSide, 2> sides;
    WorkPage work;
    void choose_page(bool of_work) { chosen.page = of_work ? PlacementPage::work : PlacementPage::times; }

    PlacementOptions chosen;
    bool shows_work = false;             // in this frame
    std::optional<std::size_t> followed; // Selection::block, by the recordings shown
    double whole = 1;                    // nanoseconds: of the longer launch
    TimeWindow time;
    double sweep = 0;     // time at which C is shown
    bool running = false; // the time goes on
    double seconds = 0;   // of the frame before
    std::optional<std::size_t> step;
    std::vector<Launches> offered; // that each side has
    Launches shown = Launches::recorded;
    bool comparing = false;
    bool tells_speeds = true; // the ladder's, beside the times of these launches, where the headline has room
};

ViewCommands PlacementView::commands() // of both pages
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

void PlacementView::choose_recordings(ViewFrame& frame)
{
    comparing = frame.comparing();
    offered.clear();
    for (const Launches which : all_launches)
        if (launch_of(frame.columns[0], frame.board, which, shows_work) &&
            (!comparing || launch_of(frame.columns[1], frame.board, which, shows_work)))
            offered.push_back(which);
    const auto has = [&](Launches which) { return std::ranges::find(offered, which) != offered.end(); };
    shown = has(Launches::many) ? Launches::many : offered.empty() ? Launches::recorded : offered.front();
    if (chosen.launch && has(*chosen.launch))
        shown = *chosen.launch;
    double longest = 1;
    for (std::size_t i = 0; i < count(); ++i) {
        sides[i].shipped = shown != Launches::recorded;
        const auto launch = launch_of(frame.columns[i], frame.board, shown, shows_work);
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
        // At first the tail: who still works, and who does not.
        if (const PlacementPicture* picture = sides[0].picture())
            sweep = static_cast<double>(picture->span_ns - picture->tail_ns);
    }
}

// At the right of the first row; returns the width.
float PlacementView::draw_switch(ViewFrame& frame, const draw::Box& box)
{
    constexpr const char* names[] = {"recorded launch", "large launch", "tall launch"};
    const float gap = frame.theme.px(6);
    const std::string pages[] = {plain(Message{"placement.pages", {{"work", false}}}),
                                 plain(Message{"placement.pages", {{"work", true}}})};
    std::vector<std::string> words;
    float width = draw::button_width(pages[0].c_str()) + draw::button_width(pages[1].c_str()) + 3 * gap;
    for (const Launches which : offered) {
        const auto launch = launch_of(frame.columns[0], frame.board, which, shows_work);
        words.push_back(size_words(launch->problem));
        width += draw::button_width(words.back().c_str()) + gap;
    }
    ImGui::SetCursorScreenPos({box.max.x - width + gap, box.min.y - frame.theme.px(2)});
    for (const bool work : {false, true}) {
        if (draw::choice(frame.theme, {pages[work ? 1 : 0].c_str(), shows_work == work, {}}, frame.hint))
            choose_page(work);
        mark_item(frame.marks, work ? "page:work" : "page:times");
        if (ImGui::IsItemHovered())
            frame.point_out({"placement.pages_tip", {{"work", work}}});
        ImGui::SameLine(0, work ? 2 * gap : gap);
    }
    const Launches now = shown;
    for (std::size_t i = 0; i < offered.size(); ++i) {
        if (i > 0)
            ImGui::SameLine(0, gap);
        if (draw::choice(frame.theme, {words[i].c_str(), now == offered[i], {}}, frame.hint))
            chosen.launch = offered[i];
        mark_item(frame.marks, names[static_cast<std::size_t>(offered[i])]);
        if (ImGui::IsItemHovered())
            frame.point_out(
                {"placement.size",
                 {{"size", words[i]},
                  {"blocks", launch_of(frame.columns[0], frame.board, offered[i], shows_work)->launch.grid.volume()},
                  {"shipped", offered[i] != Launches::recorded}}});
    }
    return width;
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

// The time goes with the timeline's steps, and by itself after `p`; dragging moves it. It stands on the page along K.
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

// The block that all views share, where the recording of the other views is the one shown.
void PlacementView::follow_selection(const ViewFrame& frame)
{
    for (PlacementSide& side : sides)
        if (const PlacedBlocks* placed = side.facts ? side.facts->placed() : nullptr; placed != nullptr && !side.block)
            side.block = placed->blocks.front().block;
    if (sides[0].shipped || frame.columns.front().recording->blocks.empty() || followed == frame.selection.block)
        return;
    followed = frame.selection.block;
    const auto& blocks = frame.columns.front().recording->blocks;
    const recording::Index3& shared = blocks[std::min(frame.selection.block, blocks.size() - 1)].block;
    for (PlacementSide& side : sides)
        if (side.facts)
            side.select(shared);
}

void PlacementView::select(const ViewScene& scene, PlacementSide& side, uint32_t block)
{
    side.block = block;
    const recording::Index3 index = index_of(block, side.recording().launch.grid);
    for (PlacementSide& other : sides) // the same block of the other stage
        if (&other != &side && other.facts)
            other.select(index);
    if (!side.shipped)
        scene.requests.block = index;
}

TimeWindow::Limits PlacementView::limits() const
{
    return {.whole = whole, .least = whole * 1e-4};
}

// Of the SM; along K, of the lane.
void PlacementView::step_block(const ViewScene& scene, int by)
{
    PlacementSide& side = sides[0];
    if (shows_work) {
        if (const auto next = work.next_block(side.block, by, 0))
            select(scene, side, *next);
        return;
    }
    if (const auto next = side.next_on_sm(by))
        select(scene, side, *next);
}

// To the first block of the next SM that has one, or of the one before; along K, of the lane.
void PlacementView::step_lane(const ViewScene& scene, int by)
{
    PlacementSide& side = sides[0];
    if (shows_work) {
        if (const auto next = work.next_block(side.block, 0, by))
            select(scene, side, *next);
        return;
    }
    if (const auto next = side.next_sm(by))
        select(scene, side, *next);
}

void PlacementView::use_mouse(ViewFrame& frame, PlacementSide& side, const PlacedBlock* hovered, const draw::Box& box)
{
    time.use_wheel(box.min.x + label_room(frame.theme), box.max.x, limits());
    if (ImGui::IsItemActive())
        sweep = time_at({*side.picture(), time, side.block, frame.theme}, box, ImGui::GetMousePos().x);
    point_out(frame, side, hovered);
}

void PlacementView::point_out(ViewFrame& frame, PlacementSide& side, const PlacedBlock* hovered)
{
    if (hovered == nullptr)
        return;
    const Message block = block_message(side.recording(), *hovered);
    frame.point_out(side.shipped ? block : Message{"placement.click", {{"block", block}}});
    if (ImGui::IsItemClicked())
        select(frame, side, hovered->block);
}

// All SMs over the time, below it how many blocks are resident, and the selected SM with its slots.
void PlacementView::draw_lanes(ViewFrame& frame, std::size_t at, const draw::Box& box)
{
    const Theme& theme = frame.theme;
    PlacementSide& side = sides[at];
    Marks* const marks = at == 0 ? frame.marks : nullptr;
    const PlacementChart chart{*side.picture(), time, side.block, theme, marks};
    const float gap = theme.px(6);
    const draw::Box head{box.min, {box.max.x, box.min.y + draw::row_height(theme, 5)}};
    draw_tail(chart, head, draw_waves(chart, head));
    // Where there is little room the rows of all SMs come first.
    const float least = theme.px(56), resident = theme.px(48),
                free = box.max.y - head.max.y - resident - 2 * gap - least;
    const float of_one = side.selected() ? height_of_one_sm(*side.picture(), theme) : 0,
                one = of_one <= free ? of_one : 0;
    const draw::Box sms{{box.min.x, head.max.y},
                        {box.max.x, box.max.y - theme.px(3) - resident - gap - (one > 0 ? one + gap : 0)}};
    const PlacedBlock* hovered = draw_sms(chart, side.sms, sms);
    if (hovered == nullptr && ImGui::IsItemHovered()) {
        const ImVec2 mouse = ImGui::GetMousePos();
        const double ns = time_at(chart, sms, mouse.x);
        const uint32_t sm = sm_at(chart, sms, mouse.y);
        if (block_at(*side.picture(), sm, static_cast<uint64_t>(ns), {}) == nullptr)
            frame.point_out(idle_sm_message(*side.picture(), sm, ns));
    }
    use_mouse(frame, side, hovered, sms);
    float y = sms.max.y + gap;
    if (one > 0) {
        const draw::Box one_box{{box.min.x, y}, {box.max.x, y + one}};
        use_mouse(frame, side, draw_one_sm(chart, side.selected()->sm, one_box), one_box);
        y += one + gap;
    }
    const draw::Box below{{box.min.x, y}, {box.max.x, box.max.y - theme.px(3)}}; // numbers reach below their line
    draw_resident(chart, below);
    const draw::Box resident_blocks{{box.min.x + label_room(theme), y}, below.max};
    mark(marks, "resident", resident_blocks);
    draw::item("time", resident_blocks);
    use_mouse(frame, side, nullptr, below);
    if (racing())
        draw_finish({*side.picture(), time, side.block, theme, frame.marks}, sms, frame.columns[at].number);
    draw_sweep(chart, {sms.min, below.max}, sweep);
}

bool PlacementView::racing() const
{
    return comparing && sides[0].picture() != nullptr && sides[1].picture() != nullptr &&
           may_race(sides[0].recording(), sides[1].recording());
}

Message PlacementView::headline_of(const ViewFrame& frame, std::size_t at) const
{
    const PlacementSide &side = sides[at], &other = sides[1 - at];
    if (racing()) {
        const auto speeds = comparable_speeds(frame.columns.front(), frame.columns[1]);
        const Speed& speed = at == 0 ? speeds.first : speeds.second;
        const bool both = tells_speeds && speeds.first.gflops && speeds.second.gflops;
        return race_headline(side.facts->runner, other.facts->runner, sweep,
                             both ? speed.gflops : recording::Measured<double>());
    }
    return at == 1 && other.picture() != nullptr ? no_race(side.recording(), other.recording())
                                                 : headline(*side.picture());
}

void PlacementView::draw_map(ViewFrame& frame, std::size_t at, const draw::Box& box)
{
    PlacementSide& side = sides[at];
    const BlockMap map{*side.facts->placed(),
                       side.facts->grid,
                       side.picture() != nullptr ? std::optional(sweep) : std::nullopt,
                       side.block,
                       frame.theme.accent(frame.columns[at].number),
                       frame.theme,
                       at == 0 ? frame.marks : nullptr};
    point_out(frame, side, draw_block_map(map, side.map, box));
}

// Why there are no times, in their place, and beside it the map, which needs none: which SM had which block.
void PlacementView::draw_untimed(ViewFrame& frame, std::size_t at, const FirstRow& row, float map)
{
    const StageColumn& stage = frame.columns[at];
    PlacementSide& side = sides[at];
    const bool tiny = !stage.speed.gflops && stage.speed.gflops.missing().missing == recording::Missing::tiny;
    // What is shown may be the shipped launch itself: then no other has the times.
    const bool alone = std::ranges::none_of(offered, [](Launches one) { return one != Launches::recorded; });
    const Elsewhere others = tiny                    ? Elsewhere::behind_tiny
                             : alone || side.shipped ? Elsewhere::nowhere
                                                     : Elsewhere::above;
    const Message why = no_placement(side.recording(), others);
    if (side.facts->placed() == nullptr)
        return say_why(frame, stage, why, row);
    if (const PlacedBlock* selected = side.selected(); selected && at == 0)
        frame.hint = plain(Message{"placement.selected", {{"block", block_message(side.recording(), *selected)}}});
    const draw::Box& all = row.box;
    const float head = draw::stage_heading(frame.theme, stage).draw(all.min, row.left().width()) + frame.theme.px(6);
    const draw::Box box{{all.min.x, all.min.y + head}, all.max};
    mark_picture(frame.marks, stage.slug, box);
    Prose(frame.theme).write(why).draw(box.min, box.width() - map - frame.theme.px(16));
    draw_map(frame, at, {{box.max.x - map, box.min.y}, box.max});
}

void PlacementView::draw_times(ViewFrame& frame, std::size_t at, draw::Box box)
{
    const Theme& theme = frame.theme;
    const StageColumn& stage = frame.columns[at];
    PlacementSide& side = sides[at];
    // Of both sides alike, however long their headlines are: one time is at one place in both.
    const float map = std::min(box.width() * 0.36f, box.height() - theme.px(comparing ? 48 : 24));
    const FirstRow row{box, at == 0 ? draw_switch(frame, box) + theme.px(12) : 0};
    if (side.picture() == nullptr)
        return draw_untimed(frame, at, row, map);
    if (at == 0) { // for both alike
        tells_speeds = true;
        Prose words(theme);
        words.write_large(headline_of(frame, at));
        tells_speeds = draw::stage_name_width(frame, stage) + theme.px(16) + words.width() <= row.left().width();
    }
    box.min.y += draw_headline(frame, stage, headline_of(frame, at), row);
    if (comparing)
        frame.explain({{"placement.of_stage", {{"stage", stage.slug}}}});
    if (at == 0 && racing())
        frame.explain(race_messages(sides[0].recording(), sides[1].recording(),
                                    comparable_speeds(frame.columns[0], frame.columns[1])));
    frame.explain(wave_messages(side.recording(), *side.picture()));
    frame.explain({idle_message(*side.picture(), std::min(sweep, static_cast<double>(side.picture()->span_ns)))});
    frame.explain(balance_messages(side.recording(), *side.picture()));
    if (const PlacedBlock* selected = side.selected(); selected && at == 0)
        frame.hint = plain(Message{"placement.selected", {{"block", block_message(side.recording(), *selected)}}});
    mark_picture(frame.marks, stage.slug, box);
    draw_lanes(frame, at, {box.min, {box.max.x - map - theme.px(16), box.max.y}});
    draw_map(frame, at, {{box.max.x - map, box.min.y}, box.max});
}

// The page that was asked for; else the times, where there are any.
void PlacementView::follow_page(ViewFrame& frame)
{
    shows_work = chosen.page == PlacementPage::work;
    choose_recordings(frame);
    if (!chosen.page && offered.empty()) {
        shows_work = true;
        choose_recordings(frame);
        work.show(frame, sides);
        shows_work = work.busy() || work.facts(0) != nullptr;
        if (!shows_work)
            choose_recordings(frame);
    } else if (shows_work) {
        work.show(frame, sides);
    }
}

void PlacementView::draw_work(ViewFrame& frame, std::size_t at, draw::Box box)
{
    const Theme& theme = frame.theme;
    const StageColumn& stage = frame.columns[at];
    const FirstRow row{box, at == 0 ? draw_switch(frame, box) + theme.px(12) : 0};
    if (!work.facts(at))
        return say_why(frame, stage, work.why_not(at), row);
    box.min.y += draw_headline(frame, stage, work_headline(*work.facts(at)), row) + theme.px(2);
    if (comparing)
        frame.explain({{"placement.of_stage", {{"stage", stage.slug}}}});
    mark_picture(frame.marks, stage.slug, box);
    if (const auto clicked = work.draw(frame, at, sides[at].block, {box.min, {box.max.x, box.max.y - theme.px(2)}}))
        select(frame, sides[at], *clicked);
}

void PlacementView::draw(ViewFrame& frame)
{
    ImGui::BeginChild("placement view", {0, 0}, false,
                      ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
    follow_page(frame);
    follow_selection(frame);
    move_time(frame);
    const ImVec2 corner = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
    const float gap = frame.theme.px(4), rows = static_cast<float>(count()),
                height = (room.y - gap * (rows - 1)) / rows;
    // One below the other, so that one time is at one place in both.
    for (std::size_t i = 0; i < count(); ++i) {
        const float y = corner.y + static_cast<float>(i) * (height + gap);
        ImGui::PushID(static_cast<int>(i));
        const draw::Box box{{corner.x, y}, {corner.x + room.x - frame.theme.px(2), y + height}};
        shows_work ? draw_work(frame, i, box) : draw_times(frame, i, box);
        ImGui::PopID();
    }
    ImGui::EndChild();
}

} // namespace

std::unique_ptr<View> make_placement_view()
{
    return std::make_unique<PlacementView>();
}

} // namespace viz
