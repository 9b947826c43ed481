#include "cli/nodes/nodes_plan.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "cli/nodes/nodes_plan_steps.h"
#include "cli/prompt/console_request.h"
#include "foundation/os/file.h"
#include "resource/schema/schema.h"

// What a source has, before the values that need code of their own are read.
typedef struct plan_source {
    const char *project;
    uint32_t data;
    const char *server, *project_name;
    ct_sjson_value server_launch;
    int32_t runs;
    ct_sjson_value seed;
    float step_timeout, run_timeout, start_timeout;
    uint32_t network_log;
    ct_sjson_value nodes, steps;
} plan_source;

typedef struct node_source {
    const char *id;
    ct_sjson_value launch, options, arguments;
    const char *host;
    int32_t port;
    uint32_t window, autostart, detached;
} node_source;

static const char *const data_names[] = {"local", "server", NULL};

static const ct_field node_fields[] = {
    {.name = "id",
     .type = CT_FIELD_TYPE_STRING,
     .offset = offsetof(node_source, id),
     .size_bytes = sizeof(const char *),
     .flags = CT_FIELD_REQUIRED,
     .doc = "its name in steps, logs and errors: letters a-z, digits, _ and -"},
    {.name = "launch",
     .type = CT_FIELD_TYPE_ARRAY,
     .offset = offsetof(node_source, launch),
     .size_bytes = sizeof(ct_sjson_value),
     .element_type = CT_FIELD_TYPE_VALUE,
     .doc = "the command that starts it, word by word, with placeholders"},
    {.name = "options",
     .type = CT_FIELD_TYPE_ARRAY,
     .offset = offsetof(node_source, options),
     .size_bytes = sizeof(ct_sjson_value),
     .element_type = CT_FIELD_TYPE_VALUE,
     .doc = "more options of `cuttle run`"},
    {.name = "arguments",
     .type = CT_FIELD_TYPE_ARRAY,
     .offset = offsetof(node_source, arguments),
     .size_bytes = sizeof(ct_sjson_value),
     .element_type = CT_FIELD_TYPE_VALUE,
     .doc = "arguments of the game, after `--seed S`"},
    {.name = "host",
     .type = CT_FIELD_TYPE_STRING,
     .offset = offsetof(node_source, host),
     .size_bytes = sizeof(const char *),
     .default_text = "127.0.0.1",
     .doc = "where its console is"},
    {.name = "port",
     .type = CT_FIELD_TYPE_INT,
     .offset = offsetof(node_source, port),
     .size_bytes = sizeof(int32_t),
     .least = 0,
     .most = 65535,
     .doc = "the port of its console; 0: a free one"},
    {.name = "window",
     .type = CT_FIELD_TYPE_BOOL,
     .offset = offsetof(node_source, window),
     .size_bytes = sizeof(uint32_t),
     .doc = "show its picture in a window"},
    {.name = "autostart",
     .type = CT_FIELD_TYPE_BOOL,
     .offset = offsetof(node_source, autostart),
     .size_bytes = sizeof(uint32_t),
     .default_value = {1},
     .doc = "start it before the first step; false: a step `start` does"},
    {.name = "detached",
     .type = CT_FIELD_TYPE_BOOL,
     .offset = offsetof(node_source, detached),
     .size_bytes = sizeof(uint32_t),
     .doc = "the launch command ends before the engine; without one, something else starts it"},
};

static const ct_schema node_schema = {
    .name = "node",
    .doc = "one engine",
    .size_bytes = sizeof(node_source),
    .num_fields = CT_COUNT_OF(node_fields),
    .fields = node_fields,
};

