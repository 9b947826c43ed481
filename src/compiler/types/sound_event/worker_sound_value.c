// Parameters of sound events, and values that are constant, random or follow parameters.
#include <float.h>
#include <math.h>
#include <string.h>

#include "compiler/types/sound_bus/worker_sound_names.h"
#include "compiler/types/sound_event/worker_sound_event.h"

enum {
    GAIN_STEPS = 8, // of a crossfade: the power stays within 0.05 dB
    MOST_NAMES = CT_SOUND_EVENT_MAX_PARAMETERS + CT_SOUND_BUILT_IN_COUNT,
};

static const char *type_name(const ct_worker_sound_event *e, ct_sjson_value v) {
    return ct_sjson_type_name(ct_sjson_type_of(e->doc, v));
}

// --- Parameters ----------------------------------------------------------------------------------

static bool is_built_in(const char *name) {
    for (uint32_t i = 0; i < CT_SOUND_BUILT_IN_COUNT; ++i) {
        if (strcmp(ct_sound_built_in_names[i], name) == 0)
            return true;
    }
    return false;
}

static void read_parameter(ct_worker_sound_event *e, ct_sjson_value v) {
    const char *const name = ct_sjson_key(e->doc, v), *const text =
                                                          ct_sjson_string(e->doc, v, NULL);
    const bool is_number = ct_sjson_type_of(e->doc, v) == CT_SJSON_TYPE_NUMBER;
    const double number = ct_sjson_number(e->doc, v, 0);
    ct_sound_parameter_info info = {.name = ct_string_id32_of(name), .number = (float)number};
    if (!ct_worker_sound_check_name(e->c, v, "a parameter", name, e->parameter_names.items,
                                    e->parameter_names.count))
        return;
    if (is_built_in(name)) {
        ct_compile_error(e->c, e->doc, v,
                         "parameters: the engine sets \"%s\", which needs no declaration: rename "
                         "this one",
                         name);
        return;
    }
    if ((!is_number && !text) || !(fabs(number) <= (double)FLT_MAX)) {
        ct_compile_error(e->c, e->doc, v, "parameters: found %s, expected a number or a text",
                         is_number ? "a number out of range" : type_name(e, v));
        return;
    }
    if (text) {
        info.kind = CT_SOUND_PARAMETER_TEXT;
        info.text = ct_string_id32_of(text);
    }
    ct_array_push(&e->parameters, info);
    ct_array_push(&e->parameter_names, name);
}

void ct_worker_sound_parameters(ct_worker_sound_event *e) {
    const ct_sjson_value all = e->source.parameters;
    if (ct_sjson_count(e->doc, all) > CT_SOUND_EVENT_MAX_PARAMETERS) {
        ct_compile_error(e->c, e->doc, all, "parameters: found %u, expected at most %d",
                         ct_sjson_count(e->doc, all), (int)CT_SOUND_EVENT_MAX_PARAMETERS);
        return;
    }
    for (ct_sjson_value v = ct_sjson_first(e->doc, all); v.entry; v = ct_sjson_next(e->doc, v))
        read_parameter(e, v);
}

static bool report_unknown(ct_worker_sound_event *e, ct_sjson_value v, const char *name) {
    const char *names[MOST_NAMES];
    uint32_t count = 0;
    for (; count < e->parameter_names.count; ++count)
        names[count] = e->parameter_names.items[count];
    for (uint32_t i = 0; i < CT_SOUND_BUILT_IN_COUNT; ++i)
        names[count++] = ct_sound_built_in_names[i];
    if (ct_nearest_name(name, names, count))
        return ct_worker_sound_unknown(e->c, v, "parameter", name, names, count);
    return ct_compile_error(e->c, e->doc, v,
                            "there is no parameter \"%.64s\": declare it, with its value at the "
                            "start, in `parameters` of the event",
                            name);
}

bool ct_worker_sound_parameter(ct_worker_sound_event *e, ct_sjson_value v, const char *name,
                               ct_sound_parameter_info *out) {
    for (uint32_t i = 0; i < e->parameters.count; ++i) {
        if (strcmp(e->parameter_names.items[i], name) == 0) {
            *out = e->parameters.items[i];
            return true;
        }
    }
    *out = (ct_sound_parameter_info){.name = ct_string_id32_of(name)};
    return is_built_in(name) || report_unknown(e, v, name);
}

