// Colours as temporal anti-aliasing compares and adds them: luma and two differences (YCoCg), bright
// ones compressed so that one bright pixel does not outshine all others (Karis 2014).

bool is_number(vec3 color) {
    return !any(isnan(color)) && !any(isinf(color));
}

// Linear light to compressed YCoCg; the luma is below 1.
vec3 compress(vec3 color) {
    color = clamp(color, 0.0, 60000.0);
    float luma = dot(color, vec3(0.25, 0.5, 0.25));
    return vec3(luma, dot(color, vec3(0.5, 0.0, -0.5)), dot(color, vec3(-0.25, 0.5, -0.25))) /
           (1.0 + luma);
}

// The opposite of compress.
vec3 expand(vec3 c) {
    float rest = c.x - c.z;
    vec3 color = vec3(rest + c.y, c.x + c.z, rest - c.y);
    return clamp(color / max(1.0 - c.x, 1e-5), 0.0, 60000.0);
}

// Moves a colour towards the middle of a box until it lies inside.
vec3 clip_to(vec3 c, vec3 least, vec3 most) {
    vec3 middle = (least + most) * 0.5;
    vec3 away = c - middle;
    vec3 over = abs(away) / max((most - least) * 0.5, 1e-5);
    return middle + away / max(max(over.x, max(over.y, over.z)), 1.0);
}
