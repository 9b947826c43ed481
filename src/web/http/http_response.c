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

// Keeps the headers sorted by name; the value of an equal name is appended to the one that is there.
static void add(ct_http_job *job, const ct_http_header *header) {
    ct_allocator *const a = job->client->allocator;
    uint32_t place = 0;
    int order = 1;
    for (; place < job->response_headers.count; ++place) {
        order = strcmp(job->response_headers.items[place].name, header->name);
        if (order >= 0)
            break;
    }
    if (order != 0) {
        ct_array_insert(&job->response_headers, place, *header);
        return;
    }
    ct_http_header *const there = &job->response_headers.items[place];
    ct_string_builder both;
    ct_string_builder_init(&both, a);
    ct_string_builder_addf(&both, "%s, %s", there->value, header->value);
    ct_array_push(&job->joined, ct_copy_string(a, ct_string_builder_text(&both)));
    there->value = job->joined.items[job->joined.count - 1];
    ct_string_builder_free(&both);
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
