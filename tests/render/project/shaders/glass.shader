// Flat colour that lets through what is behind.
layer = "transparent"
blend = "alpha"
depth_write = false
includes = ["core/shaders/include/frame.glsl"]
parameters = {
    tint = { type = "color"  default = [1 1 1 0.5] }
}
vertex = """
layout(location = 0) in vec3 position;

void main() {
    gl_Position = view.view_projection * vec4(to_world_point(position), 1.0);
}
"""
fragment = """
layout(location = 0) out vec4 out_color;

void main() {
    out_color = material.tint;
}
"""
