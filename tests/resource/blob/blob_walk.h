// blob_walk.h: reads all that a blob says, as the systems do, so that a sanitizer sees it.
#pragma once
#include "resource/archive/bundle_manifest.h"
#include "resource/catalog.h"
#include "resource/data_index.h"
#include "resource/types/animation_stream.h"
#include "resource/types/config_resource.h"
#include "resource/types/environment_resource.h"
#include "resource/types/flow/flow_nodes_resource.h"
#include "resource/types/flow/flow_resource.h"
#include "resource/types/font_resource.h"
#include "resource/types/gui/gui_theme_resource.h"
#include "resource/types/height_field_resource.h"
#include "resource/types/input_resource.h"
#include "resource/types/lua_resource.h"
#include "resource/types/material_resource.h"
#include "resource/types/mesh_resource.h"
#include "resource/types/navigation/navigation_resource.h"
#include "resource/types/network/network_value.h"
#include "resource/types/package_resource.h"
#include "resource/types/particles_resource.h"
#include "resource/types/physics_resource.h"
#include "resource/types/render_config_resource.h"
#include "resource/types/shader_resource.h"
#include "resource/types/sound_bus_resource.h"
#include "resource/types/sound_event_resource.h"
#include "resource/types/sound_resource.h"
#include "resource/types/state_machine_resource.h"
#include "resource/types/strings_resource.h"
#include "resource/types/texture_resource.h"
#include "resource/types/unit_resource.h"

#include <stdlib.h>
#include <string.h>

#include "resource/types/component_resource.h"

static inline uint64_t walk_bytes(const void *blob, uint32_t offset, uint64_t bytes) {
    const uint8_t *const p = ct_blob_at(blob, offset);
    uint64_t sum = 0;
    for (uint64_t i = 0; i < bytes; ++i)
        sum = sum * 31 + p[i];
    return sum;
}

static inline uint64_t walk_array(const void *blob, ct_blob_array array, uint64_t item_bytes) {
    return walk_bytes(blob, array.offset, array.count * item_bytes);
}

static inline uint64_t walk_string(const void *blob, ct_blob_string string) {
    return strlen(ct_blob_at(blob, string.offset)) + walk_bytes(blob, string.offset, string.bytes);
}

static inline uint64_t walk_texture(const ct_texture_resource *t) {
    const ct_texture_mip *const mips = ct_blob_at(t, t->mips.offset);
    uint64_t sum = 0;
    for (uint32_t i = t->num_streamed; i < t->mips.count; ++i)
        sum += walk_bytes(t, mips[i].pixels.offset,
                          ct_texture_layer_bytes(t->format, mips[i].width, mips[i].height) *
                              t->num_layers);
    return sum;
}

static inline uint64_t walk_font(const ct_font_resource *f) {
    const ct_font_page *const pages = ct_blob_at(f, f->pages.offset);
    const ct_font_glyph *const glyphs = ct_blob_at(f, f->glyphs.offset);
    const ct_font_character *const characters = ct_blob_at(f, f->characters.offset);
    const ct_font_kerning *const kerning = ct_blob_at(f, f->kerning.offset);
    uint64_t sum = walk_array(f, f->outlines, 1) + walk_array(f, f->fallbacks, sizeof(uint64_t));
    for (uint32_t i = 0; i < f->glyphs.count; ++i) {
        const ct_font_glyph *const g = ct_font_find_glyph(f, glyphs[i].glyph);
        const ct_font_page *const page = &pages[g->width && g->height ? g->page : 0];
        for (uint32_t y = 0; g->width > 0 && y < g->height; ++y)
            sum += walk_bytes(f, page->pixels.offset + (g->y + y) * page->width + g->x, g->width);
    }
    for (uint32_t i = 0; i < f->characters.count; ++i)
        sum += ct_font_find_glyph(f, ct_font_find_character(f, characters[i].codepoint))->glyph;
    for (uint32_t i = 0; i < f->kerning.count; ++i)
        sum += ct_font_find_kerning(f, kerning[i].first, kerning[i].second) > 0;
    return sum;
}

// What the vertices of a run of triangles say.
static inline double walk_mesh_part(const ct_mesh_resource *m, const ct_mesh_part *part) {
    const uint16_t *const small = ct_blob_at(m, m->indices.offset);
    const uint32_t *const large = ct_blob_at(m, m->indices.offset);
    double sum = 0;
    for (uint32_t i = 0; i < part->num_indices && i < 4096; ++i) {
        const uint32_t at = part->first_index + i;
        const uint32_t vertex = m->index_bytes == 2 ? small[at] : large[at];
        float position[3];
        ct_mesh_position_at(m, vertex, position);
        sum += (double)ct_mesh_vertex_at(m, vertex).uv[1] + (double)position[2] +
               (double)ct_mesh_extra_at(m, vertex).uv1[1];
    }
    return sum;
}

static inline double walk_hulls(const ct_mesh_resource *m, const ct_mesh_shape *shape) {
    uint32_t count;
    const ct_mesh_hull *const hulls = ct_mesh_shape_hulls(m, shape, &count);
    double sum = 0;
    for (uint32_t i = 0; i < count; ++i) {
        const float *const points = ct_mesh_hull_points(m, &hulls[i]);
        sum += (double)hulls[i].volume;
        for (uint32_t k = 0; k < 3 * hulls[i].num_points; ++k)
            sum += (double)points[k];
    }
    return sum;
}

// Goes into every second node and over the others: each way must end.
static inline double walk_tree(const ct_mesh_resource *m, const ct_mesh_shape *shape) {
    const ct_mesh_tree_node *const nodes = ct_mesh_shape_nodes(m, shape);
    const uint32_t *const indices = ct_mesh_shape_indices(m, shape);
    double sum = 0;
    for (uint32_t way = 0; way < 3; ++way) {
        for (uint32_t i = 0, step = 0; i < shape->num_nodes; ++step) {
            const int32_t next = nodes[i].next;
            if (next >= 0)
                sum += (double)indices[3 * (uint32_t)next + 2];
            i += next >= 0 || (way < 2 ? way == 0 : step % 2 == 0) ? 1 : (uint32_t)-next;
        }
    }
    return sum;
}

static inline double walk_shape(const ct_mesh_resource *m, const ct_mesh_shape *shape) {
    const float *const points = ct_mesh_shape_points(m, shape);
    const uint32_t *const indices = ct_mesh_shape_indices(m, shape);
    double sum = (double)shape->radius;
    for (uint32_t i = 0; i < shape->num_indices; ++i)
        sum += (double)points[3 * indices[i] + 2];
    return sum + walk_hulls(m, shape) + walk_tree(m, shape);
}

