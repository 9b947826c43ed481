// Shows a number, from `least` to `least` + 2 * `scale`, as two bytes of a colour: red times 256, and green, over 32,768.
vertices = "fullscreen"
depth_test = false
depth_write = false
includes = ["core/shaders/include/frame.glsl" "core/shaders/include/fullscreen.glsl"
            "core/shaders/include/srgb.glsl" "core/shaders/include/picture.glsl"]

parameters = {
    least = { type = "scalar"  default = 0 }
    scale = { type = "scalar"  default = 1 }
}

vertex = """
void main() {
    vec2 uv;
    gl_Position = fullscreen_corner(uv);
}
"""

fragment = """
layout(set = 2, binding = 0) uniform sampler2D number;
layout(location = 0) out vec4 out_color;

void main() {
    float value = texelFetch(number, view_keeper(textureSize(number, 0)), 0).x;
    value = (value - material.least) / material.scale;
    uint bytes = uint(clamp(value, 0.0, 1.99999) * 32768.0 + 0.5);
    out_color = vec4(srgb_to_linear(vec3(bytes >> 8, bytes & 255u, 0) / 255.0), 1.0);
}
"""
