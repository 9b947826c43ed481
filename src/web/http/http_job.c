// http_job.c: what a request must be, and its copy.
#include <string.h>
#include <strings.h>

#include "web/http/http_private.h"

static const ct_url_scheme schemes[] = {{"http", 80}, {"https", 443}};

uint16_t ct_http_port_of(const char *scheme) {
    return strcmp(scheme, "https") == 0 ? 443 : 80;
}

bool ct_http_read_url(const char *text, ct_url *url, ct_error *error) {
    return ct_url_parse(text, schemes, CT_COUNT_OF(schemes), url, error);
}

bool ct_http_check_host(const ct_http *h, const ct_url *url, ct_error *error) {
    return ct_web_rules_check_host(h->rules, &url->host, ct_http_port_of(url->scheme), error);
}

// --- Checks --------------------------------------------------------------------------------------

// Methods, and whether a request of one may have a body.
static const struct {
    const char *name;
    bool has_body;
} methods[] = {
    {"GET", false},  {"HEAD", false},  {"POST", true},    {"PUT", true},
    {"PATCH", true}, {"DELETE", true}, {"OPTIONS", true},
};

static bool check_method(const char *method, uint64_t body_bytes, ct_error *error) {
    for (uint32_t i = 0; i < CT_COUNT_OF(methods); ++i)
        if (strcmp(methods[i].name, method) == 0)
            return methods[i].has_body || body_bytes == 0 ||
                   ct_error_set(error, "a %s request has no body; use POST or PUT", method);
    return ct_error_set(error,
                        "the method is \"%.32s\"; expected GET, HEAD, POST, PUT, PATCH, DELETE or "
                        "OPTIONS",
                        method);
}

// The client writes these itself.
static bool is_own(const char *name) {
    static const char *const names[] = {"host",       "content-length", "transfer-encoding",
                                        "connection", "upgrade",        "expect",
                                        "te",         "trailer",        "proxy-authorization"};
    for (uint32_t i = 0; i < CT_COUNT_OF(names); ++i)
        if (strcasecmp(names[i], name) == 0)
            return true;
    return false;
}

static bool check_header(const ct_http_header *header, ct_error *error) {
    static const char marks[] = "!#$%&'*+-.^_`|~";
    const char *const name = header->name;
    for (const char *c = name; *c; ++c)
        if (!((*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') || (*c >= '0' && *c <= '9') ||
              strchr(marks, *c)))
            return ct_error_set(error,
                                "the header \"%.64s\" has the character 0x%02x in its name; "
                                "expected letters, digits and '-'",
                                name, (unsigned)(unsigned char)*c);
    if (!name[0])
        return ct_error_set(error, "a header has an empty name; expected one such as \"Accept\"");
    if (is_own(name))
        return ct_error_set(error, "the header \"%.64s\" is set by the engine; leave it out", name);
    for (const char *c = header->value; *c; ++c)
        if (((unsigned char)*c < ' ' && *c != '\t') || *c == 0x7f)
            return ct_error_set(error,
                                "the header \"%.64s\" has the control character 0x%02x in its "
                                "value; leave it out",
                                name, (unsigned)(unsigned char)*c);
    return true;
}

bool ct_http_check_headers(const ct_http_header *headers, uint32_t count, ct_error *error) {
    uint64_t bytes = 0;
    if (count > CT_HTTP_MAX_HEADERS)
        return ct_error_set(error, "the request has %u headers; expected at most %d", count,
                            (int)CT_HTTP_MAX_HEADERS);
    for (uint32_t i = 0; i < count; ++i) {
        bytes += strlen(headers[i].name) + strlen(headers[i].value) + 4;
        if (!check_header(&headers[i], error))
            return false;
    }
    return bytes <= CT_HTTP_MAX_HEADER_BYTES ||
           ct_error_set(error, "the headers have %llu bytes; expected at most %d",
                        (unsigned long long)bytes, (int)CT_HTTP_MAX_HEADER_BYTES);
}

static bool check(const ct_http_request *request, const char *method, ct_error *error) {
    if (!(request->timeout_seconds >= 0 && request->timeout_seconds <= CT_HTTP_MAX_TIMEOUT_SECONDS))
        return ct_error_set(error, "the timeout is %g seconds; expected more than 0 and at most %d",
                            request->timeout_seconds, (int)CT_HTTP_MAX_TIMEOUT_SECONDS);
    if (request->body_bytes > CT_HTTP_MAX_BODY_BYTES)
        return ct_error_set(error, "the body has %llu bytes; expected at most %d",
                            (unsigned long long)request->body_bytes, (int)CT_HTTP_MAX_BODY_BYTES);
    return check_method(method, request->body_bytes, error) &&
           ct_http_check_headers(request->headers, request->num_headers, error);
}

// --- Copies --------------------------------------------------------------------------------------

static void copy_headers(ct_http_job *job, const ct_http_request *request) {
    ct_allocator *const a = job->client->allocator;
    job->headers = CT_NEW_ARRAY(a, ct_http_header, request->num_headers);
    job->num_headers = request->num_headers;
    for (uint32_t i = 0; i < request->num_headers; ++i)
        job->headers[i] = (ct_http_header){ct_copy_string(a, request->headers[i].name),
                                           ct_copy_string(a, request->headers[i].value)};
}

ct_http_job *ct_http_make_job(ct_http *h, const ct_http_request *request, ct_error *error) {
    const double default_seconds = 30;
    const char *const method = request->method ? request->method : "GET";
    ct_url url;
    if (!ct_http_read_url(request->url, &url, error) || !check(request, method, error))
        return NULL;
    ct_allocator *const a = h->allocator;
    ct_http_job *const job = CT_NEW(a, ct_http_job);
    job->client = h;
    job->url = ct_copy_string(a, request->url);
    job->method = ct_copy_string(a, method);
    job->body_bytes = request->body_bytes;
    job->body = ct_alloc(a, request->body_bytes);
    if (job->body)
        memcpy(job->body, request->body, request->body_bytes);
    const uint64_t most = request->max_response_bytes;
    job->max_response_bytes =
        most && most < h->limits.max_response_bytes ? most : h->limits.max_response_bytes;
    job->start_ns = ct_os_time_ns();
    job->deadline_ns =
        job->start_ns + (uint64_t)(1e9 * (request->timeout_seconds > 0 ? request->timeout_seconds
                                                                       : default_seconds));
    copy_headers(job, request);
    ct_string_builder_init(&job->received_lines, a);
    ct_array_init(&job->received, a);
    ct_array_init(&job->response_headers, a);
    ct_array_init(&job->joined, a);
    return job;
}

void ct_http_release(ct_http_job *job) {
    atomic_fetch_sub(&job->client->held_bytes, job->held_bytes);
    job->held_bytes = 0;
}

void ct_http_free_job(ct_http_job *job) {
    ct_allocator *const a = job->client->allocator;
    ct_http_release(job);
    for (uint32_t i = 0; i < job->num_headers; ++i) {
        ct_free(a, (char *)job->headers[i].name);
        ct_free(a, (char *)job->headers[i].value);
    }
    for (uint32_t i = 0; i < job->joined.count; ++i)
        ct_free(a, job->joined.items[i]);
    ct_free(a, job->headers);
    ct_free(a, job->url);
    ct_free(a, job->method);
    ct_free(a, job->body);
    ct_string_builder_free(&job->received_lines);
    ct_array_free(&job->received);
    ct_array_free(&job->response_headers);
    ct_array_free(&job->joined);
    ct_free_sized(a, job, sizeof(*job));
}
