// Global memory: what each request of a warp moves, in lines and sectors, and how well each source line uses them.
#include "viz/view.h"

#include "viz/draw/columns.h"
#include "viz/draw/heading.h"
#include "viz/draw/prose.h"
#include "viz/draw/sector_diagram.h"
#include "viz/text/templates.h"
#include "viz/views/25_global/cache_picture.h"
#include "viz/views/25_global/global_part.h"
#include "viz/views/25_global/launch_bars.h"
#include "viz/views/25_global/use_table.h"

#include <algorithm>

namespace viz {

std::unique_ptr<View> make_global_view();

namespace {

class GlobalView final : public View {
public:
    std::string_view name() const override { return "global"; }
    std::string_view title() const override { return "Global memory"; }
    ViewGroup group() const override { return ViewGroup::memory; }
    std::vector<Numbers> numbers() const override
    {
        std::vector<Numbers> all = {{Numbers::How::recorded, "addresses"},
                                    {Numbers::How::derived, "requests, sectors"}};
        if (counted_from)
            all.push_back({Numbers::How::counted, "hits in L1 and L2, bytes of DRAM", counted_from});
        return all;
    }
    ViewCommands commands() override
    {
        return {{"n", "the next source line that goes to global memory",
                 [](const ViewScene& scene) { move_line(scene, part_of(scene, 0), 1); }},
                {"N", "the previous source line that goes to global memory",
                 [](const ViewScene& scene) { move_line(scene, part_of(scene, 0), -1); }},
                {"p", "have the GPU count what its caches caught",
                 [](const ViewScene& scene) { scene.requests.count = true; }}};
    }
    void draw(ViewFrame& frame) override;

private:
    static GlobalPart part_of(const ViewScene& scene, std::size_t number);
    float draw_headings(ViewFrame& frame, const std::vector<GlobalPart>& parts) const;
    void draw_pictures(ViewFrame& frame, const std::vector<GlobalPart>& parts, const draw::Box& box);
    void draw_diagrams(ViewFrame& frame, const std::vector<GlobalPart>& parts, const draw::Box& box) const;
    void draw_tables(ViewFrame& frame, const std::vector<GlobalPart>& parts, const draw::Box& box) const;
    float caches_height(ViewFrame& frame, const std::vector<GlobalPart>& parts);
    void draw_caches(ViewFrame& frame, const std::vector<GlobalPart>& parts, const draw::Box& box) const;
    static void go_to(const ViewScene& scene, const GlobalPart& part, const GlobalUse& use);
    static void move_line(const ViewScene& scene, const GlobalPart& part, int by);

