#include "foundation/string/url.h"

#include <stdio.h>
#include <string.h>

#include "foundation/os/address.h"

enum { MAX_LABEL_BYTES = 63, SHOWN_BYTES = 80 };

static char lower(char c) {
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

static bool is_name_character(char c) {
    return (c >= 'a' && c <= 'z') || is_digit(c) || c == '-' || c == '_';
}

static bool is_hexadecimal(char c) {
    return is_digit(c) || (c >= 'a' && c <= 'f');
}

// --- Hosts ---------------------------------------------------------------------------------------

// Copies the name in lower case, and checks it.
static bool read_name(const char *text, size_t bytes, ct_host *host, ct_error *error) {
    uint32_t label = 0;
    if (bytes == 0)
        return ct_error_set(error, "there is no host; expected a name such as \"example.com\"");
    if (bytes >= CT_HOST_BYTES)
        return ct_error_set(error, "the host has %zu characters; expected at most %d", bytes,
                            CT_HOST_BYTES - 1);
    for (size_t i = 0; i < bytes; ++i) {
        const char c = lower(text[i]);
        host->name[i] = c;
        if ((unsigned char)c >= 0x80)
            return ct_error_set(error, "the host has a character that is not ASCII; expected its "
                                       "form for the network, which begins with \"xn--\"");
        if (c != '.' && !is_name_character(c))
            return ct_error_set(error,
                                "the host has the character 0x%02x; expected letters, digits, "
                                "'-' and '.'",
                                (unsigned)(unsigned char)c);
        label = c == '.' ? 0 : label + 1;
        if ((c == '.' && (i == 0 || host->name[i - 1] == '.')) || label > MAX_LABEL_BYTES)
            return ct_error_set(error,
                                "the host has a part between dots that is empty, or longer "
                                "than %d characters",
                                (int)MAX_LABEL_BYTES);
    }
    host->name[bytes] = '\0';
    return label > 0 || ct_error_set(error, "the host ends with a dot; leave it out");
}

// The text between brackets: hexadecimal groups with colons, of which the last may be an IPv4 address.
static bool read_ipv6(const char *text, size_t bytes, ct_host *host, ct_error *error) {
    uint32_t num_colons = 0;
    bool is_right = bytes >= 2 && bytes < 46;
    for (size_t i = 0; i < bytes && is_right; ++i) {
        const char c = lower(text[i]);
        num_colons += c == ':';
        is_right = is_hexadecimal(c) || c == ':' || c == '.';
        host->name[i] = c;
    }
    ct_address address;
    if (is_right)
        host->name[bytes] = '\0';
    if (!is_right || num_colons < 2 || !ct_address_parse(host->name, &address))
        return ct_error_set(error, "between [ and ] there must be an IPv6 address, such as [::1]");
    host->is_ipv6 = true;
    return true;
}

static bool read_port(const char *text, size_t bytes, uint16_t *port, ct_error *error) {
    uint32_t number = 0;
    for (size_t i = 0; i < bytes && number <= 65535; ++i)
        number = is_digit(text[i]) ? number * 10 + (uint32_t)(text[i] - '0') : 65536;
    if (bytes == 0 || number == 0 || number > 65535)
        return ct_error_set(error, "the port is \"%.*s\"; expected a number from 1 to 65535",
                            (int)(bytes < 20 ? bytes : 20), text);
    *port = (uint16_t)number;
    return true;
}

// Reads `bytes` of text; with `has_any_port` the port may be `*`.
static bool read_host(const char *text, size_t bytes, ct_host *host, bool *has_any_port,
                      ct_error *error) {
    ct_host read = {.port = 0};
    const char *const end = text + bytes;
    const char *port = memchr(text, ':', bytes);
    if (bytes > 0 && text[0] == '[') {
        const char *const close = memchr(text, ']', bytes);
        if (!close || (close + 1 < end && close[1] != ':'))
            return ct_error_set(error, "expected an IPv6 address in brackets, such as [::1]:8080");
        if (!read_ipv6(text + 1, (size_t)(close - text - 1), &read, error))
            return false;
        port = close + 1 < end ? close + 1 : NULL;
    } else if (!read_name(text, (size_t)((port ? port : end) - text), &read, error)) {
        return false;
    }
    const bool is_any = port && has_any_port && end - port == 2 && port[1] == '*';
    if (port && !is_any && !read_port(port + 1, (size_t)(end - port - 1), &read.port, error))
        return false;
    if (has_any_port)
        *has_any_port = is_any;
    *host = read;
    return true;
}

bool ct_host_parse(const char *text, ct_host *host, ct_error *error) {
    return read_host(text, strlen(text), host, NULL, error);
}

// --- URLs ----------------------------------------------------------------------------------------

static bool has_scheme(const char *text, const char *name) {
    const size_t bytes = strlen(name);
    for (size_t i = 0; i < bytes; ++i)
        if (lower(text[i]) != name[i])
            return false;
    return strncmp(text + bytes, "://", 3) == 0;
}

static bool refuse_scheme(const char *text, const ct_url_scheme *schemes, uint32_t count,
                          ct_error *error) {
    char names[64] = "";
    for (uint32_t i = 0; i < count; ++i) {
        const size_t used = strlen(names);
        snprintf(names + used, sizeof(names) - used, "%s%s://", i > 0 ? " or " : "",
                 schemes[i].name);
    }
    return ct_error_set(error, "\"%.*s\" does not begin with %s", SHOWN_BYTES, text, names);
}

static bool check_characters(const char *text, ct_error *error) {
    const size_t bytes = strlen(text);
    if (bytes > CT_URL_MAX_BYTES)
        return ct_error_set(error, "the URL has %zu bytes; expected at most %d", bytes,
                            CT_URL_MAX_BYTES);
    const char *const host = strstr(text, "://");
    const size_t host_end = host ? (size_t)(host - text) + 3 + strcspn(host + 3, "/?#") : 0;
    for (size_t i = 0; i < bytes; ++i) {
        const unsigned char c = (unsigned char)text[i];
        if (c >= 0x80 && i < host_end)
            return ct_error_set(
                error,
                "the host of the URL has the byte 0x%02x at place %zu, which is not "
                "ASCII; write its form for the network, which begins with \"xn--\"",
                c, i + 1);
        if (c <= ' ' || c >= 0x7f || c == '\\' || c == '"' || c == '<' || c == '>')
            return ct_error_set(error, "the URL has the byte 0x%02x at place %zu; write %%%02X", c,
                                i + 1, c);
    }
    return true;
}

bool ct_url_parse(const char *text, const ct_url_scheme *schemes, uint32_t count, ct_url *url,
                  ct_error *error) {
    const ct_url_scheme *scheme = NULL;
    for (uint32_t i = 0; i < count && !scheme; ++i)
        scheme = has_scheme(text, schemes[i].name) ? &schemes[i] : NULL;
    if (!check_characters(text, error))
        return false;
    if (!scheme)
        return refuse_scheme(text, schemes, count, error);
    const char *const start = text + strlen(scheme->name) + 3;
    const size_t bytes = strcspn(start, "/?#");
    if (memchr(start, '@', bytes))
        return ct_error_set(error, "the URL has a user name or password before the host; send an "
                                   "Authorization header instead");
    ct_host host;
    if (!read_host(start, bytes, &host, NULL, error))
        return false;
    if (host.port == 0)
        host.port = scheme->port;
    *url = (ct_url){.scheme = scheme->name,
                    .host = host,
                    .path = start + bytes,
                    .path_bytes = (uint32_t)strcspn(start + bytes, "#")};
    return true;
}

// --- Patterns ------------------------------------------------------------------------------------

bool ct_host_pattern_parse(const char *text, ct_host_pattern *pattern, ct_error *error) {
    ct_host_pattern read = {.is_wild = strncmp(text, "*.", 2) == 0};
    if (strstr(text, "://"))
        return ct_error_set(error,
                            "\"%.*s\" is a URL; expected only a host, such as "
                            "\"example.com\" or \"example.com:8080\"",
                            SHOWN_BYTES, text);
    const char *const name = text + (read.is_wild ? 2 : 0);
    ct_error why = {0};
    if (!read_host(name, strlen(name), &read.host, &read.has_any_port, &why))
        return ct_error_set(error, "\"%.*s\" is not a host: %s", SHOWN_BYTES, text, why.message);
    const char *const last = strrchr(read.host.name, '.');
    if (read.is_wild && (read.host.is_ipv6 || !last || is_digit(last[1])))
        return ct_error_set(error,
                            "\"%.*s\" is not a host: only \"*.\" before a name with a dot, "
                            "such as \"*.example.com\", allows several hosts",
                            SHOWN_BYTES, text);
    *pattern = read;
    return true;
}

bool ct_host_pattern_allows(const ct_host_pattern *pattern, const ct_host *host,
                            uint16_t default_port) {
    const uint16_t port = pattern->host.port ? pattern->host.port : default_port;
    if (!pattern->has_any_port && host->port != port)
        return false;
    if (!pattern->is_wild)
        return strcmp(pattern->host.name, host->name) == 0;
    const size_t bytes = strlen(host->name), end = strlen(pattern->host.name);
    return !host->is_ipv6 && bytes > end + 1 && host->name[bytes - end - 1] == '.' &&
           strcmp(host->name + bytes - end, pattern->host.name) == 0;
}
