#include "cli/nodes/nodes_plan_steps.h"

#include <string.h>

#include "foundation/os/file.h"
#include "resource/schema/schema.h"

typedef struct step_source {
    ct_sjson_value on;
    const char *script, *file, *wait, *assert_, *same;
    const char *message;
    float timeout, sleep;
    const char *screenshot;
    ct_sjson_value start, stop, kill;
    int32_t repeat;
    ct_sjson_value steps;
} step_source;

#define FIELD(field_name, field_type, member, text)                                                \
    .name = (field_name), .type = (field_type), .offset = offsetof(step_source, member),           \
    .size_bytes = sizeof(((step_source *)NULL)->member), .doc = (text)

static const ct_field step_fields[] = {
    {FIELD("script", CT_FIELD_TYPE_STRING, script, "runs Lua")},
    {FIELD("file", CT_FIELD_TYPE_STRING, file, "runs the Lua of a file")},
    {FIELD("wait", CT_FIELD_TYPE_STRING, wait, "waits until an expression is true")},
    {FIELD("assert", CT_FIELD_TYPE_STRING, assert_, "fails unless an expression is true")},
    {FIELD("same", CT_FIELD_TYPE_STRING, same,
           "fails unless an expression has the same result on all nodes")},
    {FIELD("sleep", CT_FIELD_TYPE_FLOAT, sleep, "does nothing for some seconds"), .unit = "s",
     .least = 0, .most = 86400},
    {FIELD("screenshot", CT_FIELD_TYPE_STRING, screenshot, "takes pictures, under this name")},
    {FIELD("start", CT_FIELD_TYPE_VALUE, start, "starts nodes")},
    {FIELD("stop", CT_FIELD_TYPE_VALUE, stop, "has nodes end as players end a game")},
    {FIELD("kill", CT_FIELD_TYPE_VALUE, kill, "ends nodes at once, as a crash does")},
    {FIELD("repeat", CT_FIELD_TYPE_INT, repeat, "runs the steps in `steps` as often as this"),
     .least = 1, .most = 1000000},
    {FIELD("on", CT_FIELD_TYPE_VALUE, on, "the nodes: \"all\", \"a\" or [\"a\" \"b\"]")},
    {FIELD("timeout", CT_FIELD_TYPE_FLOAT, timeout, "how long the step may take"), .unit = "s",
     .least = 0.01, .most = 86400},
    {FIELD("message", CT_FIELD_TYPE_STRING, message, "what a failed assertion means")},
    {FIELD("steps", CT_FIELD_TYPE_ARRAY, steps, "the steps to repeat"),
     .element_type = CT_FIELD_TYPE_VALUE},
};

static const ct_schema step_schema = {
    .name = "step",
    .doc = "one step of a plan",
    .size_bytes = sizeof(step_source),
    .num_fields = CT_COUNT_OF(step_fields),
    .fields = step_fields,
};

// The members that say what a step does, and those that may be beside them.
enum { ON = 1, TIMEOUT = 2, MESSAGE = 4, STEPS = 8 };

static const struct {
    const char *name;
    ct_nodes_step_kind kind;
    uint32_t others;
} action_table[] = {
    {"script", CT_NODES_STEP_KIND_SCRIPT, ON | TIMEOUT},
    {"file", CT_NODES_STEP_KIND_SCRIPT, ON | TIMEOUT},
    {"wait", CT_NODES_STEP_KIND_WAIT, ON | TIMEOUT},
    {"assert", CT_NODES_STEP_KIND_ASSERT, ON | TIMEOUT | MESSAGE},
    {"same", CT_NODES_STEP_KIND_SAME, ON | TIMEOUT},
    {"sleep", CT_NODES_STEP_KIND_SLEEP, 0},
    {"screenshot", CT_NODES_STEP_KIND_SCREENSHOT, ON | TIMEOUT},
    {"start", CT_NODES_STEP_KIND_START, TIMEOUT},
    {"stop", CT_NODES_STEP_KIND_STOP, TIMEOUT},
    {"kill", CT_NODES_STEP_KIND_KILL, 0},
    {"repeat", CT_NODES_STEP_KIND_REPEAT, STEPS},
};

static const struct {
    const char *name;
    uint32_t bit;
} other_table[] = {{"on", ON}, {"timeout", TIMEOUT}, {"message", MESSAGE}, {"steps", STEPS}};

#define ACTIONS "script, file, wait, assert, same, sleep, screenshot, start, stop, kill, repeat"

const char *ct_nodes_step_name(ct_nodes_step_kind kind) {
    for (uint32_t i = 0; i < CT_COUNT_OF(action_table); ++i) {
        if (action_table[i].kind == kind)
            return action_table[i].name;
    }
    return "";
}

// --- Sets of nodes -------------------------------------------------------------------------------

