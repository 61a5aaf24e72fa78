// The frames of an animation in a web page (assets/player), each in a light and a dark theme, with its tips. Data that
// several frames or both themes share is stored once.
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

// One frame of the animation.
struct PlayedMoment {
    int milliseconds = 0; // how long the frame is shown
    std::size_t step = 0; // selected step of the stage in column 0
};

class PlayedFrames {
public:
    // `scale` is the number of pixels of a frame per pixel of the page.
    PlayedFrames(ReadTexture read_texture, float scale) : read_texture_(std::move(read_texture)), scale_(scale) {}

    // Copies what the current ImGui context has drawn. Each moment needs two calls, first in the light theme, then in
    // the dark one.
    void take(const ImDrawData& data, viz::Colour background);
    // Adds a moment with the two frames that take() has copied.
    void end(const PlayedMoment& moment, const std::vector<viz::TipArea>& tips);

    std::size_t moments() const { return milliseconds_.size(); }

    // Returns the data for the page, compressed with zlib. All numbers are written by ByteWriter. The data contains, in
    // this order:
    //     the length in bytes of a JSON object, and the object: width, height, scale, positions per pixel, number of
    //     frames; for each moment: its frames in the light and in the dark theme, its list of areas, milliseconds, step
    //     the words of all tips (packed_words.h)
    //     the number of areas; for each area: left, top, width, height and words, each as the difference to that of the
    //     area before
    //     the number of lists of areas; for each list: the number of its areas, the last one being on top; for each
    //     area: the difference between its index and the index of the area before plus 1
    //     the texture of the characters: width, height, coverage. Characters that no frame uses are blank.
    //     for each column of frame_encoder.h: its length in bytes, and the column of all frames
    std::string packed() const;

private:
    struct FreeList {
        void operator()(ImDrawList* list) const { IM_DELETE(list); }
    };
    struct Captured { // a frame in one theme, copied because ImGui reuses its memory for the next frame
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
    int width_ = 0, height_ = 0; // size of a frame, in pixels of the frame
    FrameEncoder encoder_{{.themes = 2, .forgets = false, .per_pixel = per_pixel}};
    static constexpr float per_pixel = 8;
    std::vector<Captured> captured_; // the frames since the last end()
    FrameEncoder::Columns frames_;   // the columns of all encoded frames, concatenated
    std::size_t frame_count_ = 0;
    std::array<std::vector<std::size_t>, 2> shown_; // by theme: the index of each moment's frame
    std::vector<std::size_t> tips_, steps_;         // of each moment: the index of its list of areas; its step
    std::vector<int> milliseconds_;

    std::vector<std::string> words_;
    std::unordered_map<std::string, std::size_t> place_of_words_;
    std::vector<Area> areas_;
    std::map<Area, std::size_t> place_of_area_;
    std::vector<std::vector<std::size_t>> lists_;
    std::map<std::vector<std::size_t>, std::size_t> place_of_list_;

    int atlas_width_ = 0, atlas_height_ = 0;
    std::vector<unsigned char> atlas_;           // coverage
    std::unordered_set<uint64_t> used_of_atlas_; // boxes of used characters: left, top, right, bottom, 16 bits each
};

} // namespace app
