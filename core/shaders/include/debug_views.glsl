// What surfaces show in debug views. The constant `surface_view` is the position of the choice of
// the setting `view` (core/rendering/renderer.render_config); 0 is off. Needs frame.glsl.

const int view_normals = 3;
const int view_roughness = 4;
const int view_cascades = 6;

// Returns the colour of the cascade of the shadow map that a point is in: red, green, blue, yellow
// from the camera on; grey without shadows.
vec3 cascade_color(vec3 position) {
    const vec3 colors[4] = vec3[4](vec3(0.9, 0.3, 0.3), vec3(0.3, 0.8, 0.3), vec3(0.35, 0.45, 1.0),
                                   vec3(0.9, 0.8, 0.2));
    float depth = dot(position - view.camera_position.xyz, view.camera_pose[1].xyz);
    for (uint i = 0; i < 4 && has_shadows; ++i)
        if (depth < lights.cascades[i].range.y)
            return colors[i];
    return vec3(0.5);
}

// Returns what a surface shows in the current debug view, as the screen shows it; in views that are
// not of surfaces its own colour. The normal is in world space and of unit length.
vec4 debug_view(vec4 color, vec3 position, vec3 normal, float roughness) {
    if (surface_view == view_normals)
        return vec4(normal * 0.5 + 0.5, 1.0);
    if (surface_view == view_roughness)
        return vec4(vec3(roughness), 1.0);
    if (surface_view == view_cascades)
        return vec4(cascade_color(position) * (0.75 + 0.25 * normal.z), 1.0);
    return color;
}
