#include "cli/prompt/prompt_line.h"

#include <langinfo.h>
#include <locale.h>
#include <stdio.h>
#include <string.h>
#include <wchar.h>

#include "cli/prompt/edit_api.h"
#include "foundation/error.h"
#include "foundation/os/os.h"

enum { INTERRUPT = 3, CONTROL_D = 4 }; // as characters

struct ct_prompt_line {
    ct_allocator *allocator;
    ct_prompt_line_events events;
    const ct_edit_api *api;
    EditLine *edit;
    History *history;
    uint32_t columns;
    bool is_editing, was_interrupted;
};

static ct_prompt_line *line_of(EditLine *edit) {
    ct_error ignored;
    void *line = NULL;
    ct_edit_load(&ignored)->el_get(edit, EL_CLIENTDATA, &line);
    return line;
}

// --- Called by libedit ---------------------------------------------------------------------------

static char *prompt(EditLine *edit) {
    const ct_prompt_line *const l = line_of(edit);
    return (char *)(uintptr_t)l->events.prompt(l->events.user);
}

static void follow_width(ct_prompt_line *l) {
    const uint32_t columns = ct_os_terminal_columns(1);
    if (columns != l->columns)
        l->api->el_resize(l->edit);
    l->columns = columns;
}

// The next character; 0 at the end of the input.
static int read_character(EditLine *edit, wchar_t *character) {
    ct_prompt_line *const l = line_of(edit);
    mbstate_t state;
    memset(&state, 0, sizeof(state));
    for (;;) {
        const bool can_read = l->events.wait(l->events.user);
        if (ct_os_take_interrupt()) {
            *character = INTERRUPT;
            return 1;
        }
        if (!can_read) {
            follow_width(l);
            continue;
        }
        char byte;
        if (ct_os_file_read(0, &byte, 1) <= 0)
            return 0;
        // Ctrl-D typed while a command ran, when the terminal still collected lines, has become a
        // zero by now.
        byte = byte == '\0' ? CONTROL_D : byte;
        const size_t used = mbrtowc(character, &byte, 1, &state);
        if (used == (size_t)-2)
            continue; // more bytes make the character
        if (used == (size_t)-1)
            *character = L'?';
        return 1;
    }
}

static unsigned char interrupt(EditLine *edit, int character) {
    (void)character;
    line_of(edit)->was_interrupted = true;
    fputs("^C\n", stdout);
    return CC_NEWLINE;
}

static unsigned char complete(EditLine *edit, int character) {
    (void)character;
    ct_prompt_line *const l = line_of(edit);
    const LineInfo *const info = l->api->el_line(edit);
    ct_string_builder text, insert, list;
    ct_string_builder_init(&text, l->allocator);
    ct_string_builder_init(&insert, l->allocator);
    ct_string_builder_init(&list, l->allocator);
    ct_string_builder_add_bytes(&text, info->buffer, (uint32_t)(info->cursor - info->buffer));
    l->events.complete(l->events.user, ct_string_builder_text(&text), &insert, &list);
    unsigned char result = CC_NORM;
    if (insert.length != 0) {
        result = l->api->el_insertstr(edit, ct_string_builder_text(&insert)) == 0 ? CC_REFRESH
                                                                                  : CC_ERROR;
    } else if (list.length != 0) {
        printf("\n%s", ct_string_builder_text(&list));
        result = CC_REDISPLAY;
    }
    ct_string_builder_free(&text);
    ct_string_builder_free(&insert);
    ct_string_builder_free(&list);
    return result;
}

// --- Life cycle ----------------------------------------------------------------------------------

// Characters of more than one byte need a locale that knows them.
static void choose_locale(void) {
    if (!setlocale(LC_CTYPE, "") || strcmp(nl_langinfo(CODESET), "UTF-8") != 0)
        setlocale(LC_CTYPE, "C.UTF-8");
}

