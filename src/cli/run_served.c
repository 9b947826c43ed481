#include "cli/run_served.h"

#include <stdio.h>
#include <string.h>

#include "foundation/container/array.h"
#include "foundation/error.h"
#include "foundation/log.h"
#include "foundation/os/file.h"
#include "foundation/os/os.h"
#include "foundation/string/string_builder.h"
#include "resource/blob/content_hash.h"

enum { HOST_BYTES = 256 };

const char *ct_run_served_token(const char *option) {
    const char *const token = option ? option : ct_os_environment("CUTTLE_TOKEN");
    return token && token[0] != '\0' ? token : NULL;
}

// --- Options -------------------------------------------------------------------------------------

bool ct_run_served_check(const ct_command *run, const ct_command_arguments *arguments,
                         ct_error *error) {
    static const char *const with_host[] = {"project", "token", "plugins", "engine",
                                            "require-server"};
    static const char *const without_host[] = {"data-dir", "source-platform", "no-compile"};
    const bool has_host = ct_command_option_of(run, arguments, "host") != NULL;
    if (!has_host && arguments->num_operands == 0)
        return ct_error_set(error, "expected: cuttle run PROJECT, or --host ADDRESS");
    if (has_host && arguments->num_operands != 0)
        return ct_error_set(error, "--host takes no PROJECT folder; write --project %.255s",
                            arguments->operands[0]);
    for (uint32_t i = 0; !has_host && i < CT_COUNT_OF(with_host); ++i) {
        if (ct_command_option_of(run, arguments, with_host[i]))
            return ct_error_set(error, "--%s needs --host", with_host[i]);
    }
    for (uint32_t i = 0; has_host && i < CT_COUNT_OF(without_host); ++i) {
        if (ct_command_option_of(run, arguments, without_host[i]))
            return ct_error_set(error, "--host and --%s exclude each other", without_host[i]);
    }
    const char *const plugins = ct_command_option_of(run, arguments, "plugins");
    return !plugins || ct_os_file_info(plugins).kind == CT_FILE_KIND_FOLDER ||
           ct_error_set(error, "--plugins is \"%.255s\"; expected a folder", plugins);
}

// Reads ADDRESS or ADDRESS:PORT; an IPv6 address with a port is in brackets.
static bool read_host(const char *text, char host[HOST_BYTES], uint32_t *port, ct_error *error) {
    const bool has_bracket = text[0] == '[';
    const char *const end = has_bracket ? strchr(text, ']') : strrchr(text, ':');
    const bool is_ipv6 = !has_bracket && end && strchr(text, ':') != end;
    const char *const colon = has_bracket && end ? end + 1 : end;
    const size_t length =
        !end || is_ipv6 ? strlen(text) : (size_t)(end - text) - (has_bracket ? 1 : 0);
    if ((has_bracket && (!end || (end[1] != '\0' && end[1] != ':'))) || length == 0 ||
        length >= HOST_BYTES)
        return ct_error_set(error, "--host is \"%.255s\"; expected ADDRESS or ADDRESS:PORT", text);
    memcpy(host, text + has_bracket, length);
    host[length] = '\0';
    if (is_ipv6 || !colon || *colon == '\0')
        return true;
    return ct_command_count("host", colon + 1, 1, 65535, port, error);
}

// --- Progress ------------------------------------------------------------------------------------

// What was shown last.
typedef struct shown_progress {
    bool is_terminal;
    uint64_t shown_ns;
    uint32_t num_lines;
} shown_progress;

static void write_progress(const ct_serve_progress *p, char *text, uint32_t bytes) {
    if (!p->is_connected)
        snprintf(text, bytes, "connecting to the file server");
    else if (p->is_compiling)
        snprintf(text, bytes, "the file server compiles the project");
    else
        snprintf(text, bytes, "fetched %u of %u files, %.1f of %.1f MB", p->num_fetched,
                 p->num_to_fetch, (double)p->fetched_bytes * 1e-6,
                 (double)p->to_fetch_bytes * 1e-6);
}

// On a terminal, one line that changes; else a line each two seconds.
static void show_progress(void *user, const ct_serve_progress *progress) {
    static const uint64_t line_ns = 2000000000;
    shown_progress *const shown = user;
    const uint64_t now_ns = ct_os_time_ns();
    char text[160];
    if (shown->shown_ns == 0)
        shown->shown_ns = now_ns;
    if (!shown->is_terminal && now_ns - shown->shown_ns < line_ns)
        return;
    write_progress(progress, text, sizeof(text));
    fprintf(stderr, shown->is_terminal ? "\r%s\x1b[K" : "%s\n", text);
    shown->shown_ns = now_ns;
    ++shown->num_lines;
}