bool ct_worker_sound_expect_kind(ct_worker_sound_event *e, ct_sjson_value v, const char *name,
                                 uint32_t found, uint32_t expected) {
    static const char *const kinds[CT_SOUND_PARAMETER_COUNT] = {"number", "text"};
    return found == expected ||
           ct_compile_error(e->c, e->doc, v, "the parameter \"%.64s\" is a %s, expected a %s", name,
                            kinds[found], kinds[expected]);
}

// --- Numbers -------------------------------------------------------------------------------------

static bool read_number(ct_worker_sound_event *e, uint32_t target, ct_sjson_value v, float *out) {
    float least = 0, most = 0;
    ct_sound_target_range(target, &least, &most);
    if (ct_sjson_type_of(e->doc, v) != CT_SJSON_TYPE_NUMBER)
        return ct_compile_error(e->c, e->doc, v, "%s: found %s, expected a number",
                                ct_sound_target_names[target], type_name(e, v));
    const double number = ct_sjson_number(e->doc, v, 0);
    if (!(number >= (double)least && number <= (double)most))
        return ct_compile_error(e->c, e->doc, v, "%s: found %g, expected a number from %g to %g",
                                ct_sound_target_names[target], number, (double)least, (double)most);
    *out = (float)number;
    return true;
}

static void read_range(ct_worker_sound_event *e, uint32_t target, ct_sjson_value v) {
    ct_sound_value value = {.target = target};
    const ct_sjson_value first = ct_sjson_first(e->doc, v);
    if (ct_sjson_count(e->doc, v) != 2) {
        ct_compile_error(e->c, e->doc, v, "%s: found %u numbers, expected [low high]",
                         ct_sound_target_names[target], ct_sjson_count(e->doc, v));
        return;
    }
    if (!read_number(e, target, first, &value.low) ||
        !read_number(e, target, ct_sjson_next(e->doc, first), &value.high))
        return;
    if (value.low > value.high)
        ct_compile_error(e->c, e->doc, v, "%s: found [%g %g], expected the smaller first",
                         ct_sound_target_names[target], (double)value.low, (double)value.high);
    else
        ct_array_push(&e->values, value);
}

// --- Curves --------------------------------------------------------------------------------------

static bool read_point(ct_worker_sound_event *e, uint32_t target, ct_sjson_value v,
                       ct_sound_point *out) {
    if (ct_sjson_type_of(e->doc, v) != CT_SJSON_TYPE_ARRAY || ct_sjson_count(e->doc, v) != 2)
        return ct_compile_error(e->c, e->doc, v, "points: found %s, expected [parameter %s]",
                                type_name(e, v), ct_sound_target_names[target]);
    const ct_sjson_value x = ct_sjson_first(e->doc, v);
    const double number = ct_sjson_number(e->doc, x, NAN);
    if (!(fabs(number) <= (double)FLT_MAX))
        return ct_compile_error(e->c, e->doc, x, "points: found %s, expected a number",
                                type_name(e, x));
    out->x = (float)number;
    return read_number(e, target, ct_sjson_next(e->doc, x), &out->y);
}

// Reads the points of `curve`. Returns false after an error.
static bool read_points(ct_worker_sound_event *e, ct_sjson_value all, ct_sound_curve *curve) {
    const uint32_t count = ct_sjson_count(e->doc, all);
    if (ct_sjson_type_of(e->doc, all) != CT_SJSON_TYPE_ARRAY)
        return ct_compile_error(e->c, e->doc, all, "points: found %s, expected an array of [%s]",
                                type_name(e, all), "parameter value");
    if (count == 0 || count > CT_SOUND_EVENT_MAX_POINTS)
        return ct_compile_error(e->c, e->doc, all, "points: found %u, expected 1 to %d", count,
                                (int)CT_SOUND_EVENT_MAX_POINTS);
    curve->first_point = e->points.count;
    curve->num_points = count;
    for (ct_sjson_value v = ct_sjson_first(e->doc, all); v.entry; v = ct_sjson_next(e->doc, v)) {
        ct_sound_point point = {0};
        if (!read_point(e, curve->target, v, &point))
            return false;
        const float before = e->points.count > curve->first_point
                                 ? e->points.items[e->points.count - 1].x
                                 : -INFINITY;
        if (point.x <= before)
            return ct_compile_error(e->c, e->doc, v,
                                    "points: found %g behind %g, expected parameters that rise",
                                    (double)point.x, (double)before);
        ct_array_push(&e->points, point);
    }
    if (count == 1)
        ct_compile_warning(
            e->c, e->doc, all, "a curve with one point is constant; add a point, or write %s = %g",
            ct_sound_target_names[curve->target], (double)e->points.items[curve->first_point].y);
    return true;
}

