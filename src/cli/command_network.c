#include <stdio.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/network/network_event_lines.h"
#include "cli/network/network_report.h"
#include "foundation/error.h"
#include "foundation/sjson/sjson_writer.h"

enum { DEFAULT_TOP = 10, MOST_TOP = 1000000, MOST_ROWS = 60 };

static const ct_command_option options[] = {
    {"events", NULL, "list what happened, in order, in place of the summary"},
    {"bandwidth", NULL, "print what took how much, over time, in place of the summary"},
    {"json", NULL, "print JSON: one object, or for --events one a line"},
    {"object", "ID|TYPE", "only this object (2.17 or 2097169), or objects of this type"},
    {"field", "NAME", "only fields of objects with this name"},
    {"message", "NAME", "only this message"},
    {"peer", "ID", "only what this peer sends and gets; the first digits of its id"},
    {"in", NULL, "only what was received"},
    {"out", NULL, "only what was sent"},
    {"from", "SECONDS", "only from this time of the log on"},
    {"to", "SECONDS", "only before this time of the log"},
    {"bucket", "SECONDS", "the stretches of time of --bandwidth (1, more for long logs)"},
    {"top", "N", "how many objects, fields and messages the summary has at most (10)"},
};

static const char *option(const ct_command_arguments *arguments, const char *name) {
    return ct_command_option_of(&ct_command_network, arguments, name);
}

// What a call has to do.
typedef struct network_view {
    ct_allocator *allocator;
    const ct_command_arguments *arguments;
    const char *path;
    bool is_json, has_events, has_bandwidth;
    uint32_t top;
    double bucket; // 0: as long as it takes
    ct_network_timeline timeline;
    ct_network_filter filter;
    ct_network_traffic traffic;
    ct_string_builder out;
    ct_error damage; // empty: the log is whole
} network_view;

// Prints what was appended.
static void print(ct_string_builder *out) {
    puts(ct_string_builder_text(out));
    ct_string_builder_clear(out);
}

// --- The first reading ---------------------------------------------------------------------------

// Returns a length of which a log has no more than MOST_ROWS.
static double bucket_for(double seconds) {
    static const double STEPS[] = {1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1800, 3600, 14400};
    for (uint32_t i = 0; i < CT_COUNT_OF(STEPS); ++i)
        if (seconds / STEPS[i] <= MOST_ROWS)
            return STEPS[i];
    return 86400;
}

static bool reopen(network_view *v, ct_error *error) {
    ct_network_timeline_close(&v->timeline);
    return ct_network_timeline_open(&v->timeline, v->allocator, v->path, error);
}

// Finds how long the log is, and whether a peer is in it that the filter wants.
static bool look(network_view *v, ct_error *error) {
    ct_network_moment m;
    double seconds = 0;
    bool has_peer = !v->filter.has_peer;
    while (ct_network_timeline_next(&v->timeline, &m, &v->damage)) {
        seconds = m.seconds > seconds ? m.seconds : seconds;
        has_peer |= m.peer && ct_network_filter_takes_peer(&v->filter, m.peer);
        v->traffic.frames += m.kind == CT_NETWORK_MOMENT_FRAME;
    }
    v->traffic.seconds = seconds;
    if (!has_peer)
        return ct_error_set(error, "--peer is \"%s\", but no peer of the log begins so",
                            option(v->arguments, "peer"));
    if (v->bucket == 0)
        v->bucket = bucket_for((v->filter.to < seconds ? v->filter.to : seconds) - v->filter.from);
    return true;
}

// --- Views ---------------------------------------------------------------------------------------

static ct_network_report report_of(const network_view *v) {
    return (ct_network_report){.path = v->path,
                               .timeline = &v->timeline,
                               .traffic = &v->traffic,
                               .top = v->top,
                               .error = v->damage.message};
}

static void print_events(network_view *v) {
    ct_network_moment m;
    ct_error error;
    const ct_network_report r = report_of(v);
    if (v->is_json)
        ct_network_report_add_first_line(&v->out, &r);
    else
        ct_network_event_lines_add_heading(&v->out);
    print(&v->out);
    while (ct_network_timeline_next(&v->timeline, &m, &error)) {
        uint64_t fields;
        if (!ct_network_event_lines_has(&m) || !ct_network_filter_takes(&v->filter, &m, &fields))
            continue;
        if (v->is_json)
            ct_network_event_lines_add_json(&v->out, &v->timeline, &m, fields);
        else
            ct_network_event_lines_add_text(&v->out, &v->timeline, &m, fields);
        print(&v->out);
    }
    if (!v->is_json)
        return;
    ct_network_report_add_last_line(&v->out, &r);
    print(&v->out);
}

static void print_sums(network_view *v) {
    ct_network_moment m;
    ct_error error;
    ct_network_traffic_init(&v->traffic, v->allocator, &v->filter, v->bucket);
    while (ct_network_timeline_next(&v->timeline, &m, &error))
        ct_network_traffic_add(&v->traffic, &m);
    ct_network_traffic_end(&v->traffic);
    const ct_network_report r = report_of(v);
    if (v->is_json) {
        ct_network_report_add_json(&v->out, &r, v->has_bandwidth);
        print(&v->out);
        return;
    }
    if (v->has_bandwidth)
        ct_network_report_add_bandwidth(&v->out, &r);
    else
        ct_network_report_add_summary(&v->out, &r);
    fputs(ct_string_builder_text(&v->out), stdout);
}

