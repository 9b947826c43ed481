// Reads the targets and layers of a render config.
#include <math.h>
#include <string.h>

#include "compiler/types/render_config/worker_render_config.h"
#include "foundation/error.h"

// Targets serve all views of a frame, but an environment is one view's.
static void refuse_environment(ct_worker_render_config *r, ct_sjson_value v, uint32_t setting) {
    if (r->settings.items[setting].setting.is_environment)
        ct_worker_render_error(r, v,
                               "%s can be set by environments (environment = true), which differ "
                               "from view to view; expected a setting that they cannot set",
                               r->settings.items[setting].name);
}

// A scale or size that a setting says: one number for both sides, or two.
static bool read_size_setting(ct_worker_render_config *r, ct_sjson_value v, double least,
                              double most, ct_render_target *t, double numbers[2]) {
    static const uint32_t types = 1u << CT_RENDER_SETTING_TYPE_NUMBER |
                                  1u << CT_RENDER_SETTING_TYPE_WHOLE |
                                  1u << CT_RENDER_SETTING_TYPE_VECTOR2;
    uint32_t setting;
    if (!ct_worker_render_is_setting(r, v, types, &setting))
        return false;
    if (setting == r->settings.count)
        return true;
    ct_worker_render_narrow(r, v, setting, least, most);
    const ct_render_setting *const s = &r->settings.items[setting].setting;
    refuse_environment(r, v, setting);
    const bool is_square = ct_render_setting_floats(s->type) == 1;
    numbers[0] = (double)s->default_value[0];
    numbers[1] = (double)s->default_value[is_square ? 0 : 1];
    t->size_setting = setting + 1;
    return true;
}

static void read_pixels(ct_worker_render_config *r, ct_sjson_value v, ct_render_target *t) {
    double numbers[2] = {1, 1};
    const bool is_setting = read_size_setting(r, v, 1, CT_RENDER_MAX_TARGET_SIZE, t, numbers);
    if (!is_setting &&
        !ct_worker_render_numbers(r, v, "size", 2, 2, 1, CT_RENDER_MAX_TARGET_SIZE, numbers))
        return;
    t->width = (uint32_t)numbers[0];
    t->height = (uint32_t)numbers[1];
    if (!is_setting && (t->width != numbers[0] || t->height != numbers[1]))
        ct_worker_render_error(r, v, "size: expected whole numbers of pixels");
}

static void read_target_size(ct_worker_render_config *r, ct_sjson_value v, ct_render_target *t) {
    static const double least = (double)CT_RENDER_LEAST_SCALE, most = (double)CT_RENDER_MOST_SCALE;
    const ct_sjson_value size = ct_sjson_find(r->doc, v, "size");
    const ct_sjson_value scale = ct_sjson_find(r->doc, v, "scale");
    double numbers[2] = {1, 1};
    if (size.entry && scale.entry) {
        ct_worker_render_error(r, size, "found both size and scale; expected one of them");
    } else if (size.entry) {
        read_pixels(r, size, t);
    } else {
        if (scale.entry && !read_size_setting(r, scale, least, most, t, numbers))
            ct_worker_render_numbers(r, scale, "scale", 2, 2, least, most, numbers);
        t->width_scale = (float)numbers[0];
        t->height_scale = (float)numbers[1];
    }
}

// The position of a format in `names`, which starts with the first that is not NONE.
static uint32_t read_format_name(ct_worker_render_config *r, ct_sjson_value v) {
    const char *names[CT_RENDER_FORMAT_COUNT - 1];
    for (uint32_t i = 0; i < CT_COUNT_OF(names); ++i)
        names[i] = ct_render_format_name(i + 1);
    return 1 + ct_worker_render_choice(r, v, "format", names, CT_COUNT_OF(names));
}

