// Bloom: blends a mip with the one after it, which is wider. The shares add up to 1, so no light is
// gained or lost (Jimenez 2014, "Next Generation Post Processing in Call of Duty: Advanced Warfare").
vertices = "fullscreen"
blend = "alpha"
depth_test = false
depth_write = false
includes = ["core/shaders/include/frame.glsl" "core/shaders/include/fullscreen.glsl"
            "core/shaders/include/picture.glsl"]

parameters = {
    width = { type = "scalar"  default = 0.7
              doc = "0 to 1: how much of the light goes on to the wider mips." }
}

vertex = """
layout(location = 0) out vec2 out_uv;

void main() {
    gl_Position = fullscreen_corner(out_uv);
}
"""

fragment = """
layout(set = 2, binding = 0) uniform sampler2D smaller;

layout(location = 0) in vec2 in_uv;
layout(location = 0) out vec4 out_color;

void main() {
    vec2 texel = 1.0 / vec2(textureSize(smaller, 0));
    vec2 step = 0.5 * texel;
    vec3 sum = texture(smaller, inside_view(in_uv - step, texel)).rgb +
               texture(smaller, inside_view(in_uv + vec2(step.x, -step.y), texel)).rgb +
               texture(smaller, inside_view(in_uv + vec2(-step.x, step.y), texel)).rgb +
               texture(smaller, inside_view(in_uv + step, texel)).rgb;
    out_color = vec4(0.25 * sum, clamp(material.width, 0.0, 1.0));
}
"""
