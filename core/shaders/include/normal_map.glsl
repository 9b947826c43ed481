// Textures of category "normal" hold x and y alone; z is what is left to unit length.

// The normal that a normal map says, from the x and y that were read from it.
vec3 unpack_normal(vec2 map) {
    vec2 xy = map * 2.0 - 1.0;
    return vec3(xy, sqrt(max(1.0 - dot(xy, xy), 0.0)));
}
