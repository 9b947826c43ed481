#include <math.h>
#include <stdio.h>
#include <string.h>

#include "app/app_private.h"
#include "app/plugin/app_interfaces.h"
#include "app/plugin/app_system_check.h"
#include "foundation/math/math.h"
#include "plugin/plugin_addition.h"
#include "render/component/line_object.h"
#include "resource/load/resource_made.h"
#include "resource/types/mesh/mesh_write.h"

// --- What a plugin has made ----------------------------------------------------------------------

// An object, or a free place.
typedef struct own_object {
    ct_render_world_id world; // {0}: a free place
    ct_render_object_id object;
    uint32_t generation;
    uint32_t next_free; // of a free place; 0: it is the last
} own_object;

// Meshes and objects of one plugin.
typedef struct belongings {
    ct_app *app;
    CT_ARRAY(own_object) objects; // the first is not used
    uint32_t first_free;
    CT_ARRAY(char *) meshes; // names
} belongings;

static ct_renderer *renderer_of(const ct_plugin *self) {
    return ct_app_of_plugin(self)->renderer;
}

// Whether the renderer still has a world: ids are not used again.
static bool is_alive(const ct_app *app, ct_render_world_id world) {
    for (uint32_t i = 0; app->worlds && i < ct_world_system_num_worlds(app->worlds); ++i)
        if (ct_world_render_world(ct_world_system_world(app->worlds, i)).value == world.value)
            return true;
    return false;
}

static bool add_belongings(ct_plugin_addition *a, ct_error *error) {
    (void)error;
    ct_app *const app = ct_app_of_plugin(a->plugin);
    belongings *const b = CT_NEW(app->allocator, belongings);
    *b = (belongings){.app = app};
    ct_array_init(&b->objects, app->allocator);
    ct_array_init(&b->meshes, app->allocator);
    ct_array_push(&b->objects, (own_object){0});
    a->user = b;
    return true;
}

static void remove_belongings(ct_plugin_addition *a) {
    belongings *const b = a->user;
    ct_app *const app = b->app;
    for (uint32_t i = 1; i < b->objects.count; ++i) {
        const own_object *const o = &b->objects.items[i];
        if (o->world.value && is_alive(app, o->world))
            ct_render_objects_destroy(app->renderer, o->world, &o->object, 1);
    }
    for (uint32_t i = 0; i < b->meshes.count; ++i) {
        ct_resource_manager_remove_made(app->resources, "mesh", b->meshes.items[i]);
        ct_free(app->allocator, b->meshes.items[i]);
    }
    ct_array_free(&b->objects);
    ct_array_free(&b->meshes);
    ct_free_sized(app->allocator, b, sizeof(*b));
    a->user = NULL;
}

// An addition for each plugin that has made something, under its name.
static const ct_plugin_kind belongings_kind = {
    .name = "meshes and objects",
    .desc_bytes = sizeof(uint64_t),
    .is_kept = true,
    .add = add_belongings,
    .remove = remove_belongings,
};

// Returns what the plugin has made; NULL while that is nothing.
static belongings *find_belongings(const ct_plugin *self) {
    const ct_plugin_addition *const a =
        ct_plugin_host_addition(ct_plugin_host_of(self), &belongings_kind, ct_plugin_name(self));
    return a ? a->user : NULL;
}

static belongings *belongings_of(ct_plugin *self, ct_error *error) {
    if (!ct_app_may_change_or(self, error))
        return NULL;
    belongings *const found = find_belongings(self);
    if (found)
        return found;
    const uint64_t nothing = 0;
    const ct_plugin_addition *const a =
        ct_plugin_add(self, &belongings_kind, ct_plugin_name(self), &nothing, error);
    return a ? a->user : NULL;
}

// --- Lines ---------------------------------------------------------------------------------------

#define MOST 1e7 // metres: as LineObject

static bool is_color(cuttle_color c) {
    return isfinite(c.r) && isfinite(c.g) && isfinite(c.b) && isfinite(c.a);
}

// Returns the world for lines.
static const ct_world *check_drawing(const ct_plugin *self, const cuttle_world *world,
                                     const char *function) {
    return ct_app_may_change(self, function) ? ct_app_check_world(self, world, function) : NULL;
}

