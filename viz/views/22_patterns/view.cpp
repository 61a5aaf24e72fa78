// Patterns: lanes above, banks below, and what one instruction of a warp costs, for a formula that is dragged or typed. It needs no
// kernel: the rule of model/access_cost.h is asked at once. Eight lanes over eight banks come first, which are a model to learn with.
#include "viz/draw/prose.h"
#include "viz/figure/draw_figure.h"
#include "viz/figure/layout.h"
#include "viz/text/figures.h"
#include "viz/views/22_patterns/pictures.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdio>
#include <memory>
#include <utility>

namespace viz {

std::unique_ptr<View> make_patterns_view();

namespace {

constexpr int strides_shown = 32;

// A number of the pattern that is stepped by keys and dragged in its field.
struct PatternNumber {
    const char* name;
    int AccessPattern::*member;
    int least, most;
};
constexpr PatternNumber stride{"stride", &AccessPattern::stride, 0, most_stride},
    offset{"offset", &AccessPattern::offset, 0, most_offset},
    padding{"padding", &AccessPattern::padding, 0, most_pattern_padding},
    xor_bits{"XOR", &AccessPattern::xor_bits, 0, most_xor},
    row_lanes{"lanes in a row", &AccessPattern::lanes_in_row, 1, model::lanes};

class PatternsView final : public View {
public:
    std::string_view name() const override { return "patterns"; }
    std::string_view title() const override { return "Patterns"; }
    ViewGroup group() const override { return ViewGroup::memory; }
    bool needs_recording() const override { return false; }
    ViewCommands commands() override;
    std::string options() const override { return text_of_options(pattern); }
    void set_options(std::string_view text) override { pattern = options_of<AccessPattern>(text); }
    Figure figure(const ViewFrame& frame, const Box& box) override;
    void draw_controls(ViewFrame& frame) override;

private:
    void change(PatternNumber number, int by);
    void change_bits(int by); // of the XOR: one more or one less
    void change_width(int by);
    void choose_next_preset(int by);
    void choose(const AccessPattern& preset); // what it is served by stays
    void set_machine(AccessPattern::Machine machine);
    void show_wavefront(int by);

    void derive();
    void follow(const ViewFrame& frame, const PatternGrid& grid);
    Motion motion_of(const ViewFrame& frame) const;
    void drag(const PatternGrid& grid);
    void add_pictures(Figure& figure, const ViewFrame& frame, const Box& box);
    Heading heading() const;
    void explain(Figure& figure, const ViewFrame& frame) const;

    void draw_presets(ViewFrame& frame);
    void draw_switches(ViewFrame& frame);
    void draw_numbers(ViewFrame& frame);
    void draw_formula(ViewFrame& frame);
    void place_control(const char* words, float more = 0); // beside the last one, or in a new row

