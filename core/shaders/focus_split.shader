// The first step of depth of field: half the size; alpha holds how far out of focus a pixel is, in
// pixels of this size. What is sharp does not colour what is not.
vertices = "fullscreen"
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
layout(set = 2, binding = 0) uniform sampler2D hdr;
layout(set = 2, binding = 1) uniform sampler2D depth;

layout(location = 0) in vec2 in_uv;
layout(location = 0) out vec4 out_color;

void main() {
    ivec2 size = textureSize(hdr, 0);
    ivec4 area = view_area(size);
    float height = 0.5 * float(area.w - area.y);
    ivec2 first = ivec2(floor(in_uv * vec2(size) + 0.01)) - 1;
    vec3 sum = vec3(0.0);
    float total = 0.0, nearest = 1e6;
    for (int i = 0; i < 4; ++i) {
        ivec2 at = clamp(first + ivec2(i & 1, i >> 1), area.xy, area.zw - 1);
        float distance = linear_depth(texelFetch(depth, at, 0).x);
        float radius = defocus(distance, material.distance, material.aperture) * height;
        float weight = clamp(abs(radius), 0.001, 1.0);
        sum += weight * sane(texelFetch(hdr, at, 0).rgb);
        total += weight;
        nearest = min(nearest, radius);
    }
    out_color = vec4(sum / total, clamp(nearest, -1000.0, 1000.0));
}
"""
