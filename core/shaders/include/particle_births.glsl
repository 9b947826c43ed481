// Particles on the GPU: where and how particles are born, as src/particles/particle_shape.c and
// particle_emitter.c have it. Needs particle_steps.glsl.

const float tau = 6.2831853;

struct particle_origin {
    vec3 position, direction;
};

float draw_of_shape(uint seed, uint number) {
    return particle_random(seed, random_shape + number);
}

bool is_surface() {
    return (simulation.emitter.shape.flags & shape_surface) != 0;
}

vec3 direction_on_sphere(uint seed, float arc) {
    float z = 1.0 - 2.0 * draw_of_shape(seed, 0), angle = arc * draw_of_shape(seed, 1);
    float across = sqrt(max(0.0, 1.0 - z * z));
    return vec3(across * cos(angle), across * sin(angle), z);
}

float cube_root(float x) {
    return x > 0.0 ? pow(x, 1.0 / 3.0) : 0.0;
}

particle_origin in_sphere(uint seed) {
    vec3 direction = direction_on_sphere(seed, simulation.emitter.shape.arc);
    float inner = simulation.emitter.shape.inner;
    float share = is_surface() ? 1.0 : cube_root(mix(inner * inner * inner, 1.0, draw_of_shape(seed, 2)));
    return particle_origin(direction * (simulation.emitter.shape.radius * share), direction);
}

// How far up a cone a particle is born, and the cone's radius there.
float height_in_cone(float random, out float radius) {
    float slope = tan(min(simulation.emitter.shape.angle, 1.5));
    float base = simulation.emitter.shape.radius, arm = simulation.emitter.shape.arm;
    radius = base;
    if (arm <= 0.0)
        return 0.0;
    float top = base + arm * slope;
    if (slope < 1e-3 * (1.0 + base / arm)) { // nearly a cylinder
        radius = mix(base, top, random);
        return arm * random;
    }
    radius = is_surface() ? sqrt(mix(base * base, top * top, random))
                          : cube_root(mix(base * base * base, top * top * top, random));
    return (radius - base) / slope;
}

particle_origin in_cone(uint seed) {
    float inner = simulation.emitter.shape.inner;
    float around = simulation.emitter.shape.arc * draw_of_shape(seed, 0);
    float share = is_surface() ? 1.0 : sqrt(mix(inner * inner, 1.0, draw_of_shape(seed, 1)));
    float radius;
    float height = height_in_cone(draw_of_shape(seed, 2), radius);
    float rise = 1.0 - share * share * (1.0 - cos(simulation.emitter.shape.angle));
    float lean = sqrt(max(0.0, 1.0 - rise * rise));
    float x = cos(around), y = sin(around);
    return particle_origin(vec3(share * radius * x, share * radius * y, height),
                           vec3(lean * x, lean * y, rise));
}

// The axis across a random face of a box; 3 when it has no area. `random` is then 0 to 1 within it.
uint face_of_box(vec3 size, inout float random) {
    vec3 areas = vec3(size.y * size.z, size.z * size.x, size.x * size.y);
    float all = areas.x + areas.y + areas.z, left = random * all;
    if (!(all > 0.0))
        return 3;
    for (uint i = 0; i < 3; ++i) {
        if (left < areas[i]) {
            random = left / areas[i];
            return i;
        }
        left -= areas[i];
    }
    return areas.z > 0.0 ? 2 : areas.y > 0.0 ? 1 : 0; // rounded
}

particle_origin in_box(uint seed) {
    particle_origin o = particle_origin(vec3(0.0), vec3(0.0, 0.0, 1.0));
    vec3 size = three(simulation.emitter.shape.size);
    for (uint i = 0; i < 3; ++i)
        o.position[i] = size[i] * (2.0 * draw_of_shape(seed, i) - 1.0);
    if (!is_surface())
        return o;
    float random = draw_of_shape(seed, 3);
    uint axis = face_of_box(size, random);
    if (axis == 3)
        return o;
    float side = random < 0.5 ? -1.0 : 1.0;
    o.position[axis] = side * size[axis];
    o.direction = vec3(0.0);
    o.direction[axis] = side;
    return o;
}

particle_origin on_mesh(uint seed) {
    particle_origin o = particle_origin(vec3(0.0), vec3(0.0, 0.0, 1.0));
    uint count = simulation.emitter.points.count;
    if (count == 0)
        return o;
    uint first = particle_random_below(seed, random_shape, count) * 6;
    for (uint i = 0; i < 3; ++i) {
        o.position[i] = simulation.points.at[first + i];
        o.direction[i] = simulation.points.at[first + 3 + i];
    }
    return o;
}

particle_origin origin_of(uint seed) {
    particle_origin o = particle_origin(vec3(0.0), vec3(0.0));
    switch (simulation.emitter.shape.type) {
    case shape_box: o = in_box(seed); break;
    case shape_sphere: o = in_sphere(seed); break;
    case shape_cone: o = in_cone(seed); break;
    case shape_mesh: o = on_mesh(seed); break;
    default: o.direction = direction_on_sphere(seed, tau); break;
    }
    vec4 q = four(simulation.emitter.shape.rotation);
    q *= inversesqrt(max(dot(q, q), 1e-20));
    o.position = rotate_by(q, o.position) + three(simulation.emitter.shape.offset);
    o.direction = rotate_by(q, o.direction);
    return o;
}

// Places a particle that was born when `share` of the step of time had passed.
void place_birth(uint seed, float share, float speed, vec3 velocity) {
    particle_origin o = origin_of(seed);
    vec3 position = o.position, inherited = three(now.velocity) * simulation.emitter.inherit_velocity;
    velocity += o.direction * speed;
    velocity = direction_to_world(velocity) + inherited;
    if (is_local()) {
        velocity = rotate_by(conjugate(rotation_of()), velocity);
        vec3 scale = three(now.scale);
        for (uint i = 0; i < 3; ++i)
            if (scale[i] != 0.0)
                velocity[i] /= scale[i];
    } else {
        position = mix(three(now.before), three(now.position), share) + direction_to_world(position);
    }
    set_vector(channel_of(semantic_position), position);
    if (has(semantic_velocity))
        set_vector(channel_of(semantic_velocity), velocity);
}

// Begins birth `number` of the emitter, which happened `since` seconds before the step's end.
void bear(uint number, float since) {
    uint seed = particle_seed(now.seed, simulation.index, number);
    uint births[3] = uint[](simulation.emitter.lifetime, simulation.emitter.speed,
                            simulation.emitter.velocity);
    uint uses[3] = uint[](random_lifetime, random_speed, random_velocity);
    for (uint i = 0; i < 3; ++i)
        values[i] = particle_value_at(simulation.values.at[births[i]], now.clock, seed, uses[i]);
    set_age(0.0);
    set_number(channel_of(semantic_ageing), 1.0 / max(values[0].x, 1e-6));
    set_word(channel_of(semantic_seed), seed);
    if (has(semantic_order))
        set_word(channel_of(semantic_order), number);
    place_birth(seed, now.dt > 0.0 ? 1.0 - min(since / now.dt, 1.0) : 1.0, values[1].x,
                values[2].xyz);
}
