// Moves its points up with time, and says so.
layer = "opaque"
includes = ["core/shaders/include/frame.glsl"]
vertex = """
layout(location = 0) in vec3 position;

void main() {
    previous_position += vec3(0.0, 0.0, view.time.x - view.history.z);
    vec3 point = to_world_point(position) + vec3(0.0, 0.0, view.time.x);
    gl_Position = view.view_projection * vec4(point, 1.0);
}
"""
fragment = """
layout(location = 0) out vec4 out_color;

void main() {
    out_color = vec4(1.0);
}
"""