// Prints the view. Returns false with `error` when the log cannot be read at all, or an option has a
// name that the log has not; then `is_usage` is set.
static bool show(network_view *v, bool *is_usage, ct_error *error) {
    const ct_command_arguments *const a = v->arguments;
    const ct_network_filter_words words = {
        .object = option(a, "object"),
        .field = option(a, "field"),
        .message = option(a, "message"),
        .peer = option(a, "peer"),
        .from = option(a, "from"),
        .to = option(a, "to"),
        .is_in = option(a, "in") != NULL,
        .is_out = option(a, "out") != NULL,
    };
    if (!ct_network_timeline_open(&v->timeline, v->allocator, v->path, error))
        return false;
    *is_usage = true;
    if (!ct_network_filter_read(&v->filter, v->allocator, &words, v->timeline.config, error) ||
        !look(v, error))
        return false;
    *is_usage = false;
    if (!reopen(v, error))
        return false;
    if (v->has_events)
        print_events(v);
    else
        print_sums(v);
    return true;
}

static void say(const char *message) {
    fflush(stdout);
    fprintf(stderr, "cuttle network: %s\n", message);
}

static void say_json(network_view *v, const char *message) {
    ct_sjson_writer w;
    ct_sjson_writer_init(&w, &v->out, CT_SJSON_STYLE_JSON);
    ct_sjson_begin_object(&w);
    if (v->has_events)
        ct_sjson_member_string(&w, "event", "end");
    ct_sjson_member_bool(&w, "whole", false);
    ct_sjson_write_key(&w, "errors");
    ct_sjson_begin_array(&w);
    ct_sjson_write_string(&w, message);
    ct_sjson_end_array(&w);
    ct_sjson_end_object(&w);
    print(&v->out);
}

static bool read_options(network_view *v, ct_error *error) {
    const ct_command_arguments *const a = v->arguments;
    if (strcmp(a->operands[0], "log") != 0)
        return ct_error_set(error, "found \"%.100s\"; expected log", a->operands[0]);
    if (v->has_events && v->has_bandwidth)
        return ct_error_set(error, "--events and --bandwidth exclude each other");
    const char *const names[] = {"object", "field", "message"};
    for (uint32_t i = 0; i < CT_COUNT_OF(names); ++i)
        if (option(a, names[i]) && !v->has_events && !v->has_bandwidth)
            return ct_error_set(error, "--%s needs --events or --bandwidth", names[i]);
    return ct_command_count("top", option(a, "top"), 0, MOST_TOP, &v->top, error) &&
           ct_command_number("bucket", option(a, "bucket"), 0.001, 1e6, &v->bucket, error);
}

static ct_exit finish(network_view *v, bool is_shown, bool is_usage, const ct_error *error) {
    if (!is_shown && v->is_json && !is_usage)
        say_json(v, error->message);
    if (!is_shown)
        say(error->message);
    else if (v->damage.message[0])
        say(v->damage.message);
    if (is_shown && !v->timeline.config)
        say(v->timeline.config_error.message);
    const bool is_whole = is_shown && !v->damage.message[0] && v->timeline.config;
    return is_usage ? CT_EXIT_USAGE : is_whole ? CT_EXIT_OK : CT_EXIT_FAILED;
}

static ct_exit run(ct_allocator *a, const ct_command_arguments *arguments) {
    network_view view = {.allocator = a,
                         .arguments = arguments,
                         .path = arguments->operands[1],
                         .is_json = option(arguments, "json") != NULL,
                         .has_events = option(arguments, "events") != NULL,
                         .has_bandwidth = option(arguments, "bandwidth") != NULL,
                         .top = DEFAULT_TOP};
    network_view *const v = &view;
    ct_error error = {0};
    bool is_usage = false;
    if (!read_options(v, &error)) {
        say(error.message);
        return CT_EXIT_USAGE;
    }
    ct_network_traffic_init(&v->traffic, a, &v->filter, 1);
    ct_string_builder_init(&v->out, a);
    const bool is_shown = show(v, &is_usage, &error);
    const ct_exit code = finish(v, is_shown, is_usage, &error);
    ct_network_traffic_free(&v->traffic);
    ct_network_filter_free(&v->filter, a);
    ct_network_timeline_close(&v->timeline);
    ct_string_builder_free(&v->out);
    return code;
}

const ct_command ct_command_network = {
    .name = "network",
    .operands = "log FILE",
    .least_operands = 2,
    .most_operands = 2,
    .summary = "read what a game sent and received",
    .description =
        "Reads a log that cuttle run --network-log has written, without the project: a summary of\n"
        "peers, bytes, losses, messages, fields and objects; with --events a list of what "
        "happened,\n"
        "decoded down to values; with --bandwidth what took how much, over time. Times are "
        "seconds\n"
        "since the first frame of the log. Of a log that is damaged or cut, prints the part "
        "before\n"
        "that, says at which byte it is, and exits with 1.\n"
        "See docs/network_log.md.\n"
        "Example: cuttle network log host.log --events --object player --field position --out",
    .options = options,
    .num_options = CT_COUNT_OF(options),
    .run = run,
};
