// What is at a point of a picture.
#include <math.h>
#include <string.h>

#include "dev/frames/frames.h"
#include "dev/inspect/inspect_entities.h"
#include "dev/inspect/inspect_find.h"
#include "foundation/math/math_shapes.h"
#include "physics/query/physics_query.h"
#include "render/component/mesh_raycast.h"
#include "render/shown_views.h"

enum { MAX_HITS = 64 };
static const float longest_ray = 1e6f; // metres

typedef struct pick_hit {
    ct_entity entity;
    float distance;
    ct_vec3 normal;
    bool is_mesh;
} pick_hit;

typedef struct picking {
    ct_world *world;
    ct_ray ray;              // direction of length 1
    pick_hit hits[MAX_HITS]; // the nearest, each entity once, sorted by distance
    uint32_t num_hits;
} picking;

// --- Rays ----------------------------------------------------------------------------------------

// Makes the ray through a point of a view, x and y from 0 to 1 from the top left.
static bool make_ray(picking *p, const ct_mat4 *pose, const ct_mat4 *projection, double x, double y,
                     ct_error *error) {
    const ct_mat4 to_view = ct_mat4_inverse_affine(pose);
    const ct_mat4 view_projection = ct_mat4_mul(*projection, to_view);
    const ct_mat4 back = ct_mat4_inverse(view_projection);
    const float clip_x = (float)x * 2 - 1, clip_y = (float)y * 2 - 1;
    const ct_vec3 near_point = ct_mat4_unproject_point(&back, ct_vec3_make(clip_x, clip_y, 0));
    const ct_vec3 far_point = ct_mat4_unproject_point(&back, ct_vec3_make(clip_x, clip_y, 0.5f));
    const ct_vec3 along = ct_vec3_sub(far_point, near_point);
    const float length = ct_vec3_length(along);
    if (!ct_vec3_is_finite(near_point) || !(length > 0) || !isfinite(length))
        return ct_error_set(error, "the view has no ray there");
    p->ray = (ct_ray){near_point, ct_vec3_scale(along, 1 / length)};
    return true;
}

static ct_world *world_drawn_as(const ct_world_system *worlds, ct_render_world_id id) {
    for (uint32_t i = 0; i < ct_world_system_num_worlds(worlds); ++i) {
        ct_world *const w = ct_world_system_world(worlds, i);
        if (ct_world_render_world(w).value == id.value)
            return w;
    }
    return NULL;
}

// Finds the view of the game's last picture at the point; of several, the one that was drawn last.
static bool aim_by_game(ct_console_request *r, picking *p, double x, double y) {
    uint32_t count;
    const ct_shown_view *const views =
        ct_renderer_shown_views(ct_app_renderer(r->target->app), &count);
    for (uint32_t i = count; i > 0; --i) {
        const ct_shown_view *const v = &views[i - 1];
        const double within_x = (x - (double)v->rectangle[0]) / (double)v->rectangle[2];
        const double within_y = (y - (double)v->rectangle[1]) / (double)v->rectangle[3];
        p->world = world_drawn_as(ct_app_worlds(r->target->app), v->world);
        if (p->world && within_x >= 0 && within_x <= 1 && within_y >= 0 && within_y <= 1)
            return make_ray(p, &v->view.pose, &v->view.projection, within_x, within_y, &r->error);
    }
    return ct_error_set(&r->error, "the game shows no world at (%g, %g)", x, y);
}

static bool aim_by_stream(ct_console_request *r, picking *p, double x, double y) {
    const uint32_t number = ct_console_whole(r, "stream", UINT32_MAX, 0);
    ct_frame_stream *const s =
        r->target->frames ? ct_frames_stream(r->target->frames, r->target->client, number) : NULL;
    if (!s)
        return ct_error_set(&r->error, "this client has no open stream %u", number);
    const ct_frame_stream_desc *const d = &s->desc;
    if (!d->has_camera)
        return aim_by_game(r, p, (double)d->rectangle[0] + x * (double)d->rectangle[2],
                           (double)d->rectangle[1] + y * (double)d->rectangle[3]);
    p->world = ct_inspect_world_numbered(ct_app_worlds(r->target->app), d->world);
    const ct_mat4 projection = ct_mat4_perspective(
        d->field_of_view, (float)d->width / (float)d->height, d->near_range, d->far_range);
    return make_ray(p, &d->pose, &projection, x, y, &r->error);
}

// Through the first camera of an entity, as a picture of a width and height has it.
static bool aim_by_camera(ct_console_request *r, picking *p, double x, double y) {
    const ct_entity e =
        ct_inspect_entity(r, ct_console_number(r, "camera", 0), "camera", &p->world);
    const double aspect = ct_console_number(r, "aspect", 16.0 / 9);
    if (!e.id)
        return false;
    const ct_camera_manager *const m = ct_world_cameras(p->world);
    const ct_camera_instance camera = ct_camera_first(m, e);
    if (!camera.index)
        return ct_error_set(&r->error, "the entity %u has no camera", e.id);
    if (!(aspect >= 0.01 && aspect <= 100))
        return ct_error_set(&r->error, "\"aspect\" is %g; expected a number from 0.01 to 100",
                            aspect);
    const ct_render_view view = ct_camera_view(m, camera, 0, (float)aspect);
    return make_ray(p, &view.pose, &view.projection, x, y, &r->error);
}

