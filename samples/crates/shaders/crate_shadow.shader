// Like shaders/shadow, for crates: the patch lies on the ground wherever the crate is. The higher the
// crate, the farther along the sun's direction is the patch, and the smaller.
layer = "transparent"
blend = "alpha"
depth_write = false
includes = ["core/shaders/include/frame.glsl"]

parameters = {
    color = { type = "color"  default = [0.20 0.17 0.26 1]  doc = "Colour of the shade." }
    strength = { type = "scalar"  default = 0.78  doc = "How much of the ground it hides." }
}

vertex = """
layout(location = 0) in vec3 position;
layout(location = 3) in vec2 uv;

layout(location = 0) out float out_depth;

const float ABOVE = 0.010; // metres above the ground
const float HALF = 0.5;    // of a crate's size
const float VANISHES = 9;  // metres of height

void main() {
    out_depth = uv.x;
    vec3 middle = to_world_point(vec3(0.0));
    vec3 sun = lights.directional[0].direction.xyz;
    float height = max(middle.z - HALF, 0.0);
    vec2 place = middle.xy - sun.xy * (height / min(sun.z, -0.1));
    float size = max(1.0 - height / VANISHES, 0.0);
    gl_Position = view.view_projection * vec4(place + position.xy * size, ABOVE, 1.0);
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
