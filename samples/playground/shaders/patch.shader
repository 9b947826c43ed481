// A soft patch whose u falls to 0 at its edge: under the robot, and as the shadow of what does not move.
// It is not drawn where the sun's shadows are drawn.
layer = "transparent"
blend = "alpha"
depth_write = false
casts_shadows = false
includes = ["core/shaders/include/frame.glsl"]

parameters = {
    color = { type = "color"  default = [0.24 0.25 0.30 1]  doc = "Colour of the shade." }
    strength = { type = "scalar"  default = 0.6  doc = "How much of the ground it hides." }
}

vertex = """
layout(location = 0) in vec3 position;
layout(location = 3) in vec2 uv;

layout(location = 0) out float out_depth;

void main() {
    out_depth = uv.x;
    gl_Position = view.view_projection * vec4(to_world_point(position), 1.0);
}
"""

fragment = """
layout(location = 0) in float in_depth;
layout(location = 0) out vec4 out_color;

void main() {
    if (has_shadows)
        discard;
    out_color = vec4(material.color.rgb, smoothstep(0.0, 1.0, in_depth) * material.strength);
}
"""
