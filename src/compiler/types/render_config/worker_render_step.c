#include <string.h>

#include "compiler/types/render_config/worker_render_config.h"
#include "foundation/error.h"

static ct_sjson_value member(const ct_worker_render_config *r, ct_sjson_value v, const char *key) {
    return ct_sjson_find(r->doc, v, key);
}

static void read_clear(ct_worker_render_config *r, ct_sjson_value v, ct_render_step *step) {
    static const char *const members[] = {CT_WORKER_STEP_MEMBERS, "targets", "depth_target",
                                          "color", "depth"};
    ct_worker_render_members(r, v, "clear", members, CT_COUNT_OF(members));
    const ct_sjson_value depth_target = member(r, v, "depth_target");
    const ct_sjson_value color = member(r, v, "color"), depth = member(r, v, "depth");
    step->num_color_targets =
        ct_worker_render_colors(r, member(r, v, "targets"), step->color_targets, NULL);
    if (depth_target.entry)
        step->depth_target =
            ct_worker_render_target_at(r, depth_target, CT_WORKER_TARGET_USE_DEPTH);
    if (!depth_target.entry && ct_sjson_count(r->doc, member(r, v, "targets")) == 0)
        ct_worker_render_error(r, v, "clear: expected targets, a depth_target, or both");
    double numbers[4] = {0, 0, 0, 1};
    if (color.entry)
        ct_worker_render_numbers(r, color, "color", 3, 4, 0, 1, numbers);
    for (uint32_t i = 0; i < 4; ++i)
        step->clear_color[i] = i < 3 ? ct_srgb_to_linear((float)numbers[i]) : (float)numbers[i];
    const double clear_depth = ct_sjson_number(r->doc, depth, depth.entry ? -1 : 1);
    if (!(clear_depth >= 0 && clear_depth <= 1))
        ct_worker_render_error(r, depth, "depth: expected a number from 0 (near) to 1 (far)");
    step->clear_depth = (float)clear_depth;
}

// layer = "…": the layer's name; {0} after reporting.
static ct_string_id32 read_layer(ct_worker_render_config *r, ct_sjson_value v, const char *what) {
    const ct_sjson_value layer = member(r, v, "layer");
    const char *const name = ct_sjson_string(r->doc, layer, NULL);
    if (!name) {
        ct_worker_render_error(r, layer.entry ? layer : v,
                               "%s: expected layer = \"…\", the name of a layer", what);
        return (ct_string_id32){0};
    }
    const char **const names = CT_NEW_ARRAY(r->c->allocator, const char *, r->layers.count + 1);
    for (uint32_t i = 0; i < r->layers.count; ++i) {
        names[i] = r->layers.items[i].name;
        if (strcmp(names[i], name) == 0)
            return r->layers.items[i].layer.name;
    }
    ct_worker_render_choice(r, layer, "layer", names, r->layers.count);
    return (ct_string_id32){0};
}

static void read_draw_layer(ct_worker_render_config *r, ct_sjson_value v, ct_render_step *step) {
    static const char *const members[] = {
        CT_WORKER_STEP_MEMBERS, "layer",    "material", "only", "targets",
        "depth_target",         "wireframe"};
    static const char *const onlies[] = {"all", "outlined"};
    ct_worker_render_members(r, v, "draw_layer", members, CT_COUNT_OF(members));
    const ct_sjson_value only = member(r, v, "only"), material = member(r, v, "material");
    const ct_sjson_value depth_target = member(r, v, "depth_target");
    step->layer = read_layer(r, v, "draw_layer");
    if (material.entry)
        step->material = ct_worker_render_reference(r, material, "material");
    if (only.entry)
        step->only = ct_worker_render_choice(r, only, "only", onlies, CT_COUNT_OF(onlies));
    step->num_color_targets =
        ct_worker_render_colors(r, member(r, v, "targets"), step->color_targets, NULL);
    if (depth_target.entry)
        step->depth_target =
            ct_worker_render_target_at(r, depth_target, CT_WORKER_TARGET_USE_DEPTH);
    ct_worker_render_sizes(r, v, step->color_targets, step->num_color_targets, step->depth_target);
    step->is_wireframe = ct_worker_render_bool(r, member(r, v, "wireframe"), "wireframe");
}

static void read_capture_sky(ct_worker_render_config *r, ct_sjson_value v, ct_render_step *step) {
    static const char *const members[] = {CT_WORKER_STEP_MEMBERS, "layer", "target"};
    ct_worker_render_members(r, v, "capture_sky", members, CT_COUNT_OF(members));
    const ct_sjson_value target = member(r, v, "target");
    step->layer = read_layer(r, v, "capture_sky");
    if (!target.entry) {
        ct_worker_render_error(r, v, "capture_sky: expected target = \"…\", for the six squares");
        return;
    }
    step->color_targets[0] = ct_worker_render_target_at(r, target, CT_WORKER_TARGET_USE_COLOR);
    step->num_color_targets = 1;
    const ct_render_target *const t = ct_worker_render_find_target(r, step->color_targets[0]);
    if (step->color_targets[0].value != 0 && (!t || !t->width || t->width * 2 != t->height * 3))
        ct_worker_render_error(
            r, target, "target: expected a size in pixels for 3 x 2 squares, such as [192 128]");
}

