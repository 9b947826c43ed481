#include "foundation/error.h"
#include "foundation/crash/crash.h"
#include "foundation/string/utf8.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

// --- Bad input -----------------------------------------------------------------------------------

// Copies `text` to `target` of `bytes`, cut between characters so that it stays valid UTF-8.
static void copy_text(char *target, uint32_t bytes, const char *text) {
    size_t length = strlen(text);
    if (length >= bytes) {
        length = bytes - 1;
        while (length > 0 && ((unsigned char)text[length] & 0xc0) == 0x80)
            --length;
    }
    memcpy(target, text, length);
    target[length] = 0;
}

static void set_error(ct_error *error, const char *file, uint32_t line, uint32_t column,
                      const char *format, va_list arguments) {
    if (!error)
        return;
    // Formatted aside: callers wrap errors by passing the old message as an argument.
    char message[CT_ERROR_MESSAGE_BYTES + 4];
    vsnprintf(message, sizeof(message), format, arguments);
    ct_error result = {.line = line, .column = column};
    copy_text(result.message, sizeof(result.message), message);
    if (file)
        copy_text(result.file, sizeof(result.file), file);
    *error = result;
}

bool ct_error_set(ct_error *error, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    set_error(error, NULL, 0, 0, format, arguments);
    va_end(arguments);
    return false;
}

bool ct_error_set_at(ct_error *error, const char *file, uint32_t line, uint32_t column,
                     const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    set_error(error, file, line, column, format, arguments);
    va_end(arguments);
    return false;
}

static void format_as(const char *what, const ct_error *error, char *text, uint32_t bytes) {
    char place[CT_ERROR_FILE_BYTES + 32] = "", file[CT_ERROR_FILE_BYTES];
    char message[2 * CT_ERROR_MESSAGE_BYTES];
    ct_utf8_write_printable(file, sizeof(file), error->file);
    ct_utf8_write_printable(message, sizeof(message), error->message);
    if (file[0] && error->line && error->column)
        snprintf(place, sizeof(place), "%s:%u:%u: ", file, error->line, error->column);
    else if (file[0] && error->line)
        snprintf(place, sizeof(place), "%s:%u: ", file, error->line);
    else if (file[0])
        snprintf(place, sizeof(place), "%s: ", file);
    else if (error->line && error->column)
        snprintf(place, sizeof(place), "%u:%u: ", error->line, error->column);
    else if (error->line)
        snprintf(place, sizeof(place), "%u: ", error->line);
    snprintf(text, bytes, "%s%s: %s", place, what, message);
}

void ct_error_format(const ct_error *error, char *text, uint32_t bytes) {
    format_as("error", error, text, bytes);
}

void ct_error_format_warning(const ct_error *warning, char *text, uint32_t bytes) {
    format_as("warning", warning, text, bytes);
}

// --- Bugs ----------------------------------------------------------------------------------------

_Noreturn void ct_assert_failed(const char *file, int line, const char *condition,
                                const char *format, ...) {
    char message[4096];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof(message), format, arguments);
    va_end(arguments);
    char title[1024];
    snprintf(title, sizeof(title), "Assertion failed: %s", condition);
    ct_crash_end(title, message, file, line, 1);
}

// --- Contexts ------------------------------------------------------------------------------------

typedef struct context_stack {
    uint32_t depth; // includes contexts beyond the array, which are only counted
    ct_error_context contexts[CT_ERROR_MAX_CONTEXTS];
} context_stack;

static _Thread_local context_stack thread_contexts;

uint32_t ct_error_context_push(const char *what, const char *name) {
    const uint32_t depth = thread_contexts.depth++;
    if (depth < CT_ERROR_MAX_CONTEXTS)
        thread_contexts.contexts[depth] = (ct_error_context){.what = what, .name = name};
    return depth;
}

uint32_t ct_error_context_depth(void) {
    return thread_contexts.depth;
}

void ct_error_context_restore(const uint32_t *depth) {
    CT_ASSERT(*depth <= thread_contexts.depth,
              "cannot restore error contexts from depth %u to the greater depth %u",
              thread_contexts.depth, *depth);
    thread_contexts.depth = *depth;
}

const ct_error_context *ct_error_contexts(uint32_t *count) {
    const uint32_t depth = thread_contexts.depth;
    *count = depth < CT_ERROR_MAX_CONTEXTS ? depth : (uint32_t)CT_ERROR_MAX_CONTEXTS;
    return thread_contexts.contexts;
}
