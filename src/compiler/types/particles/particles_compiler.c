// Compiles particle effects: see worker_particles.h for how they are read.
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "compiler/protocol/compiler_types.h"
#include "compiler/types/particles/worker_particles.h"
#include "foundation/error.h"

// --- Messages ------------------------------------------------------------------------------------

bool ct_worker_particle_error(const ct_worker_particles *p, ct_sjson_value v, const char *format,
                              ...) {
    char text[CT_ERROR_MESSAGE_BYTES];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof(text), format, arguments);
    va_end(arguments);
    return ct_compile_error(p->c, p->doc, v, "%s", text);
}

void ct_worker_particle_warning(const ct_worker_particles *p, ct_sjson_value v, const char *format,
                                ...) {
    char text[CT_ERROR_MESSAGE_BYTES];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof(text), format, arguments);
    va_end(arguments);
    ct_compile_warning(p->c, p->doc, v, "%s", text);
}

bool ct_worker_particle_unknown(const ct_worker_particles *p, ct_sjson_value v, const char *what,
                                const char *name, const char *const *names, uint32_t count) {
    const char *const nearest = ct_nearest_name(name, names, count);
    if (nearest)
        return ct_worker_particle_error(p, v, "there is no %s \"%.64s\"; did you mean \"%.64s\"?",
                                        what, name, nearest);
    if (count == 0)
        return ct_worker_particle_error(
            p, v, "there is no %s \"%.64s\"; add it, or correct the name", what, name);
    return ct_worker_particle_error(p, v, "there is no %s \"%.64s\"; the first is \"%.64s\"", what,
                                    name, names[0]);
}

// --- Common members ------------------------------------------------------------------------------

bool ct_worker_particle_object(const ct_worker_particles *p, const ct_schema *schema,
                               ct_sjson_value v, void *out) {
    if (v.entry)
        return ct_schema_read(schema, p->doc, v, out, &p->listener);
    ct_schema_defaults(schema, out);
    return true;
}

static bool read_count(const ct_worker_particles *p, ct_sjson_value v, uint32_t *out) {
    const double number = ct_sjson_number(p->doc, v, -1);
    if (!(number >= 0 && number <= CT_PARTICLES_MAX_PARTICLES) || number != floor(number))
        return ct_worker_particle_error(p, v, "count: expected a whole number from 0 to %d",
                                        (int)CT_PARTICLES_MAX_PARTICLES);
    *out = (uint32_t)number;
    return true;
}

void ct_worker_particle_counts(const ct_worker_particles *p, ct_sjson_value v, uint32_t *least,
                               uint32_t *most) {
    if (!v.entry)
        return;
    switch (ct_sjson_type_of(p->doc, v)) {
    case CT_SJSON_TYPE_NUMBER:
        if (read_count(p, v, least))
            *most = *least;
        return;
    case CT_SJSON_TYPE_ARRAY: {
        const ct_sjson_value first = ct_sjson_first(p->doc, v);
        if (ct_sjson_count(p->doc, v) != 2)
            ct_worker_particle_error(p, v, "count: found %u numbers, expected [least most]",
                                     ct_sjson_count(p->doc, v));
        else if (read_count(p, first, least) && read_count(p, ct_sjson_next(p->doc, first), most) &&
                 *least > *most)
            ct_worker_particle_error(p, v, "count: found %u to %u, expected the smaller first",
                                     *least, *most);
        return;
    }
    default:
        ct_worker_particle_error(p, v, "count: found %s, expected a whole number or [least most]",
                                 ct_sjson_type_name(ct_sjson_type_of(p->doc, v)));
    }
}

