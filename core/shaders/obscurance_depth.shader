// The first step of obscurance: distances in metres from the depth target. With `moving`, those of
// surfaces that move in the world are negative.
vertices = "fullscreen"
depth_test = false
depth_write = false
includes = ["core/shaders/include/frame.glsl" "core/shaders/include/fullscreen.glsl"
            "core/shaders/include/reproject.glsl" "core/shaders/include/obscurance.glsl"]
options = ["moving"]

vertex = """
layout(location = 0) out vec2 out_uv;

void main() {
    gl_Position = fullscreen_corner(out_uv);
}
"""

fragment = """
layout(set = 2, binding = 0) uniform sampler2D depths;
#ifdef OPTION_MOVING
layout(set = 2, binding = 1) uniform sampler2D velocities;
#endif

layout(location = 0) in vec2 in_uv;
layout(location = 0) out float out_distance;

void main() {
    vec2 full = vec2(textureSize(depths, 0));
    ivec2 at = full_pixel(in_uv, full);
    float depth = texelFetch(depths, at, 0).r;
    out_distance = linear_depth(depth);
#ifdef OPTION_MOVING
    vec2 uv = target_to_view_uv((vec2(at) + 0.5) / full);
    vec2 pixels = full * view.rectangle.zw;
    vec2 still = still_velocity(world_position(uv, depth)) * pixels;
    vec2 own = texelFetch(velocities, at, 0).rg * pixels - still;
    // A quarter of a pixel, and the precision of 16-bit floats.
    if (depth < 1.0 && length(own) > 0.25 + 0.01 * length(still))
        out_distance = -out_distance;
#endif
}
"""
