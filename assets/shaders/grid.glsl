#version 330 core
// A map of cells. At one pixel per cell and above, each pixel shows exactly the cell under its centre, never a mixture
// (grid_nearest.frag). Below that, each pixel is the area-weighted mean of the cells it covers, taken from the level at which
// it covers between one and two pixels along each side (grid_mean.glsl). These are separate programs and not branches of
// one program, because a software renderer computes both sides of a branch.

uniform usampler2D cells;    // palette index; bits 6 and 7: another block begins to the left, above
uniform sampler2D palette;   // 64 x 1
uniform vec2 origin;         // of the target's corner, in cells
uniform vec2 cells_per_pixel; // across and down
uniform ivec2 extent;        // columns and rows of cells
uniform vec4 background;

out vec4 colour;

uint cell_at(ivec2 place)
{
    return texelFetch(cells, place, 0).r;
}

vec4 colour_of(uint cell)
{
    return texelFetch(palette, ivec2(int(cell & 63u), 0), 0);
}

vec2 position_of_pixel()
{
    return origin + gl_FragCoord.xy * cells_per_pixel;
}
