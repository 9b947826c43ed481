#include "blob_layout.h"

#include <string.h>

#include "resource/catalog.h"
#include "resource/types/component_resource.h"
#include "resource/types/config_resource.h"
#include "resource/types/input_resource.h"
#include "resource/types/lua_resource.h"
#include "resource/types/material_resource.h"
#include "resource/types/mesh_resource.h"
#include "resource/types/package_resource.h"
#include "resource/types/render_config_resource.h"
#include "resource/types/shader_resource.h"
#include "resource/types/strings_resource.h"
#include "resource/types/texture_resource.h"
#include "resource/types/unit_resource.h"

enum { MAX_COMPONENT_TYPES = 32, MAX_FIELDS = 64 };

#define SIZE_OF(type, member) ((uint32_t)sizeof(((type *)0)->member))
#define PART(type, member, part_kind)                                                              \
    .name = #member, .kind = (part_kind), .offset = offsetof(type, member),                        \
    .size_bytes = SIZE_OF(type, member)

// Members `first` to `last` of `type`: numbers of `bytes` each.
#define RUN(bytes, type, first, last)                                                              \
    {                                                                                              \
        .name = #first, .kind = BLOB_PART_NUMBERS, .number_bytes = (bytes),                        \
        .offset = offsetof(type, first),                                                           \
        .size_bytes =                                                                              \
            (uint32_t)(offsetof(type, last) - offsetof(type, first)) + SIZE_OF(type, last)         \
    }
#define STRING(type, member)                                                                       \
    { PART(type, member, BLOB_PART_STRING) }
#define STRUCTS(type, member, of)                                                                  \
    { PART(type, member, BLOB_PART_STRUCTS), .layout = &(of) }
#define ARRAY(type, member, of)                                                                    \
    { PART(type, member, BLOB_PART_ARRAY), .layout = &(of) }
#define CHOICE(type, member, function)                                                             \
    { PART(type, member, BLOB_PART_ARRAY), .choose = (function) }

