#include "viz/figure/access_diagram.h"

#include "viz/analysis/sectors.h"
#include "viz/figure/sector_panel.h"
#include "viz/text/figures.h"
#include "viz/text/known.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

namespace viz {

namespace {

constexpr float highest_row = 90, highest_ways = 200; // pixels at scale 1

Box between(const Box& from, const Box& to, double share)
{
    const auto s = static_cast<float>(share);
    const auto mixed = [s](ImVec2 a, ImVec2 b) { return ImVec2{a.x + (b.x - a.x) * s, a.y + (b.y - a.y) * s}; };
    return {mixed(from.min, to.min), mixed(from.max, to.max)};
}

bool asks(const PatternWord& word, int lane)
{
    return (word.lanes >> lane & 1u) != 0;
}

std::string all_lanes(uint32_t mask)
{
    std::vector<uint32_t> lanes;
    for (uint32_t lane = 0; lane < model::lanes; ++lane)
        if (mask >> lane & 1u)
            lanes.push_back(lane);
    return fmt::format("{}", fmt::join(number_runs(lanes), ", "));
}

// Draws an AccessDiagram.
class AccessLayers {
public:
    explicit AccessLayers(const AccessDiagram& of) : of_(of), grid_(of.grid), theme_(of.theme) {}

    std::vector<Layer> make()
    {
        choose_words();
        add_ground();
        add_ways();
        add_words();
        add_lanes();
        name_rows();
        return {std::move(shapes_), std::move(labels_)};
    }

private:
    // What each word prints: its lanes; unnamed numbers of lanes and word, with names at the left; or "lane 3" above
    // "word 5".
    enum class Printed : uint8_t { lanes, numbers, named };

    // Half of the gap between two lines of a cell. If they touched, one would be left out as overlapping.
    float between_lines() const { return theme_.px(1); }

    // All words print the same, so that they can be compared.
    void choose_words()
    {
        const float line = draw::line_height(theme_.mono);
        const auto fit = [&](const PatternWord& word, bool named) {
            const std::string number = fmt::format("{}{}", named ? "word " : "", word.word),
                              lanes = fmt::format("{}{}", named ? "lane " : "", std::countr_zero(word.lanes));
            return std::max(width_of(number), width_of(lanes)) + theme_.px(2) <= cell_of(word).width();
        };
        const bool high = grid_.rows() > 0 && grid_.cell(0, 0).height() >= 2 * line + theme_.px(4);
        names_lanes_ = std::ranges::none_of(
            of_.words, [&](const PatternWord& word) { return lanes_text(word, cell_of(word)).empty(); });
        if (!high || !std::ranges::all_of(of_.words, [&](const PatternWord& word) { return fit(word, false); }))
            return;
        const bool named = std::ranges::all_of(of_.words, [&](const PatternWord& word) { return fit(word, true); });
        printed_ = named ? Printed::named : Printed::numbers;
    }

    // Adds the headings of the columns. Below them adds the banks of all wavefronts, or the memory lines with their
    // moved sectors.
    void add_ground()
    {
        const Colour empty = draw::empty_colour(theme_), wasted = wasted_colour(theme_);
        const bool shared = of_.shared();
        const auto sector_of = [&](int row, int column) {
            return of_.lines[static_cast<std::size_t>(row)] * 4 + static_cast<uint64_t>(column) / words_of_sector;
        };
        for (int column = 0; column < grid_.columns(); ++column) {
            add(grid_.head(column), mix(theme_.panel, theme_.ink, shared ? 0.16f : 0.08f));
            for (int row = 0; row < of_.rows; ++row) {
                const bool moved = !shared && std::ranges::binary_search(of_.sectors, sector_of(row, column));
                add(grid_.cell(row, column), moved ? wasted : empty);
            }
        }
        const int last = grid_.columns() - 1, sector = static_cast<int>(words_of_sector);
        for (int column = sector; !shared && column <= last; column += sector) { // a gap between sectors
            const float x = grid_.cell(0, column).min.x, bottom = grid_.cell(of_.rows - 1, column).max.y;
            add({{x - 3, grid_.head(column).min.y}, {x, bottom}}, theme_.background);
        }
        for (int row = of_.rows; shared && row < grid_.rows(); ++row) // wavefronts of worse accesses
            shapes_.shapes.push_back({.box = {grid_.cell(row, 0).min, grid_.cell(row, last).max},
                                      .stroke = draw::with_alpha(theme_.border, 0.5f)});
        const float digits = width_of("32") + theme_.px(4), cell = grid_.head(0).width();
        const int step = cell >= digits ? 1 : cell * 4 >= digits ? 4 : 8;
        for (int column = 0; column < grid_.columns(); column += step)
            label(std::to_string(column), grid_.head(column).middle(), theme_.ink_quiet, Label::Side::middle);
        name(shared ? "bank" : "word", grid_.head(0).middle().y, theme_.ink_quiet);
    }

