// The members of messages.

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "dev/debugger/debugger_private.h"
#include "foundation/sjson/sjson_number.h"

enum {
    // Threads below are numbered by the state, others behind all these.
    THREADS_OF_STATE = 100000,
    FIRST_OTHER_THREAD = 10000000,
    NUM_STATES = 128, // a power of two above CT_DEBUGGER_MAX_STATES
};

// What was found in place of a member.
static const char *found_text(const ct_debugger_request *r, ct_sjson_value value, char text[64]) {
    const ct_sjson_type type = ct_sjson_type_of(r->doc, value);
    if (type != CT_SJSON_TYPE_NUMBER)
        return ct_sjson_type_name(type);
    text[ct_sjson_number_format(ct_sjson_number(r->doc, value, 0), text)] = '\0';
    return text;
}

bool ct_debugger_take_number(ct_debugger_request *r, ct_sjson_value object, const char *key,
                             double least, double most, const double *otherwise, double *number) {
    char found[64];
    const ct_sjson_value value = ct_sjson_find(r->doc, object, key);
    if (value.entry == 0 && otherwise) {
        *number = *otherwise;
        return true;
    }
    *number = ct_sjson_number(r->doc, value, NAN);
    if (*number >= least && *number <= most)
        return true;
    return ct_error_set(r->error, "\"%s\" is %s; expected a number from %.15g to %.15g", key,
                        found_text(r, value, found), least, most);
}

bool ct_debugger_take_whole(ct_debugger_request *r, ct_sjson_value object, const char *key,
                            uint32_t least, uint32_t most, const uint32_t *otherwise,
                            uint32_t *number) {
    char found[64];
    const ct_sjson_value value = ct_sjson_find(r->doc, object, key);
    if (value.entry == 0 && otherwise) {
        *number = *otherwise;
        return true;
    }
    const double given = ct_sjson_number(r->doc, value, NAN);
    if (given >= least && given <= most && given == floor(given)) {
        *number = (uint32_t)given;
        return true;
    }
    return ct_error_set(r->error, "\"%s\" is %s; expected a whole number from %u to %u", key,
                        found_text(r, value, found), least, most);
}

bool ct_debugger_take_text(ct_debugger_request *r, ct_sjson_value object, const char *key,
                           bool is_needed, const char **text) {
    char found[64];
    const ct_sjson_value value = ct_sjson_find(r->doc, object, key);
    *text = ct_sjson_string(r->doc, value, NULL);
    const ct_sjson_type type = ct_sjson_type_of(r->doc, value);
    if (!*text && (is_needed || (type != CT_SJSON_TYPE_NONE && type != CT_SJSON_TYPE_NULL)))
        return ct_error_set(r->error, "\"%s\" is %s; expected a string", key,
                            found_text(r, value, found));
    if (*text && strlen(*text) != ct_sjson_string_bytes(r->doc, value))
        return ct_error_set(r->error, "\"%s\" has a zero byte; expected a string without", key);
    return true;
}

bool ct_debugger_take_script(ct_debugger_request *r, char script[CT_RESOURCE_NAME_BYTES + 8]) {
    const char *text;
    if (!ct_debugger_take_text(r, r->root, "script", true, &text))
        return false;
    const size_t bytes = strlen(text);
    if (bytes == 0 || bytes >= CT_RESOURCE_NAME_BYTES)
        return ct_error_set(r->error,
                            "\"script\" has %zu bytes; expected 1 to %d, such as "
                            "\"scripts/main.lua\"",
                            bytes, CT_RESOURCE_NAME_BYTES - 1);
    const bool has_end = bytes > 4 && strcmp(text + bytes - 4, ".lua") == 0;
    snprintf(script, CT_RESOURCE_NAME_BYTES + 8, "%s%s", text, has_end ? "" : ".lua");
    return true;
}

bool ct_debugger_take_choice(ct_debugger_request *r, const char *key, const char *const *names,
                             uint32_t count, const uint32_t *otherwise, uint32_t *choice) {
    const char *text;
    if (!ct_debugger_take_text(r, r->root, key, !otherwise, &text))
        return false;
    if (!text) {
        *choice = *otherwise;
        return true;
    }
    for (*choice = 0; *choice < count; ++*choice) {
        if (strcmp(names[*choice], text) == 0)
            return true;
    }
    char all[128] = "";
    for (uint32_t i = 0; i < count; ++i) {
        const size_t used = strlen(all);
        snprintf(all + used, sizeof(all) - used, "%s\"%s\"",
                 i == 0           ? ""
                 : i + 1 == count ? " or "
                                  : ", ",
                 names[i]);
    }
    return ct_error_set(r->error, "\"%s\" is \"%.64s\"; expected %s", key, text, all);
}

// --- Numbers -------------------------------------------------------------------------------------

double ct_debugger_thread_number(uint32_t state, uint32_t thread) {
    if (thread < THREADS_OF_STATE)
        return (double)state * THREADS_OF_STATE + thread;
    return FIRST_OTHER_THREAD + (double)(thread - THREADS_OF_STATE) * NUM_STATES + state;
}

double ct_debugger_number(uint32_t state, uint32_t number) {
    return number == 0 ? 0 : (double)number * NUM_STATES + state;
}

bool ct_debugger_take_thread(ct_debugger_request *r, const double *otherwise, uint32_t *state,
                             uint32_t *thread) {
    double number;
    if (!ct_debugger_take_number(r, r->root, "thread", 1, UINT32_MAX, otherwise, &number))
        return false;
    const uint32_t whole = (uint32_t)number;
    if (whole != number)
        return ct_error_set(r->error, "\"thread\" is %g; expected a whole number", number);
    if (whole < FIRST_OTHER_THREAD) {
        *state = whole / THREADS_OF_STATE;
        *thread = whole % THREADS_OF_STATE;
    } else {
        *state = (whole - FIRST_OTHER_THREAD) % NUM_STATES;
        *thread = (whole - FIRST_OTHER_THREAD) / NUM_STATES + THREADS_OF_STATE;
    }
    if (*state < CT_DEBUGGER_MAX_STATES && r->debugger->states[*state].machine)
        return true;
    return ct_error_set(r->error,
                        "there is no thread %u; expected one that debugger_threads lists, such "
                        "as 1",
                        whole);
}

bool ct_debugger_take_number_of(ct_debugger_request *r, const char *key, const double *otherwise,
                                uint32_t *state, uint32_t *number) {
    double given;
    if (!ct_debugger_take_number(r, r->root, key, otherwise ? 0 : 1, 9007199254740991.0, otherwise,
                                 &given))
        return false;
    if (given != floor(given))
        return ct_error_set(r->error, "\"%s\" is %g; expected a whole number", key, given);
    const double place = floor(given / NUM_STATES);
    *state = (uint32_t)(given - place * NUM_STATES);
    *number = place <= UINT32_MAX ? (uint32_t)place : 0;
    if (given == 0 && otherwise)
        return true;
    if (*number > 0 && *state < CT_DEBUGGER_MAX_STATES && r->debugger->states[*state].machine)
        return true;
    return ct_error_set(r->error,
                        "there is no %s %.15g: its numbers hold until the game goes on; ask for "
                        "new ones",
                        key, given);
}
