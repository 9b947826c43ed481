#include "dev/inspect/inspect_select.h"

#include <string.h>

#include "dev/inspect/inspect_entities.h"
#include "dev/inspect/inspect_find.h"
#include "foundation/math/math.h"

static const float cross_metres = 0.25f; // from its middle to its ends
static const float default_color[3] = {1, 0.45f, 0.05f};

typedef struct selection {
    ct_console_client_id client; // {0}: this program
    float color[3];
    CT_ARRAY(ct_entity) entities;
} selection;

struct ct_inspect_selections {
    ct_allocator *allocator;
    CT_ARRAY(selection) items; // the later covers the earlier
};

ct_inspect_selections *ct_inspect_selections_create(ct_allocator *a) {
    ct_inspect_selections *const s = CT_NEW(a, ct_inspect_selections);
    s->allocator = a;
    ct_array_init(&s->items, a);
    return s;
}

void ct_inspect_selections_forget(ct_inspect_selections *s) {
    for (uint32_t i = 0; i < s->items.count; ++i)
        ct_array_free(&s->items.items[i].entities);
    s->items.count = 0;
}

void ct_inspect_selections_destroy(ct_inspect_selections *s) {
    if (!s)
        return;
    ct_inspect_selections_forget(s);
    ct_array_free(&s->items);
    ct_free_sized(s->allocator, s, sizeof(*s));
}

// --- Outlines ------------------------------------------------------------------------------------

// Outlines the meshes of an entity, and of a unit all that is in it. Returns whether there is one.
static bool outline(ct_world *world, ct_entity root, const float *color) {
    ct_mesh_manager *const m = ct_world_meshes(world);
    bool has_mesh = false;
    for (ct_entity e = root; e.id; e = ct_world_next_entity(world, root, e)) {
        for (ct_mesh_instance i = ct_mesh_first(m, e); i.index; i = ct_mesh_next(m, i)) {
            ct_mesh_mark(m, i, color);
            has_mesh = true;
        }
    }
    return has_mesh;
}

// Ends a selection.
static void clear(ct_inspect_selections *s, uint32_t place, ct_world_system *worlds) {
    selection *const x = &s->items.items[place];
    for (uint32_t i = 0; i < x->entities.count; ++i) {
        ct_world *const world = ct_world_of(worlds, x->entities.items[i]);
        if (world)
            outline(world, x->entities.items[i], NULL);
    }
    ct_array_free(&x->entities);
    ct_array_erase(&s->items, place, 1);
}

static void draw_cross(ct_renderer *renderer, const ct_world *world, ct_vec3 at,
                       const float color[3]) {
    ct_line_vertex lines[6];
    for (uint32_t i = 0; i < 6; ++i) {
        lines[i] = (ct_line_vertex){.position = {at.x, at.y, at.z},
                                    .color = {color[0], color[1], color[2], 1}};
        lines[i].position[i / 2] += i % 2 ? cross_metres : -cross_metres;
    }
    ct_render_lines(renderer, ct_world_render_world(world), lines, 6);
}

static void show(const selection *s, ct_world_system *worlds, ct_renderer *renderer) {
    for (uint32_t i = 0; i < s->entities.count; ++i) {
        const ct_entity e = s->entities.items[i];
        ct_world *const world = ct_world_of(worlds, e);
        const ct_world_transform t = ct_world_transform_of(worlds, e);
        // Again in each frame: meshes come, and other selections with the same meshes end.
        if (!world || outline(world, e, s->color) || !t.transform.index)
            continue;
        const ct_mat4 pose = ct_scene_graph_world(ct_world_scene_graphs(world), e, 0);
        draw_cross(renderer, world, ct_mat4_position(pose), s->color);
    }
}

void ct_inspect_selections_update(ct_inspect_selections *s, ct_app *app,
                                  ct_console_server *server) {
    ct_world_system *const worlds = ct_app_worlds(app);
    for (uint32_t i = s->items.count; i > 0; --i) {
        const ct_console_client_id client = s->items.items[i - 1].client;
        if (client.value && (!server || !ct_console_server_has_client(server, client)))
            clear(s, i - 1, worlds);
    }
    for (uint32_t i = 0; i < s->items.count; ++i)
        show(&s->items.items[i], worlds, ct_app_renderer(app));
}

// --- The message ---------------------------------------------------------------------------------

static bool read_color(ct_console_request *r, float color[3]) {
    const ct_sjson_value array = ct_sjson_find(r->doc, r->root, "color");
    ct_sjson_value item = ct_sjson_first(r->doc, array);
    memcpy(color, default_color, sizeof(default_color));
    if (array.entry == 0)
        return true;
    if (ct_sjson_count(r->doc, array) != 3)
        return ct_error_set(&r->error, "\"color\" has %u numbers; expected 3",
                            ct_sjson_count(r->doc, array));
    for (uint32_t i = 0; i < 3; ++i, item = ct_sjson_next(r->doc, item)) {
        const double number = ct_sjson_number(r->doc, item, 0);
        if (!(number >= 0 && number <= 1))
            return ct_error_set(&r->error, "\"color\" has %g; expected numbers from 0 to 1",
                                number);
        color[i] = (float)number;
        if (i == 2)
            break;
    }
    return true;
}

bool ct_inspect_run_entity_select(ct_console_request *r) {
    const ct_sjson_value array = ct_sjson_find(r->doc, r->root, "entities");
    const uint32_t given = ct_sjson_count(r->doc, array);
    ct_world_system *const worlds = ct_app_worlds(r->target->app);
    float color[3];
    if (given > CT_INSPECT_MAX_SELECTED)
        return ct_error_set(&r->error, "\"entities\" has %u numbers; expected at most %d", given,
                            (int)CT_INSPECT_MAX_SELECTED);
    if (!read_color(r, color))
        return false;
    ct_inspect_selections *const all = r->target->selections;
    if (!all)
        return ct_error_set(&r->error, "this program has no selections");
    for (uint32_t i = all->items.count; i > 0; --i) {
        if (all->items.items[i - 1].client.value == r->target->client.value)
            clear(all, i - 1, worlds);
    }
    selection own = {.client = r->target->client};
    memcpy(own.color, color, sizeof(color));
    ct_array_init(&own.entities, all->allocator);
    ct_sjson_value item = ct_sjson_first(r->doc, array);
    for (uint32_t i = 0; i < given; ++i) {
        const double id = ct_sjson_number(r->doc, item, 0);
        const ct_entity e = {id <= UINT32_MAX ? (uint32_t)id : 0};
        if (e.id == id && ct_entity_is_well_formed(e) && ct_world_of(worlds, e))
            ct_array_push(&own.entities, e);
        if (i + 1 < given)
            item = ct_sjson_next(r->doc, item);
    }
    ct_sjson_member_number(&r->w, "selected", own.entities.count);
    if (own.entities.count != 0)
        ct_array_push(&all->items, own);
    else
        ct_array_free(&own.entities);
    return true;
}
