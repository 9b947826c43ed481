#include "dev/inspect/inspect_find.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

uint32_t ct_inspect_world_number(const ct_world *w) {
    return ct_world_render_world(w).value;
}

ct_world *ct_inspect_world_numbered(const ct_world_system *worlds, double number) {
    for (uint32_t i = 0; i < ct_world_system_num_worlds(worlds); ++i) {
        ct_world *const w = ct_world_system_world(worlds, i);
        if (ct_inspect_world_number(w) == number)
            return w;
    }
    return NULL;
}

ct_world *ct_inspect_world(ct_console_request *r) {
    const ct_world_system *const worlds = ct_app_worlds(r->target->app);
    const uint32_t count = ct_world_system_num_worlds(worlds);
    if (count == 0) {
        ct_error_set(&r->error, "the game has no world now");
        return NULL;
    }
    const double number = ct_console_number(r, "world", -1);
    ct_world *const found =
        number == -1 ? ct_world_system_world(worlds, 0) : ct_inspect_world_numbered(worlds, number);
    if (found)
        return found;
    char names[256] = "";
    for (uint32_t i = 0; i < count && strlen(names) + 16 < sizeof(names); ++i)
        snprintf(names + strlen(names), sizeof(names) - strlen(names), "%s%u", i ? ", " : "",
                 ct_inspect_world_number(ct_world_system_world(worlds, i)));
    ct_error_set(&r->error, "\"world\" is %.15g, which has ended or never was; expected one of %s",
                 number, names);
    return NULL;
}

ct_entity ct_inspect_entity(ct_console_request *r, double id, const char *name, ct_world **world) {
    const ct_world_system *const worlds = ct_app_worlds(r->target->app);
    const ct_entity e = {id >= 0 && id <= UINT32_MAX ? (uint32_t)id : 0};
    *world = e.id == id && ct_entity_is_well_formed(e) ? ct_world_of(worlds, e) : NULL;
    if (*world)
        return e;
    ct_error_set(
        &r->error,
        "\"%s\" is %.15g, which is no living entity of a world; expected the number of one "
        "from entity_list",
        name, id);
    return (ct_entity){0};
}

void ct_inspect_write_id64(ct_sjson_writer *w, const char *key, ct_string_id64 id) {
    if (id.value)
        ct_sjson_member_string(w, key, ct_string_id64_name(id));
}

void ct_inspect_write_floats(ct_sjson_writer *w, const float *values, uint32_t count) {
    ct_sjson_begin_array(w);
    for (uint32_t i = 0; i < count; ++i)
        ct_sjson_write_number(w, (double)values[i]);
    ct_sjson_end_array(w);
}
