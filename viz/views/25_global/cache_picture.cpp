#include "viz/views/25_global/cache_picture.h"

#include "viz/origin.h"
#include "viz/text/figures.h"
#include "viz/text/known.h"

#include <algorithm>

namespace viz {

namespace {

std::string byte_count(double count)
{
    return counted(static_cast<uint64_t>(count), "byte");
}

Quantity times(double value, double of)
{
    return with_decimals(value / of, 2);
}

struct CacheBar {
    std::string label, value;
    double share = 0; // of the longest
    const char* mark;
    NumberOrigin origin = NumberOrigin::counter;
    Messages meaning{}; // where the label does not say it all
};

std::vector<CacheBar> bars_of(const CachePicture& picture)
{
    const HardwareFigures& f = *picture.figures;
    std::vector<CacheBar> bars;
    if (f.l1_hits)
        bars.push_back({"L1 hits at " + size_words(f.problem), percent(*f.l1_hits), *f.l1_hits, "cache:l1"});
    if (f.l2_hits)
        bars.push_back({"L2 hits at " + size_words(f.problem), percent(*f.l2_hits), *f.l2_hits, "cache:l2"});
    const double asked = bytes_asked(picture.recording), read = f.dram_read.value_or(0);
    const double most = std::max({asked, read, f.least_read, 1.0});
    if (asked > 0)
        bars.push_back({"moved by loads", byte_count(asked), asked / most, "cache:asked", NumberOrigin::recorded});
    if (f.dram_read)
        bars.push_back({"read from DRAM", byte_count(read), read / most, "cache:dram"});
    bars.push_back(
        {"least possible", byte_count(f.least_read), f.least_read / most, "cache:least", NumberOrigin::derived});
    if (const HardwareFigures* large = picture.largest(); large != nullptr) {
        const std::string size = size_words(large->problem);
        if (large->l2_hits)
            bars.push_back({"L2 hits at " + size, percent(*large->l2_hits), *large->l2_hits, "cache:l2 large"});
        if (large->dram_read.value_or(0) > 0) {
            const double again = std::max(1 - large->least_read / *large->dram_read, 0.0);
            bars.push_back({"repeats in DRAM reads at " + size, percent(again), again, "cache:again"});
            bars.back().meaning = {{"global.read_again", {{"size", size}, {"share", share(again)}}}};
        }
    }
    return bars;
}

} // namespace

const HardwareFigures* CachePicture::largest() const
{
    const HardwareFigures* last = largest_counted(rung);
    return figures != nullptr && last->least_read > figures->least_read ? last : nullptr;
}

CachePicture CachePicture::of(const recording::Recording& recording, const Board& board, Colour accent)
{
    const RungFigures* rung = board.find(recording.stage);
    return {.recording = recording,
            .rung = rung,
            .figures = counted_at(rung, recording.problem),
            .gpu = board.gpu.here,
            .counting = board.counting,
            .accent = accent};
}

namespace {

Messages size_words_of(const CachePicture& picture)
{
    if (picture.figures == nullptr) {
        if (picture.counting)
            return {{"global.counting"}};
        Messages said = picture.rung != nullptr ? in_sentences(picture.rung->not_counted) : Messages();
        said.push_back(picture.gpu ? Message{"global.press_p"} : Message{"global.no_gpu"});
        return said;
    }
    const HardwareFigures& f = *picture.figures;
    const double asked = bytes_asked(picture.recording);
    Messages said;
    if (f.dram_read && asked > 0 && f.least_read > 0)
        said.push_back({"global.caught",
                        {{"asked", times(asked, f.least_read)},
                         {"read", Value(times(*f.dram_read, f.least_read))
                                      .as(*f.dram_read > 1.5 * f.least_read ? Meaning::conflict : Meaning::none)},
                         {"much", asked > 1.05 * *f.dram_read}}});
    if (f.dram_written)
        said.push_back({"global.written", {{"bytes", static_cast<uint64_t>(*f.dram_written)}}});
    said.push_back({"global.counted", {{"counted", how_had(f.from)}}});
    return said;
}

Messages at_size(const HardwareFigures& f)
{
    Messages said{{"global.at_size", {{"size", size_words(f.problem)}}}};
    if (f.l1_hits)
        said.push_back({"global.l1_hits", {{"hits", share(*f.l1_hits)}}});
    if (f.l2_hits)
        said.push_back({"global.l2_hits", {{"hits", share(*f.l2_hits)}}});
    if (f.dram_read && f.least_read > 0)
        said.push_back({"global.dram_reads", {{"times", times(*f.dram_read, f.least_read)}}});
    said.push_back({"global.counted", {{"counted", how_had(f.from)}}});
    return said;
}

constexpr float between_rows = 3; // pixels at scale 1

} // namespace

std::vector<Messages> cache_words(const CachePicture& picture)
{
    std::vector<Messages> said{size_words_of(picture)};
    if (picture.rung != nullptr)
        for (const HardwareFigures& f : picture.rung->counted)
            if (&f != picture.figures)
                said.push_back(at_size(f));
    return said;
}

float cache_bars_height(const Theme& theme, const CachePicture& picture)
{
    return picture.figures == nullptr
               ? 0
               : draw::row_height(theme, between_rows) * static_cast<float>(bars_of(picture).size());
}

std::optional<Message> draw_cache_bars(const Theme& theme, const CachePicture& picture, const draw::Box& box,
                                       Marks* marks)
{
    if (picture.figures == nullptr)
        return {};
    ImDrawList* list = ImGui::GetWindowDrawList();
    const std::vector<CacheBar> bars = bars_of(picture);
    const float row = draw::row_height(theme, between_rows);
    float names = 0, values = 0;
    for (const CacheBar& bar : bars) {
        names = std::max(names, draw::measure(theme.text, bar.label).x);
        values = std::max(values, draw::measure(theme.mono, bar.value).x);
    }
    const float left = box.min.x + names + theme.px(22), right = box.max.x - values - theme.px(12);
    float y = box.min.y;
    std::optional<Message> said;
    for (const CacheBar& bar : bars) {
        draw::text(list, theme.text, {box.min.x + theme.px(4), y}, theme.ink_quiet, bar.label);
        draw_origin(*list, bar.origin, {left - theme.px(8), y + row / 2}, theme.px(3), theme.ink_faint);
        if (right - left > theme.px(20)) {
            const float top = y + theme.px(3), bottom = y + row - theme.px(4);
            list->AddRectFilled({left, top}, {right, bottom}, draw::empty_colour(theme));
            const ImVec2 end{left + std::max((right - left) * static_cast<float>(bar.share), 1.0f), bottom};
            list->AddRectFilled({left, top}, end, picture.accent);
            mark(marks, bar.mark, {left, top}, end);
        }
        draw::text_right(list, theme.mono_bold, {box.max.x - theme.px(4), y}, theme.ink, bar.value);
        if (draw::pointed_at({{box.min.x, y}, {box.max.x, y + row}}))
            said = Message{"global.cache_bar",
                           {{"figure", bar.label},
                            {"value", bar.value},
                            {"meaning", bar.meaning},
                            {"from", bar.origin == NumberOrigin::counter ? how_had(picture.figures->from)
                                                                         : Message{"global.from_recording"}}}};
        y += row;
    }
    return said;
}

} // namespace viz
