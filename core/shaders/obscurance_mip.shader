// A mip of the distances for obscurance, from the one before it: every other pixel, so that each is
// the distance of a place (obscurance.shader knows which). It moves where any of four moved.
vertices = "fullscreen"
depth_test = false
depth_write = false
includes = ["core/shaders/include/frame.glsl" "core/shaders/include/fullscreen.glsl"]

parameters = {
    keep = { type = "vector2"  default = [1 0]  doc = "Which of 2 x 2 pixels is kept." }
}

vertex = """
layout(location = 0) out vec2 out_uv;

void main() {
    gl_Position = fullscreen_corner(out_uv);
}
"""

fragment = """
layout(set = 2, binding = 0) uniform sampler2D distances; // the mip before

layout(location = 0) in vec2 in_uv;
layout(location = 0) out float out_distance;

void main() {
    ivec2 last = textureSize(distances, 0) - 1;
    ivec2 first = ivec2(gl_FragCoord.xy) * 2;
    float a = texelFetch(distances, min(first, last), 0).r;
    float b = texelFetch(distances, min(first + ivec2(1, 0), last), 0).r;
    float c = texelFetch(distances, min(first + ivec2(0, 1), last), 0).r;
    float d = texelFetch(distances, min(first + ivec2(1, 1), last), 0).r;
    float kept = abs(material.keep.x > 0.5 ? (material.keep.y > 0.5 ? d : b)
                                           : (material.keep.y > 0.5 ? c : a));
    out_distance = min(min(a, b), min(c, d)) < 0.0 ? -kept : kept;
}
"""
