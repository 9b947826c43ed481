#include "compiler/types/particles/worker_particle_value.h"

#include <math.h>
#include <string.h>

#include "compiler/types/particles/worker_particles.h"

enum { SAMPLES = CT_PARTICLES_CURVE_SAMPLES };

// --- Computing -----------------------------------------------------------------------------------

ct_worker_value ct_worker_value_of(float x, float y, float z, float w) {
    return (ct_worker_value){.a = {x, y, z, w}, .b = {x, y, z, w}};
}

bool ct_worker_value_is_constant(const ct_worker_value *v) {
    return !v->variable && !v->is_random && !v->curves[0];
}

bool ct_worker_value_is(const ct_worker_value *v, uint32_t count, float number) {
    for (uint32_t i = 0; i < count; ++i) {
        if (v->a[i] != number)
            return false;
    }
    return ct_worker_value_is_constant(v);
}

// One end of a value (0 or 1) at sample `i`.
static const float *end_at(const ct_worker_value *v, uint32_t end, uint32_t i) {
    if (v->curves[0])
        return v->curves[end][i].value;
    return end ? v->b : v->a;
}

// Curves that do not change become constants.
static void flatten(ct_worker_value *v) {
    for (uint32_t end = 0; v->curves[0] && end < 2; ++end) {
        for (uint32_t i = 1; i < SAMPLES; ++i) {
            if (memcmp(&v->curves[end][i], &v->curves[end][0], sizeof(ct_particle_sample)) != 0)
                return;
        }
    }
    for (uint32_t c = 0; v->curves[0] && c < 4; ++c) {
        v->a[c] = v->curves[0]->value[c];
        v->b[c] = v->curves[1]->value[c];
    }
    v->curves[0] = v->curves[1] = NULL;
}

typedef enum operation {
    OPERATION_MULTIPLY,
    OPERATION_ADD,
    OPERATION_PACK,
} operation;

static float compute(operation op, float x, float y) {
    return op == OPERATION_MULTIPLY ? x * y : x + y;
}

// Computes one end of the result from those of both, as numbers or curves.
static void compute_end(ct_allocator *a, operation op, uint32_t at, const ct_worker_value *x,
                        const ct_worker_value *y, uint32_t end, ct_worker_value *out) {
    const bool is_curve = x->curves[0] || y->curves[0];
    ct_particle_sample *const samples = CT_NEW_ARRAY(a, ct_particle_sample, SAMPLES);
    for (uint32_t i = 0; i < (is_curve ? SAMPLES : 1u); ++i) {
        const float *const from = end_at(x, end, i), *const by = end_at(y, end, i);
        for (uint32_t c = 0; c < 4; ++c)
            samples[i].value[c] = op != OPERATION_PACK ? compute(op, from[c], by[c])
                                  : c == at            ? by[0]
                                                       : from[c];
    }
    if (is_curve)
        out->curves[end] = samples;
    memcpy(end ? out->b : out->a, samples[0].value, sizeof(out->a));
}

// Whether all numbers of the value are 0, so that a variable changes nothing.
static bool is_nothing(const ct_worker_value *v, uint32_t num_components) {
    for (uint32_t c = 0; c < num_components; ++c) {
        if (v->a[c] != 0 || v->b[c] != 0)
            return false;
    }
    return !v->curves[0];
}

static bool do_variables_fit(operation op, const ct_worker_value *x, const ct_worker_value *y) {
    if (x->variable == y->variable)
        return op != OPERATION_MULTIPLY || !x->variable;
    if (op == OPERATION_MULTIPLY)
        return !x->variable || !y->variable;
    return x->variable ? is_nothing(y, op == OPERATION_PACK ? 1 : 4) : is_nothing(x, 4);
}

