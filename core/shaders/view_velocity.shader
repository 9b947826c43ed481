// The debug view "velocity": grey is still; a pixel that moved right is redder, one that moved
// down is greener; 16 pixels in a frame are as far as it goes. The square root shows small ones.
vertices = "fullscreen"
depth_test = false
depth_write = false
includes = ["core/shaders/include/frame.glsl" "core/shaders/include/fullscreen.glsl"
            "core/shaders/include/srgb.glsl"]

parameters = {
    most = { type = "scalar"  default = 16  doc = "Pixels that have the strongest colour." }
}

vertex = """
layout(location = 0) out vec2 out_uv;

void main() {
    gl_Position = fullscreen_corner(out_uv);
}
"""

fragment = """
layout(set = 2, binding = 0) uniform sampler2D velocities;

layout(location = 0) in vec2 in_uv;
layout(location = 0) out vec4 out_color;

void main() {
    vec2 pixels = texture(velocities, in_uv).xy * view.rectangle.zw * view.size.xy;
    vec2 share = sign(pixels) * sqrt(clamp(abs(pixels) / material.most, 0.0, 1.0)) * 0.5 + 0.5;
    // The target converts linear light to sRGB.
    out_color = vec4(srgb_to_linear(vec3(share, 0.5)), 1.0);
}
"""
