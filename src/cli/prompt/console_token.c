#include "cli/prompt/console_token.h"

#include <stdio.h>
#include <string.h>

#include "foundation/error.h"
#include "foundation/os/file.h"
#include "foundation/sjson/sjson_writer.h"

static bool keep(const char *option, const char *text, size_t bytes, ct_console_token *token,
                 ct_error *error) {
    if (bytes >= sizeof(token->text))
        return ct_console_refuse_token_bytes(option, bytes, error);
    memcpy(token->text, text, bytes);
    token->text[bytes] = '\0';
    return ct_console_check_token(option, token->text, error);
}

// The first line of a file.
static bool read_file(ct_allocator *a, const char *option, const char *path,
                      ct_console_token *token, ct_error *error) {
    uint64_t bytes = 0;
    ct_error why = {0};
    char *const text = ct_file_read_input(a, path, &bytes, &why);
    if (!text)
        return ct_error_set(error, "--%s: %s", option, why.message);
    const size_t length = strcspn(text, "\r\n");
    const bool result =
        length > 0 ? keep(option, text, length, token, error)
                   : ct_error_set(error, "--%s: the first line of %s is empty", option, path);
    ct_free(a, text);
    return result;
}

bool ct_console_token_read(ct_allocator *a, const ct_command *command,
                           const ct_command_arguments *arguments, const char *name,
                           ct_console_token *token, ct_error *error) {
    char file_name[64];
    snprintf(file_name, sizeof(file_name), "%s-file", name);
    const char *const given = ct_command_option_of(command, arguments, name);
    const char *const file = ct_command_option_of(command, arguments, file_name);
    token->text[0] = '\0';
    if (given && file)
        return ct_error_set(error, "--%s and --%s exclude each other", name, file_name);
    if (given)
        return keep(name, given, strlen(given), token, error);
    return !file || read_file(a, file_name, file, token, error);
}

void ct_console_token_write(const char *token, ct_string_builder *json) {
    ct_sjson_writer w;
    ct_sjson_writer_init(&w, json, CT_SJSON_STYLE_JSON);
    ct_sjson_begin_object(&w);
    ct_sjson_member_string(&w, "type", "authorize");
    ct_sjson_member_string(&w, "token", token);
    ct_sjson_end_object(&w);
}
