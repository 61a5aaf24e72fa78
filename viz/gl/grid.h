// A large map of coloured cells. A shader draws it into a texture when something changed, from the whole map down to
// single cells. All functions need a current OpenGL 3.3 context.
#pragma once

#include "viz/analysis/owner_map.h"
#include "viz/gl/handle.h"

#include <cstddef>
#include <memory>
#include <vector>

namespace viz::gl {

// The visible part of the map: the cell coordinates of its centre, and the size of a cell in pixels. Cells narrower
// than a pixel are square, like those of the levels of detail.
struct Camera {
    double row = 0, col = 0;
    double cell = 1;    // width
    double stretch = 1; // height relative to the width
    friend bool operator==(const Camera&, const Camera&) = default;
};

// The colours around and between the cells.
struct GridLook {
    Colour background = 0, thin_line = 0, block_line = 0;
    friend bool operator==(const GridLook&, const GridLook&) = default;
};

// A map with all of its levels of detail.
struct GridPicture {
    OwnerMap map;
    std::vector<Level> levels; // pyramid(map, palette)
    std::vector<Colour> palette;
};

// Draws a map at any position and zoom.
class Grid {
public:
    Grid();

    // Sets the map to show. Its upload takes several frames, during which the old map stays visible.
    void set(std::shared_ptr<const GridPicture> picture);

    // Uploads about `bytes` of the pending map at most. Returns true when nothing is left to upload.
    bool upload(std::size_t bytes);
    bool empty() const { return !shown.cells; }

    // Returns a texture of width x height pixels, its first row at the top.
    GLuint draw(const Camera& camera, int width, int height, const GridLook& look);

    // Returns the largest side length of a map that this driver supports.
    static uint32_t largest_side();

private:
    struct Picture { // textures, and the sizes of their contents
        uint32_t rows = 0, cols = 0;
        Texture cells, palette;
        std::vector<Texture> levels;
    };
    struct Pending {
        std::shared_ptr<const GridPicture> source;
        Picture picture;
        std::size_t level = 0; // 0 means the cells
        uint32_t row = 0;      // next row of that level
    };

    void make_target(int width, int height);
    void set_uniforms(GLuint program, const Camera& camera, int width, int height, const GridLook& look) const;

    Program nearest, mean_of_cells, mean_of_level;
    VertexArray triangle;
    Texture target;
    Framebuffer framebuffer;
    int target_width = 0, target_height = 0;
    Picture shown;
    std::vector<Pending> pending; // empty or one element
    bool dirty = true;
    Camera drawn_camera;
    GridLook drawn_look;
};

} // namespace viz::gl
