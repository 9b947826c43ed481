#include "blob_uses.h"

#include <stdio.h>
#include <string.h>

#include "dump_text.h"
#include "resource/blob/data_buffer.h"
#include "resource/catalog.h"
#include "resource/types/component/actor_data.h"
#include "resource/types/component/tag_data.h"
#include "resource/types/component_resource.h"
#include "resource/types/config_resource.h"
#include "resource/types/font_resource.h"
#include "resource/types/input_resource.h"
#include "resource/types/mesh_resource.h"
#include "resource/types/render_config_resource.h"
#include "resource/types/shader_resource.h"
#include "resource/types/strings_resource.h"
#include "resource/types/texture_resource.h"
#include "resource/types/unit_resource.h"

enum { PATH_BYTES = 1024, MOST_VERTICES = 2048 }; // of a mesh: all are unpacked alike

static void print_floats(const float *values, uint32_t count) {
    for (uint32_t i = 0; i < count; ++i)
        dump_text_float(values[i]);
}

// --- Meshes --------------------------------------------------------------------------------------

static void use_mesh(const ct_mesh_resource *m) {
    for (uint32_t i = 0; i < m->num_vertices && i < MOST_VERTICES; ++i) {
        const ct_mesh_vertex v = ct_mesh_vertex_at(m, i);
        const ct_mesh_vertex_extra e = ct_mesh_extra_at(m, i);
        float position[3];
        ct_mesh_position_at(m, i, position);
        dump_text_place_at("vertex", i);
        print_floats(v.position, 3);
        print_floats(v.normal, 3);
        print_floats(v.tangent, 4);
        print_floats(v.uv, 2);
        print_floats(position, 3);
        print_floats(e.uv1, 2);
        for (uint32_t k = 0; k < 4; ++k)
            dump_text_number(e.color[k], 2);
        dump_text_line_end();
    }
    uint32_t num_shapes;
    const ct_mesh_shape *const shapes = ct_mesh_shapes(m, &num_shapes);
    for (uint32_t i = 0; i < num_shapes; ++i) {
        dump_text_place_at("shape", i);
        print_floats(ct_mesh_shape_points(m, &shapes[i]), 3);
        dump_text_number(ct_mesh_shape_indices(m, &shapes[i])[0], 4);
        dump_text_line_end();
    }
    uint32_t num_joints;
    const ct_mesh_skin_joint *const joints = ct_mesh_skin_joints(m, &num_joints);
    for (uint32_t i = 0; i < num_joints; ++i) {
        dump_text_place_at("joint", i);
        print_floats(joints[i].inverse_bind[0], 12);
        print_floats(joints[i].center, 3);
        print_floats(&joints[i].radius, 1);
        dump_text_line_end();
    }
    for (uint32_t i = 0; i < m->influences.count && i < MOST_VERTICES; ++i) {
        const ct_mesh_influences8 all = ct_mesh_influences_at(m, i);
        dump_text_place_at("influences", i);
        for (uint32_t k = 0; k < CT_MESH_MAX_INFLUENCES; ++k) {
            dump_text_number(all.joints[k], 1);
            dump_text_number(all.weights[k], 1);
        }
        dump_text_line_end();
    }
    dump_text_place("triangles");
    dump_text_number(ct_mesh_num_triangles(m), 4);
    dump_text_line_end();
}

// --- Units and levels ----------------------------------------------------------------------------

static void use_data_value(const ct_data_buffer *b, uint32_t place) {
    const ct_data_value v = ct_data_buffer_get(b, (ct_data_key){b->words[place]});
    dump_text_place_at("value", place);
    dump_text_number(b->words[place], 4);
    dump_text_number(v.type, 1);
    if (v.type == CT_DATA_TYPE_BOOL)
        dump_text_number(v.boolean, 1);
    else if (v.type == CT_DATA_TYPE_FLOAT)
        dump_text_float(v.number);
    else if (v.type == CT_DATA_TYPE_STRING)
        dump_text_string(v.text, v.count);
    else
        print_floats(v.numbers, v.count);
    dump_text_line_end();
}

static void use_data(const void *bytes) {
    const ct_data_buffer *const b = bytes;
    for (uint32_t place = 0; place < b->num_keys; ++place)
        use_data_value(b, place);
}