static void add_curve(ct_worker_sound_event *e, const ct_sound_curve *curve, ct_sjson_value at) {
    ct_array_push(&e->curves, *curve);
    ct_array_push(&e->curve_places, at);
}

static void read_curve(ct_worker_sound_event *e, uint32_t target, ct_sjson_value v) {
    ct_sound_curve_source source;
    ct_sound_curve curve = {.target = target};
    if (!ct_schema_read(&ct_sound_curve_schema, e->doc, v, &source, &e->listener))
        return;
    curve.shape = source.shape;
    ct_sound_parameter_info info;
    const char *const name = source.parameter;
    const bool has_parameter = ct_worker_sound_parameter(e, source.parameter_value, name, &info) &&
                               ct_worker_sound_expect_kind(e, source.parameter_value, name,
                                                           info.kind, CT_SOUND_PARAMETER_NUMBER);
    curve.parameter = info.name;
    curve.missing = info.number;
    if (read_points(e, source.points, &curve) && has_parameter)
        add_curve(e, &curve, v);
}

// --- Blends --------------------------------------------------------------------------------------

// Adds the points between `from` and `to` at which the gain comes, or with `goes` is lost; without
// the last one. Sine and cosine: the squares of the gains of two neighbours add up to 1.
static void add_crossfade(ct_worker_sound_event *e, float from, float to, bool goes) {
    for (uint32_t i = 0; i < GAIN_STEPS; ++i) {
        const double share = (double)i / GAIN_STEPS, turn = share * M_PI / 2;
        const ct_sound_point point = {(float)((double)from + ((double)to - (double)from) * share),
                                      (float)(goes ? cos(turn) : sin(turn))};
        // Places that are too near to each other have no room for all steps.
        if (i == 0 || point.x > e->points.items[e->points.count - 1].x)
            ct_array_push(&e->points, point);
    }
    const float last = e->points.items[e->points.count - 1].x;
    if (last >= to)
        --e->points.count;
}

static void add_gain(ct_worker_sound_event *e, const ct_worker_sound_gain *gain,
                     ct_sjson_value at) {
    const float *const places = gain->places;
    const uint32_t i = gain->index;
    ct_sound_curve curve = {.target = CT_SOUND_TARGET_GAIN,
                            .parameter = gain->parameter,
                            .missing = gain->missing,
                            .first_point = e->points.count};
    if (i > 0)
        add_crossfade(e, places[i - 1], places[i], false);
    if (i + 1 < gain->count) {
        add_crossfade(e, places[i], places[i + 1], true);
        ct_array_push(&e->points, ((ct_sound_point){places[i + 1], 0}));
    } else {
        ct_array_push(&e->points, ((ct_sound_point){places[i], 1}));
    }
    curve.num_points = e->points.count - curve.first_point;
    add_curve(e, &curve, at);
}

void ct_worker_sound_values(ct_worker_sound_event *e, uint32_t node,
                            const ct_sound_node_source *source, const ct_worker_sound_gain *gain) {
    ct_worker_sound_node *const n = &e->nodes.items[node];
    n->out.first_value = e->values.count;
    n->first_curve = e->curves.count;
    for (uint32_t target = 0; source && target < CT_SOUND_TARGET_COUNT; ++target) {
        const ct_sjson_value v = source->values[target];
        ct_sound_value value = {.target = target};
        if (!v.entry)
            continue;
        if (ct_sjson_type_of(e->doc, v) == CT_SJSON_TYPE_OBJECT) {
            read_curve(e, target, v);
        } else if (ct_sjson_type_of(e->doc, v) == CT_SJSON_TYPE_ARRAY) {
            read_range(e, target, v);
        } else if (ct_sjson_type_of(e->doc, v) != CT_SJSON_TYPE_NUMBER) {
            ct_compile_error(e->c, e->doc, v,
                             "%s: found %s, expected a number, [low high] or a curve, { parameter "
                             "points }",
                             ct_sound_target_names[target], type_name(e, v));
        } else if (read_number(e, target, v, &value.low)) {
            value.high = value.low;
            ct_array_push(&e->values, value);
        }
    }
    if (gain)
        add_gain(e, gain, n->at);
    n->out.num_values = e->values.count - n->out.first_value;
    n->num_curves = e->curves.count - n->first_curve;
}