static inline uint64_t walk_mesh(const ct_mesh_resource *m) {
    const ct_mesh_part *const parts = ct_blob_at(m, m->parts.offset);
    const ct_mesh_part *const lod_parts = ct_blob_at(m, m->lod_parts.offset);
    uint32_t num_shapes;
    const ct_mesh_shape *const shapes = ct_mesh_shapes(m, &num_shapes);
    double sum = ct_mesh_num_triangles(m);
    for (uint32_t p = 0; p < m->parts.count; ++p)
        sum += walk_mesh_part(m, &parts[p]);
    for (uint32_t p = 0; p < m->lod_parts.count; ++p)
        sum += walk_mesh_part(m, &lod_parts[p]);
    for (uint32_t i = 0; i < num_shapes; ++i)
        sum += walk_shape(m, &shapes[i]);
    return (sum > 0) + walk_array(m, m->lods, sizeof(ct_mesh_lod)) +
           walk_array(m, m->vertices, ct_mesh_vertex_bytes(m->format)) +
           walk_array(m, m->extras, ct_mesh_extra_bytes(m->format));
}

static inline uint64_t walk_block(const ct_shader_resource *s) {
    const ct_shader_parameter *const parameters = ct_blob_at(s, s->parameters.offset);
    uint8_t block[CT_SHADER_MAX_BLOCK_BYTES] = {0};
    for (uint32_t i = 0; i < s->parameters.count; ++i)
        memcpy(block + parameters[i].offset, parameters[i].default_value,
               ct_shader_parameter_floats(parameters[i].type) * sizeof(float));
    return s->block_bytes > 0 ? block[s->block_bytes - 1] : 0;
}

static inline uint64_t walk_shader(const ct_shader_resource *s) {
    const ct_shader_variant *const variants = ct_blob_at(s, s->variants.offset);
    uint64_t sum = walk_array(s, s->options, sizeof(ct_string_id32)) +
                   walk_array(s, s->parameters, sizeof(ct_shader_parameter)) +
                   walk_array(s, s->textures, sizeof(ct_shader_texture)) +
                   walk_array(s, s->outputs, sizeof(ct_shader_output)) + walk_block(s);
    for (uint32_t i = 0; i < 1u << s->options.count; ++i)
        sum += s->is_compute
                   ? walk_array(s, variants[i].compute, 4)
                   : walk_array(s, variants[i].vertex, 4) + walk_array(s, variants[i].fragment, 4) +
                         walk_array(s, variants[i].shadow_fragment, 4);
    return sum;
}

static inline uint64_t walk_material(const ct_material_resource *m) {
    return walk_array(m, m->options, sizeof(ct_string_id32)) +
           walk_array(m, m->parameters, sizeof(ct_material_parameter)) +
           walk_array(m, m->textures, sizeof(ct_material_texture));
}

static inline uint64_t walk_settings(const ct_render_config_resource *c) {
    const ct_render_setting *const settings = ct_blob_at(c, c->settings.offset);
    uint64_t sum = 0;
    for (uint32_t i = 0; i < c->settings.count; ++i) {
        const ct_blob_string *const choices = ct_blob_at(c, settings[i].choices.offset);
        sum += strlen(ct_blob_at(c, settings[i].name.offset));
        for (uint32_t k = 0; k < settings[i].choices.count; ++k)
            sum += strlen(ct_blob_at(c, choices[k].offset));
    }
    return sum;
}

// Every target as it is with the settings' defaults.
static inline uint64_t walk_targets(const ct_render_config_resource *c) {
    const ct_render_setting *const settings = ct_blob_at(c, c->settings.offset);
    const ct_render_target *const targets = ct_blob_at(c, c->targets.offset);
    float values[CT_RENDER_MAX_SETTINGS][4];
    uint64_t sum = 0;
    for (uint32_t i = 0; i < c->settings.count; ++i)
        memcpy(values[i], settings[i].default_value, sizeof(values[i]));
    for (uint32_t i = 0; i < c->targets.count; ++i)
        sum += ct_render_target_with(c, &targets[i], values[0]).format;
    return sum;
}

// A number with the settings' defaults.
static inline double walk_value(const ct_render_config_resource *c, const ct_render_value *value) {
    const ct_render_setting *const settings = ct_blob_at(c, c->settings.offset);
    return (double)(value->setting != 0 ? settings[value->setting - 1].default_value[0]
                                        : value->numbers[0]);
}

static inline uint64_t walk_step(const ct_render_config_resource *c, const ct_render_step *step) {
    const ct_render_setting *const settings = ct_blob_at(c, c->settings.offset);
    const bool is_pass = step->type == CT_RENDER_STEP_TYPE_FULLSCREEN_PASS ||
                         step->type == CT_RENDER_STEP_TYPE_COMPUTE;
    const bool has_inputs = is_pass || step->type == CT_RENDER_STEP_TYPE_COPY;
    uint64_t sum = step->type + step->shader.value;
    for (uint32_t i = 0; i < step->enabled.count; ++i)
        sum += settings[step->enabled.items[i].setting].type;
    for (uint32_t i = 0; i < step->num_color_targets; ++i)
        sum += step->color_targets[i].value;
    for (uint32_t i = 0; has_inputs && i < step->num_inputs; ++i)
        sum += step->inputs[i].target.value;
    for (uint32_t i = 0; is_pass && i < step->num_parameters; ++i)
        sum += settings[step->parameters[i].setting].type;
    for (uint32_t i = 0; step->type == CT_RENDER_STEP_TYPE_COMPUTE && i < step->num_outputs; ++i)
        sum += step->outputs[i].target.value;
    if (step->type == CT_RENDER_STEP_TYPE_CASCADED_SHADOWS)
        sum += walk_value(c, &step->num_cascades) + walk_value(c, &step->shadow_distance) +
                   walk_value(c, &step->split_lambda) + walk_value(c, &step->on_cpu) >
               0;
    return sum;
}

static inline uint64_t walk_layers(const ct_render_config_resource *c) {
    const ct_render_layer *const layers = ct_blob_at(c, c->layers.offset);
    uint64_t sum = 0;
    for (uint32_t i = 0; i < c->layers.count; ++i) {
        for (uint32_t k = 0; k < layers[i].num_color_targets; ++k)
            sum += layers[i].color_targets[k].value;
    }
    return sum;
}

static inline uint64_t walk_presets(const ct_render_config_resource *c) {
    const ct_render_setting *const settings = ct_blob_at(c, c->settings.offset);
    const ct_render_preset *const presets = ct_blob_at(c, c->presets.offset);
    uint64_t sum = 0;
    for (uint32_t i = 0; i < c->presets.count; ++i) {
        const ct_render_preset_value *const values = ct_blob_at(c, presets[i].values.offset);
        sum += strlen(ct_blob_at(c, presets[i].name.offset));
        for (uint32_t k = 0; k < presets[i].values.count; ++k)
            sum += settings[values[k].setting].type;
    }
    return sum;
}

