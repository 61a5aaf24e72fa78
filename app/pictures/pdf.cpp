#include "app/pictures/pdf.h"

#include "app/pictures/typeface.h"

#include "error.h"
#include "fonts.h"

#include <cairo-ft.h>
#include <cairo-pdf.h>

#include <ft2build.h>
#include FT_FREETYPE_H

#include <algorithm>
#include <map>
#include <numbers>
#include <string_view>
#include <utility>

namespace app {

namespace of_pdf { // not anonymous, because PdfSurface::Page has members of these types

template <auto Release>
struct Releases {
    template <class T>
    void operator()(T* what) const
    {
        Release(what);
    }
};
using CairoSurface = std::unique_ptr<cairo_surface_t, Releases<cairo_surface_destroy>>;
using Context = std::unique_ptr<cairo_t, Releases<cairo_destroy>>;
using Library = std::unique_ptr<FT_LibraryRec_, Releases<FT_Done_FreeType>>;
using Options = std::unique_ptr<cairo_font_options_t, Releases<cairo_font_options_destroy>>;

// A font of the program for cairo. Cairo may keep a face longer than this object lives. The face therefore owns the
// data it needs and releases it when cairo releases the face.
class CairoFace {
public:
    CairoFace(const std::shared_ptr<FT_LibraryRec_>& library, std::string_view file)
    {
        const std::string_view bytes = fonts::file(file);
        if (FT_New_Memory_Face(library.get(), reinterpret_cast<const FT_Byte*>(bytes.data()),
                               static_cast<FT_Long>(bytes.size()), 0, &face_) != 0)
            throw kernels::Error("The font " + std::string(file) + " of this build cannot be read; build it again.");
        cairo_ = cairo_ft_font_face_create_for_ft_face(face_, FT_LOAD_NO_HINTING);
        static constexpr cairo_user_data_key_t key{};
        auto* held = new Held{library, face_};
        if (cairo_font_face_set_user_data(cairo_, &key, held, [](void* data) { delete static_cast<Held*>(data); }) !=
            CAIRO_STATUS_SUCCESS) {
            delete held;
            throw std::bad_alloc();
        }
    }
    CairoFace(const CairoFace&) = delete;
    CairoFace& operator=(const CairoFace&) = delete;
    ~CairoFace() { cairo_font_face_destroy(cairo_); }

    cairo_font_face_t* get() const { return cairo_; }
    unsigned long glyph(char32_t code) const { return FT_Get_Char_Index(face_, code); }

private:
    struct Held {
        std::shared_ptr<FT_LibraryRec_> library;
        FT_Face face;
        Held(std::shared_ptr<FT_LibraryRec_> of, FT_Face one) : library(std::move(of)), face(one) {}
        Held(const Held&) = delete;
        Held& operator=(const Held&) = delete;
        ~Held() { FT_Done_Face(face); }
    };
    FT_Face face_ = nullptr;
    cairo_font_face_t* cairo_ = nullptr;
};

static cairo_status_t append(void* bytes, const unsigned char* data, unsigned length)
{
    auto& all = *static_cast<std::vector<std::byte>*>(bytes);
    const auto* first = reinterpret_cast<const std::byte*>(data);
    all.insert(all.end(), first, first + length);
    return CAIRO_STATUS_SUCCESS;
}

constexpr double points = 72.0 / 96; // PDF points per unit of 1/96 inch

} // namespace of_pdf

using namespace of_pdf;

struct PdfSurface::Page {
    Page(const Look& look, ReadTexture read) : read_texture(std::move(read))
    {
        FT_Library started = nullptr;
        if (FT_Init_FreeType(&started) != 0)
            throw kernels::Error("FreeType does not start; there is no memory left.");
        library = {started, Releases<FT_Done_FreeType>()};
        surface.reset(cairo_pdf_surface_create_for_stream(append, &bytes, look.width * points, look.height * points));
        cairo_pdf_surface_set_metadata(surface.get(), CAIRO_PDF_METADATA_TITLE, look.title.c_str());
        cairo_pdf_surface_set_metadata(surface.get(), CAIRO_PDF_METADATA_CREATOR, "gemmscope");
        context.reset(cairo_create(surface.get()));
        cairo_scale(context.get(), points, points);
        cairo_set_miter_limit(context.get(), 4);
        if (look.background) {
            set_colour(*look.background);
            cairo_paint(context.get());
        }
    }

