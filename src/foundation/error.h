// error.h: bugs, bad input, and the context in which either happened.
//
// A bug (a broken invariant of our own) fails CT_ASSERT: the program ends with a report. Bad input
// is a return value: the function returns false, NULL or {0}, changes nothing and fills a
// ct_error. Contexts are a per-thread stack of two pointers each, pushed by scope.
// From "Sensible Error Handling" (Bitsquid blog, 2012-01-22).
#pragma once
#include "foundation/types.h"

enum { CT_ERROR_MESSAGE_BYTES = 1024, CT_ERROR_FILE_BYTES = 512, CT_ERROR_MAX_CONTEXTS = 256 };

// What is wrong with some input and where. Line and column count from 1; 0 is unknown. Column
// counts bytes. A zeroed ct_error is no error.
struct ct_error {
    char message[CT_ERROR_MESSAGE_BYTES];
    char file[CT_ERROR_FILE_BYTES];
    uint32_t line, column;
};

// Fills `error` (NULL is fine) with a message, at no known place. Always returns false.
bool ct_error_set(ct_error *error, const char *format, ...) CT_PRINTF(2, 3);

// Fills `error` (NULL is fine) with a message and its place; `file` may be NULL. Returns false.
bool ct_error_set_at(ct_error *error, const char *file, uint32_t line, uint32_t column,
                     const char *format, ...) CT_PRINTF(5, 6);

// Writes `file:line:column: error: message`, leaving out what is unknown, to `text` of `bytes`: one
// line, in which control characters and what is no UTF-8 stand as ct_utf8_write_printable tells.
void ct_error_format(const ct_error *error, char *text, uint32_t bytes);

// The same of what is only a warning: `file:line:column: warning: message`.
void ct_error_format_warning(const ct_error *warning, char *text, uint32_t bytes);

// Ends the program with a report when `condition` is false: contexts outermost first, the
// condition, the formatted message, file and line, call stack. The player has none of these: what
// is asserted is an error of ours, which the other builds find. The condition has no side effects.
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

// As CT_ASSERT, in every build: for what also a program without errors meets (no memory, a limit
// that data can pass, a call that the system refuses) and that nobody can go on after.
#define CT_REQUIRE(condition, ...)                                                                 \
    do {                                                                                           \
        if (__builtin_expect(!(condition), 0))                                                     \
            CT_FAIL(#condition, __VA_ARGS__);                                                      \
    } while (0)

// Ends the program so in any case: `CT_FAIL("a known type", "type %u", type);` says in plain text
// what should have been. The player does not tell the place in the source.
#ifdef CT_BUILD_PLAYER
#define CT_FAIL(expected, ...) ct_assert_failed(NULL, 0, expected, __VA_ARGS__)
#else
#define CT_FAIL(expected, ...) ct_assert_failed(__FILE__, __LINE__, expected, __VA_ARGS__)
#endif

// Behind these macros; `file` NULL: the place is not told. Does not return.
_Noreturn void ct_assert_failed(const char *file, int line, const char *condition,
                                const char *format, ...) CT_PRINTF(4, 5);

typedef struct ct_error_context {
    const char *what; // "spawning level"
    const char *name; // "big_world"; both are borrowed until the context is popped
} ct_error_context;

// Pushes a context on this thread's stack. Returns the depth before, for ct_error_context_restore.
uint32_t ct_error_context_push(const char *what, const char *name);

// This thread's depth; what a protected call remembers and restores.
uint32_t ct_error_context_depth(void);

// Pops contexts down to `*depth`; the form fits CT_CLEANUP.
void ct_error_context_restore(const uint32_t *depth);

// This thread's contexts, outermost first; `count` is set. Borrowed until the stack changes.
const ct_error_context *ct_error_contexts(uint32_t *count);

// `CT_ERROR_CONTEXT("spawning unit", name);` holds until its scope ends. Once per line.
#define CT_ERROR_CONTEXT(what, name) CT_ERROR_CONTEXT_AT(what, name, __LINE__)
#define CT_ERROR_CONTEXT_AT(what, name, line) CT_ERROR_CONTEXT_NAMED(what, name, line)
#define CT_ERROR_CONTEXT_NAMED(what, name, line)                                                   \
    CT_CLEANUP(ct_error_context_restore)                                                           \
    const uint32_t ct_context_depth_##line = ct_error_context_push((what), (name));                \
    (void)ct_context_depth_##line