static const ct_field plan_fields[] = {
    {.name = "project",
     .type = CT_FIELD_TYPE_STRING,
     .offset = offsetof(plan_source, project),
     .size_bytes = sizeof(const char *),
     .flags = CT_FIELD_REQUIRED,
     .doc = "the project's folder, from the plan's folder"},
    {.name = "data",
     .type = CT_FIELD_TYPE_ENUM,
     .offset = offsetof(plan_source, data),
     .size_bytes = sizeof(uint32_t),
     .enum_names = data_names,
     .doc = "where nodes have their data from"},
    {.name = "server",
     .type = CT_FIELD_TYPE_STRING,
     .offset = offsetof(plan_source, server),
     .size_bytes = sizeof(const char *),
     .default_text = "",
     .doc = "HOST:PORT of a file server that runs already"},
    {.name = "server_launch",
     .type = CT_FIELD_TYPE_ARRAY,
     .offset = offsetof(plan_source, server_launch),
     .size_bytes = sizeof(ct_sjson_value),
     .element_type = CT_FIELD_TYPE_VALUE,
     .doc = "the command that starts the file server, in place of `cuttle serve`"},
    {.name = "project_name",
     .type = CT_FIELD_TYPE_STRING,
     .offset = offsetof(plan_source, project_name),
     .size_bytes = sizeof(const char *),
     .default_text = "",
     .doc = "the project's name on the file server; its folder's name when left out"},
    {.name = "runs",
     .type = CT_FIELD_TYPE_INT,
     .offset = offsetof(plan_source, runs),
     .size_bytes = sizeof(int32_t),
     .least = 1,
     .most = CT_NODES_MAX_RUNS,
     .default_value = {1},
     .doc = "how often the plan is run"},
    {.name = "seed",
     .type = CT_FIELD_TYPE_VALUE,
     .offset = offsetof(plan_source, seed),
     .size_bytes = sizeof(ct_sjson_value),
     .doc = "the seed of the first run, 0 to 4294967295"},
    {.name = "step_timeout",
     .type = CT_FIELD_TYPE_FLOAT,
     .offset = offsetof(plan_source, step_timeout),
     .size_bytes = sizeof(float),
     .unit = "s",
     .least = 0.01,
     .most = 86400,
     .default_value = {30},
     .doc = "how long a step may take that has no timeout of its own"},
    {.name = "run_timeout",
     .type = CT_FIELD_TYPE_FLOAT,
     .offset = offsetof(plan_source, run_timeout),
     .size_bytes = sizeof(float),
     .unit = "s",
     .least = 0.01,
     .most = 86400,
     .default_value = {600},
     .doc = "how long all steps of a run may take"},
    {.name = "start_timeout",
     .type = CT_FIELD_TYPE_FLOAT,
     .offset = offsetof(plan_source, start_timeout),
     .size_bytes = sizeof(float),
     .unit = "s",
     .least = 0.01,
     .most = 86400,
     .default_value = {60},
     .doc = "how long nodes may take until their consoles answer"},
    {.name = "network_log",
     .type = CT_FIELD_TYPE_BOOL,
     .offset = offsetof(plan_source, network_log),
     .size_bytes = sizeof(uint32_t),
     .doc = "keep a log of each node's network traffic"},
    {.name = "nodes",
     .type = CT_FIELD_TYPE_ARRAY,
     .offset = offsetof(plan_source, nodes),
     .size_bytes = sizeof(ct_sjson_value),
     .flags = CT_FIELD_REQUIRED,
     .schema = &node_schema,
     .doc = "the engines"},
    {.name = "steps",
     .type = CT_FIELD_TYPE_ARRAY,
     .offset = offsetof(plan_source, steps),
     .size_bytes = sizeof(ct_sjson_value),
     .flags = CT_FIELD_REQUIRED,
     .element_type = CT_FIELD_TYPE_VALUE,
     .doc = "what is done, in this order"},
};

static const ct_schema plan_schema = {
    .name = "plan",
    .doc = "a test with several engines",
    .size_bytes = sizeof(plan_source),
    .num_fields = CT_COUNT_OF(plan_fields),
    .fields = plan_fields,
};

// --- Errors --------------------------------------------------------------------------------------

void ct_nodes_reader_take_error(void *user, const ct_error *error) {
    ct_nodes_reader *const r = user;
    ct_array_push(r->errors, *error);
}