static const char *text_of(const ct_worker_render_config *r, ct_sjson_value v) {
    return ct_sjson_string(r->doc, v, "");
}

static void read_copy(ct_worker_render_config *r, ct_sjson_value v, ct_render_step *step) {
    static const char *const members[] = {CT_WORKER_STEP_MEMBERS, "source", "target", "filter"};
    static const char *const filters[] = {"linear", "nearest"};
    ct_worker_render_members(r, v, "copy", members, CT_COUNT_OF(members));
    const ct_sjson_value source = member(r, v, "source"), target = member(r, v, "target");
    const ct_sjson_value filter = member(r, v, "filter");
    if (!source.entry || !target.entry) {
        ct_worker_render_error(r, v, "copy: expected a source and a target");
        return;
    }
    const ct_string_id32 from = ct_worker_render_target_at(r, source, CT_WORKER_TARGET_USE_COPIED);
    const ct_render_target *const from_target = ct_worker_render_find_target(r, from);
    const bool is_depth = from_target && from_target->format == CT_RENDER_FORMAT_D32F;
    const ct_string_id32 to = ct_worker_render_target_at(
        r, target, is_depth ? CT_WORKER_TARGET_USE_DEPTH : CT_WORKER_TARGET_USE_COLOR);
    if (from.value != 0 && from.value == to.value)
        ct_worker_render_error(r, target, "copy: %s is both source and target", text_of(r, target));
    if (is_depth)
        ct_worker_render_sizes(r, v, &from, 1, to);
    step->inputs[0] = (ct_render_input){.target = from};
    if (filter.entry)
        step->inputs[0].filter =
            ct_worker_render_choice(r, filter, "filter", filters, CT_COUNT_OF(filters));
    step->num_inputs = 1;
    step->num_color_targets = !is_depth;
    step->color_targets[0] = is_depth ? (ct_string_id32){0} : to;
    step->depth_target = is_depth ? to : (ct_string_id32){0};
}

static void read_generate_mips(ct_worker_render_config *r, ct_sjson_value v, ct_render_step *step) {
    static const char *const members[] = {CT_WORKER_STEP_MEMBERS, "target"};
    ct_worker_render_members(r, v, "generate_mips", members, CT_COUNT_OF(members));
    const ct_sjson_value target = member(r, v, "target");
    if (!target.entry) {
        ct_worker_render_error(r, v, "generate_mips: expected a target");
        return;
    }
    step->color_targets[0] = ct_worker_render_target_at(r, target, CT_WORKER_TARGET_USE_COLOR);
    step->num_color_targets = 1;
    const ct_render_target *const t = ct_worker_render_find_target(r, step->color_targets[0]);
    if (step->color_targets[0].value != 0 && (!t || t->num_mips == 1))
        ct_worker_render_error(r, target, "generate_mips: %s has no mips; declare mips = \"all\"",
                               text_of(r, target));
}

// The number `key` of the step, or the setting that says it; `value` when it is not there.
static ct_render_value read_value(ct_worker_render_config *r, ct_sjson_value v, const char *key,
                                  double least, double most, float value) {
    const ct_sjson_value number = member(r, v, key);
    return number.entry ? ct_worker_render_number(r, number, key, least, most)
                        : (ct_render_value){.numbers = {value}};
}

// true, false or a setting that says it; false when it is not there.
static ct_render_value read_switch(ct_worker_render_config *r, ct_sjson_value v, const char *key) {
    const ct_sjson_value value = member(r, v, key);
    uint32_t setting;
    if (!value.entry)
        return (ct_render_value){0};
    if (ct_worker_render_is_setting(r, value, 1u << CT_RENDER_SETTING_TYPE_BOOL, &setting))
        return (ct_render_value){.setting = setting + 1};
    if (ct_sjson_type_of(r->doc, value) != CT_SJSON_TYPE_BOOL)
        ct_worker_render_error(r, value, "%s: found %s, expected true or false", key,
                               ct_sjson_type_name(ct_sjson_type_of(r->doc, value)));
    return (ct_render_value){.numbers = {ct_sjson_bool(r->doc, value, false)}};
}

