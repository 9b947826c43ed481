// The messages of the debugger, as rows. What they do is in docs/formats/debugger_protocol.md.

#include "dev/debugger/debugger.h"
#include "dev/protocol/protocol_areas.h"

static void handle_debugger(ct_console_request *r) {
    ct_debugger_handle(r->target->debugger, r->target, r->w.out);
}

#define THREAD                                                                                     \
    { "thread", "integer?", "a thread of debugger_threads" }
#define ERROR                                                                                      \
    { "error", "string?", "why it was refused; then there is nothing else" }
#define ROW(name, text, members_, ...)                                                             \
    {                                                                                              \
        .type = name, .summary = text, .members = members_,                                        \
        .answer = CT_PROTOCOL_MEMBERS(ERROR, __VA_ARGS__), .works_stopped = true,                  \
        .handle = handle_debugger                                                                  \
    }
#define BARE_ROW(name, text, members_)                                                             \
    {                                                                                              \
        .type = name, .summary = text, .members = members_, .answer = CT_PROTOCOL_MEMBERS(ERROR),  \
        .works_stopped = true, .handle = handle_debugger                                           \
    }

static const ct_protocol_message messages[] = {
    ROW("debugger_attach", "makes this client one of the debugger",
        CT_PROTOCOL_MEMBERS({"name", "string?", "of the tool, for the log"}),
        {"version", "integer?", "of these messages: 1"},
        {"project", "string?", "the absolute folder of the sources"},
        {"core", "string?", "the absolute folder of what scripts see as core/…"},
        {"threads", "DebuggerThread[]?", "the threads that are known"},
        {"stopped", "DebuggerStop?", "where the game has stopped, while it has"}),
    BARE_ROW("debugger_detach",
             "takes this client's breakpoints away; the last one lets the game go on", NULL),
    ROW("debugger_breakpoints", "replaces this client's breakpoints in a script",
        CT_PROTOCOL_MEMBERS({"script", "string", "its path below the project"},
                            {"breakpoints", "DebuggerBreakpoint[]", "all that it then has"}),
        {"breakpoints", "DebuggerBreakpointState[]?", "what became of each, in order"}),
    ROW("debugger_lines", "lists lines on which a breakpoint can be",
        CT_PROTOCOL_MEMBERS({"script", "string", "its path below the project"},
                            {"first", "integer", "a line"}, {"last", "integer", "a line"}),
        {"lines", "integer[]?", "sorted; empty while the script has not run"}),
    BARE_ROW("debugger_errors", "says at which errors the game stops",
             CT_PROTOCOL_MEMBERS(
                 {"stop", "\"never\"|\"uncaught\"|\"all\"?", "uncaught from the start"})),
    BARE_ROW("debugger_pause", "stops at the next line that runs", CT_PROTOCOL_MEMBERS(THREAD)),
    BARE_ROW("debugger_continue", "lets the game go on, or one thread of it",
             CT_PROTOCOL_MEMBERS(THREAD)),
    BARE_ROW("debugger_step", "runs to the next line, into a call or out of the function",
             CT_PROTOCOL_MEMBERS({"kind", "\"into\"|\"over\"|\"out\"", "which of them"}, THREAD)),
    ROW("debugger_threads", "lists coroutines and states of jobs", NULL,
        {"threads", "DebuggerThread[]?", "those that are known"}),
    ROW("debugger_stack", "lists the functions that a thread is in",
        CT_PROTOCOL_MEMBERS(THREAD, {"first", "integer?", "0: the innermost"},
                            {"count", "integer?", "at most 1000; 64 without it"}),
        {"frames", "DebuggerFrame[]?", "from the innermost"},
        {"total", "integer?", "how many there are"}),
    ROW("debugger_scopes", "lists the variables that a frame sees, by kind",
        CT_PROTOCOL_MEMBERS({"frame", "integer", "of debugger_stack"}),
        {"scopes", "DebuggerScope[]?",
         "Locals, Upvalues, Globals, and where they are Behaviour and "
         "Varargs"}),
    ROW("debugger_values", "lists the parts of a value",
        CT_PROTOCOL_MEMBERS({"value", "integer", "a number from scopes or values"},
                            {"first", "integer?", "the part to begin with"},
                            {"count", "integer?", "at most 1000; 100 without it"}),
        {"values", "DebuggerValue[]?", "the parts"}, {"total", "integer?", "how many there are"}),
    ROW("debugger_evaluate", "runs an expression or statements",
        CT_PROTOCOL_MEMBERS(
            {"text", "string", "what to run"}, {"frame", "integer?", "whose variables it sees"},
            {"seconds", "number?", "after which it is ended: at most 10; 2 without it"}),
        {"text", "string?", "the value in one line"}, {"kind", "string?", "its type"},
        {"value", "integer?", "for debugger_values; 0: no parts"},
        {"count", "integer?", "of its parts"}),
    ROW("debugger_set", "sets a variable, or a part of a value",
        CT_PROTOCOL_MEMBERS({"value", "integer", "a scope, or a value with parts"},
                            {"name", "string", "of the part, as in debugger_values"},
                            {"text", "string", "an expression"},
                            {"frame", "integer?", "in which it is evaluated"}),
        {"text", "string?", "the new value in one line"}, {"kind", "string?", "its type"},
        {"value", "integer?", "for debugger_values; 0: no parts"},
        {"count", "integer?", "of its parts"}),
    ROW("debugger_complete", "lists what can follow in a text, with locals and upvalues",
        CT_PROTOCOL_MEMBERS({"text", "string", "what somebody has typed"},
                            {"frame", "integer?", "whose variables it sees"}),
        {"start", "integer?", "the byte of the text that the names begin at"},
        {"names", "string[]?", "what can be there"}),
};

