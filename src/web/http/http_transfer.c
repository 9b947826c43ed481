// http_transfer.c: a job as a transfer of libcurl, hop by hop.
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "web/http/http_private.h"

enum { CONNECT_MS = 15000, TIMEOUT_SLACK_NS = 50000000 }; // libcurl rounds its times

bool ct_http_fail(ct_http_job *job, const char *format, ...) {
    char message[CT_ERROR_MESSAGE_BYTES];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof(message), format, arguments);
    va_end(arguments);
    ct_http_release(job);
    ct_array_free(&job->received);
    ct_string_builder_free(&job->received_lines);
    job->state = CT_HTTP_STATE_FAILED;
    return ct_error_set(&job->error, "%s", message);
}

// --- Callbacks of libcurl ------------------------------------------------------------------------

// Stops the transfer with a reason; returns 0, with which callbacks say so.
static size_t stop(ct_http_job *job, const ct_error *why) {
    if (job->refusal.message[0] == '\0')
        job->refusal = *why;
    return 0;
}

// Counts bytes of an answer among those of all. Returns false with `error`.
static bool hold(ct_http_job *job, uint64_t bytes, ct_error *error) {
    ct_http *const h = job->client;
    if (atomic_load(&h->held_bytes) + bytes > h->limits.max_held_bytes)
        return ct_error_set(error,
                            "all answers together have more than %llu bytes; close those that were "
                            "read",
                            (unsigned long long)h->limits.max_held_bytes);
    atomic_fetch_add(&h->held_bytes, bytes);
    job->held_bytes += bytes;
    return true;
}

// A line of headers, a status or the empty line behind them. Of a second status (after 100, say) only the
// headers of the last are kept; lines behind the body are not. All are counted.
static size_t on_header(char *line, size_t size, size_t count, void *user) {
    ct_http_job *const job = user;
    const ct_http_limits *const limits = &job->client->limits;
    const size_t all = size * count;
    size_t bytes = all;
    ct_error why = {0};
    while (bytes > 0 && (line[bytes - 1] == '\r' || line[bytes - 1] == '\n'))
        --bytes;
    const bool is_status = bytes >= 5 && memcmp(line, "HTTP/", 5) == 0;
    if (!job->is_in_body)
        job->refusal = (ct_error){0}; // of another address
    job->line_bytes += (uint32_t)all;
    job->num_lines += bytes > 0 && !is_status;
    if (job->line_bytes > limits->max_header_bytes)
        ct_error_set(&why, "the headers of the answer have more than %u bytes",
                     limits->max_header_bytes);
    else if (job->num_lines > limits->max_response_headers)
        ct_error_set(&why, "the answer has more than %u headers", limits->max_response_headers);
    else
        hold(job, all, &why);
    if (why.message[0])
        return stop(job, &why);
    if (job->is_in_body)
        return all;
    if (is_status) {
        ct_string_builder_clear(&job->received_lines);
    } else if (bytes > 0 && !memchr(line, '\0', bytes)) {
        ct_string_builder_add_bytes(&job->received_lines, line, (uint32_t)bytes);
        ct_string_builder_add_char(&job->received_lines, '\0');
    }
    return all;
}

static void set_too_long(const ct_http_job *job, ct_error *error) {
    const bool is_own = job->max_response_bytes < job->client->limits.max_response_bytes;
    ct_error_set(error, "the answer has more than %llu bytes, %s",
                 (unsigned long long)job->max_response_bytes,
                 is_own ? "which is max_bytes of the request" : "which is the most");
}

static size_t on_body(char *bytes, size_t size, size_t count, void *user) {
    ct_http_job *const job = user;
    const size_t all = size * count;
    ct_error why = {0};
    job->is_in_body = true;
    if (job->received.count + all > job->max_response_bytes)
        set_too_long(job, &why);
    else
        hold(job, all, &why);
    if (why.message[0])
        return stop(job, &why);
    ct_array_push_many(&job->received, bytes, all);
    atomic_store(&job->received_bytes, job->received.count);
    return all;
}

static int on_progress(void *user, curl_off_t expected, curl_off_t received, curl_off_t to_send,
                       curl_off_t sent) {
    ct_http_job *const job = user;
    (void)received, (void)to_send;
    atomic_store(&job->expected_bytes, (uint64_t)expected);
    atomic_store(&job->sent_bytes, (uint64_t)sent);
    return atomic_load(&job->is_cancelled);
}

