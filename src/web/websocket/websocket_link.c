// websocket_link.c: what a request for a connection must be, and its copy.
#include <string.h>
#include <strings.h>

#include "foundation/string/string_builder.h"
#include "web/websocket/websocket_private.h"

static const ct_url_scheme schemes[] = {{"ws", 80}, {"wss", 443}};

static bool is_token(const char *text) {
    for (const char *c = text; *c; ++c)
        if (!((*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') || (*c >= '0' && *c <= '9') ||
              strchr("!#$%&'*+-.^_`|~", *c)))
            return false;
    return text[0] != '\0';
}

// Names that are separated by commas.
static bool check_protocols(const char *protocols, ct_error *error) {
    bool is_right = protocols[0] && strlen(protocols) < CT_WEBSOCKET_MAX_PROTOCOLS_BYTES;
    for (const char *c = protocols; *c && is_right;) {
        const size_t bytes = strcspn(c, ",");
        char name[CT_WEBSOCKET_MAX_PROTOCOLS_BYTES];
        memcpy(name, c, bytes);
        name[bytes] = '\0';
        is_right = is_token(name) && (c[bytes] == '\0' || c[bytes + 1] != '\0');
        c += bytes + (c[bytes] != '\0');
        c += strspn(c, " ");
    }
    return is_right || ct_error_set(error,
                                    "the protocols are \"%.64s\"; expected names of letters, "
                                    "digits and '-', with commas between them, of at most %d "
                                    "characters in all",
                                    protocols, (int)CT_WEBSOCKET_MAX_PROTOCOLS_BYTES - 1);
}

static bool check_header(const ct_websocket_header *header, ct_error *error) {
    static const char *const own[] = {"host", "connection", "upgrade", "content-length",
                                      "transfer-encoding"};
    if (!is_token(header->name))
        return ct_error_set(error,
                            "the header \"%.64s\" is not a name; expected letters, digits and '-'",
                            header->name);
    for (uint32_t i = 0; i < CT_COUNT_OF(own); ++i)
        if (strcasecmp(own[i], header->name) == 0)
            return ct_error_set(error, "the header \"%.64s\" is set by the engine; leave it out",
                                header->name);
    if (strncasecmp(header->name, "sec-websocket-", 14) == 0)
        return ct_error_set(error, "the header \"%.64s\" is set by the engine; leave it out",
                            header->name);
    for (const char *c = header->value; *c; ++c)
        if ((unsigned char)*c < ' ' || *c == 0x7f)
            return ct_error_set(error,
                                "the header \"%.64s\" has the control character 0x%02x in its "
                                "value; leave it out",
                                header->name, (unsigned)(unsigned char)*c);
    return true;
}

// Appends the headers as lines. Returns false with `error`.
static bool add_headers(const ct_websocket_request *request, ct_string_builder *lines,
                        ct_error *error) {
    for (uint32_t i = 0; i < request->num_headers; ++i) {
        const ct_websocket_header *const header = &request->headers[i];
        if (!check_header(header, error))
            return false;
        if (lines->length + strlen(header->name) + strlen(header->value) + 4 >
            CT_WEBSOCKET_MAX_HEADER_BYTES)
            return ct_error_set(error, "the headers have more bytes than expected, at most %d",
                                (int)CT_WEBSOCKET_MAX_HEADER_BYTES);
        ct_string_builder_addf(lines, "%s: %s\r\n", header->name, header->value);
    }
    return true;
}

// libwebsockets writes a longer line of the request only in part.
static bool check_lengths(const ct_url *url, ct_error *error) {
    const size_t host_bytes = strlen(url->host.name);
    if (url->path_bytes > CT_WEBSOCKET_MAX_PATH_BYTES)
        return ct_error_set(error, "the path has %u bytes; expected at most %d", url->path_bytes,
                            (int)CT_WEBSOCKET_MAX_PATH_BYTES);
    return host_bytes <= CT_WEBSOCKET_MAX_HOST_BYTES ||
           ct_error_set(error, "the host has %zu bytes; expected at most %d for a WebSocket",
                        host_bytes, (int)CT_WEBSOCKET_MAX_HOST_BYTES);
}

static ct_websocket_link *copy(ct_websockets *w, const ct_websocket_request *request,
                               const ct_url *url, const char *lines) {
    const double default_seconds = 20;
    ct_allocator *const a = w->allocator;
    ct_websocket_link *const link = CT_NEW(a, ct_websocket_link);
    const bool has_slash = url->path_bytes > 0 && url->path[0] == '/';
    link->owner = w;
    link->host = url->host;
    link->is_secure = strcmp(url->scheme, "wss") == 0;
    link->path = ct_alloc(a, url->path_bytes + 2);
    link->path[0] = '/';
    memcpy(link->path + !has_slash, url->path, url->path_bytes);
    link->path[url->path_bytes + !has_slash] = '\0';
    link->protocols = request->protocols ? ct_copy_string(a, request->protocols) : NULL;
    link->headers = ct_copy_string(a, lines);
    link->timeout_seconds =
        request->timeout_seconds > 0 ? request->timeout_seconds : default_seconds;
    link->deadline_ns = ct_os_time_ns() + (uint64_t)(link->timeout_seconds * 1e9);
    link->state = CT_WEBSOCKET_STATE_CONNECTING;
    return link;
}

ct_websocket_link *ct_websocket_make_link(ct_websockets *w, const ct_websocket_request *request,
                                          ct_error *error) {
    ct_url url;
    if (!ct_url_parse(request->url, schemes, CT_COUNT_OF(schemes), &url, error) ||
        (request->protocols && !check_protocols(request->protocols, error)))
        return NULL;
    if (!check_lengths(&url, error))
        return NULL;
    ct_string_builder lines;
    ct_string_builder_init(&lines, w->allocator);
    ct_websocket_link *const link = add_headers(request, &lines, error)
                                        ? copy(w, request, &url, ct_string_builder_text(&lines))
                                        : NULL;
    ct_string_builder_free(&lines);
    return link;
}

void ct_websocket_free_link(ct_websocket_link *link) {
    ct_websockets *const w = link->owner;
    CT_ASSERT(!link->lookup, "the name \"%s\" is still looked up", link->host.name);
    ct_websocket_free_queue(w, &link->to_send);
    ct_websocket_free_queue(w, &link->received);
    ct_free(w->allocator, link->path);
    ct_free(w->allocator, link->protocols);
    ct_free(w->allocator, link->headers);
    ct_free_sized(w->allocator, link, sizeof(*link));
}