    // Adds a line from each lane to the headings of the words that it accesses. The selected lane's line is on top.
    void add_ways()
    {
        const float wide = grid_.lanes() < model::lanes ? 2.5f : 1.5f;
        for (const bool chosen : {false, true})
            for (const PatternWord& word : of_.words)
                for (int lane = 0; lane < grid_.lanes(); ++lane) {
                    if (!asks(word, lane) || chosen != is_selected(lane))
                        continue;
                    const ImVec2 from{grid_.lane(lane).middle().x, grid_.lane(lane).max.y},
                        to{of_.box_of(word, lane).middle().x, grid_.head(0).min.y};
                    const float half = (to.y - from.y) / 2;
                    const Colour colour = chosen ? theme_.ink : draw::with_alpha(of_.colour_of(word), 0.75f);
                    shapes_.shapes.push_back(
                        said_of({.kind = Shape::Kind::curve,
                                 .points = {from, {from.x, from.y + half}, {to.x, to.y - half}, to},
                                 .stroke = colour,
                                 .thick = wide + (chosen ? 1.0f : 0.0f)},
                                {.name = mark(fmt::format("way {}", lane)), .tip = tip(lane)}));
                }
    }

    // A served word is at its bank. Before that it moves there from its lanes.
    void add_words()
    {
        for (const PatternWord& word : of_.words) {
            const double served = of_.served(word);
            const Colour colour = of_.colour_of(word);
            const bool of_selected = asks(word, static_cast<int>(of_.selected));
            const int first = std::countr_zero(word.lanes), lane = of_selected ? static_cast<int>(of_.selected) : first;
            for (int one = grid_.lanes(); served > 0 && one-- > 0;)
                if (asks(word, one)) {
                    const Box target = of_.box_of(word, one);
                    add(between(start_of(one, target), target, served), colour);
                }
            const Box box = cell_of(word);
            shapes_.shapes.push_back(
                said_of({.box = box}, {.name = mark(fmt::format("{} {} in {} {}", of_.shared() ? "bank" : "word",
                                                                word.column, row_word(), word.row + 1)),
                                       .value = first,
                                       .tip = tip(lane),
                                       .click = choose(lane)}));
            if (served < 1 || of_.slide.share(of_.seconds) < 1)
                continue;
            for (int bank = 1; of_.shared() && bank < word.columns; ++bank) // the banks of a wide word
                add({{grid_.cell(word.row, word.column + bank).min.x - 1, box.max.y - box.height() / 6},
                     {grid_.cell(word.row, word.column + bank).min.x, box.max.y}},
                    theme_.background);
            if (of_selected)
                add_frame(shapes_.shapes, theme_, box, theme_.ink, 2);
            print(word, box, ink_on(colour));
        }
    }

    // A word starts below its lane, no wider than the lane.
    Box start_of(int lane, const Box& target) const
    {
        const Box at = grid_.lane(lane);
        const float half = std::min(at.width(), target.width()) / 2;
        return {{at.middle().x - half, at.max.y - target.height()}, {at.middle().x + half, at.max.y}};
    }

