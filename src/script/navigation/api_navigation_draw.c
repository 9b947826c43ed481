// Drawing of meshes, agents and paths into line objects.
#include "foundation/memory/temp_allocator.h"
#include "navigation/draw/navigation_draw.h"
#include "script/navigation/script_navigation_private.h"
#include "script/render/api_line_object.h"

enum { MOST_VERTICES = 1 << 22 }; // of a line object, as LineObject has it

typedef struct lines_of {
    const ct_script_navigation_mesh *mesh;
    ct_line_object *lines;
} lines_of;

static void add_line(void *user, ct_vec3 from, ct_vec3 to, const float color[4]) {
    const lines_of *const l = user;
    const ct_script_navigation_mesh *const m = l->mesh;
    if (l->lines->vertices.count > MOST_VERTICES)
        return;
    const ct_vec4 c = {{color[0], color[1], color[2], color[3]}};
    ct_line_object_add_line(l->lines, c, ct_navigation_to_world(m->navigation, m->instance, from),
                            ct_navigation_to_world(m->navigation, m->instance, to));
}

// --- Options -------------------------------------------------------------------------------------

static void take(const ct_option *o, uint32_t flag) {
    uint32_t *const flags = o->out;
    if (ct_option_boolean(o))
        *flags |= flag;
}

#define TAKE(name, flag)                                                                           \
    static void name(const ct_option *o) {                                                         \
        take(o, flag);                                                                             \
    }

TAKE(take_agents, CT_NAVIGATION_DRAW_AGENTS)
TAKE(take_crossings, CT_NAVIGATION_DRAW_CROSSINGS)
TAKE(take_islands, CT_NAVIGATION_DRAW_ISLANDS)
TAKE(take_links, CT_NAVIGATION_DRAW_LINKS)
TAKE(take_obstacles, CT_NAVIGATION_DRAW_OBSTACLES)
TAKE(take_paths, CT_NAVIGATION_DRAW_PATHS)
TAKE(take_polygons, CT_NAVIGATION_DRAW_POLYGONS)
TAKE(take_tiles, CT_NAVIGATION_DRAW_TILES)
TAKE(take_velocities, CT_NAVIGATION_DRAW_VELOCITIES)

static const ct_option_row rows[] = {
    {"agents", take_agents},     {"crossings", take_crossings}, {"islands", take_islands},
    {"links", take_links},       {"obstacles", take_obstacles}, {"paths", take_paths},
    {"polygons", take_polygons}, {"tiles", take_tiles},         {"velocities", take_velocities},
};

// --- Functions -----------------------------------------------------------------------------------

int ct_navigations_draw(lua_State *L) {
    const ct_script_navigation_mesh m = ct_check_navigation_mesh(L, 1);
    lines_of l = {&m, ct_check_object(L, 2, &ct_type_line_object, NULL)};
    uint32_t flags = 0;
    ct_read_navigation_options(L, 3, &m, rows, CT_COUNT_OF(rows), &flags);
    if (lua_isnoneornil(L, 3))
        flags = CT_NAVIGATION_DRAW_POLYGONS | CT_NAVIGATION_DRAW_LINKS;
    CT_TEMP_ALLOCATOR(temp, ct_lua_of(L)->allocator);
    ct_navigation_draw_mesh(m.parts.mesh, flags, temp, add_line, &l);
    if (m.parts.agents)
        ct_navigation_draw_agents(m.parts.agents, m.parts.mesh, flags, add_line, &l);
    return 0;
}

int ct_navigations_visualize_last_search(lua_State *L) {
    const ct_script_navigation_mesh m = ct_check_navigation_mesh(L, 1);
    lines_of l = {&m, ct_check_object(L, 2, &ct_type_line_object, NULL)};
    const ct_script_known_mesh *const kept = ct_script_kept_path(L, &m);
    ct_navigation_draw_path(m.parts.mesh, kept->polygons.items, kept->polygons.count,
                            kept->corners.items, kept->corners.count, add_line, &l);
    return 0;
}
