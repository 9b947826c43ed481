// Curves from light of any brightness to the range of a screen, 0 to 1.

// A filmic curve (Narkowicz 2015, "ACES Filmic Tone Mapping Curve"). The exposure's factor 0.8 keeps
// it from brightening middle grey.
vec3 filmic_curve(vec3 x) {
    x = clamp(x, vec3(0.0), vec3(60000.0)); // infinite light is white
    return clamp((x * (2.51 * x + 0.03)) / (x * (2.43 * x + 0.59) + 0.14), 0.0, 1.0);
}

// Keeps colours as they are up to 0.8 less the light that a surface reflects as a mirror, and rolls
// off above: the brightest channel comes near 1, and colours pale toward white. By Khronos 2024,
// "PBR Neutral Tone Mapper".
vec3 neutral_curve(vec3 x) {
    const float mirrored = 0.04; // reflectance of most surfaces
    const float start = 0.8 - mirrored;
    const float room = 1.0 - start;
    x = clamp(x, vec3(0.0), vec3(60000.0));
    float lowest = min(x.r, min(x.g, x.b));
    x -= lowest < 2.0 * mirrored ? lowest - lowest * lowest / (4.0 * mirrored) : mirrored;
    float peak = max(x.r, max(x.g, x.b));
    if (peak < start)
        return x;
    float shown = 1.0 - room * room / (peak - start + room);
    float colorful = 1.0 / (0.15 * (peak - shown) + 1.0);
    return mix(vec3(shown), x * (shown / peak), colorful);
}
