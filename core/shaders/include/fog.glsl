// Fog whose density falls with height: at `fog_height` a metre has the optical depth `fog_density`,
// and 1 / `fog_falloff` metres higher e times less. It begins `fog_start` metres from the camera.
// Toward the sun it has another colour. Needs frame.glsl.

// Returns the optical depth between the camera and a point at this offset from it: light that goes
// through falls by exp(-depth).
float fog_depth(vec3 offset) {
    float distance = length(offset);
    float rise = offset.z / max(distance, 1e-4);
    float inside = clamp(distance - view.fog.w, 0.0, 1e6);
    float height = view.camera_position.z + rise * view.fog.w - view.fog.z;
    float at_start = exp(clamp(-view.fog.y * height, -40.0, 40.0));
    // The mean of exp(-x) from 0 to x, which is nearly level for small x.
    float x = clamp(view.fog.y * rise * inside, -40.0, 40.0);
    float mean = abs(x) < 1e-2 ? 1.0 - 0.5 * x : (1.0 - exp(-x)) / x;
    return min(view.fog.x * inside * at_start * mean, 80.0);
}

// Returns what fog does to light from a point at this offset from the camera: light * a + rgb is
// what is left. Mesa's CPU driver would compile the shader again for each value of a uniform that
// alone decides, so the offset decides too.
vec4 fog_before(vec3 offset) {
    vec4 fog = vec4(0.0, 0.0, 0.0, 1.0);
    for (float most = view.fog.x * dot(offset, offset); most > 0.0; most = 0.0) {
        float through = exp(-fog_depth(offset));
        vec3 to_sun = -lights.directional[0].direction.xyz; // 0 without a sun
        float toward = max(dot(offset, to_sun), 0.0) / max(length(offset), 1e-4);
        float toward2 = toward * toward;
        float toward4 = toward2 * toward2;
        vec3 color = mix(view.fog_color.rgb, view.fog_sun_color.rgb, min(toward4 * toward4, 1.0));
        fog = vec4(color * (1.0 - through), through);
    }
    return fog;
}

// Returns the light that comes through the fog from a point in the world.
vec3 fogged(vec3 light, vec3 position) {
    vec4 fog = fog_before(position - view.camera_position.xyz);
    return light * fog.a + fog.rgb;
}