static inline uint64_t walk_render_config(const ct_render_config_resource *c) {
    const ct_render_generator *const generators = ct_blob_at(c, c->generators.offset);
    const ct_render_viewport *const viewports = ct_blob_at(c, c->viewports.offset);
    const ct_render_step *const steps = ct_blob_at(c, c->steps.offset);
    uint64_t sum = walk_array(c, c->targets, sizeof(ct_render_target)) +
                   walk_array(c, c->layers, sizeof(ct_render_layer));
    for (uint32_t v = 0; v < c->viewports.count; ++v) {
        const uint32_t *const numbers = ct_blob_at(c, viewports[v].generators.offset);
        for (uint32_t i = 0; i < viewports[v].generators.count; ++i) {
            const ct_render_generator *const g = &generators[numbers[i]];
            for (uint32_t s = 0; s < g->num_steps; ++s)
                sum += walk_step(c, &steps[g->first_step + s]);
        }
    }
    sum += walk_settings(c) + walk_targets(c) + walk_layers(c) + walk_presets(c);
    const ct_blob_string *const names = ct_blob_at(c, c->step_names.offset);
    for (uint32_t i = 0; i < c->step_names.count; ++i)
        sum += strlen(ct_blob_at(c, names[i].offset));
    for (uint32_t i = 0; i < CT_RENDER_MAX_CUSTOM; ++i)
        sum += walk_value(c, &c->view_values.custom[i]) > 0;
    return sum + (walk_value(c, &c->sky_light) + walk_value(c, &c->ground_light) +
                      walk_value(c, &c->lod_bias) >
                  0);
}

// From each node of scene graphs to its entity.
static inline uint64_t walk_nodes(const void *blob, const ct_component_instances *type) {
    const ct_scene_graph_node_data *const nodes = ct_blob_at(blob, type->data.offset);
    const uint32_t *const owners = ct_blob_at(blob, type->entity_index.offset);
    uint64_t sum = 0;
    for (uint32_t i = 0, first = 0; i < type->data.count && i < 4096; ++i) {
        if (owners[i] != owners[first])
            first = i;
        for (uint32_t at = i; nodes[at].parent != 0; at = first + nodes[at].parent - 1)
            sum += nodes[at].parent_name.value;
    }
    return sum;
}

static inline uint64_t walk_shapes(const ct_actor_shape_data *shapes, uint32_t count) {
    uint64_t sum = 0;
    for (uint32_t i = 0; i < count; ++i)
        sum += shapes[i].type + shapes[i].resource.value;
    return sum;
}

// Actors or triggers, and the shapes behind each.
static inline uint64_t walk_actors(const void *blob, const ct_component_instances *type) {
    const uint8_t *const bytes = ct_blob_at(blob, type->data.offset);
    const uint32_t *const offsets = ct_blob_at(blob, type->offsets.offset);
    const bool is_actor = type->type.value == ct_string_id32_of("actor").value;
    uint64_t sum = 0;
    for (uint32_t i = 0; i + 1 < type->offsets.count; ++i) {
        const void *const at = bytes + offsets[i];
        ct_actor_data used;
        if (is_actor) {
            const ct_actor_data *const actor = at;
            ct_actor_data_combine(NULL, actor, &used);
            sum += used.body + strlen(used.lock_position) +
                   walk_shapes(ct_actor_shapes(actor), actor->num_shapes);
        } else {
            const ct_trigger_data *const trigger = at;
            sum += walk_shapes(ct_trigger_shapes(trigger), trigger->num_shapes);
            for (uint32_t k = 0; k < trigger->num_tags; ++k)
                sum += ct_trigger_tags(trigger)[k].value;
        }
    }
    return sum;
}

static inline uint64_t walk_template(const void *blob, const ct_entity_template *t) {
    const ct_component_instances *const types = ct_blob_at(blob, t->component_types.offset);
    const uint32_t *const parents = ct_blob_at(blob, t->parents.offset);
    uint64_t sum = 0;
    for (uint32_t i = 0; i < t->num_entities; ++i)
        sum += parents[i] == CT_NO_PARENT ? 1 : parents[parents[i]];
    for (uint32_t i = 0; i < t->component_types.count; ++i) {
        const uint32_t *const owners = ct_blob_at(blob, types[i].entity_index.offset);
        for (uint32_t k = 0; k < types[i].entity_index.count; ++k)
            sum += parents[owners[k]];
        sum +=
            walk_array(blob, types[i].ids, 4) +
            walk_array(blob, types[i].data, types[i].instance_bytes ? types[i].instance_bytes : 1) +
            walk_array(blob, types[i].offsets, 4) + walk_array(blob, types[i].data_index, 4);
        if (types[i].type.value == ct_string_id32_of("scene_graph").value)
            sum += walk_nodes(blob, &types[i]);
        if (types[i].type.value == ct_string_id32_of("actor").value ||
            types[i].type.value == ct_string_id32_of("trigger").value)
            sum += walk_actors(blob, &types[i]);
    }
    return sum;
}

static inline uint64_t walk_members(const ct_level_resource *l) {
    const ct_level_volume *const volumes = ct_blob_at(l, l->volumes.offset);
    const ct_level_spline *const splines = ct_blob_at(l, l->splines.offset);
    const ct_level_marker *const markers = ct_blob_at(l, l->markers.offset);
    uint64_t sum = 0;
    for (uint32_t i = 0; i < l->volumes.count; ++i) {
        const float *const points = ct_blob_at(l, volumes[i].points.offset);
        const uint32_t *const corners = ct_blob_at(l, volumes[i].triangles.offset);
        for (uint32_t k = 0; k < volumes[i].triangles.count; ++k)
            sum += points[3 * corners[k] + 2] > 0;
        sum += walk_array(l, volumes[i].planes, 4 * sizeof(float)) +
               walk_string(l, volumes[i].name_text) + walk_string(l, volumes[i].purpose_text);
    }
    for (uint32_t i = 0; i < l->splines.count; ++i)
        sum += walk_array(l, splines[i].points, 3 * sizeof(float)) +
               walk_array(l, splines[i].controls, 3 * sizeof(float)) +
               walk_array(l, splines[i].lengths, sizeof(float)) +
               walk_string(l, splines[i].name_text) + walk_string(l, splines[i].purpose_text);
    for (uint32_t i = 0; i < l->markers.count; ++i)
        sum += walk_string(l, markers[i].name_text) + walk_string(l, markers[i].purpose_text);
    return sum;
}

static inline uint64_t walk_level(const ct_level_resource *l) {
    const uint32_t *const parents = ct_blob_at(l, l->entities.parents.offset);
    const ct_level_unit *const units = ct_blob_at(l, l->units.offset);
    uint64_t sum = walk_template(l, &l->entities) + walk_members(l);
    for (uint32_t i = 0; i < l->units.count; ++i)
        sum += parents[units[i].root];
    return sum;
}

