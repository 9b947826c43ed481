// How the light of a second picture compares with that of the first: 1 where both have the same mean.
includes = ["core/shaders/include/frame.glsl"]
outputs = { scales = { format = "R32F" } }

compute = """
layout(local_size_x = 128) in;
layout(set = 2, binding = 0) uniform sampler2D first;
layout(set = 2, binding = 1) uniform sampler2D second;

shared vec2 sums[128];

void main() {
    int thread = int(gl_LocalInvocationIndex);
    ivec2 a = textureSize(first, 0), b = textureSize(second, 0);
    vec2 sum = vec2(0.0);
    for (int i = thread; i < a.x * a.y; i += 128)
        sum.x += texelFetch(first, ivec2(i % a.x, i / a.x), 0).g / float(a.x * a.y);
    for (int i = thread; i < b.x * b.y; i += 128)
        sum.y += texelFetch(second, ivec2(i % b.x, i / b.x), 0).g / float(b.x * b.y);
    sums[thread] = sum;
    barrier();
    if (thread > 0)
        return;
    for (int i = 1; i < 128; ++i)
        sum += sums[i];
    imageStore(scales, ivec2(0), vec4(sum.y / sum.x));
}
"""
