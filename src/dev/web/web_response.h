// web_response.h: the texts of HTTP that the console's server writes itself.
#pragma once
#include "dev/web/web_path.h"
#include "foundation/string/url.h"

enum { CT_WEB_HEADERS_BYTES = 1536, CT_WEB_RESPONSE_BYTES = 4096 };

// Writes the headers that every answer has, one on a line, to `text` of CT_WEB_HEADERS_BYTES: nothing is kept,
// types are as the server says, other sites can neither frame nor load it, and a page may load scripts and connect
// only to this machine. Pages of the project may have scripts and styles inside of them. `host` is the
// request's, NULL when it is refused. Returns the number of bytes.
uint32_t ct_web_write_headers(ct_web_area area, const ct_host *host,
                              char text[CT_WEB_HEADERS_BYTES]);

// An answer that is no file.
typedef struct ct_web_answer {
    uint32_t status;      // 200, 403, …
    const char *title;    // one line without markup: "Not found"
    const char *text;     // what to do, without markup; NULL: none
    const char *location; // where to go instead, or NULL
    bool has_no_body;     // the request is HEAD
} ct_web_answer;

// Writes a whole answer, a small page of HTML, to `out` of CT_WEB_RESPONSE_BYTES. Texts that do not fit are
// cut. Returns the number of bytes.
uint32_t ct_web_write_answer(const ct_web_answer *answer, char out[CT_WEB_RESPONSE_BYTES]);
