// Frames of ImGui as messages for the page, which draws them with WebGL. What the page has already is not sent again.
//
// The indices of each draw command are cut into pieces, of some quads (a character, a filled box) or of some triangles,
// at places that follow from what is drawn: where a word changes, the pieces before and behind it stay as they are. A
// piece is known by the hash of its contents; a new one is sent once and gets a number, and a frame is a list of clip
// rectangles with numbers of pieces. Pieces that have not been drawn for long are forgotten on both sides.
//
// A frame is written in columns, each of numbers of one kind, which compress better than a mixture. All numbers are as
// ByteWriter writes them:
//     frame     number of the frame; textures that go, then those that are new or changed: number, width, height, bytes a pixel
//               (1: coverage, 4: RGBA), first row, rows, pixels; 1 where the tables of stamps, points and colours begin anew, else 0; the
//               pieces that are forgotten; how many pieces are new; width, height in pixels, background; how many commands
//     commands  of each: clip rectangle, texture, how many pieces, pieces, each as the difference to the one before
//     shapes, x, y, stamps, points, colours, indices
//               of the new pieces: what add_quads() and add_triangles() write
// A message to a page is the kind 1 and, of each column, its bytes and the column.
//
// A frame may be encoded in several themes at once, which have the same shapes: then each background, colour and
// texture of a command is as many numbers as there are themes.
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

// Pixels of a texture, rows from the top, without gaps.
struct TexturePixels {
    int width = 0, height = 0;
    int bytes_per_pixel = 4;              // 1: coverage of white
    std::span<const unsigned char> bytes; // empty: the page gets the pixels in another way
};

class FrameEncoder {
public:
    using ReadTexture = std::function<TexturePixels(ImTextureID)>; // valid until the next call

    // A frame in one theme.
    struct Drawn {
        std::vector<const ImDrawList*> lists;
        ImVec2 corner, size; // of what is shown
        viz::Colour background = 0;
        ReadTexture read;
    };
    struct Look {
        std::size_t themes = 1; // of each frame
        bool forgets = true;    // what has not been drawn for long; otherwise frames can be shown in any order
        float per_pixel = 32;   // positions are sent as multiples of a part of a pixel
    };
    enum Column : std::size_t { frame, commands, shapes, x, y, stamps, points, colours, indices, column_count };
    using Columns = std::array<std::string, column_count>;

    FrameEncoder() = default;
    explicit FrameEncoder(Look look) : look_(look) {}

    // The message, or nothing where the page shows just that already. Throws what `read` throws.
    std::string encode(const ImDrawData& data, viz::Colour background, const ReadTexture& read);
    // The columns of a frame in as many themes as `Look` says. Their shapes are the same, see same_shapes().
    std::optional<Columns> encode(const std::vector<Drawn>& themes);

    // Whether the two differ in nothing but colours and the pixels of textures.
    static bool same_shapes(const Drawn& one, const Drawn& other);

    uint64_t frames() const { return frame_; } // that were sent
    std::size_t pieces() const { return known_.size(); }

    static constexpr float per_texture = 65536; // texture coordinates are sent as multiples of one part of so many
    // Of pieces that are not drawn now; beyond that the oldest are forgotten.
    static constexpr std::size_t most_unused_vertices = 200'000;
    static constexpr std::size_t most_in_table = 30'000; // then it begins anew

private:
    struct Known {
        uint64_t number = 0, used = 0; // the turn in which it was drawn last
        std::size_t vertices = 0;
    };
    struct Sent { // a texture
        uint64_t number = 0, used = 0;
        int width = 0, height = 0, bytes_per_pixel = 4;
        std::vector<unsigned char> pixels;
    };
    // Values that were sent, which are then named by their places.
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
    uint64_t turn_ = 0, frame_ = 0; // frames that were drawn, and those of them that were sent
    uint64_t last_piece_ = 0, last_texture_ = 0;
    std::unordered_map<uint64_t, Known> known_;                    // by hash
    std::map<std::pair<ImTextureID, std::size_t>, Sent> textures_; // by theme, too
    Table stamps_, points_, colours_; // quads by size and texture; texture coordinates; colours
    std::string shown_;               // the commands of the frame before

    // Of the frame that is being written.
    std::array<ByteWriter, column_count> columns_;
    ByteWriter new_textures_, gone_textures_, gone_pieces_;
    std::size_t texture_count_ = 0, piece_count_ = 0, gone_texture_count_ = 0, gone_piece_count_ = 0,
                command_count_ = 0;
    Clip last_clip_;
    uint64_t last_drawn_ = 0; // piece
};

} // namespace app