// Looks at an address before libcurl connects to it. A proxy is the choice of the developer.
static curl_socket_t on_socket(void *user, curlsocktype purpose, struct curl_sockaddr *at) {
    ct_http_job *const job = user;
    (void)purpose;
    ct_address address;
    ct_error why = {0};
    if (!ct_address_of_system(&at->addr, at->addrlen, &address))
        return CURL_SOCKET_BAD;
    if (!job->client->has_proxy &&
        !ct_web_rules_check_address(job->client->rules, &job->target.host,
                                    ct_http_port_of(job->target.scheme), &address, &why)) {
        stop(job, &why);
        return CURL_SOCKET_BAD;
    }
    return ct_socket_create(at->family, at->socktype, at->protocol);
}

// --- A hop ---------------------------------------------------------------------------------------

// Notes that an option was refused without which nothing may be sent.
static void need(ct_http_job *job, CURLcode code) {
    if (code != CURLE_OK)
        job->setup_code = code;
}

// Adds "Name: value"; libcurl writes an empty value as "Name;".
static void add_line(ct_http_job *job, const char *name, const char *value) {
    const ct_curl_api *const curl = job->client->curl;
    char line[CT_HTTP_MAX_HEADER_BYTES + 8];
    snprintf(line, sizeof(line), value[0] ? "%s: %s" : "%s;", name, value);
    struct curl_slist *const lines = curl->curl_slist_append(job->lines, line);
    job->lines = lines ? lines : job->lines;
}

// Leaves out a header that libcurl adds by itself.
static void remove_line(ct_http_job *job, const char *name) {
    char line[64];
    snprintf(line, sizeof(line), "%s:", name);
    struct curl_slist *const lines = job->client->curl->curl_slist_append(job->lines, line);
    job->lines = lines ? lines : job->lines;
}

static bool has_header(const ct_http_job *job, const char *name) {
    for (uint32_t i = 0; i < job->num_headers; ++i)
        if (strcasecmp(job->headers[i].name, name) == 0)
            return true;
    return false;
}

static void set_headers(ct_http_job *job) {
    for (uint32_t i = 0; i < job->num_headers; ++i)
        add_line(job, job->headers[i].name, job->headers[i].value);
    remove_line(job, "Expect");
    if (!has_header(job, "Content-Type"))
        remove_line(job, "Content-Type");
    need(job, job->client->curl->curl_easy_setopt(job->easy, CURLOPT_HTTPHEADER, job->lines));
}

static void set_method(ct_http_job *job) {
    const ct_curl_api *const curl = job->client->curl;
    CURL *const easy = job->easy;
    const bool is_head = strcmp(job->method, "HEAD") == 0;
    const bool has_body = job->body_bytes > 0 || strcmp(job->method, "POST") == 0 ||
                          strcmp(job->method, "PUT") == 0 || strcmp(job->method, "PATCH") == 0;
    if (is_head)
        curl->curl_easy_setopt(easy, CURLOPT_NOBODY, 1L);
    if (has_body) {
        curl->curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)job->body_bytes);
        curl->curl_easy_setopt(easy, CURLOPT_POSTFIELDS, job->body ? job->body : "");
    }
    if (!is_head)
        curl->curl_easy_setopt(easy, CURLOPT_CUSTOMREQUEST, job->method);
}

// Writes the URL out of its checked parts: what libcurl reads is what was checked.
static void set_url(ct_http_job *job) {
    ct_string_builder text;
    const ct_url *const url = &job->target;
    const bool has_port = url->host.port != ct_http_port_of(url->scheme);
    ct_string_builder_init(&text, job->client->allocator);
    ct_string_builder_addf(&text, url->host.is_ipv6 ? "%s://[%s]" : "%s://%s", url->scheme,
                           url->host.name);
    if (has_port)
        ct_string_builder_addf(&text, ":%u", url->host.port);
    if (url->path_bytes == 0 || url->path[0] != '/')
        ct_string_builder_add(&text, "/");
    ct_string_builder_add_bytes(&text, url->path, url->path_bytes);
    char *const copy = ct_copy_string(job->client->allocator, ct_string_builder_text(&text));
    ct_string_builder_free(&text);
    ct_free(job->client->allocator, job->url);
    job->url = copy;
    job->target.path = "";
    job->target.path_bytes = 0;
    need(job, job->client->curl->curl_easy_setopt(job->easy, CURLOPT_URL, job->url));
}