// --- Fetching ------------------------------------------------------------------------------------

static ct_serve_client *start(ct_allocator *a, const ct_command *run,
                              const ct_command_arguments *arguments, const char *project,
                              ct_error *error) {
    char host[HOST_BYTES];
    uint32_t port = 0;
    shown_progress shown = {.is_terminal = ct_os_is_terminal(2)};
    if (!read_host(ct_command_option_of(run, arguments, "host"), host, &port, error))
        return NULL;
    const ct_serve_client_desc desc = {
        .allocator = a,
        .host = host,
        .port = (uint16_t)port,
        .project = project,
        .token = ct_run_served_token(ct_command_option_of(run, arguments, "token")),
        .needs_server = ct_command_option_of(run, arguments, "require-server") != NULL,
        .progress = show_progress,
        .user = &shown,
    };
    ct_serve_client *const client = ct_serve_client_start(&desc, error);
    if (shown.is_terminal && shown.num_lines > 0)
        fputs("\r\x1b[K", stderr);
    return client;
}

static bool hash_program(ct_allocator *a, const char *path, uint64_t *hash, ct_error *error) {
    uint64_t size_bytes = 0;
    char *const bytes = ct_file_read(a, path, &size_bytes, error);
    if (bytes)
        *hash = ct_content_hash(bytes, size_bytes);
    ct_free(a, bytes);
    return bytes != NULL;
}

// Replaces this process by a program with the arguments of this one but for --engine.
static bool replace(ct_allocator *a, const char *program, const ct_command *run,
                    const ct_command_arguments *arguments, ct_error *error) {
    CT_ARRAY(const char *) all;
    ct_array_init(&all, a);
    ct_array_push(&all, program);
    ct_array_push(&all, run->name);
    for (uint32_t i = 0; i < run->num_options; ++i) {
        if (!arguments->options[i] || strcmp(run->options[i].name, "engine") == 0)
            continue;
        ct_string_builder option;
        ct_string_builder_init(&option, a);
        ct_string_builder_addf(&option, "--%s%s%s", run->options[i].name,
                               run->options[i].value ? "=" : "", arguments->options[i]);
        ct_array_push(&all, ct_copy_string(a, ct_string_builder_text(&option)));
        ct_string_builder_free(&option);
    }
    const uint32_t num_copied = all.count;
    if (arguments->num_rest > 0)
        ct_array_push(&all, "--");
    ct_array_push_many(&all, arguments->rest, arguments->num_rest);
    ct_array_push(&all, NULL);
    ct_os_process_replace(all.items, error);
    for (uint32_t i = 2; i < num_copied; ++i)
        ct_free(a, (void *)(uintptr_t)all.items[i]);
    ct_array_free(&all);
    return false;
}

// Fetches the server's programs and goes over to them when they are others.
static bool fetch_engine(ct_allocator *a, const ct_command *run,
                         const ct_command_arguments *arguments, ct_error *error) {
    char own[CT_PATH_BYTES], fetched[CT_PATH_BYTES];
    uint64_t own_hash = 0, fetched_hash = 0;
    ct_serve_client *const client = start(a, run, arguments, NULL, error);
    if (!client)
        return false;
    const bool fits = ct_path_try_join(fetched, ct_serve_client_data_folder(client), "cuttle");
    ct_serve_client_destroy(client);
    ct_os_executable_path(own);
    if (!fits)
        return ct_error_set(error, "the path of the cache is too long");
    if (!hash_program(a, own, &own_hash, error) || !hash_program(a, fetched, &fetched_hash, error))
        return false;
    ct_log_info("serve", "the file server's engine is %s%s", fetched,
                own_hash == fetched_hash ? ", the same as this one" : "; going over to it");
    return own_hash == fetched_hash || replace(a, fetched, run, arguments, error);
}

ct_serve_client *ct_run_served_start(ct_allocator *a, const ct_command *run,
                                     const ct_command_arguments *arguments, ct_error *error) {
    const char *const project = ct_command_option_of(run, arguments, "project");
    ct_os_refuse_large_writes(); // a limit is an error like a full disk
    if (ct_command_option_of(run, arguments, "engine") && !fetch_engine(a, run, arguments, error))
        return NULL;
    return start(a, run, arguments, project ? project : "", error);
}
