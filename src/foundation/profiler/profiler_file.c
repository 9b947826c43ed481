#include "foundation/profiler/profiler_file.h"

#include <stdio.h>

#include "foundation/error.h"
#include "foundation/memory/proxy_allocator.h"
#include "foundation/os/os.h"
#include "foundation/os/path.h"
#include "foundation/profiler/profiler_follower.h"
#include "foundation/profiler/profiler_trace.h"

enum { WRITE_BYTES = 256 << 10 };

struct ct_profiler_file {
    ct_allocator *allocator; // proxy
    char path[CT_PATH_BYTES];
    int file;
    ct_profiler_follower follower;
    // Used by the follower's thread:
    ct_profiler_trace trace;
    bool has_failed;
    ct_error error;
};

// Writes the text of the trace when there is much of it, or all with `is_all`. False with `error`.
static bool flush(ct_profiler_trace *t, int file, bool is_all, ct_error *error) {
    if (t->text.length < WRITE_BYTES && !is_all)
        return true;
    const bool is_written = ct_os_file_write(file, t->text.text, t->text.length, error);
    ct_string_builder_clear(&t->text);
    return is_written;
}

// --- Recording to a file -------------------------------------------------------------------------

static void write_frame(void *user, const ct_profiler_frame *frame) {
    ct_profiler_file *const f = user;
    if (f->has_failed) // ignore them
        return;
    ct_profiler_trace_add(&f->trace, frame);
    f->has_failed = !flush(&f->trace, f->file, false, &f->error);
}

ct_profiler_file *ct_profiler_file_start(ct_allocator *a, const char *path, ct_error *error) {
    const int file = ct_os_file_open_write(path, error);
    if (file < 0)
        return NULL;
    ct_allocator *const allocator = ct_proxy_allocator_create(a, "profiler_file");
    ct_profiler_file *const f = CT_NEW(allocator, ct_profiler_file);
    f->allocator = allocator;
    f->file = file;
    snprintf(f->path, sizeof(f->path), "%s", path);
    ct_profiler_trace_init(&f->trace, allocator);
    ct_profiler_follower_start(&f->follower, a, "profiler file", write_frame, f);
    return f;
}

bool ct_profiler_file_stop(ct_profiler_file *f, ct_error *error) {
    const uint64_t num_missed = ct_profiler_follower_stop(&f->follower);
    if (!f->has_failed) {
        ct_profiler_trace_end(&f->trace, num_missed);
        f->has_failed = !flush(&f->trace, f->file, true, &f->error);
    }
    const bool is_written = !f->has_failed;
    if (!is_written)
        ct_error_set(error, "cannot write %s: %s", f->path, f->error.message);
    ct_os_file_close(f->file);
    ct_profiler_trace_free(&f->trace);
    ct_allocator *const allocator = f->allocator;
    ct_free_sized(allocator, f, sizeof(*f));
    ct_proxy_allocator_destroy(allocator);
    return is_written;
}

// --- The last frames -----------------------------------------------------------------------------

// Only up to the newest frame at the start: a recording may go on meanwhile.
static bool write_all(ct_profiler_reader *r, ct_profiler_trace *t, uint64_t end_sequence, int file,
                      ct_error *error) {
    const ct_profiler_frame *frame;
    while (r->next_sequence < end_sequence && (frame = ct_profiler_reader_next(r))) {
        ct_profiler_trace_add(t, frame);
        if (!flush(t, file, false, error))
            return false;
    }
    ct_profiler_trace_end(t, r->num_missed);
    return flush(t, file, true, error);
}

bool ct_profiler_dump(ct_allocator *a, const char *path, uint64_t *num_frames, ct_error *error) {
    ct_profiler_reader reader, end;
    ct_profiler_reader_init(&reader, a);
    ct_profiler_reader_init_at_end(&end, a);
    const uint64_t end_sequence = end.next_sequence;
    ct_profiler_reader_free(&end);
    if (reader.next_sequence == end_sequence) {
        ct_profiler_reader_free(&reader);
        return ct_error_set(error, "no frames were recorded");
    }
    const int file = ct_os_file_open_write(path, error);
    if (file < 0) {
        ct_profiler_reader_free(&reader);
        return false;
    }
    ct_profiler_trace trace;
    ct_profiler_trace_init(&trace, a);
    const bool is_written = write_all(&reader, &trace, end_sequence, file, error);
    *num_frames = trace.num_frames;
    ct_profiler_trace_free(&trace);
    ct_profiler_reader_free(&reader);
    ct_os_file_close(file);
    return is_written;
}
