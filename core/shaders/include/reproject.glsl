// Depth, positions, and where points of this frame were in the last one. Needs frame.glsl.
//
// A "view uv" goes from 0 to 1 over the view's rectangle, a "target uv" over whole targets.

vec2 target_to_view_uv(vec2 uv) {
    return (uv - view.rectangle.xy) / view.rectangle.zw;
}

vec2 view_to_target_uv(vec2 uv) {
    return view.rectangle.xy + uv * view.rectangle.zw;
}

// Returns the corners of the view's rectangle in a target of this size: its first and last pixel.
ivec4 view_pixels(ivec2 size) {
    vec2 low = view.rectangle.xy * vec2(size);
    vec2 high = (view.rectangle.xy + view.rectangle.zw) * vec2(size);
    ivec2 first = ivec2(low + 0.5);
    return ivec4(first, max(ivec2(high + 0.5) - 1, first));
}

// Returns the distance along the camera's axis, in metres, of what the depth target holds.
float linear_depth(float depth) {
    float near = view.lens.x;
    float far = view.lens.y;
    if (view.lens.w > 0.5)
        return mix(near, far, depth);
    return near * far / (far - depth * (far - near));
}

// The opposite of linear_depth.
float device_depth(float z) {
    float near = view.lens.x;
    float far = view.lens.y;
    if (view.lens.w > 0.5)
        return (z - near) / (far - near);
    return far * (z - near) / (z * (far - near));
}

// Returns the point in the world that is drawn at a place, for what the depth target holds there.
vec3 world_position(vec2 view_uv, float depth) {
    vec4 p = view.inverse_view_projection * vec4(view_uv * 2.0 - 1.0, depth, 1.0);
    return p.xyz / p.w;
}

// Returns how far a place of the picture moved since the last frame, in view uv, given its point in
// clip space without jitter, now and then. A point that was behind the camera came from outside.
vec2 clip_velocity(vec4 now, vec4 before) {
    if (before.w <= 0.0)
        return vec2(2.0);
    return (now.xy / now.w - before.xy / before.w) * 0.5;
}

// Returns the velocity of a point that does not move in the world: that of the camera's motion.
vec2 still_velocity(vec3 position) {
    return clip_velocity(view.still_view_projection * vec4(position, 1.0),
                         view.previous_view_projection * vec4(position, 1.0));
}

// The same for what is infinitely far away in the direction of a place, such as the sky.
vec2 sky_velocity(vec2 view_uv) {
    if (view.lens.w > 0.5)
        return vec2(0.0); // parallel rays have no horizon
    vec4 direction = vec4(world_position(view_uv, 1.0) - view.camera_position.xyz, 0.0);
    return clip_velocity(view.still_view_projection * direction,
                         view.previous_view_projection * direction);
}

// Returns the velocity of a pixel, given what the target for velocity holds. Where nothing was drawn, it
// is that of the sky.
vec2 velocity_at(vec2 view_uv, vec2 velocity, bool is_sky) {
    return is_sky ? sky_velocity(view_uv) : velocity;
}

// Whether a place lies inside the view.
bool is_in_view(vec2 view_uv) {
    return all(greaterThanEqual(view_uv, vec2(0.0))) && all(lessThanEqual(view_uv, vec2(1.0)));
}
