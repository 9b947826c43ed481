// prompt_filter.h: selects the log messages that a prompt shows.
#pragma once
#include "foundation/log.h"
#include "foundation/types.h"

enum {
    CT_PROMPT_FILTER_SYSTEMS = 8,
    CT_PROMPT_FILTER_SYSTEM_BYTES = 32,
    CT_PROMPT_FILTER_TEXT_BYTES = 128,
};

// Zeroed: all messages are shown.
typedef struct ct_prompt_filter {
    ct_log_level least;
    char systems[CT_PROMPT_FILTER_SYSTEMS][CT_PROMPT_FILTER_SYSTEM_BYTES];
    uint32_t num_systems; // 0: all
    char text[CT_PROMPT_FILTER_TEXT_BYTES];
} ct_prompt_filter;

// Shows messages from this level on: "debug", "info", "warning", "error", or "none" for no message
// at all. False with `error` for other names.
bool ct_prompt_filter_set_level(ct_prompt_filter *f, const char *name, ct_error *error);

// Shows messages of these systems, names separated by blanks or commas; "" shows those of all.
// False with `error`, and nothing changed, when there are too many or one is too long.
bool ct_prompt_filter_set_systems(ct_prompt_filter *f, const char *names, ct_error *error);

// Shows messages that hold `text`, whatever its case; "" shows all. False with `error` when it is
// too long.
bool ct_prompt_filter_set_text(ct_prompt_filter *f, const char *text, ct_error *error);

// Returns whether a message passes. An unknown level passes as an error would.
bool ct_prompt_filter_shows(const ct_prompt_filter *f, const char *level, const char *system,
                            const char *message);
