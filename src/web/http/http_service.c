// http_service.c: the thread that runs requests.
#include "web/http/http_private.h"

enum { POLL_MS = 1000, POLL_WAITING_MS = 100 };
#define LOOK_NS UINT64_C(100000000)

static void hand_back(ct_http *h, ct_http_job *job) {
    ct_mutex_lock(&h->mutex);
    ct_http_push(&h->outbox, job);
    ct_mutex_unlock(&h->mutex);
}

// Takes new jobs. Returns false when the client ends.
static bool take_inbox(ct_http *h) {
    ct_mutex_lock(&h->mutex);
    const bool goes_on = !h->is_ending;
    ct_http_move_all(&h->waiting, &h->inbox);
    ct_mutex_unlock(&h->mutex);
    return goes_on;
}

// Hands back a job that is over before it began. Returns whether it is.
static bool is_over(ct_http_job *job, uint64_t now) {
    if (atomic_load(&job->is_cancelled))
        ct_http_fail(job, "the request was closed");
    else if (now >= job->deadline_ns)
        ct_http_fail(job, "no answer within %g s: the request had to wait for others",
                     (double)(job->deadline_ns - job->start_ns) * 1e-9);
    else
        return false;
    hand_back(job->client, job);
    return true;
}

// Ends jobs that have waited too long.
static void look_through_waiting(ct_http *h) {
    const uint64_t now = ct_os_time_ns();
    if (now - h->looked_ns < LOOK_NS)
        return;
    h->looked_ns = now;
    ct_http_list left = {0};
    for (ct_http_job *job = ct_http_pop(&h->waiting); job; job = ct_http_pop(&h->waiting))
        if (!is_over(job, now))
            ct_http_push(&left, job);
    h->waiting = left;
}

static void start_waiting(ct_http *h) {
    const uint64_t now = ct_os_time_ns();
    while (h->waiting.first && h->running.count < h->limits.max_running) {
        ct_http_job *const job = ct_http_pop(&h->waiting);
        if (is_over(job, now))
            continue;
        if (ct_http_begin(job))
            ct_http_push(&h->running, job);
        else
            hand_back(h, job);
    }
}

static void take_out(ct_http_list *list, ct_http_job *job) {
    ct_http_list left = {0};
    for (ct_http_job *i = ct_http_pop(list); i; i = ct_http_pop(list))
        if (i != job)
            ct_http_push(&left, i);
    *list = left;
}

// Takes what libcurl has finished.
static void take_finished(ct_http *h) {
    int num_left;
    for (CURLMsg *m; (m = h->curl->curl_multi_info_read(h->multi, &num_left));) {
        ct_http_job *job = NULL;
        h->curl->curl_easy_getinfo(m->easy_handle, CURLINFO_PRIVATE, (char **)&job);
        if (m->msg != CURLMSG_DONE || !ct_http_finish(job, m->data.result))
            continue;
        take_out(&h->running, job);
        hand_back(h, job);
    }
}

// Takes jobs that were closed, or all at the end, off libcurl.
static void drop_running(ct_http *h, bool is_all) {
    ct_http_list left = {0};
    for (ct_http_job *job = ct_http_pop(&h->running); job; job = ct_http_pop(&h->running)) {
        if (!is_all && !atomic_load(&job->is_cancelled)) {
            ct_http_push(&left, job);
            continue;
        }
        ct_http_leave(job);
        ct_http_fail(job, "the request was closed");
        hand_back(h, job);
    }
    h->running = left;
}

void ct_http_run(void *client) {
    ct_http *const h = client;
    while (take_inbox(h)) {
        drop_running(h, false);
        look_through_waiting(h);
        start_waiting(h);
        int num_running = 0;
        h->curl->curl_multi_perform(h->multi, &num_running);
        take_finished(h);
        const bool starts_more = h->waiting.first && h->running.count < h->limits.max_running;
        if (!starts_more)
            h->curl->curl_multi_poll(h->multi, NULL, 0,
                                     h->waiting.first ? POLL_WAITING_MS : POLL_MS, NULL);
    }
    drop_running(h, true);
    for (ct_http_job *job = ct_http_pop(&h->waiting); job; job = ct_http_pop(&h->waiting))
        hand_back(h, job);
}
