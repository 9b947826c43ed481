// Shows the second texture coordinates, moved by a quarter, and the colour's alpha.
layer = "opaque"
includes = ["core/shaders/include/frame.glsl"]

vertex = """
layout(location = 0) in vec3 position;
layout(location = 4) in vec4 color;
layout(location = 5) in vec2 uv1;
layout(location = 0) out vec3 out_shown;

void main() {
    out_shown = vec3(uv1 + 0.25, color.a);
    gl_Position = view.view_projection * vec4(to_world_point(position), 1.0);
}
"""

fragment = """
layout(location = 0) in vec3 in_shown;
layout(location = 0) out vec4 out_color;

void main() {
    out_color = vec4(in_shown, 1.0);
}
"""