// The map is cut into squares for the cascades: its size does not follow that of the back buffer.
static void check_shadow_map(ct_worker_render_config *r, ct_sjson_value v, ct_string_id32 name) {
    enum { LEAST_SIZE = 64 };
    for (uint32_t i = 0; i < r->targets.count; ++i) {
        const ct_render_target *const t = &r->targets.items[i].target;
        if (t->name.value == name.value && (t->width < LEAST_SIZE || t->height < LEAST_SIZE))
            ct_worker_render_error(r, v,
                                   "target: a shadow map must have a size of at least [%d %d]",
                                   LEAST_SIZE, LEAST_SIZE);
    }
}

static void read_cascaded_shadows(ct_worker_render_config *r, ct_sjson_value v,
                                  ct_render_step *step) {
    static const char *const members[] = {CT_WORKER_STEP_MEMBERS, "target", "cascades", "distance",
                                          "split_lambda",         "on_cpu"};
    ct_worker_render_members(r, v, "cascaded_shadows", members, CT_COUNT_OF(members));
    const ct_sjson_value target = member(r, v, "target");
    if (!target.entry) {
        ct_worker_render_error(r, v, "cascaded_shadows: expected target = \"…\", the shadow map");
        return;
    }
    step->depth_target = ct_worker_render_target_at(r, target, CT_WORKER_TARGET_USE_DEPTH);
    check_shadow_map(r, target, step->depth_target);
    step->num_cascades = read_value(r, v, "cascades", 1, CT_RENDER_MAX_CASCADES, 4);
    step->shadow_distance = read_value(r, v, "distance", (double)CT_RENDER_LEAST_SHADOW_DISTANCE,
                                       (double)CT_RENDER_MOST_SHADOW_DISTANCE, 80);
    step->split_lambda = read_value(r, v, "split_lambda", 0, 1, 0.75f);
    step->on_cpu = read_switch(r, v, "on_cpu");
}

// A row for each kind of step: its name, and what reads the rest of its members.
static const struct {
    const char *name;
    ct_render_step_type type;
    void (*read)(ct_worker_render_config *r, ct_sjson_value v, ct_render_step *step);
} step_types[] = {
    {"capture_sky", CT_RENDER_STEP_TYPE_CAPTURE_SKY, read_capture_sky},
    {"cascaded_shadows", CT_RENDER_STEP_TYPE_CASCADED_SHADOWS, read_cascaded_shadows},
    {"clear", CT_RENDER_STEP_TYPE_CLEAR, read_clear},
    {"draw_layer", CT_RENDER_STEP_TYPE_DRAW_LAYER, read_draw_layer},
    {"fullscreen_pass", CT_RENDER_STEP_TYPE_FULLSCREEN_PASS, ct_worker_render_pass},
    {"copy", CT_RENDER_STEP_TYPE_COPY, read_copy},
    {"generate_mips", CT_RENDER_STEP_TYPE_GENERATE_MIPS, read_generate_mips},
    {"compute", CT_RENDER_STEP_TYPE_COMPUTE, ct_worker_render_compute},
};

static const char *read_step_name(ct_worker_render_config *r, ct_sjson_value v) {
    const char *const name = ct_sjson_string(r->doc, v, NULL);
    if (v.entry && (!name || !*name))
        ct_worker_render_error(r, v, "name: expected a name for the step");
    return name;
}

void ct_worker_render_step(ct_worker_render_config *r, ct_sjson_value v,
                           ct_worker_step_array *steps) {
    const char *names[CT_COUNT_OF(step_types)];
    if (ct_sjson_type_of(r->doc, v) != CT_SJSON_TYPE_OBJECT) {
        ct_worker_render_error(r, v, "found %s, expected a step such as { type = \"clear\" … }",
                               ct_sjson_type_name(ct_sjson_type_of(r->doc, v)));
        return;
    }
    for (uint32_t i = 0; i < CT_COUNT_OF(step_types); ++i)
        names[i] = step_types[i].name;
    const ct_sjson_value type = member(r, v, "type");
    const uint32_t row =
        ct_worker_render_choice(r, type.entry ? type : v, "type", names, CT_COUNT_OF(step_types));
    if (row == CT_COUNT_OF(step_types))
        return;
    ct_worker_step step = {.name = read_step_name(r, member(r, v, "name")),
                           .doc = r->doc,
                           .at = v,
                           .step = {.type = step_types[row].type}};
    static const char *const whens[] = {"always", "sky_captured", "outlined"};
    const ct_sjson_value when = member(r, v, "when");
    step.step.enabled = ct_worker_render_conditions(r, member(r, v, "enabled"), "enabled");
    if (when.entry)
        step.step.when = ct_worker_render_choice(r, when, "when", whens, CT_COUNT_OF(whens));
    step.step.overwrites = ct_worker_render_bool(r, member(r, v, "overwrite"), "overwrite");
    step_types[row].read(r, v, &step.step);
    ct_array_push(steps, step);
}
