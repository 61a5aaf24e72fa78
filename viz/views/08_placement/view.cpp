// Placement: where and when each block of the launch ran; waves, tail and imbalance.
#include "viz/view.h"

#include "viz/analysis/ownership.h"
#include "viz/draw/focus.h"
#include "viz/text/figures.h"
#include "viz/text/templates.h"
#include "viz/views/08_placement/messages.h"
#include "viz/views/08_placement/placement_chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace viz {

std::unique_ptr<View> make_placement_view();

namespace {

// The recording of the other views, or what is shipped: a launch of many blocks, or of few tiles of C and a long K.
enum class Launches : uint8_t { recorded, many, tall };
constexpr Launches all_launches[] = {Launches::recorded, Launches::many, Launches::tall};

// One of the stages shown.
struct PlacementSide {
    std::shared_ptr<const recording::Recording> recording;
    std::optional<PlacementPicture> picture;
    std::optional<uint32_t> block; // selected, linear in the grid
    SmImage image;
    bool shipped = false; // not the recording of the other views

    // Whether it is another recording now.
    bool update(const std::shared_ptr<const recording::Recording>& wanted)
    {
        if (wanted == recording)
            return false;
        recording = wanted;
        picture = recording ? placement_of(*recording) : std::nullopt;
        block.reset();
        image.picture = nullptr;
        return true;
    }
    // Leaves it as it is where the grid has no such block.
    void select(const recording::Index3& index)
    {
        const recording::Index3& grid = recording->launch.grid;
        if (index.x < grid.x && index.y < grid.y && index.z < grid.z)
            block = linear_of(index, grid);
    }
    const PlacedBlock* selected() const
    {
        if (!picture || !block)
            return nullptr;
        const auto found = std::ranges::find(picture->blocks, *block, &PlacedBlock::block);
        return found == picture->blocks.end() ? nullptr : &*found;
    }
};

std::vector<LegendItem> wave_legend(const Theme& theme, const PlacementPicture& picture)
{
    constexpr uint32_t most = 9; // colours repeat then
    std::vector<LegendItem> items;
    for (uint32_t wave = 0; wave < std::min(picture.waves, most); ++wave)
        items.push_back({wave_colour(theme, wave), {"placement.wave", {{"wave", wave + 1}}}});
    if (picture.waves > most)
        items.push_back({theme.ink_faint, {"placement.waves_more", {{"waves", picture.waves}}}});
    return items;
}

class PlacementView final : public View {
public:
    std::string_view name() const override { return "placement"; }
    std::string_view title() const override { return "Placement"; }
    ViewGroup group() const override { return ViewGroup::who; }
    std::vector<Numbers> numbers() const override
    {
        return {{Numbers::How::recorded, "SMs and times of blocks"}, {Numbers::How::derived, "waves, shares"}};
    }
    std::vector<std::pair<std::string, std::string>> keys() const override
    {
        return {{"v", "the recording, or a shipped launch: of many blocks, or of few tiles and a long K"},
                {"n and N", "the next or the previous block of the SM"},
                {"j and k", "the next or the previous SM"},
                {"+ and -", "zoom the time; the wheel too"},
                {"h and ;", "move the time"},
                {"0", "all of the time"}};
    }
    void draw(ViewFrame& frame) override;

private:
    void choose_recordings(ViewFrame& frame);
    std::shared_ptr<const recording::Recording> launch_of(const ViewFrame& frame, int side, Launches which) const;
    void draw_switch(ViewFrame& frame, const std::vector<Launches>& offered, Launches shown);
    void follow_selection(const ViewFrame& frame);
    void use_keys(ViewFrame& frame);
    void zoom(double factor, double around);
    void select(ViewFrame& frame, PlacementSide& side, const PlacedBlock& block);
    float draw_side(ViewFrame& frame, const Subject& subject, PlacementSide& side, const draw::Box& box);
    void use_mouse(ViewFrame& frame, PlacementSide& side, const PlacedBlock* hovered, const draw::Box& box);

