#include "viz/views/25_global/cache_picture.h"

#include "viz/text/figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace viz {

namespace {

std::string byte_count(double count)
{
    return counted(static_cast<uint64_t>(count), "byte");
}

std::string times(double value, double of)
{
    return fmt::format("{:.2f} times", value / of);
}

struct Bar {
    std::string label, value;
    double share = 0; // of the longest
    const char* mark;
};

std::vector<Bar> bars_of(const CachePicture& picture)
{
    const HardwareFigures& f = *picture.figures;
    std::vector<Bar> bars;
    if (f.l1_hits)
        bars.push_back({"L1 hits · counted", percent(*f.l1_hits), *f.l1_hits, "cache:l1"});
    if (f.l2_hits)
        bars.push_back({"L2 hits · counted", percent(*f.l2_hits), *f.l2_hits, "cache:l2"});
    const double asked = bytes_asked(picture.recording), read = f.dram_read.value_or(0);
    const double most = std::max({asked, read, f.least_read, 1.0});
    if (asked > 0)
        bars.push_back({"asked by loads · recorded", byte_count(asked), asked / most, "cache:asked"});
    if (f.dram_read)
        bars.push_back({"read from DRAM · counted", byte_count(read), read / most, "cache:dram"});
    bars.push_back({"least possible · derived", byte_count(f.least_read), f.least_read / most, "cache:least"});
    return bars;
}

} // namespace

CachePicture CachePicture::of(const recording::Recording& recording, const Board* board, Colour accent)
{
    CachePicture picture{.recording = recording, .accent = accent};
    if (board == nullptr)
        return picture;
    picture.rung = board->find(recording.stage);
    if (picture.rung != nullptr)
        picture.figures = figures_at(picture.rung->counted, recording.problem);
    picture.gpu = board->gpu.here;
    picture.counting = board->counting;
    return picture;
}

Prose cache_sentence(const Theme& theme, const CachePicture& picture)
{
    Prose prose(theme);
    prose.strong("What the caches caught. ");
    if (picture.figures == nullptr) {
        if (picture.counting)
            return prose.say("The GPU is counting ... Esc cancels.");
        if (picture.rung != nullptr && !picture.rung->why_not_counted.empty())
            prose.say(picture.rung->why_not_counted).say(" ");
        if (picture.gpu)
            return prose.say("Only the GPU knows: press ").code("p").say(" and its counters are read.");
        return prose.say("A recording knows what was asked, not what L1 and L2 still held: that only a GPU can count.");
    }
    const HardwareFigures& f = *picture.figures;
    const double asked = bytes_asked(picture.recording);
    if (f.dram_read && asked > 0 && f.least_read > 0) {
        prose.say("Loads ask for ").figure(times(asked, f.least_read)).say(" the least possible, ");
        prose.figure(times(*f.dram_read, f.least_read), *f.dram_read > 1.5 * f.least_read ? theme.warning : theme.ink);
        prose.say(asked > 1.05 * *f.dram_read
                      ? " came from DRAM: what lies between is reuse that L1 and L2 found by themselves. "
                      : " came from DRAM: the kernel left L1 and L2 nothing to find. ");
    }
    if (f.dram_written)
        prose.figure(byte_count(*f.dram_written))
            .say(" were written to DRAM; what is still in L2 at the end is not among them. ");
    return prose.faint("From an empty L2; " + counted_words(f.from) + ".");
}

float draw_cache_bars(ImDrawList* list, const Theme& theme, const CachePicture& picture, const draw::Box& box,
                      Marks* marks)
{
    if (picture.figures == nullptr)
        return 0;
    const std::vector<Bar> bars = bars_of(picture);
    const float row = std::ceil(draw::measure(theme.text, "0").y + theme.px(4));
    float names = 0, values = 0;
    for (const Bar& bar : bars) {
        names = std::max(names, draw::measure(theme.text, bar.label).x);
        values = std::max(values, draw::measure(theme.mono, bar.value).x);
    }
    const float left = box.min.x + names + theme.px(12), right = box.max.x - values - theme.px(12);
    float y = box.min.y;
    for (const Bar& bar : bars) {
        draw::text(list, theme.text, {box.min.x + theme.px(4), y}, theme.ink_quiet, bar.label);
        if (right - left > theme.px(20)) {
            const float top = y + theme.px(4), bottom = y + row - theme.px(5);
            list->AddRectFilled({left, top}, {right, bottom}, theme.panel);
            const ImVec2 end{left + std::max((right - left) * static_cast<float>(bar.share), 1.0f), bottom};
            list->AddRectFilled({left, top}, end, picture.accent);
            mark(marks, bar.mark, {left, top}, end);
        }
        draw::text(list, theme.mono_bold, {box.max.x - draw::measure(theme.mono_bold, bar.value).x - theme.px(4), y},
                   theme.ink, bar.value);
        y += row;
    }
    return y - box.min.y;
}

Prose other_sizes(const Theme& theme, const CachePicture& picture)
{
    Prose prose(theme);
    if (picture.rung == nullptr)
        return prose;
    for (const HardwareFigures& f : picture.rung->counted) {
        if (&f == picture.figures)
            continue;
        prose.say(fmt::format("At {}: ", size_words(f.problem)));
        if (f.l1_hits)
            prose.say("L1 hits ").figure(percent(*f.l1_hits)).say(", ");
        if (f.l2_hits)
            prose.say("L2 hits ").figure(percent(*f.l2_hits)).say(", ");
        if (f.dram_read && f.least_read > 0)
            prose.say("DRAM reads ").figure(times(*f.dram_read, f.least_read)).say(" the least possible, ");
        prose.faint(counted_words(f.from) + ".").break_line();
    }
    return prose;
}

} // namespace viz