#define STOP_MEMBERS                                                                               \
    {"reason", "\"breakpoint\"|\"step\"|\"pause\"|\"error\"|\"time limit\"", "why it stopped"},    \
        {"thread", "integer", "which"}, {"script", "string", "empty before the first line"},       \
        {"line", "integer", "0 before the first line"}, {"text", "string?", "the error"}, {        \
        "breakpoints", "integer[]?", "numbers of those that were hit"                              \
    }
#define EVENT(text, name, ...)                                                                     \
    {                                                                                              \
        .type = "debugger", .summary = text,                                                       \
        .members = CT_PROTOCOL_MEMBERS({"event", "\"" name "\"", "which"}, __VA_ARGS__)            \
    }

static const ct_protocol_event events[] = {
    EVENT("the game has stopped, to clients that are attached", "stopped", STOP_MEMBERS),
    EVENT("a thread goes on", "continued", {"thread", "integer", "which"}),
    EVENT("a breakpoint with a log was reached; one without `breakpoint` counts those that were "
          "left out",
          "log", {"text", "string", "its text"}, {"script", "string?", "where"},
          {"line", "integer?", "where"}, {"breakpoint", "integer?", "its number"}),
    EVENT("a breakpoint was found, or has moved", "breakpoint",
          {"breakpoint", "integer", "its number"},
          {"verified", "boolean", "whether the game can stop there"},
          {"script", "string?", "where"}, {"line", "integer?", "where"},
          {"message", "string?", "why it is not verified"}),
    EVENT("a coroutine or a state of jobs has come or gone", "thread",
          {"thread", "integer", "which"}, {"name", "string", "its name"},
          {"reason", "\"started\"|\"ended\"", "which of them"}),
    EVENT("a script has run first, or has changed", "script", {"script", "string", "its path"},
          {"reason", "\"new\"|\"changed\"", "which of them"}),
    {.type = "debugger",
     .summary = "the game ends, and then the connection",
     .members = CT_PROTOCOL_MEMBERS({"event", "\"ended\"", "which"})},
};

static const ct_protocol_shape shapes[] = {
    {"DebuggerThread", "a coroutine, or a state of jobs",
     CT_PROTOCOL_MEMBERS({"thread", "integer", "its number"}, {"name", "string", "its name"},
                         {"state", "string", "what it does, or the name of its state"},
                         {"is_stopped", "boolean", "whether it has stopped"})},
    {"DebuggerStop", "where the game has stopped", CT_PROTOCOL_MEMBERS(STOP_MEMBERS)},
    {"DebuggerBreakpoint", "a breakpoint as a client wants it",
     CT_PROTOCOL_MEMBERS(
         {"line", "integer", "from 1"},
         {"condition", "string?", "an expression; stops where it is neither false nor nil"},
         {"hits", "string?", "\"5\", \">5\", \">=5\" or \"%5\": which times count"},
         {"log", "string?", "a text that is sent, in place of a stop"},
         {"unit", "string?", "only for behaviours of this unit"})},
    {"DebuggerBreakpointState", "a breakpoint as the game has it",
     CT_PROTOCOL_MEMBERS({"breakpoint", "integer", "its number"},
                         {"verified", "boolean", "whether the game can stop there"},
                         {"line", "integer?", "where it is"},
                         {"message", "string?", "why it is not verified"})},
    {"DebuggerFrame", "a function that runs",
     CT_PROTOCOL_MEMBERS({"frame", "integer", "its number, until the game goes on"},
                         {"name", "string", "the best that is known"},
                         {"kind", "\"lua\"|\"c\"|\"engine\"", "which kind of code it is"},
                         {"script", "string?", "where"}, {"line", "integer?", "where"})},
    {"DebuggerScope", "variables of one kind",
     CT_PROTOCOL_MEMBERS({"name", "string", "the kind"},
                         {"value", "integer", "for debugger_values"},
                         {"count", "integer", "of variables"})},
    {"DebuggerValue", "a variable, or a part of a value",
     CT_PROTOCOL_MEMBERS({"name", "string", "an identifier, or a key in brackets"},
                         {"text", "string", "the value in one line"},
                         {"kind", "string", "its type"},
                         {"value", "integer", "for debugger_values; 0: no parts"},
                         {"count", "integer", "of its parts"},
                         {"can_set", "boolean", "whether debugger_set may change it"})},
};

const ct_protocol_area ct_debugger_area = {
    .name = "debugger",
    .summary = "Breakpoints, steps and values. Most need an attached client.",
    .messages = messages,
    .num_messages = CT_COUNT_OF(messages),
    .events = events,
    .num_events = CT_COUNT_OF(events),
    .shapes = shapes,
    .num_shapes = CT_COUNT_OF(shapes),
};
