// Breakpoints of clients, and what all of them want together.

#include <stdio.h>
#include <string.h>

#include "dev/debugger/debugger_private.h"

// --- One breakpoint ------------------------------------------------------------------------------

static bool is_same_text(const char *a, const char *b) {
    return strcmp(a ? a : "", b ? b : "") == 0;
}

static bool is_same(const ct_lua_breakpoint *a, const ct_lua_breakpoint *b) {
    return a->line == b->line && is_same_text(a->condition, b->condition) &&
           is_same_text(a->hits, b->hits) && is_same_text(a->log, b->log);
}

static char *copy_text(ct_debugger *d, const char *text) {
    return text && text[0] ? ct_copy_string(d->allocator, text) : NULL;
}

static void free_breakpoint(ct_debugger *d, const ct_debugger_breakpoint *b) {
    ct_free(d->allocator, (char *)b->wanted.script);
    ct_free(d->allocator, (char *)b->wanted.condition);
    ct_free(d->allocator, (char *)b->wanted.hits);
    ct_free(d->allocator, (char *)b->wanted.log);
}

void ct_debugger_drop_breakpoints(ct_debugger *d, ct_debugger_breakpoint_array *breakpoints) {
    for (uint32_t i = 0; i < breakpoints->count; ++i)
        free_breakpoint(d, &breakpoints->items[i]);
    ct_array_free(breakpoints);
}

// Adds the unit of a breakpoint to its condition: it is `self.entity` of a function of a behaviour.
static void join_condition(const char *unit, const char *condition, ct_string_builder *out) {
    if (unit && unit[0]) {
        ct_string_builder_add(out, "type(self) == \"table\" and tostring(self.entity) == \"Unit(");
        for (const char *c = unit; *c; ++c) {
            if ((unsigned char)*c < ' ' || *c == '"' || *c == '\\')
                ct_string_builder_addf(out, "\\%03u", (unsigned char)*c);
            else
                ct_string_builder_add_char(out, *c);
        }
        ct_string_builder_add(out, ")\"");
        if (condition && condition[0])
            ct_string_builder_addf(out, " and (%s)", condition);
    } else if (condition) {
        ct_string_builder_add(out, condition);
    }
}

// Reads one of a message; its texts are the caller's to free.
static bool take_breakpoint(ct_debugger_request *r, ct_sjson_value object, const char *script,
                            ct_debugger_breakpoint *b) {
    ct_debugger *const d = r->debugger;
    const char *condition, *hits, *log, *unit;
    if (ct_sjson_type_of(r->doc, object) != CT_SJSON_TYPE_OBJECT)
        return ct_error_set(r->error, "it is %s; expected an object with a line",
                            ct_sjson_type_name(ct_sjson_type_of(r->doc, object)));
    if (!ct_debugger_take_whole(r, object, "line", 1, CT_DEBUGGER_MAX_LINE, NULL,
                                &b->wanted.line) ||
        !ct_debugger_take_text(r, object, "condition", false, &condition) ||
        !ct_debugger_take_text(r, object, "hits", false, &hits) ||
        !ct_debugger_take_text(r, object, "log", false, &log) ||
        !ct_debugger_take_text(r, object, "unit", false, &unit))
        return false;
    CT_CLEANUP(ct_string_builder_free) ct_string_builder joined;
    ct_string_builder_init(&joined, d->allocator);
    join_condition(unit, condition, &joined);
    b->wanted.script = ct_copy_string(d->allocator, script);
    b->wanted.condition = copy_text(d, ct_string_builder_text(&joined));
    b->wanted.hits = copy_text(d, hits);
    b->wanted.log = copy_text(d, log);
    return true;
}

// --- All of a client -----------------------------------------------------------------------------

static uint32_t count_all(const ct_debugger *d) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < d->num_clients; ++i)
        count += d->clients[i]->breakpoints.count;
    return count;
}

static uint32_t count_in(const ct_debugger_client *c, const char *script) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < c->breakpoints.count; ++i)
        count += strcmp(c->breakpoints.items[i].wanted.script, script) == 0;
    return count;
}

