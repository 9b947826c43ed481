// For passes over the picture of a view: `hdr` holds luminance in cd/m2, linear, as red, green and
// blue. Needs frame.glsl.

// The luminance of a colour (Rec. 709).
float luminance(vec3 color) {
    return dot(color, vec3(0.2126, 0.7152, 0.0722));
}

// A colour without what is no light: NaN and negative values become 0, infinite ones large.
vec3 sane(vec3 color) {
    return mix(vec3(0.0), min(color, vec3(60000.0)), greaterThan(color, vec3(0.0)));
}

// The pixels of a picture of `size` that belong to the view: the first (xy), and one past the last
// (zw). At least one pixel.
ivec4 view_area(ivec2 size) {
    vec2 corner = view.rectangle.xy + view.rectangle.zw;
    ivec2 first = min(ivec2(view.rectangle.xy * vec2(size) + 0.5), size - 1);
    ivec2 end = min(ivec2(corner * vec2(size) + 0.5), size);
    return ivec4(first, max(end, first + 1));
}

// The nearest place that is inside the view, so that linear filters do not read another view.
// `texel` is the size of a pixel of the picture that is read.
vec2 inside_view(vec2 uv, vec2 texel) {
    vec2 end = view.rectangle.xy + view.rectangle.zw;
    return clamp(uv, view.rectangle.xy + 0.5 * texel, end - 0.5 * texel);
}

// The pixel of a picture of `size` in which a view keeps a value from frame to frame.
ivec2 view_keeper(ivec2 size) {
    return min(ivec2((view.rectangle.xy + 0.5 * view.rectangle.zw) * vec2(size)), size - 1);
}
