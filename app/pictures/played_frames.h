// Frames that a page plays (assets/player): each in a light and a dark theme, with its tips. What several frames or both themes have in
// common is there once.
#pragma once

#include "app/pictures/frame_encoder.h"
#include "app/pictures/picture.h"

#include "viz/marks.h"
#include "viz/theme.h"

#include <imgui.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace app {

// A frame of what is played.
struct PlayedMoment {
    int milliseconds = 0; // how long it stands
    std::size_t step = 0; // The step that the first of the compared stages shows.
};

class PlayedFrames {
public:
    // `scale`: pixels of a frame for one of the page.
    PlayedFrames(ReadTexture read_texture, float scale) : read_texture_(std::move(read_texture)), scale_(scale) {}

    // Keeps what the current ImGui context has drawn: in the light theme first, then in the dark one.
    void take(const ImDrawData& data, viz::Colour background);
    // Ends the moment of these two.
    void end(const PlayedMoment& moment, const std::vector<viz::TipArea>& tips);

    std::size_t moments() const { return milliseconds_.size(); }

    // For the page, compressed with zlib, all numbers as ByteWriter writes them:
    //     bytes of a JSON object, and the object: width, height, scale, parts of a pixel; of each moment: frame of the light theme, frame
    //     of the dark one, list of tips, milliseconds, step; how many frames
    //     the words of all tips (packed_words.h)
    //     areas: how many; of each: left, top, width, height, words, each as the difference to the one before
    //     lists of areas, the last one on top: how many; of each: how many; of each area the difference to the one behind the area before
    //     texture of the characters: width, height, coverage. Characters that no frame uses are blank.
    //     frames, of each column of frame_encoder.h: bytes, column
    std::string packed() const;

private:
    struct FreeList {
        void operator()(ImDrawList* list) const { IM_DELETE(list); }
    };
    struct Captured { // a frame in one theme; ImGui draws the next one into the same memory
        std::vector<std::unique_ptr<ImDrawList, FreeList>> lists;
        std::map<ImTextureID, std::vector<unsigned char>> pixels;
        FrameEncoder::Drawn drawn;
    };
    struct Area {
        int left = 0, top = 0, width = 0, height = 0;
        std::size_t words = 0;
        friend auto operator<=>(const Area&, const Area&) = default;
    };

    void keep_characters();
    void note_characters(const ImDrawList& list);
    std::size_t add(std::vector<FrameEncoder::Drawn> themes);
    std::size_t list_of(const std::vector<viz::TipArea>& tips);
    std::string characters() const;

    ReadTexture read_texture_;
    float scale_;
    int width_ = 0, height_ = 0; // of a frame, in its pixels
    FrameEncoder encoder_{{.themes = 2, .forgets = false, .per_pixel = per_pixel}};
    static constexpr float per_pixel = 8;
    std::vector<Captured> captured_; // of the moment that is drawn
    FrameEncoder::Columns frames_;   // all of them, one behind the other
    std::size_t frame_count_ = 0;
    std::array<std::vector<std::size_t>, 2> shown_; // the frame of each moment, by theme
    std::vector<std::size_t> tips_, steps_;         // of each moment: its list of areas, its step
    std::vector<int> milliseconds_;

    std::vector<std::string> words_;
    std::unordered_map<std::string, std::size_t> place_of_words_;
    std::vector<Area> areas_;
    std::map<Area, std::size_t> place_of_area_;
    std::vector<std::vector<std::size_t>> lists_;
    std::map<std::vector<std::size_t>, std::size_t> place_of_list_;

    int atlas_width_ = 0, atlas_height_ = 0;
    std::vector<unsigned char> atlas_;           // coverage
    std::unordered_set<uint64_t> used_of_atlas_; // boxes: left, top, right, bottom, 16 bits each
};

} // namespace app
