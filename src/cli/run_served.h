// run_served.h: `cuttle run --host`: options, the wait for the first data, and the server's engine.
#pragma once
#include "cli/command.h"
#include "dev/serve/serve_client.h"

// Returns the token of a command: `option` (may be NULL), else CUTTLE_TOKEN; NULL when neither is
// set. Borrowed.
const char *ct_run_served_token(const char *option);

// Checks the options of `run` that go with --host or exclude it, and that there is a project.
// Returns false with `error`.
bool ct_run_served_check(const ct_command *run, const ct_command_arguments *arguments,
                         ct_error *error);

// Fetches the data that the options of `run` name, and shows progress on standard error. With
// --engine first fetches the server's programs; when its `cuttle` is another than this one, that
// takes the place of this process, with the same arguments. While the server is away, takes data
// and programs that were fetched before, unless there is --require-server. Returns NULL with
// `error`.
ct_serve_client *ct_run_served_start(ct_allocator *a, const ct_command *run,
                                     const ct_command_arguments *arguments, ct_error *error);
