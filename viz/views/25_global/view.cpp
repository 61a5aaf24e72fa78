// The global memory view: the lines and sectors that each request of a warp moves, and how well each source line uses
// them.
#include "viz/draw/controls.h"
#include "viz/figure/draw_figure.h"
#include "viz/figure/layout.h"
#include "viz/figure/sector_panel.h"
#include "viz/view_options.h"
#include "viz/views/25_global/facts.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace viz {

std::unique_ptr<View> make_global_view();

namespace {

GlobalPart part_of(const ViewScene& scene, std::size_t number)
{
    const StageColumn& stage = scene.columns[number];
    GlobalPart part{.stage = &stage, .focus = focus_on(scene, stage)};
    if (!part.focus.warp)
        return part;
    part.elements = &stage.memo<elements_of>();
    part.use = stage.memo_later<global_use>(access_count(*part.focus.block) <= accesses_in_frame, *part.focus.block);
    part.step = step_shown(scene, stage, part.focus, nearest_global);
    if (part.step && part.shown().array < part.focus.recording->arrays.size())
        part.picture = sector_picture(part.shown(), part.array());
    else
        part.focus.why = "This warp makes no access to global memory that was recorded: bulk copies move its tiles, or "
                         "other warps do.";
    return part;
}

// Goes to the next access of the line, or else to its first one.
void go_to(const ViewScene& scene, const GlobalPart& part, const GlobalUse& use)
{
    const auto& accesses = part.focus.warp->accesses;
    const std::size_t count = accesses.size();
    for (std::size_t i = 1; i <= count; ++i) {
        const std::size_t step = (part.focus.step + i) % count;
        if (has_global_cost(accesses[step]) && is_of(accesses[step], use)) {
            scene.selection.step = step;
            break;
        }
    }
    scene.selection.line = use.line;
}

void move_line(const ViewScene& scene, const GlobalPart& part, int by)
{
    if (!part.knows_use() || part.use->empty())
        return;
    const std::vector<GlobalUse>& use = *part.use;
    const auto now = std::ranges::find_if(use, [&](const GlobalUse& entry) { return is_of(part.shown(), entry); });
    const auto count = static_cast<std::ptrdiff_t>(use.size());
    const std::ptrdiff_t place = now == use.end() ? 0 : now - use.begin();
    go_to(scene, part, use[static_cast<std::size_t>((place + by + count) % count)]);
}

enum class GlobalPage : uint8_t { request, lines, hints };
constexpr std::string_view page_names[] = {"request", "lines", "hints"};

struct GlobalOptions {
    GlobalPage page = GlobalPage::request; // lines: those that L1 holds; hints: measured ways to keep a table in L2
    uint32_t kib = 0;                      // of that L1; 0: as the GPU has it
};

void fields(auto& visit, kernels::Like<GlobalOptions> auto& options)
{
    visit("page", options.page, OneOf{page_names});
    visit("kib", options.kib);
}

// Stacks the pictures from the bottom: the caches, both launches, the source lines. The request of the step gets the
// remaining room.
class GlobalFigure {
public:
    GlobalFigure(const ViewFrame& of, const GlobalOptions& options) : frame(of), theme(of.theme), chosen(options)
    {
        for (std::size_t i = 0; i < frame.columns.size(); ++i)
            parts.push_back(part_of(frame, i));
    }

    Figure make(const Box& box)
    {
        if (chosen.page == GlobalPage::hints) { // their figures are of another program than the stages
            add_cache_hints(figure, frame, box);
            return std::move(figure);
        }
        places = add_headings(figure, frame, box, [&](const StageColumn& stage) {
            const GlobalPart& part = parts[stage.number];
            return !part.ready()                      ? rich("no request of a lane")
                   : chosen.page == GlobalPage::lines ? l1_headline(page_of(part))
                                                      : global_headline(part);
        });
        explain();
        if (chosen.page == GlobalPage::lines) {
            for (const GlobalPart& part : parts)
                add_l1_lines(figure, frame, page_of(part), places[part.stage->number]);
            return std::move(figure);
        }
        const Box below{{box.min.x, places.front().min.y}, box.max};
        const bool with_caches = below.height() >= theme.px(470); // in a low window only the inspector has them
        const float caches = with_caches ? caches_height() : 0;
        const bool compared = parts.size() > 1 && parts[0].knows_use() && parts[1].knows_use();
        const float launches = compared ? 4 * draw::row_height(theme, 5) : 0;
        const float gap = theme.px(5);
        const float room = below.height() - caches - launches - 3 * gap;
        const float diagram = diagram_height(room);
        const std::vector<Box> bands =
            rows(below, {pixels(diagram), share_of_rest(), pixels(launches), pixels(caches)}, gap);
        for (std::size_t i = 0; i < parts.size(); ++i)
            add_stage(i, bands[0], bands[1]);
        if (compared)
            figure.panels.push_back(
                {.id = "launches", .box = bands[2], .layers = {launch_bars(theme, parts[0], parts[1])}});
        if (with_caches)
            add_caches(bands[3]);
        return std::move(figure);
    }

