// A light meter: the brightness of 8 x 8 pixels of the picture, as the logarithm to base 2 of cd/m2.
// Pixels that hold no number, or nothing finite, do not count.
vertices = "fullscreen"
depth_test = false
depth_write = false
includes = ["core/shaders/include/frame.glsl" "core/shaders/include/fullscreen.glsl"
            "core/shaders/include/picture.glsl"]

vertex = """
layout(location = 0) out vec2 out_uv;

void main() {
    gl_Position = fullscreen_corner(out_uv);
}
"""

fragment = """
layout(set = 2, binding = 0) uniform sampler2D hdr;

layout(location = 0) in vec2 in_uv;
layout(location = 0) out vec4 out_light;

void main() {
    ivec2 size = textureSize(hdr, 0);
    ivec4 area = view_area(size);
    ivec2 first = ivec2(in_uv * vec2(size)) - 4;
    float sum = 0.0, count = 0.0;
    // Every other pixel of every other row, in turns.
    for (int y = 0; y < 4; ++y)
        for (int x = 0; x < 4; ++x) {
            ivec2 at = clamp(first + ivec2(2 * x + (y & 1), 2 * y), area.xy, area.zw - 1);
            float light = luminance(texelFetch(hdr, at, 0).rgb);
            if (light >= 0.0 && light < 60000.0) {
                sum += light;
                count += 1.0;
            }
        }
    // -100: no light at all was measured.
    out_light = vec4(count > 0.0 ? log2(max(sum / count, 1e-6)) : -100.0);
}
"""
