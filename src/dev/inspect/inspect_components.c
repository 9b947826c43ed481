// What an entity has, and setting it.
#include <string.h>

#include "dev/debugger/debugger.h"
#include "dev/inspect/inspect_entities.h"
#include "dev/inspect/inspect_fields.h"
#include "dev/inspect/inspect_find.h"
#include "dev/inspect/inspect_values.h"
#include "foundation/memory/allocator.h"
#include "script/debug/script_inspect.h"

static const char script_type[] = "script";

// Returns false with r->error where a debugger has stopped the game in the middle of jobs, which may read what a message
// would set.
static bool check_stop(ct_console_request *r) {
    if (ct_debugger_can_inspect(r->target->debugger))
        return true;
    CT_CLEANUP(ct_string_builder_free) ct_string_builder place;
    ct_string_builder_init(&place, r->target->allocator);
    ct_debugger_describe_stop(r->target->debugger, &place);
    return ct_error_set(&r->error,
                        "the game has stopped %.200s while jobs run, so components can be neither "
                        "read nor set; go on, or stop in Lua outside of jobs",
                        ct_string_builder_text(&place));
}

// --- entity_components ---------------------------------------------------------------------------

static void begin_component(ct_sjson_writer *w, const char *type, uint32_t place) {
    ct_sjson_begin_object(w);
    ct_sjson_member_string(w, "type", type);
    ct_sjson_member_number(w, "place", place);
}

static void write_component(ct_console_request *r, ct_world *world, ct_entity e,
                            const ct_inspected_component *c) {
    begin_component(&r->w, c->type, c->place);
    if (c->id)
        ct_sjson_member_string(&r->w, "id", ct_string_id32_name((ct_string_id32){c->id}));
    ct_sjson_write_key(&r->w, "fields");
    ct_sjson_begin_array(&r->w);
    for (uint32_t i = 0; i < c->num_fields; ++i) {
        const ct_inspect_field field = ct_inspect_describe(c->type, &c->fields[i]);
        if (field.kind == CT_INSPECT_KIND_NONE)
            continue;
        ct_inspect_begin_field(&r->w, &field);
        ct_inspect_write_value(&r->w, &field, &c->fields[i], c->row);
        ct_sjson_end_object(&r->w);
    }
    ct_inspect_write_values(r, world, e, c);
    ct_sjson_end_array(&r->w);
    ct_sjson_end_object(&r->w);
}

static void write_scripts(ct_console_request *r, ct_world *world, ct_entity e) {
    ct_script *const script = ct_app_script(r->target->app);
    const uint32_t count = ct_script_inspect_count(script, world, e);
    for (uint32_t i = 0; i < count; ++i) {
        begin_component(&r->w, script_type, i);
        ct_sjson_member_string(&r->w, "script", ct_script_inspect_name(script, world, e, i));
        ct_sjson_write_key(&r->w, "fields");
        ct_sjson_begin_array(&r->w);
        ct_script_inspect_write(script, world, e, i, &r->w);
        ct_sjson_end_array(&r->w);
        ct_sjson_end_object(&r->w);
    }
}

bool ct_inspect_run_entity_components(ct_console_request *r) {
    ct_world_system *const worlds = ct_app_worlds(r->target->app);
    ct_world *world;
    if (!check_stop(r))
        return false;
    const ct_entity e = ct_inspect_entity(r, ct_console_number(r, "entity", 0), "entity", &world);
    const char *const type = ct_console_text(r, "component");
    uint32_t count, place;
    if (!e.id)
        return false;
    ct_sjson_member_number(&r->w, "world", ct_inspect_world_number(world));
    const ct_level level = ct_world_find_level_unit(world, ct_world_unit_of(world, e), &place);
    ct_inspect_write_entity(&r->w, worlds, world, e, level.id);
    ct_world_inspection *const n = ct_world_inspect(world, e, type);
    const ct_inspected_component *const all = ct_world_inspected(n, &count);
    ct_sjson_write_key(&r->w, "components");
    ct_sjson_begin_array(&r->w);
    for (uint32_t i = 0; i < count; ++i)
        write_component(r, world, e, &all[i]);
    if (!type || strcmp(type, script_type) == 0)
        write_scripts(r, world, e);
    ct_sjson_end_array(&r->w);
    ct_world_inspection_free(n);
    return true;
}

// --- entity_set ----------------------------------------------------------------------------------

// What a message wants to set.
typedef struct setting {
    ct_world *world;
    ct_entity entity;
    const char *component, *field;
    uint32_t place;
    ct_sjson_value value;
} setting;