    // Returns the longest text about the lanes of a word that fits into the box; empty if none fits.
    std::string lanes_text(const PatternWord& word, const Box& box) const
    {
        const std::string lanes = all_lanes(word.lanes);
        const int count = std::popcount(word.lanes);
        std::vector<std::string> texts{lanes};
        if (count > 1)
            texts.push_back(fmt::format("{} lanes", count));
        if (printed_ != Printed::numbers)
            texts.insert(texts.begin(), (count == 1 ? "lane " : "lanes ") + lanes);
        const auto fits = [&](const std::string& words) { return width_of(words) + theme_.px(2) <= box.width(); };
        const auto shown = std::ranges::find_if(texts, fits);
        const bool high = box.height() >= draw::line_height(theme_.mono) - theme_.px(3);
        return high && shown != texts.end() ? *shown : "";
    }

    // Prints the lanes that request the word, and its number below them. If the lanes of some word do not fit, no word
    // has them, because numbers on some words would look like a pattern.
    void print(const PatternWord& word, const Box& box, Colour ink)
    {
        const float line = draw::line_height(theme_.mono);
        const bool alone = printed_ == Printed::lanes;
        const float up = alone || !names_lanes_ ? 0 : line / 2 + between_lines();
        if (names_lanes_)
            label(lanes_text(word, box), {box.middle().x, box.middle().y - up}, ink, Label::Side::middle);
        if (!alone)
            label(fmt::format("{}{}", printed_ == Printed::named ? "word " : "", word.word),
                  {box.middle().x, box.middle().y + up}, draw::with_alpha(ink, 0.75f), Label::Side::middle);
    }

    void add_lanes()
    {
        for (int lane = 0; lane < grid_.lanes(); ++lane) {
            const auto word = std::ranges::find_if(of_.words, [&](const PatternWord& one) { return asks(one, lane); });
            const bool takes_part = word != of_.words.end();
            const Box box = grid_.lane(lane);
            const Colour face = takes_part ? of_.colour_of(*word) : draw::empty_colour(theme_);
            shapes_.shapes.push_back(said_of({.box = box, .fill = face, .radius = 3},
                                             {.name = mark(fmt::format("lane {}", lane)),
                                              .value = takes_part ? std::optional<double>(word->column) : std::nullopt,
                                              .tip = tip(lane),
                                              .click = choose(lane)}));
            if (is_selected(lane))
                add_frame(shapes_.shapes, theme_, box, theme_.ink, 2);
            if (!grid_.lane_numbers_above())
                label(std::to_string(lane), box.middle(), ink_on(face), Label::Side::middle);
            else if (lane % 4 == 0)
                label(std::to_string(lane), {box.middle().x, box.min.y - draw::line_height(theme_.mono) / 2},
                      theme_.ink_quiet, Label::Side::middle);
        }
        name("lane", grid_.lane(0).middle().y, theme_.ink_quiet);
    }

    void name_rows()
    {
        const float line = draw::line_height(theme_.mono);
        for (int row = 0; row < of_.rows; ++row) {
            const Box first = grid_.cell(row, 0);
            if (first.height() < line - theme_.px(3) && row % 4 != 3 && row != 0)
                continue;
            const auto here = [&](const PatternWord& word) { return word.row == row; };
            const auto word = std::ranges::find_if(of_.words, here);
            const bool waits =
                std::ranges::any_of(of_.words, [&](const PatternWord& one) { return here(one) && one.waits; });
            const uint64_t number =
                of_.shared() ? static_cast<uint64_t>(row) + 1 : of_.lines[static_cast<std::size_t>(row)];
            const bool numbers = printed_ == Printed::numbers && word != of_.words.end();
            const float middle = first.middle().y;
            const float half = names_lanes_ ? line / 2 + between_lines() : 0;
            const bool both = numbers && names_lanes_, three = both && first.height() >= 4 * line + theme_.px(4);
            if (three)
                name("lane", middle - half, theme_.ink_faint);
            if (numbers)
                name(both && !three ? "lane, word" : "word", middle + half, theme_.ink_faint);
            if (!numbers || both || first.height() >= 3 * line)
                name(fmt::format("{} {}", row_word(), number),
                     middle - (both && !three ? half
                               : numbers      ? half + line
                                              : 0),
                     waits ? theme_.warning : theme_.ink_quiet);
        }
    }

