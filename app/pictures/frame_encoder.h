// Encodes frames of ImGui as messages for a page, which draws them with WebGL. Data that the page already has is not
// sent again.
//
// The indices of each draw command are cut into pieces. A piece consists of quads (a quad is a character or a filled
// box) or of triangles. The contents determine where the cuts are, so that a changed word leaves the pieces before and
// behind it as they are. A piece is identified by the hash of its contents. It is sent once and gets a number. A frame
// is a list of clip rectangles with the numbers of their pieces. Both sides forget pieces that have not been drawn for
// a long time.
//
// A frame is written in columns. Each column holds numbers of one kind, because they compress better than a mixture.
// ByteWriter writes the numbers. The columns are:
//     frame     number of the frame; the count and numbers of the removed textures; the count of the new or changed
//               textures, and for each of them: number, width, height, bytes per pixel (1: coverage, 4: RGBA), first
//               row, number of rows, pixels; 1 if the tables of stamps, points and colors become empty first, else 0;
//               the count and numbers of the forgotten pieces; number of new pieces; width and height in pixels;
//               background color; number of commands
//     commands  for each command: clip rectangle, texture, number of its pieces, and the pieces, each as the
//               difference to the piece before
//     shapes, x, y, stamps, points, colours, indices
//               contents of the new pieces, as add_quads() and add_triangles() write them
// A message to the page consists of the kind 1 and, for each column, its length in bytes and the column.
//
// A frame may be encoded in several themes at once if they have the same shapes. Each background, color and texture of
// a command then has one value for each theme.
#pragma once

#include "app/pictures/packed_words.h"

#include "viz/theme.h"

#include <imgui.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace app {

// Pixels of a texture, row by row from the top, without gaps.
struct TexturePixels {
    int width = 0, height = 0;
    int bytes_per_pixel = 4;              // 1: coverage of white
    std::span<const unsigned char> bytes; // empty: the page gets the pixels in another way
};

class FrameEncoder {
public:
    using ReadTexture = std::function<TexturePixels(ImTextureID)>; // the pixels are valid until the next call

    // A frame in one theme.
    struct Drawn {
        std::vector<const ImDrawList*> lists;
        ImVec2 corner, size; // position and size of the visible area
        viz::Colour background = 0;
        ReadTexture read;
    };
    struct Look {
        std::size_t themes = 1; // number of themes of each frame
        // Forgets what has not been drawn for a long time. If false, frames can be shown in any order.
        bool forgets = true;
        float per_pixel = 32; // positions are sent in units of 1 / per_pixel pixels
    };
    enum Column : std::size_t { frame, commands, shapes, x, y, stamps, points, colours, indices, column_count };
    using Columns = std::array<std::string, column_count>;

    FrameEncoder() = default;
    explicit FrameEncoder(Look look) : look_(look) {}

    // Returns the message, or an empty text if the page already shows this frame. Throws what `read` throws.
    std::string encode(const ImDrawData& data, viz::Colour background, const ReadTexture& read);
    // Returns the columns of a frame with as many themes as `Look` says, or nothing if the frame before is the same.
    // The themes must have the same shapes, see same_shapes().
    std::optional<Columns> encode(const std::vector<Drawn>& themes);

    // Returns whether the two differ only in colors and in the pixels of textures.
    static bool same_shapes(const Drawn& one, const Drawn& other);

    uint64_t frames() const { return frame_; } // number of frames that were sent
    std::size_t pieces() const { return known_.size(); }

    static constexpr float per_texture = 65536; // texture coordinates are sent in units of 1 / per_texture
    // Limit of the vertices in pieces that the current frame does not use. Beyond it the pieces that were drawn longest
    // ago are forgotten.
    static constexpr std::size_t most_unused_vertices = 200'000;
    static constexpr std::size_t most_in_table = 30'000; // entries of a table; beyond it all tables become empty

private:
    struct Known {
        uint64_t number = 0, used = 0; // used: turn in which the piece was drawn last
        std::size_t vertices = 0;
    };
    struct Sent { // a texture that the page has
        uint64_t number = 0, used = 0;
        int width = 0, height = 0, bytes_per_pixel = 4;
        std::vector<unsigned char> pixels;
    };
    // Values that the page knows. A value that was written before is written as its index.
    class Table {
    public:
        void write(const std::vector<int64_t>& value, ByteWriter& to);
        std::size_t size() const { return places_.size(); }
        void clear() { places_.clear(); }

    private:
        std::map<std::vector<int64_t>, std::size_t> places_;
    };
    struct Clip {
        int64_t left = 0, top = 0, right = 0, bottom = 0;
    };

    using ListInThemes = std::vector<const ImDrawList*>; // the same list in each theme

    void add_list(const ListInThemes& lists, const std::vector<Drawn>& themes);
    void add_command(const Clip& clip, ImTextureID texture, const std::vector<Drawn>& themes,
                     const std::vector<uint64_t>& pieces);
    void cut(const ListInThemes& lists, const ImDrawCmd& command, const Clip& clip, std::vector<uint64_t>& pieces);
    void write_colour(int64_t colour);
    int64_t place(float at) const;
    void append_quad(const ImDrawVert& from, const ImDrawVert& until, int64_t colour, std::vector<int64_t>& to) const;
    void append_vertex(const ImDrawVert& vertex, int64_t colour, std::vector<int64_t>& to) const;
    uint64_t number_of(bool quads, const std::vector<int64_t>& contents, std::size_t vertices);
    void add_quads(const std::vector<int64_t>& contents);
    void add_triangles(const std::vector<int64_t>& contents, std::size_t vertices);
    uint64_t texture(ImTextureID id, std::size_t theme, const ReadTexture& read);
    void forget_textures();
    void forget_pieces();

    Look look_;
    uint64_t turn_ = 0, frame_ = 0; // turn_: number of frames that were drawn; frame_: number of those that were sent
    uint64_t last_piece_ = 0, last_texture_ = 0;
    std::unordered_map<uint64_t, Known> known_;                    // by the hash of the contents
    std::map<std::pair<ImTextureID, std::size_t>, Sent> textures_; // by texture and theme
    // stamps_: sizes of quads with texture coordinates; points_: texture coordinates; colours_: colors
    Table stamps_, points_, colours_;
    std::string shown_; // size, background and commands of the frame before

    // The following members belong to the frame that is being written.
    std::array<ByteWriter, column_count> columns_;
    ByteWriter new_textures_, gone_textures_, gone_pieces_;
    std::size_t texture_count_ = 0, piece_count_ = 0, gone_texture_count_ = 0, gone_piece_count_ = 0,
                command_count_ = 0;
    Clip last_clip_;
    uint64_t last_drawn_ = 0; // number of the piece that was written last
};

} // namespace app
