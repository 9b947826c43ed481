#include "save/save_service.h"

#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "foundation/log.h"
#include "foundation/os/os.h"

enum { VERSION = 1, WARNING_BYTES = 1024 };

// --- Shared bytes --------------------------------------------------------------------------------

ct_save_bytes *ct_save_bytes_create(ct_byte_array *bytes) {
    ct_save_bytes *const b = ct_alloc(bytes->allocator, sizeof(*b));
    b->allocator = bytes->allocator;
    b->bytes = *bytes;
    atomic_init(&b->num_holders, 1);
    ct_array_init(bytes, b->allocator);
    return b;
}

ct_save_bytes *ct_save_bytes_hold(ct_save_bytes *b) {
    atomic_fetch_add_explicit(&b->num_holders, 1, memory_order_relaxed);
    return b;
}

void ct_save_bytes_release(ct_save_bytes *b) {
    if (!b || atomic_fetch_sub_explicit(&b->num_holders, 1, memory_order_acq_rel) > 1)
        return;
    ct_array_free(&b->bytes);
    ct_free_sized(b->allocator, b, sizeof(*b));
}

// --- Requests ------------------------------------------------------------------------------------

struct ct_save_request {
    char name[CT_SAVE_NAME_BYTES];
    bool writes;
    bool is_abandoned; // under the lock: nothing waits for it any more
    bool is_replaced;
    ct_save_part parts[CT_SAVE_MAX_SECTIONS];
    uint32_t num_parts;
    atomic_bool is_done;
    ct_error error;
    char warning[WARNING_BYTES];
    ct_save_file *file;
    ct_save_request *next; // in the queue
};

struct ct_save_service {
    ct_allocator *allocator;
    char folder[CT_PATH_BYTES];
    ct_thread thread;
    bool is_running; // the thread was started
    ct_mutex lock;
    ct_condition changed;
    ct_save_request *first, *last; // under the lock, as all that follows
    uint32_t num_waiting;          // in the queue
    uint32_t num_open;             // requests that are not done
    bool must_end;
};

static void release_parts(ct_save_request *r) {
    for (uint32_t i = 0; i < r->num_parts; ++i)
        ct_save_bytes_release(r->parts[i].bytes);
    r->num_parts = 0;
}

static void free_request(ct_save_service *s, ct_save_request *r) {
    release_parts(r);
    ct_save_file_free(r->file);
    ct_free_sized(s->allocator, r, sizeof(*r));
}

static void handle(ct_save_service *s, ct_save_request *r) {
    if (!r->writes) {
        r->file = ct_save_store_read(s->allocator, s->folder, r->name, false, r->warning,
                                     sizeof(r->warning), &r->error);
        if (r->warning[0])
            ct_log_warning("save", "newest_damaged", "%s", r->warning);
        return;
    }
    ct_save_section sections[CT_SAVE_MAX_SECTIONS];
    for (uint32_t i = 0; i < r->num_parts; ++i) {
        const ct_byte_array *const bytes = &r->parts[i].bytes->bytes;
        sections[i] = (ct_save_section){r->parts[i].type, VERSION, bytes->items, bytes->count};
    }
    if (!ct_save_store_write(s->allocator, s->folder, r->name, sections, r->num_parts, &r->error))
        ct_log_error("save", "not_written", "cannot save \"%s\": %s", r->name, r->error.message);
    release_parts(r);
}

static void run(void *data) {
    ct_save_service *const s = data;
    ct_mutex_lock(&s->lock);
    for (;;) {
        while (!s->first && !s->must_end)
            ct_condition_wait(&s->changed, &s->lock);
        ct_save_request *const r = s->first;
        if (!r)
            break;
        s->first = r->next;
        s->last = s->first ? s->last : NULL;
        --s->num_waiting;
        ct_mutex_unlock(&s->lock);
        handle(s, r);
        ct_mutex_lock(&s->lock);
        --s->num_open;
        if (r->is_abandoned)
            free_request(s, r);
        else
            atomic_store_explicit(&r->is_done, true, memory_order_release);
        ct_condition_broadcast(&s->changed);
    }
    ct_mutex_unlock(&s->lock);
}

// --- The service ---------------------------------------------------------------------------------

ct_save_service *ct_save_service_create(ct_allocator *a, const char *folder) {
    ct_save_service *const s = ct_alloc(a, sizeof(*s));
    *s = (ct_save_service){.allocator = a};
    snprintf(s->folder, sizeof(s->folder), "%s", folder);
    ct_mutex_init(&s->lock);
    ct_condition_init(&s->changed);
    return s;
}

void ct_save_service_destroy(ct_save_service *s) {
    if (!s)
        return;
    ct_mutex_lock(&s->lock);
    s->must_end = true;
    ct_condition_broadcast(&s->changed);
    ct_mutex_unlock(&s->lock);
    if (s->is_running)
        ct_thread_join(s->thread);
    ct_condition_shutdown(&s->changed);
    ct_mutex_shutdown(&s->lock);
    ct_free_sized(s->allocator, s, sizeof(*s));
}

