// Corrections by volumes of the level.
#include <string.h>

#include "compiler/types/navigation/worker_navigation.h"
#include "compiler/types/navigation/worker_navigation_shapes.h"
#include "foundation/math/math.h"
#include "resource/blob/content_hash.h"

static const ct_worker_volume *find_volume(const ct_worker_navigation *n, const char *name) {
    for (uint32_t i = 0; i < n->members.volumes.count; ++i) {
        if (strcmp(n->members.volumes.items[i].source.name, name) == 0)
            return &n->members.volumes.items[i];
    }
    return NULL;
}

static void warn_of_missing(ct_worker_navigation *n, const ct_worker_navigation_mark *mark) {
    ct_compile *const c = n->compile;
    const uint32_t count = n->members.volumes.count;
    const char **const names = CT_NEW_ARRAY(c->allocator, const char *, count + 1);
    for (uint32_t i = 0; i < count; ++i)
        names[i] = n->members.volumes.items[i].source.name;
    const char *const nearest = ct_nearest_name(mark->source.volume, names, count);
    ct_compile_warning(c, c->doc, mark->volume_at,
                       "the level has no volume \"%.64s\"%s%s%s, so this has no effect",
                       mark->source.volume, nearest ? " (did you mean \"" : "",
                       nearest ? nearest : "", nearest ? "\"?)" : "");
}

static bool take_mesh(ct_worker_navigation *n, const ct_mat4 *pose, ct_string_id64 id,
                      ct_volume *shape) {
    ct_allocator *const a = n->compile->allocator;
    const ct_worker_navigation_mesh *const mesh = ct_worker_navigation_mesh_of(n, id);
    if (!mesh)
        return false;
    const uint32_t count = 3 * mesh->drawn.count;
    ct_vec3 *const points = CT_NEW_ARRAY(a, ct_vec3, count + 1);
    uint32_t *const corners = CT_NEW_ARRAY(a, uint32_t, count + 1);
    for (uint32_t i = 0; i < count; ++i) {
        memcpy(&points[i], mesh->drawn.items[i / 3].at[i % 3], 12);
        corners[i] = i;
    }
    *shape = ct_volume_mesh(pose, points, count, corners, count / 3);
    return true;
}

// False when a mesh cannot be read, which was reported.
static bool take_shape(ct_worker_navigation *n, const ct_worker_volume *volume, ct_volume *shape) {
    const ct_level_volume *const d = &volume->data;
    const ct_mat4 pose =
        ct_mat4_compose(ct_vec3_make(d->position[0], d->position[1], d->position[2]),
                        (ct_quat){{d->rotation[0], d->rotation[1], d->rotation[2], d->rotation[3]}},
                        ct_vec3_make(d->scale[0], d->scale[1], d->scale[2]));
    const ct_convex_hull *const hull = &volume->hull;
    switch (d->type) {
    case CT_LEVEL_VOLUME_BOX:
        *shape =
            ct_volume_box(&pose, ct_vec3_make(d->half_size[0], d->half_size[1], d->half_size[2]));
        return true;
    case CT_LEVEL_VOLUME_SPHERE:
        *shape = ct_volume_ball(&pose, d->half_size[0]);
        return true;
    case CT_LEVEL_VOLUME_CONVEX:
        *shape =
            ct_volume_convex(&pose, hull->planes.items, hull->planes.count, hull->points.items,
                             hull->points.count, hull->triangles.items, hull->triangles.count / 3);
        return true;
    default:
        return take_mesh(n, &pose, d->mesh, shape);
    }
}

static uint64_t hash_of(const ct_worker_navigation_mark *mark) {
    const ct_volume *const v = &mark->shape;
    uint64_t parts[8] = {mark->source.is_cut ? UINT64_MAX : mark->area, v->type};
    parts[2] = ct_content_hash(&v->pose, sizeof(v->pose));
    parts[3] = ct_content_hash(&v->local, sizeof(v->local));
    parts[4] = ct_content_hash(v->planes, v->planes ? v->num_planes * sizeof(*v->planes) : 0);
    parts[5] = ct_content_hash(v->points, v->points ? v->num_points * sizeof(*v->points) : 0);
    parts[6] =
        ct_content_hash(v->corners, v->corners ? 3ull * v->num_triangles * sizeof(*v->corners) : 0);
    return ct_content_hash(parts, sizeof(parts));
}

bool ct_worker_navigation_place_marks(ct_worker_navigation *n) {
    const uint32_t num_errors = ct_compile_error_count(n->compile);
    for (uint32_t i = 0; i < n->marks.count; ++i) {
        ct_worker_navigation_mark *const mark = &n->marks.items[i];
        const ct_worker_volume *const volume = find_volume(n, mark->source.volume);
        if (!volume) {
            warn_of_missing(n, mark);
            continue;
        }
        ct_compile_begin_other(n->compile, NULL, NULL);
        mark->is_there = take_shape(n, volume, &mark->shape);
        ct_compile_end_other(n->compile);
        if (!mark->is_there)
            continue;
        mark->bounds = ct_volume_bounds(&mark->shape);
        mark->hash = hash_of(mark);
    }
    return ct_compile_error_count(n->compile) == num_errors;
}
