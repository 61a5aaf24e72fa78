// The map of who owns which element of C, for one recording: prepared beside the frames, drawn by the grid renderer.
#pragma once

#include "viz/analysis/owner_map.h"
#include "viz/draw/draw.h"
#include "viz/gl/grid.h"
#include "viz/stage_column.h"
#include "viz/text/message.h"

#include <memory>
#include <optional>
#include <vector>

namespace viz {

// What the selection marks on the map, in map coordinates.
struct MapMarks {
    std::vector<CellRect> block, warp, thread;
    std::optional<Cell> element;
};

class ThreadMap {
public:
    // What it draws, each frame anew; a large map appears some frames later, until then the last picture stays.
    void show(const StageColumn& column, ColourBy by, const Theme& theme);

    bool settled() const { return uploaded; }
    const MapShape& shape() const { return shape_; }

    // The picture, with the rulers' numbers and the cells' own where there is room.
    void draw(ImDrawList* list, const draw::Box& box, const gl::Camera& camera, const Theme& theme);
    // "numbers in C: threads": of what draw() wrote in its cells; nothing where none had room.
    std::optional<Message> what_numbers_say(const gl::Camera& camera, const Theme& theme) const;
    void draw_marks(ImDrawList* list, const draw::Box& box, const gl::Camera& camera, const MapMarks& marks,
                    const Theme& theme, Colour accent) const;

private:
    struct Painted : gl::GridPicture {
        std::vector<CellRect> regions; // that one number stands for, see owner_regions
    };
    static std::shared_ptr<const Painted> paint(const recording::Recording& recording, ColourBy by,
                                                const std::vector<Colour>& palette);
    // Whether any had room.
    bool draw_region_numbers(ImDrawList* list, const draw::Box& box, const gl::Camera& camera,
                             const Theme& theme) const;
    bool draw_numbers(ImDrawList* list, const draw::Box& box, const gl::Camera& camera, const Theme& theme) const;

    gl::Grid grid;
    RecordingPtr recording;
    ColourBy by = ColourBy::block;
    MapShape shape_;
    std::vector<Colour> palette;
    std::shared_ptr<const Painted> painted; // uploaded, or on its way there
    bool uploaded = true;
    bool numbered = false; // draw() has written numbers
};

// Where a map coordinate lies on the screen, and back.
ImVec2 to_screen(const draw::Box& box, const gl::Camera& camera, double row, double col);
draw::Box to_screen(const draw::Box& box, const gl::Camera& camera, const CellRect& rect);
std::optional<Cell> place_under(const draw::Box& box, const gl::Camera& camera, const MapShape& shape, ImVec2 point);

ImVec2 ruler_size(const MapShape& shape, const Theme& theme); // what they need at the left and above

} // namespace viz