    void set_colour(viz::Colour colour) const
    {
        const auto part = [&](int shift) { return (colour >> shift & 0xff) / 255.0; };
        cairo_set_source_rgba(context.get(), part(0), part(8), part(16), part(24));
    }
    void follow(std::span<const ImVec2> corners, bool closed) const
    {
        cairo_new_path(context.get());
        for (const ImVec2 point : corners)
            cairo_line_to(context.get(), point.x, point.y);
        if (closed)
            cairo_close_path(context.get());
    }
    void follow(const viz::Box& box) const
    {
        cairo_new_path(context.get());
        cairo_rectangle(context.get(), box.min.x, box.min.y, box.width(), box.height());
    }
    void follow(ImVec2 centre, double radius) const
    {
        cairo_new_path(context.get());
        cairo_arc(context.get(), centre.x, centre.y, radius, 0, 2 * std::numbers::pi);
    }
    void fill(viz::Colour colour) const
    {
        set_colour(colour);
        cairo_fill(context.get());
    }
    void stroke(viz::Colour colour, float thick) const
    {
        set_colour(colour);
        cairo_set_line_width(context.get(), thick);
        cairo_stroke(context.get());
    }
    const CairoFace& face_of(const std::string& file)
    {
        std::unique_ptr<CairoFace>& face = faces[file];
        if (face == nullptr)
            face = std::make_unique<CairoFace>(library, file);
        return *face;
    }