static void use_tags(const void *bytes) {
    const ct_tag_data *const data = bytes;
    for (uint32_t i = 0; i < data->num_tags; ++i) {
        const char *const text = ct_tag_data_text(data, i);
        dump_text_place_at("tag", i);
        dump_text_number(data->tags[i].value, 4);
        dump_text_string(text, (uint32_t)strlen(text));
        dump_text_line_end();
    }
}

static void use_shapes(const ct_actor_shape_data *shapes, uint32_t count) {
    for (uint32_t i = 0; i < count; ++i) {
        dump_text_place_at("shape", i);
        dump_text_number(shapes[i].type, 4);
        print_floats(shapes[i].position, 3);
        print_floats(shapes[i].rotation, 4);
        print_floats(shapes[i].half_size, 3);
        print_floats(&shapes[i].radius, 1);
        print_floats(&shapes[i].height, 1);
        dump_text_number(shapes[i].part.value, 4);
        dump_text_number(shapes[i].resource.value, 8);
        dump_text_line_end();
    }
}

// The members that it uses when its template gives none.
static void use_actor(const void *bytes) {
    const ct_actor_data *const actor = bytes;
    ct_actor_data used;
    ct_actor_data_combine(NULL, actor, &used);
    dump_text_place("actor");
    dump_text_number(used.name.value, 4);
    dump_text_number(used.node.value, 4);
    dump_text_number(used.body, 4);
    dump_text_number(used.material.value, 4);
    dump_text_number(used.given, 4);
    print_floats(&used.mass, 1);
    dump_text_string(used.lock_rotation, (uint32_t)strlen(used.lock_rotation));
    dump_text_line_end();
    use_shapes(ct_actor_shapes(actor), actor->num_shapes);
}

static void use_trigger(const void *bytes) {
    const ct_trigger_data *const trigger = bytes;
    dump_text_place("trigger");
    dump_text_number(trigger->name.value, 4);
    dump_text_number(trigger->filter.value, 4);
    dump_text_number(trigger->is_enabled, 4);
    for (uint32_t i = 0; i < trigger->num_tags; ++i)
        dump_text_number(ct_trigger_tags(trigger)[i].value, 4);
    dump_text_line_end();
    use_shapes(ct_trigger_shapes(trigger), trigger->num_shapes);
}

// What uses the bytes of a type of varying size.
static void (*use_of(ct_string_id32 type))(const void *bytes) {
    if (type.value == ct_component_type_named("data")->id.value)
        return use_data;
    if (type.value == ct_component_type_named("actor")->id.value)
        return use_actor;
    if (type.value == ct_component_type_named("trigger")->id.value)
        return use_trigger;
    return type.value == ct_component_type_named("tag")->id.value ? use_tags : NULL;
}

static void use_template(const void *blob, const ct_entity_template *t) {
    const ct_component_instances *const types = ct_blob_at(blob, t->component_types.offset);
    for (uint32_t i = 0; i < t->component_types.count; ++i) {
        void (*const use)(const void *) = use_of(types[i].type);
        const uint32_t *const offsets = use ? ct_blob_at(blob, types[i].offsets.offset) : NULL;
        for (uint32_t k = 0; use && k + 1 < types[i].offsets.count; ++k) {
            const uint32_t before = dump_text_enter_at("instance", k);
            use(ct_blob_at(blob, types[i].data.offset + offsets[k]));
            dump_text_leave(before);
        }
    }
}

// Prints floats of a blob, `width` to a line.
static void print_rows(const char *name, const void *blob, ct_blob_array array, uint32_t width) {
    const float *const numbers = ct_blob_at(blob, array.offset);
    for (uint32_t i = 0; i < array.count; ++i) {
        dump_text_place_at(name, i);
        print_floats(numbers + (size_t)i * width, width);
        dump_text_line_end();
    }
}