static bool combine(ct_allocator *a, operation op, uint32_t at, const ct_worker_value *x,
                    const ct_worker_value *y, ct_worker_value *out) {
    const bool has_two_clocks = x->curves[0] && y->curves[0] && x->clock != y->clock;
    if (!do_variables_fit(op, x, y) || (x->is_random && y->is_random) || has_two_clocks)
        return false;
    ct_worker_value result = {
        .at = x->at.entry ? x->at : y->at,
        .clock = x->curves[0] ? x->clock : y->clock,
        .variable = x->variable ? x->variable : y->variable,
        .is_random = x->is_random || y->is_random,
        .is_uniform = x->is_random ? x->is_uniform : y->is_uniform,
    };
    compute_end(a, op, at, x, y, 0, &result);
    compute_end(a, op, at, x, y, 1, &result);
    flatten(&result);
    *out = result;
    return true;
}

bool ct_worker_value_multiply(ct_allocator *a, const ct_worker_value *x, const ct_worker_value *y,
                              ct_worker_value *out) {
    return combine(a, OPERATION_MULTIPLY, 0, x, y, out);
}

bool ct_worker_value_add(ct_allocator *a, const ct_worker_value *x, const ct_worker_value *y,
                         ct_worker_value *out) {
    return combine(a, OPERATION_ADD, 0, x, y, out);
}

bool ct_worker_value_pack(ct_allocator *a, const ct_worker_value *x, uint32_t at,
                          const ct_worker_value *y, ct_worker_value *out) {
    return combine(a, OPERATION_PACK, at, x, y, out);
}

ct_worker_value ct_worker_value_scale(ct_allocator *a, const ct_worker_value *v, float by) {
    const ct_worker_value factor = ct_worker_value_of(by, by, by, by);
    ct_worker_value result = *v;
    ct_worker_value_multiply(a, v, &factor, &result);
    return result;
}

void ct_worker_value_bounds(const ct_worker_value *v, float *least, float *most) {
    *least = *most = end_at(v, 0, 0)[0];
    for (uint32_t end = 0; end < 2; ++end) {
        for (uint32_t i = 0; i < (v->curves[0] ? SAMPLES : 1u); ++i) {
            *least = fminf(*least, end_at(v, end, i)[0]);
            *most = fmaxf(*most, end_at(v, end, i)[0]);
        }
    }
}

// --- Reading numbers -----------------------------------------------------------------------------

// A value while it is read.
typedef struct reader {
    const ct_worker_particles *p;
    const ct_worker_value_kind *kind;
} reader;

static bool read_number(const reader *r, ct_sjson_value v, float *out) {
    const ct_sjson *const doc = r->p->doc;
    if (ct_sjson_type_of(doc, v) != CT_SJSON_TYPE_NUMBER)
        return ct_worker_particle_error(r->p, v, "%s: found %s, expected a number", r->kind->name,
                                        ct_sjson_type_name(ct_sjson_type_of(doc, v)));
    const double number = ct_sjson_number(doc, v, 0);
    if (!(number >= r->kind->least && number <= r->kind->most))
        return ct_worker_particle_error(r->p, v, "%s: found %g, expected a number from %g to %g",
                                        r->kind->name, number, r->kind->least, r->kind->most);
    *out = (float)number;
    return true;
}

// A component above 1 is as many times as bright as white.
static float linear_of(float color) {
    return color > 1 ? color : ct_srgb_to_linear(color);
}

// Fills the components from the values `first`, which are `count`: one for all, or one each.
static bool read_components(const reader *r, ct_sjson_value at, ct_sjson_value first,
                            uint32_t count, float out[4]) {
    const uint32_t wanted = r->kind->num_components;
    const bool is_one = count == 1 && (wanted == 1 || r->kind->takes_number);
    if (count != wanted && !is_one) {
        if (wanted == 1)
            return ct_worker_particle_error(r->p, at, "%s: found %u numbers, expected one",
                                            r->kind->name, count);
        return ct_worker_particle_error(r->p, at, "%s: found %u number%s, expected %s%u",
                                        r->kind->name, count, count == 1 ? "" : "s",
                                        r->kind->takes_number ? "1 or " : "", wanted);
    }
    memset(out, 0, 4 * sizeof(float));
    for (uint32_t i = 0; i < count; ++i, first = ct_sjson_next(r->p->doc, first)) {
        if (!read_number(r, first, &out[i]))
            return false;
        out[i] = r->kind->is_color ? linear_of(out[i]) : out[i];
    }
    for (uint32_t i = 1; is_one && i < wanted; ++i)
        out[i] = out[0];
    return true;
}

