// Swaps red and blue, where the table says so.
includes = ["core/shaders/include/frame.glsl"]
parameters = { amount = { type = "scalar"  default = 0  doc = "0: nothing, 1: all." } }
outputs = { turned = { format = "RGBA16F"  doc = "Of the size of the first input." } }
compute = """
layout(local_size_x = 8, local_size_y = 8) in;

layout(set = 2, binding = 0) uniform sampler2D source;
layout(set = 2, binding = 1) uniform sampler2D table;

void main() {
    ivec2 at = ivec2(gl_GlobalInvocationID.xy);
    ivec2 size = imageSize(turned);
    if (any(greaterThanEqual(at, size)))
        return;
    vec4 color = texelFetch(source, at, 0);
    float amount = material.amount * textureLod(table, (vec2(at) + 0.5) / vec2(size), 0.0).r;
    imageStore(turned, at, mix(color, color.bgra, amount));
}
"""
