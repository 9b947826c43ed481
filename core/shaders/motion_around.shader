// Motion blur: the longest motion of a tile and the eight around it.
vertices = "fullscreen"
depth_test = false
depth_write = false
includes = ["core/shaders/include/frame.glsl" "core/shaders/include/fullscreen.glsl"
            "core/shaders/include/picture.glsl" "core/shaders/include/motion.glsl"]

vertex = """
layout(location = 0) out vec2 out_uv;

void main() {
    gl_Position = fullscreen_corner(out_uv);
}
"""

fragment = """
layout(set = 2, binding = 0) uniform sampler2D tiles;

layout(location = 0) in vec2 in_uv;
layout(location = 0) out vec4 out_motion;

void main() {
    ivec2 size = textureSize(tiles, 0);
    ivec4 area = view_area(size);
    ivec2 tile = ivec2(in_uv * vec2(size));
    vec2 most = vec2(0.0);
    for (int y = -1; y <= 1; ++y)
        for (int x = -1; x <= 1; ++x)
            most = longer(most, texelFetch(tiles, clamp(tile + ivec2(x, y), area.xy, area.zw - 1),
                                           0).xy);
    out_motion = vec4(most, 0.0, 0.0);
}
"""