// A format that a setting chooses: all its choices must be formats, for depth or for colours.
static void read_format_setting(ct_worker_render_config *r, ct_sjson_value v, uint32_t setting,
                                ct_render_target *t) {
    if (setting == r->settings.count)
        return;
    const ct_worker_setting *const s = &r->settings.items[setting];
    refuse_environment(r, v, setting);
    const ct_render_format first =
        ct_render_format_named(s->choices[(uint32_t)s->setting.default_value[0]]);
    for (uint32_t i = 0; i < s->num_choices; ++i) {
        const ct_render_format format = ct_render_format_named(s->choices[i]);
        if (format == CT_RENDER_FORMAT_NONE)
            ct_worker_render_error(r, v, "the choice \"%.64s\" of %s is not a format",
                                   s->choices[i], s->name);
        else if ((format == CT_RENDER_FORMAT_D32F) != (first == CT_RENDER_FORMAT_D32F))
            ct_worker_render_error(r, v, "the choices of %s mix depth (D32F) and colour formats",
                                   s->name);
    }
    t->format = first;
    t->format_setting = setting + 1;
}

static void read_format(ct_worker_render_config *r, ct_sjson_value v, ct_render_target *t) {
    const ct_sjson_value format = ct_sjson_find(r->doc, v, "format");
    uint32_t setting;
    if (!format.entry)
        ct_worker_render_error(r, v, "global_resources: expected a format");
    else if (ct_worker_render_is_setting(r, format, 1u << CT_RENDER_SETTING_TYPE_CHOICE, &setting))
        read_format_setting(r, format, setting, t);
    else
        t->format = read_format_name(r, format);
}

// mips = a number, or "all": down to one pixel.
static void read_mips(ct_worker_render_config *r, ct_sjson_value v, ct_render_target *t) {
    const double number = ct_sjson_number(r->doc, v, 0);
    const bool is_all = strcmp(ct_sjson_string(r->doc, v, ""), "all") == 0;
    t->num_mips = is_all ? 0 : 1;
    if (!v.entry)
        return;
    if (is_all || (number >= 1 && number <= CT_RENDER_MAX_MIPS && number == floor(number)))
        t->num_mips = (uint32_t)number;
    else
        ct_worker_render_error(r, v, "mips: expected \"all\" or a whole number from 1 to %d",
                               CT_RENDER_MAX_MIPS);
    if (t->format == CT_RENDER_FORMAT_D32F && t->num_mips != 1)
        ct_worker_render_error(r, v, "mips: a depth target (D32F) has no mips");
}

// Puts the target in place of the inherited one of its name, or adds it.
static void add_target(ct_worker_render_config *r, ct_sjson_value v, const ct_worker_target *t) {
    for (uint32_t i = 0; i < r->targets.count; ++i) {
        if (r->targets.items[i].target.name.value != t->target.name.value)
            continue;
        if (r->targets.items[i].doc == r->doc)
            ct_worker_render_error(r, v, "the global resource \"%s\" is declared twice", t->name);
        r->targets.items[i] = *t;
        return;
    }
    if (r->targets.count == CT_RENDER_MAX_TARGETS)
        ct_worker_render_error(r, v, "global_resources: expected at most %d",
                               CT_RENDER_MAX_TARGETS);
    else
        ct_array_push(&r->targets, *t);
}

void ct_worker_render_target(ct_worker_render_config *r, ct_sjson_value v) {
    static const char *const members[] = {"name", "format", "scale", "size", "mips", "history"};
    ct_worker_target t = {.name = ct_worker_render_name(r, v, "global_resources"), .doc = r->doc};
    const ct_sjson_value history = ct_sjson_find(r->doc, v, "history");
    if (!t.name)
        return;
    t.target.name = ct_string_id32_of(t.name);
    ct_worker_render_members(r, v, "global_resources", members, CT_COUNT_OF(members));
    if (strcmp(t.name, "back_buffer") == 0)
        ct_worker_render_error(r, v, "back_buffer always exists; it cannot be declared");
    read_format(r, v, &t.target);
    read_target_size(r, v, &t.target);
    read_mips(r, ct_sjson_find(r->doc, v, "mips"), &t.target);
    t.target.has_history = ct_worker_render_bool(r, history, "history");
    if (t.target.has_history && t.target.format == CT_RENDER_FORMAT_D32F)
        ct_worker_render_error(
            r, history, "history: a depth target (D32F) has none; write depth to one of R32F");
    add_target(r, v, &t);
}

