#include "dev/inspect/inspect_select.h"

#include <string.h>

#include "dev/inspect/inspect_entities.h"
#include "dev/inspect/inspect_find.h"

static const float cross_metres = 0.25f; // from its middle to its ends
static const float default_color[3] = {1, 0.45f, 0.05f};

static struct {
    ct_entity entities[CT_INSPECT_MAX_SELECTED];
    uint32_t count;
    float color[3];
    ct_console_client_id client; // {0}: this program
} selection;

// --- Outlines ------------------------------------------------------------------------------------

// Outlines the meshes of an entity, and of a unit all that is in it. Returns whether there is one.
static bool outline(ct_world *world, ct_entity root, const float *color) {
    ct_mesh_manager *const m = ct_world_meshes(world);
    bool has_mesh = false;
    for (ct_entity e = root; e.id; e = ct_world_next_entity(world, root, e)) {
        for (ct_mesh_instance i = ct_mesh_first(m, e); i.index; i = ct_mesh_next(m, i)) {
            ct_mesh_set_outline(m, i, color);
            has_mesh = true;
        }
    }
    return has_mesh;
}

static void clear(ct_world_system *worlds) {
    for (uint32_t i = 0; i < selection.count; ++i) {
        ct_world *const world = ct_world_of(worlds, selection.entities[i]);
        if (world)
            outline(world, selection.entities[i], NULL);
    }
    selection.count = 0;
}

static void draw_cross(ct_renderer *renderer, const ct_world *world, ct_vec3 at) {
    ct_line_vertex lines[6];
    for (uint32_t i = 0; i < 6; ++i) {
        lines[i] = (ct_line_vertex){
            .position = {at.x, at.y, at.z},
            .color = {selection.color[0], selection.color[1], selection.color[2], 1}};
        lines[i].position[i / 2] += i % 2 ? cross_metres : -cross_metres;
    }
    ct_render_lines(renderer, ct_world_render_world(world), lines, 6);
}

void ct_inspect_select_update(ct_app *app, ct_console_server *server) {
    ct_world_system *const worlds = ct_app_worlds(app);
    if (selection.count == 0)
        return;
    if (selection.client.value &&
        (!server || !ct_console_server_has_client(server, selection.client))) {
        clear(worlds);
        return;
    }
    for (uint32_t i = 0; i < selection.count; ++i) {
        const ct_entity e = selection.entities[i];
        ct_world *const world = ct_world_of(worlds, e);
        const ct_world_transform t = ct_world_transform_of(worlds, e);
        // Again in each frame: meshes come, and the game may have taken the outline away.
        if (!world || outline(world, e, selection.color) || !t.transform.index)
            continue;
        const ct_mat4 pose = ct_scene_graph_world(ct_world_scene_graphs(world), e, 0);
        draw_cross(ct_app_renderer(app), world, ct_mat4_position(pose));
    }
}

void ct_inspect_select_forget(void) {
    selection.count = 0;
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
    clear(worlds);
    memcpy(selection.color, color, sizeof(color));
    selection.client = r->target->client;
    ct_sjson_value item = ct_sjson_first(r->doc, array);
    for (uint32_t i = 0; i < given; ++i) {
        const double id = ct_sjson_number(r->doc, item, 0);
        const ct_entity e = {id <= UINT32_MAX ? (uint32_t)id : 0};
        if (e.id == id && ct_entity_is_well_formed(e) && ct_world_of(worlds, e))
            selection.entities[selection.count++] = e;
        if (i + 1 < given)
            item = ct_sjson_next(r->doc, item);
    }
    ct_sjson_member_number(&r->w, "selected", selection.count);
    return true;
}
