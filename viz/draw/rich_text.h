// A sentence with numbers, in several fonts and colours on one baseline, wrapped to a width.
#pragma once

#include "viz/origin.h"
#include "viz/text/message.h"
#include "viz/theme.h"

#include <imgui.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace viz {

struct Run;    // viz/text/templates.h
struct Term;   // viz/text/glossary.h
class Surface; // viz/figure/surface.h

// Text that is assembled from styled words, and then measured or drawn.
class RichText {
public:
    explicit RichText(const Theme& prose_theme) : theme(prose_theme) {}

    RichText& write(const Message& message); // renders the template; a blank separates it from the next words
    RichText& write(const Messages& messages);
    RichText& write(const std::vector<Run>& runs);       // a rendered template
    RichText& write_large(const std::vector<Run>& runs); // a headline: all in the heading font

    RichText& say(std::string_view words) { return add(words, theme.text, theme.ink_quiet); }
    RichText& strong(std::string_view words) { return add(words, theme.text, theme.ink); }
    RichText& heading(std::string_view words) { return add(words, theme.heading, theme.ink); }
    RichText& faint(std::string_view words) { return add(words, theme.text, theme.ink_faint); }
    RichText& swatch(Colour colour);       // a small square, kept together with the following words
    RichText& origin(NumberOrigin origin); // an origin mark, kept together with the following words
    // Underlines glossary terms in the previous words, each term once. The term under the mouse is explained beside it.
    RichText& explain_terms();
    RichText& gap(); // a wide space where a line may break
    RichText& break_line();

    float width() const; // of the longest line, if nothing is wrapped
    float height(float width) const;
    // Draws at a position and returns the height. Makes no ImGui item.
    float draw(Surface& surface, ImVec2 place, float width) const;
    float draw(ImDrawList* list, ImVec2 place, float width) const;
    float draw(ImVec2 place, float width) const; // on the window's own list
    // Draws at ImGui's cursor and moves the cursor below the text.
    void draw(float width) const;

private:
    struct Token {
        std::string word = {};
        ImFont* font = nullptr;
        Colour colour = 0;
        float space = 0; // before the word; a line may break there if it is not 0
        bool swatch = false, new_line = false;
        std::optional<NumberOrigin> origin = {};
        const Term* term = nullptr; // the glossary term that contains the word
    };

    RichText& add(std::string_view words, ImFont* font, Colour colour);
    RichText& add_sign(Token sign);
    void blank();
    float lay_out(Surface* surface, ImVec2 place, float width) const; // only measures if the surface is null
    float width_of(const Token& token) const;
    void draw_token(Surface& surface, ImVec2 corner, float baseline, const Token& token) const;
    void draw_term(Surface& surface, ImVec2 corner, float baseline, const Token& token) const;

    const Theme& theme;
    std::vector<Token> tokens;
    float pending_space = 0;
    bool keep_together = false; // the next words stay on the swatch's line
};

} // namespace viz
