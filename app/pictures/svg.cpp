#include "app/pictures/svg.h"

#include "app/text/command_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>

namespace app {

namespace {

std::string number(float value)
{
    std::string text = fmt::format("{:.2f}", value);
    text.erase(text.find_last_not_of('0') + 1);
    if (text.ends_with('.'))
        text.pop_back();
    return text == "-0" ? "0" : text;
}

std::string paint(std::string_view what, viz::Colour colour)
{
    std::string text =
        fmt::format(" {}=\"#{:02x}{:02x}{:02x}\"", what, colour & 0xff, colour >> 8 & 0xff, colour >> 16 & 0xff);
    if (const unsigned alpha = colour >> 24; alpha != 0xff)
        text += fmt::format(" {}-opacity=\"{}\"", what, number(static_cast<float>(alpha) / 255));
    return text;
}

std::string stroke(viz::Colour colour, float thick)
{
    return fmt::format(" fill=\"none\"{} stroke-width=\"{}\"", paint("stroke", colour), number(thick));
}

std::string rectangle(const viz::Box& box)
{
    return fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"", number(box.min.x), number(box.min.y),
                       number(box.width()), number(box.height()));
}

std::string path(std::span<const ImVec2> points, bool closed)
{
    std::string text = "<path d=\"M";
    for (const ImVec2 point : points)
        text += number(point.x) + ' ' + number(point.y) + ' ';
    text.back() = closed ? 'Z' : '"';
    return closed ? text + '"' : text;
}

std::string disc(ImVec2 centre, float radius)
{
    return fmt::format("<circle cx=\"{}\" cy=\"{}\" r=\"{}\"", number(centre.x), number(centre.y), number(radius));
}

// The words of a sentence are drawn one by one. Returns the number of blanks between `words` and `next`, or nothing if
// `next` begins another sentence.
std::optional<std::size_t> blanks_between(const ImFont& font, const Typeset& words, const Typeset& next)
{
    const float blank = font.GetCharAdvance(' ');
    const float pen = words.start.x + words.width, blanks = std::round((next.start.x - pen) / blank);
    const bool goes_on = words.face == next.face && std::abs(words.size - next.size) < 0.01f &&
                         std::abs(words.start.y - next.start.y) < 0.01f && blanks >= 0 && blanks <= 2 &&
                         std::abs(pen + blanks * blank - next.start.x) < (blanks > 0 ? 1.5f : 0.05f);
    return goes_on ? std::optional(static_cast<std::size_t>(blanks)) : std::nullopt;
}

} // namespace

void SvgSurface::fill(const viz::Box& box, viz::Colour colour, float rounding)
{
    if (colour >> 24 == 0 || box.width() <= 0 || box.height() <= 0)
        return;
    body_ += rectangle(box) + paint("fill", colour);
    body_ += rounding > 0 ? fmt::format(" rx=\"{}\"/>\n", number(rounding)) : " shape-rendering=\"crispEdges\"/>\n";
}

void SvgSurface::outline(const viz::Box& box, viz::Colour colour, float thick)
{
    if (colour >> 24 != 0)
        body_ += rectangle(box) + stroke(colour, thick) + "/>\n";
}

void SvgSurface::line(std::span<const ImVec2> points, viz::Colour colour, float thick, bool closed)
{
    if (colour >> 24 != 0 && points.size() > 1)
        body_ += path(points, closed) + stroke(colour, thick) + "/>\n";
}

void SvgSurface::polygon(std::span<const ImVec2> convex, viz::Colour colour)
{
    if (colour >> 24 != 0 && convex.size() > 2)
        body_ += path(convex, true) + paint("fill", colour) + "/>\n";
}

void SvgSurface::circle(ImVec2 centre, float radius, viz::Colour colour)
{
    if (colour >> 24 != 0)
        body_ += disc(centre, radius) + paint("fill", colour) + "/>\n";
}

void SvgSurface::ring(ImVec2 centre, float radius, viz::Colour colour, float thick)
{
    if (colour >> 24 != 0)
        body_ += disc(centre, radius) + stroke(colour, thick) + "/>\n";
}

void SvgSurface::text(ImFont* font, ImVec2 left_top, viz::Colour colour, std::string_view words)
{
    const auto holds = [&](const viz::Box& box) {
        return left_top.x >= box.min.x - 1 && left_top.x <= box.max.x && left_top.y >= box.min.y - 1 &&
               left_top.y <= box.max.y;
    };
    if (colour >> 24 == 0 || words.empty() || std::ranges::any_of(left_out_, holds))
        return;
    Sentence now{
        .begin = body_.size(), .set = typeset(*font, left_top, words), .colour = colour, .words = std::string(words)};
    if (last_ && last_->end == body_.size() && last_->colour == colour)
        if (const auto blanks = blanks_between(*font, last_->set, now.set)) {
            Sentence whole = std::move(*last_);
            whole.set.width = now.set.start.x + now.set.width - whole.set.start.x;
            whole.words += std::string(*blanks, ' ') + now.words;
            if (*blanks > 0)
                whole.set.characters.push_back({.code = U' '});
            std::ranges::move(now.set.characters, std::back_inserter(whole.set.characters));
            now = std::move(whole);
            body_.resize(now.begin);
        }
    write(std::move(now));
}

