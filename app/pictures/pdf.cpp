#include "app/pictures/pdf.h"

#include "app/pictures/typeface.h"

#include "error.h"
#include "fonts.h"

#include <cairo-ft.h>
#include <cairo-pdf.h>

#include <ft2build.h>
#include FT_FREETYPE_H

#include <map>
#include <memory>
#include <numbers>
#include <string_view>

namespace app {

namespace {

template <auto Release>
struct Releases {
    template <class T>
    void operator()(T* what) const
    {
        Release(what);
    }
};
using Surface = std::unique_ptr<cairo_surface_t, Releases<cairo_surface_destroy>>;
using Context = std::unique_ptr<cairo_t, Releases<cairo_destroy>>;
using Library = std::unique_ptr<FT_LibraryRec_, Releases<FT_Done_FreeType>>;
using Options = std::unique_ptr<cairo_font_options_t, Releases<cairo_font_options_destroy>>;

// A font of the program. Cairo may keep a face for longer than this lives, so it holds what the face needs, and lets go of it
// when cairo does.
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

cairo_status_t append(void* bytes, const unsigned char* data, unsigned length)
{
    auto& all = *static_cast<std::vector<std::byte>*>(bytes);
    const auto* first = reinterpret_cast<const std::byte*>(data);
    all.insert(all.end(), first, first + length);
    return CAIRO_STATUS_SUCCESS;
}

class PdfPage {
public:
    explicit PdfPage(cairo_t* to) : cairo_(to)
    {
        FT_Library library = nullptr;
        if (FT_Init_FreeType(&library) != 0)
            throw kernels::Error("FreeType does not start; there is no memory left.");
        library_ = {library, Releases<FT_Done_FreeType>()};
    }

    void add(const Shape& shape)
    {
        cairo_save(cairo_);
        if (shape.clipped) {
            cairo_rectangle(cairo_, shape.clip.x, shape.clip.y, shape.clip.z - shape.clip.x,
                            shape.clip.w - shape.clip.y);
            cairo_clip(cairo_);
        }
        set_colour(shape.colour);
        std::visit([&](const auto& what) { draw(what); }, shape.what);
        cairo_restore(cairo_);
    }

    void fill(ImU32 colour)
    {
        set_colour(colour);
        cairo_paint(cairo_);
    }

private:
    void set_colour(ImU32 colour)
    {
        const auto part = [&](int shift) { return (colour >> shift & 0xff) / 255.0; };
        cairo_set_source_rgba(cairo_, part(IM_COL32_R_SHIFT), part(IM_COL32_G_SHIFT), part(IM_COL32_B_SHIFT),
                              part(IM_COL32_A_SHIFT));
    }

    void follow(const std::vector<ImVec2>& points)
    {
        cairo_new_sub_path(cairo_);
        for (const ImVec2 point : points)
            cairo_line_to(cairo_, point.x, point.y);
    }

    void draw(const Fill& fill)
    {
        for (const std::vector<ImVec2>& loop : fill.loops) {
            follow(loop);
            cairo_close_path(cairo_);
        }
        cairo_fill(cairo_);
    }

    void draw(const Line& line)
    {
        follow(line.points);
        if (line.closed)
            cairo_close_path(cairo_);
        cairo_set_miter_limit(cairo_, 4);
        cairo_set_line_width(cairo_, line.width);
        cairo_stroke(cairo_);
    }

    void draw(const Disc& disc)
    {
        cairo_new_sub_path(cairo_);
        cairo_arc(cairo_, disc.middle.x, disc.middle.y, disc.radius, 0, 2 * std::numbers::pi);
        cairo_fill(cairo_);
    }

