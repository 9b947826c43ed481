// Lighting of a surface by set 0's lights and by the sky: a diffuse and a GGX specular part (Walter
// et al. 2007, "Microfacet Models for Refraction through Rough Surfaces").

const float pi = 3.14159265;

struct surface {
    vec3 position;   // world space
    vec3 normal;     // of unit length
    vec3 to_eye;     // of unit length
    vec3 diffuse;    // colour of the diffuse reflection
    vec3 specular;   // reflectance at normal incidence
    float roughness; // squared
};

// Returns the light reflected to the eye, of light `color` (radiance times pi) from `to_light`.
vec3 reflect_light(surface s, vec3 to_light, vec3 color) {
    float n_l = dot(s.normal, to_light);
    if (n_l <= 0.0)
        return vec3(0.0);
    vec3 half_way = normalize(to_light + s.to_eye);
    float n_h = max(dot(s.normal, half_way), 0.0);
    float n_v = abs(dot(s.normal, s.to_eye)) + 1e-4;
    float l_h = max(dot(to_light, half_way), 0.0);
    float a2 = s.roughness * s.roughness;
    float d = n_h * n_h * (a2 - 1.0) + 1.0;
    // Distribution times pi; visibility (Hammon 2017, "PBR Diffuse Lighting for GGX+Smith").
    float distribution = a2 / (d * d);
    float visibility = 0.5 / mix(2.0 * n_l * n_v, n_l + n_v, s.roughness);
    float grazing = 1.0 - l_h;
    float grazing2 = grazing * grazing;
    vec3 fresnel = s.specular + (1.0 - s.specular) * (grazing2 * grazing2 * grazing);
    return (s.diffuse + fresnel * (distribution * visibility)) * color * n_l;
}

// Returns the light that arrives from `to_light` (of unit length) of a point or spot light: inside
// its cone, fading to 0 at its reach (Karis 2013, "Real Shading in Unreal Engine 4").
vec3 local_light_color(local_light light, vec3 to_light, float distance2) {
    float start = light.color_start.w;
    float ratio = max(sqrt(distance2) - start, 0.0) / (light.position_reach.w - start);
    float ratio2 = ratio * ratio;
    float window = clamp(1.0 - ratio2 * ratio2, 0.0, 1.0);
    float cone = clamp(light.cone.w - dot(to_light, light.cone.xyz), 0.0, 1.0);
    float share = window * cone;
    return light.color_start.rgb * (share * share / (max(distance2, 1e-4) * pi));
}

// --- Shadows -------------------------------------------------------------------------------------

// Returns the share of light at `at` (x, y, depth) of the map: a tent of 3 x 3 texels, from
// four lookups that the sampler blends (Pettineo 2013, "A Sampling of Shadow Techniques").
float filter_shadow(vec3 at) {
    vec2 size = vec2(textureSize(shadow_map, 0));
    vec2 place = at.xy * size;
    vec2 base = floor(place + 0.5);
    vec2 t = place + 0.5 - base;
    vec2 weight0 = 3.0 - 2.0 * t;
    vec2 weight1 = 1.0 + 2.0 * t;
    vec2 uv0 = (base - 0.5 + (2.0 - t) / weight0 - 1.0) / size;
    vec2 uv1 = (base - 0.5 + t / weight1 + 1.0) / size;
    float sum = weight0.x * weight0.y * texture(shadow_map, vec3(uv0, at.z)) +
                weight1.x * weight0.y * texture(shadow_map, vec3(uv1.x, uv0.y, at.z)) +
                weight0.x * weight1.y * texture(shadow_map, vec3(uv0.x, uv1.y, at.z)) +
                weight1.x * weight1.y * texture(shadow_map, vec3(uv1, at.z));
    return sum / 16.0;
}

