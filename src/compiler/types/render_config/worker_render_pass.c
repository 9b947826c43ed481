// Reads the steps of a render config that run a shader by themselves.
#include <math.h>
#include <string.h>

#include "compiler/types/render_config/worker_render_config.h"
#include "compiler/types/shader/worker_parameter.h"
#include "foundation/error.h"
#include "resource/resource_id.h"

static ct_sjson_value member(const ct_worker_render_config *r, ct_sjson_value v, const char *key) {
    return ct_sjson_find(r->doc, v, key);
}

ct_string_id64 ct_worker_render_reference(ct_worker_render_config *r, ct_sjson_value v,
                                          const char *type) {
    const char *const name = ct_sjson_string(r->doc, v, NULL);
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

uint32_t ct_worker_render_mip(ct_worker_render_config *r, ct_sjson_value v, ct_string_id32 target) {
    const ct_render_target *const t = ct_worker_render_find_target(r, target);
    const uint32_t count = !t ? 1 : t->num_mips ? t->num_mips : CT_RENDER_MAX_MIPS;
    const double number = ct_sjson_number(r->doc, v, -1);
    if (number >= 0 && number < count && number == floor(number))
        return (uint32_t)number;
    ct_worker_render_error(
        r, v, "mip: expected a whole number below %u, the number of the target's mips", count);
    return 0;
}

// previous = true: what the last frame wrote, which only targets with history keep.
static bool read_previous(ct_worker_render_config *r, ct_sjson_value v, ct_string_id32 target) {
    const ct_render_target *const t = ct_worker_render_find_target(r, target);
    if (!ct_worker_render_bool(r, v, "previous") || !t)
        return false;
    return t->has_history ||
           ct_worker_render_error(
               r, v,
               "previous: the target keeps nothing of the last frame; declare it with "
               "history = true");
}

static void read_input(ct_worker_render_config *r, ct_sjson_value v, ct_render_step *step) {
    static const char *const members[] = {"name", "filter", "mip", "previous"};
    static const char *const filters[] = {"linear", "nearest"};
    ct_render_input input = {.mip = CT_RENDER_ALL_MIPS};
    ct_sjson_value name = v, mip = {0}, previous = {0};
    if (ct_sjson_type_of(r->doc, v) == CT_SJSON_TYPE_OBJECT) {
        ct_worker_render_members(r, v, "inputs", members, CT_COUNT_OF(members));
        const ct_sjson_value filter = member(r, v, "filter");
        if (filter.entry)
            input.filter =
                ct_worker_render_choice(r, filter, "filter", filters, CT_COUNT_OF(filters));
        name = member(r, v, "name");
        mip = member(r, v, "mip");
        previous = member(r, v, "previous");
        if (!name.entry) {
            ct_worker_render_error(r, v, "inputs: expected a name");
            return;
        }
    }
    input.target = ct_worker_render_target_at(r, name, CT_WORKER_TARGET_USE_INPUT);
    input.is_previous = read_previous(r, previous, input.target);
    if (mip.entry)
        input.mip = ct_worker_render_mip(r, mip, input.target);
    for (uint32_t i = 0; i < step->num_color_targets && input.target.value; ++i) {
        if (step->color_targets[i].value == input.target.value && !input.is_previous &&
            (input.mip == step->color_mips[i] || input.mip == CT_RENDER_ALL_MIPS))
            ct_worker_render_error(r, name, "%s is both read and written by this pass",
                                   ct_sjson_string(r->doc, name, ""));
    }
    if (step->num_inputs == CT_RENDER_MAX_INPUTS)
        ct_worker_render_error(r, v, "inputs: expected at most %d", CT_RENDER_MAX_INPUTS);
    else
        step->inputs[step->num_inputs++] = input;
}

static void read_inputs(ct_worker_render_config *r, ct_sjson_value inputs, ct_render_step *step) {
    if (inputs.entry && ct_sjson_type_of(r->doc, inputs) != CT_SJSON_TYPE_ARRAY) {
        ct_worker_render_error(r, inputs, "inputs: found %s, expected an array",
                               ct_sjson_type_name(ct_sjson_type_of(r->doc, inputs)));
        return;
    }
    for (ct_sjson_value e = ct_sjson_first(r->doc, inputs); e.entry; e = ct_sjson_next(r->doc, e))
        read_input(r, e, step);
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

// Whether the shader has an option of this name.
static bool is_option(const ct_sjson *shader, const char *name) {
    const ct_sjson_value options = ct_sjson_find(shader, ct_sjson_root(shader), "options");
    for (ct_sjson_value o = ct_sjson_first(shader, options); o.entry;
         o = ct_sjson_next(shader, o)) {
        if (strcmp(ct_sjson_string(shader, o, ""), name) == 0)
            return true;
    }
    return false;
}

static void report_no_parameter(ct_worker_render_config *r, ct_sjson_value v,
                                const ct_sjson *shader, const char *name) {
    const ct_sjson_value known = ct_sjson_find(shader, ct_sjson_root(shader), "parameters");
    const ct_sjson_value options = ct_sjson_find(shader, ct_sjson_root(shader), "options");
    const char **const names =
        CT_NEW_ARRAY(r->c->allocator, const char *,
                     ct_sjson_count(shader, known) + ct_sjson_count(shader, options) + 1);
    uint32_t count = 0;
    for (ct_sjson_value p = ct_sjson_first(shader, known); p.entry; p = ct_sjson_next(shader, p))
        names[count++] = ct_sjson_key(shader, p);
    for (ct_sjson_value o = ct_sjson_first(shader, options); o.entry; o = ct_sjson_next(shader, o))
        names[count++] = ct_sjson_string(shader, o, "");
    const char *const nearest = ct_nearest_name(name, names, count);
    ct_worker_render_error(r, v, "%s has no parameter \"%.64s\"%s%s%s", ct_sjson_file(shader), name,
                           nearest ? "; did you mean \"" : "", nearest ? nearest : "",
                           nearest ? "\"?" : "");
}

// Reads `name = { setting = "…" }`, which the shader must have as a parameter or an option.
static void read_pass_parameter(ct_worker_render_config *r, ct_sjson_value v,
                                const ct_sjson *shader, ct_render_step *step) {
    const char *const name = ct_sjson_key(r->doc, v);
    const ct_sjson_value known = ct_sjson_find(shader, ct_sjson_root(shader), "parameters");
    const ct_sjson_value declared = ct_sjson_find(shader, known, name);
    uint32_t setting;
    if (!declared.entry && !is_option(shader, name)) {
        report_no_parameter(r, v, shader, name);
        return;
    }
    if (!ct_worker_render_is_setting(r, v, UINT32_MAX, &setting)) {
        ct_worker_render_error(r, v,
                               "%s: found %s, expected { setting = \"…\" }; values without a "
                               "setting belong in the material",
                               name, ct_sjson_type_name(ct_sjson_type_of(r->doc, v)));
        return;
    }
    // An option is on when its setting, one number, is not 0.
    const char *const type =
        ct_sjson_string(shader, ct_sjson_find(shader, declared, "type"), "scalar");
    if (setting == r->settings.count)
        return;
    const ct_worker_setting *const s = &r->settings.items[setting];
    if (!fits((ct_render_setting_type)s->setting.type, ct_worker_parameter_type_named(type)))
        ct_worker_render_error(r, v, "%s is a %s, but the %s %s is a %s", s->name,
                               ct_render_setting_type_name(s->setting.type),
                               declared.entry ? "parameter" : "option", name,
                               declared.entry ? type : "bool");
    else if (step->num_parameters == CT_RENDER_MAX_PARAMETERS)
        ct_worker_render_error(r, v, "parameters: expected at most %d", CT_RENDER_MAX_PARAMETERS);
    else
        step->parameters[step->num_parameters++] =
            (ct_render_parameter){ct_string_id32_of(name), setting};
}

// The source of the shader that the step names; NULL after reporting (not what is reported as the
// shader is read).
static const ct_sjson *read_shader_source(ct_worker_render_config *r, ct_sjson_value v) {
    const char *const name = ct_sjson_string(r->doc, v, "");
    if (!ct_resource_name_is_canonical(name))
        return NULL;
    return ct_compile_read_resource(r->c, "shader", name, r->doc, v);
}

bool ct_worker_render_blends(ct_worker_render_config *r, ct_sjson_value v) {
    const ct_sjson *const shader = read_shader_source(r, v);
    if (!shader)
        return true;
    const ct_sjson_value blend = ct_sjson_find(shader, ct_sjson_root(shader), "blend");
    return blend.entry && strcmp(ct_sjson_string(shader, blend, ""), "opaque") != 0;
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
    const ct_sjson *const source = read_shader_source(r, shader);
    for (ct_sjson_value p = ct_sjson_first(r->doc, v); source && p.entry;
         p = ct_sjson_next(r->doc, p))
        read_pass_parameter(r, p, source, step);
}

void ct_worker_render_pass(ct_worker_render_config *r, ct_sjson_value v, ct_render_step *step) {
    static const char *const members[] = {
        CT_WORKER_STEP_MEMBERS, "shader", "material", "inputs", "targets", "parameters"};
    ct_worker_render_members(r, v, "fullscreen_pass", members, CT_COUNT_OF(members));
    const ct_sjson_value shader = member(r, v, "shader"), material = member(r, v, "material");
    const ct_sjson_value inputs = member(r, v, "inputs"), targets = member(r, v, "targets");
    if (shader.entry)
        step->shader = ct_worker_render_reference(r, shader, "shader");
    else
        ct_worker_render_error(r, v, "fullscreen_pass: expected a shader");
    if (material.entry)
        step->material = ct_worker_render_reference(r, material, "material");
    read_pass_parameters(r, member(r, v, "parameters"), shader, step);
    step->num_color_targets =
        ct_worker_render_colors(r, targets, step->color_targets, step->color_mips);
    if (ct_sjson_count(r->doc, targets) == 0)
        ct_worker_render_error(r, v, "fullscreen_pass: expected targets");
    ct_worker_render_sizes(r, v, step->color_targets, step->num_color_targets, (ct_string_id32){0});
    for (uint32_t i = 1; i < step->num_color_targets; ++i) {
        if (step->color_mips[i] != step->color_mips[0])
            ct_worker_render_error(r, targets, "targets: expected the same mip of all");
    }
    read_inputs(r, inputs, step);
}

// --- Compute steps -------------------------------------------------------------------------------

static bool is_read(const ct_render_step *step, const ct_render_output *output) {
    for (uint32_t i = 0; i < step->num_inputs; ++i) {
        if (step->inputs[i].target.value == output->target.value && !step->inputs[i].is_previous &&
            (step->inputs[i].mip == CT_RENDER_ALL_MIPS || step->inputs[i].mip == output->mip))
            return true;
    }
    return false;
}

// Checks output number `i` against what the shader declares.
static void check_output(ct_worker_render_config *r, ct_sjson_value at, const ct_sjson *shader,
                         uint32_t i, ct_string_id32 name) {
    const ct_render_target *const t = ct_worker_render_find_target(r, name);
    const char *const text = ct_sjson_string(r->doc, at, "");
    ct_sjson_value declared =
        ct_sjson_first(shader, ct_sjson_find(shader, ct_sjson_root(shader), "outputs"));
    for (uint32_t k = 0; k < i && declared.entry; ++k)
        declared = ct_sjson_next(shader, declared);
    if (!declared.entry || !t)
        return;
    const char *const wanted =
        ct_sjson_string(shader, ct_sjson_find(shader, declared, "format"), "");
    if (t->format_setting)
        ct_worker_render_error(
            r, at, "the format of %s comes from a setting, but a compute shader writes one format",
            text);
    else if (ct_render_format_named(wanted) != t->format)
        ct_worker_render_error(r, at, "%s has format %s, but %s writes %s as %s", text,
                               ct_render_format_name(t->format), ct_sjson_file(shader),
                               ct_sjson_key(shader, declared), wanted);
}

static void read_output(ct_worker_render_config *r, ct_sjson_value v, const ct_sjson *shader,
                        ct_render_step *step) {
    static const char *const members[] = {"name", "mip"};
    ct_render_output output = {.mip = 0};
    ct_sjson_value name = v, mip = {0};
    if (ct_sjson_type_of(r->doc, v) == CT_SJSON_TYPE_OBJECT) {
        ct_worker_render_members(r, v, "outputs", members, CT_COUNT_OF(members));
        name = member(r, v, "name");
        mip = member(r, v, "mip");
    }
    if (!name.entry) {
        ct_worker_render_error(r, v, "outputs: expected a name");
        return;
    }
    output.target = ct_worker_render_target_at(r, name, CT_WORKER_TARGET_USE_OUTPUT);
    if (output.target.value == 0)
        return;
    if (mip.entry)
        output.mip = ct_worker_render_mip(r, mip, output.target);
    for (uint32_t i = 0; i < step->num_outputs; ++i) {
        if (step->outputs[i].target.value == output.target.value &&
            step->outputs[i].mip == output.mip)
            ct_worker_render_error(r, v, "outputs: %s is listed twice",
                                   ct_sjson_string(r->doc, name, ""));
    }
    if (is_read(step, &output))
        ct_worker_render_error(r, name, "%s is both read and written by this step",
                               ct_sjson_string(r->doc, name, ""));
    if (step->num_outputs == CT_RENDER_MAX_OUTPUTS) {
        ct_worker_render_error(r, v, "outputs: expected at most %d", CT_RENDER_MAX_OUTPUTS);
        return;
    }
    if (shader)
        check_output(r, name, shader, step->num_outputs, output.target);
    step->outputs[step->num_outputs++] = output;
}

static void read_outputs(ct_worker_render_config *r, ct_sjson_value v, ct_sjson_value outputs,
                         const ct_sjson *shader, ct_render_step *step) {
    if (ct_sjson_type_of(r->doc, outputs) != CT_SJSON_TYPE_ARRAY ||
        ct_sjson_count(r->doc, outputs) == 0) {
        ct_worker_render_error(r, outputs.entry ? outputs : v,
                               "compute: expected outputs = [ … ], names of targets");
        return;
    }
    for (ct_sjson_value e = ct_sjson_first(r->doc, outputs); e.entry; e = ct_sjson_next(r->doc, e))
        read_output(r, e, shader, step);
    if (!shader)
        return;
    const ct_sjson_value root = ct_sjson_root(shader);
    const uint32_t declared = ct_sjson_count(shader, ct_sjson_find(shader, root, "outputs"));
    if (!ct_sjson_find(shader, root, "compute").entry)
        ct_worker_render_error(r, v, "compute: %s has no compute stage", ct_sjson_file(shader));
    else if (declared != ct_sjson_count(r->doc, outputs))
        ct_worker_render_error(r, outputs, "outputs: found %u, but %s declares %u",
                               ct_sjson_count(r->doc, outputs), ct_sjson_file(shader), declared);
}

// groups = [x y z], or cover = a target: a thread for each of its pixels.
static void read_groups(ct_worker_render_config *r, ct_sjson_value v, ct_render_step *step) {
    const ct_sjson_value groups = member(r, v, "groups"), cover = member(r, v, "cover");
    double numbers[3] = {1, 1, 1};
    if (!groups.entry == !cover.entry) {
        ct_worker_render_error(r, v,
                               "compute: expected either groups = [x y z] or cover = \"…\", a "
                               "target");
    } else if (cover.entry) {
        step->cover = ct_worker_render_target_at(r, cover, CT_WORKER_TARGET_USE_COPIED);
    } else if (ct_worker_render_numbers(r, groups, "groups", 3, 3, 1, CT_RENDER_MAX_GROUPS,
                                        numbers)) {
        for (uint32_t i = 0; i < 3; ++i) {
            step->groups[i] = (uint32_t)numbers[i];
            if (step->groups[i] != numbers[i])
                ct_worker_render_error(r, groups, "groups: expected whole numbers");
        }
    }
}

void ct_worker_render_compute(ct_worker_render_config *r, ct_sjson_value v, ct_render_step *step) {
    static const char *const members[] = {CT_WORKER_STEP_MEMBERS,
                                          "shader",
                                          "material",
                                          "parameters",
                                          "inputs",
                                          "outputs",
                                          "groups",
                                          "cover"};
    ct_worker_render_members(r, v, "compute", members, CT_COUNT_OF(members));
    const ct_sjson_value shader = member(r, v, "shader"), material = member(r, v, "material");
    const ct_sjson *source = NULL;
    if (shader.entry) {
        step->shader = ct_worker_render_reference(r, shader, "shader");
        source = read_shader_source(r, shader);
    } else {
        ct_worker_render_error(r, v, "compute: expected a shader");
    }
    if (material.entry)
        step->material = ct_worker_render_reference(r, material, "material");
    read_pass_parameters(r, member(r, v, "parameters"), shader, step);
    read_inputs(r, member(r, v, "inputs"), step);
    read_outputs(r, v, member(r, v, "outputs"), source, step);
    read_groups(r, v, step);
}
