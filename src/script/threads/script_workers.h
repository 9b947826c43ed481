// script_workers.h: the life of a worker. Update thread.
#pragma once
#include "script/threads/script_threads_private.h"

// Makes a worker with its Lua state, and ends one; no job may be open.
ct_script_worker *ct_script_worker_create(struct ct_script_threads *t, uint32_t number);
void ct_script_worker_destroy(ct_script_worker *w);

// Call state_made and state_ends of the debug hooks, if there are any.
void ct_script_worker_note_made(ct_script_worker *w);
void ct_script_worker_note_end(ct_script_worker *w);

// Begins a new frame, has the worker run scripts that changed, and those of the jobs of this run that
// it does not have. Fails jobs whose script does.
void ct_script_worker_prepare(ct_script_worker *w);
