// web_http.c: which requests are answered, and with what.
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "dev/web/web_private.h"
#include "dev/web/web_response.h"
#include "foundation/error.h"
#include "foundation/os/local_socket.h"

enum { HEADER_BYTES = 512 }; // of a header that is looked at

// Copies a header of the request. Returns false when it is not there, and sets `*is_long` when it is longer
// than any that could be right.
static bool copy_header(const ct_web_connection *c, struct lws *wsi, enum lws_token_indexes header,
                        char text[HEADER_BYTES], bool *is_long) {
    const ct_lws_api *const lws = c->web->lws;
    const int length = lws->lws_hdr_total_length(wsi, header);
    *is_long = length > 0 && lws->lws_hdr_copy(wsi, text, HEADER_BYTES, header) < 0;
    return length > 0 && !*is_long;
}

// Sends an answer; the connection is then closed. Returns -1.
static int answer(ct_web_connection *c, struct lws *wsi, const ct_web_answer *what) {
    uint8_t *const text = c->web->chunk + LWS_PRE;
    const uint32_t length = ct_web_write_answer(what, (char *)text);
    c->web->lws->lws_write(wsi, text, length, LWS_WRITE_HTTP_FINAL);
    return -1;
}

static int refuse(ct_web_connection *c, struct lws *wsi, const char *reason) {
    const ct_web_answer what = {.status = 403, .title = "Not allowed", .text = reason};
    return answer(c, wsi, &what);
}

static bool check_host(ct_web_connection *c, struct lws *wsi, ct_host *host, ct_error *reason) {
    char text[HEADER_BYTES];
    bool is_long = false;
    const bool is_there = copy_header(c, wsi, WSI_TOKEN_HOST, text, &is_long);
    if (is_long)
        return ct_error_set(reason, "the header Host is too long");
    return ct_web_check_host(&c->place, is_there ? text : NULL, host, reason);
}

// --- Files ---------------------------------------------------------------------------------------

static int answer_without_pages(ct_web_connection *c, struct lws *wsi) {
    const ct_web_answer what = {
        .status = 503,
        .title = "Cuttle's pages are not built",
        .text = "The game runs and can be reached, but this build of Cuttle has no pages. To build "
                "them, "
                "install the Debian packages nodejs and npm, then call ./run once in the folder of "
                "Cuttle's sources. CUTTLE_WEB may name a folder that has them."};
    return answer(c, wsi, &what);
}

static int serve_file(ct_web_connection *c, struct lws *wsi, ct_web_area area, const char *file,
                      const ct_host *host) {
    ct_web *const w = c->web;
    const bool is_project = area == CT_WEB_AREA_PROJECT;
    char path[CT_PATH_BYTES], headers[CT_WEB_HEADERS_BYTES];
    if (!is_project && strcmp(file, "favicon.ico") == 0) { // browsers ask for it with each page
        const ct_web_answer what = {.status = 204, .title = "No icon", .has_no_body = true};
        return answer(c, wsi, &what);
    }
    if (!is_project && !w->pages_folder)
        return answer_without_pages(c, wsi);
    if (is_project && !c->is_trusted)
        return refuse(c, wsi, "files of the project are only served to this machine's user");
    if (!ct_web_find_file(is_project ? w->tools_folder : w->pages_folder, file, path)) {
        const ct_web_answer what = {
            .status = 404,
            .title = "Not found",
            .text = is_project
                        ? "The project has no such file in its folder tools. Names that begin "
                          "with a dot, and links that lead out, are not served."
                        : "Cuttle has no such page; the first is at /."};
        return answer(c, wsi, &what);
    }
    const uint32_t length = ct_web_write_headers(area, host, headers);
    const int result =
        w->lws->lws_serve_http_file(wsi, path, ct_web_content_type(path), headers, (int)length);
    return result == 0 ? 0 : -1;
}

int ct_web_answer_request(ct_web_connection *c, struct lws *wsi, const char *path, size_t bytes) {
    const ct_lws_api *const lws = c->web->lws;
    const bool is_head = lws->lws_hdr_total_length(wsi, WSI_TOKEN_HEAD_URI) > 0;
    char file[CT_PATH_BYTES];
    ct_host host;
    ct_error reason = {0};
    ct_web_answer what = {.has_no_body = is_head};
    if (!check_host(c, wsi, &host, &reason))
        return refuse(c, wsi, reason.message);
    if (!is_head && lws->lws_hdr_total_length(wsi, WSI_TOKEN_GET_URI) == 0) {
        what.status = 405;
        what.title = "Only GET and HEAD are answered";
        return answer(c, wsi, &what);
    }
    const ct_web_area area = ct_web_area_of(path, bytes, file);
    switch (area) {
    case CT_WEB_AREA_PAGES:
    case CT_WEB_AREA_PROJECT:
        return serve_file(c, wsi, area, file, &host);
    case CT_WEB_AREA_MOVED:
        what.status = 301;
        what.title = "Moved";
        what.location = "/project/";
        return answer(c, wsi, &what);
    case CT_WEB_AREA_CONSOLE:
        what.status = 426;
        what.title = "The console is a WebSocket";
        return answer(c, wsi, &what);
    default:
        what.status = 404;
        what.title = "Not found";
        return answer(c, wsi, &what);
    }
}

// --- WebSockets ----------------------------------------------------------------------------------

// Programs that are no browsers send no origin.
static bool check_origin(ct_web_connection *c, struct lws *wsi, ct_error *reason) {
    char text[HEADER_BYTES];
    bool is_long = false;
    ct_web_listener at;
    if (!copy_header(c, wsi, WSI_TOKEN_ORIGIN, text, &is_long))
        return !is_long || ct_error_set(reason, "the header Origin is too long");
    switch (ct_web_origin_of(&c->place, text, &at, reason)) {
    case CT_WEB_ORIGIN_OWN:
        return true;
    case CT_WEB_ORIGIN_OTHER:
        return ct_socket_is_listener_of(at.has_address ? &at.address : NULL, at.port,
                                        ct_os_user()) ||
               ct_error_set(reason,
                            "port %u, whose page this is, does not belong to the game's user, or "
                            "not at all addresses: open the address that the game prints",
                            at.port);
    default:
        return false;
    }
}

int ct_web_check_upgrade(ct_web_connection *c, struct lws *wsi, const char *protocol) {
    const ct_lws_api *const lws = c->web->lws;
    char path[HEADER_BYTES], file[CT_PATH_BYTES];
    bool is_long = false;
    ct_host host;
    ct_error reason = {0};
    // The first request of a connection: `protocol` is valid (a later one's may not be, CVE-2025-11677).
    if (strcasecmp(protocol, "websocket") != 0)
        return refuse(c, wsi, "the only other protocol is websocket");
    if (!check_host(c, wsi, &host, &reason) || !check_origin(c, wsi, &reason))
        return refuse(c, wsi, reason.message);
    if (!copy_header(c, wsi, WSI_TOKEN_GET_URI, path, &is_long) ||
        ct_web_area_of(path, strlen(path), file) != CT_WEB_AREA_CONSOLE)
        return refuse(c, wsi, "the only WebSocket is at /console");
    if (lws->lws_hdr_total_length(wsi, WSI_TOKEN_KEY) <= 0 ||
        lws->lws_hdr_total_length(wsi, WSI_TOKEN_VERSION) <= 0)
        return refuse(c, wsi, "the request has no Sec-WebSocket-Key or Sec-WebSocket-Version");
    return 0;
}
