#include "viz/views/35_layout/memory_picture.h"

#include "viz/draw/prose.h"
#include "viz/text/templates.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <set>

namespace viz {

namespace {

constexpr uint32_t banks = model::banks;

class MemoryPainter {
public:
    explicit MemoryPainter(const MemoryPicture& what)
        : picture(what), side(what.tile), theme(what.part.theme()), marks(what.part.marks()),
          list(ImGui::GetWindowDrawList()), box(what.box)
    {
        text = draw::measure(theme.mono, "0");
        // Elements of less than 4 bytes share a bank.
        const uint32_t bytes = side.tile().element_bytes;
        per_line = banks * model::bank_bytes / bytes;
        width = static_cast<double>(banks) / per_line;
        lines = std::max(1u, static_cast<uint32_t>((side.places() + per_line - 1) / per_line));
        const float gutter = std::ceil(text.x * 4 + theme.px(6)), head = std::ceil(2 * text.y + theme.px(5));
        inner = {{box.min.x + gutter, box.min.y + head}, box.max};
        // Lines are as high as the room allows.
        stretch = std::max(0.05, double{inner.height()} / lines / (std::max(1.0f, inner.width()) / banks));
    }

    void follow() { side.camera.follow(inner, banks, lines * stretch); }

    std::optional<Cell> draw()
    {
        const bool hovered = draw::item("memory", inner);
        follow();
        side.camera.use_mouse();
        draw_heads();
        list->PushClipRect({box.min.x, inner.min.y}, inner.max, true);
        draw_row_names();
        list->PopClipRect();
        list->PushClipRect(inner.min, inner.max, true);
        const PanZoom::Rect seen = side.camera.seen();
        const auto first =
            static_cast<uint32_t>(std::clamp(std::floor(seen.y / stretch), 0.0, static_cast<double>(lines)));
        const auto end = static_cast<uint32_t>(
            std::clamp(std::ceil((seen.y + seen.height) / stretch), 0.0, static_cast<double>(lines)));
        for (uint32_t line = first; line < end; ++line)
            draw_line(line);
        draw_access();
        if (picture.cell) {
            const draw::Box cell = box_of(*picture.cell);
            outline(cell, theme.ink, theme.px(2));
            mark(marks, "tile cell", cell);
        }
        draw_callout();
        list->PopClipRect();
        return hovered ? cell_at(ImGui::GetMousePos()) : std::nullopt;
    }

    void go_to_access()
    {
        follow();
        if (!side.access || side.access->spans.empty())
            return;
        double top = lines, bottom = 0, left = banks, right = 0;
        for (const BankSpan& span : side.access->spans) {
            const auto line = static_cast<double>(span.word / banks);
            top = std::min(top, line);
            bottom = std::max(bottom, line + 1);
            left = std::min(left, double(span.bank));
            right = std::max(right, double(span.bank + span.banks));
        }
        side.camera.show({left, top * stretch, right - left, (bottom - top) * stretch});
    }

private:
    // Of neighbouring banks in one line, on the screen.
    draw::Box words(double bank, double line, double count) const
    {
        return {side.camera.to_screen(bank, line * stretch), side.camera.to_screen(bank + count, (line + 1) * stretch)};
    }

    draw::Box box_of(Cell cell) const
    {
        const uint32_t place = side.place_of(cell);
        return words(place % per_line * width, place / per_line, width);
    }

    std::optional<Cell> cell_at(ImVec2 point) const
    {
        const auto [x, y] = side.camera.from_screen(point);
        if (x < 0 || y < 0 || x >= banks || y >= lines * stretch)
            return {};
        const auto place = static_cast<std::size_t>(y / stretch) * per_line + static_cast<std::size_t>(x / width);
        const uint32_t element = side.element_at(place);
        if (element == SharedTile::none)
            return {};
        return Cell{element / side.tile().cols, element % side.tile().cols};
    }

    void outline(const draw::Box& cell, Colour colour, float thick) const
    {
        list->AddRect(cell.min, cell.max, theme.background, 0, 0, thick + 2);
        list->AddRect(cell.min, cell.max, colour, 0, 0, thick);
    }