static inline uint64_t walk_node(const ct_config_resource *c, uint32_t i) {
    const ct_config_node *const nodes = ct_blob_at(c, c->nodes.offset);
    uint64_t sum = nodes[i].type;
    if (nodes[i].type == CT_SJSON_TYPE_STRING)
        sum += walk_string(c, nodes[i].text);
    if (nodes[i].type != CT_SJSON_TYPE_ARRAY && nodes[i].type != CT_SJSON_TYPE_OBJECT)
        return sum;
    for (uint32_t k = 0; k < nodes[i].count; ++k) {
        const uint32_t child = nodes[i].first + k;
        if (nodes[i].type == CT_SJSON_TYPE_OBJECT)
            sum += walk_string(c, nodes[child].key);
        sum += walk_node(c, child);
    }
    return sum;
}

static inline uint64_t walk_input(const ct_input_resource *r) {
    const ct_input_set *const sets = ct_blob_at(r, r->sets.offset);
    const ct_input_action *const actions = ct_blob_at(r, r->actions.offset);
    uint64_t sum = walk_array(r, r->sets, sizeof(ct_input_set)) +
                   walk_array(r, r->actions, sizeof(ct_input_action)) +
                   walk_array(r, r->bindings, sizeof(ct_input_binding)) +
                   walk_string(r, r->gamepad_mappings);
    for (uint32_t i = 0; i < r->sets.count; ++i)
        sum += walk_string(r, sets[i].name);
    for (uint32_t i = 0; i < r->actions.count; ++i) {
        const ct_blob_array own = {r->bindings.offset + actions[i].first_binding *
                                                            (uint32_t)sizeof(ct_input_binding),
                                   actions[i].num_bindings};
        sum += walk_string(r, actions[i].name) + walk_array(r, own, sizeof(ct_input_binding));
    }
    return sum;
}

// From the start of each layer over all that leads on, and every expression.
static inline uint64_t walk_height_field(const ct_height_field_resource *h) {
    const float *const heights = ct_blob_at(h, h->heights.offset);
    double sum = (double)h->spacing[0] + (double)h->spacing[1];
    for (uint32_t y = 0; y < h->rows; ++y) {
        for (uint32_t x = 0; x < h->columns; ++x)
            sum += (double)heights[y * h->columns + x];
    }
    return sum > 0;
}

// From each polygon over its edges to where they lead, and over its surface.
static inline uint64_t walk_navigation_tile(const ct_navigation_resource *r,
                                            const ct_navigation_tile_resource *tile) {
    const ct_navigation_area *const areas = ct_blob_at(r, r->areas.offset);
    const ct_navigation_polygon *const polygons = ct_blob_at(r, tile->polygons.offset);
    const ct_navigation_edge *const edges = ct_blob_at(r, tile->edges.offset);
    const float *const vertices = ct_blob_at(r, tile->vertices.offset);
    const float *const surface = ct_blob_at(r, tile->surface_vertices.offset);
    const uint16_t *const triangles = ct_blob_at(r, tile->triangles.offset);
    double sum = 0;
    for (uint32_t i = 0; i < tile->polygons.count; ++i) {
        const ct_navigation_polygon *const p = &polygons[i];
        sum += (double)areas[p->area].cost;
        for (uint32_t k = 0; k < p->num_edges; ++k) {
            const ct_navigation_edge *const edge = &edges[p->first_edge + k];
            sum += (double)vertices[3 * edge->vertex + 2];
            if (edge->leads_to < tile->polygons.count)
                sum += (double)polygons[edge->leads_to].num_edges;
        }
        for (uint32_t k = 0; k < 3u * p->num_triangles; ++k)
            sum += (double)surface[3 * triangles[3 * p->first_triangle + k] + 2];
    }
    return sum > 0;
}

static inline uint64_t walk_navigation(const ct_navigation_resource *r) {
    const ct_navigation_class *const classes = ct_blob_at(r, r->classes.offset);
    const ct_navigation_area *const areas = ct_blob_at(r, r->areas.offset);
    const ct_navigation_link *const links = ct_blob_at(r, r->links.offset);
    uint64_t sum = 0;
    for (uint32_t i = 0; i < r->areas.count; ++i)
        sum += walk_string(r, areas[i].name_text);
    for (uint32_t i = 0; i < r->links.count; ++i)
        sum += walk_string(r, links[i].kind_text) + areas[links[i].area].flags;
    for (uint32_t i = 0; i < r->classes.count; ++i) {
        const ct_navigation_tile_resource *const tiles = ct_blob_at(r, classes[i].tiles.offset);
        sum += walk_string(r, classes[i].name_text);
        for (uint32_t k = 0; k < classes[i].tiles.count; ++k)
            sum += walk_navigation_tile(r, &tiles[k]);
    }
    return sum;
}

static inline uint64_t walk_environment(const ct_environment_resource *e) {
    const ct_environment_value *const values = ct_blob_at(e, e->values.offset);
    uint64_t sum = walk_array(e, e->values, sizeof(ct_environment_value));
    for (uint32_t i = 0; i < e->values.count; ++i)
        sum += walk_string(e, values[i].name_text);
    return sum;
}

// Reads a value through a place, as nodes do, with dynamic data as it is at the start.
static inline uint64_t walk_flow_input(const ct_flow_resource *r, const uint8_t *data,
                                       uint32_t place, uint32_t type) {
    const uint8_t *const bases[] = {data, ct_blob_at(r, r->numbers.offset),
                                    ct_blob_at(r, r->words.offset)};
    const void *const value = bases[place >> 30] + (place & 0x3fffffff);
    switch (type) {
    case CT_FLOW_TYPE_BOOL:
        return *(const uint32_t *)value;
    case CT_FLOW_TYPE_NUMBER:
    case CT_FLOW_TYPE_ID:
        return *(const uint64_t *)value != 0;
    case CT_FLOW_TYPE_VECTOR3:
        return walk_bytes(value, 0, 12);
    case CT_FLOW_TYPE_STRING: {
        const ct_flow_string *const s = value;
        const char *const text = s->start & CT_FLOW_STRING_IS_DYNAMIC
                                     ? (const char *)data + (s->start & ~CT_FLOW_STRING_IS_DYNAMIC)
                                     : (const char *)ct_blob_at(r, r->texts.offset) + s->start;
        return strlen(text) + walk_bytes(text, 0, s->length);
    }
    default:
        return walk_bytes(value, 0, 16);
    }
}

static inline uint64_t walk_flow_links(const ct_flow_resource *r, uint32_t list) {
    const uint32_t *const links = ct_blob_at(r, r->links.offset);
    const uint32_t *const program = ct_blob_at(r, r->program.offset);
    uint64_t sum = 0;
    for (uint32_t i = 0; list != CT_FLOW_NONE && i < links[list]; ++i)
        sum += ((const ct_flow_node *)(program + links[list + 1 + 2 * i]))->type +
               links[list + 2 + 2 * i];
    return sum;
}

