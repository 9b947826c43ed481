// Lighting of a surface by set 0's lights and by the sky: a diffuse and a GGX specular part (Walter
// et al. 2007, "Microfacet Models for Refraction through Rough Surfaces"). Needs frame.glsl.
#include "core/shaders/include/sky_map.glsl"

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

#ifdef FRAGMENT_STAGE
layout(set = 0, binding = 6) uniform sampler2D sky_map; // see sky_map.glsl
#endif

// Returns the colour of the surroundings in a direction, without a sky map: sky above, ground below.
vec3 sky_light(vec3 direction) {
    return mix(view.ground.rgb, view.sky.rgb, direction.z * 0.5 + 0.5);
}

// Returns what a surface reflects of light from all around: x times its specular colour plus y
// (Karis 2014, "Physically Based Shading on Mobile").
vec2 reflected_share(float n_v, float rough) {
    vec4 r = rough * vec4(-1.0, -0.0275, -0.572, 0.022) + vec4(1.0, 0.0425, 1.04, -0.04);
    float a004 = min(r.x * r.x, exp2(-9.28 * n_v)) * r.x + r.y;
    return vec2(-1.04, 1.04) * a004 + r.zw;
}

#ifdef FRAGMENT_STAGE
// Returns the reflected light of the sky map. Light that microfacets pass on to each other is not
// lost, and what is mirrored does not go on to be diffuse (Fdez-Agüera 2019, "A Multiple-Scattering
// Microfacet Model for Real-Time Image-based Lighting").
vec3 reflect_sky_map(surface s, vec3 vertex_normal, vec2 share, float rough) {
    vec3 once = s.specular * share.x + share.y;
    float rest = 1.0 - share.x - share.y;
    vec3 mean = min(s.specular + (1.0 - s.specular) / 21.0, 1.0);
    vec3 more = rest * once * mean / (1.0 - rest * mean);
    vec3 diffuse = s.diffuse * max(1.0 - once - more, 0.0);
    // The rougher, the more the brightest direction turns to the normal (Lagarde and de Rousiers
    // 2014, "Moving Frostbite to Physically Based Rendering").
    vec3 mirrored = reflect(-s.to_eye, s.normal);
    // A bump cannot mirror what is behind the surface that it is on.
    float above = dot(mirrored, vertex_normal) - min(dot(s.to_eye, vertex_normal), 0.0);
    float horizon = clamp(1.0 + above, 0.0, 1.0);
    float smooth_share = 1.0 - s.roughness;
    mirrored = mix(s.normal, mirrored, smooth_share * (sqrt(smooth_share) + s.roughness));
    vec3 around = textureLod(sky_map, sky_map_uv(s.normal), sky_map_diffuse).rgb;
    vec3 ahead = textureLod(sky_map, sky_map_uv(mirrored), sky_map_mip(rough)).rgb;
    vec3 light = (diffuse + more) * around + once * (horizon * horizon) * ahead;
    return light * view.sky_intensity.x;
}
#endif

#ifdef FRAGMENT_STAGE
// How much of the surface's ambient light comes from the sky map: all of it, or in a small map,
// which is for slow devices, only that of metals.
float sky_map_share(surface s) {
    if (textureSize(sky_map, 0).x >= 256)
        return 1.0;
    float specular = max(s.specular.r, max(s.specular.g, s.specular.b));
    return clamp((specular - 0.08) * 12.0, 0.0, 1.0);
}
#endif

// Returns the reflected ambient light.
vec3 reflect_sky(surface s, vec3 vertex_normal) {
    float n_v = abs(dot(s.normal, s.to_eye));
    float rough = sqrt(s.roughness);
    vec2 share = reflected_share(n_v, rough);
    vec3 mirrored = sky_light(reflect(-s.to_eye, s.normal));
    vec3 around = sky_light(s.normal);
    vec3 light = s.diffuse * around +
                 (s.specular * share.x + share.y) * mix(mirrored, around, s.roughness);
#ifdef FRAGMENT_STAGE
    if (has_sky_map)
        for (float part = sky_map_share(s); part > 0.0; part = 0.0)
            light = mix(light, reflect_sky_map(s, vertex_normal, share, rough), part);
#endif
    return light;
}

// Returns all light that the surface reflects to the eye, and which part of it is ambient. The
// normal of the vertices is that without bumps.
vec3 light_surface(surface s, vec3 vertex_normal, out vec3 ambient) {
    ambient = vec3(0.0);
#ifdef SHADOW_PASS
    return vec3(0.0);
#else
    ambient = reflect_sky(s, vertex_normal);
    vec3 sum = ambient;
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

// Returns all light that the surface reflects to the eye.
vec3 light_surface(surface s) {
    vec3 ambient;
    return light_surface(s, s.normal, ambient);
}