    std::optional<Provenance> counted_from; // what the last frame showed
};

GlobalPart GlobalView::part_of(const ViewScene& scene, std::size_t number)
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
        part.focus.why = plain(Message{"global.no_access"});
    return part;
}

// The next access of that line, or its first one.
void GlobalView::go_to(const ViewScene& scene, const GlobalPart& part, const GlobalUse& use)
{
    const auto& accesses = part.focus.warp->accesses;
    const std::size_t count = accesses.size();
    for (std::size_t i = 1; i <= count; ++i) {
        const std::size_t step = (part.focus.step + i) % count;
        if (is_global(accesses[step].op) && is_of(accesses[step], use)) {
            scene.selection.step = step;
            break;
        }
    }
    scene.selection.line = use.line;
}

void GlobalView::move_line(const ViewScene& scene, const GlobalPart& part, int by)
{
    if (!part.knows_use() || part.use->empty())
        return;
    const std::vector<GlobalUse>& use = *part.use;
    const auto now = std::ranges::find_if(use, [&](const GlobalUse& entry) { return is_of(part.shown(), entry); });
    const auto count = static_cast<std::ptrdiff_t>(use.size());
    const std::ptrdiff_t place = now == use.end() ? 0 : now - use.begin();
    go_to(scene, part, use[static_cast<std::size_t>((place + by + count) % count)]);
}

// Returns the place below.
float GlobalView::draw_headings(ViewFrame& frame, const std::vector<GlobalPart>& parts) const
{
    float below = 0;
    for (const GlobalPart& part : parts) {
        const Message said = part.ready() ? headline(part) : Message{"global.headline_none"};
        below = std::max(below, draw::stage_headline(frame, *part.stage, said, part.box));
        if (part.ready())
            for (Messages& paragraph : in_words(frame.theme, part))
                frame.explain(std::move(paragraph));
    }
    const float top = parts.front().box.min.y + below;
    for (const GlobalPart& part : parts)
        if (!part.ready())
            Prose(frame.theme).strong(part.focus.why).draw({part.box.min.x, top}, part.box.width());
    return top;
}

void GlobalView::draw_diagrams(ViewFrame& frame, const std::vector<GlobalPart>& parts, const draw::Box& box) const
{
    std::size_t lines = 0;
    for (const GlobalPart& part : parts)
        lines = std::max(lines, part.picture.lines.size());
    for (const GlobalPart& part : parts)
        if (part.ready())
            draw_sector_diagram(frame, *part.stage,
                                {part.picture, part.shown(), part.array(), (*part.elements)[part.shown().array],
                                 part.beside(box), lines});
}

void GlobalView::draw_tables(ViewFrame& frame, const std::vector<GlobalPart>& parts, const draw::Box& box) const
{
    uint64_t most = 0;
    std::size_t rows = 0;
    for (const GlobalPart& part : parts)
        if (part.knows_use()) {
            most = std::max(most, most_bytes(*part.use));
            rows = std::max(rows, part.use->size());
        }
    for (const GlobalPart& part : parts) {
        if (!part.knows_use())
            continue;
        const UseTable table{part, frame.theme, part.beside(box), most, frame.theme.accent(part.stage->number), rows};
        ImGui::PushID(static_cast<int>(part.stage->number));
        if (const auto hit = draw_use_table(table)) {
            frame.point_out(use_message(part, *hit->use));
            if (hit->clicked)
                go_to(frame, part, *hit->use);
        }
        ImGui::PopID();
        mark_picture(frame.marks, "lines of " + part.stage->slug, table.box);
    }
}

// What is said of the caches, and the room that their bars take.
float GlobalView::caches_height(ViewFrame& frame, const std::vector<GlobalPart>& parts)
{
    counted_from.reset();
    float height = 0;
    for (const GlobalPart& part : parts) {
        if (!part.ready())
            continue;
        const CachePicture picture = CachePicture::of(*part.stage->recording, frame.board, 0);
        if (const HardwareFigures* any = picture.any(); any != nullptr && !counted_from)
            counted_from = any->from;
        for (Messages& paragraph : cache_words(picture))
            frame.explain(std::move(paragraph));
        const bool button = picture.gpu && picture.figures == nullptr && !picture.counting;
        height = std::max(height, button ? ImGui::GetFrameHeight() : cache_bars_height(frame.theme, picture));
    }
    return height;
}

void GlobalView::draw_caches(ViewFrame& frame, const std::vector<GlobalPart>& parts, const draw::Box& box) const
{
    const Theme& theme = frame.theme;
    for (const GlobalPart& part : parts) {
        if (!part.ready())
            continue;
        const CachePicture picture =
            CachePicture::of(*part.stage->recording, frame.board, theme.accent(part.stage->number));
        const draw::Box place = part.beside(box);
        if (picture.figures != nullptr) {
            if (auto said = draw_cache_bars(theme, picture, place, part.marks))
                frame.point_out(std::move(*said));
            mark_picture(frame.marks, "caches of " + part.stage->slug, place);
        } else if (picture.gpu && !picture.counting) {
            ImGui::SetCursorScreenPos(place.min);
            ImGui::PushID(static_cast<int>(part.stage->number));
            frame.requests.count |= draw::choice(theme, {"count on this GPU"}, frame.hint);
            ImGui::PopID();
        }
    }
}

// From below: the caches, both launches, the source lines; the request of the step takes what remains.
void GlobalView::draw_pictures(ViewFrame& frame, const std::vector<GlobalPart>& parts, const draw::Box& box)
{
    const Theme& theme = frame.theme;
    const float gap = theme.px(5);
    float bottom = box.max.y;
    const auto take = [&](float height) {
        const draw::Box room{{box.min.x, bottom - height}, {box.max.x, bottom}};
        bottom -= height + (height > 0 ? gap : 0);
        return room;
    };
    // In a low window the caches are in the inspector alone.
    const float caches_high = caches_height(frame, parts);
    const bool with_caches = box.height() >= theme.px(470);
    const draw::Box caches = take(with_caches ? caches_high : 0);
    if (parts.size() > 1 && parts[0].knows_use() && parts[1].knows_use())
        draw_launch_bars(frame, parts[0], parts[1], take(launch_bars_height(theme)));
    std::size_t rows = 0, lines = 1;
    for (const GlobalPart& part : parts) {
        rows = std::max(rows, part.knows_use() ? part.use->size() : 0);
        lines = std::max(lines, part.picture.lines.size());
    }
    // Few lines of memory leave their room to the table.
    const float room = bottom - box.min.y, least = std::min(use_table_height(theme, rows), room * 0.5f);
    const float diagram = sector_diagram_height(theme, lines, room - least - gap);
    const draw::Box table{{box.min.x, box.min.y + diagram + gap}, {box.max.x, bottom}};
    draw_diagrams(frame, parts, {box.min, {box.max.x, box.min.y + diagram}});
    if (rows > 0)
        draw_tables(frame, parts, table);
    if (with_caches)
        draw_caches(frame, parts, caches);
}

void GlobalView::draw(ViewFrame& frame)
{
    ImGui::BeginChild("global view", {0, 0}, false);
    const std::vector<draw::Box> places = draw::columns(frame.theme, frame.columns.size());
    std::vector<GlobalPart> parts;
    for (std::size_t i = 0; i < frame.columns.size(); ++i) {
        parts.push_back(part_of(frame, i));
        parts.back().box = places[i];
        parts.back().marks = i == 0 ? frame.marks : nullptr;
    }
    if (parts.front().ready())
        frame.hint = plain(lane_message(parts.front(), frame.selection.lane));
    const float top = draw_headings(frame, parts);
    draw_pictures(frame, parts, {{places.front().min.x, top}, places.back().max});
    ImGui::EndChild();
}

} // namespace

std::unique_ptr<View> make_global_view()
{
    return std::make_unique<GlobalView>();
}

} // namespace viz
