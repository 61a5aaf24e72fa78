#version 330 core
// A map of cells. At one pixel per cell and above, each pixel shows exactly the cell under its centre, never a mixture.
// Below that, each pixel is the area-weighted mean of the cells it covers, taken from the level at which it covers
// between one and two pixels along each side.

uniform usampler2D cells;    // palette index; bits 6 and 7: another block begins to the left, above
uniform sampler2D palette;   // 64 x 1
uniform sampler2D coarse;    // the level below, where level > 0
uniform int level;           // 0: the cells themselves
uniform vec2 origin;         // of the target's corner, in cells
uniform float cells_per_pixel;
uniform ivec2 extent;        // columns and rows of cells
uniform vec4 background;
uniform vec4 thin_line;      // between cells; alpha 0: none
uniform vec4 block_line;     // between blocks; alpha 0: none
uniform float block_line_width; // pixels

out vec4 colour;

uint cell_at(ivec2 place)
{
    return texelFetch(cells, place, 0).r;
}

vec4 colour_of(uint cell)
{
    return texelFetch(palette, ivec2(int(cell & 63u), 0), 0);
}

vec4 nearest(vec2 position)
{
    ivec2 place = ivec2(floor(position));
    if (any(lessThan(place, ivec2(0))) || any(greaterThanEqual(place, extent)))
        return background;
    uint cell = cell_at(place);
    vec4 result = colour_of(cell);
    vec2 pixels = (position - vec2(place)) / cells_per_pixel; // from the cell's corner
    if (min(pixels.x, pixels.y) < 1.0)
        result.rgb = mix(result.rgb, thin_line.rgb, thin_line.a);
    bool left = (cell & 64u) != 0u && pixels.x < block_line_width;
    bool top = (cell & 128u) != 0u && pixels.y < block_line_width;
    if (left || top)
        result.rgb = mix(result.rgb, block_line.rgb, block_line.a);
    return result;
}

vec4 averaged(vec2 position)
{
    float size = float(1 << level); // cells per texel of this level
    vec2 low = position - 0.5 * cells_per_pixel;
    vec2 high = position + 0.5 * cells_per_pixel;
    ivec2 first = ivec2(floor(low / size));
    vec4 sum = vec4(0.0);
    float weight = 0.0;
    for (int y = 0; y < 3; ++y) {
        for (int x = 0; x < 3; ++x) {
            ivec2 texel = first + ivec2(x, y);
            vec2 begin = max(vec2(texel) * size, vec2(0.0));
            vec2 end = min(vec2(texel + 1) * size, vec2(extent));
            vec2 overlap = min(end, high) - max(begin, low);
            if (overlap.x <= 0.0 || overlap.y <= 0.0)
                continue;
            float area = overlap.x * overlap.y;
            vec4 value = level == 0 ? colour_of(cell_at(texel)) : texelFetch(coarse, texel, 0);
            sum += area * value;
            weight += area;
        }
    }
    float whole = cells_per_pixel * cells_per_pixel;
    return (sum + max(whole - weight, 0.0) * background) / max(whole, weight);
}

void main()
{
    vec2 position = origin + gl_FragCoord.xy * cells_per_pixel;
    colour = cells_per_pixel <= 1.0 ? nearest(position) : averaged(position);
    colour.a = 1.0;
}
