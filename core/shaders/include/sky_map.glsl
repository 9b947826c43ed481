// The sky map: light from all directions on one square, an octahedron unfolded. Its mips are ever
// blurrier, as rough surfaces mirror the sky; the last one is the light that falls on a surface
// with a normal. Around the octahedron is a border as wide as half a texel of the last mip, so that
// one place serves all mips and blends across no seam.

const float sky_map_border = 1.0 / 16.0;
const float sky_map_roughest = 4.0; // the mip for roughness 1; 0 is for roughness 0
const float sky_map_diffuse = 5.0;  // the mip of diffuse light

vec2 sky_map_signs(vec2 v) {
    return vec2(v.x < 0.0 ? -1.0 : 1.0, v.y < 0.0 ? -1.0 : 1.0);
}

// Returns the place of a direction, which need not be of unit length, in the map.
vec2 sky_map_uv(vec3 direction) {
    vec2 p = direction.xy / (abs(direction.x) + abs(direction.y) + abs(direction.z));
    vec2 below = (1.0 - abs(p.yx)) * sky_map_signs(p);
    return 0.5 + (direction.z < 0.0 ? below : p) * (0.5 - sky_map_border);
}

// Returns the direction of a place in the map, in its border too.
vec3 sky_map_direction(vec2 uv) {
    vec2 p = (uv - 0.5) / (0.5 - sky_map_border);
    if (abs(p.x) > 1.0)
        p = vec2(sky_map_signs(p).x * 2.0 - p.x, -p.y);
    if (abs(p.y) > 1.0)
        p = vec2(-p.x, sky_map_signs(p).y * 2.0 - p.y);
    vec3 d = vec3(p, 1.0 - abs(p.x) - abs(p.y));
    if (d.z < 0.0)
        d.xy = (1.0 - abs(d.yx)) * sky_map_signs(d.xy);
    return normalize(d);
}
