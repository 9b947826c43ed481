// Adds a sixteenth to the red of the last frame.
vertices = "fullscreen"
includes = ["core/shaders/include/frame.glsl" "core/shaders/include/fullscreen.glsl"]
parameters = {
    strength = { type = "scalar"  default = 0 }
    constant = { type = "scalar"  default = 0 }
}
vertex = """
layout(location = 0) out vec2 out_uv;

void main() {
    gl_Position = fullscreen_corner(out_uv);
}
"""
fragment = """
layout(set = 2, binding = 0) uniform sampler2D last;

layout(location = 0) in vec2 in_uv;
layout(location = 0) out vec4 out_color;

void main() {
    out_color = vec4(texture(last, in_uv).r + 0.0625, material.strength, material.constant, 1.0);
}
"""
