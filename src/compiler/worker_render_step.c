#include <string.h>

#include "compiler/worker_render_config.h"
#include "foundation/error.h"
#include "resource/resource_id.h"

static ct_sjson_value member(const ct_worker_render_config *r, ct_sjson_value v, const char *key) {
    return ct_sjson_find(r->doc, v, key);
}

static void read_clear(ct_worker_render_config *r, ct_sjson_value v, ct_render_step *step) {
    static const char *const members[] = {"type", "targets", "depth_target", "color", "depth"};
    ct_worker_render_members(r, v, "clear", members, CT_COUNT_OF(members));
    const ct_sjson_value depth_target = member(r, v, "depth_target");
    const ct_sjson_value color = member(r, v, "color"), depth = member(r, v, "depth");
    step->num_color_targets =
        ct_worker_render_colors(r, member(r, v, "targets"), step->color_targets);
    if (depth_target.entry)
        step->depth_target =
            ct_worker_render_target_at(r, depth_target, CT_WORKER_TARGET_USE_DEPTH);
    if (!depth_target.entry && ct_sjson_count(r->doc, member(r, v, "targets")) == 0)
        ct_worker_render_error(r, v, "clear: expected targets, a depth_target, or both");
    double numbers[4] = {0, 0, 0, 1};
    if (color.entry)
        ct_worker_render_numbers(r, color, "color", 3, 4, 0, 1, numbers);
    for (uint32_t i = 0; i < 4; i++)
        step->clear_color[i] = i < 3 ? ct_srgb_to_linear((float)numbers[i]) : (float)numbers[i];
    const double clear_depth = ct_sjson_number(r->doc, depth, depth.entry ? -1 : 1);
    if (!(clear_depth >= 0 && clear_depth <= 1))
        ct_worker_render_error(r, depth, "depth: expected a number from 0 (near) to 1 (far)");
    step->clear_depth = (float)clear_depth;
}

static void read_draw_layer(ct_worker_render_config *r, ct_sjson_value v, ct_render_step *step) {
    static const char *const members[] = {"type", "layer"};
    ct_worker_render_members(r, v, "draw_layer", members, CT_COUNT_OF(members));
    const ct_sjson_value layer = member(r, v, "layer");
    const char *name = ct_sjson_string(r->doc, layer, NULL);
    if (!name) {
        ct_worker_render_error(r, layer.entry ? layer : v,
                               "draw_layer: expected layer = \"…\", the name of a layer");
        return;
    }
    const char **names = CT_NEW_ARRAY(r->c->allocator, const char *, r->layers.count + 1);
    for (uint32_t i = 0; i < r->layers.count; i++) {
        names[i] = r->layers.items[i].name;
        if (strcmp(names[i], name) == 0)
            step->layer = r->layers.items[i].layer.name;
    }
    if (step->layer.value == 0)
        ct_worker_render_choice(r, layer, "layer", names, r->layers.count);
}

// Reads a reference to (type, v) and reports it to the driver; {0} after reporting an error.
static ct_string_id64 read_reference(ct_worker_render_config *r, ct_sjson_value v,
                                     const char *type) {
    const char *name = ct_sjson_string(r->doc, v, NULL);
    char suggestion[CT_RESOURCE_NAME_BYTES] = "";
    if (name && ct_resource_name_is_canonical(name)) {
        ct_compile_reference(r->c, type, name, r->doc, v);
        return ct_string_id64_of(name);
    }
    if (name)
        ct_resource_name_suggest(name, suggestion);
    ct_worker_render_error(r, v, "%s: expected the name of a %s%s%s", type, type,
                           name ? " in [a-z0-9_/-], such as " : "", suggestion);
    return (ct_string_id64){0};
}

