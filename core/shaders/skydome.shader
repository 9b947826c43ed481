// The sky: a gradient between three colours, or an equirectangular picture, with a disc where the
// first directional light comes from. Only the direction of a vertex counts, so any mesh around its
// origin will do; it follows the camera, and its rotation turns the sky.
layer = "skydome"
cull = "none"
depth_write = false
includes = ["core/shaders/include/frame.glsl" "core/shaders/include/fog.glsl"]

options = ["sky_map"]

parameters = {
    zenith = { type = "color"  default = [0.24 0.44 0.75 1]  doc = "Colour above." }
    horizon = { type = "color"  default = [0.72 0.8 0.86 1]  doc = "Colour at the horizon." }
    ground = { type = "color"  default = [0.36 0.34 0.32 1]  doc = "Colour below." }
    sharpness = { type = "scalar"  default = 2  doc = "How fast the horizon's colour fades: 1 or more." }
    intensity = { type = "scalar"  default = 1  doc = "Multiplies the colour of the sky." }
    sun_size = { type = "scalar"  default = 0.03  doc = "Radius of the sun's disc in radians; 0: none." }
    sun_intensity = { type = "scalar"  default = 3  doc = "Multiplies the light's colour." }
}

textures = {
    sky_map = { default = "core/textures/white"
                doc = "The whole sky: left to right is one turn from -Y, top to bottom." }
}

vertex = """
layout(location = 0) in vec3 position;

layout(location = 0) out vec3 out_direction;

void main() {
    out_direction = to_world_tangent(vec4(position, 1.0)).xyz;
    // At the far plane, so that everything else is in front of it.
    vec4 place = view.view_projection * vec4(view.camera_position.xyz + out_direction, 1.0);
    gl_Position = place.xyww;
    // As far away as ever: only turns of the camera move it.
    previous_position = view.previous_camera_position.xyz + out_direction;
}
"""

fragment = """
layout(location = 0) in vec3 in_direction;
layout(location = 0) out vec4 out_color;

const float turn = 6.2831853;

vec3 sky(vec3 d) {
#ifdef OPTION_SKY_MAP
    vec2 uv = vec2(atan(d.x, d.y) / turn + 0.5, acos(clamp(d.z, -1.0, 1.0)) / turn * 2.0);
    // Without mips: at the seam, neighbouring pixels read opposite edges of the picture.
    return textureLod(sky_map, uv, 0.0).rgb;
#else
    float height = pow(max(1.0 - abs(d.z), 0.0), material.sharpness);
    return mix(d.z > 0.0 ? material.zenith.rgb : material.ground.rgb, material.horizon.rgb, height);
#endif
}

void main() {
    vec3 d = normalize(in_direction);
    vec3 color = sky(d) * material.intensity;
    float to_sun = dot(d, -lights.directional[0].direction.xyz);
    float edge = cos(material.sun_size);
    // An unused directional light has no direction, and so no disc.
    if (material.sun_size > 0.0 && to_sun > edge)
        color = min(lights.directional[0].color.rgb * material.sun_intensity, vec3(60000.0));
    // In fog the sky is as far away as the far plane. None of its light is ambient.
    vec4 fog = fog_before(d * view.lens.y);
    out_color = vec4(color * fog.a + fog.rgb, 0.0);
}
"""
