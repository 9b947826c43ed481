// Motion blur: gathers along the motion around a pixel. What moves is spread over what is behind it;
// what is still in front stays sharp.
vertices = "fullscreen"
depth_test = false
depth_write = false
includes = ["core/shaders/include/frame.glsl" "core/shaders/include/fullscreen.glsl"
            "core/shaders/include/picture.glsl" "core/shaders/include/reproject.glsl"]

parameters = {
    shutter = { type = "scalar"  default = 180
                doc = "Degrees of a turn of the shutter, one turn a frame, in which it is open." }
}

vertex = """
layout(location = 0) out vec2 out_uv;

void main() {
    gl_Position = fullscreen_corner(out_uv);
}
"""

fragment = """
layout(set = 2, binding = 0) uniform sampler2D picture;
layout(set = 2, binding = 1) uniform sampler2D velocity;
layout(set = 2, binding = 2) uniform sampler2D depth;
layout(set = 2, binding = 3) uniform sampler2D motion; // of the tiles around

layout(location = 0) in vec2 in_uv;
layout(location = 0) out vec4 out_color;

const int num_taps = 12;

// The length in pixels of half a pixel's path, between half a pixel and a tile.
float path_of(ivec2 at, vec2 pixels) {
    return clamp(length(texelFetch(velocity, at, 0).xy * pixels), 0.5, 32.0);
}

// 1 where the first distance is in front of the second, 0 where it is clearly behind.
float in_front(float a, float b) {
    return clamp(1.0 - (a - b) / max(0.05 * min(a, b), 0.01), 0.0, 1.0);
}

void main() {
    ivec2 size = textureSize(picture, 0);
    ivec4 area = view_area(size);
    ivec2 pixel = clamp(ivec2(in_uv * vec2(size)), area.xy, area.zw - 1);
    vec4 center = texelFetch(picture, pixel, 0);
    ivec2 num_tiles = textureSize(motion, 0);
    vec2 path = texelFetch(motion, min(ivec2(in_uv * vec2(num_tiles)), num_tiles - 1), 0).xy;
    out_color = center;
    if (dot(path, path) < 0.25)
        return;
    vec2 pixels = vec2(area.zw - area.xy) * (material.shutter / 720.0);
    float center_path = path_of(pixel, pixels);
    float center_distance = linear_depth(texelFetch(depth, pixel, 0).x);
    float total = 1.0 / center_path;
    vec3 sum = sane(center.rgb) * total;
    // Where between two taps this pixel begins (Jimenez 2014, interleaved gradient noise).
    vec2 grain = vec2(pixel);
    float start = fract(52.9829189 * fract(dot(grain, vec2(0.06711056, 0.00583715)))) - 0.5;
    for (int i = 0; i < num_taps; ++i) {
        float t = 2.0 * (float(i) + 0.5 + 0.9 * start) / float(num_taps) - 1.0;
        ivec2 at = clamp(pixel + ivec2(round(path * t)), area.xy, area.zw - 1);
        float away = length(path * t);
        float distance = linear_depth(texelFetch(depth, at, 0).x);
        float tap_path = path_of(at, pixels);
        // A tap that moves over this pixel; this pixel moves and shows the tap; both are blurred.
        float weight = in_front(distance, center_distance) * clamp(1.0 - away / tap_path, 0.0, 1.0) +
                       in_front(center_distance, distance) *
                           clamp(1.0 - away / center_path, 0.0, 1.0) +
                       2.0 * (1.0 - smoothstep(0.95 * tap_path, 1.05 * tap_path, away)) *
                           (1.0 - smoothstep(0.95 * center_path, 1.05 * center_path, away));
        sum += weight * sane(texelFetch(picture, at, 0).rgb);
        total += weight;
    }
    out_color = vec4(sum / total, center.a);
}
"""
