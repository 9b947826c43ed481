// Patterns that spread a few samples evenly: over neighbouring pixels, and over frames.

// The 4 x 4 Bayer matrix, repeated over all pixels: 1/32, 3/32 … 31/32. Pixels that are near each
// other have values that are far from each other.
float bayer4(ivec2 pixel) {
    int a = pixel.x ^ pixel.y;
    int value = ((a & 1) << 3) | ((pixel.y & 1) << 2) | (a & 2) | ((pixel.y >> 1) & 1);
    return (float(value) + 0.5) / 16.0;
}

// The first eight terms of the Halton sequence of base 3, over and over: 1/3, 2/3, 1/9, 4/9, 7/9,
// 2/9, 5/9, 8/9. `number` is that of a frame, from 0.
float halton3_of_8(float number) {
    float i = mod(number, 8.0) + 1.0;
    return mod(i, 3.0) / 3.0 + floor(i / 3.0) / 9.0;
}
