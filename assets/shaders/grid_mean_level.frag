
uniform sampler2D coarse;    // the level

vec4 texel_colour(ivec2 texel)
{
    return texelFetch(coarse, texel, 0);
}
