// Frames of ImGui as messages for the page, which draws them with WebGL. What the page has already is not sent again.
//
// The indices of each draw command are cut into pieces, of some quads (a character, a filled box) or of some triangles, at places that
// follow from what is drawn: where a word changes, the pieces before and behind it stay as they are. A piece is known by the hash of
// its contents; a new one is sent once and gets a number, and a frame is a list of clip rectangles with numbers of pieces. Pieces that
// have not been drawn for long are forgotten on both sides.
//
// A message, all numbers as ByteWriter writes them:
//     kind 1, number of the frame, width, height in pixels, background
//     textures that go, then those that are new or changed: number, width, height, bytes a pixel (1: coverage, 4: RGBA), first row,
//     rows, pixels
//     1 where the tables below begin anew, else 0; the pieces that are forgotten
//     the new pieces: 0 for quads, 1 for triangles, and what add_quads() and add_triangles() write
//     the commands: clip rectangle, texture, pieces, each as the difference to the one before
//
// A frame may be encoded in several themes at once, which have the same shapes: then each background, colour and texture of a command
// is as many numbers as there are themes.
#pragma once

#include "app/pictures/byte_writer.h"

#include "viz/theme.h"

#include <imgui.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace app {

// Pixels of a texture, rows from the top, without gaps.
struct TexturePixels {
    int width = 0, height = 0;
    int bytes_per_pixel = 4; // 1: coverage of white
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
    struct Memory {
        std::size_t themes = 1; // of each frame
        bool forgets = true;    // what has not been drawn for long; otherwise frames can be shown in any order
    };

    FrameEncoder() = default;
    explicit FrameEncoder(Memory memory) : memory_(memory) {}

    // The message, or nothing where the page shows just that already. Throws what `read` throws.
    std::string encode(const ImDrawData& data, viz::Colour background, const ReadTexture& read);
    // The same of a frame in as many themes as `Memory` says. Their shapes are the same, see same_shapes().
    std::string encode(const std::vector<Drawn>& themes);

    // Whether the two differ in nothing but colours and the pixels of textures.
    static bool same_shapes(const Drawn& one, const Drawn& other);

    uint64_t frames() const { return frame_; } // that were sent
    std::size_t pieces() const { return known_.size(); }

    // Positions are sent as multiples of 1/32 pixel, texture coordinates as multiples of 1/65536.
    static constexpr float per_pixel = 32, per_texture = 65536;
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
    uint64_t number_of(bool quads, const std::vector<int64_t>& contents, std::size_t vertices);
    void add_quads(const std::vector<int64_t>& contents);
    void add_triangles(const std::vector<int64_t>& contents, std::size_t vertices);
    uint64_t texture(ImTextureID id, std::size_t theme, const ReadTexture& read);
    void forget_textures();
    void forget_pieces();

    Memory memory_;
    uint64_t turn_ = 0, frame_ = 0; // frames that were drawn, and those of them that were sent
    uint64_t last_piece_ = 0, last_texture_ = 0;
    std::unordered_map<uint64_t, Known> known_; // by hash
    std::map<std::pair<ImTextureID, std::size_t>, Sent> textures_; // by theme, too
    Table stamps_, points_, colours_; // quads by size and texture; texture coordinates; colours
    std::string shown_;               // the commands of the frame before

    // Of the frame that is being written.
    ByteWriter new_textures_, new_pieces_, gone_textures_, gone_pieces_, commands_;
    std::size_t texture_count_ = 0, piece_count_ = 0, gone_texture_count_ = 0, gone_piece_count_ = 0,
                command_count_ = 0;
    Clip last_clip_;
    uint64_t last_drawn_ = 0; // piece
};

} // namespace app
