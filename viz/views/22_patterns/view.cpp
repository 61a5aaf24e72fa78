// The patterns view: lanes above banks, and the cost of a warp instruction whose addresses follow a formula. The
// formula is typed, or its numbers are dragged. The view needs no kernel: model/access_cost.h computes the cost. At
// first it shows eight lanes and eight banks, a model for learning.
#include "viz/analysis/sectors.h"
#include "viz/draw/controls.h"
#include "viz/figure/access_diagram.h"
#include "viz/figure/draw_figure.h"
#include "viz/figure/layout.h"
#include "viz/text/figures.h"
#include "viz/views/22_patterns/charts.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <memory>
#include <set>
#include <utility>

namespace viz {

std::unique_ptr<View> make_patterns_view();

namespace {

constexpr int strides_shown = 32;

// A number of the formula that is changed by keys or dragged in its field.
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

// Describes the access of a lane, for its tip and for the status line.
Rich lane_words(const AccessPattern& pattern, const PatternCost& cost, int lane)
{
    if (!cost.valid() || lane >= pattern.lanes())
        return {};
    const auto place = [](uint64_t value) { return index(static_cast<int64_t>(value)); };
    const uint64_t byte = cost.pattern.offset[static_cast<std::size_t>(lane)];
    const uint64_t element = byte / static_cast<uint64_t>(pattern.bytes());
    if (!pattern.shared())
        return rich("Lane {} asks for element {}: byte {}, sector {} of line {}.", index(lane), place(element),
                    place(byte), place(byte % 128 / model::sector_bytes), place(byte / 128));
    const auto word =
        std::ranges::find_if(cost.words, [&](const PatternWord& one) { return (one.lanes >> lane & 1u) != 0; });
    const Rich others = std::popcount(word->lanes) > 1 ? rich(" The word goes to {}.", lane_list(word->lanes)) : Rich();
    return rich("Lane {} asks for element {}: word {}, bank {} = {} mod {}, wavefront {}.{}{}", index(lane),
                place(element), place(word->word), index(word->column), place(word->word), index(pattern.banks()),
                index(word->row + 1), word->waits ? " It waits: the bank serves another word first." : "", others);
}

// Returns the number of banks that serve a word.
uint64_t banks_used(const PatternCost& cost)
{
    std::set<int> banks;
    for (const PatternWord& word : cost.words)
        for (int i = 0; i < word.columns; ++i)
            banks.insert(word.column + i);
    return banks.size();
}

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
    bool in_formula(PatternNumber number) const;
    std::string number_hint(PatternNumber number) const;
    void change(PatternNumber number, int by);
    void change_bits(int by); // adds or removes a bit of the XOR
    void change_width(int by);
    void choose_next_preset(int by);
    void choose(const AccessPattern& preset); // keeps the memory and the kind of access
    void set_machine(AccessPattern::Machine machine);
    void show_wavefront(int by);

    void derive();
    void follow(const ViewFrame& frame, const AccessGrid& grid);
    AccessDiagram diagram(const ViewFrame& frame, const AccessGrid& grid) const;
    void drag(const AccessGrid& grid);
    void add_pictures(Figure& figure, const ViewFrame& frame, const Box& box);
    Heading heading() const;
    void explain(Figure& figure, const ViewFrame& frame) const;

    void draw_presets(ViewFrame& frame, draw::Controls& row);
    void draw_switches(draw::Controls& row);

