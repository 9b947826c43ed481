// dev.h: runs a game in development: connects compiler, hot reload and console to the app.
//
// Compiles the project, then runs it with hooks: a service thread watches project and core,
// compiles what was saved and hands the changed resources to the frame boundary; the console server
// takes messages there too; the overlay draws over the game's picture. A save that does not compile
// is logged and changes nothing. Data of a file server (serve/serve_client.h) changes at the frame
// boundary, too.
#pragma once
#include "app/app.h"
#include "compiler/driver/compiler.h"
#include "foundation/string/string_builder.h"

struct ct_serve_client;

typedef struct ct_dev_desc {
    ct_allocator *allocator;
    const char *project_folder;
    const char *core_folder;
    ct_compiler *compiler;          // lent while the app runs; NULL: no hot reload
    struct ct_serve_client *served; // the file server's data, lent likewise; NULL: none
    uint16_t port;                  // the first to try
    bool console;                   // listen
    const char *console_address;    // where it listens besides 127.0.0.1, or NULL: nowhere
    const char *console_token;      // that programs elsewhere must send, or NULL
    const char *pages_folder;       // of the pages that a browser gets, or NULL: none
    bool waits_for_debugger;        // for 10 seconds at most, before the boot script runs
} ct_dev_desc;

typedef struct ct_dev ct_dev;

// Starts the console server and the watcher. If one cannot start, logs a warning, and the game runs
// without it.
ct_dev *ct_dev_create(const ct_dev_desc *desc);

// Ends the watcher, the console server, and a recording that a console command started; NULL is
// fine. Cancels the compiler. Call it after ct_app_run.
void ct_dev_destroy(ct_dev *dev);

// Returns the hooks for ct_app_run. They borrow `dev`.
ct_app_hooks ct_dev_hooks(ct_dev *dev);

// Handles a message of the console's protocol that came from this program instead of a connection, as
// ct_console_handle does: appends the answer, if there is one, to `answer`. Returns false with
// `error` when the message is not an object. Call it at a frame boundary.
bool ct_dev_handle(ct_dev *dev, ct_app *app, const char *json, uint32_t bytes,
                   ct_string_builder *answer, ct_error *error);

// Returns the port that the console listens at; 0 when it does not listen.
uint16_t ct_dev_port(const ct_dev *dev);
