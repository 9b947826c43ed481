// Bakes the grading of colours, and the project's table, into one table that the tonemap pass looks
// up: 32 slices side by side, blue from left to right, in each red to the right and green down.
// Values are as they are stored for the screen (sRGB).
includes = ["core/shaders/include/frame.glsl" "core/shaders/include/srgb.glsl"]

parameters = {
    lift = { type = "scalar"  default = 0  doc = "Added to black; white stays." }
    gamma = { type = "scalar"  default = 1  doc = "Above 1 brightens what is between." }
    gain = { type = "scalar"  default = 1  doc = "Multiplies white; black stays." }
    saturation = { type = "scalar"  default = 1  doc = "0: grey, 1: as it is." }
    contrast = { type = "scalar"  default = 1  doc = "Around middle grey; 1: as it is." }
    temperature = { type = "scalar"  default = 0  doc = "-1: cold (blue), 1: warm (amber)." }
    tint = { type = "scalar"  default = 0  doc = "-1: green, 1: magenta." }
    strength = { type = "scalar"  default = 0  doc = "How much `grading_lut` counts: 0 to 1." }
}

textures = {
    grading_lut = { default = "core/textures/neutral_lut"
                    doc = "A table of colours: n slices of n x n pixels side by side." }
}

outputs = {
    table = { format = "RGBA16F"  doc = "The table." }
}

compute = """
layout(local_size_x = 8, local_size_y = 8) in;

const int size = 32;

vec3 lut_fetch(ivec3 at, int n) {
    // A picture of another shape is no table, but nothing outside of it is read.
    ivec2 place = min(ivec2(at.x + at.z * n, at.y), textureSize(grading_lut, 0) - 1);
    return texelFetch(grading_lut, place, 0).rgb;
}

// The project's table at a colour, blended between its eight nearest entries.
vec3 project_table(vec3 color) {
    int n = textureSize(grading_lut, 0).y;
    vec3 place = clamp(color, 0.0, 1.0) * float(n - 1);
    ivec3 a = ivec3(place);
    ivec3 b = min(a + 1, n - 1);
    vec3 t = place - vec3(a);
    vec3 front = mix(mix(lut_fetch(a, n), lut_fetch(ivec3(b.x, a.y, a.z), n), t.x),
                     mix(lut_fetch(ivec3(a.x, b.y, a.z), n), lut_fetch(ivec3(b.x, b.y, a.z), n), t.x),
                     t.y);
    vec3 back = mix(mix(lut_fetch(ivec3(a.x, a.y, b.z), n), lut_fetch(ivec3(b.x, a.y, b.z), n), t.x),
                    mix(lut_fetch(ivec3(a.x, b.y, b.z), n), lut_fetch(b, n), t.x), t.y);
    return mix(front, back, t.z);
}

// Scales the channels of linear light; a grey keeps its luminance.
vec3 balance(vec3 light) {
    vec3 scale = exp2(vec3(0.5, 0.0, -0.5) * material.temperature +
                      vec3(0.25, -0.25, 0.25) * material.tint);
    return light * scale / dot(scale, vec3(0.2126, 0.7152, 0.0722));
}

vec3 graded(vec3 color) {
    color = linear_to_srgb(clamp(balance(srgb_to_linear(color)), 0.0, 1.0));
    color = mix(vec3(dot(color, vec3(0.2126, 0.7152, 0.0722))), color, material.saturation);
    color = (color - 0.5) * material.contrast + 0.5;
    color = material.lift + color * (material.gain - material.lift);
    return pow(clamp(color, 0.0, 1.0), vec3(1.0 / max(material.gamma, 0.01)));
}

void main() {
    ivec2 at = ivec2(gl_GlobalInvocationID.xy);
    if (any(greaterThanEqual(at, imageSize(table))))
        return;
    vec3 color = graded(vec3(at.x % size, at.y, at.x / size) / float(size - 1));
    color = mix(color, project_table(color), clamp(material.strength, 0.0, 1.0));
    imageStore(table, at, vec4(color, 1.0));
}
"""