static void set_limits(ct_http_job *job) {
    const ct_http *const h = job->client;
    CURL *const easy = job->easy;
    const uint64_t now = ct_os_time_ns();
    const uint64_t left_ms = job->deadline_ns > now ? (job->deadline_ns - now) / 1000000 : 0;
    h->curl->curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
    h->curl->curl_easy_setopt(easy, CURLOPT_QUICK_EXIT, 1L);
    h->curl->curl_easy_setopt(easy, CURLOPT_TIMEOUT_MS, (long)(left_ms > 0 ? left_ms : 1));
    h->curl->curl_easy_setopt(easy, CURLOPT_CONNECTTIMEOUT_MS, (long)CONNECT_MS);
    need(job, h->curl->curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https"));
    h->curl->curl_easy_setopt(easy, CURLOPT_FOLLOWLOCATION, 0L);
    h->curl->curl_easy_setopt(easy, CURLOPT_ACCEPT_ENCODING, "gzip");
    h->curl->curl_easy_setopt(easy, CURLOPT_USERAGENT, "Cuttle");
    need(job, h->curl->curl_easy_setopt(easy, CURLOPT_SSL_VERIFYPEER, 1L));
    need(job, h->curl->curl_easy_setopt(easy, CURLOPT_SSL_VERIFYHOST, 2L));
    if (strcmp(job->method, "HEAD") != 0)
        h->curl->curl_easy_setopt(easy, CURLOPT_MAXFILESIZE_LARGE,
                                  (curl_off_t)job->max_response_bytes);
    if (h->ca_path)
        need(job, h->curl->curl_easy_setopt(easy, CURLOPT_CAINFO, h->ca_path));
    if (h->rules->is_strict) // else the environment names one
        need(job, h->curl->curl_easy_setopt(easy, CURLOPT_PROXY, ""));
}

static void set_callbacks(ct_http_job *job) {
    const ct_curl_api *const curl = job->client->curl;
    CURL *const easy = job->easy;
    curl->curl_easy_setopt(easy, CURLOPT_PRIVATE, job);
    curl->curl_easy_setopt(easy, CURLOPT_ERRORBUFFER, job->curl_error);
    curl->curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, on_header);
    curl->curl_easy_setopt(easy, CURLOPT_HEADERDATA, job);
    curl->curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, on_body);
    curl->curl_easy_setopt(easy, CURLOPT_WRITEDATA, job);
    need(job, curl->curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, on_socket));
    need(job, curl->curl_easy_setopt(easy, CURLOPT_OPENSOCKETDATA, job));
    curl->curl_easy_setopt(easy, CURLOPT_NOPROGRESS, 0L);
    curl->curl_easy_setopt(easy, CURLOPT_XFERINFOFUNCTION, on_progress);
    curl->curl_easy_setopt(easy, CURLOPT_XFERINFODATA, job);
}

static void forget_answer(ct_http_job *job) {
    ct_http_release(job);
    job->received.count = 0;
    job->refusal = (ct_error){0};
    ct_string_builder_clear(&job->received_lines);
    job->num_lines = job->line_bytes = 0;
    job->is_in_body = false;
    job->curl_error[0] = '\0';
    atomic_store(&job->received_bytes, 0);
}

bool ct_http_begin(ct_http_job *job) {
    ct_http *const h = job->client;
    ct_error why = {0};
    if (!ct_http_read_url(job->url, &job->target, &why))
        return ct_http_fail(job, "%s", why.message);
    job->easy = h->curl->curl_easy_init();
    if (!job->easy)
        return ct_http_fail(job, "libcurl has no memory");
    forget_answer(job);
    set_url(job);
    set_limits(job);
    set_callbacks(job);
    set_method(job);
    set_headers(job);
    if (job->setup_code != CURLE_OK) {
        ct_http_leave(job);
        return ct_http_fail(job, "libcurl: %s", h->curl->curl_easy_strerror(job->setup_code));
    }
    const CURLMcode code = h->curl->curl_multi_add_handle(h->multi, job->easy);
    if (code == CURLM_OK)
        return true;
    ct_http_leave(job);
    return ct_http_fail(job, "libcurl: %s", h->curl->curl_multi_strerror(code));
}