    std::array<PlacementSide, 2> sides;
    std::optional<Launches> wanted;      // chosen by hand
    std::optional<std::size_t> followed; // Selection::block, by the recordings shown
    double whole = 1;                    // nanoseconds: of the longer launch
    TimeWindow time;
    bool comparing = false;
};

// Null: there is none, or of other parameters, or the CPU made it and it has no SMs.
std::shared_ptr<const recording::Recording> PlacementView::launch_of(const ViewFrame& frame, int side,
                                                                     Launches which) const
{
    const Subject& subject = side == 0 ? frame.first : *frame.second;
    if (!subject.recording)
        return nullptr;
    if (which == Launches::recorded)
        return subject.recording->placements.empty() ? nullptr : subject.recording;
    const RungFacts* rung = frame.board ? frame.board->find(subject.recording->stage) : nullptr;
    if (rung == nullptr)
        return nullptr;
    const auto& launch = which == Launches::many ? rung->launch : rung->tall;
    return launch && launch->parameters == subject.recording->parameters ? launch : nullptr;
}

void PlacementView::choose_recordings(ViewFrame& frame)
{
    comparing = frame.second != nullptr;
    const int count = comparing ? 2 : 1;
    std::vector<Launches> offered; // that each side has
    for (const Launches which : all_launches)
        if (launch_of(frame, 0, which) && (!comparing || launch_of(frame, 1, which)))
            offered.push_back(which);
    const auto has = [&](Launches which) { return std::ranges::find(offered, which) != offered.end(); };
    Launches shown = has(Launches::many) ? Launches::many : offered.empty() ? Launches::recorded : offered.front();
    if (wanted && has(*wanted))
        shown = *wanted;
    double longest = 1;
    for (int i = 0; i < count; ++i) {
        sides[i].shipped = shown != Launches::recorded;
        const auto launch = launch_of(frame, i, shown);
        if (sides[i].update(launch ? launch : (i == 0 ? frame.first : *frame.second).recording))
            followed.reset();
        if (sides[i].picture)
            longest = std::max(longest, static_cast<double>(sides[i].picture->span_ns));
    }
    if (longest != whole) {
        whole = longest;
        time = {0, whole};
    }
    draw_switch(frame, offered, shown);
}

void PlacementView::draw_switch(ViewFrame& frame, const std::vector<Launches>& offered, Launches shown)
{
    if (offered.size() < 2)
        return;
    constexpr const char* names[] = {"recorded launch", "large launch", "tall launch"};
    for (std::size_t i = 0; i < offered.size(); ++i) {
        const auto launch = launch_of(frame, 0, offered[i]);
        const std::string words = plain(Message{
            "placement.size", {{"size", size_words(launch->problem)}, {"blocks", launch->launch.grid.volume()}}});
        if (i > 0)
            draw::flow(draw::button_width(words.c_str()));
        if (draw::choice(frame.theme, {words.c_str(), shown == offered[i], {}}, frame.hint))
            wanted = offered[i];
        mark_item(frame.marks, names[static_cast<std::size_t>(offered[i])]);
        if (shown == offered[i] && draw::typed('v'))
            wanted = offered[(i + 1) % offered.size()];
    }
}

// The block that all views share, where the recording of the other views is the one shown.
void PlacementView::follow_selection(const ViewFrame& frame)
{
    for (PlacementSide& side : sides)
        if (side.picture && !side.block)
            side.block = side.picture->blocks.front().block;
    if (sides[0].shipped || !frame.first.recording || frame.first.recording->blocks.empty())
        return;
    if (followed == frame.selection.block)
        return;
    followed = frame.selection.block;
    const auto& blocks = frame.first.recording->blocks;
    const recording::Index3& shared = blocks[std::min(frame.selection.block, blocks.size() - 1)].block;
    for (PlacementSide& side : sides)
        if (side.recording)
            side.select(shared);
}

void PlacementView::select(ViewFrame& frame, PlacementSide& side, const PlacedBlock& block)
{
    side.block = block.block;
    const recording::Index3 index = index_of(block.block, side.recording->launch.grid);
    for (PlacementSide& other : sides) // the same block of the other stage
        if (&other != &side && other.recording)
            other.select(index);
    if (frame.wishes && !side.shipped)
        frame.wishes->block = index;
}

void PlacementView::zoom(double factor, double around)
{
    const double span = std::clamp(time.span() / factor, whole * 1e-4, whole);
    const double share = (around - time.from) / time.span();
    time.from = std::clamp(around - share * span, 0.0, whole - span);
    time.until = time.from + span;
}

void PlacementView::use_keys(ViewFrame& frame)
{
    const double middle = (time.from + time.until) / 2;
    if (draw::typed('+') || draw::typed('='))
        zoom(1.5, middle);
    if (draw::typed('-'))
        zoom(1 / 1.5, middle);
    if (draw::typed('0'))
        time = {0, whole};
    const double by = ((draw::typed(';') ? 1 : 0) - (draw::typed('h') ? 1 : 0)) * time.span() / 4;
    const double from = std::clamp(time.from + by, 0.0, whole - time.span());
    time = {from, from + time.span()};
    PlacementSide& side = sides[0];
    const PlacedBlock* now = side.selected();
    if (now == nullptr)
        return;
    const PlacementPicture& picture = *side.picture;
    const auto at = static_cast<std::size_t>(now - picture.blocks.data());
    if (draw::typed('n') && at + 1 < picture.first[now->sm + 1])
        select(frame, side, picture.blocks[at + 1]);
    if (draw::typed('N') && at > picture.first[now->sm])
        select(frame, side, picture.blocks[at - 1]);
    if (draw::typed('j') && picture.first[now->sm + 1] < picture.blocks.size())
        select(frame, side, picture.blocks[picture.first[now->sm + 1]]);
    if (draw::typed('k') && picture.first[now->sm] > 0)
        select(frame, side, picture.blocks[picture.first[picture.blocks[picture.first[now->sm] - 1].sm]]);
}

void PlacementView::use_mouse(ViewFrame& frame, PlacementSide& side, const PlacedBlock* hovered, const draw::Box& box)
{
    if (ImGui::IsItemHovered() && ImGui::GetIO().MouseWheel != 0) {
        const float left = box.min.x + label_room(frame.theme);
        const double share = (ImGui::GetMousePos().x - left) / std::max(1.0f, box.max.x - left);
        zoom(std::pow(1.25, ImGui::GetIO().MouseWheel), time.from + share * time.span());
    }
    if (hovered == nullptr)
        return;
    const Message block = block_message(*side.recording, *hovered);
    frame.hint = plain(side.shipped ? block : Message{"placement.click", {{"block", block}}});
    if (ImGui::IsItemClicked())
        select(frame, side, *hovered);
}

// Returns the height.
float PlacementView::draw_side(ViewFrame& frame, const Subject& subject, PlacementSide& side, const draw::Box& box)
{
    const Theme& theme = frame.theme;
    ImDrawList* list = ImGui::GetWindowDrawList();
    float y = box.min.y + stage_heading(theme, subject).draw(list, box.min, box.width()) + theme.px(2);
    if (!side.picture) {
        const Prose why =
            side.recording ? Prose(theme).write(no_placement(*side.recording)) : Prose(theme).strong(subject.status);
        y += why.draw(list, {box.min.x, y}, box.width());
        return y - box.min.y;
    }
    const PlacementPicture& picture = *side.picture;
    y += Prose(theme)
             .write(Message{"placement.axes"})
             .legend(wave_legend(theme, picture))
             .draw(list, {box.min.x, y}, box.width()) +
         theme.px(4);
    // The picture first: in a low window the words below it can be scrolled to.
    const Prose words[] = {Prose(theme).write(wave_messages(*side.recording, picture)),
                           Prose(theme).write(balance_messages(*side.recording, picture))};
    float words_height = 0;
    for (const Prose& prose : words)
        words_height += prose.height(box.width()) + theme.px(3);
    Marks* const marks = &side == &sides[0] ? frame.marks : nullptr;
    const PlacementChart chart{picture, time, side.block, theme, marks};
    const float one = height_of_one_sm(picture, theme), resident = theme.px(54), gap = theme.px(8);
    const float sms = std::max(theme.px(90), box.max.y - y - one - resident - words_height - 3 * gap);
    const draw::Box sms_box{{box.min.x, y}, {box.max.x, y + sms}};
    use_mouse(frame, side, draw_sms(chart, side.image, sms_box), sms_box);
    y += std::min(sms, ImGui::GetItemRectMax().y - y) + gap;
    draw_resident(chart, {{box.min.x, y}, {box.max.x, y + resident}});
    mark(marks, "resident", {box.min.x + label_room(theme), y}, {box.max.x, y + resident});
    y += resident + gap;
    if (const PlacedBlock* selected = side.selected()) {
        const draw::Box one_box{{box.min.x, y}, {box.max.x, y + one}};
        if (one > 0)
            use_mouse(frame, side, draw_one_sm(chart, selected->sm, one_box), one_box);
        y += one;
        if (frame.hint.empty() && &side == &sides[0])
            frame.hint = plain(Message{"placement.selected", {{"block", block_message(*side.recording, *selected)}}});
    }
    y += gap;
    for (const Prose& prose : words)
        y += prose.draw(list, {box.min.x, y}, box.width()) + theme.px(3);
    return y - box.min.y;
}

void PlacementView::draw(ViewFrame& frame)
{
    ImGui::BeginChild("placement view", {0, 0}, false);
    choose_recordings(frame);
    follow_selection(frame);
    use_keys(frame);
    const ImVec2 corner = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
    const float gap = frame.theme.px(14), count = comparing ? 2 : 1;
    const float height = std::max(frame.theme.px(330), (room.y - gap * (count - 1) - frame.theme.px(6)) / count);
    float y = corner.y;
    for (int i = 0; i < (comparing ? 2 : 1); ++i) {
        ImGui::PushID(i);
        const float drawn = draw_side(frame, i == 0 ? frame.first : *frame.second, sides[i],
                                      {{corner.x, y}, {corner.x + room.x - frame.theme.px(2), y + height}});
        ImGui::PopID();
        y += std::max(height, drawn) + gap;
    }
    ImGui::SetCursorScreenPos({corner.x, y - gap - 1});
    ImGui::Dummy({1, 1});
    ImGui::EndChild();
}

} // namespace

std::unique_ptr<View> make_placement_view()
{
    return std::make_unique<PlacementView>();
}

} // namespace viz
