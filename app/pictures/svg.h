// A figure as SVG, with shapes as vectors and text that can be searched and selected.
#pragma once

#include "app/pictures/picture.h"
#include "app/pictures/typeface.h"

#include "viz/figure/surface.h"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace app {

// Maps each font file to the characters that were drawn with it.
using UsedCharacters = std::map<std::string, std::set<char32_t>>;

// Returns style sheet rules with the fonts, restricted to these characters.
std::string font_faces(const UsedCharacters& used);

// Escapes text for XML and HTML, also within quotes.
std::string escaped(std::string_view text);

class SvgSurface final : public viz::Surface {
public:
    using Surface::fill;
    using Surface::line;
    // `prefix` distinguishes the ids of several drawings in one page.
    explicit SvgSurface(ReadTexture read_texture, std::string prefix = "")
        : read_texture_(std::move(read_texture)), prefix_(std::move(prefix))
    {
    }

    void fill(const viz::Box& box, viz::Colour colour, float rounding) override;
    void outline(const viz::Box& box, viz::Colour colour, float thick) override;
    void line(std::span<const ImVec2> points, viz::Colour colour, float thick, bool closed) override;
    void polygon(std::span<const ImVec2> convex, viz::Colour colour) override;
    void circle(ImVec2 centre, float radius, viz::Colour colour) override;
    void ring(ImVec2 centre, float radius, viz::Colour colour, float thick) override;
    void text(ImFont* font, ImVec2 left_top, viz::Colour colour, std::string_view words) override;
    void image(unsigned texture, const viz::Box& box) override;
    void push_clip(const viz::Box& box) override;
    void pop_clip() override;

    const UsedCharacters& used() const { return used_; }

    // Texts that begin within one of these boxes are not drawn from now on.
    void leave_out(std::vector<viz::Box> boxes) { left_out_ = std::move(boxes); }

    struct Page {
        float width = 0, height = 0;
        std::string title;
        std::optional<viz::Colour> background; // empty: transparent
        bool brings_fonts = true;              // otherwise the page that contains the drawing embeds them
    };
    std::string svg(const Page& page) const;

private:
    // The text element at the end of the body. It is extended if the next words continue it.
    struct Sentence {
        std::size_t begin = 0, end = 0; // position in the body
        Typeset set;
        viz::Colour colour = 0;
        std::string words;
    };
    void write(Sentence sentence);
    std::string style(bool brings_fonts) const;

    ReadTexture read_texture_;
    std::string prefix_, body_, clip_paths_;
    // Maps (left, top, right, bottom) to the number of the clip path.
    std::map<std::tuple<float, float, float, float>, std::size_t> clips_;
    std::map<std::string, std::string> fonts_; // maps the font file to the class
    UsedCharacters used_;
    std::optional<Sentence> last_;
    std::vector<viz::Box> left_out_;
};

} // namespace app
