#include "dev/inspect/inspect_values.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "dev/inspect/inspect_find.h"
#include "resource/blob/data_buffer.h"
#include "resource/types/component/render_data.h"

enum { MAX_NODES = 1000, MAX_DATA_FLOATS = 4096, MAX_TAGS = 1024 };

static void begin_field(ct_sjson_writer *w, const char *name, ct_inspect_kind kind, bool can_set) {
    const ct_inspect_field field = {.name = name, .kind = kind, .can_set = can_set};
    ct_inspect_begin_field(w, &field);
}

// --- Data ----------------------------------------------------------------------------------------

static ct_inspect_kind kind_of_data(ct_data_value value) {
    switch (value.type) {
    case CT_DATA_TYPE_BOOL:
        return CT_INSPECT_KIND_BOOLEAN;
    case CT_DATA_TYPE_FLOAT:
        return CT_INSPECT_KIND_NUMBER;
    case CT_DATA_TYPE_STRING:
        return CT_INSPECT_KIND_TEXT;
    default:
        return CT_INSPECT_KIND_NUMBERS;
    }
}

static void write_data_value(ct_sjson_writer *w, ct_data_value value) {
    if (value.type == CT_DATA_TYPE_BOOL)
        ct_sjson_write_bool(w, value.boolean);
    else if (value.type == CT_DATA_TYPE_FLOAT)
        ct_sjson_write_number(w, (double)value.number);
    else if (value.type == CT_DATA_TYPE_STRING)
        ct_sjson_write_string_bytes(w, value.text, value.count);
    else
        ct_inspect_write_floats(w, value.numbers, value.count);
}

static void write_data(ct_console_request *r, const ct_data_manager *m, ct_data_instance i) {
    ct_byte_array values;
    ct_array_init(&values, r->target->allocator);
    ct_data_copy_values(m, i, &values);
    const ct_data_buffer *const buffer = (const void *)values.items;
    for (uint32_t k = 0; buffer && k < buffer->num_keys; ++k) {
        const ct_data_value value = ct_data_buffer_value(buffer, k);
        begin_field(&r->w, ct_string_id32_name((ct_string_id32){buffer->words[k]}),
                    kind_of_data(value), true);
        write_data_value(&r->w, value);
        ct_sjson_end_object(&r->w);
    }
    ct_array_free(&values);
}

// The key that is shown by this name, or the one that the name makes.
static ct_data_key key_named(ct_console_request *r, const ct_data_manager *m, ct_data_instance i,
                             const char *name) {
    ct_data_key found = ct_data_key_of_id(ct_string_id32_register(name));
    ct_byte_array values;
    ct_array_init(&values, r->target->allocator);
    ct_data_copy_values(m, i, &values);
    const ct_data_buffer *const buffer = (const void *)values.items;
    for (uint32_t k = 0; buffer && k < buffer->num_keys; ++k) {
        if (strcmp(ct_string_id32_name((ct_string_id32){buffer->words[k]}), name) == 0)
            found.hash = buffer->words[k];
    }
    ct_array_free(&values);
    return found;
}

static bool set_data(ct_console_request *r, ct_data_manager *m, ct_data_instance i,
                     const char *field, ct_sjson_value value, ct_error *error) {
    const ct_data_key key = key_named(r, m, i, field);
    float *floats = NULL;
    ct_data_value data = {0};
    uint32_t count;
    switch (ct_sjson_type_of(r->doc, value)) {
    case CT_SJSON_TYPE_BOOL:
        data = ct_data_bool(ct_sjson_bool(r->doc, value, false));
        break;
    case CT_SJSON_TYPE_STRING:
        data = ct_data_string(ct_sjson_string(r->doc, value, ""),
                              ct_sjson_string_bytes(r->doc, value));
        break;
    case CT_SJSON_TYPE_NULL: // the key goes
        break;
    case CT_SJSON_TYPE_OBJECT:
        return ct_error_set(error,
                            "\"value\" is an object; expected a boolean, a number, a string, "
                            "an array of numbers, or null");
    default:
        floats = CT_NEW_ARRAY(r->target->allocator, float, MAX_DATA_FLOATS);
        count = ct_inspect_read_floats(r->doc, value, 1, MAX_DATA_FLOATS, floats, error);
        data = ct_sjson_type_of(r->doc, value) == CT_SJSON_TYPE_NUMBER
                   ? ct_data_float(floats[0])
                   : ct_data_floats(floats, count);
        break;
    }
    const bool is_set = !error->message[0] && ct_data_set(m, i, key, data, error);
    if (floats)
        ct_free_sized(r->target->allocator, floats, sizeof(float) * MAX_DATA_FLOATS);
    return is_set;
}

// --- Tags ----------------------------------------------------------------------------------------

