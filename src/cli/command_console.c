#include <stdio.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/debug_prompt/debug_prompt.h"
#include "cli/prompt/console_request.h"
#include "cli/prompt/console_token.h"
#include "cli/prompt/prompt.h"
#include "dev/console_commands.h"
#include "foundation/error.h"
#include "foundation/os/message.h"
#include "foundation/os/os.h"
#include "foundation/sjson/sjson.h"

enum { MAX_MESSAGE_BYTES = 64 << 20 };
#define ANSWER_ID "cuttle-console"

// A request to an engine, and what to do with the answer.
typedef struct request {
    ct_allocator *allocator;
    ct_string_builder json, file; // ct_console_write_request
    double timeout_seconds;
    bool as_json;
    char refusal[256]; // the last error that answers nothing, before the connection ends; "": none
} request;

static const ct_command_option options[] = {
    {"timeout", "S", "seconds to wait for the answer, or a stop (10)"},
    {"json", NULL, "print the answer as the engine sent it"},
    CT_CONSOLE_TOKEN_OPTIONS,
};

// Prints a line with the string of `value`, zero bytes included; nothing when it is empty.
static void print_string(FILE *file, const char *before, const ct_sjson *doc,
                         ct_sjson_value value) {
    const uint32_t bytes = ct_sjson_string_bytes(doc, value);
    if (bytes == 0)
        return;
    fputs(before, file);
    fwrite(ct_sjson_string(doc, value, ""), 1, bytes, file);
    fputc('\n', file);
}

// Writes the picture that came with an answer.
static bool save_file(const request *r, const ct_message *message) {
    char path[CT_PATH_BYTES];
    ct_error error = {0};
    if (!ct_console_save_binary(message, ct_string_builder_text(&r->file), path, &error)) {
        fprintf(stderr, "error: %s\n", error.message);
        return false;
    }
    if (!r->as_json)
        printf("wrote %s\n", path);
    return true;
}

// Keeps why the engine is about to end the connection.
static void note_refusal(request *r, const ct_sjson *doc, ct_sjson_value root) {
    const char *const type = ct_sjson_string(doc, ct_sjson_find(doc, root, "type"), "");
    if (strcmp(type, "error") == 0 && ct_sjson_find(doc, root, "id").entry == 0)
        snprintf(r->refusal, sizeof(r->refusal), ": %.250s",
                 ct_sjson_string(doc, ct_sjson_find(doc, root, "message"), ""));
}

// Prints `message` when it is the answer to our request; skips other messages.
static bool print_answer(request *r, const ct_message *message, ct_exit *code) {
    ct_sjson *const doc = ct_sjson_parse(r->allocator, message->json, message->json_bytes,
                                         "the engine's answer", NULL, NULL);
    if (!doc)
        return false;
    const ct_sjson_value root = ct_sjson_root(doc);
    const char *const id = ct_sjson_string(doc, ct_sjson_find(doc, root, "id"), "");
    const bool is_answer = strcmp(id, ANSWER_ID) == 0;
    note_refusal(r, doc, root);
    if (is_answer) {
        const bool is_refused =
            strcmp(ct_sjson_string(doc, ct_sjson_find(doc, root, "type"), ""), "error") == 0;
        const ct_sjson_value wrong = ct_sjson_find(doc, root, is_refused ? "message" : "error");
        const bool has_failed = ct_sjson_type_of(doc, wrong) == CT_SJSON_TYPE_STRING;
        *code = has_failed ? CT_EXIT_FAILED : CT_EXIT_OK;
        const bool has_file = message->binary_bytes != 0 && r->file.length != 0;
        if (has_file && !save_file(r, message))
            *code = CT_EXIT_FAILED;
        if (r->as_json) {
            printf("%.*s\n", (int)message->json_bytes, message->json);
        } else if (has_failed) {
            print_string(stderr, "error: ", doc, wrong);
            print_string(stderr, "", doc, ct_sjson_find(doc, root, "traceback"));
        } else if (!has_file) {
            print_string(stdout, "", doc, ct_sjson_find(doc, root, "result"));
        }
    }
    ct_sjson_free(doc);
    return is_answer;
}

