// Bloom: a picture at half the size. What is no light does not spread, so one bad pixel stays one.
vertices = "fullscreen"
depth_test = false
depth_write = false
includes = ["core/shaders/include/frame.glsl" "core/shaders/include/fullscreen.glsl"
            "core/shaders/include/picture.glsl"]

vertex = """
layout(location = 0) out vec2 out_uv;

void main() {
    gl_Position = fullscreen_corner(out_uv);
}
"""

fragment = """
layout(set = 2, binding = 0) uniform sampler2D larger;

layout(location = 0) in vec2 in_uv;
layout(location = 0) out vec4 out_color;

// A pixel beyond the edge of the view is that on the other side of the edge.
ivec2 mirrored(ivec2 at, ivec4 area) {
    at = max(at, 2 * area.xy - 1 - at);
    at = min(at, 2 * area.zw - 1 - at);
    return clamp(at, area.xy, area.zw - 1);
}

// A tent as wide as two pixels of the target, which are not always two of the picture: where sizes
// are odd, too, every pixel of the picture counts as much as every other.
void main() {
    ivec2 size = textureSize(larger, 0);
    ivec4 area = view_area(size);
    vec2 center = in_uv * vec2(size);
    vec2 reach = clamp(abs(vec2(dFdx(in_uv.x), dFdy(in_uv.y))) * vec2(size), 1.0, 4.0);
    ivec2 first = ivec2(ceil(center - reach - 0.5));
    ivec2 last = ivec2(floor(center + reach - 0.5));
    vec3 sum = vec3(0.0);
    float total = 0.0;
    for (int y = first.y; y <= last.y; ++y)
        for (int x = first.x; x <= last.x; ++x) {
            vec2 weights = max(reach - abs(vec2(x, y) + 0.5 - center), 0.0);
            float weight = weights.x * weights.y;
            sum += weight * sane(texelFetch(larger, mirrored(ivec2(x, y), area), 0).rgb);
            total += weight;
        }
    out_color = vec4(sum / max(total, 1e-6), 1.0);
}
"""