#define LAYOUT(layout_name, type, first, ...)                                                      \
    static const blob_part layout_name##_parts[] = {__VA_ARGS__};                                  \
    static const blob_layout layout_name = {.name = #layout_name,                                  \
                                            .size_bytes = sizeof(type),                            \
                                            .first_offset = (first),                               \
                                            .num_parts = CT_COUNT_OF(layout_name##_parts),         \
                                            .parts = layout_name##_parts}
// A struct inside of a blob; one of numbers of one size only; and what a blob begins with.
#define STRUCT_LAYOUT(layout_name, type, ...) LAYOUT(layout_name, type, 0, __VA_ARGS__)
#define NUMBERS_LAYOUT(layout_name, type, bytes)                                                   \
    STRUCT_LAYOUT(layout_name, type,                                                               \
                  {.name = "", .number_bytes = (bytes), .size_bytes = (uint32_t)sizeof(type)})
#define BLOB_LAYOUT(layout_name, type, ...)                                                        \
    LAYOUT(layout_name, type, sizeof(ct_blob_header), __VA_ARGS__)

NUMBERS_LAYOUT(number8, uint8_t, 1);
NUMBERS_LAYOUT(number16, uint16_t, 2);
NUMBERS_LAYOUT(number32, uint32_t, 4);
NUMBERS_LAYOUT(number64, uint64_t, 8);
NUMBERS_LAYOUT(point, float[3], 4);
NUMBERS_LAYOUT(resource_id, ct_resource_id, 8);
STRUCT_LAYOUT(text, ct_blob_string,
              {.name = "", .kind = BLOB_PART_STRING, .size_bytes = sizeof(ct_blob_string)});

// --- Config, input, Lua, strings, package --------------------------------------------------------

STRUCT_LAYOUT(config_node, ct_config_node, RUN(4, ct_config_node, type, type),
              STRING(ct_config_node, key), RUN(4, ct_config_node, first, count),
              STRING(ct_config_node, text), RUN(4, ct_config_node, padding, padding),
              RUN(8, ct_config_node, number, number));
BLOB_LAYOUT(config, ct_config_resource, ARRAY(ct_config_resource, nodes, config_node));

STRUCT_LAYOUT(input_control, ct_input_control, RUN(1, ct_input_control, device, part),
              RUN(2, ct_input_control, number, number));
STRUCT_LAYOUT(input_binding, ct_input_binding, RUN(4, ct_input_binding, kind, modifiers),
              STRUCTS(ct_input_binding, controls, input_control),
              RUN(4, ct_input_binding, flags, response));
STRUCT_LAYOUT(input_set, ct_input_set, RUN(4, ct_input_set, id, is_active),
              STRING(ct_input_set, name));
STRUCT_LAYOUT(input_action, ct_input_action, RUN(4, ct_input_action, id, padding),
              STRING(ct_input_action, name));
BLOB_LAYOUT(input, ct_input_resource, ARRAY(ct_input_resource, sets, input_set),
            ARRAY(ct_input_resource, actions, input_action),
            ARRAY(ct_input_resource, bindings, input_binding),
            STRING(ct_input_resource, gamepad_mappings));

BLOB_LAYOUT(lua, ct_lua_resource, STRING(ct_lua_resource, path), STRING(ct_lua_resource, text));

STRUCT_LAYOUT(strings_entry, ct_strings_entry, RUN(4, ct_strings_entry, id, id),
              STRING(ct_strings_entry, key), RUN(4, ct_strings_entry, first_form, num_forms));
STRUCT_LAYOUT(strings_form, ct_strings_form, RUN(4, ct_strings_form, category, category),
              STRING(ct_strings_form, text));
STRUCT_LAYOUT(plural_relation, ct_plural_relation, RUN(1, ct_plural_relation, category, is_last),
              RUN(4, ct_plural_relation, modulus, last));
BLOB_LAYOUT(strings, ct_strings_resource, STRING(ct_strings_resource, language),
            ARRAY(ct_strings_resource, entries, strings_entry),
            ARRAY(ct_strings_resource, forms, strings_form),
            ARRAY(ct_strings_resource, rules, plural_relation));

BLOB_LAYOUT(package, ct_package_resource, ARRAY(ct_package_resource, resources, resource_id));

// --- Textures, shaders, materials ----------------------------------------------------------------

STRUCT_LAYOUT(texture_mip, ct_texture_mip, RUN(4, ct_texture_mip, width, height),
              ARRAY(ct_texture_mip, pixels, number8));
BLOB_LAYOUT(texture, ct_texture_resource, RUN(4, ct_texture_resource, format, num_streamed),
            RUN(8, ct_texture_resource, stream.hash, stream.hash),
            RUN(4, ct_texture_resource, stream.bytes, stream.padding),
            ARRAY(ct_texture_resource, mips, texture_mip));

NUMBERS_LAYOUT(shader_parameter, ct_shader_parameter, 4);
NUMBERS_LAYOUT(shader_output, ct_shader_output, 4);
STRUCT_LAYOUT(shader_texture, ct_shader_texture, RUN(4, ct_shader_texture, name, padding),
              RUN(8, ct_shader_texture, default_texture, default_texture));
STRUCT_LAYOUT(shader_variant, ct_shader_variant, RUN(4, ct_shader_variant, options, state),
              ARRAY(ct_shader_variant, vertex, number32),
              ARRAY(ct_shader_variant, fragment, number32),
              ARRAY(ct_shader_variant, shadow_fragment, number32),
              ARRAY(ct_shader_variant, compute, number32));
BLOB_LAYOUT(shader, ct_shader_resource, RUN(4, ct_shader_resource, topology, padding),
            ARRAY(ct_shader_resource, options, number32),
            ARRAY(ct_shader_resource, parameters, shader_parameter),
            ARRAY(ct_shader_resource, textures, shader_texture),
            ARRAY(ct_shader_resource, outputs, shader_output),
            ARRAY(ct_shader_resource, variants, shader_variant),
            ARRAY(ct_shader_resource, layer_names, text));

NUMBERS_LAYOUT(material_parameter, ct_material_parameter, 4);
STRUCT_LAYOUT(material_texture, ct_material_texture, RUN(4, ct_material_texture, name, padding),
              RUN(8, ct_material_texture, texture, texture));
BLOB_LAYOUT(material, ct_material_resource, RUN(8, ct_material_resource, shader, shader),
            ARRAY(ct_material_resource, options, number32),
            ARRAY(ct_material_resource, parameters, material_parameter),
            ARRAY(ct_material_resource, textures, material_texture));

// --- Meshes --------------------------------------------------------------------------------------

NUMBERS_LAYOUT(full_vertex, ct_mesh_vertex, 4);
STRUCT_LAYOUT(full_extra, ct_mesh_vertex_extra, RUN(2, ct_mesh_vertex_extra, color, color),
              RUN(4, ct_mesh_vertex_extra, uv1, uv1));
STRUCT_LAYOUT(packed_vertex, ct_mesh_packed_vertex,
              RUN(2, ct_mesh_packed_vertex, position, position),
              RUN(4, ct_mesh_packed_vertex, normal, tangent),
              RUN(2, ct_mesh_packed_vertex, uv, uv));
STRUCT_LAYOUT(packed_extra, ct_mesh_packed_extra, RUN(1, ct_mesh_packed_extra, color, color),
              RUN(2, ct_mesh_packed_extra, uv1, uv1));
STRUCT_LAYOUT(wide_uv_vertex, ct_mesh_wide_uv_vertex,
              RUN(2, ct_mesh_wide_uv_vertex, position, position),
              RUN(4, ct_mesh_wide_uv_vertex, normal, uv));
STRUCT_LAYOUT(wide_uv_extra, ct_mesh_wide_uv_extra, RUN(1, ct_mesh_wide_uv_extra, color, color),
              RUN(4, ct_mesh_wide_uv_extra, uv1, uv1));
NUMBERS_LAYOUT(mesh_part, ct_mesh_part, 4);
NUMBERS_LAYOUT(mesh_lod, ct_mesh_lod, 4);
NUMBERS_LAYOUT(mesh_shape, ct_mesh_shape, 4);

static const blob_layout *choose_vertex(const void *blob, const void *owner) {
    static const blob_layout *const layouts[] = {&full_vertex, &packed_vertex, &wide_uv_vertex};
    (void)owner;
    return layouts[((const ct_mesh_resource *)blob)->format];
}

static const blob_layout *choose_extra(const void *blob, const void *owner) {
    static const blob_layout *const layouts[] = {&full_extra, &packed_extra, &wide_uv_extra};
    (void)owner;
    return layouts[((const ct_mesh_resource *)blob)->format];
}

static const blob_layout *choose_index(const void *blob, const void *owner) {
    (void)owner;
    return ((const ct_mesh_resource *)blob)->index_bytes == 2 ? &number16 : &number32;
}

BLOB_LAYOUT(mesh, ct_mesh_resource, RUN(4, ct_mesh_resource, bounds_min, num_indices),
            CHOICE(ct_mesh_resource, vertices, choose_vertex),
            CHOICE(ct_mesh_resource, extras, choose_extra),
            CHOICE(ct_mesh_resource, indices, choose_index),
            ARRAY(ct_mesh_resource, parts, mesh_part), ARRAY(ct_mesh_resource, lods, mesh_lod),
            ARRAY(ct_mesh_resource, lod_parts, mesh_part),
            ARRAY(ct_mesh_resource, shapes, mesh_shape),
            ARRAY(ct_mesh_resource, shape_points, point),
            ARRAY(ct_mesh_resource, shape_indices, number32),
            RUN(4, ct_mesh_resource, format, padding));

// --- Render configs ------------------------------------------------------------------------------

NUMBERS_LAYOUT(render_target, ct_render_target, 4);
NUMBERS_LAYOUT(render_layer, ct_render_layer, 4);
NUMBERS_LAYOUT(render_generator, ct_render_generator, 4);
STRUCT_LAYOUT(render_step, ct_render_step, RUN(4, ct_render_step, type, on_cpu),
              RUN(8, ct_render_step, shader, material));
STRUCT_LAYOUT(render_viewport, ct_render_viewport, RUN(4, ct_render_viewport, name, padding),
              ARRAY(ct_render_viewport, generators, number32));
STRUCT_LAYOUT(render_setting, ct_render_setting, STRING(ct_render_setting, name),
              RUN(4, ct_render_setting, type, default_value),
              ARRAY(ct_render_setting, choices, text));
BLOB_LAYOUT(render_config, ct_render_config_resource,
            ARRAY(ct_render_config_resource, targets, render_target),
            ARRAY(ct_render_config_resource, layers, render_layer),
            ARRAY(ct_render_config_resource, steps, render_step),
            ARRAY(ct_render_config_resource, generators, render_generator),
            ARRAY(ct_render_config_resource, viewports, render_viewport),
            ARRAY(ct_render_config_resource, settings, render_setting),
            ARRAY(ct_render_config_resource, layer_names, text),
            RUN(8, ct_render_config_resource, line_shader, error_material),
            RUN(4, ct_render_config_resource, sky_light, padding));

// --- Units and levels ----------------------------------------------------------------------------

// The size of the numbers of a field that stands in a blob.
static uint32_t field_number_bytes(ct_field_type type) {
    switch (type) {
    case CT_FIELD_TYPE_TEXT:
        return 1;
    case CT_FIELD_TYPE_REFERENCE:
    case CT_FIELD_TYPE_REFERENCES:
        return 8;
    default:
        return 4;
    }
}

// Makes the layout of a component's data from its schema.
static void make_component_layout(const ct_schema *schema, blob_layout *layout,
                                  blob_part parts[MAX_FIELDS]) {
    *layout = (blob_layout){.name = schema->name,
                            .size_bytes = schema->size_bytes,
                            .num_parts = schema->num_fields,
                            .parts = parts,
                            .has_gaps = true};
    for (uint32_t i = 0; i < schema->num_fields && i < MAX_FIELDS; ++i) {
        const ct_field *const field = &schema->fields[i];
        parts[i] = (blob_part){.name = field->name,
                               .offset = field->offset,
                               .size_bytes = field->size_bytes,
                               .kind = BLOB_PART_NUMBERS,
                               .number_bytes = field_number_bytes(field->type)};
    }
}

// Components of varying size, end to end.
static const blob_layout varying_bytes = {.name = "varying", .size_bytes = 1, .is_used = true};

static const blob_layout *choose_component(const void *blob, const void *owner) {
    static blob_layout layouts[MAX_COMPONENT_TYPES];
    static blob_part parts[MAX_COMPONENT_TYPES][MAX_FIELDS];
    const ct_component_instances *const instances = owner;
    uint32_t count;
    const ct_component_type *const types = ct_component_types(&count);
    (void)blob;
    for (uint32_t i = 0; i < count && i < MAX_COMPONENT_TYPES; ++i) {
        if (ct_string_id32_of(types[i].name).value != instances->type.value)
            continue;
        if (types[i].check_instance)
            return &varying_bytes;
        if (!types[i].instance_schema || types[i].instance_schema->num_fields > MAX_FIELDS)
            return NULL;
        if (!layouts[i].name)
            make_component_layout(types[i].instance_schema, &layouts[i], parts[i]);
        return &layouts[i];
    }
    return NULL;
}

STRUCT_LAYOUT(component_instances, ct_component_instances,
              RUN(4, ct_component_instances, type, instance_bytes),
              ARRAY(ct_component_instances, entity_index, number32),
              ARRAY(ct_component_instances, ids, number32),
              CHOICE(ct_component_instances, data, choose_component),
              ARRAY(ct_component_instances, offsets, number32),
              ARRAY(ct_component_instances, data_index, number32));
STRUCT_LAYOUT(entity_template, ct_entity_template,
              RUN(4, ct_entity_template, num_entities, padding),
              ARRAY(ct_entity_template, parents, number32),
              ARRAY(ct_entity_template, component_types, component_instances));
BLOB_LAYOUT(unit, ct_unit_resource, STRUCTS(ct_unit_resource, entities, entity_template));

STRUCT_LAYOUT(level_unit, ct_level_unit, RUN(8, ct_level_unit, unit, unit),
              RUN(4, ct_level_unit, id, root));
BLOB_LAYOUT(level, ct_level_resource, STRUCTS(ct_level_resource, entities, entity_template),
            ARRAY(ct_level_resource, units, level_unit), RUN(8, ct_level_resource, script, script));

// --- The catalog ---------------------------------------------------------------------------------

STRUCT_LAYOUT(catalog_entry, ct_catalog_entry, RUN(8, ct_catalog_entry, id, id),
              RUN(4, ct_catalog_entry, first_variant, num_variants));
STRUCT_LAYOUT(catalog_variant, ct_catalog_variant, RUN(8, ct_catalog_variant, data_name, data_name),
              RUN(4, ct_catalog_variant, first_property, stream_bytes));
BLOB_LAYOUT(catalog, ct_catalog, ARRAY(ct_catalog, slots, number32),
            ARRAY(ct_catalog, entries, catalog_entry), ARRAY(ct_catalog, variants, catalog_variant),
            ARRAY(ct_catalog, properties, number64), ARRAY(ct_catalog, references, number32),
            ARRAY(ct_catalog, types, text), ARRAY(ct_catalog, names, text));

const blob_layout *blob_layout_of(const char *type) {
    static const blob_layout *const layouts[] = {
        &config, &input,         &lua,  &strings, &texture, &shader, &material,
        &mesh,   &render_config, &unit, &level,   &package, &catalog};
    for (uint32_t i = 0; i < CT_COUNT_OF(layouts); ++i) {
        if (strcmp(layouts[i]->name, type) == 0)
            return layouts[i];
    }
    return NULL;
}

uint32_t blob_layout_align(const blob_layout *layout) {
    uint32_t align = 1;
    for (uint32_t i = 0; i < layout->num_parts; ++i) {
        const blob_part *const p = &layout->parts[i];
        const uint32_t own = p->kind == BLOB_PART_NUMBERS   ? p->number_bytes
                             : p->kind == BLOB_PART_STRUCTS ? blob_layout_align(p->layout)
                                                            : 4;
        align = own > align ? own : align;
    }
    return align;
}
