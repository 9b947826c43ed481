// A picture's velocity as bytes: red and green are 128 + 512 times the fraction of the picture, in x
// and y; blue is 255 where it is not exactly 0. Where the last frame's pictures are of no use, alpha
// is 0.
vertices = "fullscreen"
includes = ["core/shaders/include/frame.glsl" "core/shaders/include/fullscreen.glsl"]
vertex = """
layout(location = 0) out vec2 out_uv;

void main() {
    gl_Position = fullscreen_corner(out_uv);
}
"""
fragment = """
layout(set = 2, binding = 0) uniform sampler2D velocity;
layout(location = 0) in vec2 in_uv;
layout(location = 0) out vec4 out_color;

vec3 from_srgb(vec3 c) {
    return mix(c / 12.92, pow((c + 0.055) / 1.055, vec3(2.4)), step(0.04045, c));
}

void main() {
    vec2 v = texture(velocity, in_uv).xy;
    vec3 bytes = vec3(128.0 + 512.0 * v, all(equal(v, vec2(0.0))) ? 0.0 : 255.0);
    out_color = vec4(from_srgb(bytes / 255.0), view.history.x);
}
"""