// Gives a breakpoint the number of an equal one that the client had in the script, so that its hits count
// on; or a new one.
static void number_breakpoint(ct_debugger *d, ct_debugger_client *c, ct_debugger_breakpoint *b) {
    for (uint32_t i = 0; i < c->breakpoints.count; ++i) {
        ct_debugger_breakpoint *const old = &c->breakpoints.items[i];
        if (old->wanted.id == 0 || old->wanted.line != b->wanted.line ||
            strcmp(old->wanted.script, b->wanted.script) != 0 || !is_same(&old->wanted, &b->wanted))
            continue;
        b->wanted.id = old->wanted.id;
        old->wanted.id = 0; // only once
        return;
    }
    b->wanted.id = ++d->last_breakpoint;
}

// Replaces those of a script by `found`, which is empty then.
static void replace_breakpoints(ct_debugger *d, ct_debugger_client *c, const char *script,
                                ct_debugger_breakpoint_array *found) {
    for (uint32_t i = 0; i < found->count; ++i)
        number_breakpoint(d, c, &found->items[i]);
    ct_mutex_lock(&d->merged_mutex);
    d->merged.count = 0;
    uint32_t count = 0;
    for (uint32_t i = 0; i < c->breakpoints.count; ++i) {
        const ct_debugger_breakpoint *const b = &c->breakpoints.items[i];
        if (strcmp(b->wanted.script, script) == 0)
            free_breakpoint(d, b);
        else
            c->breakpoints.items[count++] = *b;
    }
    c->breakpoints.count = count;
    ct_array_push_many(&c->breakpoints, found->items, found->count);
    ct_mutex_unlock(&d->merged_mutex);
    found->count = 0;
}

// --- States --------------------------------------------------------------------------------------

// Gives a state what is wanted; `places` may be NULL.
typedef struct application {
    ct_debugger_state *state;
    ct_lua_breakpoint_place *places;
} application;

static void apply(void *data) {
    const application *const a = data;
    ct_debugger *const d = a->state->debugger;
    ct_mutex_lock(&d->mutex);
    const bool wants_pause = a->state->wants_pause;
    a->state->has_news = a->state->wants_pause = false;
    ct_mutex_unlock(&d->mutex);
    ct_lua_debugger_set_breakpoints(a->state->core, d->merged.items, d->merged.count, a->places);
    ct_lua_debugger_stop_on_errors(a->state->core, d->stop_on_errors);
    if (wants_pause)
        ct_lua_debugger_pause(a->state->core);
}

void ct_debugger_apply(ct_debugger_state *state) {
    apply(&(application){.state = state});
}

// Joins what clients want; the places of `d->merged` are in the order of clients and their breakpoints.
static void join(ct_debugger *d) {
    ct_mutex_lock(&d->merged_mutex);
    d->merged.count = 0;
    d->stop_on_errors = CT_LUA_STOP_ON_ERRORS_NEVER;
    for (uint32_t i = 0; i < d->num_clients; ++i) {
        const ct_debugger_client *const c = d->clients[i];
        if (c->stop_on_errors > d->stop_on_errors)
            d->stop_on_errors = c->stop_on_errors;
        for (uint32_t k = 0; k < c->breakpoints.count; ++k)
            ct_array_push(&d->merged, c->breakpoints.items[k].wanted);
    }
    ct_mutex_unlock(&d->merged_mutex);
}

// Notes where a state found the breakpoints; those that it does not have may be in others.
static void take_merged_places(ct_debugger *d, uint32_t state,
                               const ct_lua_breakpoint_place *places) {
    uint32_t place = 0;
    for (uint32_t i = 0; i < d->num_clients; ++i) {
        ct_debugger_client *const c = d->clients[i];
        for (uint32_t k = 0; k < c->breakpoints.count; ++k, ++place) {
            ct_debugger_breakpoint *const b = &c->breakpoints.items[k];
            if (places[place].is_verified && !b->is_verified) {
                b->is_verified = true;
                b->line = places[place].line;
                b->state = state;
            }
        }
    }
}

