#include "world/world_level_members.h"

#include <math.h>
#include <string.h>

#include "foundation/log.h"
#include "foundation/math/math.h"
#include "resource/types/mesh_resource.h"
#include "world/world_private.h"

// All members of a level. Everything but this struct is in `memory`.
struct ct_level_members {
    ct_frame_allocator *memory;
    ct_level_member_list lists[CT_LEVEL_MEMBER_COUNT];
};

// What is needed while members are made.
typedef struct maker {
    ct_allocator *memory;
    const ct_world *world;
    const ct_level_resource *level;
    const ct_level_pose *pose;
    const char *level_name;
} maker;

static ct_vec3 vec3_of(const float v[3]) {
    return ct_vec3_make(v[0], v[1], v[2]);
}

// A copy of `bytes` at `offset` of the level's blob.
static void *copy_of(const maker *m, uint32_t offset, uint64_t bytes) {
    void *const copy = ct_alloc(m->memory, bytes);
    if (bytes > 0)
        memcpy(copy, ct_blob_at(m->level, offset), bytes);
    return copy;
}

static ct_world_member member_of(const maker *m, ct_string_id32 id, ct_string_id32 name,
                                 ct_string_id32 purpose, ct_blob_string name_text,
                                 ct_blob_string purpose_text) {
    return (ct_world_member){.id = id,
                             .name = name,
                             .purpose = purpose,
                             .name_text = copy_of(m, name_text.offset, name_text.bytes + 1ull),
                             .purpose_text =
                                 copy_of(m, purpose_text.offset, purpose_text.bytes + 1ull)};
}

// --- Mesh volumes --------------------------------------------------------------------------------

// Triangles as a mesh volume has them.
typedef struct surface {
    ct_vec3 *points;
    uint32_t *corners;
    uint32_t num_points, num_triangles;
} surface;

static uint32_t num_collision_triangles(const ct_mesh_resource *mesh) {
    uint32_t count, sum = 0;
    const ct_mesh_shape *const shapes = ct_mesh_shapes(mesh, &count);
    for (uint32_t i = 0; i < count; ++i)
        sum += shapes[i].use == CT_MESH_SHAPE_USE_COLLISION ? shapes[i].num_indices / 3 : 0;
    return sum;
}

// The triangles of all collision shapes, one shape behind the other.
static surface surface_of_shapes(const maker *m, const ct_mesh_resource *mesh,
                                 uint32_t num_triangles) {
    surface s = {.points = CT_NEW_ARRAY(m->memory, ct_vec3, mesh->shape_points.count),
                 .corners = CT_NEW_ARRAY(m->memory, uint32_t, 3ull * num_triangles),
                 .num_triangles = num_triangles};
    uint32_t count, num_corners = 0;
    const ct_mesh_shape *const shapes = ct_mesh_shapes(mesh, &count);
    for (uint32_t i = 0; i < count; ++i) {
        if (shapes[i].use != CT_MESH_SHAPE_USE_COLLISION)
            continue;
        const float *const points = ct_mesh_shape_points(mesh, &shapes[i]);
        const uint32_t *const indices = ct_mesh_shape_indices(mesh, &shapes[i]);
        for (uint32_t k = 0; k < shapes[i].num_indices; ++k)
            s.corners[num_corners++] = s.num_points + indices[k];
        for (uint32_t k = 0; k < shapes[i].num_points; ++k)
            s.points[s.num_points++] = vec3_of(&points[3ull * k]);
    }
    return s;
}