static inline uint64_t walk_flow_node(const ct_flow_resource *r, uint8_t *data,
                                      const ct_flow_node *n) {
    const ct_flow_used_type *const types = ct_blob_at(r, r->types.offset);
    const uint32_t *const pures = ct_blob_at(r, r->pures.offset);
    const uint32_t *const program = ct_blob_at(r, r->program.offset);
    uint64_t sum = types[n->type].state_bytes;
    for (uint32_t i = 0; n->pures != CT_FLOW_NONE && i < pures[n->pures]; ++i)
        sum += ((const ct_flow_node *)(program + pures[n->pures + 1 + i]))->type;
    for (uint32_t i = 0; i < n->first_output; i += 2)
        sum += walk_flow_input(r, data, n->slots[i], n->slots[i + 1]);
    for (uint32_t i = n->first_output; i < n->first_event; ++i)
        sum += data[n->slots[i] + CT_FLOW_VALUE_BYTES - 1];
    for (uint32_t i = n->first_event; i < n->num_slots; ++i)
        sum += walk_flow_links(r, n->slots[i]);
    memset(data + n->state, 0, n->state ? types[n->type].state_bytes : 0);
    return sum;
}

static inline uint64_t walk_flow_slots(const void *blob, ct_blob_array array) {
    const ct_flow_used_slot *const slots = ct_blob_at(blob, array.offset);
    uint64_t sum = 0;
    for (uint32_t i = 0; i < array.count; ++i)
        sum += walk_string(blob, slots[i].name) + (uint64_t)slots[i].kind * slots[i].type;
    return sum;
}

static inline uint64_t walk_flow_nodes(const ct_flow_nodes_resource *r) {
    const ct_flow_nodes_node *const nodes = ct_blob_at(r, r->nodes.offset);
    uint64_t sum = 0;
    for (uint32_t i = 0; i < r->nodes.count; ++i) {
        sum += walk_string(r, nodes[i].name) + walk_string(r, nodes[i].function) +
               walk_flow_slots(r, nodes[i].slots);
        sum += nodes[i].menu.offset ? walk_string(r, nodes[i].menu) : 0;
        sum += nodes[i].doc.offset ? walk_string(r, nodes[i].doc) : 0;
    }
    return sum;
}

static inline uint64_t walk_flow(const ct_flow_resource *r) {
    const ct_flow_node_info *const infos = ct_blob_at(r, r->infos.offset);
    const uint32_t *const program = ct_blob_at(r, r->program.offset);
    const ct_flow_initial *const initials = ct_blob_at(r, r->initials.offset);
    const ct_flow_entry *const entries = ct_blob_at(r, r->entries.offset);
    const ct_flow_variable *const variables = ct_blob_at(r, r->variables.offset);
    uint8_t *const data = calloc(r->dynamic_bytes / 16, 16);
    ct_error error;
    uint64_t sum = walk_array(r, r->texts, 1) + (ct_flow_check_data(r, data, &error) ? 1 : 0);
    for (uint32_t i = 0; i < r->initials.count; ++i) {
        sum += data[initials[i].offset + CT_FLOW_VALUE_BYTES - 1];
        if (!initials[i].level_unit)
            sum += walk_flow_input(r, data, initials[i].place, initials[i].type);
    }
    const ct_flow_used_type *const types = ct_blob_at(r, r->types.offset);
    for (uint32_t i = 0; i < r->types.count; ++i)
        sum += walk_string(r, types[i].name) + walk_flow_slots(r, types[i].slots);
    for (uint32_t i = 0; i < r->infos.count; ++i)
        sum += walk_string(r, infos[i].path) +
               walk_flow_node(r, data, (const ct_flow_node *)(program + infos[i].node));
    for (uint32_t i = 0; i < r->entries.count; ++i)
        sum += ((const ct_flow_node *)(program + entries[i].node))->type;
    for (uint32_t i = 0; i < r->variables.count; ++i)
        sum += walk_string(r, variables[i].name_text) +
               walk_flow_input(r, data, variables[i].offset, variables[i].type);
    free(data);
    return sum;
}

// Reads every value that a new record has.
static inline uint64_t walk_network_record(const ct_network_config_resource *c,
                                           const ct_network_record_type *r) {
    const ct_network_type *const types = ct_network_config_types(c);
    const ct_network_field *const fields = ct_network_record_fields(c, r);
    uint64_t sum = walk_string(c, r->name) + r->is_reliable + r->is_shared;
    for (uint32_t i = 0; i < r->num_fields; ++i) {
        const ct_network_type *const type = &types[fields[i].type];
        const uint32_t *const words = ct_network_record_defaults(c, r) + fields[i].first_word;
        const ct_network_value v = ct_network_value_read(type, words);
        sum += walk_string(c, fields[i].name) + v.id;
        for (uint32_t k = 0; k < fields[i].num_words; ++k)
            sum += words[k] + ct_network_record_widths(c, r)[fields[i].first_word + k];
        for (uint32_t k = 0; type->kind == CT_NETWORK_STRING && k < v.string.bytes; ++k)
            sum += (uint8_t)v.string.text[k];
        for (uint32_t k = 0; type->kind == CT_NETWORK_ARRAY && k < v.count; ++k)
            sum += ct_network_value_read(&types[type->element],
                                         words + 1 + k * types[type->element].num_words)
                       .id;
    }
    return sum;
}

static inline uint64_t walk_network_config(const ct_network_config_resource *c) {
    const ct_network_type *const types = ct_network_config_types(c);
    uint64_t sum = c->hash;
    for (uint32_t i = 0; i < c->types.count; ++i) {
        sum += walk_string(c, types[i].name);
        for (uint32_t k = 0; k < types[i].num_lookups; ++k)
            sum += strlen(ct_network_config_lookup(c, &types[i], k));
    }
    for (uint32_t i = 0; i < c->messages.count; ++i)
        sum += walk_network_record(c, &ct_network_config_messages(c)[i]);
    for (uint32_t i = 0; i < c->objects.count; ++i)
        sum += walk_network_record(c, &ct_network_config_objects(c)[i]);
    return sum;
}

static inline uint64_t walk_gui_theme(const ct_gui_theme_resource *t) {
    uint64_t sum = 0;
    for (uint32_t i = 0; i < CT_GUI_THEME_NUM_FONTS; ++i)
        sum += walk_string(t, t->font_names[i]) + t->fonts[i].value;
    for (uint32_t i = 0; i < CT_GUI_THEME_NUM_COLORS; ++i)
        sum += t->colors[i];
    for (uint32_t i = 0; i < CT_GUI_THEME_NUM_SIZES; ++i)
        sum += (uint64_t)t->sizes[i];
    for (uint32_t i = 0; i < CT_GUI_THEME_NUM_TIMES; ++i)
        sum += (uint64_t)t->times[i];
    return sum;
}

