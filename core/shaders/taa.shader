// Temporal anti-aliasing: the camera is moved by less than a pixel each frame, and this pass adds the
// picture to those of the last frames. What they hold is kept within the colours around the pixel
// (Karis 2014, "High Quality Temporal Supersampling").
vertices = "fullscreen"
depth_test = false
depth_write = false
includes = ["core/shaders/include/frame.glsl" "core/shaders/include/fullscreen.glsl"
            "core/shaders/include/reproject.glsl" "core/shaders/include/taa.glsl"]

vertex = """
layout(location = 0) out vec2 out_uv;

void main() {
    gl_Position = fullscreen_corner(out_uv);
}
"""

fragment = """
layout(set = 2, binding = 0) uniform sampler2D picture;
layout(set = 2, binding = 1) uniform sampler2D last; // alpha: the weight that its own last had
layout(set = 2, binding = 2) uniform sampler2D depths;
layout(set = 2, binding = 3) uniform sampler2D velocities;

layout(location = 0) in vec2 in_uv;
layout(location = 0) out vec4 out_color;

// Weight of the last frames where the picture is still, and where it moves by pixels.
const float still_weight = 0.93;
const float moving_weight = 0.88;

// The last frames at a place between pixels, sharper than the device's filter: a Catmull-Rom curve by
// five smoothed reads, without the corners.
vec4 read_last(vec2 uv) {
    vec2 size = vec2(textureSize(last, 0));
    vec2 place = uv * size;
    vec2 middle = floor(place - 0.5) + 0.5;
    vec2 t = place - middle;
    vec2 w0 = t * (-0.5 + t * (1.0 - 0.5 * t));
    vec2 w1 = 1.0 + t * t * (1.5 * t - 2.5);
    vec2 w3 = t * t * (0.5 * t - 0.5);
    vec2 w12 = 1.0 - w0 - w3;
    vec2 uv0 = (middle - 1.0) / size;
    vec2 uv3 = (middle + 2.0) / size;
    vec2 uv12 = (middle + 1.0 - w1 / w12) / size;
    vec4 sum = texture(last, uv12) * (w12.x * w12.y);
    sum += texture(last, vec2(uv0.x, uv12.y)) * (w0.x * w12.y);
    sum += texture(last, vec2(uv3.x, uv12.y)) * (w3.x * w12.y);
    sum += texture(last, vec2(uv12.x, uv0.y)) * (w12.x * w0.y);
    sum += texture(last, vec2(uv12.x, uv3.y)) * (w12.x * w3.y);
    float total = w12.x * w12.y + (w0.x + w3.x) * w12.y + w12.x * (w0.y + w3.y);
    return max(sum / total, 0.0);
}

void main() {
    ivec2 at = ivec2(gl_FragCoord.xy);
    ivec4 area = view_pixels(textureSize(picture, 0));
    // Of the pixels around, the nearest decides the velocity: edges go with what is in front.
    float nearest = 2.0;
    ivec2 nearest_at = at;
    vec3 now = vec3(0.0), least = vec3(1e9), most = vec3(-1e9), sum = vec3(0.0), sum2 = vec3(0.0);
    float count = 0.0;
    for (int i = 0; i < 9; ++i) {
        ivec2 other = clamp(at + ivec2(i % 3, i / 3) - 1, area.xy, area.zw);
        float depth = texelFetch(depths, other, 0).r;
        if (depth < nearest) {
            nearest = depth;
            nearest_at = other;
        }
        vec3 color = texelFetch(picture, other, 0).rgb;
        if (is_number(color)) {
            vec3 c = compress(color);
            least = min(least, c);
            most = max(most, c);
            sum += c;
            sum2 += c * c;
            count += 1.0;
            now = i == 4 ? c : now;
        }
    }
    if (count == 0.0) {
        out_color = vec4(0.0);
        return;
    }
    bool is_guess = !is_number(texelFetch(picture, at, 0).rgb);
    if (is_guess)
        now = sum / count;

    vec2 pixels = vec2(textureSize(velocities, 0));
    vec2 view_uv = target_to_view_uv(in_uv);
    vec2 velocity = velocity_at(view_uv, texelFetch(velocities, nearest_at, 0).rg, nearest >= 1.0);
    vec2 before_uv = view_uv - velocity;
    vec4 before = read_last(view_to_target_uv(before_uv));
    float speed = clamp(length(velocity * view.rectangle.zw * pixels), 0.0, 1.0);
    float weight = 0.0;
    if (view.history.x > 0.0 && is_in_view(before_uv) && is_number(before.rgb) &&
        is_number(before.aaa)) {
        // The first frames count alike: a half, two thirds, three quarters of what came before.
        weight = min(mix(still_weight, moving_weight, speed), 1.0 / (2.0 - min(before.a, 1.0)));
        // All colours around where it is still; without the rarest where it moves.
        vec3 mean = sum / count;
        vec3 deviation = sqrt(max(sum2 / count - mean * mean, 0.0)) * mix(4.0, 1.25, speed);
        now = mix(now, clip_to(compress(before.rgb), max(least, mean - deviation),
                               min(most, mean + deviation)), weight);
    }
    out_color = vec4(expand(now), is_guess ? 0.0 : weight); // a guess shall not last
}
"""
