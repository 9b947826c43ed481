// http_client.c: the update thread's side: slots, ids, what is handed over.
#include "web/http/http_client.h"

#include "foundation/log.h"
#include "foundation/memory/proxy_allocator.h"
#include "web/http/http_private.h"

enum { SLOT_BITS = 16 };

// --- Lists ---------------------------------------------------------------------------------------

void ct_http_push(ct_http_list *list, ct_http_job *job) {
    job->next = NULL;
    *(list->last ? &list->last->next : &list->first) = job;
    list->last = job;
    ++list->count;
}

ct_http_job *ct_http_pop(ct_http_list *list) {
    ct_http_job *const job = list->first;
    if (!job)
        return NULL;
    list->first = job->next;
    if (!list->first)
        list->last = NULL;
    --list->count;
    job->next = NULL;
    return job;
}

void ct_http_move_all(ct_http_list *list, ct_http_list *from) {
    if (!from->first)
        return;
    *(list->last ? &list->last->next : &list->first) = from->first;
    list->last = from->last;
    list->count += from->count;
    *from = (ct_http_list){0};
}

// --- The client ----------------------------------------------------------------------------------

static ct_http_limits with_defaults(ct_http_limits limits) {
    const ct_http_limits defaults = {.max_running = 32,
                                     .max_redirects = 5,
                                     .max_response_bytes = 64 << 20,
                                     .max_held_bytes = 256 << 20,
                                     .max_header_bytes = 128 << 10,
                                     .max_response_headers = 256};
#define CT_DEFAULT(member) limits.member = limits.member ? limits.member : defaults.member
    CT_DEFAULT(max_running);
    CT_DEFAULT(max_redirects);
    CT_DEFAULT(max_response_bytes);
    CT_DEFAULT(max_held_bytes);
    CT_DEFAULT(max_header_bytes);
    CT_DEFAULT(max_response_headers);
#undef CT_DEFAULT
    return limits;
}

static bool has_proxy(void) {
    static const char *const names[] = {"http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy",
                                        "ALL_PROXY"};
    for (uint32_t i = 0; i < CT_COUNT_OF(names); ++i)
        if (ct_os_environment(names[i]))
            return true;
    return false;
}

ct_http *ct_http_create(const ct_http_desc *desc) {
    ct_allocator *const a = ct_proxy_allocator_create(desc->allocator, "http");
    ct_http *const h = CT_NEW(a, ct_http);
    h->allocator = a;
    h->rules = desc->rules;
    h->limits = with_defaults(desc->limits);
    h->ca_path = desc->ca_path ? ct_copy_string(a, desc->ca_path) : NULL;
    h->curl = ct_curl_load(&h->load_error);
    h->multi = h->curl ? h->curl->curl_multi_init() : NULL;
    if (h->curl && !h->multi) {
        ct_error_set(&h->load_error, "libcurl does not start: it has no memory");
        h->curl = NULL;
    }
    h->has_proxy = !desc->rules->is_strict && has_proxy();
    ct_array_init(&h->slots, a);
    ct_array_push(&h->slots, (ct_http_slot){0});
    ct_mutex_init(&h->mutex);
    return h;
}

static void stop_thread(ct_http *h) {
    if (!h->is_started)
        return;
    ct_mutex_lock(&h->mutex);
    h->is_ending = true;
    ct_mutex_unlock(&h->mutex);
    h->curl->curl_multi_wakeup(h->multi);
    ct_thread_join(h->thread);
}

void ct_http_destroy(ct_http *h) {
    if (!h)
        return;
    for (uint32_t i = 1; i < h->slots.count; ++i)
        if (h->slots.items[i].job)
            atomic_store(&h->slots.items[i].job->is_cancelled, true);
    stop_thread(h);
    if (h->multi)
        h->curl->curl_multi_cleanup(h->multi);
    ct_http_move_all(&h->outbox, &h->inbox);
    ct_http_update(h);
    for (uint32_t i = 1; i < h->slots.count; ++i)
        if (h->slots.items[i].job)
            ct_http_free_job(h->slots.items[i].job);
    ct_allocator *const a = h->allocator;
    ct_mutex_shutdown(&h->mutex);
    ct_array_free(&h->slots);
    ct_free(a, h->ca_path);
    ct_free_sized(a, h, sizeof(*h));
    ct_proxy_allocator_destroy(a);
}

// --- Slots ---------------------------------------------------------------------------------------

// Returns the slot of an id; NULL: it is not known.
static ct_http_slot *slot_of(const ct_http *h, ct_http_id id) {
    const uint64_t place = id.value & ((1u << SLOT_BITS) - 1);
    if (place == 0 || place >= h->slots.count)
        return NULL;
    ct_http_slot *const slot = &h->slots.items[place];
    return slot->job && slot->generation == id.value >> SLOT_BITS ? slot : NULL;
}

static void free_slot(ct_http *h, ct_http_slot *slot) {
    *slot = (ct_http_slot){.generation = slot->generation, .next_free = h->first_free};
    h->first_free = (uint32_t)(slot - h->slots.items);
    --h->num_known;
}

