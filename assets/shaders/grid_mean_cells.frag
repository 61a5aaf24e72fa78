
vec4 texel_colour(ivec2 texel)
{
    return colour_of(cell_at(texel));
}