// Gives all states what is wanted. `places` (NULL, or zero) become those of the first state, with those
// that only others have verified.
static void merge(ct_debugger *d, ct_lua_breakpoint_place *places) {
    join(d);
    if (!d->is_attached)
        return;
    CT_ARRAY(ct_lua_breakpoint_place) found;
    ct_array_init(&found, d->allocator);
    if (places)
        ct_array_resize(&found, d->merged.count);
    for (uint32_t i = 0; i < CT_DEBUGGER_MAX_STATES; ++i) {
        ct_debugger_state *const state = &d->states[i];
        if (!state->core)
            continue;
        if (!ct_debugger_can_touch(state)) {
            ct_mutex_lock(&d->mutex);
            state->has_news = true;
            ct_mutex_unlock(&d->mutex);
            continue;
        }
        application a = {.state = state, .places = found.items};
        ct_debugger_run_on(state, apply, &a);
        for (uint32_t k = 0; k < found.count; ++k) {
            if (i == 0 || (found.items[k].is_verified && !places[k].is_verified))
                places[k] = found.items[k];
        }
        if (places)
            take_merged_places(d, i, found.items);
    }
    ct_array_free(&found);
}

void ct_debugger_merge(ct_debugger *d) {
    merge(d, NULL);
}

void ct_debugger_take_places(ct_debugger *d, const ct_debugger_event *event) {
    for (uint32_t p = 0; p < event->num_places; ++p) {
        const ct_lua_breakpoint_place *const place = &event->places[p];
        ct_debugger_breakpoint *b = NULL;
        for (uint32_t i = 0; i < d->num_clients && !b; ++i) {
            ct_debugger_breakpoint_array *const all = &d->clients[i]->breakpoints;
            for (uint32_t k = 0; k < all->count && !b; ++k)
                b = all->items[k].wanted.id == place->id ? &all->items[k] : NULL;
        }
        if (!b || (!place->is_verified && (!b->is_verified || b->state != event->state)) ||
            (place->is_verified && b->is_verified && b->line == place->line))
            continue;
        b->is_verified = place->is_verified;
        b->line = place->line;
        b->state = event->state;
        ct_string_builder json;
        ct_sjson_writer w;
        ct_debugger_begin_event(d, &json, &w, "breakpoint");
        ct_sjson_member_number(&w, "breakpoint", place->id);
        ct_sjson_member_bool(&w, "verified", place->is_verified);
        ct_sjson_member_string(&w, "script", event->script);
        ct_sjson_member_number(&w, "line", place->is_verified ? place->line : b->wanted.line);
        ct_sjson_member_string(&w, "message", place->message);
        ct_debugger_send_event(d, &json, &w);
    }
}

// --- Messages ------------------------------------------------------------------------------------

// Answers where the breakpoints in a script of the request's client are.
static void write_places(const ct_debugger_request *r, const char *script,
                         const ct_lua_breakpoint_place *places) {
    const ct_debugger *const d = r->debugger;
    uint32_t place = 0;
    for (uint32_t i = 0; d->clients[i] != r->client; ++i)
        place += d->clients[i]->breakpoints.count;
    ct_sjson_write_key(r->w, "breakpoints");
    ct_sjson_begin_array(r->w);
    for (uint32_t k = 0; k < r->client->breakpoints.count; ++k, ++place) {
        const ct_debugger_breakpoint *const b = &r->client->breakpoints.items[k];
        if (strcmp(b->wanted.script, script) != 0)
            continue;
        ct_sjson_begin_object(r->w);
        ct_sjson_member_number(r->w, "breakpoint", b->wanted.id);
        ct_sjson_member_bool(r->w, "verified", places[place].is_verified);
        ct_sjson_member_number(r->w, "line",
                               places[place].is_verified ? places[place].line : b->wanted.line);
        ct_sjson_member_string(r->w, "message", places[place].message);
        ct_sjson_end_object(r->w);
    }
    ct_sjson_end_array(r->w);
}

