// The six squares that a capture_sky step draws, three in a row: along x, -x, y, -y, z and -z.
layout(set = 2, binding = 0) uniform sampler2D faces;

// Returns the square that a direction meets, and where in it: 0 to 1.
int face_of(vec3 d, out vec2 place) {
    vec3 a = abs(d);
    int face;
    vec3 v; // right, up, forward
    if (a.x >= a.y && a.x >= a.z) {
        face = d.x > 0.0 ? 0 : 1;
        v = vec3(d.x > 0.0 ? -d.y : d.y, d.z, a.x);
    } else if (a.y >= a.z) {
        face = d.y > 0.0 ? 2 : 3;
        v = vec3(d.y > 0.0 ? d.x : -d.x, d.z, a.y);
    } else {
        face = d.z > 0.0 ? 4 : 5;
        v = vec3(d.x, d.z > 0.0 ? -d.y : d.y, a.z);
    }
    place = vec2(v.x, -v.y) / v.z * 0.5 + 0.5;
    return face;
}

// Returns the light from a direction, of these mips. Filters stay inside the square.
vec3 sky_from(vec3 direction, float lod) {
    vec2 place;
    int face = face_of(direction, place);
    float margin = 0.5 * exp2(ceil(lod)) / float(textureSize(faces, 0).y / 2);
    place = clamp(place, margin, 1.0 - margin);
    vec2 uv = (vec2(face % 3, face / 3) + place) / vec2(3.0, 2.0);
    return clamp(textureLod(faces, uv, lod).rgb, 0.0, 60000.0);
}

// Returns the direction of a texel's centre in a mip whose squares are this large.
vec3 face_direction(ivec2 texel, int size) {
    int face = texel.x / size + 3 * (texel.y / size);
    vec2 p = (vec2(texel % size) + 0.5) / float(size) * 2.0 - 1.0;
    p.y = -p.y; // right, up
    if (face == 0)
        return vec3(1.0, -p.x, p.y);
    if (face == 1)
        return vec3(-1.0, p.x, p.y);
    if (face == 2)
        return vec3(p.x, 1.0, p.y);
    if (face == 3)
        return vec3(-p.x, -1.0, p.y);
    return face == 4 ? vec3(p.x, -p.y, 1.0) : vec3(p.x, p.y, -1.0);
}
