// The sky's colours by direction, with a glow around the sun.
layer = "skydome"
cull = "none"
depth_write = false
includes = ["core/shaders/include/frame.glsl"]

parameters = {
    zenith = { type = "color"  default = [0.10 0.40 0.86 1]  doc = "Straight up." }
    horizon = { type = "color"  default = [1 0.91 0.79 1]  doc = "Where it meets the land." }
    ground = { type = "color"  default = [0.50 0.47 0.38 1]  doc = "Below; the land hides it, but it shines, too." }
    glow = { type = "color"  default = [1 0.80 0.52 1]  doc = "Around the sun." }
    intensity = { type = "scalar"  default = 1  doc = "Of all of it." }
}

vertex = """
layout(location = 0) in vec3 position;

layout(location = 0) out vec3 out_direction;

void main() {
    out_direction = to_world_tangent(vec4(position, 1.0)).xyz;
    previous_position = view.previous_camera_position.xyz + out_direction;
    // At the far plane, and around the camera, wherever that is.
    vec4 place = view.view_projection * vec4(view.camera_position.xyz + out_direction, 1.0);
    gl_Position = place.xyww;
}
"""

fragment = """
layout(location = 0) in vec3 in_direction;
layout(location = 0) out vec4 out_color;

void main() {
    vec3 direction = normalize(in_direction);
    float up = max(direction.z, 0.0);
    vec3 color = mix(material.horizon.rgb, material.zenith.rgb, 1.0 - pow(1.0 - up, 5.0));
    color = mix(color, material.ground.rgb, smoothstep(0.0, 0.1, -direction.z));
    float to_sun = max(dot(direction, -lights.directional[0].direction.xyz), 0.0);
    float is_day = float(min(lights.num_directional, 1u));
    color += material.glow.rgb * (is_day * (0.25 * pow(to_sun, 6.0) + 0.6 * pow(to_sun, 60.0)));
    out_color = vec4(color * material.intensity, 1.0);
}
"""
