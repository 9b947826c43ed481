// Shows positions of the mesh as they are in its own space, and its texture coordinates.
layer = "opaque"
includes = ["core/shaders/include/frame.glsl"]

vertex = """
layout(location = 0) in vec3 position;
layout(location = 3) in vec2 uv;
layout(location = 0) out vec3 out_color;

void main() {
    out_color = vec3(position.xz + 0.5, uv.x);
    gl_Position = view.view_projection * vec4(to_world_point(position), 1.0);
}
"""

fragment = """
layout(location = 0) in vec3 in_color;
layout(location = 0) out vec4 out_color;

void main() {
    out_color = vec4(in_color, 1.0);
}
"""