static bool take_breakpoints(ct_debugger_request *r, const char *script,
                             ct_debugger_breakpoint_array *found) {
    const ct_sjson_value array = ct_sjson_find(r->doc, r->root, "breakpoints");
    if (ct_sjson_type_of(r->doc, array) != CT_SJSON_TYPE_ARRAY)
        return ct_error_set(r->error, "\"breakpoints\" is %s; expected an array of objects",
                            ct_sjson_type_name(ct_sjson_type_of(r->doc, array)));
    const uint32_t count = ct_sjson_count(r->doc, array);
    const uint32_t others = count_all(r->debugger) - count_in(r->client, script);
    if ((uint64_t)count + others > CT_LUA_DEBUGGER_MAX_BREAKPOINTS)
        return ct_error_set(r->error, "%u breakpoints beside %u others; expected at most %d", count,
                            others, CT_LUA_DEBUGGER_MAX_BREAKPOINTS);
    ct_sjson_value value = ct_sjson_first(r->doc, array);
    for (uint32_t i = 0; value.entry != 0; ++i, value = ct_sjson_next(r->doc, value)) {
        ct_debugger_breakpoint b = {.is_verified = false};
        if (!take_breakpoint(r, value, script, &b)) {
            const ct_error why = *r->error;
            return ct_error_set(r->error, "breakpoint %u: %.900s", i, why.message);
        }
        ct_array_push(found, b);
    }
    return true;
}

bool ct_debugger_do_breakpoints(ct_debugger_request *r) {
    ct_debugger *const d = r->debugger;
    char script[CT_RESOURCE_NAME_BYTES + 8];
    if (!ct_debugger_take_script(r, script))
        return false;
    ct_debugger_breakpoint_array found;
    ct_array_init(&found, d->allocator);
    const bool is_done = take_breakpoints(r, script, &found);
    if (is_done) {
        replace_breakpoints(d, r->client, script, &found);
        const uint32_t count = count_all(d);
        ct_lua_breakpoint_place *const places =
            CT_NEW_ARRAY(d->allocator, ct_lua_breakpoint_place, count + 1);
        merge(d, places);
        write_places(r, script, places);
        ct_free_sized(d->allocator, places, sizeof(*places) * (uint64_t)(count + 1));
    }
    ct_debugger_drop_breakpoints(d, &found);
    return is_done;
}

typedef struct lines {
    ct_debugger_state *state;
    const char *script;
    uint32_t first, last;
    ct_u32_array found;
} lines;

static void find_lines(void *data) {
    lines *const l = data;
    ct_lua_debugger_lines(l->state->core, l->script, l->first, l->last, &l->found);
}

bool ct_debugger_do_lines(ct_debugger_request *r) {
    ct_debugger *const d = r->debugger;
    char script[CT_RESOURCE_NAME_BYTES + 8];
    const uint32_t one = 1, most = CT_DEBUGGER_MAX_LINE;
    lines l = {.script = script};
    ct_array_init(&l.found, d->allocator);
    if (!ct_debugger_take_script(r, script) ||
        !ct_debugger_take_whole(r, r->root, "first", 1, most, &one, &l.first) ||
        !ct_debugger_take_whole(r, r->root, "last", 1, most, &most, &l.last))
        return false;
    for (uint32_t i = 0; i < CT_DEBUGGER_MAX_STATES && l.found.count == 0; ++i) {
        l.state = &d->states[i];
        if (l.state->core && ct_debugger_can_touch(l.state))
            ct_debugger_run_on(l.state, find_lines, &l);
    }
    ct_sjson_write_key(r->w, "lines");
    ct_sjson_begin_array(r->w);
    for (uint32_t i = 0; i < l.found.count; ++i)
        ct_sjson_write_number(r->w, l.found.items[i]);
    ct_sjson_end_array(r->w);
    ct_array_free(&l.found);
    return true;
}

bool ct_debugger_do_errors(ct_debugger_request *r) {
    static const char *const names[] = {[CT_LUA_STOP_ON_ERRORS_NEVER] = "never",
                                        [CT_LUA_STOP_ON_ERRORS_UNCAUGHT] = "uncaught",
                                        [CT_LUA_STOP_ON_ERRORS_ALL] = "all"};
    const uint32_t otherwise = CT_LUA_STOP_ON_ERRORS_UNCAUGHT;
    uint32_t which;
    if (!ct_debugger_take_choice(r, "stop", names, CT_COUNT_OF(names), &otherwise, &which))
        return false;
    r->client->stop_on_errors = (ct_lua_stop_on_errors)which;
    ct_debugger_merge(r->debugger);
    return true;
}
