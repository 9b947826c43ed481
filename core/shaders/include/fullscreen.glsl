// For fullscreen passes: one triangle that covers the viewport, and set 2, the pass's inputs.

#ifdef VERTEX_STAGE

// Returns the vertex in clip space; `uv` is its position in the inputs (which are as large
// as the targets; the viewport may be a part of them).
vec4 fullscreen_corner(out vec2 uv) {
    vec2 corner = vec2(gl_VertexIndex & 1, gl_VertexIndex >> 1) * 2.0;
    uv = view.rectangle.xy + corner * view.rectangle.zw;
    return vec4(corner * 2.0 - 1.0, 0.0, 1.0);
}

#endif
