// Maps linear light of any brightness to colours that a screen can show.
vertices = "fullscreen"
depth_test = false
depth_write = false
includes = ["core/shaders/include/frame.glsl" "core/shaders/include/fullscreen.glsl"]

parameters = {
    exposure = { type = "scalar"  default = 1  doc = "Multiplies the brightness before the curve." }
}

vertex = """
layout(location = 0) out vec2 out_uv;

void main() {
    gl_Position = fullscreen_corner(out_uv);
}
"""

fragment = """
layout(set = 2, binding = 0) uniform sampler2D hdr;

layout(location = 0) in vec2 in_uv;
layout(location = 0) out vec4 out_color;

// A filmic curve (Narkowicz 2015, "ACES Filmic Tone Mapping Curve").
vec3 filmic(vec3 x) {
    return clamp((x * (2.51 * x + 0.03)) / (x * (2.43 * x + 0.59) + 0.14), 0.0, 1.0);
}

void main() {
    // Without the factor, the curve would brighten middle grey.
    vec3 color = texture(hdr, in_uv).rgb * (material.exposure * 0.8);
    out_color = vec4(filmic(color), 1.0);
}
"""
