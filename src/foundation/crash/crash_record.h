// crash_record.h: the facts that a dying process records; for the crash_*.c files only.
//
// The dying process fills a record without using the heap. The record is in memory shared with the
// helper process, which turns the addresses into lines; without a helper, the process writes the
// addresses itself. Each claims the record before it writes, so that there is one report.
#pragma once
#include "foundation/crash/crash_frames.h"
#include "foundation/crash/crash_symbols.h"

#include <stdatomic.h>

enum {
    CT_CRASH_HEAD_BYTES = 1 << 18,
    CT_CRASH_TAIL_BYTES = 1 << 17,
    CT_CRASH_PATH_BYTES = 4096,
    // Head, tail, and the longest call stack that is written.
    CT_CRASH_REPORT_BYTES = CT_CRASH_HEAD_BYTES + CT_CRASH_TAIL_BYTES + (1 << 17),
};

typedef struct ct_crash_record {
    atomic_bool is_claimed;
    int64_t pid;
    ct_crash_frames frames;
    char head[CT_CRASH_HEAD_BYTES]; // before the call stack: contexts, what happened
    char tail[CT_CRASH_TAIL_BYTES]; // after the call stack: thread, task, log, build
    char report_file[CT_CRASH_PATH_BYTES];
} ct_crash_record;

// Returns true for the first caller, which must write the report.
bool ct_crash_record_claim(ct_crash_record *r);

// Adds the report as text. Without `symbols` (NULL), the frames are raw, and only system calls are
// used. Does not trust the record.
void ct_crash_record_format(const ct_crash_record *r, ct_crash_symbols *symbols, ct_crash_text *t);