// The triangles that are drawn close by.
static surface surface_of_mesh(const maker *m, const ct_mesh_resource *mesh) {
    surface s = {.points = CT_NEW_ARRAY(m->memory, ct_vec3, mesh->num_vertices),
                 .num_points = mesh->num_vertices,
                 .num_triangles = ct_mesh_num_triangles(mesh)};
    s.corners = CT_NEW_ARRAY(m->memory, uint32_t, 3ull * s.num_triangles);
    for (uint32_t i = 0; i < s.num_points; ++i)
        ct_mesh_position_at(mesh, i, s.points[i].raw);
    const uint16_t *const small = ct_blob_at(mesh, mesh->indices.offset);
    const uint32_t *const large = ct_blob_at(mesh, mesh->indices.offset);
    for (uint32_t i = 0; i < 3 * s.num_triangles; ++i)
        s.corners[i] = mesh->index_bytes == 2 ? small[i] : large[i];
    return s;
}

// The surface of a mesh volume; an empty one after an error.
static surface find_surface(const maker *m, ct_string_id64 name, const char *volume) {
    const ct_mesh_resource *const mesh =
        ct_resource_manager_get(m->world->system->resources, "mesh", name);
    if (!mesh) {
        ct_log_error("world", "level_volume_mesh",
                     "level %s: the volume \"%s\" contains nothing, because its mesh %s is not "
                     "loaded",
                     m->level_name, volume, ct_string_id64_name(name));
        return (surface){0};
    }
    const uint32_t num_shape_triangles = num_collision_triangles(mesh);
    const surface s = num_shape_triangles ? surface_of_shapes(m, mesh, num_shape_triangles)
                                          : surface_of_mesh(m, mesh);
    ct_allocator *const scratch = m->world->allocator;
    ct_volume_join_points(s.points, s.num_points, s.corners, s.num_triangles, scratch);
    if (ct_volume_is_closed(s.corners, s.num_triangles, scratch))
        return s;
    ct_log_error("world", "level_volume_open",
                 "level %s: the volume \"%s\" contains nothing, because the %s of its mesh %s are "
                 "not closed: some edge has a triangle on one side only",
                 m->level_name, volume, num_shape_triangles ? "collision shapes" : "triangles",
                 ct_string_id64_name(name));
    return (surface){0};
}

// --- Making --------------------------------------------------------------------------------------

static ct_volume shape_of(const maker *m, const ct_level_volume *v, const ct_mat4 *pose) {
    const uint32_t planes = v->planes.count, points = v->points.count;
    surface s;
    switch ((ct_level_volume_type)v->type) {
    case CT_LEVEL_VOLUME_SPHERE:
        return ct_volume_ball(pose, v->half_size[0]);
    case CT_LEVEL_VOLUME_CONVEX:
        return ct_volume_convex(
            pose, copy_of(m, v->planes.offset, sizeof(ct_vec4) * (uint64_t)planes), planes,
            copy_of(m, v->points.offset, sizeof(ct_vec3) * (uint64_t)points), points,
            copy_of(m, v->triangles.offset, sizeof(uint32_t) * (uint64_t)v->triangles.count),
            v->triangles.count / 3);
    case CT_LEVEL_VOLUME_MESH:
        s = find_surface(m, v->mesh, ct_blob_at(m->level, v->name_text.offset));
        return ct_volume_mesh(pose, s.points, s.num_points, s.corners, s.num_triangles);
    case CT_LEVEL_VOLUME_BOX:
    case CT_LEVEL_VOLUME_TYPE_COUNT:
        break;
    }
    return ct_volume_box(pose, vec3_of(v->half_size));
}

static ct_world_volume make_volume(const maker *m, const ct_level_volume *v) {
    ct_world_volume out = {
        .member = member_of(m, v->id, v->name, v->purpose, v->name_text, v->purpose_text),
        .half_size = vec3_of(v->half_size),
        .type = v->type,
        .mesh = v->mesh,
        .environment = v->environment,
        .environment_fade = v->environment_fade,
        .environment_weight = v->environment_weight,
        .environment_priority = v->environment_priority,
        .reverb = v->reverb,
        .reverb_fade = v->reverb_fade};
    ct_transform_data place;
    memcpy(place.position, v->position, sizeof(place.position));
    memcpy(place.rotation, v->rotation, sizeof(place.rotation));
    memcpy(place.scale, v->scale, sizeof(place.scale));
    ct_world_place_in_level(m->pose, 0, &place);
    out.position = vec3_of(place.position);
    out.scale = vec3_of(place.scale);
    memcpy(&out.rotation, place.rotation, sizeof(out.rotation));
    const ct_mat4 pose = ct_mat4_compose(out.position, out.rotation, out.scale);
    out.shape = shape_of(m, v, &pose);
    return out;
}

