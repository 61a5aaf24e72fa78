#include "app/pictures/typeface.h"

#include "error.h"
#include "fonts.h"

#include <hb-subset.h>
#include <imgui_internal.h>

#include <algorithm>
#include <cmath>
#include <memory>

namespace app {

namespace {

constexpr std::string_view sans = "Helvetica, Arial, sans-serif", mono = "Consolas, Menlo, monospace";

[[noreturn]] void refuse()
{
    throw kernels::Error("A font of this build of gemmscope is damaged; build it again.");
}

unsigned big_endian(std::string_view bytes, std::size_t at, std::size_t count)
{
    unsigned value = 0;
    for (std::size_t i = 0; i < count && at + i < bytes.size(); ++i)
        value = value << 8 | static_cast<unsigned char>(bytes[at + i]);
    return value;
}

// Returns the offset of a table in an OpenType file.
std::size_t table(std::string_view font, std::string_view name)
{
    const unsigned tables = big_endian(font, 4, 2);
    for (std::size_t i = 0; i < tables; ++i)
        if (font.substr(12 + 16 * i, 4) == name)
            return big_endian(font, 12 + 16 * i + 8, 4);
    refuse();
}

float em_of(std::string_view file)
{
    const std::string_view font = fonts::file(file);
    const std::size_t head = table(font, "head"), metrics = table(font, "hhea");
    const auto signed_at = [&](std::size_t at) { return static_cast<short>(big_endian(font, at, 2)); };
    const int height = signed_at(metrics + 4) - signed_at(metrics + 6);
    return static_cast<float>(big_endian(font, head + 18, 2)) / static_cast<float>(height);
}

std::vector<Typeface> make_typefaces()
{
    std::vector<Typeface> all{{"Inter-Regular.otf", "Inter", "400", sans},
                              {"Inter-SemiBold.otf", "Inter", "600", sans},
                              {"JetBrainsMono-Regular.ttf", "JetBrains Mono", "400", mono},
                              {"JetBrainsMono-Bold.ttf", "JetBrains Mono", "700", mono}};
    for (Typeface& one : all)
        one.em = em_of(one.file);
    return all;
}

template <auto destroy>
struct Destroy {
    void operator()(auto* what) const { destroy(what); }
};
using Blob = std::unique_ptr<hb_blob_t, Destroy<hb_blob_destroy>>;
using HarfBuzzFace = std::unique_ptr<hb_face_t, Destroy<hb_face_destroy>>;
using Input = std::unique_ptr<hb_subset_input_t, Destroy<hb_subset_input_destroy>>;

} // namespace

const Typeface& typeface(std::string_view file)
{
    static const std::vector<Typeface> all = make_typefaces();
    const auto found = std::ranges::find(all, file, &Typeface::file);
    if (found == all.end())
        throw kernels::Error("The font \"" + std::string(file) + "\" is none of gemmscope's.");
    return *found;
}

Typeset typeset(const ImFont& font, ImVec2 left_top, std::string_view words)
{
    const Typeface& face = typeface(font.GetDebugName());
    Typeset set{.face = &face,
                .size = font.FontSize * face.em,
                .start = {left_top.x, left_top.y + std::round(font.Ascent)},
                .characters = {}};
    const char *at = words.data(), *end = at + words.size();
    while (at < end) {
        unsigned code = 0;
        const int bytes = ImTextCharFromUtf8(&code, at, end);
        set.characters.push_back({code, left_top.x + set.width, bytes});
        set.width += font.GetCharAdvance(static_cast<ImWchar>(code));
        at += bytes;
    }
    return set;
}

std::string font_subset(std::string_view file, const std::set<char32_t>& characters)
{
    const std::string_view font = fonts::file(file);
    const Blob whole(
        hb_blob_create(font.data(), static_cast<unsigned>(font.size()), HB_MEMORY_MODE_READONLY, nullptr, nullptr));
    const HarfBuzzFace face(hb_face_create(whole.get(), 0));
    const Input input(hb_subset_input_create_or_fail());
    if (hb_face_get_glyph_count(face.get()) == 0 || input == nullptr)
        refuse();
    for (const char32_t character : characters)
        hb_set_add(hb_subset_input_unicode_set(input.get()), character);
    // Excludes glyphs for ligatures and alternatives, because the program draws characters one by one.
    hb_set_clear(hb_subset_input_set(input.get(), HB_SUBSET_SETS_LAYOUT_FEATURE_TAG));
    const HarfBuzzFace subset(hb_subset_or_fail(face.get(), input.get()));
    if (subset == nullptr)
        refuse();
    const Blob bytes(hb_face_reference_blob(subset.get()));
    unsigned length = 0;
    const char* data = hb_blob_get_data(bytes.get(), &length);
    return {data, length};
}

} // namespace app