static bool refuse_field(const setting *s, const ct_inspected_component *c, ct_error *error) {
    const char *names[64];
    uint32_t count = 0;
    for (uint32_t i = 0; i < c->num_fields && count < CT_COUNT_OF(names); ++i)
        names[count++] = c->fields[i].name;
    const char *const nearest = ct_nearest_name(s->field, names, count);
    return ct_error_set(
        error, "the component \"%.64s\" has no field \"%.64s\" that can be set%s%s%s", s->component,
        s->field, nearest ? "; did you mean \"" : "", nearest ? nearest : "", nearest ? "\"?" : "");
}

static const ct_save_field *field_named(const ct_inspected_component *c, const char *name) {
    for (uint32_t i = 0; i < c->num_fields; ++i) {
        if (strcmp(c->fields[i].name, name) == 0)
            return &c->fields[i];
    }
    return NULL;
}

static bool set_row(ct_console_request *r, const setting *s, const ct_inspected_component *c) {
    const ct_save_field *const save = field_named(c, s->field);
    if (!save)
        return refuse_field(s, c, &r->error);
    const ct_inspect_field field = ct_inspect_describe(c->type, save);
    if (!field.can_set)
        return ct_error_set(&r->error,
                            "the field \"%.64s\" of \"%.64s\" cannot be set while the "
                            "game runs",
                            s->field, s->component);
    ct_allocator *const a = r->target->allocator;
    const uint32_t bytes = c->row_bytes;
    uint8_t *const row = ct_alloc(a, bytes);
    memcpy(row, c->row, bytes);
    const bool is_set =
        ct_inspect_read_value(r, s->value, &field, save, row, &r->error) &&
        ct_world_inspect_set(s->world, s->entity, c->type, c->instance, row, &r->error);
    ct_free_sized(a, row, bytes);
    return is_set;
}

static const ct_inspected_component *find_component(const ct_world_inspection *n,
                                                    const setting *s) {
    uint32_t count;
    const ct_inspected_component *const all = ct_world_inspected(n, &count);
    for (uint32_t i = 0; i < count; ++i) {
        if (all[i].place == s->place)
            return &all[i];
    }
    return NULL;
}

static bool refuse_component(const setting *s, ct_error *error) {
    return ct_error_set(error,
                        "the entity has no component \"%.64s\" at place %u; "
                        "entity_components lists those that it has",
                        s->component, s->place);
}

static bool set_component(ct_console_request *r, const setting *s) {
    ct_world_inspection *const n = ct_world_inspect(s->world, s->entity, s->component);
    const ct_inspected_component *const c = find_component(n, s);
    bool is_set = false;
    if (!c)
        refuse_component(s, &r->error);
    else if (ct_inspect_set_value(r, s->world, s->entity, c, s->field, s->value, &r->error))
        is_set = true;
    else if (!r->error.message[0])
        is_set = set_row(r, s, c);
    ct_world_inspection_free(n);
    return is_set;
}

// Answers with the value that the field has now, which may differ: rotations are normalised.
static void write_now(ct_console_request *r, const setting *s) {
    ct_world_inspection *const n = ct_world_inspect(s->world, s->entity, s->component);
    const ct_inspected_component *const c = find_component(n, s);
    ct_sjson_write_key(&r->w, "component");
    if (c) {
        write_component(r, s->world, s->entity, c);
    } else {
        ct_script *const script = ct_app_script(r->target->app);
        begin_component(&r->w, s->component, s->place);
        ct_sjson_member_string(&r->w, "script",
                               ct_script_inspect_name(script, s->world, s->entity, s->place));
        ct_sjson_write_key(&r->w, "fields");
        ct_sjson_begin_array(&r->w);
        ct_script_inspect_write(script, s->world, s->entity, s->place, &r->w);
        ct_sjson_end_array(&r->w);
        ct_sjson_end_object(&r->w);
    }
    ct_world_inspection_free(n);
}

bool ct_inspect_run_entity_set(ct_console_request *r) {
    setting s = {.component = ct_console_text(r, "component"),
                 .field = ct_console_text(r, "field"),
                 .place = ct_console_whole(r, "place", UINT32_MAX, 0),
                 .value = ct_sjson_find(r->doc, r->root, "value")};
    if (!check_stop(r))
        return false;
    s.entity = ct_inspect_entity(r, ct_console_number(r, "entity", 0), "entity", &s.world);
    if (!s.component || !s.field)
        return ct_error_set(&r->error, "\"component\" or \"field\" has a zero byte");
    if (r->error.message[0])
        return false;
    ct_script *const script = ct_app_script(r->target->app);
    const bool is_script = strcmp(s.component, script_type) == 0;
    if (is_script && s.place >= ct_script_inspect_count(script, s.world, s.entity))
        return refuse_component(&s, &r->error);
    const bool is_set = is_script ? ct_script_inspect_set(script, s.world, s.entity, s.place,
                                                          s.field, r->doc, s.value, &r->error)
                                  : set_component(r, &s);
    if (is_set)
        write_now(r, &s);
    return is_set;
}