static ct_line_vertex line_end(cuttle_vector3 at, cuttle_color c) {
    return (ct_line_vertex){{at.x, at.y, at.z}, {c.r, c.g, c.b, c.a}};
}

static void draw_lines(cuttle_plugin *self, cuttle_world *world, const cuttle_line *given,
                       uint32_t count) {
    enum { AT_ONCE = 128 };
    const ct_world *const w = check_drawing(self, world, "renderer.lines");
    if (!w)
        return;
    if (count > 0 && !given) {
        ct_app_bad_argument(self, "renderer.lines", "expected %u lines, got NULL", count);
        return;
    }
    for (uint32_t i = 0; i < count; ++i)
        if (!ct_app_is_within(given[i].from, MOST) || !ct_app_is_within(given[i].to, MOST) ||
            !is_color(given[i].color)) {
            ct_app_bad_argument(self, "renderer.lines",
                                "line %u has a number that is not finite, or beyond %g m", i, MOST);
            return;
        }
    ct_line_vertex ends[2 * AT_ONCE];
    uint32_t used = 0;
    for (uint32_t i = 0; i < count; ++i) {
        ends[used++] = line_end(given[i].from, given[i].color);
        ends[used++] = line_end(given[i].to, given[i].color);
        if (used == CT_COUNT_OF(ends) || i + 1 == count) {
            ct_render_lines(renderer_of(self), ct_world_render_world(w), ends, used);
            used = 0;
        }
    }
}

static void draw_box(cuttle_plugin *self, cuttle_world *world, const cuttle_matrix4 *pose,
                     cuttle_vector3 half_extents, cuttle_color color) {
    const ct_world *const w = check_drawing(self, world, "renderer.box");
    if (!w)
        return;
    const ct_mat4 m = pose ? ct_app_mat4(pose) : ct_mat4_identity();
    if (!pose || !ct_mat4_is_finite(&m) || !ct_app_is_within(half_extents, MOST) ||
        !is_color(color)) {
        ct_app_bad_argument(self, "renderer.box", "expected a pose and finite numbers");
        return;
    }
    ct_line_object *const l = ct_line_object_create(ct_app_of_plugin(self)->allocator);
    ct_line_object_add_box(l, (ct_vec4){{color.r, color.g, color.b, color.a}}, &m,
                           ct_app_vec3(half_extents));
    ct_line_object_dispatch(l, renderer_of(self), ct_world_render_world(w));
    ct_line_object_destroy(l);
}

static void draw_sphere(cuttle_plugin *self, cuttle_world *world, cuttle_vector3 center,
                        float radius, cuttle_color color) {
    enum { SEGMENTS = 20 };
    const ct_world *const w = check_drawing(self, world, "renderer.sphere");
    if (!w)
        return;
    if (!ct_app_is_within(center, MOST) || !(radius >= 0 && (double)radius <= MOST) ||
        !is_color(color)) {
        ct_app_bad_argument(self, "renderer.sphere",
                            "expected finite numbers, and a radius from 0 to %g m", MOST);
        return;
    }
    ct_line_object *const l = ct_line_object_create(ct_app_of_plugin(self)->allocator);
    ct_line_object_add_sphere(l, (ct_vec4){{color.r, color.g, color.b, color.a}},
                              ct_app_vec3(center), radius, SEGMENTS);
    ct_line_object_dispatch(l, renderer_of(self), ct_world_render_world(w));
    ct_line_object_destroy(l);
}

// --- Meshes --------------------------------------------------------------------------------------

_Static_assert(sizeof(cuttle_mesh_vertex) == sizeof(ct_mesh_own_vertex) &&
                   offsetof(cuttle_mesh_vertex, color) == offsetof(ct_mesh_own_vertex, color),
               "vertices of plugins are the engine's");
_Static_assert(sizeof(cuttle_mesh_part) == sizeof(ct_mesh_own_part) &&
                   offsetof(cuttle_mesh_part, slot) == offsetof(ct_mesh_own_part, slot),
               "parts of plugins are the engine's");

// Returns the position of a mesh of the plugin; the count of them: it has no such mesh.
static uint32_t find_mesh(const belongings *b, const char *name) {
    uint32_t i = 0;
    while (i < b->meshes.count && strcmp(b->meshes.items[i], name) != 0)
        ++i;
    return i;
}