    std::string row_word() const { return of_.shared() ? "wavefront" : "line"; }
    std::string mark(const std::string& name) const { return of_.name_of ? of_.name_of(name) : name; }
    Tip tip(int lane) const
    {
        return [words = of_.tip, lane] { return words ? words(lane) : Rich(); };
    }
    static Action choose(int lane)
    {
        return [lane](const ViewScene& scene) { scene.selection.lane = static_cast<uint32_t>(lane); };
    }
    bool is_selected(int lane) const { return static_cast<uint32_t>(lane) == of_.selected; }
    Box cell_of(const PatternWord& word) const { return grid_.cell(word.row, word.column, word.columns); }
    float width_of(std::string_view words) const { return draw::measure(theme_.mono, words).x; }
    void add(const Box& box, Colour colour) { shapes_.shapes.push_back(box_shape(box, colour)); }
    void name(std::string words, float y, Colour colour)
    {
        label(std::move(words), {grid_.left() - theme_.px(6), y}, colour, Label::Side::left);
    }
    void label(std::string words, ImVec2 at, Colour colour, Label::Side side)
    {
        labels_.labels.push_back(mono_label(std::move(words), at, colour, side));
    }

    const AccessDiagram& of_;
    const AccessGrid& grid_;
    const Theme& theme_;
    Printed printed_ = Printed::lanes;
    bool names_lanes_ = false;
    ShapeLayer shapes_;
    LabelLayer labels_;
};

} // namespace

// Rows have priority, up to their largest height. The lines from the lanes to the banks get the rest.
AccessGrid::AccessGrid(const Theme& theme, int lanes, int columns, int rows, const Box& box)
    : lane_count_(lanes), columns_(columns), rows_(rows)
{
    const float left = std::ceil(box.min.x + draw::measure(theme.mono, "wavefront 00").x + theme.px(8));
    const float line = draw::line_height(theme.mono), head = line + theme.px(4);
    numbers_above_ = (box.max.x - left) / static_cast<float>(lanes) < draw::measure(theme.mono, "31").x + 1;
    const float high = std::round(theme.px(numbers_above_ ? 16 : 24));
    // Leaves room for the frame of the selected lane.
    const float top = std::round(box.min.y + theme.px(3) + (numbers_above_ ? line : 0));
    const float below = box.max.y - top - high - head - theme.px(6), count = static_cast<float>(rows);
    const float least = std::clamp(below * 0.3f, theme.px(24), theme.px(110));
    row_ = std::clamp((below - least) / count, 1.0f, theme.px(highest_row));
    const float ways = std::round(std::clamp(below - row_ * count, least, std::max(theme.px(highest_ways), least)));
    lanes_ = {{left, top}, {box.max.x, top + high}};
    heads_ = {{left, lanes_.max.y + ways}, {box.max.x, lanes_.max.y + ways + head}};
    cells_ = {{left, heads_.max.y + 2}, {box.max.x, heads_.max.y + 2 + row_ * count}};
}

Box AccessGrid::lane(int lane) const
{
    const float width = lanes_.width() / static_cast<float>(lane_count_);
    const float x = lanes_.min.x + width * static_cast<float>(lane);
    return {{x, lanes_.min.y}, {x + width - (lane_count_ < model::lanes ? 4.0f : 1.0f), lanes_.max.y}};
}

Box AccessGrid::head(int column, int columns) const
{
    const float width = heads_.width() / static_cast<float>(columns_), gap = columns_ < model::banks ? 4.0f : 1.0f;
    const float x = heads_.min.x + width * static_cast<float>(column);
    return {{x, heads_.min.y}, {x + width * static_cast<float>(columns) - gap, heads_.max.y}};
}

Box AccessGrid::cell(int row, int column, int columns) const
{
    const Box above = head(column, columns);
    const float y = cells_.min.y + row_ * static_cast<float>(row);
    return {{above.min.x, y}, {above.max.x, y + std::max(row_ - 1, 1.0f)}};
}

std::optional<int> AccessGrid::lane_at(ImVec2 point) const
{
    for (int one = 0; one < lane_count_; ++one)
        if (lane(one).holds(point))
            return one;
    return {};
}

int AccessGrid::column_at(float x) const
{
    const float width = heads_.width() / static_cast<float>(columns_);
    return std::clamp(static_cast<int>(std::floor((x - heads_.min.x) / width)), 0, columns_ - 1);
}

int AccessGrid::row_at(float y) const
{
    return std::clamp(static_cast<int>(std::floor((y - cells_.min.y) / row_)), 0, rows_ - 1);
}

double WordSlide::share(double seconds) const
{
    const double gone = std::clamp((seconds - began) / takes, 0.0, 1.0);
    return gone * gone * (3 - 2 * gone);
}

double AccessDiagram::served(const PatternWord& word) const
{
    if (wavefront > 0)
        return word.row < wavefront ? 1 : 0;
    const double along = motion.along(word.row);
    return along < 0.99 ? along : 1; // the rest is less than a pixel
}

Box AccessDiagram::box_of(const PatternWord& word, int lane) const
{
    const Box target = grid.cell(word.row, word.column, word.columns);
    const auto& from = slide.from[static_cast<std::size_t>(lane)];
    return from ? between(*from, target, slide.share(seconds)) : target;
}

// Lanes that are served together have the same colour. In global memory, neighbouring lanes have.
Colour AccessDiagram::colour_of(const PatternWord& word) const
{
    const int group = shared() ? word.group : std::countr_zero(word.lanes) * 4 / grid.lanes();
    return word.waits ? theme.warning : theme.lane_group[static_cast<std::size_t>(group) % 4];
}

std::vector<Layer> AccessDiagram::layers() const
{
    return AccessLayers(*this).make();
}

std::vector<PatternWord> words_of(const BankPicture& picture)
{
    std::vector<PatternWord> words;
    for (const BankSpan& span : picture.spans)
        words.push_back({.lanes = span.lanes,
                         .row = span.wavefront,
                         .column = span.bank,
                         .columns = span.banks,
                         .group = span.group,
                         .waits = picture.rows[static_cast<std::size_t>(span.wavefront)].conflict,
                         .word = span.word});
    return words;
}

void add_conflict_cost(BarLayer& bars, const Theme& theme, const LadderFacts& ladder_facts, uint32_t wavefronts,
                       uint32_t without_conflict, bool with_latency)
{
    const GpuState& gpu = ladder_facts.gpu;
    if (!gpu.measured || wavefronts == 0)
        return;
    const auto add = [&](const char* name, double least, double cycles, Rich said) {
        const double extra = std::max(cycles - least, 0.0);
        bars.bars.push_back({.name = name,
                             .parts = {{.series = name, .value = cycles - extra, .colour = theme.accent(), .id = name},
                                       {.series = "conflicts", .value = extra, .colour = theme.warning}},
                             .tip = said_tip(rich("{} {}.", said, device_and_date(gpu.measured.from()))),
                             .words = fmt::format("{:.1f} cycles", cycles),
                             .origin = origin_of(gpu.measured.from())});
    };
    const auto& latencies = gpu.measured->conflict_latency;
    const auto latency_of = [&](uint32_t ways) -> std::optional<double> {
        const auto found = std::ranges::find(latencies, ways, &recording::ConflictLatency::ways);
        return found == latencies.end() ? std::nullopt : std::optional(found->cycles);
    };
    // The GPU's clock during the measurement follows from the two units of its latencies.
    if (gpu.measured->shared_bandwidth && gpu.properties && !latencies.empty() && gpu.properties->sm_count > 0) {
        const double ghz = latencies.front().cycles / latencies.front().ns;
        const double bytes_per_cycle = gpu.measured->shared_bandwidth->gbps / gpu.properties->sm_count / ghz;
        const double each = double{model::banks} * model::bank_bytes / bytes_per_cycle;
        add("one every", each * without_conflict, each * wavefronts,
            rich("By the bandwidth of shared memory, while the warps of an SM always have such an access ready:"));
    }
    const auto least = latency_of(without_conflict), latency = latency_of(wavefronts);
    if (with_latency && least && latency)
        add("latency", *least, *latency,
            rich("Until one warp alone has what it loads, where {} of one bank are asked for:",
                 counted(wavefronts, "word")));
}

} // namespace viz
