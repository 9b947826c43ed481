// Anti-aliasing of a finished picture: finds edges by their brightness, follows each to its ends, and
// blends across it as the edge lies in the pixel (after Lottes 2009, "FXAA").
vertices = "fullscreen"
depth_test = false
depth_write = false
includes = ["core/shaders/include/frame.glsl" "core/shaders/include/fullscreen.glsl"
            "core/shaders/include/reproject.glsl"]

parameters = {
    contrast = { type = "scalar"  default = 0.125
                 doc = "Edges of less contrast, as a share of their brighter side, stay." }
    softness = { type = "scalar"  default = 0.75  doc = "0 to 1: how much single pixels are smoothed." }
}

vertex = """
layout(location = 0) out vec2 out_uv;

void main() {
    gl_Position = fullscreen_corner(out_uv);
}
"""

fragment = """
layout(set = 2, binding = 0) uniform sampler2D picture;

layout(location = 0) in vec2 in_uv;
layout(location = 0) out vec4 out_color;

const float least_contrast = 0.03; // in the dark
const int num_steps = 8;           // along an edge, to each side
const float steps[num_steps] = float[](1.0, 1.0, 1.0, 1.0, 2.0, 2.0, 4.0, 8.0); // pixels

// About as bright as the eye sees it: 0 to 1.
float luma_of(vec3 color) {
    return sqrt(dot(color, vec3(0.2126, 0.7152, 0.0722)));
}

float luma_near(ivec2 at, int x, int y, ivec4 area) {
    return luma_of(texelFetch(picture, clamp(at + ivec2(x, y), area.xy, area.zw), 0).rgb);
}

// Follows the edge between two rows (or columns) from `uv` by `step`. Returns the distance in pixels
// to where its brightness is no longer `middle`, and there the difference.
vec2 follow(vec2 uv, vec2 step, float middle, float most) {
    float distance = 0.0;
    float difference = 0.0;
    for (int i = 0; i < num_steps; ++i) {
        distance += steps[i];
        difference = luma_of(textureLod(picture, uv + step * distance, 0.0).rgb) - middle;
        if (abs(difference) >= most)
            break;
    }
    return vec2(distance, difference);
}

void main() {
    ivec2 at = ivec2(gl_FragCoord.xy);
    vec2 size = vec2(textureSize(picture, 0));
    ivec4 area = view_pixels(textureSize(picture, 0));
    vec4 color = texelFetch(picture, at, 0);
    float m = luma_of(color.rgb);
    float n = luma_near(at, 0, -1, area), s = luma_near(at, 0, 1, area);
    float w = luma_near(at, -1, 0, area), e = luma_near(at, 1, 0, area);
    float brightest = max(m, max(max(n, s), max(w, e)));
    float range = brightest - min(m, min(min(n, s), min(w, e)));
    if (range < max(least_contrast, brightest * material.contrast)) {
        out_color = color;
        return;
    }
    float nw = luma_near(at, -1, -1, area), ne = luma_near(at, 1, -1, area);
    float sw = luma_near(at, -1, 1, area), se = luma_near(at, 1, 1, area);

    // Where brightness changes more from row to row, the edge lies between rows.
    float rows = abs(nw + sw - 2.0 * w) + 2.0 * abs(n + s - 2.0 * m) + abs(ne + se - 2.0 * e);
    float columns = abs(nw + ne - 2.0 * n) + 2.0 * abs(w + e - 2.0 * m) + abs(sw + se - 2.0 * s);
    bool is_row = rows >= columns;
    float one = is_row ? n : w;
    float two = is_row ? s : e;
    bool is_one = abs(one - m) >= abs(two - m);
    float gradient = max(abs(one - m), abs(two - m));
    float middle = 0.5 * (m + (is_one ? one : two));
    vec2 across = (is_row ? vec2(0.0, 1.0) : vec2(1.0, 0.0)) / size * (is_one ? -1.0 : 1.0);
    vec2 along = (is_row ? vec2(1.0, 0.0) : vec2(0.0, 1.0)) / size;

    vec2 uv = (vec2(at) + 0.5) / size;
    vec2 low = follow(uv + across * 0.5, -along, middle, gradient * 0.25);
    vec2 high = follow(uv + across * 0.5, along, middle, gradient * 0.25);
    vec2 nearer = low.x < high.x ? low : high;
    // The edge crosses this pixel only when, at its nearer end, it turns to the other side.
    float shift = (nearer.y < 0.0) != (m < middle) ? 0.5 - nearer.x / (low.x + high.x) : 0.0;

    // A pixel that differs from all around it is blended by how much it does.
    float around = (2.0 * (n + s + w + e) + nw + ne + sw + se) / 12.0;
    float alone = smoothstep(0.0, 1.0, clamp(abs(around - m) / range, 0.0, 1.0));
    shift = max(shift, alone * alone * material.softness);
    uv = clamp(uv + across * shift, (vec2(area.xy) + 0.5) / size, (vec2(area.zw) + 0.5) / size);
    out_color = vec4(textureLod(picture, uv, 0.0).rgb, color.a);
}
"""
