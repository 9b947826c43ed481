// The left half of one input beside the right half of another.
vertices = "fullscreen"
includes = ["core/shaders/include/frame.glsl" "core/shaders/include/fullscreen.glsl"]
vertex = """
layout(location = 0) out vec2 out_uv;

void main() {
    gl_Position = fullscreen_corner(out_uv);
}
"""
fragment = """
layout(set = 2, binding = 0) uniform sampler2D left;
layout(set = 2, binding = 1) uniform sampler2D right;

layout(location = 0) in vec2 in_uv;
layout(location = 0) out vec4 out_color;

void main() {
    out_color = in_uv.x < 0.5 ? texture(left, in_uv) : texture(right, in_uv);
}
"""