static inline uint64_t walk_physics(const ct_physics_resource *p) {
    const ct_physics_material *const materials = ct_blob_at(p, p->materials.offset);
    const ct_physics_filter *const filters = ct_blob_at(p, p->filters.offset);
    const ct_physics_template *const templates = ct_blob_at(p, p->templates.offset);
    uint64_t sum = 0;
    for (uint32_t i = 0; i < p->materials.count; ++i) {
        sum +=
            walk_string(p, materials[i].name_text) + ct_physics_find_material(p, materials[i].name);
        for (uint32_t k = 0; k < p->materials.count; ++k)
            sum += ct_physics_touch_impulse(p, i, k) > 1;
    }
    for (uint32_t i = 0; i < p->filters.count; ++i) {
        sum += walk_string(p, filters[i].name_text) + ct_physics_find_filter(p, filters[i].name);
        for (uint32_t k = 0; k < 32; ++k)
            sum += filters[i].collides >> k & 1 ? filters[k].name.value : 0;
    }
    for (uint32_t i = 0; i < p->templates.count; ++i)
        sum += walk_string(p, templates[i].name_text) +
               ct_physics_find_template(p, templates[i].name) +
               strlen(templates[i].actor.lock_position) + strlen(templates[i].actor.lock_rotation);
    return sum;
}

static inline uint64_t walk_skeleton(const ct_skeleton_resource *s) {
    uint32_t count;
    const ct_skeleton_joint *const joints = ct_skeleton_joints(s, &count);
    uint64_t sum = s->hash + ct_skeleton_find(s, (ct_string_id32){1});
    for (uint32_t i = 0; i < count; ++i) {
        sum += walk_string(s, joints[i].name_text) + joints[i].name.value;
        sum += joints[i].parent == CT_SKELETON_NO_PARENT ? 0 : joints[joints[i].parent].name.value;
    }
    return sum;
}

static inline uint64_t walk_state_machine(const ct_state_machine_resource *r) {
    const ct_state_machine_layer *const layers = ct_blob_at(r, r->layers.offset);
    const ct_state_machine_state *const states = ct_blob_at(r, r->states.offset);
    const ct_state_machine_leaf *const leaves = ct_blob_at(r, r->leaves.offset);
    const ct_state_machine_transition *const transitions = ct_blob_at(r, r->transitions.offset);
    const ct_state_machine_variable_data *const variables = ct_blob_at(r, r->variables.offset);
    const ct_resource_id *const clips = ct_blob_at(r, r->clips.offset);
    const uint32_t *const exits = ct_blob_at(r, r->exits.offset);
    uint64_t sum = walk_array(r, r->words, 4) + walk_array(r, r->events, 4);
    for (uint32_t i = 0; i < r->variables.count; ++i)
        sum += walk_string(r, variables[i].name_text);
    for (uint32_t i = 0; i < r->layers.count; ++i) {
        sum += walk_string(r, layers[i].name_text) + states[layers[i].start].kind;
        if (layers[i].first_mask != CT_STATE_MACHINE_NONE)
            sum += walk_bytes(r, r->masks.offset + 4 * layers[i].first_mask,
                              (uint64_t)r->num_mask_joints * 4);
    }
    for (uint32_t i = 0; i < r->states.count; ++i) {
        sum += walk_string(r, states[i].name_text);
        for (uint32_t k = 0; k < states[i].num_leaves; ++k)
            sum += clips[leaves[states[i].first_leaf + k].clip].name.value;
        for (uint32_t k = 0; k < states[i].num_exits; ++k)
            sum += states[transitions[exits[states[i].first_exit + k]].to].name.value;
    }
    return sum;
}

static inline uint64_t walk_data_index(const ct_data_index *index) {
    const ct_data_index_entry *const entries = ct_blob_at(index, index->entries.offset);
    uint64_t sum = 0;
    for (uint32_t i = 0; i < index->entries.count; ++i) {
        const ct_data_index_entry *const e = &entries[i];
        const ct_data_index_include *const includes = ct_blob_at(index, e->includes.offset);
        const ct_data_index_reference *const references = ct_blob_at(index, e->references.offset);
        const ct_data_index_error *const errors = ct_blob_at(index, e->errors.offset);
        sum += walk_string(index, e->type) + walk_string(index, e->name) +
               walk_string(index, e->source);
        for (uint32_t k = 0; k < e->includes.count; ++k)
            sum += walk_string(index, includes[k].path);
        for (uint32_t k = 0; k < e->references.count; ++k)
            sum += walk_string(index, references[k].name) +
                   walk_string(index, includes[references[k].include].path);
        for (uint32_t k = 0; k < e->errors.count; ++k)
            sum += walk_string(index, errors[k].file) + walk_string(index, errors[k].message);
        const ct_data_index_error *const warnings = ct_blob_at(index, e->warnings.offset);
        for (uint32_t k = 0; k < e->warnings.count; ++k)
            sum += walk_string(index, warnings[k].file) + walk_string(index, warnings[k].message);
    }
    return sum;
}

// Every key's text for a few numbers, with its placeholders.
static inline uint64_t walk_strings(const ct_strings_resource *s) {
    static const double counts[] = {0, 1, 2, 5, 1.5, -3, 1e300};
    const ct_strings_entry *const entries = ct_blob_at(s, s->entries.offset);
    uint64_t sum = walk_string(s, s->language) + (ct_strings_find(s, "", 0) != NULL);
    for (uint32_t i = 0; i < s->entries.count; ++i) {
        const ct_blob_string key = entries[i].key;
        sum += ct_strings_find(s, ct_blob_at(s, key.offset), key.bytes) != NULL;
        for (uint32_t k = 0; k < sizeof(counts) / sizeof(counts[0]); ++k) {
            const ct_blob_string text = ct_strings_text(s, &entries[i], k ? &counts[k] : NULL);
            const char *at = ct_blob_at(s, text.offset);
            const char *const end = at + text.bytes;
            ct_strings_piece piece;
            while (ct_strings_next_piece(&at, end, &piece))
                sum += piece.kind + (uint8_t)piece.text[piece.bytes - 1];
        }
    }
    return sum;
}

