#include "app/platform/kept_frame.h"

#include "viz/draw/draw.h"

#include <dlfcn.h>
#include <epoxy/gl.h>
#include <imgui_impl_opengl3.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <limits>
#include <string_view>
#include <utility>

namespace app {

namespace {

constexpr int tile = 32;              // pixels
constexpr float farthest = 1e6f;      // pixels, beyond every window
constexpr std::size_t most_boxes = 6; // each command is drawn once for each box that it touches

uint64_t mixed(uint64_t hash, uint64_t more)
{
    hash = (hash ^ more) * 0x9e3779b97f4a7c15ull;
    return hash ^ hash >> 29;
}

uint64_t bits_of(float a, float b)
{
    return uint64_t{std::bit_cast<uint32_t>(a)} << 32 | std::bit_cast<uint32_t>(b);
}

uint64_t with(uint64_t hash, const ImVec4& clip)
{
    return mixed(mixed(hash, bits_of(clip.x, clip.y)), bits_of(clip.z, clip.w));
}

uint64_t with(uint64_t hash, const ImDrawVert& point)
{
    return mixed(mixed(mixed(hash, bits_of(point.pos.x, point.pos.y)), bits_of(point.uv.x, point.uv.y)), point.col);
}

using Triangle = std::array<const ImDrawVert*, 3>;

Triangle triangle_of(const ImDrawList& list, const ImDrawCmd& command, unsigned first)
{
    Triangle triangle;
    for (unsigned i = 0; i < 3; ++i)
        triangle[i] = &list.VtxBuffer[static_cast<int>(
            command.VtxOffset + list.IdxBuffer[static_cast<int>(command.IdxOffset + first + i)])];
    return triangle;
}

PixelBox common(const PixelBox& a, const PixelBox& b)
{
    return {std::max(a.left, b.left), std::max(a.top, b.top), std::min(a.right, b.right), std::min(a.bottom, b.bottom)};
}

PixelBox around(const PixelBox& a, const PixelBox& b)
{
    return {std::min(a.left, b.left), std::min(a.top, b.top), std::max(a.right, b.right), std::max(a.bottom, b.bottom)};
}

bool is_empty(const PixelBox& box)
{
    return box.left >= box.right || box.top >= box.bottom;
}

long long area_of(const PixelBox& box)
{
    return is_empty(box) ? 0 : static_cast<long long>(box.right - box.left) * (box.bottom - box.top);
}

// Returns the box around a triangle, with a margin of one pixel for rounding.
PixelBox pixels_of(const Triangle& triangle)
{
    const auto [left, right] = std::minmax({triangle[0]->pos.x, triangle[1]->pos.x, triangle[2]->pos.x});
    const auto [top, bottom] = std::minmax({triangle[0]->pos.y, triangle[1]->pos.y, triangle[2]->pos.y});
    const auto pixel = [](float place) { return static_cast<int>(std::clamp(place, -farthest, farthest)); };
    return {pixel(std::floor(left)) - 1, pixel(std::floor(top)) - 1, pixel(std::ceil(right)) + 1,
            pixel(std::ceil(bottom)) + 1};
}

// Returns the pixels inside the command's clip rectangle. ImGui's renderer and fill_opaque() round it differently.
PixelBox pixels_of(const ImDrawCmd& command, int height)
{
    const ImVec4& clip = command.ClipRect;
    if (viz::draw::opaque_fill(command)) {
        const auto pixel = [](float place) { return static_cast<int>(std::lround(place)); };
        return {pixel(clip.x), pixel(clip.y), pixel(clip.z), pixel(clip.w)};
    }
    const int left = static_cast<int>(clip.x), below = static_cast<int>(static_cast<float>(height) - clip.w);
    return {left, height - below - static_cast<int>(clip.w - clip.y), left + static_cast<int>(clip.z - clip.x),
            height - below};
}

// Hashes of a frame's tiles.
class Tiles {
public:
    explicit Tiles(const PixelBox& whole)
        : whole_(whole), columns_((whole.right + tile - 1) / tile), rows_((whole.bottom + tile - 1) / tile),
          hashes_(static_cast<std::size_t>(columns_) * static_cast<std::size_t>(rows_), 1)
    {
    }

    void add(const PixelBox& box, uint64_t hash)
    {
        each(box, [&](uint64_t& one) { one = one == 0 ? 0 : std::max<uint64_t>(mixed(one, hash), 1); });
    }
    void always_differs(const PixelBox& box)
    {
        each(box, [](uint64_t& one) { one = 0; });
    }
    std::vector<uint64_t> take() { return std::move(hashes_); }

private:
    template <class F>
    void each(const PixelBox& box, const F& f)
    {
        const PixelBox part = common(box, whole_);
        if (is_empty(part))
            return;
        for (int y = part.top / tile; y <= (part.bottom - 1) / tile; ++y)
            for (int x = part.left / tile; x <= (part.right - 1) / tile; ++x)
                f(hashes_[static_cast<std::size_t>(y) * static_cast<std::size_t>(columns_) +
                          static_cast<std::size_t>(x)]);
    }

