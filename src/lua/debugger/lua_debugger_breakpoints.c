#include "lua/debugger/lua_debugger.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "foundation/error.h"
#include "lua/debugger/lua_debugger_events.h"
#include "lua/debugger/lua_debugger_private.h"

// --- Scripts -------------------------------------------------------------------------------------

typedef struct source_search {
    ct_debugged_script *script;
} source_search;

static int keep_source(lua_State *L) {
    ct_debugged_script *const script = ((source_search *)ct_debugger_data(L))->script;
    lua_pushfstring(L, "@%s", script->path);
    script->source = lua_tostring(L, -1);
    script->source_reference = luaL_ref(L, LUA_REGISTRYINDEX);
    return 0;
}

ct_debugged_script *ct_debugger_script(ct_lua_debugger *d, const char *path) {
    const uint64_t key = ct_string_id64_of(path).value;
    const uint64_t place = ct_hash_map_get(&d->script_paths, key, 0);
    if (place)
        return &d->scripts.items[place - 1];
    ct_debugged_script made = {.path = ct_copy_string(d->allocator, path),
                               .source_reference = LUA_NOREF,
                               .functions_reference = LUA_NOREF};
    ct_array_init(&made.functions, d->allocator);
    ct_array_init(&made.lines, d->allocator);
    ct_array_init(&made.places, d->allocator);
    ct_array_init(&made.line_bits, d->allocator);
    ct_array_init(&made.function_bits, d->allocator);
    source_search search = {&made};
    ct_debugger_run(d, keep_source, &search, NULL);
    ct_array_push(&d->scripts, made);
    ct_hash_map_set(&d->script_paths, key, d->scripts.count);
    ct_hash_map_set(&d->script_sources, (uint64_t)(uintptr_t)made.source, d->scripts.count);
    return &d->scripts.items[d->scripts.count - 1];
}

ct_debugged_script *ct_debugger_script_of(const ct_lua_debugger *d, const char *source) {
    const uint64_t place = ct_hash_map_get(&d->script_sources, (uint64_t)(uintptr_t)source, 0);
    return place ? &d->scripts.items[place - 1] : NULL;
}

void ct_debugger_free_scripts(ct_lua_debugger *d) {
    for (uint32_t i = 0; i < d->scripts.count; ++i) {
        ct_debugged_script *const script = &d->scripts.items[i];
        luaL_unref(d->machine->lua, LUA_REGISTRYINDEX, script->source_reference);
        luaL_unref(d->machine->lua, LUA_REGISTRYINDEX, script->functions_reference);
        ct_free(d->allocator, script->path);
        ct_array_free(&script->functions);
        ct_array_free(&script->lines);
        ct_array_free(&script->places);
        ct_array_free(&script->line_bits);
        ct_array_free(&script->function_bits);
    }
    d->scripts.count = 0;
}

static void set_bit(ct_byte_array *bits, uint32_t i) {
    if (i / 8 >= bits->count)
        ct_array_resize(bits, i / 8 + 1);
    bits->items[i / 8] |= (uint8_t)(1u << (i & 7));
}

// The first of the lines of a function from `line` on; 0: none.
static uint32_t line_from(const ct_debugged_script *s, const ct_debugged_function *f,
                          uint32_t line) {
    uint32_t low = f->first, high = f->first + f->count;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (s->lines.items[middle] < line)
            low = middle + 1;
        else
            high = middle;
    }
    return low < f->first + f->count ? s->lines.items[low] : 0;
}

// The line for a breakpoint at `wanted`: the same if there is code, else the next of the innermost
// function around it; 0: none. Where a chunk ends, the next of any function does not exist.
static uint32_t find_line(const ct_debugged_script *s, uint32_t wanted) {
    const ct_debugged_function *innermost = NULL;
    for (uint32_t i = 0; i < s->functions.count; ++i) {
        const ct_debugged_function *const f = &s->functions.items[i];
        if (f->is_old || wanted < f->first_line || wanted > f->last_line)
            continue;
        if (line_from(s, f, wanted) == wanted)
            return wanted;
        if (!innermost ||
            f->last_line - f->first_line < innermost->last_line - innermost->first_line)
            innermost = f;
    }
    return innermost ? line_from(s, innermost, wanted) : 0;
}

