#include "cli/prompt/console_request.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/prompt/console_token.h"
#include "dev/console_commands.h"
#include "foundation/error.h"
#include "foundation/os/file.h"
#include "foundation/os/os.h"
#include "foundation/sjson/sjson_writer.h"

bool ct_console_parse_address(const char *text, char *host, uint32_t host_bytes, uint16_t *port,
                              ct_error *error) {
    const char *const colon = strrchr(text, ':');
    char *end = NULL;
    const unsigned long number = colon ? strtoul(colon + 1, &end, 10) : 0;
    if (!colon || colon == text || *end != '\0' || number == 0 || number > 65535 ||
        (uint32_t)(colon - text) >= host_bytes)
        return ct_error_set(error, "invalid address \"%s\"; expected HOST:PORT", text);
    snprintf(host, host_bytes, "%.*s", (int)(colon - text), text);
    *port = (uint16_t)number;
    return true;
}

bool ct_console_is_like_address(const char *text) {
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    const char *const colon = strrchr(text, ':');
    if (!colon || colon == text || colon[1] == '\0')
        return false;
    for (const char *p = text; p < colon; ++p) {
        if (!strchr(letters, *p) && !strchr("0123456789.-:[]_", *p))
            return false;
    }
    return colon[1 + strspn(colon + 1, "0123456789")] == '\0';
}

void ct_console_write_request(const char *const *words, uint32_t count, const char *id,
                              ct_string_builder *json, ct_string_builder *file) {
    const bool is_command = ct_console_command_named(words[0]) != NULL;
    // The engine takes no file name. An empty name, or several, go to it: it refuses them.
    const bool is_file = count == 1 || (count == 2 && words[1][0] != '\0');
    if (strcmp(words[0], "screenshot") == 0 && is_file) {
        ct_string_builder_add(file, count == 2 ? words[1] : "screenshot.png");
        count = 1;
    }
    ct_sjson_writer w;
    ct_sjson_writer_init(&w, json, CT_SJSON_STYLE_JSON);
    ct_sjson_begin_object(&w);
    ct_sjson_member_string(&w, "type", is_command ? "command" : "script");
    ct_sjson_member_string(&w, "id", id);
    ct_sjson_member_string(&w, is_command ? "command" : "script", words[0]);
    if (is_command) {
        ct_sjson_write_key(&w, "arguments");
        ct_sjson_begin_array(&w);
        for (uint32_t i = 1; i < count; ++i)
            ct_sjson_write_string(&w, words[i]);
        ct_sjson_end_array(&w);
    }
    ct_sjson_end_object(&w);
}

// Cuts `text` in place; returns how many words it has. What is past the room stays in the last.
static uint32_t cut_words(char *text, const char **words, uint32_t max_words) {
    uint32_t count = 0;
    char *s = text + strspn(text, " \t");
    while (*s != '\0' && count < max_words) {
        const bool is_quoted = *s == '"' || *s == '\'';
        const char end[] = {is_quoted ? *s : ' ', is_quoted ? '\0' : '\t', '\0'};
        words[count++] = is_quoted ? ++s : s;
        s += strcspn(s, end);
        if (*s != '\0')
            *s++ = '\0';
        s += strspn(s, " \t");
    }
    return count;
}

// Whether what stands behind a name goes on with it as Lua does. Paths begin with `/`, `./`, `../`.
static bool is_operator(const char *word) {
    return (word[0] && strchr("=:([<>+*%^,", word[0])) || strncmp(word, "~=", 2) == 0 ||
           (strncmp(word, "..", 2) == 0 && word[2] != '/');
}

void ct_console_write_line(const char *line, const char *id, ct_string_builder *json,
                           ct_string_builder *file) {
    const char *words[CT_CONSOLE_MAX_ARGUMENTS + 2];
    char *const copy = ct_copy_string(json->allocator, line);
    const uint32_t count = cut_words(copy, words, CT_COUNT_OF(words));
    // `memory = 5` and `help.x` are Lua all the same.
    const bool is_command =
        count != 0 && ct_console_command_named(words[0]) && (count == 1 || !is_operator(words[1]));
    if (is_command)
        ct_console_write_request(words, count, id, json, file);
    else
        ct_console_write_request(&line, 1, id, json, file);
    ct_free(json->allocator, copy);
}

bool ct_console_save_binary(const ct_message *answer, const char *file, char path[CT_PATH_BYTES],
                            ct_error *error) {
    return ct_file_absolute_path(file, path, error) &&
           ct_file_write_output(path, answer->binary, answer->binary_bytes, false, error);
}

bool ct_console_send(ct_allocator *a, int socket, const ct_string_builder *json, ct_error *error) {
    ct_byte_array bytes;
    ct_array_init(&bytes, a);
    ct_message_write(&bytes, ct_string_builder_text(json), json->length, NULL, 0);
    ct_socket_set_blocking(socket, true);
    uint64_t sent = 0;
    int64_t went = 0;
    while (went >= 0 && sent < bytes.count) {
        went = ct_socket_send(socket, bytes.items + sent, bytes.count - sent);
        sent += went > 0 ? (uint64_t)went : 0;
    }
    ct_array_free(&bytes);
    return went >= 0 || ct_error_set(error, "the engine closed the connection");
}

bool ct_console_send_token(ct_allocator *a, int socket, const char *token, ct_error *error) {
    if (!token || token[0] == '\0')
        return true;
    CT_CLEANUP(ct_string_builder_free) ct_string_builder json;
    ct_string_builder_init(&json, a);
    ct_console_token_write(token, &json);
    return ct_console_send(a, socket, &json, error);
}
