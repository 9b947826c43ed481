// Automatic exposure: from what the light meter measured in a view, the exposure value (EV at ISO
// 100) that a camera would take, reached bit by bit. A histogram leaves out the darkest and the
// brightest parts of the picture. One group of threads.
includes = ["core/shaders/include/frame.glsl" "core/shaders/include/picture.glsl"]

parameters = {
    low = { type = "scalar"  default = 0.1  doc = "Share of the picture that is too dark to count." }
    high = { type = "scalar"  default = 0.95  doc = "1 - the share that is too bright to count." }
    key = { type = "scalar"  default = 0.18
            doc = "What the mean brightness becomes before the tone curve." }
    least = { type = "scalar"  default = -2  doc = "The lowest exposure value." }
    most = { type = "scalar"  default = 16  doc = "The highest exposure value." }
    speed = { type = "scalar"  default = 2  doc = "How fast it adapts: 1 / seconds." }
}

outputs = {
    exposure = { format = "R32F"  doc = "The exposure value, in the view's pixel." }
}

compute = """
layout(local_size_x = 256) in;
layout(set = 2, binding = 0) uniform sampler2D metered;
layout(set = 2, binding = 1) uniform sampler2D previous;

const int num_threads = 256;
const int num_bins = 128;
const float first_bin = -10.0; // log2 of cd/m2
const float bins_per_stop = float(num_bins - 1) / 27.0;
const float whole = 256.0; // a pixel's weight, shared by two bins

shared uint bins[num_bins];

void count_pixels(int thread) {
    ivec4 area = view_area(textureSize(metered, 0));
    ivec2 extent = area.zw - area.xy;
    for (int i = thread; i < extent.x * extent.y; i += num_threads) {
        float light = texelFetch(metered, area.xy + ivec2(i % extent.x, i / extent.x), 0).x;
        if (light < -50.0)
            continue;
        float place = clamp((light - first_bin) * bins_per_stop, 0.0, float(num_bins) - 1.01);
        uint share = uint(fract(place) * whole + 0.5);
        atomicAdd(bins[int(place)], uint(whole) - share);
        atomicAdd(bins[int(place) + 1], share);
    }
}

// The mean brightness between the shares `low` and `high` of the pixels; `total` is their weight.
float trimmed_mean(float total) {
    float from = material.low * total, to = max(material.high * total, from + 1.0);
    float before = 0.0, sum = 0.0, weight = 0.0;
    for (int i = 0; i < num_bins; ++i) {
        float after = before + float(bins[i]);
        float part = max(min(after, to) - max(before, from), 0.0);
        sum += part * float(i);
        weight += part;
        before = after;
    }
    return first_bin + sum / max(weight, 1e-3) / bins_per_stop;
}

void main() {
    int thread = int(gl_LocalInvocationIndex);
    if (thread < num_bins)
        bins[thread] = 0u;
    barrier();
    count_pixels(thread);
    barrier();
    if (thread != 0)
        return;
    float total = 0.0;
    for (int i = 0; i < num_bins; ++i)
        total += float(bins[i]);
    ivec2 at = view_keeper(imageSize(exposure));
    float was = texelFetch(previous, at, 0).x;
    // 0 is what a target holds that was not yet written.
    bool is_known = view.history.x > 0.5 && was > -100.0 && was < 100.0 && was != 0.0;
    // At EV 0 light of 1.25 cd/m2 becomes 1.
    float now = is_known ? was : 0.0;
    if (total > 0.0)
        now = trimmed_mean(total) - log2(1.25 * max(material.key, 1e-4));
    now = clamp(now, material.least, max(material.least, material.most));
    float share = is_known ? 1.0 - exp(-max(view.history.z * material.speed, 0.0)) : 1.0;
    float value = is_known ? mix(was, now, share) : now;
    imageStore(exposure, at, vec4(abs(value) < 1e-4 ? 1e-4 : value));
}
"""