static const ct_vec3 *placed_points(const maker *m, ct_blob_array points) {
    ct_vec3 *const copy = copy_of(m, points.offset, sizeof(ct_vec3) * (uint64_t)points.count);
    for (uint32_t i = 0; i < points.count; ++i)
        copy[i] = ct_mat4_transform_point(m->pose->matrix, copy[i]);
    return copy;
}

// The lengths of a spline grow with the scale of its level; they are measured again where that
// differs by direction.
static const float *placed_lengths(const maker *m, const ct_level_spline *s,
                                   const ct_vec3 *controls) {
    float *const lengths =
        copy_of(m, s->lengths.offset, sizeof(float) * (uint64_t)s->lengths.count);
    const ct_vec3 scale = m->pose->scale;
    const float x = fabsf(scale.x);
    if (x != fabsf(scale.y) || x != fabsf(scale.z)) {
        ct_spline_measure(controls, s->controls.count / 3, lengths);
        return lengths;
    }
    for (uint32_t i = 0; i < s->lengths.count; ++i)
        lengths[i] *= x;
    return lengths;
}

static ct_world_spline make_spline(const maker *m, const ct_level_spline *s) {
    const ct_vec3 *const controls = placed_points(m, s->controls);
    return (ct_world_spline){
        .member = member_of(m, s->id, s->name, s->purpose, s->name_text, s->purpose_text),
        .curve = {.controls = controls,
                  .lengths = placed_lengths(m, s, controls),
                  .num_pieces = s->controls.count / 3,
                  .is_closed = s->is_closed != 0},
        .points = placed_points(m, s->points),
        .num_points = s->points.count};
}

static ct_world_marker make_marker(const maker *m, const ct_level_marker *k) {
    const ct_quat rotation = {{k->rotation[0], k->rotation[1], k->rotation[2], k->rotation[3]}};
    return (ct_world_marker){
        .member = member_of(m, k->id, k->name, k->purpose, k->name_text, k->purpose_text),
        .rotation = ct_quat_mul(m->pose->rotation, rotation),
        .position = ct_mat4_transform_point(m->pose->matrix, vec3_of(k->position))};
}

ct_level_members *ct_level_members_create(ct_world *w, const ct_level_resource *level,
                                          const char *name, const ct_level_pose *pose) {
    const uint32_t num_volumes = level->volumes.count, num_splines = level->splines.count,
                   num_markers = level->markers.count;
    if (num_volumes + num_splines + num_markers == 0)
        return NULL;
    ct_level_members *const members = CT_NEW(w->allocator, ct_level_members);
    members->memory = ct_frame_allocator_create(w->allocator, "level members", 4096);
    const maker m = {ct_frame_allocator_interface(members->memory), w, level, pose, name};
    ct_world_volume *const volumes = CT_NEW_ARRAY(m.memory, ct_world_volume, num_volumes);
    ct_world_spline *const splines = CT_NEW_ARRAY(m.memory, ct_world_spline, num_splines);
    ct_world_marker *const markers = CT_NEW_ARRAY(m.memory, ct_world_marker, num_markers);
    const ct_level_volume *const from_volumes = ct_blob_at(level, level->volumes.offset);
    const ct_level_spline *const from_splines = ct_blob_at(level, level->splines.offset);
    const ct_level_marker *const from_markers = ct_blob_at(level, level->markers.offset);
    for (uint32_t i = 0; i < num_volumes; ++i)
        volumes[i] = make_volume(&m, &from_volumes[i]);
    for (uint32_t i = 0; i < num_splines; ++i)
        splines[i] = make_spline(&m, &from_splines[i]);
    for (uint32_t i = 0; i < num_markers; ++i)
        markers[i] = make_marker(&m, &from_markers[i]);
    ct_level_member_list *const lists = members->lists;
    lists[CT_LEVEL_MEMBER_VOLUME] = (ct_level_member_list){volumes, num_volumes, sizeof(*volumes)};
    lists[CT_LEVEL_MEMBER_SPLINE] = (ct_level_member_list){splines, num_splines, sizeof(*splines)};
    lists[CT_LEVEL_MEMBER_MARKER] = (ct_level_member_list){markers, num_markers, sizeof(*markers)};
    return members;
}