    AccessPattern pattern, drawn; // `drawn` is the pattern of the following members
    PatternCost cost = cost_of(pattern);
    std::vector<std::optional<int>> strides = costs_over_stride(pattern, strides_shown);
    std::array<std::optional<PatternCost>, 5> widths = costs_over_width(pattern);
    std::vector<PatternPreset> presets = presets_of(pattern);
    WordSlide slide;
    std::array<std::optional<Box>, model::lanes> shown = {}; // the place of each lane's word in the last frame
    double plays_since = -1e9;                               // start of playing wavefronts; long ago: all are served
    double seconds = 0;                                      // of the last frame
    bool focus_formula = false, to_play = false;
    int dragged = -1; // the dragged lane
    Box controls{};
    float controls_height = 0;
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

// Returns whether this number occurs in the formula, which is typed or made from the numbers.
bool PatternsView::in_formula(PatternNumber number) const
{
    if (pattern.formula.empty())
        return true;
    return number.member == &AccessPattern::lanes_in_row ? formula_uses(pattern, "row") || formula_uses(pattern, "col")
                                                         : formula_uses(pattern, number.name);
}

std::string PatternsView::number_hint(PatternNumber number) const
{
    if (!in_formula(number))
        return fmt::format("{}: not in your formula; a change of it takes the formula's place", number.name);
    return fmt::format("{}, {} to {}: drag, or click and type", number.name, number.least, number.most);
}

void PatternsView::change(PatternNumber number, int by)
{
    pattern.*number.member = std::clamp(pattern.*number.member + by, number.least, number.most);
    if (!in_formula(number)) // without the typed formula, the numbers make one that contains this number
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

// A preset remains the same preset: its numbers change with the number of banks.
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
    const int count = cost.rows + 1; // wavefront 0 means all
    pattern.wavefront = (std::min(pattern.wavefront, cost.rows) + by + count) % count;
}

// Computes values only after a change, because the curve takes a thousand formulas.
void PatternsView::derive()
{
    AccessPattern same = drawn;
    same.wavefront = pattern.wavefront;
    if (std::exchange(drawn, pattern) == pattern || same == pattern)
        return;
    cost = cost_of(pattern);
    strides = costs_over_stride(pattern, strides_shown);
    widths = costs_over_width(pattern);
    presets = presets_of(pattern);
    slide.began = 1e9; // begins with the next frame
}

// After a change, each lane's word slides from its previous place.
void PatternsView::follow(const ViewFrame& frame, const AccessGrid& grid)
{
    if (slide.began > frame.seconds) {
        slide.from = frame.motion.wanted ? shown : decltype(shown){};
        const bool slides = std::ranges::any_of(slide.from, [](const auto& box) { return box.has_value(); });
        slide.began = slides ? frame.seconds : WordSlide().began;
    }
    if (std::exchange(to_play, false))
        plays_since = frame.seconds;
    const AccessDiagram now = diagram(frame, grid);
    shown = {};
    for (const PatternWord& word : cost.words)
        for (int lane = 0; lane < pattern.lanes(); ++lane)
            if (word.lanes >> lane & 1u)
                shown[static_cast<std::size_t>(lane)] = now.box_of(word, lane);
}

// While the timeline plays, its clock moves the words.
AccessDiagram PatternsView::diagram(const ViewFrame& frame, const AccessGrid& grid) const
{
    Motion motion{.since = frame.seconds - plays_since, .turns = cost.rows};
    if (frame.motion.wanted)
        motion.played = frame.motion.shares[0];
    return {.theme = frame.theme,
            .grid = grid,
            .words = cost.words,
            .rows = cost.rows,
            .selected = frame.selection.lane,
            .tip = [pattern = pattern, cost = cost](int lane) { return lane_words(pattern, cost, lane); },
            .lines = cost.lines,
            .sectors = cost.sectors,
            .wavefront = pattern.wavefront,
            .motion = motion,
            .slide = slide,
            .seconds = frame.seconds};
}

// Dragging a lane, or its word, to another bank changes the stride. For lane 0 it changes the offset.
void PatternsView::drag(const AccessGrid& grid)
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
    else if (cost.figure > 1) // many bytes per lane take several groups of lanes, whatever the banks are
        made.headline =
            rich("**{}** of {} lanes, no conflict", Value(counted(figure, "wavefront")).as(meaning), lanes / figure);
    else
        made.headline =
            rich("**{}**, no lane waits: {}, {} bytes each", Value(counted(figure, "wavefront")).as(meaning),
                 counted(banks_used(cost), "bank"), model::bank_bytes);
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
    if (const int words = pattern.bytes() / static_cast<int>(model::bank_bytes); pattern.shared() && words > 1)
        figure.said.push_back(
            rich("*{} bytes* are {} banks for each lane. So {} lanes at most share a wavefront, unless "
                 "they ask for the same words; that the others come later is no conflict.",
                 index(pattern.bytes()), index(words), index(pattern.lanes() / words)));
    if (pattern.machine == AccessPattern::Machine::eight && pattern.shared())
        figure.said.push_back(rich("No GPU has **8** banks. The rule is that of 32 lanes over 32 banks."));
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
        figure.panels.push_back(words_panel("no pattern", below, *cost.refusal));
    else
        add_pictures(figure, frame, below);
    if (frame.interactive && controls_height == 0) // the pictures are below the controls, whose height is not known yet
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
    // A power of two, at least 4. So most changes of the pattern do not move the rows.
    const int rows_with_room = std::max(4, static_cast<int>(std::bit_ceil(static_cast<unsigned>(cost.rows))));
    const int columns_shown = pattern.shared() ? pattern.banks() : static_cast<int>(words_of_line);
    const AccessGrid grid(theme, pattern.lanes(), columns_shown, rows_with_room, bands[0]);
    follow(frame, grid);
    const AccessDiagram picture = diagram(frame, grid);
    figure.panels.push_back(
        {.id = "pattern", .box = bands[0], .layers = picture.layers(), .use_mouse = [this, grid](const Box&) {
             drag(grid);
         }});
    const auto choose_stride = [this](int value) { pattern.stride = value; };
    const std::vector<Box> below =
        columns(bands[1], {share_of_rest(0.4f), share_of_rest(0.2f), share_of_rest(0.4f)}, theme.px(12));
    auto measured = measured_panel(frame, pattern, cost, below[2]);
    const std::vector<Box> two = columns(bands[1], {share_of_rest(0.68f), share_of_rest(0.32f)}, theme.px(12));
    figure.panels.push_back(stride_panel(theme, pattern, cost, strides, choose_stride, measured ? below[0] : two[0]));
    figure.panels.push_back(width_panel(
        theme, pattern, widths, [this](AccessPattern::Width width) { pattern.width = width; },
        measured ? below[1] : two[1]));
    if (measured)
        figure.panels.push_back(std::move(*measured));
    const bool time_passes = frame.motion.wanted && frame.seconds > seconds;
    figure.settled = !time_passes || (slide.share(frame.seconds) >= 1 && picture.motion.over(cost.rows));
}

void PatternsView::draw_presets(ViewFrame& frame, draw::Controls& row)
{
    const auto of_memory = [&](AccessPattern of) { // sets what a preset keeps
        of.memory = pattern.memory, of.access = pattern.access, of.wavefront = pattern.wavefront;
        return of;
    };
    for (const PatternPreset& preset : presets) {
        const std::string mark = "preset " + preset.name;
        if (row.choice(preset.name.c_str(), of_memory(preset.pattern) == pattern, {.mark = mark}))
            choose(preset.pattern);
        if (ImGui::IsItemHovered())
            frame.hint = preset.words;
    }
}

void PatternsView::draw_switches(draw::Controls& row)
{
    using Machine = AccessPattern::Machine;
    row.begin_group();
    const bool model = pattern.machine == Machine::eight, loads = pattern.access == AccessPattern::Access::load;
    if (row.choice("8 lanes", model, {.partner = "32 lanes"}) && !model)
        set_machine(Machine::eight);
    if (row.choice("32 lanes", !model) && model)
        set_machine(Machine::whole);
    if (row.choice("shared", pattern.shared(), {.partner = "global"}))
        pattern.memory = AccessPattern::Memory::shared;
    if (row.choice("global", !pattern.shared()))
        pattern.memory = AccessPattern::Memory::global;
    if (row.choice("load", loads, {.partner = "store"}))
        pattern.access = AccessPattern::Access::load;
    if (row.choice("store", !loads))
        pattern.access = AccessPattern::Access::store;
    const std::string bytes = counted(static_cast<uint64_t>(pattern.bytes()), "byte");
    if (row.choice(bytes.c_str(), false, {.mark = "width"})) // the narrowest width follows the widest one
        pattern.width = static_cast<AccessPattern::Width>((static_cast<int>(pattern.width) + 1) % 5);
    if (row.choice("play", false))
        to_play = true;
}

void PatternsView::draw_controls(ViewFrame& frame)
{
    if (const Rich words = lane_words(pattern, cost, static_cast<int>(frame.selection.lane)); !words.empty())
        frame.hint = plain(words);
    draw::Controls row(frame, controls);
    draw_presets(frame, row);
    draw_switches(row);
    row.begin_group();
    for (const auto& [number, words] :
         {std::pair{stride, "stride"}, {offset, "offset"}, {padding, "padding"}, {xor_bits, "XOR"}, {row_lanes, "row"}})
        if (const auto value = row.number(words, pattern.*number.member, number.least, number.most, number_hint(number),
                                          in_formula(number)))
            change(number, *value - pattern.*number.member);
    if (auto typed = row.formula(formula_of(pattern), std::exchange(focus_formula, false),
                                 "lane to element, in lane, row, col, stride, offset, padding and the operators of C"))
        pattern.formula = std::move(*typed);
    controls_height = row.height();
}

} // namespace

std::unique_ptr<View> make_patterns_view()
{
    return std::make_unique<PatternsView>();
}

} // namespace viz
