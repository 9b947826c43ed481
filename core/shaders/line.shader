// Debug lines: coloured, unlit, hidden by objects in front of them.
layer = "lines"
vertices = "line"
topology = "lines"
blend = "alpha"
depth_write = false
includes = ["core/shaders/include/frame.glsl"]

vertex = """
layout(location = 0) in vec3 position;
layout(location = 1) in vec4 color;

layout(location = 0) out vec4 out_color;

void main() {
    out_color = color;
    gl_Position = view.still_view_projection * vec4(position, 1.0);
}
"""

fragment = """
layout(location = 0) in vec4 in_color;
layout(location = 0) out vec4 out_color;

void main() {
    out_color = in_color;
}
"""
