#include "cli/debug/dap_launch.h"

#include <stdio.h>
#include <string.h>

enum {
    MAX_WORDS = 1000,
    CONSOLE_PORTS = 16, // that a game tries, from its first one on
};

// What `launch` asks for. Texts are borrowed from the request.
typedef struct launch {
    const char *project;
    bool is_headless, stops_on_entry, has_no_debug;
    uint32_t port;
    ct_sjson_value arguments, options, environment; // `args`, `runArgs`, `env`
} launch;

typedef CT_ARRAY(const char *) words;

static bool read_launch(const ct_dap_session *s, ct_dap_object o, launch *l, ct_error *error) {
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

// --- The start -----------------------------------------------------------------------------------

// What a process is started with.
typedef struct prepared {
    launch launch;
    words command, environment; // NULL last; no environment: ours
    ct_string_array made;       // strings of `environment`; owned
    char executable[CT_PATH_BYTES], project[CT_PATH_BYTES], port[16];
} prepared;

// Refuses words of `runArgs` that have another place. `w` has those from `first` on.
static bool check_options(const words *w, uint32_t first, ct_error *error) {
    static const char *const places[][2] = {
        {"--", "arguments for the game go into `args`"},
        {"--port", "use `port` of the configuration"},
        {"--headless", "use `headless` of the configuration"},
        {"--debug", "`launch` adds it"},
    };
    for (uint32_t i = first; i < w->count; ++i) {
        for (uint32_t k = 0; k < CT_COUNT_OF(places); ++k) {
            if (strcmp(w->items[i], places[k][0]) == 0)
                return ct_error_set(error, "`runArgs` has \"%s\"; %s", places[k][0], places[k][1]);
        }
    }
    return true;
}

static bool add_words(prepared *p, const ct_sjson *doc, ct_error *error) {
    words *const w = &p->command;
    const launch *const l = &p->launch;
    const char *const first[] = {p->executable, "run", p->project, "--debug", "--port", p->port};
    ct_array_push_many(w, first, CT_COUNT_OF(first));
    if (!add_strings(w, doc, l->options, "runArgs", error) ||
        !check_options(w, CT_COUNT_OF(first), error))
        return false;
    if (l->is_headless)
        ct_array_push(w, "--headless");
    ct_array_push(w, "--");
    if (!add_strings(w, doc, l->arguments, "args", error))
        return false;
    ct_array_push(w, NULL);
    return true;
}

// Returns the first port to try, or 0 (any) when the game would find none: others have all that it tries.
static uint32_t free_port(uint32_t first) {
    uint16_t bound = 0;
    const int listener =
        first != 0 ? ct_socket_listen((uint16_t)first, CONSOLE_PORTS, &bound, NULL) : -1;
    if (listener < 0)
        return 0;
    ct_socket_close(listener);
    return first;
}

static bool prepare(const ct_dap_session *s, ct_dap_object arguments, prepared *p,
                    ct_error *error) {
    ct_array_init(&p->command, s->allocator);
    ct_array_init(&p->environment, s->allocator);
    ct_array_init(&p->made, s->allocator);
    if (!read_launch(s, arguments, &p->launch, error) ||
        !ct_os_absolute_path(p->launch.project, p->project, error))
        return false;
    ct_os_executable_path(p->executable);
    return add_words(p, arguments.doc, error) &&
           (p->launch.environment.entry == 0 ||
            make_environment(&p->environment, &p->made, arguments.doc, p->launch.environment,
                             error));
}

static void free_prepared(prepared *p) {
    for (uint32_t i = 0; i < p->made.count; ++i)
        ct_free(p->made.allocator, p->made.items[i]);
    ct_array_free(&p->made);
    ct_array_free(&p->environment);
    ct_array_free(&p->command);
}

bool ct_dap_launch_check(const ct_dap_session *s, ct_dap_object arguments, ct_error *error) {
    prepared p = {0};
    const bool is_right = prepare(s, arguments, &p, error);
    free_prepared(&p);
    return is_right;
}

bool ct_dap_launch(ct_dap_session *s, ct_dap_object arguments, ct_error *error) {
    prepared p = {0};
    bool is_started = prepare(s, arguments, &p, error);
    if (is_started) {
        snprintf(p.port, sizeof(p.port), "%u", free_port(p.launch.port));
        is_started = ct_dap_game_start(&s->game, p.command.items, p.environment.items, error);
    }
    if (is_started) {
        const launch *const l = &p.launch;
        if (!ct_dap_tidy_path(l->project, s->paths.shown))
            s->paths.shown[0] = '\0';
        s->is_launched = true;
        s->stops_on_entry = l->stops_on_entry && !l->has_no_debug;
        s->has_no_debug = l->has_no_debug;
        s->port = 0;
        s->next_try_ns = 0;
    }
    free_prepared(&p);
    return is_started;
}
