// Textures of category "normal" store only x and y; z follows from the unit length.

// Returns the normal for the x and y that were read from a normal map.
vec3 unpack_normal(vec2 map) {
    vec2 xy = map * 2.0 - 1.0;
    return vec3(xy, sqrt(max(1.0 - dot(xy, xy), 0.0)));
}
