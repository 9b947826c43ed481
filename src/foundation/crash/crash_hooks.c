#include "foundation/crash/crash_hooks.h"
#include "foundation/crash/crash.h"
#include "foundation/error.h"

#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

// Changing these tables takes the lock, for less than a microsecond. A report reads them without
// it, as its thread may hold it.
static atomic_flag lock = ATOMIC_FLAG_INIT;

static void take_lock(void) {
    while (atomic_flag_test_and_set_explicit(&lock, memory_order_acquire)) {
    }
}

static void give_lock(void) {
    atomic_flag_clear_explicit(&lock, memory_order_release);
}

// --- Named lines ---------------------------------------------------------------------------------

typedef struct named_line {
    atomic_bool is_set;
    char name[CT_CRASH_LINE_NAME_BYTES];
    char text[CT_CRASH_LINE_TEXT_BYTES];
} named_line;

static named_line lines[CT_CRASH_MAX_LINES];

// The line with this name, else a free one, else NULL.
static named_line *find_line(const char *name) {
    named_line *free_line = NULL;
    for (uint32_t i = 0; i < CT_CRASH_MAX_LINES; ++i) {
        if (!atomic_load(&lines[i].is_set))
            free_line = free_line ? free_line : &lines[i];
        else if (strncmp(lines[i].name, name, CT_CRASH_LINE_NAME_BYTES - 1) == 0)
            return &lines[i];
    }
    return free_line;
}

bool ct_crash_set_line(const char *name, const char *text) {
    take_lock();
    named_line *const line = find_line(name);
    if (line) {
        atomic_store(&line->is_set, false);
        snprintf(line->name, sizeof(line->name), "%s", name);
        snprintf(line->text, sizeof(line->text), "%s", text ? text : "");
        atomic_store(&line->is_set, text != NULL);
    }
    give_lock();
    return line || !text;
}

// --- Hooks ---------------------------------------------------------------------------------------

typedef struct hook_slot {
    _Atomic(ct_crash_hook) hook; // NULL: free
    void *user;
} hook_slot;

static hook_slot hooks[CT_CRASH_MAX_HOOKS];

void ct_crash_add_hook(ct_crash_hook hook, void *user) {
    bool is_added = false;
    take_lock();
    for (uint32_t i = 0; i < CT_CRASH_MAX_HOOKS && !is_added; ++i) {
        if (atomic_load(&hooks[i].hook))
            continue;
        hooks[i].user = user;
        atomic_store(&hooks[i].hook, hook);
        is_added = true;
    }
    give_lock();
    CT_REQUIRE(is_added, "more than %d hooks for crash reports", (int)CT_CRASH_MAX_HOOKS);
}

void ct_crash_remove_hook(ct_crash_hook hook, void *user) {
    take_lock();
    for (uint32_t i = 0; i < CT_CRASH_MAX_HOOKS; ++i)
        if (atomic_load(&hooks[i].hook) == hook && hooks[i].user == user)
            atomic_store(&hooks[i].hook, NULL);
    give_lock();
}

// --- In the report -------------------------------------------------------------------------------

void ct_crash_lines_append(ct_crash_text *t) {
    for (uint32_t i = 0; i < CT_CRASH_MAX_LINES; ++i) {
        if (!atomic_load(&lines[i].is_set))
            continue;
        ct_crash_text_add(t, lines[i].name);
        ct_crash_text_add(t, ": ");
        ct_crash_text_add(t, lines[i].text);
        ct_crash_text_add(t, "\n");
    }
}

// There is one report, from one thread.
static ct_crash_text *report;
static uint32_t next_hook;

static void add_line(const char *line) {
    ct_crash_text_add_indented(report, line, "");
}

bool ct_crash_hooks_append_next(ct_crash_text *t) {
    report = t;
    while (next_hook < CT_CRASH_MAX_HOOKS) {
        const hook_slot *const slot = &hooks[next_hook++];
        const ct_crash_hook hook = atomic_load(&slot->hook);
        if (hook) {
            hook(slot->user, add_line);
            return true;
        }
    }
    return false;
}
