// Font subsets inside an SVG: the required characters look as in the full font, and the others are removed.
#include "app/pictures/typeface.h"
#include "tests/paths.h"

#include <ft2build.h>
#include FT_FREETYPE_H

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace {

class Font {
public:
    Font(FT_Library library, std::string bytes) : bytes_(std::move(bytes))
    {
        const auto* data = reinterpret_cast<const FT_Byte*>(bytes_.data());
        opened_ = FT_New_Memory_Face(library, data, static_cast<FT_Long>(bytes_.size()), 0, &face_) == 0;
    }
    Font(const Font&) = delete;
    Font& operator=(const Font&) = delete;
    ~Font()
    {
        if (opened_)
            FT_Done_Face(face_);
    }

    bool opened() const { return opened_; }
    bool has(char32_t character) const { return FT_Get_Char_Index(face_, character) != 0; }
    std::size_t glyphs() const { return static_cast<std::size_t>(face_->num_glyphs); }
    bool loads(std::size_t glyph) const
    {
        return FT_Load_Glyph(face_, static_cast<FT_UInt>(glyph), FT_LOAD_NO_SCALE) == 0;
    }
    // Returns the character's width and the points of its outline.
    std::vector<long> outline(char32_t character) const
    {
        if (!loads(FT_Get_Char_Index(face_, character)))
            return {};
        std::vector<long> all{face_->glyph->advance.x};
        const FT_Outline& outline = face_->glyph->outline;
        for (const FT_Vector& point : std::span(outline.points, static_cast<std::size_t>(outline.n_points)))
            all.insert(all.end(), {point.x, point.y});
        return all;
    }

private:
    std::string bytes_;
    FT_Face face_ = nullptr;
    bool opened_ = false;
};

TEST(FontSubset, HasTheCharactersThatAreWantedAndNoOthers)
{
    FT_Library library = nullptr;
    ASSERT_EQ(FT_Init_FreeType(&library), 0);
    const std::u32string words = U"banks 0-31: \u00e9\u00f6\u00d7\u2192\u03b1";
    const std::set<char32_t> wanted(words.begin(), words.end());
    for (const char* file :
         {"Inter-Regular.otf", "Inter-SemiBold.otf", "JetBrainsMono-Regular.ttf", "JetBrainsMono-Bold.ttf"}) {
        const std::string bytes = app::font_subset(file, wanted);
        EXPECT_LT(bytes.size(), 60000u) << file;
        const Font whole(library, test::text_of(test::source_tree() / "assets/fonts" / file)), part(library, bytes);
        ASSERT_TRUE(whole.opened() && part.opened()) << file;
        for (const char32_t one : wanted) {
            EXPECT_EQ(part.has(one), whole.has(one)) << file << " " << static_cast<unsigned>(one);
            EXPECT_EQ(part.outline(one), whole.outline(one)) << file << " " << static_cast<unsigned>(one);
        }
        for (char32_t other = U'A'; other <= U'Z'; ++other)
            EXPECT_FALSE(part.has(other)) << file << " " << static_cast<unsigned>(other);
        EXPECT_LE(part.glyphs(), 2 * wanted.size())
            << file << ", with the one for what is missing, and parts of others";
        for (std::size_t glyph = 0; glyph < part.glyphs(); ++glyph)
            EXPECT_TRUE(part.loads(glyph)) << file << " glyph " << glyph;
    }
    FT_Done_FreeType(library);
}

} // namespace