// --- Breakpoints ---------------------------------------------------------------------------------

static char *copy_text(const ct_lua_debugger *d, const char *text) {
    return text && text[0] ? ct_copy_string(d->allocator, text) : NULL;
}

static bool is_same_text(const char *a, const char *b) {
    return strcmp(a ? a : "", b ? b : "") == 0;
}

static void free_breakpoint(const ct_lua_debugger *d, ct_debugged_breakpoint *b) {
    ct_free(d->allocator, b->condition);
    ct_free(d->allocator, b->log);
    ct_free(d->allocator, b->hits);
    ct_free(d->allocator, b->message);
}

void ct_debugger_free_breakpoints(ct_lua_debugger *d) {
    for (uint32_t i = 0; i < d->breakpoints.count; ++i)
        free_breakpoint(d, &d->breakpoints.items[i]);
    d->breakpoints.count = 0;
}

// Reads "5", ">5", ">=5" or "%5"; returns false for others.
static bool read_hits(ct_debugged_breakpoint *b) {
    static const struct {
        const char *start;
        ct_debugger_hits which;
    } kinds[] = {{">=", CT_DEBUGGER_HITS_FROM},
                 {">", CT_DEBUGGER_HITS_ABOVE},
                 {"%", CT_DEBUGGER_HITS_EACH},
                 {"", CT_DEBUGGER_HITS_AT}};
    if (!b->hits)
        return true;
    for (uint32_t i = 0; i < CT_COUNT_OF(kinds); ++i) {
        const size_t length = strlen(kinds[i].start);
        if (strncmp(b->hits, kinds[i].start, length) != 0)
            continue;
        const char *const digits = b->hits + length + strspn(b->hits + length, " ");
        char *end;
        const unsigned long number = strtoul(digits, &end, 10);
        b->which = kinds[i].which;
        b->hits_number = (uint32_t)number;
        return digits[0] >= '0' && digits[0] <= '9' && end[strspn(end, " ")] == 0 && number > 0 &&
               number <= 1000000000;
    }
    return false;
}

static int compile_condition(lua_State *L) {
    const ct_debugged_breakpoint *const b = ct_debugger_data(L);
    ct_debugger_push_text(L, ct_lua_of(L)->debugger, b->condition);
    return 0;
}

static int compile_log(lua_State *L) {
    const ct_debugged_breakpoint *const b = ct_debugger_data(L);
    ct_debugger_check_log(L, ct_lua_of(L)->debugger, b->log);
    return 0;
}

// Finds out why a breakpoint cannot be.
static void check_texts(ct_lua_debugger *d, ct_debugged_breakpoint *b) {
    ct_error error = {0};
    bool is_good = read_hits(b);
    if (!is_good)
        ct_error_set(&error, "expected hits like 5, >5, >=5 or %%5, got %s", b->hits);
    else if (b->wanted_line == 0)
        is_good = ct_error_set(&error, "expected a line from 1 on");
    else if (b->condition)
        is_good = ct_debugger_run(d, compile_condition, b, &error);
    if (is_good && b->log)
        is_good = ct_debugger_run(d, compile_log, b, &error);
    if (!is_good)
        b->message = ct_copy_string(d->allocator, error.message);
}

static bool is_same(const ct_lua_debugger *d, const ct_debugged_breakpoint *old,
                    const ct_lua_breakpoint *b) {
    return old->id == b->id && old->wanted_line == b->line &&
           strcmp(d->scripts.items[old->script].path, b->script) == 0 &&
           is_same_text(old->condition, b->condition) && is_same_text(old->hits, b->hits) &&
           is_same_text(old->log, b->log);
}

typedef struct old_code_search {
    const ct_debugged_script *script;
    bool is_found;
} old_code_search;

