// One colour led through a matrix, unlit.
layer = "opaque"
includes = ["core/shaders/include/frame.glsl"]
parameters = {
    gain = { type = "scalar"  default = 1 }
    mix = { type = "matrix4x4" }
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
    out_color = material.gain * (material.mix * vec4(1.0, 0.0, 0.0, 1.0));
}
"""