    // How many different words each bank is asked for at once, above its column: a conflict where it is more than one.
    void draw_heads() const
    {
        std::map<std::pair<int, int>, std::set<uint64_t>> wanted; // by bank and group
        if (side.access)
            for (const BankSpan& span : side.access->spans)
                for (int i = 0; i < span.banks; ++i)
                    wanted[{span.bank + i, span.group}].insert(span.word + static_cast<uint64_t>(i));
        std::map<int, std::size_t> times;
        for (const auto& [place, different] : wanted)
            times[place.first] = std::max(times[place.first], different.size());
        const double cell = side.camera.cell();
        uint32_t step = 1;
        while (static_cast<double>(step) * cell < draw::measure(theme.mono, "00 ").x && step < banks)
            step *= 2;
        list->PushClipRect({inner.min.x, box.min.y}, {inner.max.x, inner.min.y}, true);
        for (uint32_t bank = 0; bank < banks; ++bank) {
            draw::Box column = words(bank, 0, 1);
            column.min.y = box.min.y;
            column.max.y = box.min.y + text.y;
            const std::string number = fmt::format("{}", bank);
            if (bank % step == 0)
                draw::text(list, theme.mono, {middle(column, number), column.min.y}, theme.ink_quiet, number);
            const auto asked = times.find(static_cast<int>(bank));
            const std::size_t count = asked == times.end() ? 0 : asked->second;
            const draw::Box below{{column.min.x, column.max.y + 1}, {column.max.x - 1, inner.min.y - theme.px(2)}};
            const Colour face = count > 1 ? theme.warning : count == 1 ? theme.good : draw::empty_colour(theme);
            list->AddRectFilled(below.min, below.max, face);
            if (count > 1)
                draw::text_in(list, theme.mono_bold, below, ink_on(face), std::to_string(count));
        }
        list->PopClipRect();
        if (!side.access && !picture.elsewhere.empty()) {
            const std::string words = plain({"layout.elsewhere", {{"tile", picture.elsewhere}}});
            const ImVec2 size = draw::measure(theme.text, words);
            const ImVec2 place{inner.min.x + theme.px(4), box.min.y + text.y};
            list->AddRectFilled({place.x - theme.px(3), place.y}, {place.x + size.x + theme.px(3), inner.min.y - 1},
                                theme.background);
            draw::text(list, theme.text, place, theme.ink, words);
            mark(marks, "step elsewhere", place, {place.x + size.x, place.y + size.y});
        }
        draw::text(list, theme.mono, box.min, theme.ink_quiet, "bank");
        draw::text(list, theme.mono, {box.min.x, box.min.y + text.y + theme.px(1)}, theme.ink_quiet, "asks");
    }

    float middle(const draw::Box& cell, const std::string& words_in) const
    {
        return (cell.min.x + cell.max.x - draw::measure(theme.mono, words_in).x) / 2;
    }

    // Each row of the tile at the line in which its first element lies, where names do not touch.
    void draw_row_names() const
    {
        std::map<uint32_t, uint32_t> row_of_line; // the first that begins there
        for (uint32_t row = 0; row < side.tile().rows; ++row)
            row_of_line.try_emplace(side.place_of({row, 0}) / per_line, row);
        float free_from = inner.min.y - 1;
        for (const auto& [line, row] : row_of_line) {
            const draw::Box place = words(0, line, 1);
            if (place.min.y < free_from)
                continue;
            draw::text(list, theme.mono, {box.min.x, place.min.y}, theme.ink_quiet, fmt::format("r{}", row));
            mark(marks, fmt::format("name of row {}", row), {box.min.x, place.min.y}, {inner.min.x, place.max.y});
            free_from = place.min.y + text.y;
        }
    }

    // An element has the colour of the bank where it would lie row after row: whatever is moved stands out.
    Colour colour_of(uint32_t element) const
    {
        if (element == SharedTile::none)
            return theme.panel;
        const int home = model::bank_of(uint64_t{element} * side.tile().element_bytes);
        return mix(theme.background, lane_colour(theme, static_cast<uint32_t>(home)), 0.45f);
    }