static void bind_keys(ct_prompt_line *l) {
    const ct_edit_api *const api = l->api;
    api->el_set(l->edit, EL_EDITOR, "emacs");
    api->el_set(l->edit, EL_ADDFN, "cuttle-complete", "complete a name", complete);
    api->el_set(l->edit, EL_ADDFN, "cuttle-interrupt", "drop the line", interrupt);
    api->el_set(l->edit, EL_BIND, "^I", "cuttle-complete", NULL);
    api->el_set(l->edit, EL_BIND, "^C", "cuttle-interrupt", NULL);
    api->el_set(l->edit, EL_BIND, "^R", "em-inc-search-prev", NULL);
}

ct_prompt_line *ct_prompt_line_create(ct_allocator *a, const ct_prompt_line_events *events,
                                      const ct_prompt_history *history, ct_error *error) {
    const ct_edit_api *const api = ct_edit_load(error);
    if (!api)
        return NULL;
    choose_locale();
    ct_os_catch_interrupts();
    ct_prompt_line *const l = CT_NEW(a, ct_prompt_line);
    l->allocator = a;
    l->events = *events;
    l->api = api;
    l->columns = ct_os_terminal_columns(1);
    l->edit = api->el_init("cuttle", stdin, stdout, stderr);
    CT_ASSERT(l->edit, "libedit has no memory%s", "");
    api->el_set(l->edit, EL_CLIENTDATA, l);
    api->el_set(l->edit, EL_GETCFN, read_character);
    api->el_set(l->edit, EL_PROMPT, prompt);
    bind_keys(l);
    HistEvent event;
    l->history = api->history_init();
    CT_ASSERT(l->history, "libedit has no memory%s", "");
    api->history(l->history, &event, H_SETSIZE, CT_PROMPT_HISTORY_LINES);
    api->el_set(l->edit, EL_HIST, api->history, l->history);
    for (uint32_t i = 0; i < history->lines.count; ++i)
        ct_prompt_line_remember(l, history->lines.items[i]);
    return l;
}

void ct_prompt_line_destroy(ct_prompt_line *l) {
    if (!l)
        return;
    l->api->history_end(l->history);
    l->api->el_end(l->edit);
    ct_free_sized(l->allocator, l, sizeof(*l));
}

// --- Reading -------------------------------------------------------------------------------------

ct_prompt_line_result ct_prompt_line_read(ct_prompt_line *l, ct_string_builder *text) {
    int count = 0;
    ct_string_builder_clear(text);
    l->was_interrupted = false;
    l->is_editing = true;
    const char *const line = l->api->el_gets(l->edit, &count);
    l->is_editing = false;
    if (l->was_interrupted)
        return CT_PROMPT_LINE_RESULT_INTERRUPTED;
    if (!line || count <= 0)
        return CT_PROMPT_LINE_RESULT_END;
    ct_string_builder_add_bytes(text, line, (uint32_t)strcspn(line, "\n"));
    return CT_PROMPT_LINE_RESULT_LINE;
}

void ct_prompt_line_remember(ct_prompt_line *l, const char *text) {
    HistEvent event;
    l->api->history(l->history, &event, H_ENTER, text);
}

// --- Room for other output -----------------------------------------------------------------------

// How many places of the terminal `bytes` of UTF-8 take, if each character takes one.
static uint32_t places(const char *text, size_t bytes) {
    uint32_t count = 0;
    for (size_t i = 0; i < bytes; ++i)
        count += (text[i] & 0xc0) != 0x80;
    return count;
}

void ct_prompt_line_hide(ct_prompt_line *l) {
    if (!l || !l->is_editing)
        return;
    const LineInfo *const info = l->api->el_line(l->edit);
    const char *const before = l->events.prompt(l->events.user);
    const uint32_t row = (places(before, strlen(before)) +
                          places(info->buffer, (size_t)(info->cursor - info->buffer))) /
                         l->columns;
    fputs("\r", stdout);
    if (row != 0)
        printf("\033[%uA", row);
    fputs("\033[J", stdout);
}

void ct_prompt_line_show(ct_prompt_line *l) {
    fflush(stdout);
    if (l && l->is_editing)
        l->api->el_set(l->edit, EL_REFRESH);
}