bool ct_nodes_reader_error(ct_nodes_reader *r, ct_sjson_value at, const char *format, ...) {
    char text[CT_ERROR_MESSAGE_BYTES];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof(text), format, arguments);
    va_end(arguments);
    ct_error error = {0};
    ct_sjson_error(r->plan->doc, at, &error, "%s", text);
    ct_array_push(r->errors, error);
    return false;
}

// --- Nodes ---------------------------------------------------------------------------------------

// Reads an array of strings; `name` is that of the member.
static void read_words(ct_nodes_reader *r, const char *name, ct_sjson_value array,
                       ct_nodes_words *words) {
    const ct_sjson *const doc = r->plan->doc;
    const uint32_t count = array.entry ? ct_sjson_count(doc, array) : 0;
    if (count > CT_NODES_MAX_WORDS) {
        ct_nodes_reader_error(r, array, "%s: found %u words, expected at most %d", name, count,
                              (int)CT_NODES_MAX_WORDS);
        return;
    }
    ct_sjson_value v = count ? ct_sjson_first(doc, array) : (ct_sjson_value){0};
    for (; v.entry; v = ct_sjson_next(doc, v)) {
        const char *const text = ct_sjson_string(doc, v, NULL);
        if (!text)
            ct_nodes_reader_error(r, v, "%s: found %s, expected a word in quotes", name,
                                  ct_sjson_type_name(ct_sjson_type_of(doc, v)));
        else if (strlen(text) != ct_sjson_string_bytes(doc, v))
            ct_nodes_reader_error(r, v, "%s: found a zero byte, expected a word without one", name);
        else
            words->items[words->count++] = text;
    }
}

static bool check_id(ct_nodes_reader *r, ct_sjson_value object, const char *id) {
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789_-";
    const ct_sjson_value at = ct_sjson_find(r->plan->doc, object, "id");
    const size_t length = strlen(id);
    if (length == 0 || length >= CT_NODES_ID_BYTES || strspn(id, letters) != length ||
        length != ct_sjson_string_bytes(r->plan->doc, at))
        return ct_nodes_reader_error(r, at,
                                     "node.id: found \"%.64s\", expected 1 to %d of the characters "
                                     "a-z, 0-9, _ and -",
                                     id, CT_NODES_ID_BYTES - 1);
    if (strcmp(id, "all") == 0)
        return ct_nodes_reader_error(
            r, at, "node.id: \"all\" means all nodes in steps; write another id, such as \"a\"");
    for (uint32_t i = 0; i < r->plan->nodes.count; ++i) {
        const ct_nodes_node *const other = &r->plan->nodes.items[i];
        if (strcmp(other->id, id) == 0)
            return ct_nodes_reader_error(
                r, at, "node.id: \"%s\" is also the id of the node at line %u; write another id",
                id, other->line);
    }
    return true;
}

static void read_node(ct_nodes_reader *r, ct_sjson_value object) {
    const ct_sjson *const doc = r->plan->doc;
    const ct_schema_listener listener = {.user = r, .error = ct_nodes_reader_take_error};
    node_source source;
    ct_nodes_node node = {0};
    uint32_t column = 0;
    ct_sjson_position(doc, object, &node.line, &column);
    if (!ct_schema_read(&node_schema, doc, object, &source, &listener) ||
        !check_id(r, object, source.id))
        return;
    node.id = source.id;
    node.host = source.host;
    node.port = (uint32_t)source.port;
    node.has_window = source.window != 0;
    node.autostart = source.autostart != 0;
    node.is_detached = source.detached != 0;
    read_words(r, "node.launch", source.launch, &node.launch);
    read_words(r, "node.options", source.options, &node.options);
    read_words(r, "node.arguments", source.arguments, &node.arguments);
    if (source.launch.entry && ct_sjson_count(doc, source.launch) == 0)
        ct_nodes_reader_error(r, source.launch,
                              "node.launch: found no words; write a command, such as [\"ssh\" "
                              "\"box\" \"cuttle $arguments\"], or leave launch out");
    const bool is_here = strcmp(node.host, "127.0.0.1") == 0 || strcmp(node.host, "localhost") == 0;
    if (!is_here && node.port == 0)
        ct_nodes_reader_error(
            r, ct_sjson_find(doc, object, "host"),
            "node.host: \"%.64s\" is another machine, whose port cannot be chosen "
            "from here; write a port, too: port = 64000",
            node.host);
    if (node.is_detached && node.port == 0)
        ct_nodes_reader_error(r, ct_sjson_find(doc, object, "detached"),
                              "node.detached: its port cannot be read from a log; write a port, "
                              "too: port = 64000");
    ct_array_push(&r->plan->nodes, node);
}

