// Adds the obscurance of a few samples of this frame to that of the last frames, as far as they are
// similar (core/shaders/include/obscurance.glsl).
vertices = "fullscreen"
depth_test = false
depth_write = false
includes = ["core/shaders/include/frame.glsl" "core/shaders/include/fullscreen.glsl"
            "core/shaders/include/reproject.glsl" "core/shaders/include/obscurance.glsl"]

parameters = {
    dangerous = { type = "scalar"  default = 1  doc = "Weight of samples that move; 0: they count as others." }
}

vertex = """
layout(location = 0) out vec2 out_uv;

void main() {
    gl_Position = fullscreen_corner(out_uv);
}
"""

fragment = """
layout(set = 2, binding = 0) uniform sampler2D samples; // this frame's
layout(set = 2, binding = 1) uniform sampler2D last;
layout(set = 2, binding = 2) uniform sampler2D velocities;

layout(location = 0) in vec2 in_uv;
layout(location = 0) out vec4 out_obscurance;

void main() {
    ivec2 at = ivec2(gl_FragCoord.xy);
    vec4 now = texelFetch(samples, at, 0);
    vec2 view_uv = target_to_view_uv(in_uv);
    ivec2 full = full_pixel(in_uv, vec2(textureSize(velocities, 0)));
    vec2 velocity = velocity_at(view_uv, texelFetch(velocities, full, 0).rg, is_sky(now.g));
    vec4 before = texture(last, view_to_target_uv(view_uv - velocity));
    if (any(isnan(before)))
        before = vec4(0.0);
    similarity_terms s = compare_with_last(view_uv, now.g, velocity, now.b * material.dangerous,
                                           before);
    float light = s.weight > 0.0 ? mix(now.r, before.r, s.weight) : now.r;
    out_obscurance = vec4(light, now.g, s.samples, s.weight);
}
"""
