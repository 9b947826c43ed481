// URLs, hosts and patterns of hosts. What is read keeps to its bounds; a host that was read is read again
// as the same; a pattern without a star allows just the host that it names.
#include "foundation/memory/memory.h"
#include "foundation/string/url.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool is_true) {
    if (!is_true)
        abort();
}

static void check_host(const ct_host *host) {
    char text[CT_HOST_PATTERN_BYTES];
    ct_host again;
    require(strlen(host->name) < CT_HOST_BYTES);
    require(host->name[strcspn(host->name, "@/\\?# \r\n%")] == '\0');
    snprintf(text, sizeof(text), host->is_ipv6 ? "[%s]" : "%s", host->name);
    if (host->port)
        snprintf(text + strlen(text), sizeof(text) - strlen(text), ":%u", host->port);
    require(ct_host_parse(text, &again, NULL));
    require(strcmp(again.name, host->name) == 0 && again.port == host->port);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const ct_url_scheme schemes[] = {{"http", 80}, {"https", 443}};
    char *const text = malloc(size + 1);
    if (!text)
        return 0;
    if (size > 0)
        memcpy(text, data, size);
    text[size] = '\0';
    ct_url url;
    ct_host host;
    ct_host_pattern pattern;
    ct_error error = {0};
    if (ct_url_parse(text, schemes, 2, &url, &error)) {
        require(url.path >= text && url.path + url.path_bytes <= text + strlen(text));
        check_host(&url.host);
    } else {
        require(error.message[0] != '\0');
    }
    if (ct_host_parse(text, &host, NULL))
        check_host(&host);
    if (ct_host_pattern_parse(text, &pattern, NULL)) {
        check_host(&pattern.host);
        host = pattern.host;
        host.port = host.port ? host.port : 80;
        require(ct_host_pattern_allows(&pattern, &host, 80) == !pattern.is_wild);
    }
    free(text);
    return 0;
}