static void read_nodes(ct_nodes_reader *r, ct_sjson_value array) {
    const ct_sjson *const doc = r->plan->doc;
    const uint32_t count = ct_sjson_count(doc, array);
    if (count == 0 || count > CT_NODES_MAX_NODES) {
        ct_nodes_reader_error(r, array,
                              "plan.nodes: found %u nodes, expected 1 to %d: nodes = [ { id = "
                              "\"a\" } { id = \"b\" } ]",
                              count, (int)CT_NODES_MAX_NODES);
        r->has_bad_nodes = true;
        return;
    }
    for (ct_sjson_value v = ct_sjson_first(doc, array); v.entry; v = ct_sjson_next(doc, v))
        read_node(r, v);
    r->has_bad_nodes = r->plan->nodes.count != count;
}

// --- The plan ------------------------------------------------------------------------------------

static void read_seed(ct_nodes_reader *r, ct_sjson_value value) {
    r->plan->seed = 1;
    if (!value.entry)
        return;
    const double seed = ct_sjson_number(r->plan->doc, value, -1);
    if (seed >= 0 && seed <= UINT32_MAX && floor(seed) == seed)
        r->plan->seed = (uint32_t)seed;
    else
        ct_nodes_reader_error(r, value,
                              "plan.seed: expected a whole number from 0 to 4294967295, such as 1");
}

static void read_server(ct_nodes_reader *r, const plan_source *source) {
    static const char *const members[] = {"server", "server_launch", "project_name"};
    const ct_sjson *const doc = r->plan->doc;
    const ct_sjson_value root = ct_sjson_root(doc);
    const ct_sjson_value server = ct_sjson_find(doc, root, "server");
    char host[256];
    uint16_t port = 0;
    ct_error error = {0};
    for (uint32_t i = 0; i < CT_COUNT_OF(members); ++i) {
        const ct_sjson_value at = ct_sjson_find(doc, root, members[i]);
        if (at.entry && source->data == CT_NODES_DATA_LOCAL)
            ct_nodes_reader_error(r, at,
                                  "plan.%s: nodes use no file server; write data = \"server\", too",
                                  members[i]);
    }
    if (server.entry && source->server_launch.entry)
        ct_nodes_reader_error(r, server,
                              "plan.server: names a server that runs already, and "
                              "server_launch starts one; remove one of the two");
    if (source->server[0] != '\0' &&
        !ct_console_parse_address(source->server, host, sizeof(host), &port, &error))
        ct_nodes_reader_error(r, server, "plan.server: %s", error.message);
    read_words(r, "plan.server_launch", source->server_launch, &r->plan->server_launch);
}

static void read_project(ct_nodes_reader *r, const char *project) {
    ct_nodes_plan *const plan = r->plan;
    const ct_sjson_value at = ct_sjson_find(plan->doc, ct_sjson_root(plan->doc), "project");
    char folder[CT_PATH_BYTES];
    ct_path_folder(folder, plan->path);
    if (project[0] == '\0')
        ct_nodes_reader_error(r, at,
                              "plan.project: found \"\", expected the project's folder, "
                              "from the plan's folder: project = \".\"");
    else if (!ct_path_try_join(plan->project, folder, project))
        ct_nodes_reader_error(r, at, "plan.project: found a path of %zu bytes, expected at most %d",
                              strlen(project), CT_PATH_BYTES - 1);
}

