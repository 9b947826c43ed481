// error.h: assertions, errors, and the context in which either happened.
//
// A bug (a broken invariant of the engine) fails CT_ASSERT: the program ends with a report. Bad
// input is a return value: the function returns false, NULL or {0}, changes nothing and fills a
// ct_error. Contexts are a stack for each thread, of two pointers each, pushed by scope. From
// "Sensible Error Handling" (Bitsquid blog, 2012-01-22).
#pragma once
#include "foundation/types.h"

enum { CT_ERROR_MESSAGE_BYTES = 1024, CT_ERROR_FILE_BYTES = 512, CT_ERROR_MAX_CONTEXTS = 256 };

// What is wrong with some input, and where. Lines and columns start at 1; 0 means unknown. Columns
// count bytes. A zeroed ct_error means no error.
struct ct_error {
    char message[CT_ERROR_MESSAGE_BYTES];
    char file[CT_ERROR_FILE_BYTES];
    uint32_t line, column;
};

// Fills `error` (NULL is fine) with a message and no place. Always returns false.
bool ct_error_set(ct_error *error, const char *format, ...) CT_PRINTF(2, 3);

// Fills `error` (NULL is fine) with a message and its place; `file` may be NULL. Returns false.
bool ct_error_set_at(ct_error *error, const char *file, uint32_t line, uint32_t column,
                     const char *format, ...) CT_PRINTF(5, 6);

// Writes `file:line:column: error: message` to `text` of `bytes`, without the parts that are
// unknown. The result is one line: control characters and bytes that are not UTF-8 are escaped as
// ct_utf8_write_printable does.
void ct_error_format(const ct_error *error, char *text, uint32_t bytes);

// Writes a warning in the same way: `file:line:column: warning: message`.
void ct_error_format_warning(const ct_error *warning, char *text, uint32_t bytes);

// Ends the program with a report when `condition` is false: contexts outermost first, the
// condition, the formatted message, file and line, call stack. The condition must have no side
// effects. The player leaves assertions out: they find bugs of the engine, which the other builds
// catch.
#ifdef CT_BUILD_PLAYER
#define CT_ASSERT(condition, ...)                                                                  \
    do {                                                                                           \
        if (false && !(condition))                                                                 \
            CT_FAIL("", __VA_ARGS__);                                                              \
    } while (0)
#else
#define CT_ASSERT(condition, ...)                                                                  \
    do {                                                                                           \
        if (__builtin_expect(!(condition), 0))                                                     \
            CT_FAIL(#condition, __VA_ARGS__);                                                      \
    } while (0)
#endif

// Does what CT_ASSERT does, in every build. For failures that also occur in a program without bugs
// (no memory, a limit that data can exceed, a call that the system refuses) and after which the
// program cannot go on.
#define CT_REQUIRE(condition, ...)                                                                 \
    do {                                                                                           \
        if (__builtin_expect(!(condition), 0))                                                     \
            CT_FAIL(#condition, __VA_ARGS__);                                                      \
    } while (0)

// Ends the program like CT_REQUIRE, unconditionally: `CT_FAIL("a known type", "type %u", type);`
// says in plain text what was expected. The player's report does not name the place in the source.
#ifdef CT_BUILD_PLAYER
#define CT_FAIL(expected, ...) ct_assert_failed(NULL, 0, expected, __VA_ARGS__)
#else
#define CT_FAIL(expected, ...) ct_assert_failed(__FILE__, __LINE__, expected, __VA_ARGS__)
#endif

// Implements these macros; with `file` NULL the report gives no place. Does not return.
_Noreturn void ct_assert_failed(const char *file, int line, const char *condition,
                                const char *format, ...) CT_PRINTF(4, 5);

typedef struct ct_error_context {
    const char *what; // "spawning level"
    const char *name; // "big_world"; both are borrowed until the context is popped
} ct_error_context;

// Pushes a context on this thread's stack. Returns the depth before it, for
// ct_error_context_restore.
uint32_t ct_error_context_push(const char *what, const char *name);

// Returns this thread's depth; a protected call remembers it and restores it later.
uint32_t ct_error_context_depth(void);

// Pops contexts down to `*depth`; its signature fits CT_CLEANUP.
void ct_error_context_restore(const uint32_t *depth);

// Returns this thread's contexts, outermost first, and sets `count`. Borrowed until the stack
// changes.
const ct_error_context *ct_error_contexts(uint32_t *count);

// `CT_ERROR_CONTEXT("spawning unit", name);` holds a context until its scope ends. At most once per
// line.
#define CT_ERROR_CONTEXT(what, name) CT_ERROR_CONTEXT_AT(what, name, __LINE__)
#define CT_ERROR_CONTEXT_AT(what, name, line) CT_ERROR_CONTEXT_NAMED(what, name, line)
#define CT_ERROR_CONTEXT_NAMED(what, name, line)                                                   \
    CT_CLEANUP(ct_error_context_restore)                                                           \
    const uint32_t ct_context_depth_##line = ct_error_context_push((what), (name));                \
    (void)ct_context_depth_##line