// Whether another plugin has made a mesh of this name.
static bool check_other_plugins(const ct_plugin *self, const char *name, ct_error *error) {
    const ct_plugin_host *const host = ct_plugin_host_of(self);
    const ct_plugin_addition *a = NULL;
    while ((a = ct_plugin_host_next_addition(host, &belongings_kind, a))) {
        const belongings *const other = a->user;
        if (a->plugin != self && find_mesh(other, name) < other->meshes.count)
            return ct_error_set(error, "the mesh \"%.255s\" is of the plugin \"%s\"", name,
                                ct_plugin_name(a->plugin));
    }
    return true;
}

static bool write_mesh(belongings *b, const char *name, const cuttle_mesh *mesh, ct_error *error) {
    ct_app *const app = b->app;
    const ct_mesh_own own = {
        .vertices = (const ct_mesh_own_vertex *)(const void *)mesh->vertices,
        .num_vertices = mesh->num_vertices,
        .indices = mesh->indices,
        .num_indices = mesh->num_indices,
        .parts = (const ct_mesh_own_part *)(const void *)mesh->parts,
        .num_parts = mesh->num_parts,
    };
    ct_blob_writer w;
    if (!ct_mesh_write(&w, app->allocator, &own, error))
        return false;
    const bool is_set = ct_resource_manager_set_made(app->resources, "mesh", name, w.bytes.items,
                                                     w.bytes.count, error);
    ct_blob_writer_free(&w);
    return is_set;
}

static bool set_mesh(cuttle_plugin *self, const char *name, const cuttle_mesh *mesh,
                     cuttle_error *error) {
    ct_error why = {0};
    belongings *const b =
        name && mesh ? belongings_of(self, &why)
                     : (ct_error_set(&why, "expected the name of a mesh, and a mesh"), NULL);
    if (!b || !check_other_plugins(self, name, &why) || !write_mesh(b, name, mesh, &why))
        return ct_plugin_error_to(error, &why);
    if (find_mesh(b, name) == b->meshes.count)
        ct_array_push(&b->meshes, ct_copy_string(b->app->allocator, name));
    return true;
}

static void remove_mesh(cuttle_plugin *self, const char *name) {
    belongings *const b = find_belongings(self);
    const uint32_t i = b && name ? find_mesh(b, name) : 0;
    if (!b || !name || i == b->meshes.count || !ct_app_may_change(self, "renderer.remove_mesh"))
        return;
    ct_resource_manager_remove_made(b->app->resources, "mesh", name);
    ct_free(b->app->allocator, b->meshes.items[i]);
    b->meshes.items[i] = b->meshes.items[--b->meshes.count];
}

// --- Objects -------------------------------------------------------------------------------------

// Returns an object; NULL when it has ended, or is none.
static own_object *find_object(const belongings *b, cuttle_render_object object) {
    const uint32_t slot = (uint32_t)object.id, generation = (uint32_t)(object.id >> 32);
    own_object *const o = b && slot < b->objects.count ? &b->objects.items[slot] : NULL;
    return o && o->world.value && o->generation == generation ? o : NULL;
}

static cuttle_render_object add_object(belongings *b, ct_render_world_id world,
                                       ct_render_object_id object) {
    uint32_t slot = b->first_free;
    if (slot)
        b->first_free = b->objects.items[slot].next_free;
    else
        ct_array_push(&b->objects, (own_object){0});
    slot = slot ? slot : b->objects.count - 1;
    own_object *const o = &b->objects.items[slot];
    *o = (own_object){world, object, o->generation + 1, 0};
    return (cuttle_render_object){(uint64_t)o->generation << 32 | slot};
}

static void free_object(belongings *b, own_object *o) {
    o->world.value = 0;
    o->next_free = b->first_free;
    b->first_free = (uint32_t)(o - b->objects.items);
}

static bool read_desc(const ct_plugin *self, const cuttle_render_object_desc *given,
                      ct_string_id64 materials[CT_MESH_MAX_MATERIALS], ct_render_object_desc *desc,
                      ct_error *error) {
    if (!given || given->num_materials > CT_MESH_MAX_MATERIALS ||
        (given->num_materials > 0 && !given->materials))
        return ct_error_set(error, "expected a description with up to %d materials",
                            CT_MESH_MAX_MATERIALS);
    if (!ct_app_find_resource(self, "mesh", given->mesh, error))
        return false;
    for (uint32_t i = 0; i < given->num_materials; ++i) {
        if (!ct_app_find_resource(self, "material", given->materials[i], error))
            return false;
        materials[i] = ct_string_id64_of(given->materials[i]);
    }
    *desc = (ct_render_object_desc){.mesh = ct_string_id64_of(given->mesh),
                                    .materials = materials,
                                    .num_materials = given->num_materials,
                                    .is_hidden = given->is_hidden,
                                    .is_shadowless = given->is_shadowless};
    return true;
}

