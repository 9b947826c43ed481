// crash_log.h: the last lines of the log, where a dying process can find them; for log.c and the
// crash_*.c files only.
//
// A static ring without locks: each slot is claimed while a line is written to it or read. A line
// whose slot is already claimed is skipped.
#pragma once
#include "foundation/crash/crash_text.h"

enum { CT_CRASH_LOG_LINES = 50, CT_CRASH_LOG_LINE_BYTES = 1024 };

// Keeps a copy of a line, cut to CT_CRASH_LOG_LINE_BYTES; zero bytes become `\x00`. `level` is ""
// or the text before the message, which has `bytes` bytes. Any thread.
void ct_crash_log_add(const char *system, const char *level, const char *message, uint32_t bytes);

// Adds the kept lines, oldest first, as the terminal shows them, each after `indent`; returns how
// many. Safe in a signal handler.
uint32_t ct_crash_log_append(ct_crash_text *t, const char *indent);
