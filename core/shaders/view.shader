// Shows what a debug view drew as it is: its numbers are what a screenshot has, from 0 to 1.
vertices = "fullscreen"
depth_test = false
depth_write = false
includes = ["core/shaders/include/frame.glsl" "core/shaders/include/fullscreen.glsl"]

vertex = """
layout(location = 0) out vec2 out_uv;

void main() {
    gl_Position = fullscreen_corner(out_uv);
}
"""

fragment = """
layout(set = 2, binding = 0) uniform sampler2D picture;

layout(location = 0) in vec2 in_uv;
layout(location = 0) out vec4 out_color;

// The target converts linear light to sRGB.
vec3 to_linear(vec3 color) {
    vec3 high = pow((color + 0.055) / 1.055, vec3(2.4));
    return mix(high, color / 12.92, lessThanEqual(color, vec3(0.04045)));
}

void main() {
    vec3 color = clamp(texture(picture, in_uv).rgb, 0.0, 1.0);
    out_color = vec4(to_linear(color), 1.0);
}
"""
