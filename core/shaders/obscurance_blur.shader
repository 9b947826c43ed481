// Smooths obscurance along one axis, not across edges of depth. Its weights give the same to each of
// the four columns (or rows) of the dither's pattern.
vertices = "fullscreen"
depth_test = false
depth_write = false
includes = ["core/shaders/include/frame.glsl" "core/shaders/include/fullscreen.glsl"
            "core/shaders/include/reproject.glsl"]

parameters = {
    axis = { type = "vector2"  default = [1 0]  doc = "[1 0] or [0 1]." }
}

vertex = """
layout(location = 0) out vec2 out_uv;

void main() {
    gl_Position = fullscreen_corner(out_uv);
}
"""

fragment = """
layout(set = 2, binding = 0) uniform sampler2D obscurance; // share of light, distance

layout(location = 0) in vec2 in_uv;
layout(location = 0) out vec2 out_obscurance;

void main() {
    ivec2 at = ivec2(gl_FragCoord.xy);
    ivec2 axis = ivec2(material.axis);
    ivec4 area = view_pixels(textureSize(obscurance, 0));
    vec2 middle = texelFetch(obscurance, at, 0).rg;
    vec2 sum = vec2(middle.r, 1.0);
    for (int i = -2; i <= 2; ++i) {
        if (i == 0)
            continue;
        vec2 other = texelFetch(obscurance, clamp(at + axis * i, area.xy, area.zw), 0).rg;
        float weight = max(1.0 - abs(other.g - middle.g) / (0.1 * middle.g), 0.0);
        weight *= abs(i) == 2 ? 0.5 : 1.0;
        sum += vec2(other.r, 1.0) * weight;
    }
    out_obscurance = vec2(sum.r / sum.g, middle.g);
}
"""