static void use_level(const ct_level_resource *l) {
    const ct_level_volume *const volumes = ct_blob_at(l, l->volumes.offset);
    const ct_level_spline *const splines = ct_blob_at(l, l->splines.offset);
    const ct_level_marker *const markers = ct_blob_at(l, l->markers.offset);
    use_template(l, &l->entities);
    for (uint32_t i = 0; i < l->volumes.count; ++i) {
        dump_text_place_at("volume", i);
        dump_text_string(ct_blob_at(l, volumes[i].name_text.offset), volumes[i].name_text.bytes);
        print_floats(volumes[i].half_size, 3);
        dump_text_line_end();
        print_rows("plane", l, volumes[i].planes, 4);
        print_rows("point", l, volumes[i].points, 3);
    }
    for (uint32_t i = 0; i < l->splines.count; ++i) {
        dump_text_place_at("spline", i);
        dump_text_number(splines[i].is_closed, 4);
        dump_text_line_end();
        print_rows("control", l, splines[i].controls, 3);
        print_rows("length", l, splines[i].lengths, 1);
    }
    for (uint32_t i = 0; i < l->markers.count; ++i) {
        dump_text_place_at("marker", i);
        print_floats(markers[i].position, 3);
        print_floats(markers[i].rotation, 4);
        dump_text_line_end();
    }
}

// --- Fonts ---------------------------------------------------------------------------------------

static void use_font(const ct_font_resource *f) {
    const ct_font_glyph *const glyphs = ct_blob_at(f, f->glyphs.offset);
    for (uint32_t i = 0; i < f->glyphs.count; ++i) {
        const ct_font_glyph *const g = ct_font_find_glyph(f, glyphs[i].glyph);
        dump_text_place_at("glyph", i);
        print_floats(&g->left, 1);
        print_floats(&g->top, 1);
        print_floats(&g->advance, 1);
        dump_text_line_end();
    }
}

// --- Textures and shaders ------------------------------------------------------------------------

static void use_texture(const ct_texture_resource *t) {
    dump_text_place("layer_bytes");
    dump_text_number(ct_texture_layer_bytes(t->format, t->width, t->height), 8);
    dump_text_number(ct_texture_full_chain(t->width, t->height), 4);
    dump_text_line_end();
}

static void use_shader(const ct_shader_resource *s) {
    const ct_shader_parameter *const parameters = ct_blob_at(s, s->parameters.offset);
    for (uint32_t i = 0; i < s->parameters.count; ++i) {
        dump_text_place_at("parameter", i);
        print_floats(parameters[i].default_value, ct_shader_parameter_floats(parameters[i].type));
        dump_text_line_end();
    }
    for (uint32_t i = 0; i < s->variants.count; ++i) {
        const ct_shader_state *const state = ct_shader_state_of(s, i);
        dump_text_place_at("state", i);
        dump_text_number(state->layer.value, 4);
        dump_text_number(state->blend, 4);
        dump_text_line_end();
    }
}

// --- Render configs ------------------------------------------------------------------------------

static void use_render_config(const ct_render_config_resource *c) {
    const ct_render_setting *const settings = ct_blob_at(c, c->settings.offset);
    const ct_render_target *const targets = ct_blob_at(c, c->targets.offset);
    float values[CT_RENDER_MAX_SETTINGS][4];
    for (uint32_t i = 0; i < c->settings.count; ++i) {
        const char *const name = ct_blob_at(c, settings[i].name.offset);
        memcpy(values[i], settings[i].default_value, sizeof(values[i]));
        dump_text_place(name);
        dump_text_number(ct_render_setting_find(c, settings, c->settings.count, name), 4);
        print_floats(values[i], ct_render_setting_floats(settings[i].type));
        dump_text_line_end();
    }
    for (uint32_t i = 0; i < c->targets.count; ++i) {
        const ct_render_target t = ct_render_target_with(c, &targets[i], values[0]);
        dump_text_place_at("target", i);
        dump_text_number(t.format, 4);
        dump_text_float(t.width_scale);
        dump_text_number(t.width, 4);
        dump_text_line_end();
    }
}

// --- Configs, input, strings ---------------------------------------------------------------------

// Asks for every value below `node`, whose path is `path`, by path.
static void use_config_node(const ct_config_resource *c, const ct_config_node *node,
                            const char *path) {
    const ct_config_node *const nodes = ct_blob_at(c, c->nodes.offset);
    const char *const text = ct_config_string(c, path, "");
    dump_text_place(path);
    dump_text_number(ct_config_find(c, path) != NULL, 1);
    dump_text_double(ct_config_number(c, path, -1));
    dump_text_number(ct_config_bool(c, path, false), 1);
    dump_text_string(text, strlen(text));
    dump_text_line_end();
    for (uint32_t i = 0; node->type == CT_SJSON_TYPE_OBJECT && i < node->count; ++i) {
        const ct_config_node *const child = &nodes[node->first + i];
        char child_path[PATH_BYTES];
        snprintf(child_path, sizeof(child_path), "%s%s%s", path, *path ? "." : "",
                 (const char *)ct_blob_at(c, child->key.offset));
        use_config_node(c, child, child_path);
    }
}