    ReadTexture read_texture;
    std::shared_ptr<FT_LibraryRec_> library;
    std::map<std::string, std::unique_ptr<CairoFace>> faces;
    std::vector<std::byte> bytes;
    CairoSurface surface;
    Context context;
};

PdfSurface::PdfSurface(const Look& look, ReadTexture read_texture)
    : page_(std::make_unique<Page>(look, std::move(read_texture)))
{
}

PdfSurface::~PdfSurface() = default;

void PdfSurface::fill(const viz::Box& box, viz::Colour colour, float rounding)
{
    cairo_t* const cairo = page_->context.get();
    page_->follow(box);
    if (const double r = std::min({rounding, box.width() / 2, box.height() / 2}); r > 0) {
        constexpr double quarter = std::numbers::pi / 2;
        cairo_new_path(cairo);
        cairo_arc(cairo, box.max.x - r, box.min.y + r, r, -quarter, 0);
        cairo_arc(cairo, box.max.x - r, box.max.y - r, r, 0, quarter);
        cairo_arc(cairo, box.min.x + r, box.max.y - r, r, quarter, 2 * quarter);
        cairo_arc(cairo, box.min.x + r, box.min.y + r, r, 2 * quarter, 3 * quarter);
        cairo_close_path(cairo);
    }
    page_->fill(colour);
}

void PdfSurface::outline(const viz::Box& box, viz::Colour colour, float thick)
{
    page_->follow(box);
    page_->stroke(colour, thick);
}

void PdfSurface::line(std::span<const ImVec2> corners, viz::Colour colour, float thick, bool closed)
{
    page_->follow(corners, closed);
    page_->stroke(colour, thick);
}

void PdfSurface::polygon(std::span<const ImVec2> convex, viz::Colour colour)
{
    page_->follow(convex, true);
    page_->fill(colour);
}

void PdfSurface::circle(ImVec2 centre, float radius, viz::Colour colour)
{
    page_->follow(centre, radius);
    page_->fill(colour);
}

void PdfSurface::ring(ImVec2 centre, float radius, viz::Colour colour, float thick)
{
    page_->follow(centre, radius);
    page_->stroke(colour, thick);
}

void PdfSurface::text(ImFont* font, ImVec2 left_top, viz::Colour colour, std::string_view words)
{
    const Typeset set = typeset(*font, left_top, words);
    const CairoFace& face = page_->face_of(std::string(set.face->file));
    std::vector<cairo_glyph_t> glyphs;
    std::vector<cairo_text_cluster_t> clusters;
    for (const Typeset::Character& one : set.characters) {
        glyphs.push_back({face.glyph(one.code), one.x, set.start.y});
        clusters.push_back({one.bytes, 1});
    }
    cairo_t* const cairo = page_->context.get();
    const Options options(cairo_font_options_create());
    cairo_font_options_set_hint_style(options.get(), CAIRO_HINT_STYLE_NONE);
    cairo_font_options_set_hint_metrics(options.get(), CAIRO_HINT_METRICS_OFF);
    cairo_set_font_face(cairo, face.get());
    cairo_set_font_size(cairo, set.size);
    cairo_set_font_options(cairo, options.get());
    page_->set_colour(colour);
    cairo_show_text_glyphs(cairo, words.data(), static_cast<int>(words.size()), glyphs.data(),
                           static_cast<int>(glyphs.size()), clusters.data(), static_cast<int>(clusters.size()),
                           cairo_text_cluster_flags_t{});
}

void PdfSurface::image(unsigned texture, const viz::Box& box)
{
    const Picture picture = page_->read_texture(texture);
    const CairoSurface surface(cairo_image_surface_create(CAIRO_FORMAT_ARGB32, static_cast<int>(picture.width),
                                                          static_cast<int>(picture.height)));
    unsigned char* data = cairo_image_surface_get_data(surface.get());
    if (data == nullptr)
        throw kernels::Error("There is no memory for a picture inside the PDF.");
    const auto stride = static_cast<std::size_t>(cairo_image_surface_get_stride(surface.get()));
    for (uint32_t y = 0; y < picture.height; ++y)
        for (uint32_t x = 0; x < picture.width; ++x) {
            const uint32_t pixel = picture.pixels[std::size_t{y} * picture.width + x], alpha = pixel >> 24;
            const auto part = [&](int shift) { return (pixel >> shift & 0xff) * alpha / 255; };
            reinterpret_cast<uint32_t*>(data + y * stride)[x] = alpha << 24 | part(0) << 16 | part(8) << 8 | part(16);
        }
    cairo_surface_mark_dirty(surface.get());
    cairo_t* const cairo = page_->context.get();
    cairo_save(cairo);
    cairo_translate(cairo, box.min.x, box.min.y);
    cairo_scale(cairo, double{box.width()} / picture.width, double{box.height()} / picture.height);
    cairo_set_source_surface(cairo, surface.get(), 0, 0);
    cairo_pattern_set_filter(cairo_get_source(cairo), CAIRO_FILTER_NEAREST);
    cairo_paint(cairo);
    cairo_restore(cairo);
}

void PdfSurface::push_clip(const viz::Box& box)
{
    cairo_save(page_->context.get());
    page_->follow(box);
    cairo_clip(page_->context.get());
}

void PdfSurface::pop_clip()
{
    cairo_restore(page_->context.get());
}

std::vector<std::byte> PdfSurface::pdf()
{
    cairo_show_page(page_->context.get());
    cairo_status_t status = cairo_status(page_->context.get());
    page_->context.reset();
    cairo_surface_finish(page_->surface.get());
    if (status == CAIRO_STATUS_SUCCESS)
        status = cairo_surface_status(page_->surface.get());
    if (status != CAIRO_STATUS_SUCCESS)
        throw kernels::Error(std::string("The PDF could not be made: ") + cairo_status_to_string(status) + ".");
    return std::move(page_->bytes);
}

} // namespace app