static int look_for_old_code(lua_State *L) {
    old_code_search *const s = ct_debugger_data(L);
    lua_settop(L, 0);
    lua_rawgeti(L, LUA_REGISTRYINDEX, s->script->functions_reference);
    for (uint32_t i = 0; i < s->script->functions.count && !s->is_found; ++i) {
        if (!s->script->functions.items[i].is_old)
            continue;
        lua_rawgeti(L, 1, (int)i + 1);
        s->is_found = !lua_isnil(L, -1);
        lua_settop(L, 1);
    }
    return 0;
}

// Returns whether functions of an earlier version of a script are still in use.
static bool has_old_code(ct_lua_debugger *d, ct_debugged_script *script) {
    old_code_search search = {.script = script};
    const uint32_t count = script->functions.count;
    if (count == 0 || !script->functions.items[count - 1].is_old) // these are the last
        return false;
    if (!script->is_old_code_sure) {
        ct_debugger_flush(d); // compiled code keeps functions
        lua_gc(d->work, LUA_GCCOLLECT, 0);
    }
    script->is_old_code_sure = true;
    ct_debugger_run(d, look_for_old_code, &search, NULL);
    return search.is_found;
}

// `is_loading`: the script is about to run again; what it replaces is still there.
static void write_place(ct_lua_debugger *d, const ct_debugged_breakpoint *b, bool is_loading,
                        ct_lua_breakpoint_place *place) {
    ct_debugged_script *const script = &d->scripts.items[b->script];
    *place = (ct_lua_breakpoint_place){
        .id = b->id, .is_verified = b->line != 0, .line = b->line ? b->line : b->wanted_line};
    if (b->message)
        snprintf(place->message, sizeof(place->message), "%s", b->message);
    else if (!script->is_known)
        snprintf(place->message, sizeof(place->message), "%s has not run yet", script->path);
    else if (!b->line)
        snprintf(place->message, sizeof(place->message), "%s has no code at line %u or behind it",
                 script->path, b->wanted_line);
    else if (!is_loading && has_old_code(d, script))
        snprintf(
            place->message, sizeof(place->message),
            "functions from before a change of %s may still run; they stop at the lines that they "
            "had",
            script->path);
}

static int compare_places(const void *a, const void *b) {
    const ct_debugged_line *const x = a, *const y = b;
    if (x->line != y->line)
        return x->line < y->line ? -1 : 1;
    return (x->breakpoint > y->breakpoint) - (x->breakpoint < y->breakpoint);
}

// Finds which lines and functions of a script have breakpoints, from its places.
static void set_bits(ct_debugged_script *script) {
    if (script->places.count > 0)
        qsort(script->places.items, script->places.count, sizeof(*script->places.items),
              compare_places);
    for (uint32_t i = 0; i < script->places.count; ++i)
        set_bit(&script->line_bits, script->places.items[i].line);
    for (uint32_t i = 0; i < script->functions.count; ++i) {
        const ct_debugged_function *const f = &script->functions.items[i];
        for (uint32_t k = f->first; k < f->first + f->count; ++k) {
            if (ct_debugger_bit(&script->line_bits, script->lines.items[k])) {
                set_bit(&script->function_bits, f->first_line);
                break;
            }
        }
    }
}

// Returns whether functions that had breakpoints may have none now.
static bool place_breakpoints(ct_lua_debugger *d) {
    bool has_removed = false;
    d->num_lines = 0;
    ++d->generation;
    for (uint32_t i = 0; i < d->scripts.count; ++i) {
        ct_debugged_script *const script = &d->scripts.items[i];
        has_removed |= script->places.count > 0;
        script->places.count = 0;
        script->line_bits.count = script->function_bits.count = 0;
    }
    for (uint32_t i = 0; i < d->breakpoints.count; ++i) {
        ct_debugged_breakpoint *const b = &d->breakpoints.items[i];
        ct_debugged_script *const script = &d->scripts.items[b->script];
        ct_debugger_find_code(d, script);
        b->line = script->is_known && !b->message ? find_line(script, b->wanted_line) : 0;
        if (b->line) {
            ct_array_push(&script->places, (ct_debugged_line){b->line, i});
            ++d->num_lines;
        }
    }
    for (uint32_t i = 0; i < d->scripts.count; ++i)
        set_bits(&d->scripts.items[i]);
    return has_removed;
}

