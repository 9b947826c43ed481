// crash_helper.h: the process that writes the reports; for the crash_*.c files only.
//
// Forked while the program is small and has one thread, it sleeps on a socket until a report is due
// or this process has ended. It holds none of this process's files; those that it writes to come
// with the order. `ps` shows it as cuttle-crash.
#pragma once
#include "foundation/crash/crash_output.h"
#include "foundation/crash/crash_record.h"

// Starts the helper. False, with errno, when the system refuses.
bool ct_crash_helper_start(void);

// The record that this process shares with its helper; NULL when it has started none (a fork has
// none of its own).
ct_crash_record *ct_crash_helper_record(void);

// The helper's process id, or 0.
int64_t ct_crash_helper_pid(void);

typedef enum ct_crash_helper_result {
    CT_CRASH_HELPER_RESULT_NONE, // it is gone: the record is ours to claim
    CT_CRASH_HELPER_RESULT_DONE,
    CT_CRASH_HELPER_RESULT_LATE, // nothing has come of it in time
} ct_crash_helper_result;

// Lets the helper write the record's report, and waits for that. Only system calls.
ct_crash_helper_result ct_crash_helper_report(const ct_crash_output *out, uint32_t limit_ms);

// Waits for the helper's word on an order that was late.
ct_crash_helper_result ct_crash_helper_wait(uint32_t limit_ms);

// Ends the helper and takes it out of the list of processes. Only system calls.
void ct_crash_helper_end(void);
