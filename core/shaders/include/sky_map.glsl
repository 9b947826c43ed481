// The sky map: light from all directions on one square, an octahedron unfolded. Its mips are ever
// blurrier, as rough surfaces mirror the sky; the last one is the light that falls on a surface
// with a normal. Around the octahedron is a border of at least half a texel of the last mip, so that
// one place serves all mips and blends across no seam. The octahedron's corners are in the middle of
// texels of that mip, which has only 16 x 16: halfway between two, they would look below the horizon.

const float sky_map_middle = 8.5 / 16.0;
const float sky_map_scale = 7.0 / 16.0;
const float sky_map_roughest = 3.0; // the mip for roughness 1
const float sky_map_diffuse = 4.0;  // the mip of diffuse light

// Returns the mip for a roughness from 0 to 1. Low ones differ most.
float sky_map_mip(float roughness) {
    return sky_map_roughest * sqrt(roughness);
}

vec2 sky_map_signs(vec2 v) {
    return vec2(v.x < 0.0 ? -1.0 : 1.0, v.y < 0.0 ? -1.0 : 1.0);
}

// Returns the place of a direction, which need not be of unit length, in the map.
vec2 sky_map_uv(vec3 direction) {
    vec2 p = direction.xy / (abs(direction.x) + abs(direction.y) + abs(direction.z));
    vec2 below = (1.0 - abs(p.yx)) * sky_map_signs(p);
    return sky_map_middle + (direction.z < 0.0 ? below : p) * sky_map_scale;
}

// Returns the direction of a place in the map, in its border too.
vec3 sky_map_direction(vec2 uv) {
    vec2 p = (uv - sky_map_middle) / sky_map_scale;
    if (abs(p.x) > 1.0)
        p = vec2(sky_map_signs(p).x * 2.0 - p.x, -p.y);
    if (abs(p.y) > 1.0)
        p = vec2(-p.x, sky_map_signs(p).y * 2.0 - p.y);
    vec3 d = vec3(p, 1.0 - abs(p.x) - abs(p.y));
    if (d.z < 0.0)
        d.xy = (1.0 - abs(d.yx)) * sky_map_signs(d.xy);
    return normalize(d);
}
