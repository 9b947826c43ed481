// Shows obscurance, or a term of its reprojection, as grey: white is 1. See the setting `view`.
vertices = "fullscreen"
depth_test = false
depth_write = false
includes = ["core/shaders/include/frame.glsl" "core/shaders/include/fullscreen.glsl"
            "core/shaders/include/reproject.glsl" "core/shaders/include/obscurance.glsl"]
options = ["terms"]

parameters = {
    term = { type = "scalar"  default = 0
             doc = "With terms: 0 depth, 1 velocity, 2 samples that move, 3 similarity." }
    dangerous = { type = "scalar"  default = 1  doc = "As in obscurance_reproject.shader." }
}

vertex = """
layout(location = 0) out vec2 out_uv;

void main() {
    gl_Position = fullscreen_corner(out_uv);
}
"""

fragment = """
layout(set = 2, binding = 0) uniform sampler2D obscurance;
#ifdef OPTION_TERMS
layout(set = 2, binding = 1) uniform sampler2D last;
layout(set = 2, binding = 2) uniform sampler2D velocities;
#endif

layout(location = 0) in vec2 in_uv;
layout(location = 0) out vec4 out_color;

void main() {
    ivec2 at = ivec2(in_uv * vec2(textureSize(obscurance, 0)));
    vec4 now = texelFetch(obscurance, at, 0);
    float shown = now.r;
#ifdef OPTION_TERMS
    vec2 own_uv = (vec2(at) + 0.5) / vec2(textureSize(obscurance, 0));
    vec2 view_uv = target_to_view_uv(own_uv);
    ivec2 full = full_pixel(own_uv, vec2(textureSize(velocities, 0)));
    vec2 velocity = velocity_at(view_uv, texelFetch(velocities, full, 0).rg, is_sky(now.g));
    vec4 before = texture(last, view_to_target_uv(view_uv - velocity));
    similarity_terms s = compare_with_last(view_uv, now.g, velocity, now.b * material.dangerous,
                                           before);
    int term = int(material.term + 0.5);
    float moving = (still_similarity - s.samples) / (still_similarity - moving_similarity);
    shown = term == 0 ? s.depth : term == 1 ? s.velocity : term == 2 ? moving : s.weight;
    shown = clamp(shown, 0.0, 1.0);
#endif
    // The screen's curve turned round: half is a middle grey.
    float high = pow((shown + 0.055) / 1.055, 2.4);
    out_color = vec4(vec3(shown > 0.04045 ? high : shown / 12.92), 1.0);
}
"""
