// What the passes of obscurance share: places in its targets, and how much of the last frame's
// obscurance is of use ("Temporal Reprojection and SAO", 2015-09-10). Needs frame.glsl and
// reproject.glsl.
//
// The depth mips hold the distance along the camera's axis in metres; below zero when the surface
// moves in the world. Obscurance targets hold: the share of ambient light that arrives, the distance,
// the similarity of samples, and the weight of the last frames.

// Similarity of a point that does not move; a weight of 0.93 is about the mean of 14 frames.
const float still_similarity = 0.93;
// Of a point that moves across a tenth of the picture's height in a frame.
const float fast_similarity = 0.5;
const float fast_velocity = 0.1;
// Of a point whose samples all move.
const float moving_similarity = 0.1;
// Half of the samples are enough for that.
const float moving_scale = 2.0;
// Tolerance for what two frames' depths differ by when nothing moved.
const float least_depth_similarity = 0.02;

// Distances that 16-bit floats can hold.
const float most_distance = 60000.0;

// The pixel, of a target of size `full`, for a place in a smaller one. The corner of four
// pixels is always the same one's.
ivec2 full_pixel(vec2 uv, vec2 full) {
    return ivec2(uv * full + 0.01);
}

// Whether nothing was drawn at a place, or only the sky.
bool is_sky(float z) {
    return z >= min(view.lens.y, most_distance) * 0.999;
}

struct similarity_terms {
    float depth;    // 0: it was hidden in the last frame
    float velocity; // 0: it is still, 1: it is fast
    float samples;  // lower, for a while, when things move around it
    float weight;   // of the last frame's obscurance: all terms together
};

// Compares a point with the last frame's `before` (as in the obscurance targets).
// `moving`: the share of its samples that move, times the weight of this term.
similarity_terms compare_with_last(vec2 view_uv, float z, vec2 velocity, float moving,
                                   vec4 before) {
    similarity_terms s;
    vec3 position = world_position(view_uv, device_depth(z));
    vec4 clip = view.previous_view_projection * vec4(position, 1.0);
    float expected = view.lens.w > 0.5 ? linear_depth(clip.z) : clip.w;
    float ratio = min(expected, before.g) / max(max(expected, before.g), 1e-6);
    ratio *= ratio;
    s.depth = clamp(ratio * ratio + least_depth_similarity, 0.0, 1.0);

    vec2 shape = vec2(view.rectangle.z * view.size.x / (view.rectangle.w * view.size.y), 1.0);
    s.velocity = clamp(length(velocity * shape) / fast_velocity, 0.0, 1.0);

    // It falls at once, and rises slowly: what a moving thing left behind goes with it.
    float current = mix(still_similarity, moving_similarity, clamp(moving * moving_scale, 0.0, 1.0));
    s.samples = min(current, mix(current, before.b, 0.9));

    float similarity = s.depth * mix(still_similarity, fast_similarity, s.velocity);
    similarity = clamp(similarity - (still_similarity - s.samples), 0.0, 1.0);
    // The first frames count alike: a half, two thirds, three quarters of what came before.
    s.weight = min(similarity, 1.0 / (2.0 - before.a));
    if (view.history.x == 0.0 || !is_in_view(view_uv - velocity)) {
        s.depth = 0.0;
        s.samples = current;
        s.weight = 0.0;
    }
    return s;
}
