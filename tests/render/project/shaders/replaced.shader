// An instanced colour and nothing else. It names no layer: only steps draw with it.
includes = ["core/shaders/include/frame.glsl"]
parameters = {
    emissive = { type = "color"  default = [0 0 0 1]  instanced = true }
    base_color = { type = "color"  default = [0 0 1 1]  instanced = true }
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
    out_color = vec4(material.base_color.rgb + material.emissive.rgb, 1.0);
}
"""
