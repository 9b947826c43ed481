// Call stacks of a running process.
#include "foundation/crash/crash.h"
#include "foundation/crash/crash_symbols.h"
#include "foundation/crash/crash_text.h"
#include "foundation/error.h"

#include <pthread.h>
#include <unistd.h>

// The modules stay open: reading them takes longer than all frames of a leak report.
static pthread_mutex_t symbols_lock = PTHREAD_MUTEX_INITIALIZER;
static ct_crash_symbols *living_symbols;

void ct_crash_format_stack(char *text, uint32_t bytes, const uint64_t *frames, uint32_t count,
                           const char *indent) {
    CT_ASSERT(bytes > 0, "the buffer for a call stack has %u bytes", bytes);
    pthread_mutex_lock(&symbols_lock);
    if (!living_symbols)
        living_symbols = ct_crash_symbols_open(getpid());
    ct_crash_text t = ct_crash_text_over(text, bytes);
    // A return address may belong to the next line or function; the byte before it is in the call.
    for (uint32_t i = 0; i < count; ++i)
        ct_crash_symbols_add_frame(&t, living_symbols, getpid(), frames[i] - 1, indent);
    pthread_mutex_unlock(&symbols_lock);
}