    std::vector<Box> buttons; // each has a button if a stage's counters can be read

    bool has_lines() const { return page_of(parts.front()).lines != nullptr; }

private:
    L1Page page_of(const GlobalPart& part) const
    {
        return l1_page(part, frame.ladder_facts, uint64_t{chosen.kib} * 1024);
    }

    Box beside(std::size_t number, const Box& band) const
    {
        return {{places[number].min.x, band.min.y}, {places[number].max.x, band.max.y}};
    }

    void explain()
    {
        figure.numbers = {{Numbers::How::recorded, "addresses"}, {Numbers::How::derived, "requests, sectors"}};
        for (const GlobalPart& part : parts) {
            if (!part.ready())
                continue;
            for (Rich& paragraph : request_paragraphs(theme, part))
                figure.said.push_back(std::move(paragraph));
        }
        for (const GlobalPart& part : parts) {
            if (!part.ready())
                continue;
            const CacheFacts facts = CacheFacts::of(*part.stage->recording, frame.ladder_facts);
            if (const HardwareFigures* any = facts.any(); any != nullptr && figure.numbers.size() == 2)
                figure.numbers.push_back({Numbers::How::counted, "hits in L1 and L2, bytes of DRAM", any->from});
            for (Rich& paragraph : cache_paragraphs(facts))
                figure.said.push_back(std::move(paragraph));
        }
    }

    // The lines below get the room that a request with few memory lines does not need.
    float diagram_height(float room) const
    {
        std::size_t uses = 0, lines = 1;
        for (const GlobalPart& part : parts) {
            uses = std::max(uses, part.knows_use() ? part.use->size() : 0);
            lines = std::max(lines, part.picture.lines.size());
        }
        if (uses == 0)
            return sector_diagram_height(theme, lines, room);
        const float table = draw::row_height(theme, 3) + static_cast<float>(uses) * draw::row_height(theme, 7);
        return sector_diagram_height(theme, lines, room - std::min(table, room * 0.5f));
    }

    void add_stage(std::size_t number, const Box& diagram, const Box& table)
    {
        const GlobalPart& part = parts[number];
        if (!part.ready()) {
            figure.panels.push_back({.id = fmt::format("why not {}", number),
                                     .box = beside(number, diagram),
                                     .layers = {RichTextLayer{rich("*{}*", part.focus.why)}},
                                     .is_picture = false});
            return;
        }
        std::size_t lines = 0;
        for (const GlobalPart& one : parts)
            lines = std::max(lines, one.picture.lines.size());
        figure.panels.push_back(sector_panel(frame, *part.stage,
                                             {part.picture, part.shown(), part.array(),
                                              (*part.elements)[part.shown().array], beside(number, diagram), lines}));
        if (part.knows_use() && !part.use->empty())
            add_lines(number, beside(number, table));
    }

    // Rows of both stages have the same height.
    void add_lines(std::size_t number, Box box)
    {
        const GlobalPart& part = parts[number];
        double sectors = 0, bytes = 0;
        std::size_t uses = 0;
        for (const GlobalPart& one : parts) {
            if (!one.knows_use())
                continue;
            sectors = std::max(sectors, most_sectors(*one.use));
            bytes = std::max(bytes, most_bytes(*one.use));
            uses = std::max(uses, one.use->size());
        }
        const float head = draw::line_height(theme.text) + theme.px(3);
        const auto share = static_cast<float>(part.use->size()) / static_cast<float>(uses);
        box.max.y = std::max(box.min.y + head + (box.height() - head) * share, box.min.y);
        const std::vector<Box> sides = columns(box, {share_of_rest(0.52f), share_of_rest(0.48f)}, theme.px(8));
        const GoTo choose = [scene_part = part](const ViewScene& scene, const GlobalUse& use) {
            go_to(scene, scene_part, use);
        };
        const std::string names[] = {"line: sectors/request in this block", "sectors/request, block", "sectors, block",
                                     "sectors"};
        figure.panels.push_back({.id = fmt::format("lines {}", number),
                                 .box = sides[0],
                                 .title = draw::first_fitting(theme.text, sides[0].width(), names),
                                 .layers = {use_bars(theme, part, sectors, choose)}});
        figure.panels.push_back({.id = fmt::format("bytes {}", number),
                                 .box = sides[1],
                                 .title = "bytes of the launch",
                                 .layers = {byte_bars(theme, part, bytes, choose)}});
    }