    void draw(const Words& words)
    {
        auto& face = faces_[words.font];
        if (face == nullptr)
            face = std::make_unique<CairoFace>(library_, words.font);
        std::vector<cairo_glyph_t> glyphs;
        std::vector<cairo_text_cluster_t> clusters;
        for (const Words::Character& one : words.characters) {
            glyphs.push_back({face->glyph(one.code), one.x, words.start.y});
            clusters.push_back({one.code < 0x80 ? 1 : one.code < 0x800 ? 2 : one.code < 0x10000 ? 3 : 4, 1});
        }
        const Options options(cairo_font_options_create());
        cairo_font_options_set_hint_style(options.get(), CAIRO_HINT_STYLE_NONE);
        cairo_font_options_set_hint_metrics(options.get(), CAIRO_HINT_METRICS_OFF);
        cairo_set_font_face(cairo_, face->get());
        cairo_set_font_size(cairo_, words.size * typeface(words.font).em);
        cairo_set_font_options(cairo_, options.get());
        cairo_show_text_glyphs(cairo_, words.text.data(), static_cast<int>(words.text.size()), glyphs.data(),
                               static_cast<int>(glyphs.size()), clusters.data(), static_cast<int>(clusters.size()),
                               cairo_text_cluster_flags_t{});
    }

    void draw(const Image& image)
    {
        const Picture& picture = image.picture;
        const Surface surface(cairo_image_surface_create(CAIRO_FORMAT_ARGB32, static_cast<int>(picture.width),
                                                         static_cast<int>(picture.height)));
        unsigned char* data = cairo_image_surface_get_data(surface.get());
        if (data == nullptr)
            throw kernels::Error("There is no memory for a picture inside the PDF.");
        const auto stride = static_cast<std::size_t>(cairo_image_surface_get_stride(surface.get()));
        for (uint32_t y = 0; y < picture.height; ++y)
            for (uint32_t x = 0; x < picture.width; ++x) {
                const uint32_t pixel = picture.pixels[std::size_t{y} * picture.width + x], alpha = pixel >> 24;
                const auto part = [&](int shift) { return (pixel >> shift & 0xff) * alpha / 255; };
                reinterpret_cast<uint32_t*>(data + y * stride)[x] =
                    alpha << 24 | part(0) << 16 | part(8) << 8 | part(16);
            }
        cairo_surface_mark_dirty(surface.get());
        cairo_translate(cairo_, image.min.x, image.min.y);
        cairo_scale(cairo_, double{image.max.x - image.min.x} / picture.width,
                    double{image.max.y - image.min.y} / picture.height);
        cairo_set_source_surface(cairo_, surface.get(), 0, 0);
        cairo_pattern_set_filter(cairo_get_source(cairo_), CAIRO_FILTER_NEAREST);
        cairo_paint(cairo_);
    }

    cairo_t* cairo_;
    std::shared_ptr<FT_LibraryRec_> library_;
    std::map<std::string, std::unique_ptr<CairoFace>> faces_;
};

} // namespace

std::vector<std::byte> pdf_of(const Drawing& drawing, const std::string& title, std::optional<ImU32> background)
{
    constexpr double points = 72.0 / 96; // of a unit
    std::vector<std::byte> bytes;
    const Surface surface(
        cairo_pdf_surface_create_for_stream(append, &bytes, drawing.width * points, drawing.height * points));
    cairo_pdf_surface_set_metadata(surface.get(), CAIRO_PDF_METADATA_TITLE, title.c_str());
    cairo_pdf_surface_set_metadata(surface.get(), CAIRO_PDF_METADATA_CREATOR, "gemmscope");
    {
        const Context context(cairo_create(surface.get()));
        cairo_scale(context.get(), points, points);
        PdfPage page(context.get());
        if (background)
            page.fill(*background);
        for (const Shape& shape : drawing.shapes)
            page.add(shape);
        cairo_show_page(context.get());
        if (const cairo_status_t status = cairo_status(context.get()); status != CAIRO_STATUS_SUCCESS)
            throw kernels::Error(std::string("The PDF could not be made: ") + cairo_status_to_string(status) + ".");
    }
    cairo_surface_finish(surface.get());
    if (const cairo_status_t status = cairo_surface_status(surface.get()); status != CAIRO_STATUS_SUCCESS)
        throw kernels::Error(std::string("The PDF could not be made: ") + cairo_status_to_string(status) + ".");
    return bytes;
}

} // namespace app
