// crash_helper.h: the process that writes the reports; for the crash_*.c files only.
//
// It is forked while the program is small and has one thread, and sleeps on a socket until a report
// is due or this process has ended. It keeps none of this process's files open; the files to write
// to come with the order. `ps` shows it as cuttle-crash.
#pragma once
#include "foundation/crash/crash_output.h"
#include "foundation/crash/crash_record.h"

// Starts the helper. Returns false, with errno, when the system refuses.
bool ct_crash_helper_start(void);

// Returns the record that this process shares with its helper; NULL when it started none (a fork
// does not inherit the helper).
ct_crash_record *ct_crash_helper_record(void);

// Returns the helper's process id, or 0.
int64_t ct_crash_helper_pid(void);

typedef enum ct_crash_helper_result {
    CT_CRASH_HELPER_RESULT_NONE, // the helper is gone: this process may claim the record
    CT_CRASH_HELPER_RESULT_DONE,
    CT_CRASH_HELPER_RESULT_LATE, // the report was not written in time
} ct_crash_helper_result;

// Asks the helper to write the record's report, and waits for it. Uses only system calls.
ct_crash_helper_result ct_crash_helper_report(const ct_crash_output *out, uint32_t limit_ms);

// Waits for the answer of the helper to an order that was late.
ct_crash_helper_result ct_crash_helper_wait(uint32_t limit_ms);

// Ends the helper and waits for it, so that it does not stay in the process list. Uses only system
// calls.
void ct_crash_helper_end(void);