// Functions with breakpoints may be on stacks already.
static void watch_lines(ct_lua_debugger *d) {
    d->watches_lines = d->num_lines > 0;
    d->num_far_lines = 0;
    if (!d->watches_lines)
        return;
    ct_debugger_note_lines(d, d->machine->lua);
    if (d->is_stopped)
        ct_debugger_note_lines(d, d->stopped_coroutine);
}

void ct_lua_debugger_set_breakpoints(ct_lua_debugger *d, const ct_lua_breakpoint *breakpoints,
                                     uint32_t count, ct_lua_breakpoint_place *places) {
    CT_ASSERT(count <= CT_LUA_DEBUGGER_MAX_BREAKPOINTS, "%u breakpoints", count);
    ct_hash_map old = {.allocator = d->allocator};
    for (uint32_t i = 0; i < d->breakpoints.count; ++i)
        ct_hash_map_set(&old, d->breakpoints.items[i].id, i + 1);
    CT_ARRAY(ct_debugged_breakpoint) made;
    ct_array_init(&made, d->allocator);
    for (uint32_t i = 0; i < count; ++i) {
        const ct_lua_breakpoint *const b = &breakpoints[i];
        const uint64_t place = ct_hash_map_get(&old, b->id, 0);
        const ct_debugged_breakpoint *const before =
            place ? &d->breakpoints.items[place - 1] : NULL;
        ct_debugged_breakpoint m = {
            .id = b->id,
            .wanted_line = b->line,
            .condition = copy_text(d, b->condition),
            .log = copy_text(d, b->log),
            .hits = copy_text(d, b->hits),
            .num_hits = before && is_same(d, before, b) ? before->num_hits : 0,
        };
        m.script = (uint32_t)(ct_debugger_script(d, b->script) - d->scripts.items);
        check_texts(d, &m);
        ct_array_push(&made, m);
    }
    ct_hash_map_free(&old);
    ct_debugger_free_breakpoints(d);
    ct_array_free(&d->breakpoints);
    d->breakpoints.items = made.items;
    d->breakpoints.count = made.count;
    d->breakpoints.capacity = made.capacity;
    const bool has_removed = place_breakpoints(d);
    ct_debugger_update_compiled(d, has_removed);
    watch_lines(d);
    ct_debugger_update_events(d);
    for (uint32_t i = 0; places && i < count; ++i)
        write_place(d, &d->breakpoints.items[i], false, &places[i]);
}

// --- Loading -------------------------------------------------------------------------------------

void ct_lua_debugger_on_chunk(ct_lua_debugger *d, const char *path, bool is_new) {
    if (!d)
        return;
    const uint64_t place = ct_hash_map_get(&d->script_paths, ct_string_id64_of(path).value, 0);
    CT_ARRAY(ct_lua_breakpoint_place) places;
    ct_array_init(&places, d->allocator);
    if (place) {
        d->scripts.items[place - 1].is_known = false;
        const bool had_lines = d->num_lines > 0;
        place_breakpoints(d);
        ct_debugger_update_compiled(d, false);
        if (!had_lines)
            watch_lines(d);
        ct_debugger_update_events(d);
        for (uint32_t i = 0; i < d->breakpoints.count; ++i) {
            ct_lua_breakpoint_place p;
            if (d->breakpoints.items[i].script != place - 1)
                continue;
            write_place(d, &d->breakpoints.items[i], true, &p);
            ct_array_push(&places, p);
        }
    }
    if (d->desc.loaded)
        d->desc.loaded(d->desc.user, d, path, is_new, places.items, places.count);
    ct_array_free(&places);
}
