#include "dev/web/web_response.h"

#include <stdio.h>
#include <string.h>

enum { MAX_TEXT_BYTES = 480 };

static const char *status_name(uint32_t status) {
    switch (status) {
    case 200:
        return "OK";
    case 204:
        return "No Content";
    case 301:
        return "Moved Permanently";
    case 403:
        return "Forbidden";
    case 404:
        return "Not Found";
    case 405:
        return "Method Not Allowed";
    case 426:
        return "Upgrade Required";
    case 503:
        return "Service Unavailable";
    default:
        return "Error";
    }
}

uint32_t ct_web_write_headers(ct_web_area area, const ct_host *host,
                              char text[CT_WEB_HEADERS_BYTES]) {
    const bool is_project = area == CT_WEB_AREA_PROJECT;
    const char *const inner = is_project ? " 'unsafe-inline'" : "";
    char own[CT_HOST_PATTERN_BYTES + 8] = "";
    if (host) // so it was checked, and has no character that means something here
        snprintf(own, sizeof(own), host->is_ipv6 ? " ws://[%s]:%u" : " ws://%s:%u", host->name,
                 host->port);
    const int length = snprintf(
        text, CT_WEB_HEADERS_BYTES,
        "Cache-Control: no-store\r\n"
        "X-Content-Type-Options: nosniff\r\n"
        "X-Frame-Options: SAMEORIGIN\r\n"
        "Referrer-Policy: no-referrer\r\n"
        "Cross-Origin-Opener-Policy: same-origin\r\n"
        "Cross-Origin-Resource-Policy: same-origin\r\n"
        "Content-Security-Policy: default-src 'none'; script-src 'self'%s; style-src 'self'%s; "
        "img-src 'self' blob: data:; font-src 'self' data:; media-src 'self' blob:; "
        "connect-src 'self'%s%s; worker-src 'self' blob:; frame-src 'self'; manifest-src 'self'; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'self'\r\n"
        "Connection: close\r\n",
        inner, inner, own, is_project ? "" : " ws://127.0.0.1:* ws://localhost:*");
    return (uint32_t)length;
}

// Writes a text with the characters that mean something in HTML as references.
static void write_escaped(const char *text, char *out, size_t capacity) {
    size_t used = 0;
    out[0] = '\0';
    for (; *text != '\0'; ++text) {
        const char *const name = *text == '<'   ? "&lt;"
                                 : *text == '>' ? "&gt;"
                                 : *text == '&' ? "&amp;"
                                 : *text == '"' ? "&quot;"
                                                : NULL;
        const size_t length = name ? strlen(name) : 1;
        if (used + length >= capacity)
            return;
        memcpy(out + used, name ? name : text, length);
        used += length;
        out[used] = '\0';
    }
}

uint32_t ct_web_write_answer(const ct_web_answer *answer, char out[CT_WEB_RESPONSE_BYTES]) {
    char headers[CT_WEB_HEADERS_BYTES], title[MAX_TEXT_BYTES], text[MAX_TEXT_BYTES] = "";
    char body[3 * MAX_TEXT_BYTES], location[MAX_TEXT_BYTES] = "";
    ct_web_write_headers(CT_WEB_AREA_NONE, NULL, headers);
    write_escaped(answer->title, title, sizeof(title));
    if (answer->text)
        write_escaped(answer->text, text, sizeof(text));
    if (answer->location)
        snprintf(location, sizeof(location), "Location: %s\r\n", answer->location);
    const int body_bytes = snprintf(body, sizeof(body),
                                    "<!doctype html>\n<meta charset=\"utf-8\">\n<title>%s</title>\n"
                                    "<h1>%s</h1>\n<p>%s</p>\n",
                                    title, title, text);
    const int length = snprintf(
        out, CT_WEB_RESPONSE_BYTES,
        "HTTP/1.1 %u %s\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: %d\r\n"
        "%s%s%s\r\n%s",
        answer->status, status_name(answer->status), body_bytes,
        answer->status == 426   ? "Upgrade: websocket\r\n"
        : answer->status == 405 ? "Allow: GET, HEAD\r\n"
                                : "",
        location, headers, answer->has_no_body ? "" : body);
    return (uint32_t)length;
}
