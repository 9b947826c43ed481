// http_response.c: headers of an answer, from the lines that came.
#include <string.h>

#include "web/http/http_private.h"

// Cuts a line into name and value in place. Returns false for one that is no header.
static bool cut(char *line, ct_http_header *header) {
    char *const colon = strchr(line, ':');
    if (!colon || colon == line)
        return false;
    *colon = '\0';
    for (char *c = line; *c; ++c)
        if (*c >= 'A' && *c <= 'Z')
            *c = (char)(*c - 'A' + 'a');
    char *value = colon + 1;
    value += strspn(value, " \t");
    size_t bytes = strlen(value);
    while (bytes > 0 && (value[bytes - 1] == ' ' || value[bytes - 1] == '\t'))
        value[--bytes] = '\0';
    *header = (ct_http_header){line, value};
    return true;
}

// Keeps the headers sorted by name; equal names stay in the order in which they came.
static void add(ct_http_job *job, const ct_http_header *header) {
    uint32_t place = job->response_headers.count;
    while (place > 0 && strcmp(job->response_headers.items[place - 1].name, header->name) > 0)
        --place;
    ct_array_insert(&job->response_headers, place, *header);
}

// Makes one of headers with equal names, which are `count` from `first` on.
static ct_http_header join(ct_http_job *job, const ct_http_header *first, uint32_t count) {
    if (count == 1)
        return *first;
    ct_allocator *const a = job->client->allocator;
    ct_string_builder all;
    ct_string_builder_init(&all, a);
    for (uint32_t i = 0; i < count; ++i) {
        ct_string_builder_add(&all, i > 0 ? ", " : "");
        ct_string_builder_add(&all, first[i].value);
    }
    char *const value = ct_copy_string(a, ct_string_builder_text(&all));
    ct_string_builder_free(&all);
    ct_array_push(&job->joined, value);
    return (ct_http_header){first->name, value};
}

static void join_equal(ct_http_job *job) {
    ct_http_header *const headers = job->response_headers.items;
    const uint32_t count = job->response_headers.count;
    uint32_t num_left = 0;
    for (uint32_t i = 0, end; i < count; i = end) {
        for (end = i + 1; end < count && strcmp(headers[end].name, headers[i].name) == 0;)
            ++end;
        headers[num_left++] = join(job, &headers[i], end - i);
    }
    job->response_headers.count = num_left;
}

void ct_http_read_response(ct_http_job *job, uint32_t status) {
    // The lines end with zeros. The text does not move any more.
    char *line = job->received_lines.text;
    char *const end = line + job->received_lines.length;
    while (line < end) {
        char *const next = line + strlen(line) + 1;
        ct_http_header header;
        if (cut(line, &header))
            add(job, &header);
        line = next;
    }
    join_equal(job);
    job->response = (ct_http_response){
        .status = status,
        .url = job->url,
        .headers = job->response_headers.items,
        .num_headers = job->response_headers.count,
        .body = job->received.items,
        .body_bytes = job->received.count,
        .seconds = (double)(ct_os_time_ns() - job->start_ns) * 1e-9,
    };
    job->state = CT_HTTP_STATE_DONE;
}