static bool receive_answer(request *r, int socket, ct_exit *code, ct_error *error) {
    const uint64_t deadline = ct_os_time_ns() + (uint64_t)(r->timeout_seconds * 1e9);
    ct_message_reader reader;
    ct_message_reader_init(&reader, r->allocator, MAX_MESSAGE_BYTES);
    bool is_done = false, has_failed = false;
    while (!is_done && !has_failed) {
        ct_message message;
        const ct_message_result result = ct_message_reader_next(&reader, &message, error);
        if (result == CT_MESSAGE_RESULT_MESSAGE) {
            is_done = print_answer(r, &message, code);
            continue;
        }
        const uint64_t now = ct_os_time_ns();
        bool readable = false;
        char bytes[65536];
        if (result == CT_MESSAGE_RESULT_ERROR) {
            has_failed = true;
        } else if (now >= deadline || ct_socket_wait(&socket, 1, &readable, deadline - now) == 0) {
            has_failed = !ct_error_set(error, "no answer within %g seconds", r->timeout_seconds);
        } else {
            const int64_t count = ct_socket_receive(socket, bytes, sizeof(bytes));
            has_failed =
                count < 0 && !ct_error_set(error, "the engine closed the connection%s", r->refusal);
            ct_message_reader_add(&reader, bytes, count > 0 ? (uint64_t)count : 0);
        }
    }
    ct_message_reader_free(&reader);
    return is_done;
}

// The first operand is an address when more operands follow and it is no command's name. Sets
// `first` to the operand after it. Returns false with `error` when it is neither, or when Lua comes
// in several operands.
static bool find_request(const ct_command_arguments *arguments, char *host, uint32_t host_bytes,
                         uint16_t *port, uint32_t *first, ct_error *error) {
    const uint32_t count = arguments->num_operands;
    *first = count > 1 && !ct_console_command_named(arguments->operands[0]) ? 1 : 0;
    if (*first == 1 &&
        !ct_console_parse_address(arguments->operands[0], host, host_bytes, port, error))
        return false;
    if (count - *first > 1 && !ct_console_command_named(arguments->operands[*first]))
        return ct_console_unknown_command(arguments->operands[*first], error);
    return true;
}

// Returns whether there is nothing to run: only addresses, valid or not, or no operands.
static bool is_prompt(const ct_command_arguments *arguments) {
    for (uint32_t i = 0; i < arguments->num_operands; ++i) {
        if (!ct_console_is_like_address(arguments->operands[i]))
            return false;
    }
    return true;
}

// Returns whether the last of at most two operands asks for the debugger's prompt.
static bool is_debugger(const ct_command_arguments *arguments) {
    const uint32_t count = arguments->num_operands;
    return (count == 1 || (count == 2 && ct_console_is_like_address(arguments->operands[0]))) &&
           strcmp(arguments->operands[count - 1], "debug") == 0;
}

