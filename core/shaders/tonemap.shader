// Maps linear light of any brightness to colours that a screen can show.
vertices = "fullscreen"
depth_test = false
depth_write = false
includes = ["core/shaders/include/frame.glsl" "core/shaders/include/fullscreen.glsl"
            "core/shaders/include/picture.glsl" "core/shaders/include/srgb.glsl"
            "core/shaders/include/tone_curves.glsl"]

// The render config's settings switch these on. Without any, only the picture is read.
options = ["auto_exposure" "bloom" "neutral_curve" "graded" "vignette"]

parameters = {
    exposure = { type = "scalar"  default = 1  doc = "Multiplies the brightness before the curve." }
    exposure_value = { type = "scalar"  default = 0
                       doc = "That of the camera, at ISO 100; not with auto_exposure." }
    compensation = { type = "scalar"  default = 0  doc = "In stops: 1 is twice as bright." }
    bloom_strength = { type = "scalar"  default = 0.05  doc = "Share of the light that spreads." }
    vignette = { type = "scalar"  default = 0
                 doc = "Darkens corners: 1 leaves them a quarter of their light." }
}

vertex = """
layout(location = 0) out vec2 out_uv;
layout(location = 1) out vec2 out_off_axis; // 1 long in the corners
layout(location = 2) flat out float out_scale;

// A camera at an exposure value (EV at ISO 100) shows light of 1.25 cd/m2, times 2 for each EV, as 1
// before the curve (its meter's constant K is 12.5, and takes a tenth of that as average).
void main() {
    gl_Position = fullscreen_corner(out_uv);
    out_off_axis = gl_Position.xy * normalize(view.rectangle.zw * view.size.xy);
    float value = option_auto_exposure ? 0.0 : material.exposure_value;
    out_scale = material.exposure * 0.8 * exp2(material.compensation - value);
}
"""

fragment = """
layout(set = 2, binding = 0) uniform sampler2D hdr;
layout(set = 2, binding = 1) uniform sampler2D bloom;
layout(set = 2, binding = 2) uniform sampler2D exposure;
layout(set = 2, binding = 3) uniform sampler2D grading;

layout(location = 0) in vec2 in_uv;
layout(location = 1) in vec2 in_off_axis;
layout(location = 2) flat in float in_scale;
layout(location = 0) out vec4 out_color;

// The colour in the table of grade.shader: 32 slices. Both lookups blend red and green.
vec3 grade(vec3 color) {
    vec3 place = linear_to_srgb(color) * 31.0;
    float slice = min(floor(place.b), 30.0);
    vec2 uv = (place.rg + 0.5) / vec2(1024.0, 32.0);
    vec3 a = textureLod(grading, vec2(uv.x + slice / 32.0, uv.y), 0.0).rgb;
    vec3 b = textureLod(grading, vec2(uv.x + (slice + 1.0) / 32.0, uv.y), 0.0).rgb;
    return srgb_to_linear(mix(a, b, place.b - slice));
}

void main() {
    vec3 color = texture(hdr, in_uv).rgb;
    if (option_bloom) {
        vec2 texel = 1.0 / vec2(textureSize(bloom, 0));
        vec3 spread = texture(bloom, inside_view(in_uv, texel)).rgb;
        color = mix(sane(color), spread, material.bloom_strength);
    }
    if (option_vignette) {
        // As the light of a lens falls off: by the fourth power of the cosine of the angle.
        float cosine2 = 1.0 / (1.0 + material.vignette * dot(in_off_axis, in_off_axis));
        color *= cosine2 * cosine2;
    }
    float scale = in_scale;
    if (option_auto_exposure)
        scale *= exp2(-texelFetch(exposure, view_keeper(textureSize(exposure, 0)), 0).x);
    color *= scale;
    color = option_neutral_curve ? neutral_curve(color) : filmic_curve(color);
    if (option_graded)
        color = grade(color);
    out_color = vec4(color, 1.0);
}
"""
