// How light leaves a surface: a diffuse and a GGX specular part (Walter et al. 2007, "Microfacet
// Models for Refraction through Rough Surfaces"), lit by set 0's lights and by the sky.

const float pi = 3.14159265;

struct surface {
    vec3 position;   // world space
    vec3 normal;     // of unit length
    vec3 to_eye;     // of unit length
    vec3 diffuse;    // colour of what comes back out
    vec3 specular;   // reflectance straight on
    float roughness; // squared
};

// The light that leaves towards the eye, of light of `color` (radiance times pi) from `to_light`.
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
    // Distribution times pi, and visibility (Hammon 2017, "PBR Diffuse Lighting for GGX+Smith").
    float distribution = a2 / (d * d);
    float visibility = 0.5 / mix(2.0 * n_l * n_v, n_l + n_v, s.roughness);
    float grazing = 1.0 - l_h;
    float grazing2 = grazing * grazing;
    vec3 fresnel = s.specular + (1.0 - s.specular) * (grazing2 * grazing2 * grazing);
    return (s.diffuse + fresnel * (distribution * visibility)) * color * n_l;
}

// Light of a point or spot light that arrives from `to_light` (of unit length): within its cone,
// and ending at its reach (Karis 2013, "Real Shading in Unreal Engine 4").
vec3 local_light_color(local_light light, vec3 to_light, float distance2) {
    float start = light.color_start.w;
    float ratio = max(sqrt(distance2) - start, 0.0) / (light.position_reach.w - start);
    float ratio2 = ratio * ratio;
    float window = clamp(1.0 - ratio2 * ratio2, 0.0, 1.0);
    float cone = clamp(light.cone.w - dot(to_light, light.cone.xyz), 0.0, 1.0);
    float share = window * cone;
    return light.color_start.rgb * (share * share / (max(distance2, 1e-4) * pi));
}

// The colour of the surroundings in a direction: sky above, ground below.
vec3 sky_light(vec3 direction) {
    return mix(view.ground.rgb, view.sky.rgb, direction.z * 0.5 + 0.5);
}

// What comes from everywhere; the specular part after Karis 2014, "Physically Based Shading on
// Mobile".
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

// All light that leaves towards the eye.
vec3 light_surface(surface s) {
    vec3 sum = reflect_sky(s);
    // The loops end on what the arrays hold (unused lights are zero), not on the counts: Mesa's CPU
    // driver builds the shader anew for each value of a uniform that bounds a loop.
    for (uint i = 0; i < 4 && lights.directional[i].direction.w > 0.0; ++i)
        sum += reflect_light(s, -lights.directional[i].direction.xyz,
                             lights.directional[i].color.rgb);
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
}
