// check_run.h: checks a project's compiled data for `cuttle check`.
//
// Every package is loaded and unloaded, every level opened, every unit spawned, and the game itself
// run, each for some frames, in an engine that is a process of its own. An engine that crashes or
// hangs is a finding, and a new engine continues with the rest. Units run in batches; when
// a batch has an error, each of its units runs alone, so that errors name a unit. A resource that
// needs something that has never compiled is not checked, and a line on standard error says so.
#pragma once
#include "cli/check/check_process.h"

typedef struct ct_check_desc {
    ct_check_process_desc process;
    const char *only; // "package", "level", "unit", "game", or "KIND:NAME"; NULL: all
} ct_check_desc;

// Returns true when `only` has a form that ct_check_desc.only accepts.
bool ct_check_is_kind(const char *only);

// Checks the project. Appends findings, writes them to standard error as they come, and fills
// `counts` except its seconds. Returns false with `error` when the rest cannot be checked: the
// engine does not start, or there is no data.
bool ct_check_run(const ct_check_desc *desc, ct_finding_array *findings, ct_check_counts *counts,
                  ct_error *error);
