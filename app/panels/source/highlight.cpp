#include "app/panels/source/highlight.h"

#include "app/panels/widgets.h"

#include "stage.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace app {

namespace {

constexpr std::string_view keywords[] = {
    "alignas",   "auto",          "bool",     "break",    "case",     "char",   "class",   "const",
    "constexpr", "continue",      "default",  "do",       "double",   "else",   "enum",    "explicit",
    "false",     "float",         "for",      "if",       "inline",   "int",    "int32_t", "int64_t",
    "namespace", "nullptr",       "operator", "private",  "public",   "return", "short",   "sizeof",
    "static",    "static_assert", "struct",   "switch",   "template", "this",   "true",    "typename",
    "uint16_t",  "uint32_t",      "uint64_t", "unsigned", "using",    "void",   "while"};

constexpr std::string_view cuda_words[] = {
    "__global__", "__device__", "__host__", "__shared__", "__launch_bounds__", "__restrict__", "__syncthreads",
    "threadIdx",  "blockIdx",   "blockDim", "gridDim",    "warpSize",          "float2",       "float4"};

template <std::size_t Size>
bool contains(const std::string_view (&words)[Size], std::string_view word)
{
    return std::find(std::begin(words), std::end(words), word) != std::end(words);
}

bool word_part(char c)
{
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

bool digit(char c)
{
    return c >= '0' && c <= '9';
}

class Cutter {
public:
    Cutter(std::string_view line, bool& in_comment) : line_(line), in_comment_(in_comment) {}

    std::vector<SourceSpan> cut()
    {
        while (at_ < line_.size())
            next();
        return std::move(spans_);
    }

private:
    void next()
    {
        const std::size_t start = at_;
        if (in_comment_ || starts("/*"))
            return take(comment_end(), SourceKind::comment);
        if (starts("//"))
            return take(line_.size(), SourceKind::comment);
        const char c = line_[at_];
        if (c == '#' && line_.find_first_not_of(' ') == at_)
            return take(preprocessor_end(), SourceKind::preprocessor);
        if (c == '"' || c == '\'')
            return take(quote_end(c), SourceKind::text);
        if (digit(c))
            return take(end_of([](char d) { return word_part(d) || d == '.' || d == '\''; }), SourceKind::number);
        if (!word_part(c))
            return take(start + 1, SourceKind::plain);
        const std::size_t end = end_of(word_part);
        const std::string_view word = line_.substr(start, end - start);
        take(end, contains(keywords, word)     ? SourceKind::keyword
                  : contains(cuda_words, word) ? SourceKind::cuda
                                               : SourceKind::plain);
    }

    bool starts(std::string_view text) const { return line_.substr(at_).starts_with(text); }

    std::size_t comment_end()
    {
        const std::size_t found = line_.find("*/", in_comment_ ? at_ : at_ + 2);
        in_comment_ = found == std::string_view::npos;
        return in_comment_ ? line_.size() : found + 2;
    }

    std::size_t preprocessor_end() const { return std::min(line_.find("//", at_), line_.size()); }

    std::size_t quote_end(char quote) const
    {
        for (std::size_t i = at_ + 1; i < line_.size(); ++i) {
            if (line_[i] == '\\')
                ++i;
            else if (line_[i] == quote)
                return i + 1;
        }
        return line_.size();
    }

    template <class Part>
    std::size_t end_of(Part part) const
    {
        std::size_t end = at_;
        while (end < line_.size() && part(line_[end]))
            ++end;
        return end;
    }

    // Merges adjacent spans of one kind, so that there are fewer to draw.
    void take(std::size_t end, SourceKind kind)
    {
        const auto count = static_cast<uint32_t>(end - at_);
        if (!spans_.empty() && spans_.back().kind == kind)
            spans_.back().count += count;
        else
            spans_.push_back({static_cast<uint32_t>(at_), count, kind});
        at_ = end;
    }

    std::string_view line_;
    bool& in_comment_;
    std::size_t at_ = 0;
    std::vector<SourceSpan> spans_;
};

// Returns the end of the part that begins at `start` and has at most `room` characters.
std::size_t end_of_part(std::string_view text, std::size_t start, std::size_t room, std::size_t indented)
{
    const std::size_t blank = text.rfind(' ', start + room);
    const std::size_t least = std::max(start, indented);
    if (blank != std::string_view::npos && blank > least + room / 2)
        return blank;
    const std::size_t bracket = text.find_last_of("(,[.", start + room - 1);
    if (bracket != std::string_view::npos && bracket > least)
        return bracket + (text[bracket] == '.' ? 0 : 1);
    return blank != std::string_view::npos && blank > least ? blank : start + room;
}

viz::Colour colour_of(SourceKind kind, const viz::Theme& theme)
{
    switch (kind) {
    case SourceKind::keyword: return theme.accent();
    case SourceKind::cuda: return theme.accent(1);
    case SourceKind::comment: return theme.ink_faint;
    case SourceKind::number:
    case SourceKind::text: return theme.good;
    case SourceKind::preprocessor: return theme.ink_quiet;
    case SourceKind::plain: break;
    }
    return theme.ink;
}

} // namespace

std::vector<SourceLine> highlight(std::string_view source)
{
    std::vector<SourceLine> lines;
    bool in_comment = false;
    while (!source.empty()) {
        const std::size_t end = std::min(source.find('\n'), source.size());
        const std::string_view line = source.substr(0, end);
        lines.push_back({line, Cutter(line, in_comment).cut()});
        source.remove_prefix(std::min(end + 1, source.size()));
    }
    return lines;
}

std::size_t indentation(const SourceLine& line)
{
    return std::min(line.text.find_first_not_of(' '), line.text.size());
}

std::size_t body_indentation(const std::vector<SourceLine>& lines, std::size_t number)
{
    if (number == 0 || number > lines.size())
        return 0;
    const auto counts = [](const SourceLine& line) {
        const std::size_t first = indentation(line);
        return first < line.text.size() && line.text[first] != '#';
    };
    const auto outside = [&](const SourceLine& line) { return counts(line) && indentation(line) == 0; };
    // The search stops in both directions at a line without indentation, such as a brace.
    std::size_t first = number - 1, end = number - 1;
    while (first > 0 && !outside(lines[first]))
        --first;
    while (end < lines.size() && !outside(lines[end]))
        ++end;
    std::size_t least = std::string_view::npos;
    for (std::size_t i = first + 1; i < end; ++i)
        if (counts(lines[i]))
            least = std::min(least, indentation(lines[i]));
    return first == end || least == std::string_view::npos ? 0 : least;
}

void add_parts(std::vector<LinePart>& parts, const SourceLine& line, std::size_t number, const LineRoom& room)
{
    const std::size_t size = line.text.size(), indented = std::min(indentation(line), size);
    std::size_t start = std::min(room.start, size), letters = std::max<std::size_t>(room.first, 1);
    std::size_t shown_number = number;
    while (size - start > letters) {
        const std::size_t end = end_of_part(line.text, start, letters, indented);
        parts.push_back({&line, start, end, shown_number});
        start = std::min(line.text.find_first_not_of(' ', end), size);
        letters = std::max<std::size_t>(room.more, 1);
        shown_number = 0;
    }
    if (start < size || shown_number != 0)
        parts.push_back({&line, start, size, shown_number});
}

void draw_highlighted(const viz::Theme& theme, const SourceLine& line, ImVec2 at, std::size_t start)
{
    const float column = text_width(theme.mono, "0");
    for (const SourceSpan& span : line.spans) {
        const std::size_t first = std::max<std::size_t>(span.first, start), end = span.first + span.count;
        if (first < end)
            draw_text(theme.mono, {at.x + static_cast<float>(first - start) * column, at.y},
                      colour_of(span.kind, theme), line.text.substr(first, end - first));
    }
}

void whole_line_tooltip(const viz::Theme& theme, const SourceLine& line)
{
    const std::size_t start = indentation(line);
    ImGui::BeginTooltip();
    draw_highlighted(theme, line, ImGui::GetCursorScreenPos(), start);
    ImGui::Dummy({static_cast<float>(line.text.size() - start) * text_width(theme.mono, "0"),
                  line_height(theme.mono) + theme.px(2)});
    ImGui::EndTooltip();
}

void LayoutStrip::follow(const std::vector<kernels::Stage>& ladder,
                         const std::shared_ptr<const recording::Recording>& recording)
{
    if (recording == recording_)
        return;
    recording_ = recording;
    definitions_.clear();
    if (recording == nullptr)
        return;
    const auto stage = std::find_if(ladder.begin(), ladder.end(),
                                    [&recording](const kernels::Stage& one) { return one.slug == recording->stage; });
    if (stage == ladder.end())
        return;
    for (const kernels::LayoutSource& layout : stage->layouts)
        if (const auto lines = kernels::find_layout(layout, *recording)) {
            const recording::SourceFile& source = recording->sources[lines->source];
            std::vector<SourceLine> all = highlight(source.text);
            definitions_.push_back({.file = source.name.substr(source.name.rfind('/') + 1),
                                    .array = std::string(layout.array),
                                    .first = lines->first,
                                    .lines = {all.begin() + lines->first - 1, all.begin() + lines->last}});
        }
}

const LayoutStrip::Definition* LayoutStrip::used_by(const recording::Access* access) const
{
    if (access == nullptr || !recording::has_addresses(*access) || access->array >= recording_->arrays.size())
        return nullptr;
    const auto used = std::ranges::find_if(definitions_, [&](const Definition& definition) {
        return kernels::is_tile_of(recording_->arrays[access->array].name, definition.array);
    });
    return used == definitions_.end() ? nullptr : &*used;
}

float LayoutStrip::draw(State& state, const Area& area, float most, const recording::Access* current) const
{
    if (definitions_.empty())
        return 0;
    const viz::Theme& theme = state.theme;
    const Definition* const used = used_by(current);
    const Definition& shown = used != nullptr ? *used : definitions_.front();
    const float row = line_height(theme.mono) + theme.px(2), column = text_width(theme.mono, "0");
    const float left = area.x + theme.px(10), code = left + 4 * column;
    const auto letters = static_cast<std::size_t>(std::max((area.right() - code) / column, 16.0f));
    const auto parts_of = [&](const Definition& definition) {
        std::vector<LinePart> parts;
        for (std::size_t i = 0; i < definition.lines.size(); ++i)
            add_parts(parts, definition.lines[i], definition.first + i,
                      {0, letters, letters > 12 ? letters - 8 : letters});
        return parts;
    };
    std::vector<LinePart> parts = parts_of(shown);
    std::size_t tallest = 0; // height of the tallest definition, so that the panel below does not move
    for (const Definition& definition : definitions_)
        tallest = std::max(tallest, parts_of(definition).size());
    // If not all rows fit, shows the last ones, because they compute the position of an element.
    const float heading = line_height(theme.text) + theme.px(2);
    const auto rows = static_cast<std::size_t>(std::max(1.0f, (most - heading - theme.px(4)) / row));
    if (parts.size() > rows)
        parts.erase(parts.begin(), parts.end() - static_cast<std::ptrdiff_t>(rows));
    const float height = heading + row * static_cast<float>(std::min(tallest, rows)) + theme.px(4);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    draw_text_within(theme.text, {left, area.y}, area.width - theme.px(20),
                     used != nullptr ? theme.ink : theme.ink_quiet, fmt::format("where {} lies", shown.array));
    float y = area.y + heading;
    for (const LinePart& part : parts) {
        if (used != nullptr)
            list.AddRectFilled({area.x, y}, {area.right(), y + row}, with_alpha(theme.accent(), 0.16f));
        if (part.number != 0)
            draw_text_right(theme.mono, {code - column, y}, theme.ink_faint, std::to_string(part.number));
        const float x = code + (part.number == 0 ? 8 * column : 0);
        list.PushClipRect(
            {x, y}, {std::min(area.right(), x + static_cast<float>(part.end - part.start) * column), y + row}, true);
        draw_highlighted(theme, *part.line, {x, y}, part.start);
        list.PopClipRect();
        y += row;
    }
    draw_rule(theme, area, area.y + height - 1);
    return height;
}

} // namespace app
