#include "app/pictures/svg.h"

#include "app/pictures/font_subset.h"
#include "app/pictures/typeface.h"
#include "app/text/base64.h"

#include <fmt/format.h>

#include <cstddef>
#include <map>
#include <string_view>
#include <tuple>

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

std::string paint(std::string_view what, ImU32 colour)
{
    std::string text =
        fmt::format(" {}=\"#{:02x}{:02x}{:02x}\"", what, colour & 0xff, colour >> 8 & 0xff, colour >> 16 & 0xff);
    if (const unsigned alpha = colour >> IM_COL32_A_SHIFT; alpha != 0xff)
        text += fmt::format(" {}-opacity=\"{}\"", what, number(static_cast<float>(alpha) / 255));
    return text;
}

class SvgWriter {
public:
    SvgWriter(const Drawing& drawing, const SvgLook& look) : drawing_(drawing), look_(look) {}

    std::string write()
    {
        for (const Shape& shape : drawing_.shapes) {
            set_clip(shape.clipped ? clip_of(shape.clip) : std::string());
            std::visit([&](const auto& what) { add(what, shape.colour); }, shape.what);
        }
        set_clip({});
        const std::string width = number(drawing_.width), height = number(drawing_.height);
        std::string text =
            fmt::format("<svg xmlns=\"http://www.w3.org/2000/svg\" "
                        "xmlns:xlink=\"http://www.w3.org/1999/xlink\" width=\"{}\" height=\"{}\" "
                        "viewBox=\"0 0 {} {}\" xml:space=\"preserve\" role=\"img\">\n<title>{}</title>\n",
                        width, height, width, height, escaped(look_.title));
        text += style();
        if (!clips_.empty())
            text += "<defs>\n" + clip_paths_ + "</defs>\n";
        if (look_.background)
            text +=
                fmt::format("<rect width=\"{}\" height=\"{}\"{}/>\n", width, height, paint("fill", *look_.background));
        return text + body_ + "</svg>\n";
    }

private:
    // Ligatures and kerning are off, as on the screen: a word is as wide there as here.
    std::string style() const
    {
        std::string text = "<style>";
        if (look_.brings_fonts) {
            UsedCharacters used;
            add_characters(drawing_, used);
            text += font_faces(used);
        }
        text += "text{white-space:pre;font-kerning:none;font-variant-ligatures:none;"
                "font-feature-settings:\"calt\" 0,\"kern\" 0,\"liga\" 0}";
        for (const auto& [file, name] : fonts_) {
            const Typeface& face = typeface(file);
            text += fmt::format(".{}{{font-family:\"{}\",{};font-weight:{}}}", name, face.family, face.instead,
                                face.weight);
        }
        return text + "</style>\n";
    }

    std::string clip_of(const ImVec4& clip)
    {
        const auto [found, is_new] = clips_.try_emplace({clip.x, clip.y, clip.z, clip.w}, clips_.size());
        std::string id = fmt::format("{}c{}", look_.prefix, found->second);
        if (is_new)
            clip_paths_ +=
                fmt::format("<clipPath id=\"{}\"><rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/></clipPath>\n", id,
                            number(clip.x), number(clip.y), number(clip.z - clip.x), number(clip.w - clip.y));
        return id;
    }

    void set_clip(const std::string& clip)
    {
        if (clip == open_clip_)
            return;
        if (!open_clip_.empty())
            body_ += "</g>\n";
        if (!clip.empty())
            body_ += fmt::format("<g clip-path=\"url(#{})\">\n", clip);
        open_clip_ = clip;
    }

    void add(const Fill& fill, ImU32 colour)
    {
        std::string path;
        for (const std::vector<ImVec2>& loop : fill.loops) {
            path += 'M';
            for (const ImVec2 point : loop)
                path += number(point.x) + ' ' + number(point.y) + ' ';
            path.back() = 'Z';
        }
        body_ += fmt::format("<path d=\"{}\"{}{}/>\n", path, paint("fill", colour),
                             fill.boxes ? " shape-rendering=\"crispEdges\"" : "");
    }

    void add(const Line& line, ImU32 colour)
    {
        std::string path = "M";
        for (const ImVec2 point : line.points)
            path += number(point.x) + ' ' + number(point.y) + ' ';
        if (line.closed)
            path.back() = 'Z';
        else
            path.pop_back();
        body_ += fmt::format("<path d=\"{}\" fill=\"none\"{} stroke-width=\"{}\"/>\n", path, paint("stroke", colour),
                             number(line.width));
    }

    void add(const Disc& disc, ImU32 colour)
    {
        body_ += fmt::format("<circle cx=\"{}\" cy=\"{}\" r=\"{}\"{}/>\n", number(disc.middle.x), number(disc.middle.y),
                             number(disc.radius), paint("fill", colour));
    }

    // The width keeps words in their place where another font stands in for ours.
    void add(const Words& words, ImU32 colour)
    {
        const std::string name =
            fonts_.try_emplace(words.font, fmt::format("{}f{}", look_.prefix, fonts_.size())).first->second;
        const std::string width =
            words.characters.size() < 2
                ? ""
                : fmt::format(" textLength=\"{}\" lengthAdjust=\"spacingAndGlyphs\"", number(words.width));
        body_ +=
            fmt::format("<text x=\"{}\" y=\"{}\" class=\"{}\" font-size=\"{}\"{}{}>{}</text>\n", number(words.start.x),
                        number(words.start.y), name, number(words.size * typeface(words.font).em), width,
                        paint("fill", colour), escaped(words.text));
    }

    void add(const Image& image, ImU32)
    {
        const std::vector<std::byte> png = png_of(image.picture);
        body_ += fmt::format("<image x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" preserveAspectRatio=\"none\" "
                             "xlink:href=\"data:image/png;base64,{}\"/>\n",
                             number(image.min.x), number(image.min.y), number(image.max.x - image.min.x),
                             number(image.max.y - image.min.y),
                             to_base64({reinterpret_cast<const char*>(png.data()), png.size()}));
    }

    const Drawing& drawing_;
    const SvgLook& look_;
    std::string body_, clip_paths_, open_clip_;
    std::map<std::tuple<float, float, float, float>, std::size_t> clips_;
    std::map<std::string, std::string> fonts_; // file to class
};

} // namespace

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

void add_characters(const Drawing& drawing, UsedCharacters& used)
{
    for (const Shape& shape : drawing.shapes)
        if (const auto* words = std::get_if<Words>(&shape.what))
            for (const Words::Character& one : words->characters)
                used[words->font].insert(one.code);
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

std::string svg_of(const Drawing& drawing, const SvgLook& look)
{
    return SvgWriter(drawing, look).write();
}

} // namespace app
