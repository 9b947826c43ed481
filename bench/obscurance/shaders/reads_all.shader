// As many texels as all steps of obscurance read for a pixel of their size.
// Reading and adding them is the least that a pass over them costs.
vertices = "fullscreen"
depth_test = false
depth_write = false
includes = ["core/shaders/include/frame.glsl" "core/shaders/include/fullscreen.glsl"]

vertex = """
layout(location = 0) out vec2 out_uv;

void main() {
    gl_Position = fullscreen_corner(out_uv);
}
"""

fragment = """
layout(set = 2, binding = 0) uniform sampler2D source;

layout(location = 0) in vec2 in_uv;
layout(location = 0) out float out_sum;

void main() {
    ivec2 last = textureSize(source, 0) - 1;
    ivec2 at = ivec2(gl_FragCoord.xy);
    out_sum = 0.0;
    for (int i = 0; i < 55; ++i)
        out_sum += texelFetch(source, clamp(at + ivec2(i, i >> 1), ivec2(0), last), 0).r;
}
"""
