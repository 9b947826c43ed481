// Depth of field: for every pixel, the light of those around it whose discs reach it. What is far
// and what is near are gathered apart, so that what is sharp is neither smeared into the background
// nor hides what is before it.
vertices = "fullscreen"
depth_test = false
depth_write = false
includes = ["core/shaders/include/frame.glsl" "core/shaders/include/fullscreen.glsl"
            "core/shaders/include/picture.glsl"]

parameters = {
    most = { type = "scalar"  default = 0.03
             doc = "Radius of the largest disc, in parts of the picture's height." }
}

vertex = """
layout(location = 0) out vec2 out_uv;

void main() {
    gl_Position = fullscreen_corner(out_uv);
}
"""

fragment = """
layout(set = 2, binding = 0) uniform sampler2D split;

layout(location = 0) in vec2 in_uv;
layout(location = 0) out vec4 out_far;
layout(location = 1) out vec4 out_near; // multiplied by its alpha

const int num_taps = 64;

void main() {
    ivec2 size = textureSize(split, 0);
    ivec4 area = view_area(size);
    ivec2 pixel = clamp(ivec2(in_uv * vec2(size)), area.xy, area.zw - 1);
    vec4 center = texelFetch(split, pixel, 0);
    float reach = max(material.most * float(area.w - area.y), 1.0);
    // The centre counts as a tap where it is far. Elsewhere the far picture is what lies around, for
    // lookups between pixels of both kinds.
    bool is_far = center.a > 0.25;
    vec4 far = vec4(center.rgb, 1.0) * (is_far ? 1.0 : 1e-3);
    vec4 near = vec4(0.0);
    for (int i = 0; i < num_taps; ++i) {
        // A spiral by the golden angle: every tap stands for the same area.
        float radius = reach * sqrt((float(i) + 0.5) / float(num_taps));
        float angle = 2.3999632 * float(i);
        ivec2 offset = ivec2(round(radius * vec2(cos(angle), sin(angle))));
        ivec2 at = clamp(pixel + offset, area.xy, area.zw - 1);
        vec4 tap = texelFetch(split, at, 0);
        float disc = min(abs(tap.a), reach);
        // What lies behind spreads no more than what is before it.
        float far_disc = is_far ? min(disc, 2.0 * center.a) : disc;
        float far_weight = tap.a > 0.25 ? clamp(far_disc - radius + 1.0, 0.0, 1.0) : 0.0;
        far += vec4(tap.rgb, 1.0) * far_weight;
        float near_weight = tap.a < -0.5 ? clamp(disc - radius + 1.0, 0.0, 1.0) : 0.0;
        float share = reach * reach / (float(num_taps) * max(disc * disc, 1.0));
        near += vec4(tap.rgb, 1.0) * (near_weight * share);
    }
    near = near.a > 1.0 ? near / near.a : near;
    out_far = vec4(far.rgb / far.a, 1.0);
    out_near = near;
}
"""