// The same for a point of a surface. The point is lifted off the surface so that the surface does
// not shade itself: the more grazing the light, the higher.
float cascade_light(uint i, surface s, float n_l) {
    float lift = 1.5 * sqrt(clamp(1.0 - n_l * n_l, 0.0, 1.0)) + 0.5;
    vec3 p = s.position + s.normal * (lights.cascades[i].range.z * lift);
    vec3 at = (lights.cascades[i].to_map * vec4(p, 1.0)).xyz;
    vec4 rectangle = lights.cascades[i].rectangle;
    return filter_shadow(vec3(clamp(at.xy, rectangle.xy, rectangle.zw),
                              at.z - lights.cascades[i].range.w));
}

// Returns the share of the shadow-casting light that reaches a surface; 1 beyond the last cascade.
float unshadowed(surface s, float n_l) {
    if (n_l <= 0.0)
        return 1.0; // the light does not reach it anyway
    float depth = dot(s.position - view.camera_position.xyz, view.camera_pose[1].xyz);
    uint i = 0;
    while (i < 4 && depth >= lights.cascades[i].range.y)
        ++i;
    if (i == 4)
        return 1.0;
    float light = cascade_light(i, s, n_l);
    float t = (depth - lights.cascades[i].range.x) /
              (lights.cascades[i].range.y - lights.cascades[i].range.x);
    if (t > 0.0) {
        bool has_next = i < 3 && lights.cascades[min(i + 1, 3)].range.y > 0.0;
        light = mix(light, has_next ? cascade_light(min(i + 1, 3), s, n_l) : 1.0, t);
    }
    return light;
}

// --- All light -----------------------------------------------------------------------------------

// Returns the colour of the surroundings in a direction: sky above, ground below.
vec3 sky_light(vec3 direction) {
    return mix(view.ground.rgb, view.sky.rgb, direction.z * 0.5 + 0.5);
}

// Returns the reflected ambient light; the specular part follows Karis 2014, "Physically Based
// Shading on Mobile".
vec3 reflect_sky(surface s) {
    float n_v = abs(dot(s.normal, s.to_eye));
    float rough = sqrt(s.roughness);
    vec4 r = rough * vec4(-1.0, -0.0275, -0.572, 0.022) + vec4(1.0, 0.0425, 1.04, -0.04);
    float a004 = min(r.x * r.x, exp2(-9.28 * n_v)) * r.x + r.y;
    vec2 ab = vec2(-1.04, 1.04) * a004 + r.zw;
    vec3 mirrored = sky_light(reflect(-s.to_eye, s.normal));
    vec3 around = sky_light(s.normal);
    return s.diffuse * around + (s.specular * ab.x + ab.y) * mix(mirrored, around, s.roughness);
}

// Returns all light that the surface reflects to the eye.
vec3 light_surface(surface s) {
#ifdef SHADOW_PASS
    return vec3(0.0);
#else
    vec3 sum = reflect_sky(s);
    float light = 1.0;
    if (has_shadows)
        light = unshadowed(s, dot(s.normal, -lights.directional[0].direction.xyz));
    // The loops end at the first unused light (they are zero), not at a count: Mesa's CPU driver
    // compiles the shader again for each value of a uniform that bounds a loop.
    for (uint i = 0; i < 4 && lights.directional[i].direction.w > 0.0; ++i) {
        sum += reflect_light(s, -lights.directional[i].direction.xyz,
                             lights.directional[i].color.rgb * light);
        light = 1.0;
    }
    for (uint i = 0; i < 64 && lights.local[i].position_reach.w > 0.0; ++i) {
        vec3 to_light = lights.local[i].position_reach.xyz - s.position;
        float distance2 = dot(to_light, to_light);
        float reach = lights.local[i].position_reach.w;
        if (distance2 < reach * reach) {
            to_light *= inversesqrt(max(distance2, 1e-8));
            sum += reflect_light(s, to_light,
                                 local_light_color(lights.local[i], to_light, distance2));
        }
    }
    return sum;
#endif
}