static cuttle_render_object create_object(cuttle_plugin *self, cuttle_world *world,
                                          const cuttle_render_object_desc *given,
                                          const cuttle_matrix4 *pose, cuttle_error *error) {
    ct_error why = {0};
    ct_string_id64 materials[CT_MESH_MAX_MATERIALS];
    ct_render_object_desc desc;
    belongings *const b = belongings_of(self, &why);
    const ct_world *const w = ct_app_find_world(self, world);
    const ct_mat4 m = pose ? ct_app_mat4(pose) : ct_mat4_identity();
    bool is_fine = b != NULL;
    if (is_fine && !w)
        is_fine = ct_error_set(&why, "the world has ended");
    if (is_fine && (!pose || !ct_mat4_is_finite(&m)))
        is_fine = ct_error_set(&why, "expected a pose of finite numbers");
    if (!is_fine || !read_desc(self, given, materials, &desc, &why)) {
        ct_plugin_error_to(error, &why);
        return (cuttle_render_object){0};
    }
    const ct_render_world_id id = ct_world_render_world(w);
    return add_object(b, id, ct_render_object_create(b->app->renderer, id, &desc, &m));
}

static void destroy_objects(cuttle_plugin *self, const cuttle_render_object *objects,
                            uint32_t count) {
    belongings *const b = find_belongings(self);
    if (!ct_app_may_change(self, "renderer.destroy_objects"))
        return;
    for (uint32_t i = 0; i < count; ++i) {
        own_object *const o = find_object(b, objects[i]);
        if (!o)
            continue;
        if (is_alive(b->app, o->world))
            ct_render_objects_destroy(b->app->renderer, o->world, &o->object, 1);
        free_object(b, o);
    }
}

// Objects of one world that are next to each other, with their poses.
typedef struct move_run {
    ct_app *app;
    ct_render_world_id world;
    uint32_t count;
    ct_render_object_id objects[64];
    ct_mat4 poses[64];
} move_run;

static void send_run(move_run *run) {
    if (run->count > 0 && is_alive(run->app, run->world))
        ct_render_objects_set_poses(run->app->renderer, run->world, run->objects, run->poses,
                                    run->count);
    run->count = 0;
}

static void set_poses(cuttle_plugin *self, const cuttle_render_object *objects,
                      const cuttle_matrix4 *poses, uint32_t count) {
    const belongings *const b = find_belongings(self);
    if (!b || !ct_app_may_change(self, "renderer.set_poses"))
        return;
    move_run run = {.app = b->app};
    for (uint32_t i = 0; i < count; ++i) {
        const own_object *const o = find_object(b, objects[i]);
        if (!o)
            continue;
        if (run.world.value != o->world.value || run.count == CT_COUNT_OF(run.objects))
            send_run(&run);
        run.world = o->world;
        run.objects[run.count] = o->object;
        run.poses[run.count] = ct_app_mat4(&poses[i]);
        if (ct_mat4_is_finite(&run.poses[run.count]))
            ++run.count;
        else
            ct_app_bad_argument(self, "renderer.set_poses",
                                "pose %u has a number that is not finite; the object stays", i);
    }
    send_run(&run);
}

static void set_visible(cuttle_plugin *self, const cuttle_render_object *objects, uint32_t count,
                        bool are_visible) {
    const belongings *const b = find_belongings(self);
    if (!b || !ct_app_may_change(self, "renderer.set_visible"))
        return;
    for (uint32_t i = 0; i < count; ++i) {
        const own_object *const o = find_object(b, objects[i]);
        if (o && is_alive(b->app, o->world))
            ct_render_object_set_visible(b->app->renderer, o->world, o->object, are_visible);
    }
}

// --- Materials and settings ----------------------------------------------------------------------

