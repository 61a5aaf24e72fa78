#include "viz/draw/rich_text.h"

#include "viz/draw/draw.h"
#include "viz/figure/surface.h"
#include "viz/text/glossary.h"
#include "viz/text/templates.h"

#include <algorithm>
#include <cctype>
#include <span>
#include <string_view>
#include <utility>

namespace viz {

namespace {

// Returns how far a line of the font reaches above the baseline.
float ascent(ImFont* font)
{
    font = font ? font : ImGui::GetFont();
    return font->Ascent;
}

float descent(ImFont* font)
{
    return draw::measure(font, " ").y - ascent(font);
}

ImFont* font_of(const Theme& theme, Style style)
{
    switch (style) {
    case Style::figure: return theme.mono_bold;
    case Style::code: return theme.mono;
    case Style::heading: return theme.heading;
    case Style::words:
    case Style::strong:
    case Style::faint: break;
    }
    return theme.text;
}

Colour colour_of(const Theme& theme, const Run& run)
{
    if (const auto column = column_of(run.meaning))
        return theme.accent(*column);
    switch (run.meaning) {
    case Meaning::none:
    case Meaning::column: break;
    case Meaning::conflict: return theme.warning;
    case Meaning::good: return theme.good;
    case Meaning::strong: return theme.ink;
    case Meaning::quiet: return theme.ink_quiet;
    case Meaning::faint: return theme.ink_faint;
    }
    return run.style == Style::words ? theme.ink_quiet : run.style == Style::faint ? theme.ink_faint : theme.ink;
}

} // namespace

RichText& RichText::write(const Message& message)
{
    return write(compose(message));
}

RichText& RichText::write(const std::vector<Run>& runs)
{
    for (const Run& run : runs)
        switch (run.kind) {
        case Run::Kind::words: add(run.words, font_of(theme, run.style), colour_of(theme, run)); break;
        case Run::Kind::swatch: swatch(run.colour); break;
        case Run::Kind::origin: origin(*run.origin); break;
        case Run::Kind::gap: gap(); break;
        case Run::Kind::new_line: break_line(); break;
        }
    blank();
    return *this;
}

RichText& RichText::write(const Messages& messages)
{
    for (const Message& message : messages)
        write(message);
    return *this;
}

RichText& RichText::write_large(const std::vector<Run>& runs)
{
    for (const Run& run : runs)
        if (run.kind == Run::Kind::words)
            add(run.words, theme.heading, colour_of(theme, run));
    blank();
    return *this;
}

void RichText::blank()
{
    pending_space = std::max(pending_space, draw::measure(theme.text, " ").x);
}

RichText& RichText::add(std::string_view words, ImFont* font, Colour colour)
{
    if (words.find_first_not_of(" \n") == std::string_view::npos) {
        if (!words.empty())
            blank();
        return *this;
    }
    // The words after a swatch stay on the same line unless they are very long.
    const bool whole = std::exchange(keep_together, false) && draw::measure(font, words).x <= theme.px(150);
    std::size_t i = 0;
    while (i < words.size()) {
        if (words[i] == ' ' || words[i] == '\n') {
            blank();
            ++i;
            continue;
        }
        const std::size_t end =
            whole ? words.find_last_not_of(' ') + 1 : std::min(words.find_first_of(" \n", i), words.size());
        tokens.push_back(
            {.word = std::string(words.substr(i, end - i)), .font = font, .colour = colour, .space = pending_space});
        pending_space = 0;
        i = end;
    }
    return *this;
}

RichText& RichText::add_sign(Token sign)
{
    sign.space = std::exchange(pending_space, 0.0f);
    tokens.push_back(std::move(sign));
    keep_together = true;
    return *this;
}

RichText& RichText::swatch(Colour colour)
{
    return add_sign({.font = theme.text, .colour = colour, .swatch = true});
}

RichText& RichText::origin(NumberOrigin origin)
{
    return add_sign({.font = theme.text, .colour = theme.ink_faint, .origin = origin});
}

RichText& RichText::gap()
{
    pending_space = theme.px(18);
    return *this;
}

RichText& RichText::break_line()
{
    tokens.push_back({.font = theme.text, .new_line = true});
    pending_space = 0;
    return *this;
}

RichText& RichText::explain_terms()
{
    std::vector<std::string_view> words;
    for (const Token& token : tokens)
        words.emplace_back(token.word);
    std::vector<const Term*> explained;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        const FoundTerm found = term_at(shipped_terms(), std::span(words).subspan(i));
        if (found.term == nullptr || tokens[i].font == theme.heading || std::ranges::count(explained, found.term) > 0)
            continue;
        explained.push_back(found.term);
        for (std::size_t word = 0; word < found.words; ++word)
            tokens[i + word].term = found.term;
        i += found.words - 1;
    }
    return *this;
}