static void read_input(ct_worker_render_config *r, ct_sjson_value v, ct_render_step *step) {
    static const char *const members[] = {"name", "filter"};
    static const char *const filters[] = {"linear", "nearest"};
    ct_render_input input = {0};
    ct_sjson_value name = v;
    if (ct_sjson_type_of(r->doc, v) == CT_SJSON_TYPE_OBJECT) {
        ct_worker_render_members(r, v, "inputs", members, CT_COUNT_OF(members));
        const ct_sjson_value filter = member(r, v, "filter");
        if (filter.entry)
            input.filter =
                ct_worker_render_choice(r, filter, "filter", filters, CT_COUNT_OF(filters));
        name = member(r, v, "name");
        if (!name.entry) {
            ct_worker_render_error(r, v, "inputs: expected a name");
            return;
        }
    }
    input.target = ct_worker_render_target_at(r, name, CT_WORKER_TARGET_USE_INPUT);
    for (uint32_t i = 0; i < step->num_color_targets && input.target.value; i++) {
        if (step->color_targets[i].value == input.target.value)
            ct_worker_render_error(r, name, "%s is both read and written by this pass",
                                   ct_sjson_string(r->doc, name, ""));
    }
    if (step->num_inputs == CT_RENDER_MAX_INPUTS)
        ct_worker_render_error(r, v, "inputs: expected at most %d", CT_RENDER_MAX_INPUTS);
    else
        step->inputs[step->num_inputs++] = input;
}

static void read_fullscreen_pass(ct_worker_render_config *r, ct_sjson_value v,
                                 ct_render_step *step) {
    static const char *const members[] = {"type", "shader", "material", "inputs", "targets"};
    ct_worker_render_members(r, v, "fullscreen_pass", members, CT_COUNT_OF(members));
    const ct_sjson_value shader = member(r, v, "shader"), material = member(r, v, "material");
    const ct_sjson_value inputs = member(r, v, "inputs"), targets = member(r, v, "targets");
    if (shader.entry)
        step->shader = read_reference(r, shader, "shader");
    else
        ct_worker_render_error(r, v, "fullscreen_pass: expected a shader");
    if (material.entry)
        step->material = read_reference(r, material, "material");
    step->num_color_targets = ct_worker_render_colors(r, targets, step->color_targets);
    if (ct_sjson_count(r->doc, targets) == 0)
        ct_worker_render_error(r, v, "fullscreen_pass: expected targets");
    ct_worker_render_sizes(r, v, step->color_targets, step->num_color_targets, (ct_string_id32){0});
    if (inputs.entry && ct_sjson_type_of(r->doc, inputs) != CT_SJSON_TYPE_ARRAY)
        ct_worker_render_error(r, inputs, "inputs: found %s, expected an array",
                               ct_sjson_type_name(ct_sjson_type_of(r->doc, inputs)));
    for (ct_sjson_value e = ct_sjson_first(r->doc, inputs); e.entry; e = ct_sjson_next(r->doc, e)) {
        if (ct_sjson_key(r->doc, e))
            return; // an object, which is reported
        read_input(r, e, step);
    }
}

// A row for each kind of step: its name, and what reads the rest of its members.
static const struct {
    const char *name;
    ct_render_step_type type;
    void (*read)(ct_worker_render_config *r, ct_sjson_value v, ct_render_step *step);
} step_types[] = {
    {"clear", CT_RENDER_STEP_TYPE_CLEAR, read_clear},
    {"draw_layer", CT_RENDER_STEP_TYPE_DRAW_LAYER, read_draw_layer},
    {"fullscreen_pass", CT_RENDER_STEP_TYPE_FULLSCREEN_PASS, read_fullscreen_pass},
};

void ct_worker_render_step(ct_worker_render_config *r, ct_sjson_value v) {
    const char *names[CT_COUNT_OF(step_types)];
    if (ct_sjson_type_of(r->doc, v) != CT_SJSON_TYPE_OBJECT) {
        ct_worker_render_error(r, v, "found %s, expected a step such as { type = \"clear\" … }",
                               ct_sjson_type_name(ct_sjson_type_of(r->doc, v)));
        return;
    }
    for (uint32_t i = 0; i < CT_COUNT_OF(step_types); i++)
        names[i] = step_types[i].name;
    const ct_sjson_value type = member(r, v, "type");
    const uint32_t row =
        ct_worker_render_choice(r, type.entry ? type : v, "type", names, CT_COUNT_OF(step_types));
    if (row == CT_COUNT_OF(step_types))
        return;
    ct_render_step step = {.type = step_types[row].type};
    step_types[row].read(r, v, &step);
    ct_array_push(&r->steps, step);
}
