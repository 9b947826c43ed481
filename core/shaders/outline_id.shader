// Draws outlined objects: the colour and the id of the outline (outline.shader draws the edges).
layer = "opaque"
cull = "none"
includes = ["core/shaders/include/frame.glsl"]

parameters = {
    outline = { type = "vector4"  default = [1 1 1 1]  instanced = true
                doc = "The engine sets it: linear red, green and blue; an id from 1 / 255 to 1." }
}

vertex = """
layout(location = 0) in vec3 position;

void main() {
    gl_Position = view.still_view_projection * vec4(to_world_point(position), 1.0);
}
"""

fragment = """
layout(location = 0) out vec4 out_color;

void main() {
    out_color = material.outline;
}
"""
