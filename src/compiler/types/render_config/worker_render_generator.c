// Reads resource generators: chains of steps, and changes to inherited chains.
#include <string.h>

#include "compiler/types/render_config/worker_render_config.h"
#include "foundation/error.h"

static ct_worker_generator *find_generator(ct_worker_render_config *r, const char *name) {
    for (uint32_t i = 0; i < r->generators.count; ++i) {
        if (strcmp(r->generators.items[i].name, name) == 0)
            return &r->generators.items[i];
    }
    return NULL;
}

static uint32_t find_step(const ct_worker_step_array *steps, const char *name) {
    uint32_t i = 0;
    while (i < steps->count && !(steps->items[i].name && strcmp(steps->items[i].name, name) == 0))
        ++i;
    return i;
}

// Reads an array of steps. False after reporting that it is none.
static bool read_steps(ct_worker_render_config *r, ct_sjson_value v, const char *what,
                       ct_worker_step_array *steps) {
    ct_array_init(steps, r->c->allocator);
    if (ct_sjson_type_of(r->doc, v) != CT_SJSON_TYPE_ARRAY)
        return ct_worker_render_error(r, v, "%s: found %s, expected an array of steps", what,
                                      ct_sjson_type_name(ct_sjson_type_of(r->doc, v)));
    for (ct_sjson_value e = ct_sjson_first(r->doc, v); e.entry; e = ct_sjson_next(r->doc, e))
        ct_worker_render_step(r, e, steps);
    return true;
}

// Puts `added` at position `at` in place of `num_removed` steps.
static void splice(ct_worker_render_config *r, ct_worker_step_array *steps, uint32_t at,
                   uint32_t num_removed, const ct_worker_step_array *added) {
    ct_worker_step_array whole;
    ct_array_init(&whole, r->c->allocator);
    ct_array_push_many(&whole, steps->items, at);
    ct_array_push_many(&whole, added->items, added->count);
    ct_array_push_many(&whole, steps->items + at + num_removed, steps->count - at - num_removed);
    *steps = whole;
}

// The position of the step that `text`, at `v`, names; the number of steps after reporting.
static uint32_t step_named(ct_worker_render_config *r, ct_sjson_value v, const char *text,
                           const ct_worker_generator *g) {
    const uint32_t found = find_step(&g->steps, text);
    if (found < g->steps.count)
        return found;
    const char **const names = CT_NEW_ARRAY(r->c->allocator, const char *, g->steps.count + 1);
    uint32_t count = 0;
    const char *list = "";
    for (uint32_t i = 0; i < g->steps.count; ++i) {
        if (!g->steps.items[i].name)
            continue;
        list = ct_compile_text(r->c, "%s%s%s", list, *list ? ", " : "", g->steps.items[i].name);
        names[count++] = g->steps.items[i].name;
    }
    const char *const nearest = ct_nearest_name(text, names, count);
    if (nearest)
        ct_worker_render_error(r, v, "%s has no step named \"%.64s\"; did you mean \"%s\"?",
                               g->name, text, nearest);
    else
        ct_worker_render_error(r, v, "%s has no step named \"%.64s\"; expected one of: %s", g->name,
                               text, list);
    return g->steps.count;
}

// before, after, replace: a map from the name of a step to steps.
static void put_at_steps(ct_worker_render_config *r, ct_sjson_value map, ct_worker_generator *g) {
    const char *const where = ct_sjson_key(r->doc, map);
    const bool is_replaced = strcmp(where, "replace") == 0;
    if (ct_sjson_type_of(r->doc, map) != CT_SJSON_TYPE_OBJECT) {
        ct_worker_render_error(r, map, "%s: found %s, expected { <name of a step> = [ … ] }", where,
                               ct_sjson_type_name(ct_sjson_type_of(r->doc, map)));
        return;
    }
    for (ct_sjson_value v = ct_sjson_first(r->doc, map); v.entry; v = ct_sjson_next(r->doc, v)) {
        ct_worker_step_array added;
        const uint32_t found = step_named(r, v, ct_sjson_key(r->doc, v), g);
        if (!read_steps(r, v, ct_sjson_key(r->doc, v), &added) || found == g->steps.count)
            continue;
        splice(r, &g->steps, found + (strcmp(where, "after") == 0), is_replaced, &added);
    }
}

static void remove_steps(ct_worker_render_config *r, ct_sjson_value v, ct_worker_generator *g) {
    const ct_worker_step_array none = {.count = 0};
    if (ct_sjson_type_of(r->doc, v) != CT_SJSON_TYPE_ARRAY) {
        ct_worker_render_error(r, v, "remove: found %s, expected an array of step names",
                               ct_sjson_type_name(ct_sjson_type_of(r->doc, v)));
        return;
    }
    for (ct_sjson_value e = ct_sjson_first(r->doc, v); e.entry; e = ct_sjson_next(r->doc, e)) {
        const uint32_t found = step_named(r, e, ct_sjson_string(r->doc, e, ""), g);
        if (found < g->steps.count)
            splice(r, &g->steps, found, 1, &none);
    }
}

// Changes, in the order they stand in.
static void change_generator(ct_worker_render_config *r, ct_sjson_value v, ct_worker_generator *g) {
    static const char *const members[] = {"first", "last", "before", "after", "replace", "remove"};
    ct_worker_render_members(r, v, g->name, members, CT_COUNT_OF(members));
    for (ct_sjson_value m = ct_sjson_first(r->doc, v); m.entry; m = ct_sjson_next(r->doc, m)) {
        const char *const key = ct_sjson_key(r->doc, m);
        const bool is_first = strcmp(key, "first") == 0;
        ct_worker_step_array added;
        if (is_first || strcmp(key, "last") == 0) {
            if (read_steps(r, m, key, &added))
                splice(r, &g->steps, is_first ? 0 : g->steps.count, 0, &added);
        } else if (strcmp(key, "remove") == 0) {
            remove_steps(r, m, g);
        } else if (strcmp(key, "before") == 0 || strcmp(key, "after") == 0 ||
                   strcmp(key, "replace") == 0) {
            put_at_steps(r, m, g);
        }
    }
}

static void check_names(ct_worker_render_config *r, ct_sjson_value v,
                        const ct_worker_generator *g) {
    for (uint32_t i = 0; i < g->steps.count; ++i) {
        const char *const name = g->steps.items[i].name;
        if (name && find_step(&g->steps, name) < i)
            ct_worker_render_error(r, v, "%s: two steps are named \"%.64s\"", g->name, name);
    }
}

void ct_worker_render_generator(ct_worker_render_config *r, ct_sjson_value v) {
    const char *const name = ct_sjson_key(r->doc, v);
    ct_worker_generator *const inherited = find_generator(r, name);
    if (ct_sjson_type_of(r->doc, v) == CT_SJSON_TYPE_OBJECT && inherited) {
        change_generator(r, v, inherited);
        check_names(r, v, inherited);
        return;
    }
    ct_worker_generator g = {.name = name};
    if (!read_steps(r, v, name, &g.steps))
        return;
    check_names(r, v, &g);
    if (inherited)
        *inherited = g;
    else
        ct_array_push(&r->generators, g);
}
