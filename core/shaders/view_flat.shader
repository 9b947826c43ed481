// Debug views that draw all objects in one colour: edges, or layers that add up.
layer = "opaque"
cull = "none"
depth_test = false
depth_write = false
blend = "add"
includes = ["core/shaders/include/frame.glsl"]

// culled: without the backs of surfaces.
options = ["culled"]
states = { culled = { cull = "back" } }

parameters = {
    color = { type = "vector3"  default = [1 1 1]  doc = "As the screen shows it; it is added." }
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
    out_color = vec4(material.color, 1.0);
}
"""