// Puts the layer in place of the inherited one of its name, or adds it.
static void add_layer(ct_worker_render_config *r, ct_sjson_value v, const ct_worker_layer *l) {
    for (uint32_t i = 0; i < r->layers.count; ++i) {
        if (r->layers.items[i].layer.name.value != l->layer.name.value)
            continue;
        if (r->layers.items[i].doc == r->doc)
            ct_worker_render_error(r, v, "the layer \"%s\" is declared twice", l->name);
        r->layers.items[i] = *l;
        return;
    }
    ct_array_push(&r->layers, *l);
}

// velocity_target = "…": the last of the layer's attachments.
static void read_velocity_target(ct_worker_render_config *r, ct_sjson_value v,
                                 ct_render_layer *layer) {
    if (!v.entry)
        return;
    layer->velocity_target = ct_worker_render_target_at(r, v, CT_WORKER_TARGET_USE_COLOR);
    const ct_render_target *const t = ct_worker_render_find_target(r, layer->velocity_target);
    if (!layer->velocity_target.value)
        return;
    if (!t || t->format != CT_RENDER_FORMAT_RG16F)
        ct_worker_render_error(r, v, "velocity_target: expected a target of format RG16F");
    for (uint32_t i = 0; i < layer->num_color_targets; ++i) {
        if (layer->color_targets[i].value == layer->velocity_target.value)
            ct_worker_render_error(r, v, "velocity_target: it is among the layer's targets, too");
    }
    if (layer->num_color_targets > CT_RENDER_VELOCITY_LOCATION)
        ct_worker_render_error(r, v, "velocity_target: expected at most %d other targets",
                               CT_RENDER_VELOCITY_LOCATION);
    ct_worker_render_sizes(r, v, layer->color_targets, layer->num_color_targets,
                           layer->velocity_target);
}

void ct_worker_render_layer(ct_worker_render_config *r, ct_sjson_value v) {
    static const char *const members[] = {"name", "targets", "depth_target", "velocity_target",
                                          "sort"};
    static const char *const sorts[] = {"material", "front_back", "back_front"};
    ct_worker_layer l = {.name = ct_worker_render_name(r, v, "layers"), .doc = r->doc};
    if (!l.name)
        return;
    l.layer.name = ct_string_id32_of(l.name);
    ct_worker_render_members(r, v, "layers", members, CT_COUNT_OF(members));
    const ct_sjson_value targets = ct_sjson_find(r->doc, v, "targets");
    const ct_sjson_value depth = ct_sjson_find(r->doc, v, "depth_target");
    const ct_sjson_value sort = ct_sjson_find(r->doc, v, "sort");
    l.layer.num_color_targets = ct_worker_render_colors(r, targets, l.layer.color_targets, NULL);
    if (depth.entry)
        l.layer.depth_target = ct_worker_render_target_at(r, depth, CT_WORKER_TARGET_USE_DEPTH);
    read_velocity_target(r, ct_sjson_find(r->doc, v, "velocity_target"), &l.layer);
    if (!depth.entry && ct_sjson_count(r->doc, targets) == 0)
        ct_worker_render_error(r, v, "layers: expected targets, a depth_target, or both");
    ct_worker_render_sizes(r, v, l.layer.color_targets, l.layer.num_color_targets,
                           l.layer.depth_target);
    if (sort.entry)
        l.layer.sort = ct_worker_render_choice(r, sort, "sort", sorts, CT_COUNT_OF(sorts));
    add_layer(r, v, &l);
}