// Reports names that are empty, or have the id of another.
static bool check_name(const ct_worker_particles *p, ct_sjson_value v, const char *what,
                       const char *name, const char *const *names, uint32_t count) {
    if (!*name)
        return ct_worker_particle_error(p, v, "the name of %s is empty", what);
    for (uint32_t i = 0; i < count; ++i) {
        if (strcmp(names[i], name) == 0)
            return ct_worker_particle_error(p, v, "another has the name \"%.64s\": rename one",
                                            name);
        if (ct_string_id32_of(names[i]).value == ct_string_id32_of(name).value)
            return ct_worker_particle_error(
                p, v, "the names \"%.64s\" and \"%.64s\" have the same 32-bit id: rename one",
                names[i], name);
    }
    return true;
}

// --- Variables -----------------------------------------------------------------------------------

static bool read_variable_number(const ct_worker_particles *p, ct_sjson_value v, float *out) {
    const double number = ct_sjson_number(p->doc, v, NAN);
    if (!(fabs(number) <= 1e9))
        return ct_worker_particle_error(p, v,
                                        "variables: expected a number, or an array of up to 4");
    *out = (float)number;
    return true;
}

static void read_variable(ct_worker_particles *p, ct_sjson_value v) {
    const char *const name = ct_sjson_key(p->doc, v);
    ct_particle_variable variable = {.name = ct_string_id32_of(name)};
    if (!check_name(p, v, "a variable", name, p->variable_names.items, p->variable_names.count))
        return;
    if (ct_sjson_type_of(p->doc, v) == CT_SJSON_TYPE_ARRAY) {
        const uint32_t count = ct_sjson_count(p->doc, v);
        ct_sjson_value e = ct_sjson_first(p->doc, v);
        if (count == 0 || count > 4) {
            ct_worker_particle_error(p, v, "variables: found %u numbers, expected 1 to 4", count);
            return;
        }
        for (uint32_t i = 0; i < count; ++i, e = ct_sjson_next(p->doc, e)) {
            if (!read_variable_number(p, e, &variable.value[i]))
                return;
        }
    } else {
        if (!read_variable_number(p, v, &variable.value[0]))
            return;
        for (uint32_t i = 1; i < 4; ++i)
            variable.value[i] = variable.value[0];
    }
    ct_array_push(&p->variables, variable);
    ct_array_push(&p->variable_names, name);
}

static void read_variables(ct_worker_particles *p) {
    const ct_sjson_value all = p->source.variables;
    if (ct_sjson_count(p->doc, all) > CT_PARTICLES_MAX_VARIABLES) {
        ct_worker_particle_error(p, all, "variables: found %u, expected at most %d",
                                 ct_sjson_count(p->doc, all), (int)CT_PARTICLES_MAX_VARIABLES);
        return;
    }
    for (ct_sjson_value v = ct_sjson_first(p->doc, all); v.entry; v = ct_sjson_next(p->doc, v))
        read_variable(p, v);
}

// --- Emitters ------------------------------------------------------------------------------------

static ct_worker_emitter *make_emitter(ct_worker_particles *p, ct_sjson_value v) {
    ct_allocator *const a = p->c->allocator;
    ct_worker_emitter *const e = CT_NEW(a, ct_worker_emitter);
    e->at = v;
    ct_array_init(&e->motion.forces, a);
    ct_array_init(&e->motion.after, a);
    ct_array_init(&e->init, a);
    ct_array_init(&e->update, a);
    ct_array_init(&e->values, a);
    ct_array_init(&e->samples, a);
    ct_array_init(&e->bursts, a);
    ct_array_init(&e->points, a);
    ct_array_init(&e->events, a);
    return e;
}

static void read_period(ct_worker_particles *p, ct_worker_emitter *e) {
    const ct_sjson_value v = e->source.duration;
    const double seconds = ct_sjson_number(p->doc, v, NAN);
    e->out.delay = e->source.delay;
    e->out.period = v.entry ? (float)seconds : INFINITY;
    if (!v.entry)
        return;
    if (!(seconds >= (double)CT_PARTICLES_LEAST_SECONDS && seconds <= CT_PARTICLES_MAX_SECONDS)) {
        ct_worker_particle_error(
            p, v, "duration: expected seconds from %g to %d; leave it out for no end",
            (double)CT_PARTICLES_LEAST_SECONDS, (int)CT_PARTICLES_MAX_SECONDS);
        e->out.period = 1; // for what follows
    }
    e->out.flags |= e->source.loop ? CT_PARTICLE_EMITTER_LOOPS : 0;
}

