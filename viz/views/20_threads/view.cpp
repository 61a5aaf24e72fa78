// The threads view: which thread computes which element of C.
#include "viz/draw/focus.h"
#include "viz/figure/draw_figure.h"
#include "viz/gl/grid.h"
#include "viz/views/20_threads/facts.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <utility>

namespace viz {

std::unique_ptr<View> make_threads_view();

namespace {

using recording::Recording;

constexpr ColourBy all_colours[] = {ColourBy::block, ColourBy::warp, ColourBy::lane, ColourBy::sm};

bool sm_known(const ViewScene& scene)
{
    const auto has = [](const StageColumn& stage) { return !stage.recording->placements.empty(); };
    return std::ranges::any_of(scene.columns, has);
}

// The map of the owners of C for one recording, prepared on another thread and drawn by the grid renderer.
class ThreadMap {
public:
    // Sets the content, in each frame. A large map appears some frames later; until then the previous picture stays.
    void show(const StageColumn& column, ColourBy by, const Theme& theme)
    {
        const Recording& recording = *column.recording;
        const bool quick = recording.owner.size() <= elements_in_frame;
        const auto* now = column.memo_later<paint_map>(quick, by, owner_palette(theme, by));
        if (now != nullptr && *now != painted) {
            painted = *now;
            grid.set(painted);
            uploaded = false;
        }
        constexpr std::size_t upload_per_frame = 4u << 20; // bytes
        if (!uploaded)
            uploaded = grid.upload(upload_per_frame);
    }
    static bool takes(const MapShape& shape)
    {
        const uint32_t largest = gl::Grid::largest_side();
        return shape.rows > 0 && shape.rows <= largest && shape.cols <= largest;
    }

    bool settled() const { return uploaded; }
    bool empty() const { return grid.empty(); }

    // Returns the part of the box that the map covers.
    ImageLayer image(const ThreadPicture& picture)
    {
        const Box& map = picture.places.map;
        const auto [low, high] = picture.box_of({0, 0, picture.facts.shape.rows, picture.facts.shape.cols});
        const Box seen{{std::max(map.min.x, std::floor(low.x)), std::max(map.min.y, std::floor(low.y))},
                       {std::min(map.max.x, std::ceil(high.x)), std::min(map.max.y, std::ceil(high.y))}};
        const auto [col, row] = picture.camera.from_screen(seen.middle());
        const gl::Camera camera{row, col, picture.camera.cell()};
        const Colour ground = picture.theme.background;
        return {seen, [this, camera, ground, across = seen.width()](int width, int height) {
                    gl::Camera of_pixels = camera;
                    of_pixels.cell *= static_cast<double>(width) / static_cast<double>(across);
                    return grid.draw(of_pixels, width, height, {ground, draw::with_alpha(ground, 0.35f), ground});
                }};
    }

private:
    using Picture = std::shared_ptr<const gl::GridPicture>;
    static Picture paint_map(const Recording& recording, ColourBy by, const std::vector<Colour>& palette)
    {
        OwnerMap map = owner_map(recording, by);
        std::vector<Level> levels = pyramid(map, palette);
        return std::make_shared<const gl::GridPicture>(gl::GridPicture{std::move(map), std::move(levels), palette});
    }

    gl::Grid grid;
    Picture painted; // uploaded or being uploaded
    bool uploaded = true;
};

class ThreadsView final : public View {
public:
    std::string_view name() const override { return "threads"; }
    std::string_view title() const override { return "Threads"; }
    ViewGroup group() const override { return ViewGroup::who; }
    ViewCommands commands() override
    {
        ViewCommands all = PanZoom::commands([this] { return std::vector{&cameras[moved]}; });
        all.push_back({"o", "colour by the next owner: block, warp, lane, SM", [this](const ViewScene&) {
                           choose(all_colours[(static_cast<std::size_t>(by) + 1) % std::size(all_colours)]);
                       }});
        all.push_back({"z", "zoom to the selected block", [this](const ViewScene& scene) { show_block(scene); }});
        return all;
    }
    Figure figure(const ViewFrame& frame, const Box& box) override;
    void draw_controls(ViewFrame& frame) override;

private:
    void choose(ColourBy owner)
    {
        by = owner;
        chosen = true;
    }
    void show_block(const ViewScene& scene);
    void add_stage(Figure& figure, const ViewFrame& frame, const ThreadFacts& facts, const Box& box);

