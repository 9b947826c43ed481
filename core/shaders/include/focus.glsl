// How far out of focus a distance is, for a thin lens and a picture 24 mm high (full frame film).
// Needs frame.glsl.

const float film_height = 0.024; // metres

// The radius of the disc, in parts of the picture's height, that a point at this distance becomes:
// negative nearer than the focus, positive farther. `focus` is its distance in metres, `aperture`
// the f-number.
float defocus(float distance, float focus, float aperture) {
    if (view.lens.w > 0.5)
        return 0.0; // an orthographic camera has no lens
    float focal_length = 0.5 * film_height / view.lens.z;
    focus = max(focus, 2.0 * focal_length);
    float lens_radius = 0.5 * focal_length / max(aperture, 0.01);
    float on_film = lens_radius * focal_length / (focus - focal_length);
    return on_film / film_height * (distance - focus) / max(distance, 1e-3);
}
