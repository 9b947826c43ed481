// Gives back the sharpness that temporal anti-aliasing takes, no brighter or darker than the colours
// around.
vertices = "fullscreen"
depth_test = false
depth_write = false
includes = ["core/shaders/include/frame.glsl" "core/shaders/include/fullscreen.glsl"
            "core/shaders/include/reproject.glsl" "core/shaders/include/taa.glsl"]

parameters = {
    sharpness = { type = "scalar"  default = 0.25  doc = "0: unchanged." }
}

vertex = """
layout(location = 0) out vec2 out_uv;

void main() {
    gl_Position = fullscreen_corner(out_uv);
}
"""

fragment = """
layout(set = 2, binding = 0) uniform sampler2D picture;

layout(location = 0) in vec2 in_uv;
layout(location = 0) out vec4 out_color;

void main() {
    ivec2 at = ivec2(gl_FragCoord.xy);
    ivec4 area = view_pixels(textureSize(picture, 0));
    vec3 middle = compress(texelFetch(picture, at, 0).rgb);
    vec3 least = middle, most = middle, sum = vec3(0.0);
    for (int i = 0; i < 4; ++i) {
        ivec2 step = i < 2 ? ivec2(i * 2 - 1, 0) : ivec2(0, i * 2 - 5);
        vec3 c = compress(texelFetch(picture, clamp(at + step, area.xy, area.zw), 0).rgb);
        least = min(least, c);
        most = max(most, c);
        sum += c;
    }
    vec3 sharp = middle + (middle - sum * 0.25) * material.sharpness;
    out_color = vec4(expand(clamp(sharp, least, most)), 1.0);
}
"""
