layer = "opaque"
cull = "none"  blend = "alpha"  depth_write = false
options = ["striped"]
parameters = {
    base_color = { type = "color"  default = [1 1 1 1]  doc = "Colour." }
    stripes = { type = "scalar"  default = 4 }
}
textures = { base_color_map = { default = "a" } }
vertex = """
layout(location = 0) in vec3 position;
layout(location = 3) in vec2 uv;
layout(location = 0) out vec2 out_uv;
void main() { out_uv = uv; gl_Position = vec4(position, 1.0); }
"""
fragment = """
layout(location = 0) in vec2 in_uv;
layout(location = 0) out vec4 out_color;
void main() {
    out_color = material.base_color * texture(base_color_map, in_uv);
#ifdef OPTION_STRIPED
    out_color.rgb *= step(0.5, fract(in_uv.x * material.stripes));
#endif
}
"""
