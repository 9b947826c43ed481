#include <string.h>

#include "compiler/worker_parameter.h"
#include "compiler/worker_render_config.h"
#include "foundation/error.h"
#include "resource/resource_id.h"

// What every step may have.
#define STEP_MEMBERS "type", "name", "enabled"

static ct_sjson_value member(const ct_worker_render_config *r, ct_sjson_value v, const char *key) {
    return ct_sjson_find(r->doc, v, key);
}

static void read_clear(ct_worker_render_config *r, ct_sjson_value v, ct_render_step *step) {
    static const char *const members[] = {STEP_MEMBERS, "targets", "depth_target", "color",
                                          "depth"};
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
    static const char *const members[] = {STEP_MEMBERS, "layer"};
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

// Whether a setting of this type fits a parameter of that type.
static bool fits(ct_render_setting_type setting, ct_shader_parameter_type parameter) {
    switch (parameter) {
    case CT_SHADER_PARAMETER_TYPE_SCALAR:
        return ct_render_setting_floats(setting) == 1;
    case CT_SHADER_PARAMETER_TYPE_VECTOR2:
        return setting == CT_RENDER_SETTING_TYPE_VECTOR2;
    case CT_SHADER_PARAMETER_TYPE_VECTOR3:
        return setting == CT_RENDER_SETTING_TYPE_VECTOR3;
    case CT_SHADER_PARAMETER_TYPE_VECTOR4:
        return setting == CT_RENDER_SETTING_TYPE_VECTOR4;
    default:
        return setting == CT_RENDER_SETTING_TYPE_COLOR;
    }
}

// Reads `name = { setting = "…" }`, which the shader must have as a parameter.
static void read_pass_parameter(ct_worker_render_config *r, ct_sjson_value v,
                                const ct_sjson *shader, ct_render_step *step) {
    const char *name = ct_sjson_key(r->doc, v);
    const ct_sjson_value known = ct_sjson_find(shader, ct_sjson_root(shader), "parameters");
    const ct_sjson_value declared = ct_sjson_find(shader, known, name);
    uint32_t setting;
    if (!declared.entry) {
        const char **names =
            CT_NEW_ARRAY(r->c->allocator, const char *, ct_sjson_count(shader, known) + 1);
        uint32_t count = 0;
        for (ct_sjson_value p = ct_sjson_first(shader, known); p.entry;
             p = ct_sjson_next(shader, p))
            names[count++] = ct_sjson_key(shader, p);
        const char *nearest = ct_nearest_name(name, names, count);
        ct_worker_render_error(r, v, "%s has no parameter \"%.64s\"%s%s%s", ct_sjson_file(shader),
                               name, nearest ? "; did you mean \"" : "", nearest ? nearest : "",
                               nearest ? "\"?" : "");
        return;
    }
    if (!ct_worker_render_is_setting(r, v, UINT32_MAX, &setting)) {
        ct_worker_render_error(r, v,
                               "%s: found %s, expected { setting = \"…\" }; what no setting "
                               "says belongs into the material",
                               name, ct_sjson_type_name(ct_sjson_type_of(r->doc, v)));
        return;
    }
    const char *type = ct_sjson_string(shader, ct_sjson_find(shader, declared, "type"), "");
    if (setting == r->settings.count)
        return;
    const ct_worker_setting *s = &r->settings.items[setting];
    if (!fits((ct_render_setting_type)s->setting.type, ct_worker_parameter_type_named(type)))
        ct_worker_render_error(r, v, "%s is a %s, and the parameter %s a %s", s->name,
                               ct_render_setting_type_name(s->setting.type), name, type);
    else if (step->num_parameters == CT_RENDER_MAX_PARAMETERS)
        ct_worker_render_error(r, v, "parameters: expected at most %d", CT_RENDER_MAX_PARAMETERS);
    else
        step->parameters[step->num_parameters++] =
            (ct_render_parameter){ct_string_id32_of(name), setting};
}

// The source of the shader that the step names; NULL after reporting (not what is reported as the
// shader is read).
static const ct_sjson *read_shader_source(ct_worker_render_config *r, ct_sjson_value v) {
    const char *name = ct_sjson_string(r->doc, v, "");
    if (!ct_resource_name_is_canonical(name))
        return NULL;
    return ct_compile_read_sjson(r->c, ct_compile_text(r->c, "%s.shader", name), r->doc, v);
}

static void read_pass_parameters(ct_worker_render_config *r, ct_sjson_value v,
                                 ct_sjson_value shader, ct_render_step *step) {
    if (!v.entry)
        return;
    if (ct_sjson_type_of(r->doc, v) != CT_SJSON_TYPE_OBJECT) {
        ct_worker_render_error(r, v,
                               "parameters: found %s, expected { name = { setting = \"…\" } }",
                               ct_sjson_type_name(ct_sjson_type_of(r->doc, v)));
        return;
    }
    const ct_sjson *source = read_shader_source(r, shader);
    for (ct_sjson_value p = ct_sjson_first(r->doc, v); source && p.entry;
         p = ct_sjson_next(r->doc, p))
        read_pass_parameter(r, p, source, step);
}

static void read_fullscreen_pass(ct_worker_render_config *r, ct_sjson_value v,
                                 ct_render_step *step) {
    static const char *const members[] = {STEP_MEMBERS, "shader",  "material",
                                          "inputs",     "targets", "parameters"};
    ct_worker_render_members(r, v, "fullscreen_pass", members, CT_COUNT_OF(members));
    const ct_sjson_value shader = member(r, v, "shader"), material = member(r, v, "material");
    const ct_sjson_value inputs = member(r, v, "inputs"), targets = member(r, v, "targets");
    if (shader.entry)
        step->shader = read_reference(r, shader, "shader");
    else
        ct_worker_render_error(r, v, "fullscreen_pass: expected a shader");
    if (material.entry)
        step->material = read_reference(r, material, "material");
    read_pass_parameters(r, member(r, v, "parameters"), shader, step);
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

// enabled = "setting", or "!setting": the step runs when it is on, or off.
static void read_enabled(ct_worker_render_config *r, ct_sjson_value v, ct_render_step *step) {
    const char *text = ct_sjson_string(r->doc, v, NULL);
    if (!v.entry)
        return;
    step->is_enabled_by = !(text && text[0] == '!');
    const char *name = text && text[0] == '!' ? text + 1 : text;
    const char *names[CT_RENDER_MAX_SETTINGS];
    for (uint32_t i = 0; i < r->settings.count; i++) {
        const ct_worker_setting *s = &r->settings.items[i];
        names[i] = s->name;
        if (!name || strcmp(s->name, name) != 0)
            continue;
        step->enabled_setting = i + 1;
        if (s->setting.type != CT_RENDER_SETTING_TYPE_BOOL)
            ct_worker_render_error(r, v, "enabled: %s is a %s; expected a bool", s->name,
                                   ct_render_setting_type_name(s->setting.type));
        return;
    }
    const char *nearest = name ? ct_nearest_name(name, names, r->settings.count) : NULL;
    ct_worker_render_error(
        r, v, "enabled: found %s%s%s, expected the name of a setting%s%s%s", name ? "\"" : "",
        name ? name : ct_sjson_type_name(ct_sjson_type_of(r->doc, v)), name ? "\"" : "",
        nearest ? "; did you mean \"" : "", nearest ? nearest : "", nearest ? "\"?" : "");
}

static const char *read_step_name(ct_worker_render_config *r, ct_sjson_value v) {
    const char *name = ct_sjson_string(r->doc, v, NULL);
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
    for (uint32_t i = 0; i < CT_COUNT_OF(step_types); i++)
        names[i] = step_types[i].name;
    const ct_sjson_value type = member(r, v, "type");
    const uint32_t row =
        ct_worker_render_choice(r, type.entry ? type : v, "type", names, CT_COUNT_OF(step_types));
    if (row == CT_COUNT_OF(step_types))
        return;
    ct_worker_step step = {.name = read_step_name(r, member(r, v, "name")),
                           .step = {.type = step_types[row].type}};
    read_enabled(r, member(r, v, "enabled"), &step.step);
    step_types[row].read(r, v, &step.step);
    ct_array_push(steps, step);
}
