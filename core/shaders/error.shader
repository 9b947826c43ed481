// Unlit stripes of magenta and black, which are hard to overlook.
layer = "opaque"
includes = ["core/shaders/include/frame.glsl"]

vertex = """
layout(location = 0) in vec3 position;

layout(location = 0) out vec3 out_position;

void main() {
    out_position = to_world_point(position);
    gl_Position = view.view_projection * vec4(out_position, 1.0);
}
"""

fragment = """
layout(location = 0) in vec3 in_position;
layout(location = 0) out vec4 out_color;

void main() {
    float stripe = step(0.5, fract(dot(in_position, vec3(2.0))));
    out_color = vec4(vec3(1.0, 0.0, 0.8) * stripe, 1.0);
}
"""