void ct_http_leave(ct_http_job *job) {
    const ct_http *const h = job->client;
    if (job->easy) {
        h->curl->curl_multi_remove_handle(h->multi, job->easy);
        h->curl->curl_easy_cleanup(job->easy);
    }
    h->curl->curl_slist_free_all(job->lines);
    job->easy = NULL;
    job->lines = NULL;
}

// --- The end of a hop ----------------------------------------------------------------------------

// Headers that are for one host only.
static void remove_secrets(ct_http_job *job) {
    for (uint32_t i = 0; i < job->num_headers;) {
        ct_http_header *const header = &job->headers[i];
        const bool is_secret = strcasecmp(header->name, "authorization") == 0 ||
                               strcasecmp(header->name, "cookie") == 0;
        if (!is_secret) {
            ++i;
            continue;
        }
        ct_free(job->client->allocator, (char *)header->name);
        ct_free(job->client->allocator, (char *)header->value);
        *header = job->headers[--job->num_headers];
    }
}

// A form that was sent is not sent again to the page that a server answers with; 307 and 308 repeat it.
static void change_method(ct_http_job *job, long status) {
    const bool is_head = strcmp(job->method, "HEAD") == 0;
    const bool becomes_get = (status == 303 && !is_head) ||
                             ((status == 301 || status == 302) && strcmp(job->method, "POST") == 0);
    if (!becomes_get)
        return;
    ct_allocator *const a = job->client->allocator;
    ct_free(a, job->method);
    ct_free(a, job->body);
    job->method = ct_copy_string(a, "GET");
    job->body = NULL;
    job->body_bytes = 0;
}

// Goes to where a server sends the request. Returns false with a job that has failed.
static bool follow(ct_http_job *job, const char *location, long status) {
    const ct_http *const h = job->client;
    const ct_url before = job->target;
    ct_url after;
    ct_error why = {0};
    if (job->num_redirects++ == h->limits.max_redirects)
        return ct_http_fail(job, "the server redirects more than %u times",
                            h->limits.max_redirects);
    if (!ct_http_read_url(location, &after, &why) || !ct_http_check_host(h, &after, &why))
        return ct_http_fail(job, "the server redirects to another address: %s", why.message);
    if (strcmp(before.scheme, "https") == 0 && strcmp(after.scheme, "http") == 0)
        return ct_http_fail(job, "the server redirects from https to http");
    if (strcmp(before.host.name, after.host.name) != 0 || before.host.port != after.host.port ||
        strcmp(before.scheme, after.scheme) != 0)
        remove_secrets(job);
    change_method(job, status);
    char *const url = ct_copy_string(h->allocator, location);
    ct_http_leave(job); // `location` was libcurl's
    ct_free(h->allocator, job->url);
    job->url = url;
    return ct_http_begin(job);
}

static bool explain(ct_http_job *job, CURLcode code) {
    const char *const text =
        job->curl_error[0] ? job->curl_error : job->client->curl->curl_easy_strerror(code);
    if (job->refusal.message[0])
        return ct_http_fail(job, "%s", job->refusal.message);
    if (code == CURLE_OPERATION_TIMEDOUT && ct_os_time_ns() + TIMEOUT_SLACK_NS >= job->deadline_ns)
        return ct_http_fail(job, "no answer within %g s",
                            (double)(job->deadline_ns - job->start_ns) * 1e-9);
    ct_error why;
    if (code == CURLE_FILESIZE_EXCEEDED) {
        set_too_long(job, &why);
        return ct_http_fail(job, "%s", why.message);
    }
    if (code == CURLE_COULDNT_RESOLVE_HOST)
        return ct_http_fail(job, "the host \"%s\" is unknown, or there is no network",
                            job->target.host.name);
    return ct_http_fail(job, "%s", text);
}

bool ct_http_finish(ct_http_job *job, CURLcode code) {
    const ct_curl_api *const curl = job->client->curl;
    long status = 0;
    const char *location = NULL;
    curl->curl_easy_getinfo(job->easy, CURLINFO_RESPONSE_CODE, &status);
    curl->curl_easy_getinfo(job->easy, CURLINFO_REDIRECT_URL, &location);
    const bool is_redirect =
        status == 301 || status == 302 || status == 303 || status == 307 || status == 308;
    if (code == CURLE_OK && is_redirect && location) {
        if (follow(job, location, status))
            return false;
    } else if (code != CURLE_OK) {
        explain(job, code);
    } else {
        ct_http_read_response(job, (uint32_t)status);
    }
    ct_http_leave(job);
    return true;
}