// Closes the request that has been finished for the longest time. Returns false when all run.
static bool close_oldest(ct_http *h) {
    ct_http_slot *oldest = NULL;
    for (uint32_t i = 1; i < h->slots.count; ++i) {
        ct_http_slot *const slot = &h->slots.items[i];
        if (slot->job && slot->finish_number &&
            (!oldest || slot->finish_number < oldest->finish_number))
            oldest = slot;
    }
    return oldest && ct_http_close(h, oldest->job->id);
}

// Returns a free slot, of which there is one.
static uint32_t take_slot(ct_http *h) {
    uint32_t place = h->first_free;
    if (place)
        h->first_free = h->slots.items[place].next_free;
    else
        ct_array_push(&h->slots, (ct_http_slot){0}), place = h->slots.count - 1;
    ++h->num_known;
    return place;
}

// --- Requests ------------------------------------------------------------------------------------

static void hand_over(ct_http *h, ct_http_job *job) {
    ct_mutex_lock(&h->mutex);
    ct_http_push(&h->inbox, job);
    ct_mutex_unlock(&h->mutex);
    if (!h->is_started)
        h->thread = ct_thread_start("http", ct_http_run, h);
    h->is_started = true;
    h->curl->curl_multi_wakeup(h->multi);
}

// Returns false when the job has failed: the library is missing, or the host is not allowed.
static bool is_possible(const ct_http *h, ct_http_job *job) {
    ct_url url;
    ct_error why = h->load_error;
    if (h->curl && ct_http_read_url(job->url, &url, &why) && ct_http_check_host(h, &url, &why))
        return true;
    ct_log_warning("web", "web_request", "a request fails: %s", why.message);
    return ct_http_fail(job, "%s", why.message);
}

ct_http_id ct_http_start(ct_http *h, const ct_http_request *request, ct_error *error) {
    ct_http_job *const job = ct_http_make_job(h, request, error);
    if (!job)
        return (ct_http_id){0};
    if (h->num_known == CT_HTTP_MAX_REQUESTS && !close_oldest(h)) {
        ct_http_free_job(job);
        ct_error_set(error, "%d requests run, which is the most; close some, or wait for them",
                     (int)CT_HTTP_MAX_REQUESTS);
        return (ct_http_id){0};
    }
    const uint32_t place = take_slot(h);
    ct_http_slot *const slot = &h->slots.items[place];
    *slot = (ct_http_slot){.job = job, .generation = slot->generation + 1};
    job->id = (ct_http_id){(uint64_t)slot->generation << SLOT_BITS | place};
    if (is_possible(h, job))
        hand_over(h, job);
    else
        slot->finish_number = ++h->num_finished;
    return job->id;
}

void ct_http_update(ct_http *h) {
    ct_mutex_lock(&h->mutex);
    ct_http_list list = h->outbox;
    h->outbox = (ct_http_list){0};
    ct_mutex_unlock(&h->mutex);
    for (ct_http_job *job = ct_http_pop(&list); job; job = ct_http_pop(&list)) {
        ct_http_slot *const slot = slot_of(h, job->id);
        if (slot)
            slot->finish_number = ++h->num_finished;
        else
            ct_http_free_job(job);
    }
}

ct_http_state ct_http_state_of(const ct_http *h, ct_http_id id) {
    const ct_http_slot *const slot = slot_of(h, id);
    if (!slot)
        return CT_HTTP_STATE_NONE;
    return slot->finish_number ? slot->job->state : CT_HTTP_STATE_RUNNING;
}

const ct_http_response *ct_http_response_of(const ct_http *h, ct_http_id id) {
    const bool is_done = ct_http_state_of(h, id) == CT_HTTP_STATE_DONE;
    return is_done ? &slot_of(h, id)->job->response : NULL;
}

const char *ct_http_error_of(const ct_http *h, ct_http_id id) {
    const bool has_failed = ct_http_state_of(h, id) == CT_HTTP_STATE_FAILED;
    return has_failed ? slot_of(h, id)->job->error.message : NULL;
}

ct_http_progress ct_http_progress_of(const ct_http *h, ct_http_id id) {
    ct_http_slot *const slot = slot_of(h, id);
    if (!slot)
        return (ct_http_progress){0};
    return (ct_http_progress){.received_bytes = atomic_load(&slot->job->received_bytes),
                              .expected_bytes = atomic_load(&slot->job->expected_bytes),
                              .sent_bytes = atomic_load(&slot->job->sent_bytes)};
}

bool ct_http_close(ct_http *h, ct_http_id id) {
    ct_http_slot *const slot = slot_of(h, id);
    if (!slot)
        return false;
    ct_http_job *const job = slot->job;
    const bool is_running = slot->finish_number == 0;
    free_slot(h, slot);
    if (is_running) { // it comes back by the outbox
        atomic_store(&job->is_cancelled, true);
        h->curl->curl_multi_wakeup(h->multi);
    } else {
        ct_http_free_job(job);
    }
    return true;
}

uint32_t ct_http_count(const ct_http *h) {
    return h->num_known;
}
