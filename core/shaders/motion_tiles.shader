// Motion blur: the longest motion in each tile, in pixels of the picture while the shutter is open,
// to both sides.
vertices = "fullscreen"
depth_test = false
depth_write = false
includes = ["core/shaders/include/frame.glsl" "core/shaders/include/fullscreen.glsl"
            "core/shaders/include/picture.glsl" "core/shaders/include/motion.glsl"]

parameters = {
    shutter = { type = "scalar"  default = 180
                doc = "Degrees of a turn of the shutter, one turn a frame, in which it is open." }
}

vertex = """
layout(location = 0) out vec2 out_uv;

void main() {
    gl_Position = fullscreen_corner(out_uv);
}
"""

fragment = """
layout(set = 2, binding = 0) uniform sampler2D velocity;

layout(location = 0) in vec2 in_uv;
layout(location = 0) out vec4 out_motion;

void main() {
    ivec2 size = textureSize(velocity, 0);
    ivec4 area = view_area(size);
    ivec2 first = ivec2(in_uv * vec2(size)) - 16;
    vec2 most = vec2(0.0);
    for (int y = 0; y < 32; y += 2)
        for (int x = 0; x < 32; x += 2) {
            ivec2 at = clamp(first + ivec2(x + (y / 2 & 1), y), area.xy, area.zw - 1);
            most = longer(most, texelFetch(velocity, at, 0).xy);
        }
    vec2 pixels = most * vec2(area.zw - area.xy) * (material.shutter / 720.0);
    float length2 = dot(pixels, pixels);
    // No farther than a tile, so that the tiles around are enough; NaN is no motion.
    if (!(length2 < 1e8))
        pixels = vec2(0.0);
    else if (length2 > 32.0 * 32.0)
        pixels *= 32.0 * inversesqrt(length2);
    out_motion = vec4(pixels, 0.0, 0.0);
}
"""
