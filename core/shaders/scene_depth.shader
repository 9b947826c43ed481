// How far away things are, in metres along the camera's forward: from depths, for transparent
// surfaces.
vertices = "fullscreen"
depth_test = false
depth_write = false
includes = ["core/shaders/include/frame.glsl" "core/shaders/include/fullscreen.glsl"
            "core/shaders/include/reproject.glsl"]

vertex = """
layout(location = 0) out vec2 out_uv;

void main() {
    gl_Position = fullscreen_corner(out_uv);
}
"""

fragment = """
layout(set = 2, binding = 0) uniform sampler2D depth;

layout(location = 0) in vec2 in_uv;
layout(location = 0) out vec4 out_distance;

void main() {
    ivec2 size = textureSize(depth, 0);
    ivec2 at = min(ivec2(in_uv * vec2(size)), size - 1);
    out_distance = vec4(linear_depth(texelFetch(depth, at, 0).x));
}
"""
