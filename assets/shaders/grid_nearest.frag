
uniform vec4 thin_line;      // between cells; alpha 0: none
uniform vec4 block_line;     // between blocks; alpha 0: none
uniform float block_line_width; // pixels

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

void main()
{
    colour = vec4(nearest(position_of_pixel()).rgb, 1.0);
}