static void write_tags(ct_sjson_writer *w, const ct_tag_manager *m, ct_entity e) {
    begin_field(w, "tags", CT_INSPECT_KIND_NAMES, true);
    ct_sjson_begin_array(w);
    for (uint32_t i = 0; i < ct_tag_count(m, e); ++i)
        ct_sjson_write_string(w, ct_string_id32_name(ct_tag_at(m, e, i)));
    ct_sjson_end_array(w);
    ct_sjson_end_object(w);
}

// A number such as "#5e43bd96" is that of a tag whose text is not known.
static ct_string_id32 tag_named(const char *name) {
    char *end = NULL;
    const unsigned long number = name[0] == '#' ? strtoul(name + 1, &end, 16) : 0;
    if (end && *end == '\0' && strlen(name) == 9)
        return (ct_string_id32){(uint32_t)number};
    return ct_string_id32_register(name);
}

static bool set_tags(ct_console_request *r, ct_tag_manager *m, ct_entity e, ct_sjson_value value,
                     ct_error *error) {
    const uint32_t count = ct_sjson_count(r->doc, value);
    bool is_good = ct_sjson_type_of(r->doc, value) == CT_SJSON_TYPE_ARRAY && count <= MAX_TAGS;
    ct_sjson_value item = ct_sjson_first(r->doc, value);
    for (; is_good && item.entry; item = ct_sjson_next(r->doc, item)) {
        const char *const name = ct_console_name(r, item);
        is_good = name && name[0] != '\0' && tag_named(name).value != 0;
    }
    if (!is_good)
        return ct_error_set(error, "\"value\" is %s; expected an array of at most %d names",
                            ct_sjson_type_name(ct_sjson_type_of(r->doc, value)), (int)MAX_TAGS);
    ct_tag_remove_all(m, &e, 1);
    for (item = ct_sjson_first(r->doc, value); item.entry; item = ct_sjson_next(r->doc, item))
        ct_tag_add(m, &e, 1, tag_named(ct_console_name(r, item)));
    return true;
}

// --- Meshes --------------------------------------------------------------------------------------

static void write_materials(ct_sjson_writer *w, const ct_world *world, uint32_t instance) {
    ct_mesh_data data;
    const uint32_t count =
        ct_mesh_read(ct_world_meshes(world), (ct_mesh_instance){instance}, &data);
    begin_field(w, "materials", CT_INSPECT_KIND_REFERENCES, true);
    ct_sjson_begin_array(w);
    for (uint32_t i = 0; i < count; ++i) {
        if (data.materials[i].value)
            ct_sjson_write_string(w, ct_string_id64_name(data.materials[i]));
        else
            ct_sjson_write_null(w);
    }
    ct_sjson_end_array(w);
    ct_sjson_end_object(w);
}

static bool set_materials(ct_console_request *r, const ct_world *world, uint32_t instance,
                          ct_sjson_value value, ct_error *error) {
    ct_string_id64 materials[CT_MESH_MAX_MATERIALS] = {{0}};
    const uint32_t count = ct_sjson_count(r->doc, value);
    if (ct_sjson_type_of(r->doc, value) != CT_SJSON_TYPE_ARRAY || count > CT_MESH_MAX_MATERIALS)
        return ct_error_set(error, "\"value\" is %s; expected an array of at most %d materials",
                            ct_sjson_type_name(ct_sjson_type_of(r->doc, value)),
                            (int)CT_MESH_MAX_MATERIALS);
    ct_sjson_value item = ct_sjson_first(r->doc, value);
    for (uint32_t i = 0; i < count; ++i, item = ct_sjson_next(r->doc, item)) {
        if (!ct_inspect_read_reference(r, item, "material", &materials[i], error))
            return false;
    }
    for (uint32_t i = 0; i < CT_MESH_MAX_MATERIALS; ++i)
        ct_mesh_set_material(ct_world_meshes(world), (ct_mesh_instance){instance}, i, materials[i]);
    return true;
}

static ct_inspect_kind kind_of_count(uint32_t count) {
    static const ct_inspect_kind kinds[] = {CT_INSPECT_KIND_NUMBER, CT_INSPECT_KIND_VECTOR2,
                                            CT_INSPECT_KIND_VECTOR3, CT_INSPECT_KIND_VECTOR4};
    return count >= 1 && count <= 4 ? kinds[count - 1] : CT_INSPECT_KIND_NUMBERS;
}

static void write_render_data(ct_sjson_writer *w, const ct_world *world, uint32_t instance) {
    uint32_t count;
    const ct_render_data_value *const values = ct_render_data_values(
        ct_world_render_data(world), (ct_render_data_instance){instance}, &count);
    for (uint32_t i = 0; i < count; ++i) {
        begin_field(w, ct_string_id32_name(values[i].name), kind_of_count(values[i].num_floats),
                    true);
        if (values[i].num_floats == 1)
            ct_sjson_write_number(w, (double)values[i].value[0]);
        else
            ct_inspect_write_floats(w, values[i].value, values[i].num_floats);
        ct_sjson_end_object(w);
    }
}

