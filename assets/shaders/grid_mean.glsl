
uniform float size;          // cells per texel of the level, along a side

vec4 texel_colour(ivec2 texel);

// Returns how much of the texels first, first + 1 and first + 2 is inside the pixel, along one axis.
vec3 shares(float low, float high, int first, int end)
{
    vec3 begin = max((vec3(0.0, 1.0, 2.0) + float(first)) * size, vec3(max(low, 0.0)));
    vec3 until = min((vec3(1.0, 2.0, 3.0) + float(first)) * size, vec3(min(high, float(end))));
    return max(until - begin, vec3(0.0));
}

void main()
{
    vec2 position = position_of_pixel();
    vec2 low = position - 0.5 * cells_per_pixel;
    vec2 high = position + 0.5 * cells_per_pixel;
    ivec2 first = ivec2(floor(low / size));
    vec3 across = shares(low.x, high.x, first.x, extent.x);
    vec3 down = shares(low.y, high.y, first.y, extent.y);
    ivec2 last = (extent - 1) / int(size);
    vec3 sum = vec3(0.0);
    for (int y = 0; y < 3; ++y)
        for (int x = 0; x < 3; ++x) // texels outside of the map have no share
            sum += across[x] * down[y] * texel_colour(clamp(first + ivec2(x, y), ivec2(0), last)).rgb;
    float weight = dot(across, vec3(1.0)) * dot(down, vec3(1.0));
    float whole = cells_per_pixel.x * cells_per_pixel.y;
    colour = vec4((sum + max(whole - weight, 0.0) * background.rgb) / max(whole, weight), 1.0);
}