static ct_exit run_request(ct_allocator *a, const ct_command_arguments *arguments,
                           const char *token, double timeout_seconds) {
    char host[256] = "127.0.0.1";
    uint16_t port = 64000;
    uint32_t first = 0;
    ct_error error = {0};
    if (!find_request(arguments, host, sizeof(host), &port, &first, &error)) {
        fprintf(stderr, "cuttle console: %s\n", error.message);
        return CT_EXIT_USAGE;
    }
    if (first == 0) // no address
        port = ct_prompt_choose_engine();
    request r = {.allocator = a,
                 .timeout_seconds = timeout_seconds,
                 .as_json = ct_command_option_of(&ct_command_console, arguments, "json") != NULL};
    ct_string_builder_init(&r.json, a);
    ct_string_builder_init(&r.file, a);
    if (arguments->num_operands - first == 1) // a word in quotes may have several words
        ct_console_write_line(arguments->operands[first], ANSWER_ID, &r.json, &r.file);
    else
        ct_console_write_request(arguments->operands + first, arguments->num_operands - first,
                                 ANSWER_ID, &r.json, &r.file);
    const int socket = ct_socket_connect(host, port, 2000000000ull, &error);
    ct_exit code = CT_EXIT_FAILED;
    if (socket < 0)
        fprintf(stderr,
                "cuttle console: %s; is a game running there? `cuttle run PROJECT` starts one\n",
                error.message);
    else if (!ct_console_send_token(a, socket, token, &error) ||
             !ct_console_send(a, socket, &r.json, &error) ||
             !receive_answer(&r, socket, &code, &error))
        fprintf(stderr, "cuttle console: %s:%u: %s\n", host, port, error.message);
    if (socket >= 0)
        ct_socket_close(socket);
    ct_string_builder_free(&r.json);
    ct_string_builder_free(&r.file);
    return code;
}

// Reads the options. A token goes only to a game that was named: any program may listen at the ports of this
// machine that are searched.
static bool read_options(ct_allocator *a, const ct_command_arguments *arguments,
                         double *timeout_seconds, ct_console_token *token, ct_error *error) {
    const ct_command *const self = &ct_command_console;
    if (!ct_command_number("timeout", ct_command_option_of(self, arguments, "timeout"), 0.001,
                           86400.0, timeout_seconds, error) ||
        !ct_console_token_read(a, self, arguments, "token", token, error))
        return false;
    const bool has_address =
        arguments->num_operands > 0 && ct_console_is_like_address(arguments->operands[0]);
    return token->text[0] == '\0' || has_address ||
           ct_error_set(error, "the token needs the address of its game: HOST:PORT");
}

static ct_exit run(ct_allocator *a, const ct_command_arguments *arguments) {
    double timeout_seconds = 10.0;
    ct_console_token token;
    ct_error error = {0};
    if (!read_options(a, arguments, &timeout_seconds, &token, &error)) {
        fprintf(stderr, "cuttle console: %s\n", error.message);
        return CT_EXIT_USAGE;
    }
    if (is_debugger(arguments))
        return (ct_exit)ct_debug_prompt_run(
            a, arguments->num_operands == 2 ? arguments->operands[0] : NULL, token.text,
            timeout_seconds);
    if (is_prompt(arguments))
        return (ct_exit)ct_prompt_run(a, arguments->operands, arguments->num_operands, token.text,
                                      timeout_seconds);
    return run_request(a, arguments, token.text, timeout_seconds);
}

const ct_command ct_command_console = {
    .name = "console",
    .operands =
        "[HOST:PORT…] | [HOST:PORT] COMMAND [ARGUMENT…] | [HOST:PORT] LUA | [HOST:PORT] debug",
    .least_operands = 0,
    .most_operands = 2 + CT_CONSOLE_MAX_ARGUMENTS,
    .summary = "send commands or Lua to running games, or open a prompt",
    .description =
        "Sends a command or Lua (an expression or statements) to the game at HOST:PORT and\n"
        "prints the answer. The default is the first game that runs on this machine. `cuttle\n"
        "console help` lists the game's commands; text that begins with no command is Lua.\n"
        "`screenshot [FILE]` writes the game's picture to FILE (screenshot.png).\n"
        "Without a command or Lua, opens a prompt to the games at these addresses, or to all\n"
        "that run on this machine, with their log, history and completion; `:help` explains the\n"
        "prompt. When the input is a file or pipe, sends its lines one after the other to these\n"
        "addresses, or to the first game, and exits with 1 when a line failed.\n"
        "`debug` opens the debugger's prompt: breakpoints, steps, values; `help` explains it.\n"
        "A game on another machine, or of another user, needs the token that it was started\n"
        "with.\n"
        "Example: cuttle console 127.0.0.1:64000 \"return 1 + 1\"",
    .options = options,
    .num_options = CT_COUNT_OF(options),
    .run = run,
};