// A number or an array.
static bool read_constant(const reader *r, ct_sjson_value v, float out[4]) {
    const ct_sjson *const doc = r->p->doc;
    if (ct_sjson_type_of(doc, v) == CT_SJSON_TYPE_ARRAY)
        return read_components(r, v, ct_sjson_first(doc, v), ct_sjson_count(doc, v), out);
    if (ct_sjson_type_of(doc, v) != CT_SJSON_TYPE_NUMBER)
        return ct_worker_particle_error(r->p, v, "%s: found %s, expected %s", r->kind->name,
                                        ct_sjson_type_name(ct_sjson_type_of(doc, v)),
                                        r->kind->num_components == 1 ? "a number"
                                                                     : "an array of numbers");
    if (r->kind->num_components > 1 && !r->kind->takes_number)
        return ct_worker_particle_error(r->p, v, "%s: found a number, expected %u in an array",
                                        r->kind->name, r->kind->num_components);
    float number;
    if (!read_number(r, v, &number))
        return false;
    memset(out, 0, 4 * sizeof(float));
    for (uint32_t i = 0; i < r->kind->num_components; ++i)
        out[i] = number;
    return true;
}

// --- Reading curves ------------------------------------------------------------------------------

typedef struct curve_key {
    float at, value[4];
    float slope[4]; // smooth curves
} curve_key;

static bool read_key(const reader *r, ct_sjson_value v, const curve_key *before, curve_key *key) {
    const ct_sjson *const doc = r->p->doc;
    if (ct_sjson_count(doc, v) < 2 || ct_sjson_type_of(doc, v) != CT_SJSON_TYPE_ARRAY)
        return ct_worker_particle_error(r->p, v,
                                        "%s: found %s as a key of a curve, expected [place "
                                        "value …]",
                                        r->kind->name,
                                        ct_sjson_count(doc, v)
                                            ? "a place alone"
                                            : ct_sjson_type_name(ct_sjson_type_of(doc, v)));
    const ct_sjson_value first = ct_sjson_first(doc, v);
    const double at = ct_sjson_number(doc, first, -1);
    if (!(at >= 0 && at <= 1))
        return ct_worker_particle_error(
            r->p, first, "%s: the place of a key is its first number, from 0 to 1%s", r->kind->name,
            r->kind->clock == CT_PARTICLE_CLOCK_EMITTER ? ": a share of `duration`"
                                                        : ": a share of the lifetime");
    key->at = (float)at;
    if (before && key->at <= before->at)
        return ct_worker_particle_error(
            r->p, first, "%s: the key at %g is %s the key at %g: sort keys by their places",
            r->kind->name, at, key->at == before->at ? "at the same place as" : "behind",
            (double)before->at);
    return read_components(r, v, ct_sjson_next(doc, first), ct_sjson_count(doc, v) - 1, key->value);
}

// Slopes at which a cubic curve stays between its keys (Fritsch and Butland 1984); flat at the ends.
static void find_slopes(curve_key *keys, uint32_t count) {
    for (uint32_t i = 1; i + 1 < count; ++i) {
        const float before = keys[i].at - keys[i - 1].at, after = keys[i + 1].at - keys[i].at;
        for (uint32_t c = 0; c < 4; ++c) {
            const float d0 = (keys[i].value[c] - keys[i - 1].value[c]) / before;
            const float d1 = (keys[i + 1].value[c] - keys[i].value[c]) / after;
            const float w0 = 2 * after + before, w1 = after + 2 * before;
            keys[i].slope[c] = d0 * d1 > 0 ? (w0 + w1) / (w0 / d0 + w1 / d1) : 0;
        }
    }
}

