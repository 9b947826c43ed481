#include "dev/console_commands.h"

#include <stdio.h>
#include <string.h>

#include "foundation/error.h"
#include "foundation/log.h"
#include "foundation/sjson.h"
#include "foundation/sjson_writer.h"

enum { MAX_RESULT_BYTES = 1 << 20 };

// A message being handled.
typedef struct request {
    ct_console_target *target;
    const ct_sjson *doc;
    ct_sjson_value root;
    ct_sjson_value id; // {0}: the sender wants no answer
    ct_sjson_writer w; // the answer
} request;

static const char *text_of(const request *r, const char *key) {
    return ct_sjson_string(r->doc, ct_sjson_find(r->doc, r->root, key), NULL);
}

// Starts an answer of `type` that bears the request's id.
static void begin_answer(request *r, const char *type) {
    ct_sjson_begin_object(&r->w);
    ct_sjson_member_string(&r->w, "type", type);
    if (r->id.entry != 0) {
        ct_sjson_write_key(&r->w, "id");
        ct_sjson_write_value(&r->w, r->doc, r->id);
    }
}

static void answer_error(request *r, const char *message) {
    begin_answer(r, "error");
    ct_sjson_member_string(&r->w, "message", message);
    ct_sjson_end_object(&r->w);
}

void ct_console_write_error(ct_string_builder *answer, const char *message) {
    ct_sjson_writer w;
    ct_sjson_writer_init(&w, answer, CT_SJSON_STYLE_JSON);
    ct_sjson_begin_object(&w);
    ct_sjson_member_string(&w, "type", "error");
    ct_sjson_member_string(&w, "message", message);
    ct_sjson_end_object(&w);
}

static void handle_script(request *r) {
    const char *lua = text_of(r, "script");
    if (lua == NULL) {
        answer_error(r, "a message of type \"script\" wants a string \"script\"");
        return;
    }
    ct_string_builder result, traceback;
    ct_string_builder_init(&result, r->target->allocator);
    ct_string_builder_init(&traceback, r->target->allocator);
    const bool is_done = ct_script_execute(ct_app_script(r->target->app), lua, &result, &traceback);
    if (result.length > MAX_RESULT_BYTES) {
        result.text[MAX_RESULT_BYTES] = '\0';
        result.length = MAX_RESULT_BYTES;
        ct_string_builder_add(&result, "… (cut)");
    }
    if (r->id.entry != 0) {
        begin_answer(r, "result");
        ct_sjson_member_string(&r->w, is_done ? "result" : "error",
                               ct_string_builder_text(&result));
        if (!is_done)
            ct_sjson_member_string(&r->w, "traceback", ct_string_builder_text(&traceback));
        ct_sjson_end_object(&r->w);
    } else if (!is_done) {
        ct_log_error("console", "%s\n%s", ct_string_builder_text(&result),
                     ct_string_builder_text(&traceback));
    }
    ct_string_builder_free(&result);
    ct_string_builder_free(&traceback);
}

static void command_pause(request *r) {
    ct_app_pause(r->target->app);
}

static void command_resume(request *r) {
    ct_app_resume(r->target->app);
}

static void command_step(request *r) {
    ct_app_pause(r->target->app);
    ct_app_step(r->target->app);
}

static void command_quit(request *r) {
    const double code = ct_sjson_number(r->doc, ct_sjson_find(r->doc, r->root, "exit_code"), 0);
    ct_app_quit(r->target->app, code >= 0 && code <= 255 ? (int)code : 1);
}

static void command_screenshot(request *r) {
    const char *file = text_of(r, "file");
    ct_error error = {0};
    if (!ct_app_screenshot(r->target->app, file != NULL ? file : "screenshot.png", &error))
        ct_log_report("console", &error);
}

static void handle_command(request *r) {
    static const struct {
        const char *name;
        void (*run)(request *r);
    } commands[] = {
        {"pause", command_pause}, {"resume", command_resume},         {"step", command_step},
        {"quit", command_quit},   {"screenshot", command_screenshot},
    };
    const char *name = text_of(r, "command");
    for (uint32_t i = 0; name != NULL && i < CT_COUNT_OF(commands); ++i) {
        if (strcmp(commands[i].name, name) != 0)
            continue;
        commands[i].run(r);
        if (r->id.entry != 0) {
            begin_answer(r, "result");
            ct_sjson_member_string(&r->w, "result", name);
            ct_sjson_end_object(&r->w);
        }
        return;
    }
    answer_error(r, "\"command\" must be one of pause, resume, step, quit, screenshot");
}

static void handle_reload(request *r) {
    if (r->target->reload == NULL) {
        answer_error(r, "this game runs without compiler: nothing can be reloaded");
        return;
    }
    ct_hot_reload_request(r->target->reload);
    if (r->id.entry != 0) {
        begin_answer(r, "result");
        ct_sjson_member_string(&r->w, "result", "reload");
        ct_sjson_end_object(&r->w);
    }
}

static void handle_ping(request *r) {
    begin_answer(r, "pong");
    ct_sjson_end_object(&r->w);
}

static const struct {
    const char *type;
    void (*handle)(request *r);
} message_table[] = {
    {"script", handle_script},
    {"command", handle_command},
    {"reload", handle_reload},
    {"ping", handle_ping},
};

bool ct_console_handle(ct_console_target *target, const char *json, uint32_t bytes,
                       ct_string_builder *answer, ct_error *reason) {
    ct_sjson *doc = ct_sjson_parse(target->allocator, json, bytes, "message", NULL, reason);
    if (doc == NULL)
        return false;
    request r = {.target = target, .doc = doc, .root = ct_sjson_root(doc)};
    r.id = ct_sjson_find(doc, r.root, "id");
    ct_sjson_writer_init(&r.w, answer, CT_SJSON_STYLE_JSON);
    const char *type = text_of(&r, "type");
    bool is_known = false;
    for (uint32_t i = 0; type != NULL && i < CT_COUNT_OF(message_table); ++i) {
        if (strcmp(message_table[i].type, type) == 0) {
            message_table[i].handle(&r);
            is_known = true;
        }
    }
    if (!is_known)
        answer_error(&r, "\"type\" must be one of script, command, reload, ping");
    ct_sjson_free(doc);
    return true;
}