    std::optional<CacheFacts> caches_of(const GlobalPart& part) const
    {
        return part.ready() ? std::optional(CacheFacts::of(*part.stage->recording, frame.ladder_facts)) : std::nullopt;
    }

    float caches_height() const
    {
        float height = 0;
        for (const GlobalPart& part : parts)
            if (const auto facts = caches_of(part))
                height = std::max(height, facts->can_be_counted() ? ImGui::GetFrameHeight()
                                                                  : bars_height(theme, cache_bars(*facts, 0, "", 1)));
        return height;
    }

    void add_caches(const Box& band)
    {
        double most = 1;
        for (const GlobalPart& part : parts)
            if (const auto facts = caches_of(part))
                most = std::max(most, most_bytes(*facts));
        for (const GlobalPart& part : parts) {
            const auto facts = caches_of(part);
            if (!facts)
                continue;
            const std::size_t number = part.stage->number;
            const Box place = beside(number, band);
            if (facts->figures != nullptr)
                figure.panels.push_back(
                    {.id = fmt::format("caches {}", number),
                     .box = place,
                     .layers = {cache_bars(*facts, theme.accent(number), mark_of(*part.stage, "cache"), most)}});
            else if (facts->can_be_counted())
                buttons.push_back(place);
        }
    }

    const ViewFrame& frame;
    const Theme& theme;
    const GlobalOptions& chosen;
    std::vector<GlobalPart> parts;
    std::vector<Box> places; // of the stages, below their headings
    Figure figure;
};

class GlobalView final : public View {
public:
    std::string_view name() const override { return "global"; }
    std::string_view title() const override { return "Global memory"; }
    ViewGroup group() const override { return ViewGroup::memory; }
    ViewCommands commands() override
    {
        return {{"n", "the next source line that goes to global memory",
                 [](const ViewScene& scene) { move_line(scene, part_of(scene, 0), 1); }},
                {"N", "the previous source line that goes to global memory",
                 [](const ViewScene& scene) { move_line(scene, part_of(scene, 0), -1); }},
                {"v", "the lines that L1 holds, step by step: a model",
                 [this](const ViewScene&) { turn_to(GlobalPage::lines); }},
                {"x", "hints to L2, and lines that persist there: what they gained, as measured",
                 [this](const ViewScene&) { turn_to(GlobalPage::hints); }},
                {"p", "have the GPU count what its caches caught",
                 [](const ViewScene& scene) { scene.requests.count = true; }}};
    }
    Figure figure(const ViewFrame& frame, const Box& box) override
    {
        GlobalFigure made(frame, chosen);
        controls_place = {{box.min.x, box.max.y - ImGui::GetFrameHeight()}, box.max};
        controlled = chosen.page != GlobalPage::request || made.has_lines();
        Box room = box;
        room.max.y = controlled ? controls_place.min.y - frame.theme.px(4) : box.max.y;
        Figure shown = made.make(room);
        buttons = std::move(made.buttons);
        return shown;
    }
    void draw_controls(ViewFrame& frame) override
    {
        if (const GlobalPart part = part_of(frame, 0); part.ready() && chosen.page != GlobalPage::hints)
            frame.hint = plain(lane_words(part, frame.selection.lane));
        for (const Box& place : buttons) {
            ImGui::SetCursorScreenPos(place.min);
            ImGui::PushID(static_cast<int>(place.min.x));
            frame.requests.count |= draw::choice(frame.theme, {"count on this GPU"}, frame.hint);
            ImGui::PopID();
        }
        if (!controlled)
            return;
        draw::Controls row(frame, controls_place);
        if (row.choice("lines of L1", chosen.page == GlobalPage::lines, {.mark = "lines"}))
            turn_to(GlobalPage::lines);
        if (row.choice("hints to L2", chosen.page == GlobalPage::hints, {.mark = "hints"}))
            turn_to(GlobalPage::hints);
        row.begin_group();
        for (const auto& [words, kib] : {std::pair{"all of L1", 0u}, {"8 KiB", 8u}, {"4 KiB", 4u}, {"2 KiB", 2u}})
            if (chosen.page == GlobalPage::lines && row.choice(words, chosen.kib == kib))
                chosen.kib = kib;
    }
    std::string options() const override { return text_of_options(chosen); }
    void set_options(std::string_view text) override { chosen = options_of<GlobalOptions>(text); }

private:
    void turn_to(GlobalPage page) { chosen.page = chosen.page == page ? GlobalPage::request : page; }

    GlobalOptions chosen;
    Box controls_place{};
    bool controlled = false;  // the last figure left room for controls
    std::vector<Box> buttons; // of the last figure
};

} // namespace

std::unique_ptr<View> make_global_view()
{
    return std::make_unique<GlobalView>();
}

} // namespace viz