float RichText::width_of(const Token& token) const
{
    return token.swatch ? theme.px(16) : token.origin ? theme.px(11) : draw::measure(token.font, token.word).x;
}

void RichText::draw_token(Surface& surface, ImVec2 corner, float baseline, const Token& token) const
{
    if (token.swatch) {
        const float side = theme.px(11), top = baseline - side;
        surface.fill({{corner.x, top}, {corner.x + side, top + side}}, token.colour);
    } else if (token.origin) {
        const float radius = theme.px(3);
        draw_origin(surface, *token.origin, {corner.x + radius, baseline - theme.px(5)}, radius, token.colour);
    } else {
        surface.text(token.font, corner, token.colour, token.word);
        if (token.term != nullptr)
            draw_term(surface, corner, baseline, token);
    }
}

// Underlines a term with dots, so that it does not look like a link.
void RichText::draw_term(Surface& surface, ImVec2 corner, float baseline, const Token& token) const
{
    const float end = corner.x + width_of(token), y = baseline + theme.px(2), dot = theme.px(1.5f);
    for (float x = corner.x; x + dot <= end; x += 2 * dot)
        surface.fill({{x, y}, {x + dot, y + theme.px(1)}}, theme.ink_faint);
    if (!ImGui::IsWindowHovered() || !ImGui::IsMouseHoveringRect(corner, {end, y + theme.px(3)}))
        return;
    ImGui::BeginTooltip();
    RichText(theme).strong(token.term->name + ":").say(" ").say(token.term->meaning).draw(theme.px(340));
    ImGui::EndTooltip();
}

float RichText::lay_out(Surface* surface, ImVec2 place, float width) const
{
    float y = 0;
    for (std::size_t i = 0; i < tokens.size();) {
        if (tokens[i].new_line) { // a second one in a row makes an empty line
            ++i;
            continue;
        }
        // Takes as many tokens as fit on one line. Does not separate tokens that have no space between them.
        float x = 0, up = 0, down = 0;
        std::size_t end = i;
        while (end < tokens.size() && !tokens[end].new_line) {
            std::size_t piece = end;
            float piece_width = end == i ? 0 : tokens[end].space;
            do {
                piece_width += width_of(tokens[piece]);
                ++piece;
            } while (piece < tokens.size() && tokens[piece].space == 0 && !tokens[piece].new_line);
            if (end > i && x + piece_width > width)
                break;
            x += piece_width;
            end = piece;
        }
        for (std::size_t t = i; t < end; ++t) {
            up = std::max(up, ascent(tokens[t].font));
            down = std::max(down, descent(tokens[t].font));
        }
        float at = 0;
        for (std::size_t t = i; surface != nullptr && t < end; ++t) {
            at += t == i ? 0 : tokens[t].space;
            const ImVec2 corner{place.x + at, place.y + y + up - ascent(tokens[t].font)};
            draw_token(*surface, corner, place.y + y + up, tokens[t]);
            at += width_of(tokens[t]);
        }
        y += up + down + theme.px(2);
        i = end;
    }
    return y;
}

float RichText::width() const
{
    float line = 0, widest = 0;
    for (const Token& token : tokens) {
        line = token.new_line ? 0 : line + (line > 0 ? token.space : 0) + width_of(token);
        widest = std::max(widest, line);
    }
    return widest;
}

float RichText::height(float width) const
{
    return lay_out(nullptr, {}, width);
}

float RichText::draw(Surface& surface, ImVec2 place, float width) const
{
    if (theme.words_drawn != nullptr)
        for (const Token& token : tokens)
            *theme.words_drawn +=
                std::ranges::any_of(token.word, [](unsigned char c) { return std::isalpha(c); }) ? 1 : 0;
    return lay_out(&surface, place, width);
}

float RichText::draw(ImDrawList* list, ImVec2 place, float width) const
{
    ImGuiSurface surface(list);
    return draw(surface, place, width);
}

float RichText::draw(ImVec2 place, float width) const
{
    return draw(ImGui::GetWindowDrawList(), place, width);
}

void RichText::draw(float width) const
{
    ImGui::Dummy({width, draw(ImGui::GetCursorScreenPos(), width)});
}

} // namespace viz