static void sample_between(const curve_key *a, const curve_key *b, float at, bool is_smooth,
                           float out[4]) {
    const float length = b->at - a->at, t = (at - a->at) / length;
    for (uint32_t c = 0; c < 4; ++c) {
        const float step = b->value[c] - a->value[c];
        const float ease = t * t * (3 - 2 * t);
        const float bend = t * (1 - t) * (1 - t) * a->slope[c] - t * t * (1 - t) * b->slope[c];
        out[c] = a->value[c] + (is_smooth ? step * ease + length * bend : step * t);
    }
}

static const ct_particle_sample *sample_curve(ct_allocator *a, curve_key *keys, uint32_t count,
                                              bool is_smooth) {
    ct_particle_sample *const samples = CT_NEW_ARRAY(a, ct_particle_sample, SAMPLES);
    uint32_t k = 0;
    find_slopes(keys, count);
    for (uint32_t i = 0; i < SAMPLES; ++i) {
        const float at = (float)i / (SAMPLES - 1);
        while (k + 1 < count && keys[k + 1].at <= at)
            ++k;
        if (at <= keys[k].at || k + 1 == count)
            memcpy(samples[i].value, keys[k].value, sizeof(keys[k].value));
        else
            sample_between(&keys[k], &keys[k + 1], at, is_smooth, samples[i].value);
    }
    return samples;
}

// NULL after reporting.
static const ct_particle_sample *read_curve(const reader *r, ct_sjson_value v, bool is_smooth) {
    const ct_sjson *const doc = r->p->doc;
    const uint32_t count = ct_sjson_count(doc, v);
    if (ct_sjson_type_of(doc, v) != CT_SJSON_TYPE_ARRAY || count == 0) {
        ct_worker_particle_error(r->p, v, "%s: found %s as a curve, expected keys: [[0 1] [1 0]]",
                                 r->kind->name,
                                 ct_sjson_type_of(doc, v) == CT_SJSON_TYPE_ARRAY
                                     ? "no keys"
                                     : ct_sjson_type_name(ct_sjson_type_of(doc, v)));
        return NULL;
    }
    if (r->kind->has_no_clock && count > 1) {
        ct_worker_particle_error(r->p, v,
                                 "%s: this curve is by the emitter's time: give the emitter a "
                                 "`duration`",
                                 r->kind->name);
        return NULL;
    }
    ct_allocator *const a = r->p->c->allocator;
    curve_key *const keys = CT_NEW_ARRAY(a, curve_key, count);
    uint32_t i = 0;
    for (ct_sjson_value e = ct_sjson_first(doc, v); e.entry; e = ct_sjson_next(doc, e), ++i) {
        if (!read_key(r, e, i ? &keys[i - 1] : NULL, &keys[i]))
            return NULL;
    }
    return sample_curve(a, keys, count, is_smooth);
}

// --- Reading values ------------------------------------------------------------------------------

static bool read_value(const reader *r, ct_sjson_value v, ct_worker_value *out);

// Reads one end of a random value.
static bool read_end(const reader *r, ct_sjson_value v, ct_worker_value *out) {
    if (!read_value(r, v, out))
        return false;
    if (!out->is_random && !out->variable)
        return true;
    return ct_worker_particle_error(r->p, v,
                                    "%s: an end of a random value is a constant or a curve; the "
                                    "variable is beside `min` and `max`",
                                    r->kind->name);
}

