// dap_launch.c: the request `launch`: the command line and the environment of the game.
#include <stdio.h>
#include <string.h>

#include "cli/debug/dap_handlers.h"
#include "cli/debug/dap_text.h"

enum { MAX_WORDS = 1000 };

// What `launch` asks for. Texts are borrowed from the request.
typedef struct launch {
    const char *project;
    bool is_headless, stops_on_entry, has_no_debug;
    uint32_t port;
    ct_sjson_value arguments, options, environment; // `args`, `runArgs`, `env`
} launch;

typedef CT_ARRAY(const char *) words;

static bool read_launch(ct_dap_session *s, const ct_dap_request *r, launch *l, ct_error *error) {
    const ct_dap_object o = r->arguments;
    l->port = 64000;
    l->project = s->project ? s->project : ".";
    if (!ct_dap_optional_string(o, "project", &l->project, error) ||
        !ct_dap_optional_bool(o, "headless", &l->is_headless, error) ||
        !ct_dap_optional_bool(o, "stopOnEntry", &l->stops_on_entry, error) ||
        !ct_dap_optional_bool(o, "noDebug", &l->has_no_debug, error) ||
        !ct_dap_optional_number(o, "port", &l->port, error) ||
        !ct_dap_optional_array(o, "args", &l->arguments, error) ||
        !ct_dap_optional_array(o, "runArgs", &l->options, error) ||
        !ct_dap_optional_object(o, "env", &l->environment, error))
        return false;
    return l->port <= 65535 ||
           ct_error_set(error, "`port` is %u; expected 1 to 65535, or 0 for any free one", l->port);
}

// Appends the strings of an array.
static bool add_strings(words *w, const ct_sjson *doc, ct_sjson_value array, const char *name,
                        ct_error *error) {
    for (ct_sjson_value v = ct_sjson_first(doc, array); v.entry != 0; v = ct_sjson_next(doc, v)) {
        const char *const text = ct_sjson_string(doc, v, NULL);
        if (!text || strlen(text) != ct_sjson_string_bytes(doc, v))
            return ct_error_set(error, "`%s` has %s; expected strings without zero bytes", name,
                                ct_sjson_type_name(ct_sjson_type_of(doc, v)));
        if (w->count == MAX_WORDS)
            return ct_error_set(error, "`%s`: the command line has more than %d words", name,
                                MAX_WORDS);
        ct_array_push(w, text);
    }
    return true;
}

// --- The environment -----------------------------------------------------------------------------

static bool sets(const ct_sjson *doc, ct_sjson_value environment, const char *entry) {
    const size_t length = strcspn(entry, "=");
    for (ct_sjson_value v = ct_sjson_first(doc, environment); v.entry != 0;
         v = ct_sjson_next(doc, v)) {
        const char *const key = ct_sjson_key(doc, v);
        if (strlen(key) == length && strncmp(key, entry, length) == 0)
            return true;
    }
    return false;
}

// Fills `w` with our environment as `env` changes it: strings set variables, null takes them away. The
// strings that are made are also in `made`.
static bool make_environment(words *w, ct_string_array *made, const ct_sjson *doc,
                             ct_sjson_value environment, ct_error *error) {
    for (const char *const *entry = ct_os_environment_list(); *entry; ++entry) {
        if (!sets(doc, environment, *entry))
            ct_array_push(w, *entry);
    }
    for (ct_sjson_value v = ct_sjson_first(doc, environment); v.entry != 0;
         v = ct_sjson_next(doc, v)) {
        const char *const key = ct_sjson_key(doc, v), *const value = ct_sjson_string(doc, v, NULL);
        if (ct_sjson_type_of(doc, v) == CT_SJSON_TYPE_NULL)
            continue;
        if (!value || strlen(value) != ct_sjson_string_bytes(doc, v) || *key == '\0' ||
            strchr(key, '='))
            return ct_error_set(error,
                                "`env` has a bad variable \"%.100s\"; expected names without "
                                "`=`, and strings or null",
                                key);
        ct_string_builder text;
        ct_string_builder_init(&text, made->allocator);
        ct_string_builder_addf(&text, "%s=%s", key, value);
        ct_array_push(made, ct_copy_string(made->allocator, ct_string_builder_text(&text)));
        ct_string_builder_free(&text);
        ct_array_push(w, made->items[made->count - 1]);
    }
    ct_array_push(w, NULL);
    return true;
}

static void free_made(ct_string_array *made) {
    for (uint32_t i = 0; i < made->count; ++i)
        ct_free(made->allocator, made->items[i]);
    ct_array_free(made);
}

// --- The start -----------------------------------------------------------------------------------

static bool add_words(words *w, const launch *l, const ct_sjson *doc, const char *executable,
                      const char *project, const char *port, ct_error *error) {
    const char *const first[] = {executable, "run", project, "--debug", "--port", port};
    ct_array_push_many(w, first, CT_COUNT_OF(first));
    if (l->is_headless)
        ct_array_push(w, "--headless");
    if (!add_strings(w, doc, l->options, "runArgs", error))
        return false;
    ct_array_push(w, "--");
    if (!add_strings(w, doc, l->arguments, "args", error))
        return false;
    ct_array_push(w, NULL);
    return true;
}

static bool start(ct_dap_session *s, const ct_sjson *doc, const launch *l, ct_error *error) {
    char executable[CT_PATH_BYTES], project[CT_PATH_BYTES], port[16];
    if (!ct_os_absolute_path(l->project, project, error))
        return false;
    ct_os_executable_path(executable);
    snprintf(port, sizeof(port), "%u", l->port);
    words command, environment;
    ct_string_array made;
    ct_array_init(&command, s->allocator);
    ct_array_init(&environment, s->allocator);
    ct_array_init(&made, s->allocator);
    const bool is_started = add_words(&command, l, doc, executable, project, port, error) &&
                            (l->environment.entry == 0 ||
                             make_environment(&environment, &made, doc, l->environment, error)) &&
                            ct_dap_game_start(&s->game, command.items, environment.items, error);
    ct_array_free(&command);
    ct_array_free(&environment);
    free_made(&made);
    return is_started;
}

bool ct_dap_do_launch(ct_dap_session *s, ct_dap_request *r, ct_error *error) {
    launch l = {0};
    if (s->state != CT_DAP_STATE_READY)
        return ct_error_set(error, "a game was launched or attached before");
    if (!read_launch(s, r, &l, error) || !start(s, r->doc, &l, error))
        return false;
    if (!ct_dap_tidy_path(l.project, s->paths.shown))
        s->paths.shown[0] = '\0';
    s->is_launched = true;
    s->stops_on_entry = l.stops_on_entry && !l.has_no_debug;
    s->has_no_debug = l.has_no_debug;
    s->port = 0;
    s->next_try_ns = 0;
    s->start = *r;
    memset(r, 0, sizeof(*r));
    s->state = CT_DAP_STATE_STARTING;
    return true;
}
