// Shows what a debug view drew as it is: its numbers are what a screenshot has, from 0 to 1.
vertices = "fullscreen"
depth_test = false
depth_write = false
includes = ["core/shaders/include/frame.glsl" "core/shaders/include/fullscreen.glsl"
            "core/shaders/include/srgb.glsl"]

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

void main() {
    vec3 color = clamp(texture(picture, in_uv).rgb, 0.0, 1.0);
    // The target converts linear light to sRGB.
    out_color = vec4(srgb_to_linear(color), 1.0);
}
"""