    AccessPattern pattern, drawn; // `drawn`: that the facts below and the slide are of
    PatternCost cost = cost_of(pattern);
    std::vector<std::optional<int>> strides = costs_over_stride(pattern, strides_shown);
    std::vector<PatternPreset> presets = presets_of(pattern);
    PatternSlide slide;
    std::array<std::optional<Box>, model::lanes> shown = {}; // where each lane's word lay in the last frame
    double plays_since = -1e9;                               // wavefront after wavefront; long ago: all are served
    double seconds = 0;                                      // of the last frame
    bool focus_formula = false, to_play = false;
    int dragged = -1; // lane
    char typed[120] = "";
    Box controls{};
    float controls_height = 0, controls_right = 0;
    bool row_begun = false, group_begins = false; // a control is drawn already; the next one stands apart
};

ViewCommands PatternsView::commands()
{
    const auto stepping = [this](PatternNumber number, int by) {
        return [this, number, by](const ViewScene&) { change(number, by); };
    };
    const auto calling = [this](auto member, auto... arguments) {
        return [this, member, arguments...](const ViewScene&) { (this->*member)(arguments...); };
    };
    using Machine = AccessPattern::Machine;
    return {{"e", "the next pattern of the list", calling(&PatternsView::choose_next_preset, 1)},
            {"E", "the previous pattern of the list", calling(&PatternsView::choose_next_preset, -1)},
            {"+", "a larger stride", stepping(stride, 1)},
            {"-", "a smaller stride", stepping(stride, -1)},
            {"f", "a larger offset", stepping(offset, 1)},
            {"F", "a smaller offset", stepping(offset, -1)},
            {"p", "more padding", stepping(padding, 1)},
            {"P", "less padding", stepping(padding, -1)},
            {"y", "XOR with one bit more of the row", calling(&PatternsView::change_bits, 1)},
            {"Y", "XOR with one bit less of the row", calling(&PatternsView::change_bits, -1)},
            {"u", "more lanes in a row", stepping(row_lanes, 1)},
            {"U", "fewer lanes in a row", stepping(row_lanes, -1)},
            {"v", "more bytes for each lane", calling(&PatternsView::change_width, 1)},
            {"V", "fewer bytes for each lane", calling(&PatternsView::change_width, -1)},
            {"a", "eight lanes and banks, or a whole warp",
             [this](const ViewScene&) {
                 set_machine(pattern.machine == Machine::eight ? Machine::whole : Machine::eight);
             }},
            {"g", "shared memory, or sectors of global memory",
             [this](const ViewScene&) {
                 pattern.memory = pattern.shared() ? AccessPattern::Memory::global : AccessPattern::Memory::shared;
             }},
            {"k", "load or store",
             [this](const ViewScene&) {
                 using Access = AccessPattern::Access;
                 pattern.access = pattern.access == Access::load ? Access::store : Access::load;
             }},
            {"z", "the next wavefront; after the last one, all", calling(&PatternsView::show_wavefront, 1)},
            {"Z", "the wavefront before", calling(&PatternsView::show_wavefront, -1)},
            {"j", "play wavefront after wavefront", [this](const ViewScene&) { to_play = true; }},
            {"o", "your formula: into the field", [this](const ViewScene&) { focus_formula = true; }}};
}

void PatternsView::change(PatternNumber number, int by)
{
    pattern.*number.member = std::clamp(pattern.*number.member + by, number.least, number.most);
    const bool of_formula = number.member == &AccessPattern::lanes_in_row
                                ? formula_uses(pattern, "row") || formula_uses(pattern, "col")
                                : formula_uses(pattern, number.name);
    if (!of_formula) // the numbers' own formula takes the place of one that does not have it
        pattern.formula.clear();
}

void PatternsView::change_bits(int by)
{
    const int bits = std::clamp(static_cast<int>(std::bit_width(static_cast<unsigned>(pattern.xor_bits))) + by, 0, 5);
    pattern.xor_bits = (1 << bits) - 1;
    pattern.formula.clear();
}

void PatternsView::change_width(int by)
{
    using Width = AccessPattern::Width;
    pattern.width =
        static_cast<Width>(std::clamp(static_cast<int>(pattern.width) + by, 0, static_cast<int>(Width::sixteen)));
}

void PatternsView::choose(const AccessPattern& preset)
{
    const AccessPattern before = std::exchange(pattern, preset);
    pattern.memory = before.memory;
    pattern.access = before.access;
}

void PatternsView::choose_next_preset(int by)
{
    derive();
    const auto now = std::ranges::find(presets, pattern, &PatternPreset::pattern);
    const auto count = static_cast<int>(presets.size());
    const int at = now == presets.end() ? (by > 0 ? -1 : 0) : static_cast<int>(now - presets.begin());
    choose(presets[static_cast<std::size_t>((at + by + count) % count)].pattern);
}

// A pattern of the list stays the one that it is: its numbers go with the number of banks.
void PatternsView::set_machine(AccessPattern::Machine machine)
{
    derive();
    const auto now = std::ranges::find(presets, pattern, &PatternPreset::pattern);
    const auto at = static_cast<std::size_t>(now - presets.begin());
    pattern.machine = machine;
    pattern.wavefront = 0;
    if (at < presets.size())
        choose(presets_of(pattern)[at].pattern);
}

void PatternsView::show_wavefront(int by)
{
    derive();
    const int count = cost.rows + 1; // 0: all
    pattern.wavefront = (std::min(pattern.wavefront, cost.rows) + by + count) % count;
}

// Computed anew after a change alone: the curve takes a thousand formulas.
void PatternsView::derive()
{
    AccessPattern same = drawn;
    same.wavefront = pattern.wavefront;
    if (std::exchange(drawn, pattern) == pattern || same == pattern)
        return;
    cost = cost_of(pattern);
    strides = costs_over_stride(pattern, strides_shown);
    presets = presets_of(pattern);
    slide.began = 1e9; // from the next frame on
}

// After a change each lane's word slides from where it lay.
void PatternsView::follow(const ViewFrame& frame, const PatternGrid& grid)
{
    if (slide.began > frame.seconds) {
        slide.from = frame.motion.wanted ? shown : decltype(shown){};
        const bool slides = std::ranges::any_of(slide.from, [](const auto& box) { return box.has_value(); });
        slide.began = slides ? frame.seconds : PatternSlide().began;
    }
    if (std::exchange(to_play, false))
        plays_since = frame.seconds;
    const PatternPicture now{frame, pattern, cost, grid, slide, {}};
    shown = {};
    for (const PatternWord& word : cost.words)
        for (int lane = 0; lane < pattern.lanes(); ++lane)
            if (word.lanes >> lane & 1u)
                shown[static_cast<std::size_t>(lane)] = now.box_of(word, lane);
}

// While the window plays, its clock moves the words.
Motion PatternsView::motion_of(const ViewFrame& frame) const
{
    Motion motion{.since = frame.seconds - plays_since, .turns = cost.rows};
    if (frame.motion.wanted)
        motion.played = frame.motion.shares[0];
    return motion;
}

// A lane, or its word, that is dragged to another bank changes the stride; lane 0 changes the offset.
void PatternsView::drag(const PatternGrid& grid)
{
    const ImVec2 mouse = ImGui::GetMousePos(), pressed = ImGui::GetIO().MouseClickedPos[ImGuiMouseButton_Left];
    if (!ImGui::IsItemActive()) {
        dragged = -1;
        return;
    }
    if (ImGui::IsItemActivated()) {
        dragged = grid.lane_at(pressed).value_or(-1);
        for (const PatternWord& word : cost.words)
            if (dragged < 0 && grid.cell(word.row, word.column, word.columns).holds(pressed))
                dragged = std::countr_zero(word.lanes);
    }
    if (dragged < 0 || std::abs(mouse.x - pressed.x) < 4)
        return;
    const auto row = static_cast<std::size_t>(grid.row_at(mouse.y));
    const uint64_t line = row < cost.lines.size() ? cost.lines[row] : 0;
    pattern = led_to(pattern, dragged, grid.column_at(mouse.x), line);
}

Heading PatternsView::heading() const
{
    const auto lanes = static_cast<uint64_t>(pattern.lanes());
    const bool model = pattern.machine == AccessPattern::Machine::eight;
    Heading made;
    const std::string machine =
        pattern.shared() ? fmt::format("{0} lanes, {0} banks", lanes) : fmt::format("{} lanes", lanes);
    made.name = {{.words = machine, .style = Style::heading}};
    if (model && pattern.shared())
        for (Run& run : rich(" *a small model*"))
            made.name.push_back(std::move(run));
    if (!cost.valid()) {
        made.headline = rich("no pattern");
        return made;
    }
    const auto figure = static_cast<uint64_t>(cost.figure);
    const Meaning meaning = cost.figure > cost.least ? Meaning::conflict : Meaning::good;
    uint64_t waiting = 0;
    for (const PatternWord& word : cost.words)
        waiting += word.waits ? static_cast<uint64_t>(std::popcount(word.lanes)) : 0;
    if (!pattern.shared())
        made.headline = rich("**{}**, {} of {} bytes used", Value(counted(figure, "sector")).as(meaning),
                             cost.used_bytes, cost.figure * model::sector_bytes);
    else if (waiting > 0)
        made.headline = rich("**{}**, {} {}", Value(counted(figure, "wavefront")).as(meaning), counted(waiting, "lane"),
                             waiting == 1 ? "waits" : "wait");
    else
        made.headline = rich("**{}**, no lane waits", Value(counted(figure, "wavefront")).as(meaning));
    return made;
}

void PatternsView::explain(Figure& figure, const ViewFrame& frame) const
{
    figure.numbers = {{Numbers::How::derived, pattern.shared() ? "wavefronts" : "sectors"}};
    if (pattern.machine == AccessPattern::Machine::whole && frame.ladder_facts.gpu.measured)
        figure.numbers.push_back({Numbers::How::gpu, "latency of a conflict"});
    figure.said.push_back(rich("Lane → element: `{}`, {} each.", formula_of(pattern),
                               counted(static_cast<uint64_t>(pattern.bytes()), "byte")));
    if (!pattern.shared())
        figure.said.push_back(rich("Global memory moves whole sectors of **{}** bytes: each that a lane touches, once.",
                                   model::sector_bytes));
    else
        figure.said.push_back(
            rich("A bank gives one word in a wavefront. Lanes that ask for *different* words of one bank wait; "
                 "those that ask for the *same* word do not."));
    if (pattern.machine == AccessPattern::Machine::eight && pattern.shared())
        figure.said.push_back(
            rich("A machine with **8** banks is a model to learn with, and no GPU. The rule is that of 32 lanes "
                 "over 32 banks."));
    figure.said.push_back(lane_words(pattern, cost, static_cast<int>(frame.selection.lane)));
    if (frame.ladder_facts.pattern != nullptr && !frame.ladder_facts.pattern->failed.empty())
        figure.said.push_back(rich("> Not counted here: {}", frame.ladder_facts.pattern->failed));
    std::erase(figure.said, Rich{});
}

Figure PatternsView::figure(const ViewFrame& frame, const Box& box)
{
    derive();
    Figure figure;
    explain(figure, frame);
    Heading head = heading();
    head.box = {box.min, {box.max.x, box.min.y + heading_height(frame.theme, head, box.width())}};
    const float controls_high = frame.interactive ? controls_height + frame.theme.px(6) : 0;
    controls = {{box.min.x, head.box.max.y}, {box.max.x, head.box.max.y + controls_high}};
    figure.headings.push_back(std::move(head));
    const Box below{{box.min.x, controls.max.y}, box.max};
    if (cost.refusal)
        figure.panels.push_back(
            {.id = "no pattern", .box = below, .layers = {ProseLayer{*cost.refusal}}, .is_picture = false});
    else
        add_pictures(figure, frame, below);
    if (frame.interactive && controls_height == 0) // the pictures begin below the controls, which were not drawn yet
        figure.settled = false;
    if (const auto row = row_to_measure(pattern); row && frame.ladder_facts.gpu.here)
        frame.requests.pattern = std::make_shared<const model::PatternRow>(*row);
    seconds = frame.seconds;
    return figure;
}

void PatternsView::add_pictures(Figure& figure, const ViewFrame& frame, const Box& box)
{
    const Theme& theme = frame.theme;
    const float charts = std::round(std::clamp(box.height() * 0.27f, theme.px(90), theme.px(220)));
    const std::vector<Box> bands = rows(box, {share_of_rest(), pixels(charts)}, theme.px(6));
    const PatternGrid grid(theme, pattern, cost, bands[0]);
    follow(frame, grid);
    const PatternPicture picture{frame, pattern, cost, grid, slide, motion_of(frame)};
    Panel main = pattern_panel(picture, bands[0]);
    main.use_mouse = [this, grid](const Box&) { drag(grid); };
    figure.panels.push_back(std::move(main));
    const auto choose_stride = [this](int value) { pattern.stride = value; };
    const std::vector<Box> below = columns(bands[1], {share_of_rest(0.62f), share_of_rest(0.38f)}, theme.px(12));
    auto measured = measured_panel(frame, pattern, cost, below[1]);
    figure.panels.push_back(stride_panel(theme, pattern, cost, strides, choose_stride, measured ? below[0] : bands[1]));
    if (measured)
        figure.panels.push_back(std::move(*measured));
    const bool time_passes = frame.motion.wanted && frame.seconds > seconds;
    figure.settled = !time_passes || (slide.share(frame.seconds) >= 1 && picture.motion.over(cost.rows));
}

void PatternsView::place_control(const char* words, float more)
{
    const float width = draw::button_width(words) + more;
    const float between = ImGui::GetStyle().ItemSpacing.x * (std::exchange(group_begins, false) ? 4 : 1);
    if (std::exchange(row_begun, true) && ImGui::GetItemRectMax().x + between + width <= controls_right)
        ImGui::SameLine(0, between);
    else
        ImGui::SetCursorScreenPos({controls.min.x, ImGui::GetCursorScreenPos().y});
}

void PatternsView::draw_presets(ViewFrame& frame)
{
    AccessPattern now = pattern;
    now.memory = {}, now.access = {}, now.wavefront = 0;
    for (const PatternPreset& preset : presets) {
        place_control(preset.name.c_str());
        AccessPattern own = preset.pattern;
        own.memory = {}, own.access = {};
        if (draw::choice(frame.theme, {preset.name.c_str(), own == now, {}}, frame.hint))
            choose(preset.pattern);
        if (ImGui::IsItemHovered())
            frame.hint = preset.words;
        mark_item(frame.marks, "preset " + preset.name);
    }
}

void PatternsView::draw_switches(ViewFrame& frame)
{
    using Machine = AccessPattern::Machine;
    using Memory = AccessPattern::Memory;
    using Access = AccessPattern::Access;
    const auto button = [&](const char* words, bool on, const char* partner = nullptr) { // which stays beside it
        place_control(words, partner != nullptr ? draw::button_width(partner) + ImGui::GetStyle().ItemSpacing.x : 0);
        const bool pressed = draw::choice(frame.theme, {words, on, {}}, frame.hint);
        mark_item(frame.marks, words);
        return pressed;
    };
    group_begins = true;
    const bool model = pattern.machine == Machine::eight;
    if (button("8 lanes", model, "32 lanes") && !model)
        set_machine(Machine::eight);
    if (button("32 lanes", !model) && model)
        set_machine(Machine::whole);
    if (button("shared", pattern.shared(), "global"))
        pattern.memory = Memory::shared;
    if (button("global", !pattern.shared()))
        pattern.memory = Memory::global;
    const bool loads = pattern.access == Access::load;
    if (button("load", loads, "store"))
        pattern.access = Access::load;
    if (button("store", !loads))
        pattern.access = Access::store;
    const std::string bytes = counted(static_cast<uint64_t>(pattern.bytes()), "byte");
    if (button(bytes.c_str(), false)) // the next one, and after the widest the narrowest
        pattern.width = static_cast<AccessPattern::Width>((static_cast<int>(pattern.width) + 1) % 5);
    mark_item(frame.marks, "width");
    if (button("play", false))
        to_play = true;
}

void PatternsView::draw_numbers(ViewFrame& frame)
{
    const Theme& theme = frame.theme;
    group_begins = true;
    for (const auto& [number, words] : {std::pair{stride, "stride"},
                                        {offset, "offset"},
                                        {padding, "padding"},
                                        {xor_bits, "XOR"},
                                        {row_lanes, "row"}}) {
        const float field = theme.px(40);
        place_control(words, field);
        ImGui::AlignTextToFramePadding();
        ImGui::TextUnformatted(words);
        ImGui::SameLine(0, theme.px(3));
        ImGui::SetNextItemWidth(field);
        ImGui::PushFont(theme.mono_bold);
        int value = pattern.*number.member;
        if (ImGui::DragInt(fmt::format("##{}", words).c_str(), &value, 0.15f, number.least, number.most, "%d",
                           ImGuiSliderFlags_AlwaysClamp))
            change(number, value - pattern.*number.member);
        ImGui::PopFont();
        if (ImGui::IsItemHovered())
            frame.hint = fmt::format("{}: drag, or double click and type", number.name);
        mark_item(frame.marks, fmt::format("number {}", words));
    }
}

void PatternsView::draw_formula(ViewFrame& frame)
{
    const Theme& theme = frame.theme;
    place_control("", theme.px(150));
    if (std::exchange(focus_formula, false))
        ImGui::SetKeyboardFocusHere();
    std::snprintf(typed, sizeof typed, "%s", formula_of(pattern).c_str());
    ImGui::SetNextItemWidth(std::max(theme.px(110), controls_right - ImGui::GetCursorScreenPos().x));
    ImGui::PushFont(theme.mono);
    if (ImGui::InputText("##formula", typed, sizeof typed, ImGuiInputTextFlags_AutoSelectAll))
        pattern.formula = typed;
    ImGui::PopFont();
    mark_field(frame.marks, "formula");
    if (ImGui::IsItemHovered())
        frame.hint = "lane to element, in lane, row, col, stride, offset, padding and the operators of C";
}

void PatternsView::draw_controls(ViewFrame& frame)
{
    const Theme& theme = frame.theme;
    if (const Rich words = lane_words(pattern, cost, static_cast<int>(frame.selection.lane)); !words.empty())
        frame.hint = plain(words);
    ImGui::SetCursorScreenPos(controls.min);
    controls_right = controls.max.x;
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {theme.px(5), theme.px(1)});
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {theme.px(4), theme.px(3)});
    ImGui::BeginGroup();
    row_begun = false;
    draw_presets(frame);
    draw_switches(frame);
    draw_numbers(frame);
    draw_formula(frame);
    ImGui::EndGroup();
    controls_height = ImGui::GetItemRectSize().y;
    ImGui::PopStyleVar(2);
}

} // namespace

std::unique_ptr<View> make_patterns_view()
{
    return std::make_unique<PatternsView>();
}

} // namespace viz
