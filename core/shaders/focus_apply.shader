// Depth of field: puts what is out of focus over the picture. Sharp pixels with nothing blurred
// before them stay exactly as they are.
vertices = "fullscreen"
blend = "premultiplied"
depth_test = false
depth_write = false
includes = ["core/shaders/include/frame.glsl" "core/shaders/include/fullscreen.glsl"
            "core/shaders/include/picture.glsl" "core/shaders/include/reproject.glsl"
            "core/shaders/include/focus.glsl"]

parameters = {
    distance = { type = "scalar"  default = 10  doc = "Of what is sharp, in metres." }
    aperture = { type = "scalar"  default = 2.8  doc = "The f-number." }
}

vertex = """
layout(location = 0) out vec2 out_uv;

void main() {
    gl_Position = fullscreen_corner(out_uv);
}
"""

fragment = """
layout(set = 2, binding = 0) uniform sampler2D far_picture;
layout(set = 2, binding = 1) uniform sampler2D near_picture;
layout(set = 2, binding = 2) uniform sampler2D depth;

layout(location = 0) in vec2 in_uv;
layout(location = 0) out vec4 out_color;

void main() {
    ivec2 size = textureSize(depth, 0);
    ivec4 area = view_area(size);
    ivec2 pixel = clamp(ivec2(in_uv * vec2(size)), area.xy, area.zw - 1);
    float distance = linear_depth(texelFetch(depth, pixel, 0).x);
    float radius = defocus(distance, material.distance, material.aperture) *
                   float(area.w - area.y);
    vec2 uv = inside_view(in_uv, 1.0 / vec2(textureSize(far_picture, 0)));
    vec4 near = texture(near_picture, uv);
    float blur = smoothstep(0.5, 2.0, abs(radius));
    vec3 far = texture(far_picture, uv).rgb;
    // A near pixel is blurred by what is near; only what is far takes the far picture.
    float far_share = (1.0 - near.a) * (radius > 0.0 ? blur : 0.0);
    out_color = vec4(near.rgb + far * far_share, near.a + far_share);
}
"""
