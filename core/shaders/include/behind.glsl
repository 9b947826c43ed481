// What is behind a transparent surface: reads the copies `scene_color` and `scene_depth`, which the
// render config makes before transparent surfaces are drawn. Needs frame.glsl and lighting.glsl.

#ifdef FRAGMENT_STAGE

// Whether there are copies in this frame; where not, a texture of one pixel stands in for them.
bool has_scene_copy() {
    return textureSize(scene_depth, 0).x > 1;
}

// The place in the copies of a point of the world.
vec2 place_in_view(vec3 position) {
    vec4 clip = view.view_projection * vec4(position, 1.0);
    vec2 place = clamp(clip.xy / max(clip.w, 1e-4) * 0.5 + 0.5, 0.0, 1.0);
    return view.rectangle.xy + place * view.rectangle.zw;
}

// The distance of what is behind a place, in metres along the camera's forward.
float scene_distance(vec2 uv) {
    ivec2 size = textureSize(scene_depth, 0);
    return texelFetch(scene_depth, min(ivec2(uv * vec2(size)), size - 1), 0).x;
}

float own_distance(vec3 position) {
    return dot(position - view.camera_position.xyz, view.camera_pose[1].xyz);
}

// 0 where the surface touches what is behind it, 1 from `distance` metres before it on.
float soft_edge(vec3 position, float distance) {
    if (!has_scene_copy())
        return 1.0;
    float room = scene_distance(place_in_view(position)) - own_distance(position);
    return clamp(room / max(distance, 1e-4), 0.0, 1.0);
}

// The light from behind that a surface bends to the eye: it goes `thickness` metres through it.
// Rough surfaces blur it.
vec3 light_from_behind(surface s, float refraction_index, float thickness, float roughness) {
    float index = max(refraction_index, 1.0);
    vec3 direction = refract(-s.to_eye, s.normal, 1.0 / index);
    vec2 uv = place_in_view(s.position + direction * thickness);
    // What is before the surface is not seen through it.
    if (scene_distance(uv) < own_distance(s.position))
        uv = place_in_view(s.position);
    float mips = 0.6 * log2(float(textureSize(scene_color, 0).x));
    float blur = roughness * clamp(2.0 * index - 2.0, 0.0, 1.0);
    return textureLod(scene_color, uv, mips * blur).rgb;
}

#endif