static void read_plan(ct_nodes_reader *r) {
    ct_nodes_plan *const plan = r->plan;
    const ct_schema_listener listener = {.user = r, .error = ct_nodes_reader_take_error};
    plan_source source;
    ct_schema_read(&plan_schema, plan->doc, ct_sjson_root(plan->doc), &source, &listener);
    plan->data = (ct_nodes_data)source.data;
    plan->server = source.server;
    plan->project_name = source.project_name;
    plan->num_runs = (uint32_t)source.runs;
    plan->step_timeout = (double)source.step_timeout;
    plan->run_timeout = (double)source.run_timeout;
    plan->start_timeout = (double)source.start_timeout;
    plan->has_network_log = source.network_log != 0;
    if (source.project)
        read_project(r, source.project);
    read_seed(r, source.seed);
    read_server(r, &source);
    r->has_bad_nodes = source.nodes.entry == 0;
    if (source.nodes.entry)
        read_nodes(r, source.nodes);
    if (source.steps.entry)
        ct_nodes_read_steps(r, source.steps, 0);
    if (source.steps.entry && plan->steps.count == 0 && r->errors->count == 0)
        ct_nodes_reader_error(r, source.steps,
                              "plan.steps: found no steps; write what to do, such as steps = [ { "
                              "wait = \"Game ~= nil\" } ]");
}

ct_nodes_plan *ct_nodes_plan_parse(ct_allocator *a, const char *path, const char *text,
                                   uint64_t bytes, ct_nodes_error_array *errors) {
    ct_error error = {0};
    if (strlen(path) >= CT_PATH_BYTES) {
        ct_error_set(&error, "the path of the plan has %zu bytes; expected at most %d",
                     strlen(path), CT_PATH_BYTES - 1);
        ct_array_push(errors, error);
        return NULL;
    }
    ct_sjson *const doc = ct_sjson_parse(a, text, bytes, path, NULL, &error);
    if (!doc) {
        ct_array_push(errors, error);
        return NULL;
    }
    ct_nodes_plan *const plan = CT_NEW(a, ct_nodes_plan);
    const uint32_t num_before = errors->count;
    ct_path_join(plan->path, "", path);
    plan->doc = doc;
    ct_array_init(&plan->nodes, a);
    ct_array_init(&plan->steps, a);
    ct_array_init(&plan->files, a);
    ct_nodes_reader reader = {.allocator = a, .plan = plan, .errors = errors};
    read_plan(&reader);
    if (errors->count == num_before)
        return plan;
    ct_nodes_plan_free(plan);
    return NULL;
}

ct_nodes_plan *ct_nodes_plan_read(ct_allocator *a, const char *path, ct_nodes_error_array *errors) {
    ct_error error = {0};
    uint64_t bytes = 0;
    char *const text = ct_file_read_input(a, path, &bytes, &error);
    if (!text) {
        ct_array_push(errors, error);
        return NULL;
    }
    ct_nodes_plan *const plan = ct_nodes_plan_parse(a, path, text, bytes, errors);
    ct_free(a, text);
    return plan;
}

void ct_nodes_plan_free(ct_nodes_plan *plan) {
    if (!plan)
        return;
    ct_allocator *const a = plan->nodes.allocator;
    for (uint32_t i = 0; i < plan->files.count; ++i)
        ct_free(a, plan->files.items[i]);
    ct_array_free(&plan->files);
    ct_array_free(&plan->steps);
    ct_array_free(&plan->nodes);
    ct_sjson_free(plan->doc);
    ct_free_sized(a, plan, sizeof(*plan));
}

uint64_t ct_nodes_plan_all(const ct_nodes_plan *plan) {
    return plan->nodes.count == 0 ? 0 : ~UINT64_C(0) >> (64 - plan->nodes.count);
}
