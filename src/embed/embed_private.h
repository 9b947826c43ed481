// embed_private.h: the state of an engine in another program (cuttle/cuttle.h), shared by the files of
// this folder.
//
// The parts are those of `cuttle run`: an app, and the development part (dev.h), whose messages come
// from the program instead of a socket. Both exist from create to destroy.
#pragma once
#include <cuttle/cuttle.h>

#include "app/app.h"
#include "dev/dev.h"
#include "foundation/container/ring.h"
#include "foundation/error.h"
#include "foundation/os/os.h"
#include "foundation/os/path.h"
#include "foundation/string/string_builder.h"

enum { CT_EMBED_MAX_SIDE = 16384 }; // pixels

// What a desc says, checked and copied.
typedef struct ct_embed_settings {
    char data_folder[CT_PATH_BYTES];
    char project_folder[CT_PATH_BYTES]; // "": none
    char plugin_folder[CT_PATH_BYTES];  // "": the project's
    ct_string_builder strings;          // of what follows, each with its zero
    const char *boot_script;            // or NULL
    const char **arguments;             // borrow `strings`
    uint32_t num_arguments;
} ct_embed_settings;

// The messages for the program, oldest first.
typedef struct ct_embed_messages {
    ct_ring texts; // of ct_string_builder
    uint64_t bytes;
    ct_string_builder received; // what the program has
    bool has_overflowed;        // and was warned of, until it receives again
} ct_embed_messages;

// The last picture. The render thread writes it, the program reads it after a flush.
typedef struct ct_embed_picture {
    ct_mutex lock;
    uint8_t *pixels; // RGBA; NULL: no picture
    uint32_t width, height;
    bool is_empty; // the frame drew nothing
} ct_embed_picture;

struct cuttle_engine {
    ct_allocator *allocator;
    ct_embed_settings settings;
    int64_t thread; // that made it
    void *locale;   // of the program, while a call is at work
    bool is_busy;   // a function of the API is at work: log callbacks may not call another
    bool has_ended; // the game has quit and shut down
    cuttle_log_function log;
    void *log_user;
    char first_error[CT_ERROR_MESSAGE_BYTES]; // of the log, while the engine is made
    ct_dev *dev;
    ct_app_hooks dev_hooks;
    ct_app *app;
    bool keeps_pictures;
    ct_embed_picture picture;
    ct_embed_messages messages;
};

// --- Calls (embed.c) -----------------------------------------------------------------------------

// Begins a call of the API, in the locale of C: returns whether `engine` lives, belongs to this thread and is not inside
// another call. Otherwise fills `error`, which may be NULL. What it began, ct_embed_end_call ends.
bool ct_embed_begin_call(cuttle_engine *engine, cuttle_engine_error *error);

// Ends a call that has begun. Copies `found`, if `is_done` is false, to `error`, which may be NULL.
// Returns `is_done`.
bool ct_embed_end_call(cuttle_engine *engine, bool is_done, const ct_error *found,
                       cuttle_engine_error *error);

// Copies an error to the program's, which may be NULL. Always returns false.
bool ct_embed_fail(cuttle_engine_error *error, const ct_error *found);

// --- Desc (embed_desc.c) -------------------------------------------------------------------------

// Copies `given`, which may be from an older or newer header, to `desc` and checks what needs no
// engine. Returns false with `error`, which says what was found and what is expected.
bool ct_embed_read_desc(const cuttle_engine_desc *given, cuttle_engine_desc *desc, ct_error *error);

// Returns whether a picture can have this size; otherwise fills `error`.
bool ct_embed_check_size(uint32_t width, uint32_t height, ct_error *error);

// Copies the strings of a desc that was read, and finds the folders. ct_embed_settings_free frees
// `settings`, also after a failure.
bool ct_embed_settings_init(ct_embed_settings *settings, ct_allocator *a,
                            const cuttle_engine_desc *desc, ct_error *error);

// Frees what the settings hold.
void ct_embed_settings_free(ct_embed_settings *settings);

// --- Messages (embed_messages.c) -----------------------------------------------------------------

// Makes an empty queue.
void ct_embed_messages_init(ct_embed_messages *messages, ct_allocator *a);

// Frees all messages.
void ct_embed_messages_free(ct_embed_messages *messages);

// Adds a message for the program. When too many wait, drops it with a warning.
void ct_embed_messages_add(ct_embed_messages *messages, const char *json, uint32_t bytes);

// --- Picture (embed_picture.c) -------------------------------------------------------------------

// Makes the picture of an engine that has drawn no frame yet.
void ct_embed_picture_init(ct_embed_picture *picture);

// Frees the picture of an engine whose renderer is gone.
void ct_embed_picture_free(ct_embed_picture *picture);

// Asks the renderer for the picture of the frame that is being recorded.
void ct_embed_picture_request(cuttle_engine *engine);
