// Motion blur (McGuire, Hennessy, Bukowski, Osman 2012, "A Reconstruction Filter for Plausible
// Motion Blur"): the largest motion of a tile, and of the tiles around, says how far to look.

// Of two motions, the longer.
vec2 longer(vec2 a, vec2 b) {
    return dot(b, b) > dot(a, a) ? b : a;
}