static bool set_material_value(cuttle_plugin *self, const char *material, const char *parameter,
                               const float *values, uint32_t num_values, cuttle_error *error) {
    ct_error why = {0};
    bool is_fine = ct_app_may_change_or(self, &why);
    if (is_fine &&
        !(values && parameter && ((num_values >= 1 && num_values <= 4) || num_values == 16)))
        is_fine = ct_error_set(&why, "expected a parameter with 1 to 4 numbers, or 16, got %u",
                               num_values);
    for (uint32_t i = 0; is_fine && i < num_values; ++i)
        if (!isfinite(values[i]))
            is_fine = ct_error_set(&why, "value %u is not finite", i);
    is_fine = is_fine && ct_app_find_resource(self, "material", material, &why);
    if (is_fine &&
        !ct_render_material_set_parameter(renderer_of(self), ct_string_id64_of(material),
                                          ct_string_id32_of(parameter), values, num_values))
        is_fine = ct_error_set(&why, "the material \"%.255s\" has no %s \"%.128s\"", material,
                               num_values == 16 ? "matrix" : "variable", parameter);
    return is_fine || ct_plugin_error_to(error, &why);
}

static bool given_of(const cuttle_setting *value, ct_render_given *given, ct_error *error) {
    static const ct_render_given_kind kinds[] = {
        [CUTTLE_SETTING_BOOL] = CT_RENDER_GIVEN_KIND_BOOL,
        [CUTTLE_SETTING_NUMBER] = CT_RENDER_GIVEN_KIND_NUMBER,
        [CUTTLE_SETTING_VECTOR] = CT_RENDER_GIVEN_KIND_VECTOR,
        [CUTTLE_SETTING_TEXT] = CT_RENDER_GIVEN_KIND_TEXT,
    };
    if (!value || value->kind >= CT_COUNT_OF(kinds))
        return ct_error_set(error, "expected a value with a kind of cuttle_setting_kind");
    if (value->kind == CUTTLE_SETTING_TEXT && !value->text)
        return ct_error_set(error, "expected a text, got NULL");
    if (value->kind == CUTTLE_SETTING_VECTOR && (value->count < 2 || value->count > 4))
        return ct_error_set(error, "expected a vector of 2 to 4 numbers, got %u", value->count);
    *given =
        (ct_render_given){.kind = kinds[value->kind], .count = value->count, .text = value->text};
    memcpy(given->numbers, value->numbers, sizeof(given->numbers));
    return true;
}

static bool set_setting(cuttle_plugin *self, const char *name, const cuttle_setting *value,
                        cuttle_error *error) {
    ct_error why = {0};
    ct_render_given given;
    if (!name)
        ct_error_set(&why, "expected the name of a setting, got NULL");
    else if (ct_app_may_change_or(self, &why) && given_of(value, &given, &why) &&
             ct_renderer_set_setting(renderer_of(self), name, &given, &why))
        return true;
    return ct_plugin_error_to(error, &why);
}

static bool setting(cuttle_plugin *self, const char *name, cuttle_setting *value) {
    const ct_renderer_setting s =
        name ? ct_renderer_get_setting(renderer_of(self), name) : (ct_renderer_setting){0};
    if (s.type == CT_RENDER_SETTING_TYPE_NONE)
        return false;
    const uint32_t count = ct_render_setting_floats(s.type);
    *value =
        (cuttle_setting){.kind = s.type == CT_RENDER_SETTING_TYPE_BOOL     ? CUTTLE_SETTING_BOOL
                                 : s.type == CT_RENDER_SETTING_TYPE_CHOICE ? CUTTLE_SETTING_TEXT
                                 : count == 1                              ? CUTTLE_SETTING_NUMBER
                                                                           : CUTTLE_SETTING_VECTOR,
                         .count = count,
                         .text = s.choice};
    for (uint32_t i = 0; i < count && i < 4; ++i)
        value->numbers[i] = (double)s.value[i];
    return true;
}

const cuttle_renderer_api_1 ct_app_renderer_api_1 = {
    .lines = draw_lines,
    .box = draw_box,
    .sphere = draw_sphere,
    .set_mesh = set_mesh,
    .remove_mesh = remove_mesh,
    .create_object = create_object,
    .destroy_objects = destroy_objects,
    .set_poses = set_poses,
    .set_visible = set_visible,
    .set_material_value = set_material_value,
    .set_setting = set_setting,
    .setting = setting,
};