// --- Hits ----------------------------------------------------------------------------------------

static void add_hit(picking *p, const pick_hit *hit) {
    uint32_t at = p->num_hits;
    for (uint32_t i = 0; i < p->num_hits; ++i) {
        if (p->hits[i].entity.id != hit->entity.id)
            continue;
        if (p->hits[i].distance <= hit->distance)
            return;
        memmove(&p->hits[i], &p->hits[i + 1], sizeof(*hit) * (p->num_hits - i - 1));
        at = --p->num_hits;
    }
    while (at > 0 && p->hits[at - 1].distance > hit->distance)
        --at;
    if (at == MAX_HITS)
        return;
    const uint32_t kept = p->num_hits < MAX_HITS ? p->num_hits : MAX_HITS - 1;
    memmove(&p->hits[at + 1], &p->hits[at], sizeof(*hit) * (kept - at));
    p->hits[at] = *hit;
    p->num_hits = kept + 1;
}

static void find_meshes_of(picking *p, const ct_resource_manager *resources, ct_entity e) {
    const ct_mesh_manager *const m = ct_world_meshes(p->world);
    for (ct_mesh_instance i = ct_mesh_first(m, e); i.index; i = ct_mesh_next(m, i)) {
        const ct_mesh_resource *const mesh =
            ct_mesh_is_visible(m, i)
                ? ct_resource_manager_get(resources, "mesh", ct_mesh_name(m, i))
                : NULL;
        ct_mesh_hit hit;
        if (!mesh)
            continue;
        const ct_mat4 pose =
            ct_scene_graph_world(ct_world_scene_graphs(p->world), e, ct_mesh_node(m, i));
        if (ct_mesh_raycast(mesh, &pose, p->ray, longest_ray, &hit))
            add_hit(p, &(pick_hit){e, hit.distance, hit.normal, true});
    }
}

static void find_meshes(picking *p, const ct_resource_manager *resources) {
    uint32_t count;
    const ct_entity *const units = ct_world_units(p->world, &count);
    for (uint32_t i = 0; i < count; ++i) {
        for (ct_entity e = units[i]; e.id; e = ct_world_next_entity(p->world, units[i], e))
            find_meshes_of(p, resources, e);
    }
}

static void find_actors(picking *p) {
    const ct_physics_world *const physics = ct_world_physics(p->world);
    const ct_physics_find find = {0};
    ct_physics_hit hits[MAX_HITS];
    const ct_physics_ray ray = {p->ray.origin, p->ray.direction, 10000};
    const uint32_t count = physics ? ct_physics_ray_all(physics, &ray, &find, hits, MAX_HITS) : 0;
    for (uint32_t i = 0; i < count; ++i) {
        const ct_entity e = ct_actor_entity(physics, hits[i].actor);
        if (e.id)
            add_hit(p, &(pick_hit){e, hits[i].distance, hits[i].normal, false});
    }
}

static void write_hit(ct_console_request *r, const picking *p, const pick_hit *hit) {
    ct_sjson_writer *const w = &r->w;
    const ct_vec3 position = ct_ray_at(p->ray, hit->distance);
    uint32_t place;
    const ct_level level =
        ct_world_find_level_unit(p->world, ct_world_unit_of(p->world, hit->entity), &place);
    ct_sjson_begin_object(w);
    ct_inspect_write_entity(w, ct_app_worlds(r->target->app), p->world, hit->entity, level.id);
    ct_sjson_member_string(w, "by", hit->is_mesh ? "mesh" : "physics");
    ct_sjson_member_number(w, "distance", (double)hit->distance);
    ct_sjson_write_key(w, "position");
    ct_inspect_write_floats(w, &position.x, 3);
    ct_sjson_write_key(w, "normal");
    ct_inspect_write_floats(w, &hit->normal.x, 3);
    ct_sjson_end_object(w);
}

bool ct_inspect_run_entity_pick(ct_console_request *r) {
    const double x = ct_console_number(r, "x", 0), y = ct_console_number(r, "y", 0);
    picking p = {.num_hits = 0};
    if (!(x >= 0 && x <= 1 && y >= 0 && y <= 1))
        return ct_error_set(&r->error, "the point is (%g, %g); expected numbers from 0 to 1", x, y);
    const bool has_aimed =
        ct_sjson_find(r->doc, r->root, "stream").entry   ? aim_by_stream(r, &p, x, y)
        : ct_sjson_find(r->doc, r->root, "camera").entry ? aim_by_camera(r, &p, x, y)
                                                         : aim_by_game(r, &p, x, y);
    if (!has_aimed)
        return false;
    if (!p.world)
        return ct_error_set(&r->error, "the world of the stream has ended");
    find_meshes(&p, ct_app_resources(r->target->app));
    find_actors(&p);
    ct_sjson_member_number(&r->w, "world", ct_inspect_world_number(p.world));
    ct_sjson_write_key(&r->w, "from");
    ct_inspect_write_floats(&r->w, &p.ray.origin.x, 3);
    ct_sjson_write_key(&r->w, "direction");
    ct_inspect_write_floats(&r->w, &p.ray.direction.x, 3);
    ct_sjson_write_key(&r->w, "hits");
    ct_sjson_begin_array(&r->w);
    for (uint32_t i = 0; i < p.num_hits; ++i)
        write_hit(r, &p, &p.hits[i]);
    ct_sjson_end_array(&r->w);
    return true;
}
