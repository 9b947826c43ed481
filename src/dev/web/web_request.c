#include "dev/web/web_request.h"

#include <string.h>

enum { HTTP_PORT = 80 };

// CONNECT and TRACE are not taken: no page needs them.
static const char *const methods[] = {"GET ",    "HEAD ",    "POST ", "PUT ",
                                      "DELETE ", "OPTIONS ", "PATCH "};

ct_web_start ct_web_start_of(const void *bytes, uint64_t count) {
    for (uint32_t i = 0; i < CT_COUNT_OF(methods); ++i) {
        const size_t length = strlen(methods[i]);
        if (memcmp(bytes, methods[i], count < length ? count : length) == 0)
            return count < length ? CT_WEB_START_UNKNOWN : CT_WEB_START_REQUEST;
    }
    return CT_WEB_START_OTHER;
}

// Whether a host is a name of this machine that no other can have: a loopback name, or the address in the
// request's own connection.
static bool is_here(const ct_web_place *place, const ct_host *host) {
    ct_address address;
    if (strcmp(host->name, "localhost") == 0)
        return true;
    if (!ct_address_parse(host->name, &address))
        return false;
    return ct_address_is_loopback(&address) || ct_address_equal(&address, &place->address);
}

bool ct_web_check_host(const ct_web_place *place, const char *text, ct_host *host,
                       ct_error *reason) {
    ct_error why = {0};
    if (!text)
        return ct_error_set(reason, "the request has no header Host");
    if (!ct_host_parse(text, host, &why))
        return ct_error_set(reason, "the header Host is invalid: %s", why.message);
    if (host->port == 0)
        host->port = HTTP_PORT;
    if (!is_here(place, host))
        return ct_error_set(reason,
                            "the host \"%s\" is not a loopback name, such as 127.0.0.1, or the "
                            "address that the game listens at",
                            host->name);
    return host->port == place->port ||
           ct_error_set(reason, "the port of the header Host is %u; expected %u", host->port,
                        place->port);
}

ct_web_origin ct_web_origin_of(const ct_web_place *place, const char *text, ct_web_listener *at,
                               ct_error *reason) {
    static const ct_url_scheme scheme = {"http", HTTP_PORT};
    ct_url url;
    ct_error why = {0};
    if (!ct_url_parse(text, &scheme, 1, &url, &why) || url.path[0] != '\0' ||
        !is_here(place, &url.host)) {
        ct_error_set(reason, "pages of \"%.128s\" may not use the console of this game", text);
        return CT_WEB_ORIGIN_FOREIGN;
    }
    *at = (ct_web_listener){.port = url.host.port};
    at->has_address = ct_address_parse(url.host.name, &at->address);
    return at->port == place->port && at->has_address &&
                   ct_address_equal(&at->address, &place->address)
               ? CT_WEB_ORIGIN_OWN
               : CT_WEB_ORIGIN_OTHER;
}