static bool read_random(const reader *r, ct_sjson_value v, const ct_particle_value_source *source,
                        ct_worker_value *out) {
    if (r->kind->is_fixed)
        return ct_worker_particle_error(r->p, v,
                                        "%s: it cannot be random: write a number, a curve or a "
                                        "variable",
                                        r->kind->name);
    ct_worker_value least, most;
    if (!source->least.entry || !source->most.entry)
        return ct_worker_particle_error(r->p, v, "%s: `%s` is missing beside `%s`", r->kind->name,
                                        source->least.entry ? "max" : "min",
                                        source->least.entry ? "min" : "max");
    if (!read_end(r, source->least, &least) || !read_end(r, source->most, &most))
        return false;
    ct_allocator *const a = r->p->c->allocator;
    const bool is_curve = least.curves[0] || most.curves[0];
    // Both ends are curves when one is.
    for (uint32_t end = 0; is_curve && end < 2; ++end) {
        const ct_worker_value *const from = end ? &most : &least;
        ct_particle_sample *const samples = CT_NEW_ARRAY(a, ct_particle_sample, SAMPLES);
        for (uint32_t i = 0; i < SAMPLES; ++i)
            memcpy(samples[i].value, end_at(from, 0, i), sizeof(samples[i].value));
        out->curves[end] = samples;
    }
    memcpy(out->a, least.a, sizeof(out->a));
    memcpy(out->b, most.a, sizeof(out->b));
    out->is_random = is_curve || memcmp(out->a, out->b, sizeof(out->a)) != 0;
    return true;
}

static bool find_variable(const reader *r, const ct_particle_value_source *source,
                          ct_worker_value *out) {
    const ct_worker_particles *const p = r->p;
    for (uint32_t i = 0; source->variable && i < p->variable_names.count; ++i) {
        if (strcmp(p->variable_names.items[i], source->variable) == 0)
            out->variable = i + 1;
    }
    return !source->variable || out->variable ||
           ct_worker_particle_unknown(p, source->variable_value, "variable", source->variable,
                                      p->variable_names.items, p->variable_names.count);
}

static bool read_object(const reader *r, ct_sjson_value v, ct_worker_value *out) {
    ct_particle_value_source source;
    if (!ct_schema_read(&ct_particle_value_schema, r->p->doc, v, &source, &r->p->listener) ||
        !find_variable(r, &source, out))
        return false;
    const bool is_random = source.least.entry || source.most.entry;
    const uint32_t count = is_random + (source.curve.entry != 0) + (source.value.entry != 0);
    if (count > 1 || (count == 0 && !source.variable))
        return ct_worker_particle_error(r->p, v,
                                        "%s: found %s, expected one of { min max }, { curve }, "
                                        "{ value } and { variable }",
                                        r->kind->name, count ? "more than one" : "no value");
    if (is_random)
        return read_random(r, v, &source, out);
    if (source.curve.entry) {
        out->curves[0] = out->curves[1] = read_curve(r, source.curve, source.smooth);
        return out->curves[0] != NULL;
    }
    for (uint32_t i = 0; i < r->kind->num_components; ++i)
        out->a[i] = 1;
    const bool is_fine = !source.value.entry || read_constant(r, source.value, out->a);
    memcpy(out->b, out->a, sizeof(out->b));
    return is_fine;
}

static bool read_value(const reader *r, ct_sjson_value v, ct_worker_value *out) {
    *out = (ct_worker_value){.at = v,
                             .clock = r->kind->clock,
                             .is_uniform = r->kind->is_uniform || r->kind->takes_number};
    bool is_fine;
    if (ct_sjson_type_of(r->p->doc, v) == CT_SJSON_TYPE_OBJECT) {
        is_fine = read_object(r, v, out);
    } else {
        is_fine = read_constant(r, v, out->a);
        memcpy(out->b, out->a, sizeof(out->b));
    }
    if (is_fine)
        flatten(out);
    return is_fine;
}

ct_worker_value ct_worker_value_read(const ct_worker_particles *p, ct_sjson_value v,
                                     const ct_worker_value_kind *kind, ct_worker_value otherwise) {
    const reader r = {p, kind};
    ct_worker_value value;
    return v.entry && read_value(&r, v, &value) ? value : otherwise;
}
