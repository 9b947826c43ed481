// check_process.h: the process in which `cuttle check` runs an engine, seen from outside.
//
// It is this executable, started as `cuttle check PROJECT --engine PART` with one end of a socket;
// dev/check_engine.h has the messages. A crash of the process becomes a finding here.
#pragma once
#include "cli/check/check_findings.h"
#include "foundation/os/message.h"
#include "foundation/os/os.h"
#include "foundation/os/path.h"

typedef struct ct_check_process_desc {
    ct_allocator *allocator;
    const char *project;     // as the user gave it
    const char *data_folder; // absolute
    uint32_t frames;         // of the game
    double timeout_seconds;  // that the engine may be silent
    bool validation, verbose;
} ct_check_process_desc;

typedef struct ct_check_process {
    ct_check_process_desc desc;
    bool is_running;
    ct_process process;
    int socket;
    ct_message_reader reader;
    char report[CT_PATH_BYTES]; // where a crash would be reported
} ct_check_process;

// The result of a job.
typedef enum ct_check_outcome {
    CT_CHECK_OUTCOME_DONE,
    CT_CHECK_OUTCOME_LOST, // crashed or hung: the process is gone; a finding says so
} ct_check_outcome;

// A job: resources of one kind that are checked together. Strings are borrowed.
typedef struct ct_check_job {
    const char *what;         // "packages", "package", "level", "unit", "game"
    const char *const *names; // empty for the game
    uint32_t num_names;
    uint32_t frames;
} ct_check_job;

// Prepares a process; the first job starts it. The desc's strings are borrowed.
void ct_check_process_init(ct_check_process *p, const ct_check_process_desc *desc);

// Runs a job to its end. Starts the engine when it does not run; "game" has an engine of its own.
// Appends findings, with the job's first name. Returns false with `error` when the engine cannot be
// started at all.
bool ct_check_process_run(ct_check_process *p, const ct_check_job *job, ct_finding_array *findings,
                          ct_check_outcome *outcome, ct_error *error);

// Ends the engine, if it runs; errors that it logs meanwhile are appended.
void ct_check_process_stop(ct_check_process *p, ct_finding_array *findings);

// Kills the engine if it still runs, and frees everything.
void ct_check_process_shutdown(ct_check_process *p);