static bool set_render_data(const ct_console_request *r, const ct_world *world, uint32_t instance,
                            const char *field, ct_sjson_value value, ct_error *error) {
    ct_render_data_manager *const m = ct_world_render_data(world);
    uint32_t count;
    const ct_render_data_value *const values =
        ct_render_data_values(m, (ct_render_data_instance){instance}, &count);
    for (uint32_t i = 0; i < count; ++i) {
        float floats[4] = {0};
        if (strcmp(ct_string_id32_name(values[i].name), field) != 0)
            continue;
        const uint32_t wanted = values[i].num_floats;
        return ct_inspect_read_floats(r->doc, value, wanted, wanted, floats, error) &&
               ct_render_data_set(m, (ct_render_data_instance){instance}, values[i].name, floats,
                                  wanted);
    }
    return false;
}

// --- Nodes ---------------------------------------------------------------------------------------

static void write_node(ct_sjson_writer *w, const ct_scene_graph_manager *m, ct_scene_graph g,
                       uint32_t n) {
    const ct_vec3 position = ct_scene_graph_local_position(m, g, n);
    const ct_quat rotation = ct_scene_graph_local_rotation(m, g, n);
    const ct_vec3 scale = ct_scene_graph_local_scale(m, g, n);
    ct_sjson_begin_object(w);
    ct_sjson_member_string(w, "name", ct_string_id32_name(ct_scene_graph_name(m, g, n)));
    ct_sjson_member_number(w, "parent", ct_scene_graph_parent(m, g, n));
    ct_sjson_write_key(w, "position");
    ct_inspect_write_floats(w, &position.x, 3);
    ct_sjson_write_key(w, "rotation");
    ct_inspect_write_floats(w, &rotation.x, 4);
    ct_sjson_write_key(w, "scale");
    ct_inspect_write_floats(w, &scale.x, 3);
    ct_sjson_end_object(w);
}

static void write_nodes(ct_sjson_writer *w, const ct_world *world, ct_entity e) {
    const ct_scene_graph_manager *const m = ct_world_scene_graphs(world);
    const ct_scene_graph g = ct_scene_graph_lookup(m, e);
    const uint32_t count = ct_scene_graph_num_nodes(m, g);
    begin_field(w, "num_nodes", CT_INSPECT_KIND_INTEGER, false);
    ct_sjson_write_number(w, count);
    ct_sjson_end_object(w);
    begin_field(w, "nodes", CT_INSPECT_KIND_NODES, false);
    ct_sjson_begin_array(w);
    for (uint32_t n = 1; n <= count && n <= MAX_NODES; ++n)
        write_node(w, m, g, n);
    ct_sjson_end_array(w);
    ct_sjson_end_object(w);
}

// --- All -----------------------------------------------------------------------------------------

// The data component of an inspected instance.
static ct_data_instance data_of(ct_console_request *r, ct_entity e,
                                const ct_inspected_component *c) {
    return ct_data_with_id(ct_world_system_data(ct_app_worlds(r->target->app)), e, c->id);
}

void ct_inspect_write_values(ct_console_request *r, ct_world *world, ct_entity e,
                             const ct_inspected_component *c) {
    ct_world_system *const worlds = ct_app_worlds(r->target->app);
    if (strcmp(c->type, "data") == 0)
        write_data(r, ct_world_system_data(worlds), data_of(r, e, c));
    else if (strcmp(c->type, "tag") == 0)
        write_tags(&r->w, ct_world_system_tags(worlds), e);
    else if (strcmp(c->type, "mesh") == 0)
        write_materials(&r->w, world, c->instance);
    else if (strcmp(c->type, "render_data") == 0)
        write_render_data(&r->w, world, c->instance);
    else if (strcmp(c->type, "scene_graph") == 0)
        write_nodes(&r->w, world, e);
}

bool ct_inspect_set_value(ct_console_request *r, ct_world *world, ct_entity e,
                          const ct_inspected_component *c, const char *field, ct_sjson_value value,
                          ct_error *error) {
    ct_world_system *const worlds = ct_app_worlds(r->target->app);
    if (strcmp(c->type, "data") == 0)
        return set_data(r, ct_world_system_data(worlds), data_of(r, e, c), field, value, error);
    if (strcmp(c->type, "tag") == 0 && strcmp(field, "tags") == 0)
        return set_tags(r, ct_world_system_tags(worlds), e, value, error);
    if (strcmp(c->type, "mesh") == 0 && strcmp(field, "materials") == 0)
        return set_materials(r, world, c->instance, value, error);
    if (strcmp(c->type, "render_data") == 0)
        return set_render_data(r, world, c->instance, field, value, error);
    return false;
}