static bool add_node(ct_nodes_reader *r, ct_sjson_value at, const char *member, const char *id,
                     uint64_t *set) {
    const ct_nodes_plan *const plan = r->plan;
    const char *names[CT_NODES_MAX_NODES];
    for (uint32_t i = 0; i < plan->nodes.count; ++i) {
        names[i] = plan->nodes.items[i].id;
        if (strcmp(names[i], id) == 0) {
            *set |= UINT64_C(1) << i;
            return true;
        }
    }
    if (r->has_bad_nodes)
        return false;
    const char *const nearest = ct_nearest_name(id, names, plan->nodes.count);
    if (nearest)
        return ct_nodes_reader_error(
            r, at, "step.%s: the plan has no node \"%.64s\"; did you mean \"%s\"?", member, id,
            nearest);
    return ct_nodes_reader_error(r, at,
                                 "step.%s: the plan has no node \"%.64s\"; write \"all\" or the "
                                 "id of a node, such as \"%s\"",
                                 member, id, names[0]);
}

// Reads "all", "a" or ["a" "b"].
static void read_set(ct_nodes_reader *r, const char *member, ct_sjson_value value,
                     ct_nodes_step *step) {
    const ct_sjson *const doc = r->plan->doc;
    const char *const text = ct_sjson_string(doc, value, NULL);
    if (!value.entry || (text && strcmp(text, "all") == 0)) {
        step->is_all = true;
        step->on = ct_nodes_plan_all(r->plan);
        return;
    }
    if (text) {
        add_node(r, value, member, text, &step->on);
        return;
    }
    const bool is_array = ct_sjson_type_of(doc, value) == CT_SJSON_TYPE_ARRAY;
    if (!is_array || ct_sjson_count(doc, value) == 0) {
        ct_nodes_reader_error(
            r, value,
            "step.%s: found %s, expected \"all\", the id of a node, or an array "
            "of ids: [\"a\" \"b\"]",
            member, is_array ? "an empty array" : ct_sjson_type_name(ct_sjson_type_of(doc, value)));
        return;
    }
    for (ct_sjson_value v = ct_sjson_first(doc, value); v.entry; v = ct_sjson_next(doc, v)) {
        const char *const id = ct_sjson_string(doc, v, NULL);
        if (id)
            add_node(r, v, member, id, &step->on);
        else
            ct_nodes_reader_error(r, v, "step.%s: found %s, expected the id of a node in quotes",
                                  member, ct_sjson_type_name(ct_sjson_type_of(doc, v)));
    }
}

// --- Steps ---------------------------------------------------------------------------------------

// Returns the row of the action of a step, or CT_COUNT_OF(action_table) after an error.
static uint32_t find_action(ct_nodes_reader *r, ct_sjson_value object) {
    const ct_sjson *const doc = r->plan->doc;
    uint32_t found = CT_COUNT_OF(action_table);
    for (uint32_t i = 0; i < CT_COUNT_OF(action_table); ++i) {
        const ct_sjson_value member = ct_sjson_find(doc, object, action_table[i].name);
        if (!member.entry)
            continue;
        if (found != CT_COUNT_OF(action_table)) {
            ct_nodes_reader_error(r, member, "step.%s: the step also has %s; write two steps",
                                  action_table[i].name, action_table[found].name);
            return CT_COUNT_OF(action_table);
        }
        found = i;
    }
    if (found == CT_COUNT_OF(action_table))
        ct_nodes_reader_error(r, object, "step: has no action; write one of: " ACTIONS);
    return found;
}

static void check_others(ct_nodes_reader *r, ct_sjson_value object, uint32_t action) {
    for (uint32_t i = 0; i < CT_COUNT_OF(other_table); ++i) {
        const ct_sjson_value member = ct_sjson_find(r->plan->doc, object, other_table[i].name);
        if (member.entry && !(action_table[action].others & other_table[i].bit))
            ct_nodes_reader_error(r, member, "step.%s: a step with %s has no %s; remove it",
                                  other_table[i].name, action_table[action].name,
                                  other_table[i].name);
    }
}

// Reads the Lua of a file into memory of the plan.
static const char *read_file(ct_nodes_reader *r, ct_sjson_value at, const char *name) {
    char folder[CT_PATH_BYTES], path[CT_PATH_BYTES];
    ct_error error = {0};
    uint64_t bytes = 0;
    ct_path_folder(folder, r->plan->path);
    if (!ct_path_try_join(path, folder, name)) {
        ct_nodes_reader_error(r, at, "step.file: found a path of %zu bytes, expected at most %d",
                              strlen(name), CT_PATH_BYTES - 1);
        return "";
    }
    char *const text = ct_file_read(r->allocator, path, &bytes, &error);
    if (!text) {
        ct_nodes_reader_error(r, at, "step.file: %s; write a path from the plan's folder",
                              error.message);
        return "";
    }
    ct_array_push(&r->plan->files, text);
    if (strlen(text) != bytes)
        ct_nodes_reader_error(r, at, "step.file: %s has a zero byte; expected Lua", path);
    return text;
}