static void use_input(const ct_input_resource *r) {
    const ct_input_binding *const bindings = ct_blob_at(r, r->bindings.offset);
    for (uint32_t i = 0; i < r->bindings.count; ++i) {
        dump_text_place_at("binding", i);
        for (uint32_t k = 0; k < CT_COUNT_OF(bindings[i].controls); ++k) {
            char text[CT_INPUT_CONTROL_TEXT_BYTES];
            ct_input_control_format(bindings[i].controls[k], bindings[i].modifiers, text);
            dump_text_string(text, strlen(text));
        }
        dump_text_line_end();
    }
}

// Every key's text without a number and for some.
static void use_strings(const ct_strings_resource *s) {
    static const double counts[] = {0, 1, 2, 5, 21, 1.5};
    const ct_strings_entry *const entries = ct_blob_at(s, s->entries.offset);
    for (uint32_t i = 0; i < s->entries.count; ++i) {
        const char *const key = ct_blob_at(s, entries[i].key.offset);
        const ct_strings_entry *const found = ct_strings_find(s, key, entries[i].key.bytes);
        dump_text_place(key);
        dump_text_number(found ? (uint32_t)(found - entries) : UINT32_MAX, 4);
        for (uint32_t k = 0; found && k <= CT_COUNT_OF(counts); ++k) {
            const ct_blob_string text = ct_strings_text(s, found, k > 0 ? &counts[k - 1] : NULL);
            dump_text_string(ct_blob_at(s, text.offset), text.bytes);
        }
        dump_text_line_end();
    }
}

// --- The catalog ---------------------------------------------------------------------------------

// Finds every entry, and the variant that is chosen with each of the properties that there are.
static void use_catalog(const ct_catalog *c) {
    const ct_string_id64 *const properties = ct_blob_at(c, c->properties.offset);
    const ct_catalog_variant *const variants = ct_blob_at(c, c->variants.offset);
    for (uint32_t i = 0; i < c->entries.count; ++i) {
        const char *const name = ct_catalog_name(c, i);
        dump_text_place(name ? name : "");
        dump_text_number(ct_catalog_find(c, ct_catalog_entries(c)[i].id), 4);
        for (uint32_t k = 0; k <= c->properties.count; ++k) {
            ct_preference_order order = {.count = k > 0};
            if (k > 0)
                order.properties[0] = properties[k - 1];
            const ct_catalog_variant *const chosen = ct_catalog_choose(c, i, &order);
            dump_text_number(chosen ? (uint32_t)(chosen - variants) : UINT32_MAX, 4);
        }
        dump_text_line_end();
    }
}

void blob_uses_print(const char *type, const ct_blob_header *blob) {
    const ct_config_resource *const config = (const void *)blob;
    const uint32_t before = dump_text_enter("uses");
    if (strcmp(type, "config") == 0)
        use_config_node(config, ct_blob_at(config, config->nodes.offset), "");
    else if (strcmp(type, "font") == 0)
        use_font((const void *)blob);
    else if (strcmp(type, "input") == 0)
        use_input((const void *)blob);
    else if (strcmp(type, "strings") == 0)
        use_strings((const void *)blob);
    else if (strcmp(type, "texture") == 0)
        use_texture((const void *)blob);
    else if (strcmp(type, "shader") == 0)
        use_shader((const void *)blob);
    else if (strcmp(type, "mesh") == 0)
        use_mesh((const void *)blob);
    else if (strcmp(type, "render_config") == 0)
        use_render_config((const void *)blob);
    else if (strcmp(type, "unit") == 0)
        use_template(blob, &((const ct_unit_resource *)(const void *)blob)->entities);
    else if (strcmp(type, "level") == 0)
        use_level((const void *)blob);
    else if (strcmp(type, CT_CATALOG_TYPE) == 0)
        use_catalog((const void *)blob);
    dump_text_leave(before);
}