static void read_emitter(ct_worker_particles *p, ct_sjson_value v) {
    ct_worker_emitter *const e = make_emitter(p, v);
    if (!ct_schema_read(&ct_particle_emitter_schema, p->doc, v, &e->source, &p->listener) ||
        !check_name(p, e->source.name_value, "an emitter", e->source.name, p->emitter_names.items,
                    p->emitter_names.count))
        return;
    e->out.name = ct_string_id32_of(e->source.name);
    e->out.flags = e->source.space ? CT_PARTICLE_EMITTER_LOCAL : 0;
    read_period(p, e);
    ct_worker_particle_spawn(p, e);
    ct_worker_particle_births(p, e);
    ct_worker_particle_simulate(p, e);
    ct_worker_particle_events(p, e);
    ct_worker_particle_render(p, e);
    ct_array_push(&p->emitters, e);
    ct_array_push(&p->emitter_names, e->source.name);
}

// Reports an `id` that is no text, or that an earlier emitter has.
static void check_id(const ct_worker_particles *p, ct_sjson_value v) {
    const ct_sjson_value id = ct_sjson_find(p->doc, v, "id");
    const char *const text = ct_sjson_string(p->doc, id, NULL);
    if (!id.entry)
        return;
    if (!text) {
        ct_worker_particle_error(p, id, "id: found %s, expected a string",
                                 ct_sjson_type_name(ct_sjson_type_of(p->doc, id)));
        return;
    }
    for (ct_sjson_value e = ct_sjson_first(p->doc, p->source.emitters); e.entry != v.entry;
         e = ct_sjson_next(p->doc, e)) {
        const char *const other = ct_sjson_string(p->doc, ct_sjson_find(p->doc, e, "id"), NULL);
        if (other && strcmp(other, text) == 0)
            ct_worker_particle_error(p, id,
                                     "another element has the id \"%.64s\"; `cuttle ids` gives "
                                     "this one its own",
                                     text);
    }
}

static void read_emitters(ct_worker_particles *p) {
    const ct_sjson_value all = p->source.emitters;
    const uint32_t count = ct_sjson_count(p->doc, all);
    if (count == 0 || count > CT_PARTICLES_MAX_EMITTERS) {
        ct_worker_particle_error(p, all, "emitters: found %u, expected 1 to %d", count,
                                 (int)CT_PARTICLES_MAX_EMITTERS);
        return;
    }
    for (ct_sjson_value v = ct_sjson_first(p->doc, all); v.entry; v = ct_sjson_next(p->doc, v)) {
        check_id(p, v);
        read_emitter(p, v);
    }
}

// --- The whole -----------------------------------------------------------------------------------

bool ct_compile_particles(ct_compile *c) {
    ct_worker_particles p = {.c = c, .doc = c->doc, .listener = ct_compile_listener(c)};
    ct_array_init(&p.variables, c->allocator);
    ct_array_init(&p.variable_names, c->allocator);
    ct_array_init(&p.emitters, c->allocator);
    ct_array_init(&p.emitter_names, c->allocator);
    if (!ct_schema_read(&ct_particles_schema, c->doc, ct_sjson_root(c->doc), &p.source,
                        &p.listener))
        return false;
    read_variables(&p);
    read_emitters(&p);
    if (ct_compile_error_count(c) > 0 || !ct_worker_particle_sort(&p))
        return false;
    for (uint32_t i = 0; i < p.emitters.count; ++i) {
        ct_worker_particle_capacity(&p, p.emitters.items[i]);
        ct_worker_particle_program(&p, p.emitters.items[i]);
        ct_worker_particle_gpu(&p, p.emitters.items[i]);
    }
    if (ct_compile_error_count(c) > 0)
        return false;
    ct_worker_particle_write(&p);
    return true;
}