// Names of pictures become parts of file names.
static void check_picture(ct_nodes_reader *r, ct_sjson_value at, const char *name) {
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789_-";
    const size_t length = strlen(name);
    if (length == 0 || length > 64 || strspn(name, letters) != length)
        ct_nodes_reader_error(
            r, at,
            "step.screenshot: found \"%.80s\", expected a name for the picture: 1 "
            "to 64 of the characters a-z, 0-9, _ and -",
            name);
}

static void check_lua(ct_nodes_reader *r, ct_sjson_value at, const char *member, const char *lua) {
    if (strlen(lua) != ct_sjson_string_bytes(r->plan->doc, at))
        ct_nodes_reader_error(r, at, "step.%s: found a zero byte; expected Lua", member);
    else if (lua[strspn(lua, " \t\r\n")] == '\0')
        ct_nodes_reader_error(r, at, "step.%s: found no text; expected Lua", member);
}

// Fills what is particular to the action. `at` is the action's member.
static void read_action(ct_nodes_reader *r, const char *name, ct_sjson_value at,
                        const step_source *source, ct_nodes_step *step) {
    switch (step->kind) {
    case CT_NODES_STEP_KIND_SCRIPT:
        step->lua = source->script;
        if (source->file) {
            step->lua = read_file(r, at, source->file);
            return;
        }
        break;
    case CT_NODES_STEP_KIND_WAIT:
        step->lua = source->wait;
        break;
    case CT_NODES_STEP_KIND_ASSERT:
        step->lua = source->assert_;
        step->message = source->message ? source->message : "";
        break;
    case CT_NODES_STEP_KIND_SAME:
        step->lua = source->same;
        break;
    case CT_NODES_STEP_KIND_SLEEP:
        step->seconds = (double)source->sleep;
        break;
    case CT_NODES_STEP_KIND_SCREENSHOT:
        step->message = source->screenshot;
        check_picture(r, at, source->screenshot);
        break;
    case CT_NODES_STEP_KIND_REPEAT:
        step->times = (uint32_t)source->repeat;
        break;
    default: // START, STOP, KILL: their value is the set of nodes
        read_set(r, name, at, step);
    }
    if (step->lua)
        check_lua(r, at, name, step->lua);
}

static void read_repeated(ct_nodes_reader *r, ct_sjson_value object, ct_sjson_value steps,
                          uint32_t depth) {
    const uint32_t place = r->plan->steps.count - 1;
    if (!steps.entry || ct_sjson_count(r->plan->doc, steps) == 0)
        ct_nodes_reader_error(r, steps.entry ? steps : object,
                              "step.repeat: found no steps; write steps = [ … ] beside it");
    else if (depth == CT_NODES_MAX_DEPTH)
        ct_nodes_reader_error(r, object, "step.repeat: found more than %d inside each other",
                              (int)CT_NODES_MAX_DEPTH);
    else
        ct_nodes_read_steps(r, steps, depth + 1);
    r->plan->steps.items[place].end = r->plan->steps.count;
}

static void read_step(ct_nodes_reader *r, ct_sjson_value object, uint32_t depth) {
    const ct_sjson *const doc = r->plan->doc;
    const ct_schema_listener listener = {.user = r, .error = ct_nodes_reader_take_error};
    step_source source;
    ct_nodes_step step = {.message = ""};
    uint32_t column = 0;
    if (!ct_schema_read(&step_schema, doc, object, &source, &listener))
        return;
    const uint32_t action = find_action(r, object);
    if (action == CT_COUNT_OF(action_table))
        return;
    const char *const name = action_table[action].name;
    check_others(r, object, action);
    ct_sjson_position(doc, object, &step.line, &column);
    step.kind = action_table[action].kind;
    const ct_sjson_value timeout = ct_sjson_find(doc, object, "timeout");
    const bool is_start = step.kind == CT_NODES_STEP_KIND_START;
    step.seconds = timeout.entry ? (double)source.timeout
                   : is_start    ? r->plan->start_timeout
                                 : r->plan->step_timeout;
    if (action_table[action].others & ON)
        read_set(r, "on", source.on, &step);
    read_action(r, name, ct_sjson_find(doc, object, name), &source, &step);
    ct_array_push(&r->plan->steps, step);
    if (step.kind == CT_NODES_STEP_KIND_REPEAT)
        read_repeated(r, object, source.steps, depth);
}

void ct_nodes_read_steps(ct_nodes_reader *r, ct_sjson_value array, uint32_t depth) {
    const ct_sjson *const doc = r->plan->doc;
    for (ct_sjson_value v = ct_sjson_first(doc, array); v.entry; v = ct_sjson_next(doc, v)) {
        if (r->plan->steps.count == CT_NODES_MAX_STEPS) {
            ct_nodes_reader_error(r, v, "plan.steps: found more than %d steps",
                                  (int)CT_NODES_MAX_STEPS);
            return;
        }
        read_step(r, v, depth);
    }
}
