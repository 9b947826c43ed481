// Darkens the ground where a mesh keeps the sun away: its triangles are pushed along the sun's
// direction onto z = 0. Replaces the sun's shadows; it is not drawn where those are drawn. What is
// below the ground or far away casts none.
layer = "transparent"
blend = "alpha"
depth_write = false
includes = ["core/shaders/include/frame.glsl"]

parameters = {
    color = { type = "color"  default = [0.24 0.25 0.30 1]  doc = "Colour of the shade." }
    strength = { type = "scalar"  default = 0.6  doc = "How much of the ground it hides." }
}

vertex = """
layout(location = 0) in vec3 position;

const float HEIGHT = 0.018; // metres above the ground

layout(location = 0) out float out_depth;

void main() {
    vec3 p = to_world_point(position);
    vec3 sun = lights.directional[0].direction.xyz;
    out_depth = p.z;
    p -= sun * (max(p.z, 0.0) / min(sun.z, -0.1));
    p.z = HEIGHT;
    gl_Position = view.view_projection * vec4(p, 1.0);
}
"""

fragment = """
layout(location = 0) in float in_depth;
layout(location = 0) out vec4 out_color;

void main() {
    if (has_shadows || in_depth < 0.0)
        discard;
    out_color = vec4(material.color.rgb, material.strength);
}
"""