static inline uint64_t walk_catalog(const ct_catalog *c) {
    const ct_catalog_variant *const variants = ct_blob_at(c, c->variants.offset);
    const ct_string_id64 *const properties = ct_blob_at(c, c->properties.offset);
    const uint32_t *const references = ct_blob_at(c, c->references.offset);
    const ct_preference_order order = {.count = 0};
    uint64_t sum = ct_catalog_find(c, (ct_resource_id){{1}, {2}});
    for (uint32_t i = 0; i < c->entries.count; ++i) {
        const ct_catalog_entry *const e = &ct_catalog_entries(c)[i];
        const char *const name = ct_catalog_name(c, i);
        sum += ct_catalog_find(c, e->id) + (ct_catalog_choose(c, i, &order) != NULL) +
               (name ? strlen(name) : 0);
        for (uint32_t k = 0; k < e->num_variants; ++k)
            sum += variants[e->first_variant + k].data_name.value;
    }
    for (uint32_t i = 0; i < c->variants.count; ++i) {
        for (uint32_t k = 0; k < variants[i].num_properties; ++k)
            sum += properties[variants[i].first_property + k].value;
        for (uint32_t k = 0; k < variants[i].num_references; ++k)
            sum += references[variants[i].first_reference + k];
    }
    return sum;
}

static inline uint64_t walk_bundle(const ct_bundle_manifest *m) {
    const ct_bundle_archive *const archives = ct_blob_at(m, m->archives.offset);
    uint64_t sum = walk_string(m, m->platform);
    sum += strlen(ct_bundle_source_platform(m));
    for (uint32_t i = 0; i < m->archives.count; ++i)
        sum += walk_string(m, archives[i].file) + archives[i].index_checksum;
    return sum;
}

// Plays the stream as a player does, with the rows of the first jump frame, and reads the rest.
static inline uint64_t walk_animation(const ct_animation_resource *c) {
    const ct_animation_group *const groups = ct_blob_at(c, c->groups.offset);
    const ct_animation_event *const events = ct_blob_at(c, c->events.offset);
    const ct_animation_curve *const curves = ct_blob_at(c, c->curves.offset);
    uint64_t sum = ct_animation_root_at(c, 0.1f).heading > 0;
    for (uint32_t i = 0; i < c->events.count; ++i)
        sum += walk_string(c, events[i].name_text);
    for (uint32_t i = 0; i < c->curves.count; ++i)
        sum += walk_string(c, curves[i].object_text) + walk_string(c, curves[i].parameter_text);
    for (uint32_t g = 0; g < c->groups.count; ++g) {
        const uint32_t rows = ct_animation_num_group_rows(&groups[g], g < c->num_keyed_groups);
        sum += walk_bytes(c, c->rows.offset + groups[g].first_row * 16, rows * 16ull);
    }
    return sum + walk_array(c, c->stream, 1) + walk_array(c, c->jump_bits, 4) +
           walk_array(c, c->jump_states, 1);
}

// What a value reads, as the simulation does.
static inline double walk_particle_value(const ct_particles_resource *r,
                                         const ct_particle_emitter *e, uint32_t i) {
    const ct_particle_value *const v =
        (const ct_particle_value *)ct_blob_at(r, e->values.offset) + i;
    const ct_particle_sample *const samples = ct_blob_at(r, e->samples.offset);
    const ct_particle_variable *const variables = ct_blob_at(r, r->variables.offset);
    double sum = v->variable ? (double)variables[v->variable - 1].value[0] : 0;
    const uint32_t num_curves = v->source == CT_PARTICLE_SOURCE_CURVE         ? 1
                                : v->source == CT_PARTICLE_SOURCE_CURVE_RANGE ? 2
                                                                              : 0;
    for (uint32_t k = 0; k < num_curves; ++k)
        sum += (double)samples[v->curves[k] + CT_PARTICLES_CURVE_SAMPLES - 1].value[3];
    return sum;
}

// Writes the channels of one particle as the steps do.
static inline double walk_particle_steps(const ct_particles_resource *r,
                                         const ct_particle_emitter *e, ct_blob_array array,
                                         float *channels) {
    const ct_particle_step *const steps = ct_blob_at(r, array.offset);
    double sum = 0;
    for (uint32_t i = 0; i < array.count; ++i) {
        const ct_particle_step *const s = &steps[i];
        const bool writes = s->op == CT_PARTICLE_OP_SET || s->op == CT_PARTICLE_OP_CURVE ||
                            s->op == CT_PARTICLE_OP_ADD;
        for (uint32_t k = 0; k < ct_particle_step_values(s); ++k)
            sum += walk_particle_value(r, e, s->first_value + k);
        for (uint32_t k = 0; writes && k < s->num_components; ++k)
            channels[s->channel + k] =
                s->input == CT_PARTICLES_NO_CHANNEL ? 1 : channels[s->input + k];
    }
    return sum;
}

static inline double walk_particle_emitter(const ct_particles_resource *r,
                                           const ct_particle_emitter *e) {
    float *const channels = calloc((size_t)e->num_channels + 1, sizeof(float));
    for (uint32_t s = 0; s < CT_PARTICLE_SEMANTIC_COUNT; ++s) {
        for (uint32_t i = 0;
             e->channels[s] != CT_PARTICLES_NO_CHANNEL && i < ct_particle_semantic_channels(e, s);
             ++i)
            channels[e->channels[s] + i] = 1;
    }
    double sum = walk_particle_steps(r, e, e->init, channels) +
                 walk_particle_steps(r, e, e->update, channels) +
                 walk_particle_value(r, e, e->lifetime) + walk_particle_value(r, e, e->speed) +
                 walk_particle_value(r, e, e->velocity) + walk_particle_value(r, e, e->rate) +
                 walk_particle_value(r, e, e->per_metre);
    free(channels);
    const ct_particle_emitter *const emitters = ct_blob_at(r, r->emitters.offset);
    const ct_particle_event *const events = ct_blob_at(r, e->events.offset);
    for (uint32_t i = 0; i < e->events.count; ++i)
        sum += emitters[events[i].emitter].capacity;
    return sum;
}

static inline uint64_t walk_particles(const ct_particles_resource *r) {
    const ct_particle_variable *const variables = ct_blob_at(r, r->variables.offset);
    const ct_particle_emitter *const emitters = ct_blob_at(r, r->emitters.offset);
    uint64_t sum = 0;
    for (uint32_t i = 0; i < r->variables.count; ++i)
        sum += walk_string(r, variables[i].name_text);
    for (uint32_t i = 0; i < r->emitters.count; ++i) {
        const ct_particle_emitter *const e = &emitters[i];
        sum += walk_string(r, e->name_text) + (walk_particle_emitter(r, e) > 0) +
               walk_array(r, e->bursts, sizeof(ct_particle_burst)) +
               walk_array(r, e->points, sizeof(ct_particle_point));
    }
    return sum;
}

static inline uint64_t walk_sound(const ct_sound_resource *s) {
    const ct_sound_chunk *const chunks = ct_blob_at(s, s->chunks.offset);
    uint64_t sum = walk_string(s, s->media_format) + walk_array(s, s->waveform, 1);
    uint32_t header = s->vorbis_headers.offset;
    for (uint32_t i = 0; i < CT_SOUND_VORBIS_HEADERS; ++i) {
        sum += walk_bytes(s, header, s->vorbis_header_bytes[i]);
        header += s->vorbis_header_bytes[i];
    }
    for (uint32_t i = 0; i < s->chunks.count; ++i) {
        sum += ct_sound_find_chunk(s, chunks[i].first_frame);
        if (!(s->flags & CT_SOUND_STREAMED))
            sum += walk_bytes(s, s->data.offset + chunks[i].offset, chunks[i].bytes);
    }
    return sum;
}

