#include "app/pictures/font_subset.h"

#include "error.h"
#include "fonts.h"

#include <hb-subset.h>

#include <memory>

namespace app {

namespace {

template <auto destroy>
struct Destroy {
    void operator()(auto* what) const { destroy(what); }
};
using Blob = std::unique_ptr<hb_blob_t, Destroy<hb_blob_destroy>>;
using HarfBuzzFace = std::unique_ptr<hb_face_t, Destroy<hb_face_destroy>>;
using Input = std::unique_ptr<hb_subset_input_t, Destroy<hb_subset_input_destroy>>;

[[noreturn]] void refuse()
{
    throw kernels::Error("A font of this build of gemmscope is damaged; build it again.");
}

} // namespace

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