// Sets the text's width, so that words keep their positions with a fallback font.
void SvgSurface::write(Sentence sentence)
{
    const Typeset& set = sentence.set;
    const std::string file(set.face->file);
    for (const Typeset::Character& one : set.characters)
        used_[file].insert(one.code);
    const std::string& name = fonts_.try_emplace(file, fmt::format("{}f{}", prefix_, fonts_.size())).first->second;
    const std::string width =
        sentence.words.size() < 2
            ? ""
            : fmt::format(" textLength=\"{}\" lengthAdjust=\"spacingAndGlyphs\"", number(set.width));
    body_ += fmt::format("<text x=\"{}\" y=\"{}\" class=\"{}\" font-size=\"{}\"{}{}>{}</text>\n", number(set.start.x),
                         number(set.start.y), name, number(set.size), width, paint("fill", sentence.colour),
                         escaped(sentence.words));
    sentence.end = body_.size();
    last_ = std::move(sentence);
}

void SvgSurface::image(unsigned texture, const viz::Box& box)
{
    const std::vector<std::byte> png = png_of(read_texture_(texture));
    body_ += fmt::format("<image x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" preserveAspectRatio=\"none\" "
                         "xlink:href=\"data:image/png;base64,{}\"/>\n",
                         number(box.min.x), number(box.min.y), number(box.width()), number(box.height()),
                         to_base64({reinterpret_cast<const char*>(png.data()), png.size()}));
}

void SvgSurface::push_clip(const viz::Box& box)
{
    const auto [found, is_new] = clips_.try_emplace({box.min.x, box.min.y, box.max.x, box.max.y}, clips_.size());
    const std::string id = fmt::format("{}c{}", prefix_, found->second);
    if (is_new)
        clip_paths_ += fmt::format("<clipPath id=\"{}\">{}/></clipPath>\n", id, rectangle(box));
    body_ += fmt::format("<g clip-path=\"url(#{})\">\n", id);
}

void SvgSurface::pop_clip()
{
    body_ += "</g>\n";
}

// Turns off ligatures and kerning, as on the screen, so that words have the same widths.
std::string SvgSurface::style(bool brings_fonts) const
{
    std::string text = "<style>" + (brings_fonts ? font_faces(used_) : std::string());
    text += "text{white-space:pre;font-kerning:none;font-variant-ligatures:none;"
            "font-feature-settings:\"calt\" 0,\"kern\" 0,\"liga\" 0}";
    for (const auto& [file, name] : fonts_) {
        const Typeface& face = typeface(file);
        text +=
            fmt::format(".{}{{font-family:\"{}\",{};font-weight:{}}}", name, face.family, face.instead, face.weight);
    }
    return text + "</style>\n";
}

std::string SvgSurface::svg(const Page& page) const
{
    const std::string width = number(page.width), height = number(page.height);
    std::string text = fmt::format("<svg xmlns=\"http://www.w3.org/2000/svg\" "
                                   "xmlns:xlink=\"http://www.w3.org/1999/xlink\" width=\"{}\" height=\"{}\" "
                                   "viewBox=\"0 0 {} {}\" xml:space=\"preserve\" role=\"img\">\n<title>{}</title>\n",
                                   width, height, width, height, escaped(page.title));
    text += style(page.brings_fonts);
    if (!clip_paths_.empty())
        text += "<defs>\n" + clip_paths_ + "</defs>\n";
    if (page.background)
        text += fmt::format("<rect width=\"{}\" height=\"{}\"{}/>\n", width, height, paint("fill", *page.background));
    return text + body_ + "</svg>\n";
}

std::string escaped(std::string_view text)
{
    std::string result;
    for (const char c : text) {
        switch (c) {
        case '&': result += "&amp;"; break;
        case '<': result += "&lt;"; break;
        case '>': result += "&gt;"; break;
        case '"': result += "&quot;"; break;
        default: result += c;
        }
    }
    return result;
}

std::string font_faces(const UsedCharacters& used)
{
    std::string text;
    for (const auto& [file, characters] : used) {
        text += fmt::format("@font-face{{font-family:\"{}\";font-weight:{};src:url(data:font/otf;base64,{}) "
                            "format(\"opentype\")}}",
                            typeface(file).family, typeface(file).weight, to_base64(font_subset(file, characters)));
    }
    return text;
}

} // namespace app