static inline uint64_t walk_sound_bus(const ct_sound_bus_resource *r) {
    const ct_sound_bus *const buses = ct_blob_at(r, r->buses.offset);
    const ct_sound_bus_send *const sends = ct_blob_at(r, r->sends.offset);
    const ct_sound_snapshot *const snapshots = ct_blob_at(r, r->snapshots.offset);
    const ct_sound_bus_setting *const settings = ct_blob_at(r, r->settings.offset);
    uint64_t sum = 0;
    for (uint32_t i = 0; i < r->buses.count; ++i) {
        sum += walk_string(r, buses[i].name_text) + ct_sound_find_bus(r, buses[i].name);
        sum += i > 0 ? buses[buses[i].parent].order : 0;
        sum += buses[i].duck_by != CT_SOUND_NO_BUS ? buses[buses[i].duck_by].order : 0;
    }
    for (uint32_t i = 0; i < r->sends.count; ++i)
        sum += buses[sends[i].from].order + buses[sends[i].to].order;
    for (uint32_t i = 0; i < r->snapshots.count; ++i) {
        const ct_sound_snapshot *const s = &snapshots[i];
        sum += walk_string(r, s->name_text) + ct_sound_find_snapshot(r, s->name);
        for (uint32_t k = s->first_setting; k < s->first_setting + s->num_settings; ++k)
            sum += buses[settings[k].bus].order + settings[k].member;
    }
    for (uint32_t i = 0; i < r->settings.count; ++i)
        sum += settings[i].member == CT_SOUND_BUS_SEND ? sends[settings[i].send].to : 0;
    return sum;
}

// What a node and all below it say; `num_nodes` counts them, each once.
static inline double walk_sound_node(const ct_sound_event_resource *e, uint32_t node,
                                     uint32_t *num_nodes) {
    const ct_sound_node *const nodes = ct_blob_at(e, e->nodes.offset);
    const ct_sound_case *const cases = ct_blob_at(e, e->cases.offset);
    const ct_sound_value *const values = ct_blob_at(e, e->values.offset);
    const ct_sound_curve *const curves = ct_blob_at(e, e->curves.offset);
    const ct_sound_point *const points = ct_blob_at(e, e->points.offset);
    const uint32_t *const leaf_curves = ct_blob_at(e, e->leaf_curves.offset);
    const ct_sound_node *const n = &nodes[node];
    double sum = n->kind + (double)n->weight;
    ++*num_nodes;
    for (uint32_t i = 0; i < n->num_cases; ++i)
        sum += (double)cases[n->first_case + i].low;
    for (uint32_t i = 0; i < n->num_values; ++i)
        sum += (double)values[n->first_value + i].high;
    for (uint32_t i = 0; i < n->num_curves; ++i) {
        const ct_sound_curve *const c = &curves[leaf_curves[n->first_curve + i]];
        for (uint32_t k = 0; k < c->num_points; ++k)
            sum += (double)points[c->first_point + k].y;
    }
    for (uint32_t c = n->first_child; c != CT_SOUND_NO_NODE; c = nodes[c].next)
        sum += walk_sound_node(e, c, num_nodes);
    return sum;
}

static inline uint64_t walk_sound_event(const ct_sound_event_resource *e) {
    const ct_sound_parameter_info *const infos = ct_blob_at(e, e->parameters.offset);
    uint32_t num_nodes = 0;
    uint64_t sum = (walk_sound_node(e, 0, &num_nodes) > 0) +
                   walk_array(e, e->markers, sizeof(ct_sound_marker));
    for (uint32_t i = 0; i < e->parameters.count; ++i)
        sum += walk_string(e, infos[i].name_text);
    return sum + num_nodes;
}

// Reads all of a valid blob of resource type `type`.
static inline uint64_t walk_blob(const char *type, const void *blob) {
    const ct_lua_resource *const lua = blob;
    const ct_package_resource *const package = blob;
    const ct_unit_resource *const unit = blob;
    if (strcmp(type, "animation") == 0)
        return walk_animation(blob);
    if (strcmp(type, "config") == 0)
        return walk_node(blob, 0);
    if (strcmp(type, "environment") == 0)
        return walk_environment(blob);
    if (strcmp(type, "flow") == 0)
        return walk_flow(blob);
    if (strcmp(type, "flow_nodes") == 0)
        return walk_flow_nodes(blob);
    if (strcmp(type, "font") == 0)
        return walk_font(blob);
    if (strcmp(type, "gui_theme") == 0)
        return walk_gui_theme(blob);
    if (strcmp(type, "input") == 0)
        return walk_input(blob);
    if (strcmp(type, "lua") == 0)
        return walk_string(lua, lua->path) + walk_string(lua, lua->text);
    if (strcmp(type, "navigation") == 0)
        return walk_navigation(blob);
    if (strcmp(type, "network_config") == 0)
        return walk_network_config(blob);
    if (strcmp(type, "height_field") == 0)
        return walk_height_field(blob);
    if (strcmp(type, "particles") == 0)
        return walk_particles(blob);
    if (strcmp(type, "physics") == 0)
        return walk_physics(blob);
    if (strcmp(type, "skeleton") == 0)
        return walk_skeleton(blob);
    if (strcmp(type, "sound") == 0)
        return walk_sound(blob);
    if (strcmp(type, "sound_bus") == 0)
        return walk_sound_bus(blob);
    if (strcmp(type, "sound_event") == 0)
        return walk_sound_event(blob);
    if (strcmp(type, "state_machine") == 0)
        return walk_state_machine(blob);
    if (strcmp(type, "strings") == 0)
        return walk_strings(blob);
    if (strcmp(type, "texture") == 0)
        return walk_texture(blob);
    if (strcmp(type, "shader") == 0)
        return walk_shader(blob);
    if (strcmp(type, "material") == 0)
        return walk_material(blob);
    if (strcmp(type, "mesh") == 0)
        return walk_mesh(blob);
    if (strcmp(type, "render_config") == 0)
        return walk_render_config(blob);
    if (strcmp(type, "unit") == 0)
        return walk_template(unit, &unit->entities);
    if (strcmp(type, "level") == 0)
        return walk_level(blob);
    if (strcmp(type, "package") == 0)
        return walk_array(package, package->resources, sizeof(ct_resource_id));
    if (strcmp(type, CT_BUNDLE_TYPE) == 0)
        return walk_bundle(blob);
    if (strcmp(type, CT_CATALOG_TYPE) == 0)
        return walk_catalog(blob);
    return walk_data_index(blob);
}
