#include <math.h>

#include "app/app_private.h"
#include "app/plugin/app_interfaces.h"
#include "app/plugin/app_system_check.h"
#include "foundation/math/math.h"
#include "world/world_navigation.h"

enum { MOST_POLYGONS = 4096 };

#define REACH 1e7
#define MOST_REACH 1e4f
#define MOST_RADIUS 1e6f

// A mesh, and a place on it.
typedef struct place {
    const ct_navigation_world *navigation;
    ct_navigation_instance instance;
    ct_navigation_parts parts;
    ct_vec3 class_reach;
    ct_navigation_filter filter;
} place;

// Finds the mesh of a class at a point; false: there is none, or something is wrong.
static bool find_mesh(const ct_plugin *self, const cuttle_world *world, const char *agents,
                      cuttle_vector3 point, const char *function, place *p) {
    const ct_world *const w =
        ct_app_may_change(self, function) ? ct_app_check_world(self, world, function) : NULL;
    if (!w)
        return false;
    if (!ct_app_is_within(point, REACH))
        return ct_app_bad_argument(self, function, "expected points within %g m of the origin",
                                   REACH);
    const ct_string_id32 name = agents ? ct_string_id32_of(agents) : (ct_string_id32){0};
    *p = (place){.navigation = ct_world_navigation(w)};
    p->instance = ct_navigation_world_find(p->navigation, name, ct_app_vec3(point));
    if (!p->instance.id)
        return false;
    p->parts = ct_navigation_world_parts(p->navigation, p->instance);
    const ct_navigation_class *const class = ct_navigation_mesh_class(p->parts.mesh);
    p->class_reach = ct_vec3_make(class->radius, class->radius, class->height);
    p->filter = ct_navigation_filter_of(p->parts.mesh);
    return true;
}

static ct_vec3 to_mesh(const place *p, cuttle_vector3 point) {
    return ct_navigation_to_mesh(p->navigation, p->instance, ct_app_vec3(point));
}

static cuttle_vector3 to_world(const place *p, ct_vec3 point) {
    return ct_app_vector3(ct_navigation_to_world(p->navigation, p->instance, point));
}

static uint32_t status_of(ct_navigation_status status) {
    switch (status) {
    case CT_NAVIGATION_FOUND:
        return CUTTLE_PATH_FOUND;
    case CT_NAVIGATION_PARTIAL:
        return CUTTLE_PATH_PARTIAL;
    case CT_NAVIGATION_UNREACHABLE:
        return CUTTLE_PATH_UNREACHABLE;
    case CT_NAVIGATION_OFF_MESH:
        return CUTTLE_PATH_OFF_MESH;
    case CT_NAVIGATION_WAITING:
    case CT_NAVIGATION_OVER:
    case CT_NAVIGATION_STATUS_COUNT:
        break;
    }
    return CUTTLE_PATH_OVER;
}

static bool find_path(cuttle_plugin *self, cuttle_world *world, const cuttle_path_desc *desc,
                      cuttle_vector3 *points, uint32_t most, cuttle_path *path) {
    static const char function[] = "navigation.find_path";
    place p;
    *path = (cuttle_path){.status = CUTTLE_PATH_OFF_MESH};
    if (!desc)
        return ct_app_bad_argument(self, function, "expected a description, got NULL");
    if (!find_mesh(self, world, desc->agents, desc->from, function, &p))
        return false;
    if (!ct_app_is_within(desc->to, REACH))
        return ct_app_bad_argument(self, function, "expected points within %g m of the origin",
                                   REACH);
    const ct_navigation_path_desc own = {.from = to_mesh(&p, desc->from),
                                         .to = to_mesh(&p, desc->to),
                                         .max_polygons = desc->most_polygons ? desc->most_polygons
                                                                             : MOST_POLYGONS,
                                         .allows_partial = desc->allows_partial};
    ct_navigation_path found;
    ct_navigation_find_path(p.parts.search, p.parts.mesh, &own, &found);
    const bool is_found =
        found.status == CT_NAVIGATION_FOUND || found.status == CT_NAVIGATION_PARTIAL;
    *path = (cuttle_path){.status = status_of(found.status),
                          .num_points = is_found ? found.num_corners : 0,
                          .length = is_found ? found.length : 0};
    for (uint32_t i = 0; points && i < path->num_points && i < most; ++i)
        points[i] = to_world(&p, found.corners[i].position);
    return is_found;
}

static bool nearest(cuttle_plugin *self, cuttle_world *world, const char *agents,
                    cuttle_vector3 point, float reach, cuttle_vector3 *at) {
    static const char function[] = "navigation.nearest";
    place p;
    if (!find_mesh(self, world, agents, point, function, &p))
        return false;
    if (!(reach >= 0 && reach <= MOST_REACH))
        return ct_app_bad_argument(self, function, "expected a reach from 0 to %g m, got %g",
                                   (double)MOST_REACH, (double)reach);
    const ct_vec3 within = reach > 0 ? ct_vec3_make(reach, reach, reach) : p.class_reach;
    ct_vec3 found;
    if (!ct_navigation_nearest(p.parts.mesh, NULL, to_mesh(&p, point), within, &found))
        return false;
    *at = to_world(&p, found);
    return true;
}

static bool ray(cuttle_plugin *self, cuttle_world *world, const char *agents, cuttle_vector3 from,
                cuttle_vector3 to, cuttle_vector3 *at, cuttle_vector3 *normal) {
    static const char function[] = "navigation.ray";
    place p;
    ct_vec3 start, where, wall;
    ct_navigation_place end;
    if (!find_mesh(self, world, agents, from, function, &p))
        return false;
    if (!ct_app_is_within(to, REACH))
        return ct_app_bad_argument(self, function, "expected points within %g m of the origin",
                                   REACH);
    const ct_navigation_place first =
        ct_navigation_nearest(p.parts.mesh, &p.filter, to_mesh(&p, from), p.class_reach, &start);
    if (!first)
        return false;
    const bool is_there = ct_navigation_ray(p.parts.mesh, &p.filter, first, start, to_mesh(&p, to),
                                            &end, &where, &wall);
    if (at)
        *at = to_world(&p, where);
    if (normal)
        *normal = ct_app_vector3(ct_navigation_turn_to_world(p.navigation, p.instance, wall));
    return is_there;
}

static bool random_point(cuttle_plugin *self, cuttle_world *world, const char *agents,
                         cuttle_vector3 from, float radius, uint64_t *random, cuttle_vector3 *at) {
    static const char function[] = "navigation.random_point";
    place p;
    ct_vec3 start, found;
    if (!find_mesh(self, world, agents, from, function, &p))
        return false;
    if (!random || !(radius >= 0 && radius <= MOST_RADIUS))
        return ct_app_bad_argument(self, function, "expected a state, and a radius from 0 to %g m",
                                   (double)MOST_RADIUS);
    const ct_navigation_place first =
        ct_navigation_nearest(p.parts.mesh, &p.filter, to_mesh(&p, from), p.class_reach, &start);
    if (!first || !ct_navigation_random(p.parts.search, p.parts.mesh, &p.filter, first, start,
                                        radius, random, &found))
        return false;
    *at = to_world(&p, found);
    return true;
}

const cuttle_navigation_api_1 ct_app_navigation_api_1 = {
    .find_path = find_path,
    .nearest = nearest,
    .ray = ray,
    .random_point = random_point,
};