const char *ct_save_service_folder(const ct_save_service *s) {
    return s->folder;
}

// Under the lock: puts a write in the place of the one of its slot that waits last. Returns that one, or
// NULL when there is no such write, or a read behind it, which must see what it was asked for.
static ct_save_request *replace_waiting(ct_save_service *s, ct_save_request *r) {
    ct_save_request *before = NULL, *old = NULL, *old_before = NULL;
    for (ct_save_request *at = s->first; at; before = at, at = at->next) {
        if (strcmp(at->name, r->name) == 0) {
            old = at;
            old_before = before;
        }
    }
    if (!old || !old->writes)
        return NULL;
    r->next = old->next;
    if (old_before)
        old_before->next = r;
    else
        s->first = r;
    if (s->last == old)
        s->last = r;
    return old;
}

// Under the lock: puts a request at the end of the queue. Returns false when that is full.
static bool add_last(ct_save_service *s, ct_save_request *r) {
    if (s->num_waiting == CT_SAVE_MAX_WAITING)
        return ct_error_set(&r->error,
                            "%d requests wait already for the thread that saves and loads; start "
                            "fewer at once, and wait until they are done",
                            CT_SAVE_MAX_WAITING);
    if (s->last)
        s->last->next = r;
    else
        s->first = r;
    s->last = r;
    ++s->num_waiting;
    ++s->num_open;
    ct_condition_broadcast(&s->changed);
    return true;
}

// Ends a request that the thread does not have, and will not get.
static void end_unhandled(ct_save_service *s, ct_save_request *r) {
    release_parts(r);
    if (r->is_abandoned)
        free_request(s, r);
    else
        atomic_store_explicit(&r->is_done, true, memory_order_release);
}

static void add(ct_save_service *s, ct_save_request *r) {
    ct_mutex_lock(&s->lock);
    ct_save_request *const old = r->writes ? replace_waiting(s, r) : NULL;
    const bool is_added = old || add_last(s, r);
    ct_mutex_unlock(&s->lock);
    if (old) {
        old->is_replaced = true;
        end_unhandled(s, old);
    }
    if (!is_added) {
        ct_log_error("save", "queue_full", "cannot %s \"%s\": %s", r->writes ? "save" : "load",
                     r->name, r->error.message);
        end_unhandled(s, r);
    }
    if (!s->is_running)
        s->thread = ct_thread_start("saves", run, s);
    s->is_running = true;
}

static ct_save_request *make_request(ct_save_service *s, const char *name) {
    ct_save_request *const r = ct_alloc(s->allocator, sizeof(*r));
    memset(r, 0, sizeof(*r));
    snprintf(r->name, sizeof(r->name), "%s", name);
    atomic_init(&r->is_done, false);
    return r;
}

ct_save_request *ct_save_service_write(ct_save_service *s, const char *name,
                                       const ct_save_part *parts, uint32_t count) {
    CT_ASSERT(count <= CT_SAVE_MAX_SECTIONS, "%u sections are too many", count);
    ct_save_request *const r = make_request(s, name);
    r->writes = true;
    r->num_parts = count;
    for (uint32_t i = 0; i < count; ++i)
        r->parts[i] = (ct_save_part){parts[i].type, ct_save_bytes_hold(parts[i].bytes)};
    add(s, r);
    return r;
}

ct_save_request *ct_save_service_read(ct_save_service *s, const char *name) {
    ct_save_request *const r = make_request(s, name);
    add(s, r);
    return r;
}

bool ct_save_request_is_done(const ct_save_request *r) {
    return atomic_load_explicit(&r->is_done, memory_order_acquire);
}

bool ct_save_request_writes(const ct_save_request *r) {
    return r->writes;
}

const char *ct_save_request_name(const ct_save_request *r) {
    return r->name;
}

const char *ct_save_request_error(const ct_save_request *r) {
    return r->error.message;
}

const char *ct_save_request_warning(const ct_save_request *r) {
    return r->warning;
}

bool ct_save_request_is_replaced(const ct_save_request *r) {
    return r->is_replaced;
}

const ct_save_file *ct_save_request_file(const ct_save_request *r) {
    return r->file;
}

void ct_save_request_free(ct_save_service *s, ct_save_request *r) {
    ct_mutex_lock(&s->lock);
    const bool is_done = ct_save_request_is_done(r);
    r->is_abandoned = !is_done;
    ct_mutex_unlock(&s->lock);
    if (is_done)
        free_request(s, r);
}

void ct_save_service_wait(ct_save_service *s) {
    ct_mutex_lock(&s->lock);
    while (s->num_open > 0)
        ct_condition_wait(&s->changed, &s->lock);
    ct_mutex_unlock(&s->lock);
}
