// Textures of all compressed formats side by side; the last one blended over what is behind.
layer = "transparent"
blend = "premultiplied"
depth_write = false
cull = "none"
includes = ["core/shaders/include/frame.glsl" "core/shaders/include/normal_map.glsl"]
textures = {
    bc1 = { default = "textures/checker_bc1" }
    bc3 = { default = "textures/leaf_bc3" }
    bc4 = { default = "textures/glow_bc4" }
    bc5 = { default = "textures/bumps_bc5" }
    premultiplied = { default = "textures/leaf_premultiplied" }
}

vertex = """
layout(location = 3) in vec2 uv;
layout(location = 0) out vec2 out_uv;

// Over the whole picture, wherever the mesh is.
void main() {
    out_uv = uv;
    gl_Position = vec4(uv * 2.0 - 1.0, 0.25, 1.0);
}
"""

fragment = """
layout(location = 0) in vec2 in_uv;
layout(location = 0) out vec4 out_color;

void main() {
    vec2 uv = vec2(in_uv.x * 5.0, in_uv.y * 4.0);
    vec4 colors[5] = vec4[](texture(bc1, uv), texture(bc3, uv), texture(bc4, uv),
                            vec4(unpack_normal(texture(bc5, uv).xy) * 0.5 + 0.5, 1.0),
                            texture(premultiplied, uv));
    uint column = min(uint(in_uv.x * 5.0), 4u);
    out_color = colors[column];
    if (column == 1) // its alpha
        out_color = in_uv.y < 0.5 ? vec4(out_color.rgb, 1.0) : vec4(out_color.aaa, 1.0);
}
"""
