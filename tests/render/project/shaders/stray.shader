// In a layer that no render config has.
layer = "opaq"
includes = ["core/shaders/include/frame.glsl"]
vertex = """
layout(location = 0) in vec3 position;

void main() {
    gl_Position = view.view_projection * vec4(to_world_point(position), 1.0);
}
"""
fragment = """
layout(location = 0) out vec4 out_color;

void main() {
    out_color = vec4(1.0);
}
"""