    std::array<ThreadMap, most_columns> maps;
    std::array<PanZoom, most_columns> cameras; // all show the same part
    std::size_t moved = 0;                     // index of the camera that was moved last, which the others follow
    ColourBy by = ColourBy::block;
    bool chosen = false; // by the user; until then a single block is coloured by its warps
    ImVec2 buttons{};    // position of the first button
};

Figure ThreadsView::figure(const ViewFrame& frame, const Box& box)
{
    if (!chosen)
        by = frame.columns.front().recording->launch.grid.volume() > 1 ? ColourBy::block : ColourBy::warp;
    if (by == ColourBy::sm && !sm_known(frame))
        by = ColourBy::block;
    if (const auto& c = frame.selection.c; c && owner_of(*frame.columns.front().recording, c->first, c->second))
        frame.hint = plain(element_words(thread_facts(frame, frame.columns.front()), {c->first, c->second}));
    moved = moved < frame.columns.size() ? moved : 0;
    Figure figure{.numbers = {{Numbers::How::recorded, "accesses, owners, SMs"}}};
    const Theme& theme = frame.theme;
    float width = -theme.px(4); // of the buttons: at the right of the only headline, otherwise above
    for (const char* label : owner_names)
        width += draw::button_width(label) + theme.px(4);
    buttons = {box.max.x - width, box.min.y - theme.px(2)};
    const bool above = frame.comparing();
    const Box rest{{box.min.x, box.min.y + (above ? ImGui::GetFrameHeight() + theme.px(2) : 0)},
                   {box.max.x - (above ? 0 : width + theme.px(12)), box.max.y}};
    std::vector<Box> places = add_headings(
        figure, frame, rest, [&](const StageColumn& stage) { return headline(thread_facts(frame, stage)); });
    places.back().max.x = box.max.x;
    for (const StageColumn& stage : frame.columns)
        add_stage(figure, frame, thread_facts(frame, stage), places[stage.number]);
    return figure;
}

void ThreadsView::add_stage(Figure& figure, const ViewFrame& frame, const ThreadFacts& facts, const Box& box)
{
    const Theme& theme = frame.theme;
    const std::size_t number = facts.stage.number;
    if (!ThreadMap::takes(facts.shape)) {
        figure.panels.push_back({.id = "why not " + facts.stage.slug,
                                 .box = box,
                                 .layers = {ProseLayer{rich("*This C is too large for a map on this computer's OpenGL; "
                                                            "record a smaller one.*")}},
                                 .is_picture = false});
        return;
    }
    if (frame.comparing())
        figure.said.push_back(rich("**{}**", facts.stage.slug));
    std::ranges::move(paragraphs(facts, by), std::back_inserter(figure.said));
    const ThreadPlaces places = thread_places(theme, facts, box);
    ThreadMap& map = maps[number];
    map.show(facts.stage, by, theme);
    if (places.map.width() < 20 || places.map.height() < 20)
        return;
    if (number != moved)
        cameras[number] = cameras[moved];
    cameras[number].follow(places.map, facts.shape.cols, facts.shape.rows, {.whole_pixels = false});
    ThreadPicture picture{facts, places, cameras[number], theme, by};
    Panel c{.id = "C of " + facts.stage.slug, .box = places.map, .is_picture = false, .camera = &picture.camera};
    if (map.empty()) {
        c.layers.emplace_back(
            LabelLayer{{{.words = "Preparing the map ...", .at = places.map.middle(), .side = Label::Side::middle}}});
    } else {
        picture.numbers = owner_numbers(picture);
        c.layers = layers_over_map(picture);
        c.layers.insert(c.layers.begin(), map.image(picture));
    }
    figure.settled = figure.settled && map.settled() && !picture.camera.gliding();
    figure.panels.push_back(std::move(c));
    figure.panels.push_back(edges(picture));
    if (facts.has_product() && facts.element)
        std::ranges::move(product_panels(picture), std::back_inserter(figure.panels));
    for (Panel& panel : figure.panels)
        if (panel.camera == &picture.camera)
            panel.use_mouse = [this, number](const Box&) {
                if (ImGui::IsItemHovered() || ImGui::IsItemActive())
                    moved = number;
            };
}

void ThreadsView::draw_controls(ViewFrame& frame)
{
    ImGui::SetCursorScreenPos(buttons);
    for (std::size_t i = 0; i < std::size(all_colours); ++i) {
        if (i > 0)
            ImGui::SameLine(0, frame.theme.px(4));
        const bool refused = all_colours[i] == ColourBy::sm && !sm_known(frame);
        const std::string why = refused
                                    ? "No SM is known: the CPU, on which the launch was recorded, has none. Record it "
                                      "on an NVIDIA GPU."
                                    : "";
        if (draw::choice(frame.theme, {owner_names[i], by == all_colours[i], why}, frame.hint))
            choose(all_colours[i]);
        if (ImGui::IsItemHovered() && !refused)
            frame.point_out(colour_words(all_colours[i]));
    }
}

void ThreadsView::show_block(const ViewScene& scene)
{
    const ThreadFacts facts = thread_facts(scene, scene.columns.front());
    std::optional<CellRect> all;
    for (const OwnedCell& owned : facts.owned)
        grow(all, map_place(facts.shape, owned.cell));
    if (all)
        cameras[moved].show(PanZoom::of(*all));
}

} // namespace

std::unique_ptr<View> make_threads_view()
{
    return std::make_unique<ThreadsView>();
}

} // namespace viz
