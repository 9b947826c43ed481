// The camera's lens: distances from depths. Needs frame.glsl.

// The distance in metres along the camera's forward of a depth from 0 (near) to 1 (far).
float lens_distance(float depth) {
    float near = view.lens.x, far = view.lens.y;
    if (view.lens.w > 0.5)
        return mix(near, far, depth);
    return near * far / (far - depth * (far - near));
}