    void draw_line(uint32_t line) const
    {
        const double pixels = side.camera.cell() * width;
        const float space = pixels > 6 && words(0, line, 1).height() > 6 ? 1.0f : 0.0f;
        // One mark per word where elements share one and are narrow.
        const uint32_t stride = pixels < 3 && width < 1 ? static_cast<uint32_t>(1 / width) : 1;
        const std::string widest = fmt::format("{}, {}", side.tile().rows - 1, side.tile().cols - 1);
        const bool printed = pixels >= double{draw::measure(theme.mono, widest).x} + 2;
        for (uint32_t i = 0; i < per_line; i += stride) {
            const uint32_t element = side.element_at(std::size_t{line} * per_line + i);
            draw::Box cell = words(i * width, line, width * stride);
            cell.max = {cell.max.x - space, cell.max.y - space};
            const Colour face = colour_of(element);
            list->AddRectFilled(cell.min, cell.max, face);
            if (printed && element != SharedTile::none)
                draw::text_in(list, theme.mono, cell, ink_on(face),
                              fmt::format("{}, {}", element / side.tile().cols, element % side.tile().cols));
        }
    }

    // The words of the first wavefront of each group in the group's colour; those that wait in amber.
    void draw_access() const
    {
        if (!side.access)
            return;
        for (const BankSpan& span : side.access->spans) {
            const BankRow& row = side.access->rows[static_cast<std::size_t>(span.wavefront)];
            const Colour face =
                row.conflict ? theme.warning : theme.lane_group[static_cast<std::size_t>(row.group) % 4];
            const auto line = static_cast<double>(span.word / banks);
            draw::Box cell = words(span.bank, line, span.banks);
            cell.max = {cell.max.x - 1, cell.max.y - 1};
            // Lanes of several groups that are served apart may want the same words: each has its part of the cell.
            const auto same = [&](const BankSpan& other) { return other.word == span.word; };
            const auto& spans = side.access->spans;
            const auto parts = static_cast<float>(std::ranges::count_if(spans, same));
            const auto part = static_cast<float>(
                std::count_if(spans.data(), &span, same)); // before this one, in the order of the wavefronts
            const draw::Box whole = cell;                  // every part spans all of the banks: below each other
            const float high = cell.height() / parts;
            cell.min.y += high * part;
            cell.max.y = cell.min.y + high;
            list->AddRectFilled(cell.min, cell.max, face);
            mark(marks, row.conflict ? "waiting words" : "first words", cell);
            if (span.lanes >> picture.part.lane() & 1u)
                outline(cell, picture.part.accent(), theme.px(2));
            if (part + 1 == parts)
                name_lanes(whole, face, span.word);
        }
    }

    // Of all spans that want the same word.
    void name_lanes(const draw::Box& cell, Colour face, uint64_t word) const
    {
        uint32_t lanes = 0;
        std::string all;
        for (const BankSpan& span : side.access->spans)
            if (span.word == word) {
                lanes |= span.lanes;
                const std::string run = lane_run(span.lanes);
                all += (all.empty() ? "" : " ") + (run.empty() ? std::string("..") : run);
            }
        if (!draw::text_in(list, theme.mono_bold, cell, ink_on(face), all))
            draw::text_in(list, theme.mono_bold, cell, ink_on(face), fmt::format("{} lanes", std::popcount(lanes)));
    }

    void draw_callout() const
    {
        if (!side.access || side.access->spans.empty())
            return;
        Prose said(theme);
        for (const Message& message : side.access->callout)
            said.write(message).break_line();
        const float margin = theme.px(6), wide = std::min(said.width(), inner.width() - 4 * margin);
        const float high = said.height(wide + 1);
        if (3 * high > inner.height()) // it would hide what it speaks of
            return;
        std::vector<draw::Box> wanted;
        for (const BankSpan& span : side.access->spans)
            wanted.push_back(words(span.bank, static_cast<double>(span.word / banks), span.banks));
        const auto [x, y] = draw::callout_place({wide, high}, margin, inner, wanted);
        said.draw_on_plate({x, y}, wide);
        mark(marks, "callout", {x, y}, {x + wide, y + high});
    }

    const MemoryPicture& picture;
    SharedTile& side;
    const Theme& theme;
    Marks* marks;
    ImDrawList* list;
    draw::Box box, inner{};
    ImVec2 text{};
    uint32_t per_line = banks, lines = 1;
    double width = 1, stretch = 1; // of an element, in banks; height of a line by the width of a bank
};

} // namespace

std::optional<Cell> draw_memory(const MemoryPicture& picture)
{
    return MemoryPainter(picture).draw();
}

void show_access(const MemoryPicture& picture)
{
    MemoryPainter(picture).go_to_access();
}

} // namespace viz