void ct_level_members_destroy(ct_world *w, ct_level_members *members) {
    if (!members)
        return;
    ct_frame_allocator_destroy(members->memory);
    ct_free_sized(w->allocator, members, sizeof(*members));
}

// --- Finding -------------------------------------------------------------------------------------

ct_level_member_list ct_level_members_of(const ct_world *w, ct_level level,
                                         ct_level_member_kind kind) {
    const ct_level_members *const m = ct_world_level_members(w, level);
    return m ? m->lists[kind] : (ct_level_member_list){.items = NULL};
}

const void *ct_level_find_member(const ct_world *w, ct_level level, ct_level_member_kind kind,
                                 ct_string_id32 name) {
    const ct_level_member_list list = ct_level_members_of(w, level, kind);
    const char *at = list.items;
    for (uint32_t i = 0; i < list.count; ++i, at += list.item_bytes) {
        if (((const ct_world_member *)(const void *)at)->name.value == name.value)
            return at;
    }
    return NULL;
}

// --- Lines ---------------------------------------------------------------------------------------

// Passes lines of a volume on with its colour.
typedef struct line_target {
    ct_level_line line;
    void *user;
} line_target;

static void add_volume_line(void *user, ct_vec3 from, ct_vec3 to) {
    const line_target *const target = user;
    target->line(target->user, (ct_vec4){{1, 0.8f, 0, 1}}, from, to);
}

static void add_spline_lines(const ct_spline *s, ct_level_line line, void *user) {
    for (uint32_t i = 0; i < CT_SPLINE_STEPS * s->num_pieces; ++i)
        line(user, (ct_vec4){{0, 0.8f, 1, 1}}, ct_spline_step_position(s, i),
             ct_spline_step_position(s, i + 1));
}

static void add_axes(const ct_world_marker *marker, ct_level_line line, void *user) {
    for (uint32_t k = 0; k < 3; ++k) {
        ct_vec3 axis = {{0, 0, 0}};
        ct_vec4 color = {{0, 0, 0, 1}};
        axis.raw[k] = 0.5f;
        color.raw[k] = 1;
        line(user, color, marker->position,
             ct_vec3_add(marker->position, ct_quat_rotate(marker->rotation, axis)));
    }
}

void ct_level_member_lines(const ct_world *w, ct_level level, ct_level_line line, void *user) {
    const ct_level_member_list all_volumes = ct_level_members_of(w, level, CT_LEVEL_MEMBER_VOLUME);
    const ct_level_member_list all_splines = ct_level_members_of(w, level, CT_LEVEL_MEMBER_SPLINE);
    const ct_level_member_list all_markers = ct_level_members_of(w, level, CT_LEVEL_MEMBER_MARKER);
    const ct_world_volume *const volumes = all_volumes.items;
    const ct_world_spline *const splines = all_splines.items;
    const ct_world_marker *const markers = all_markers.items;
    line_target target = {line, user};
    for (uint32_t i = 0; i < all_volumes.count; ++i)
        ct_volume_lines(&volumes[i].shape, add_volume_line, &target);
    for (uint32_t i = 0; i < all_splines.count; ++i)
        add_spline_lines(&splines[i].curve, line, user);
    for (uint32_t i = 0; i < all_markers.count; ++i)
        add_axes(&markers[i], line, user);
}