    PixelBox whole_;
    int columns_, rows_;
    std::vector<uint64_t> hashes_;
};

void add_list(Tiles& tiles, const ImDrawList& list, int height, ImTextureID fonts)
{
    uint64_t state = 0; // hash of the callbacks so far, which change OpenGL's state
    for (const ImDrawCmd& command : list.CmdBuffer) {
        const PixelBox clip = pixels_of(command, height);
        if (const std::optional<viz::Colour> colour = viz::draw::opaque_fill(command)) {
            tiles.add(clip, with(mixed(state, *colour), command.ClipRect));
            continue;
        }
        if (command.UserCallback != nullptr) {
            state = mixed(state, reinterpret_cast<uint64_t>(command.UserCallback));
            continue;
        }
        const uint64_t beginning = with(mixed(state, reinterpret_cast<uint64_t>(command.TextureId)), command.ClipRect);
        for (unsigned i = 0; i + 3 <= command.ElemCount; i += 3) {
            const Triangle triangle = triangle_of(list, command, i);
            const PixelBox box = common(pixels_of(triangle), clip);
            if (is_empty(box))
                continue;
            if (command.TextureId != fonts)
                tiles.always_differs(box);
            else
                tiles.add(box, with(with(with(beginning, *triangle[0]), *triangle[1]), *triangle[2]));
        }
    }
}

// Returns boxes that cover the marked tiles: each run in a row is a box, or extends the box above that is as wide.
std::vector<PixelBox> boxes_of(const std::vector<bool>& marked, int columns)
{
    std::vector<PixelBox> boxes;
    const int rows = columns == 0 ? 0 : static_cast<int>(marked.size()) / columns;
    for (int y = 0; y < rows; ++y)
        for (int x = 0; x < columns;) {
            const auto is_marked = [&](int column) {
                return column < columns && marked[static_cast<std::size_t>(y) * static_cast<std::size_t>(columns) +
                                                  static_cast<std::size_t>(column)];
            };
            int end = x;
            while (is_marked(end))
                ++end;
            if (end > x) {
                const auto above = std::ranges::find_if(
                    boxes, [&](const PixelBox& box) { return box.bottom == y && box.left == x && box.right == end; });
                if (above != boxes.end())
                    above->bottom = y + 1;
                else
                    boxes.push_back({x, y, end, y + 1});
            }
            x = end + 1;
        }
    return boxes;
}

// Joins the two boxes whose common bounding box adds the fewest tiles, and every box that it then overlaps.
void join_nearest(std::vector<PixelBox>& boxes)
{
    std::size_t first = 0, second = 1;
    long long least = std::numeric_limits<long long>::max();
    for (std::size_t i = 0; i < boxes.size(); ++i)
        for (std::size_t j = i + 1; j < boxes.size(); ++j) {
            const long long between = area_of(around(boxes[i], boxes[j])) - area_of(boxes[i]) - area_of(boxes[j]);
            if (between < least) {
                least = between;
                first = i;
                second = j;
            }
        }
    PixelBox joined = around(boxes[first], boxes[second]);
    const auto overlapped = [&] {
        return std::ranges::find_if(boxes, [&](const PixelBox& box) { return !is_empty(common(box, joined)); });
    };
    for (auto box = overlapped(); box != boxes.end(); box = overlapped()) {
        joined = around(joined, *box);
        boxes.erase(box);
    }
    boxes.push_back(joined);
}

// Removes from the frame all triangles outside the boxes, and limits the clip rectangles to the boxes.
void keep_within(ImDrawData& frame, std::span<const PixelBox> boxes, int height)
{
    frame.TotalIdxCount = 0;
    for (int i = 0; i < frame.CmdListsCount; ++i) {
        ImDrawList& list = *frame.CmdLists[i];
        ImVector<ImDrawCmd> commands;
        ImVector<ImDrawIdx> indices;
        for (const ImDrawCmd& command : list.CmdBuffer) {
            const bool is_state = command.UserCallback != nullptr && !viz::draw::opaque_fill(command);
            if (is_state)
                commands.push_back(command);
            for (const PixelBox& box : boxes) {
                const PixelBox clip = common(pixels_of(command, height), box);
                if (is_state || is_empty(clip))
                    continue;
                ImDrawCmd part = command;
                part.ClipRect = {static_cast<float>(clip.left), static_cast<float>(clip.top),
                                 static_cast<float>(clip.right), static_cast<float>(clip.bottom)};
                part.IdxOffset = static_cast<unsigned>(indices.size());
                for (unsigned first = 0; first + 3 <= command.ElemCount; first += 3)
                    if (!is_empty(common(pixels_of(triangle_of(list, command, first)), clip)))
                        for (unsigned k = 0; k < 3; ++k)
                            indices.push_back(list.IdxBuffer[static_cast<int>(command.IdxOffset + first + k)]);
                part.ElemCount = static_cast<unsigned>(indices.size()) - part.IdxOffset;
                if (part.ElemCount > 0 || part.UserCallback != nullptr)
                    commands.push_back(part);
            }
        }
        list.CmdBuffer.swap(commands);
        list.IdxBuffer.swap(indices);
        frame.TotalIdxCount += list.IdxBuffer.Size;
    }
}

} // namespace

std::vector<PixelBox> FrameChanges::since_last(const ImDrawData& frame, PixelBox whole, ImTextureID fonts)
{
    Tiles tiles(whole);
    for (int i = 0; i < frame.CmdListsCount; ++i)
        add_list(tiles, *frame.CmdLists[i], whole.bottom, fonts);
    const std::vector<uint64_t> before = std::exchange(tiles_, tiles.take());
    if (std::exchange(whole_, whole) != whole)
        return {whole};
    std::vector<bool> marked(tiles_.size());
    for (std::size_t i = 0; i < tiles_.size(); ++i)
        marked[i] = tiles_[i] != before[i] || tiles_[i] == 0;
    std::vector<PixelBox> boxes = boxes_of(marked, (whole.right + tile - 1) / tile);
    constexpr std::size_t many = 100; // joining so many boxes would take longer than drawing the whole frame
    if (boxes.size() > many)
        return {whole};
    while (boxes.size() > most_boxes)
        join_nearest(boxes);
    for (PixelBox& box : boxes)
        box = common({box.left * tile, box.top * tile, box.right * tile, box.bottom * tile}, whole);
    return boxes;
}

void draw_within(ImDrawData& frame, std::span<const PixelBox> boxes, int height, viz::Colour background)
{
    keep_within(frame, boxes, height);
    const ImVec4 colour = ImGui::ColorConvertU32ToFloat4(background);
    glClearColor(colour.x, colour.y, colour.z, colour.w);
    glEnable(GL_SCISSOR_TEST);
    for (const PixelBox& box : boxes) { // OpenGL's rows go from bottom to top
        glScissor(box.left, height - box.bottom, box.right - box.left, box.bottom - box.top);
        glClear(GL_COLOR_BUFFER_BIT);
    }
    glDisable(GL_SCISSOR_TEST);
    ImGui_ImplOpenGL3_RenderDrawData(&frame);
}

namespace {

bool draws_in_software()
{
    const auto* words = reinterpret_cast<const char*>(glGetString(GL_RENDERER));
    const std::string_view renderer = words == nullptr ? "" : words;
    const auto has = [&](std::string_view name) { return renderer.find(name) != std::string_view::npos; };
    return has("llvmpipe") || has("softpipe") || has("Software Rasterizer");
}

// Returns a function of GLX, or null if no context of X11 was made. Loads it by name, because the headers of X11 define
// macros such as None and Status.
template <class Function>
Function glx(const char* name)
{
    static void* const library = dlopen("libGLX.so.0", RTLD_LAZY | RTLD_NOLOAD);
    return library == nullptr ? nullptr : reinterpret_cast<Function>(dlsym(library, name));
}

} // namespace

std::unique_ptr<KeptFrame> KeptFrame::of_current_context()
{
    const auto display_of = glx<void* (*)()>("glXGetCurrentDisplay");
    const auto drawable_of = glx<unsigned long (*)()>("glXGetCurrentDrawable");
    const auto extensions_of = glx<const char* (*)(void*, int)>("glXQueryExtensionsString");
    const auto address_of = glx<void* (*)(const char*)>("glXGetProcAddressARB");
    void* display = draws_in_software() && display_of != nullptr ? display_of() : nullptr;
    if (display == nullptr || drawable_of == nullptr || extensions_of == nullptr || address_of == nullptr)
        return nullptr;
    const char* extensions = extensions_of(display, 0);
    if (extensions == nullptr ||
        std::string_view(extensions).find("GLX_MESA_copy_sub_buffer") == std::string_view::npos)
        return nullptr;
    return std::unique_ptr<KeptFrame>(
        new KeptFrame(display, drawable_of(), reinterpret_cast<CopyPart>(address_of("glXCopySubBufferMESA"))));
}

bool KeptFrame::draw(ImDrawData& frame, int width, int height, viz::Colour background)
{
    const PixelBox whole{0, 0, width, height};
    const std::vector<PixelBox> boxes = changes_.since_last(frame, whole, ImGui::GetIO().Fonts->TexID);
    glViewport(0, 0, width, height);
    draw_within(frame, boxes, height, background);
    if (std::exchange(size_, whole) != whole) {
        forget(); // OpenGL does not define what the back buffer contains after a swap
        return false;
    }
    glFlush();
    for (const PixelBox& box : boxes)
        copy_part_(display_, drawable_, box.left, height - box.bottom, box.right - box.left, box.bottom - box.top);
    return true;
}

} // namespace app
