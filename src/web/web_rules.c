#include "web/web_rules.h"

#include <stdio.h>
#include <string.h>

#include "foundation/log.h"

void ct_web_rules_init(ct_web_rules *rules, const char *const *hosts, uint32_t count,
                       bool is_strict) {
    *rules = (ct_web_rules){.is_strict = is_strict};
    for (uint32_t i = 0; i < count && rules->num_hosts < CT_COUNT_OF(rules->hosts); ++i)
        rules->num_hosts += ct_host_pattern_parse(hosts[i], &rules->hosts[rules->num_hosts], NULL);
}

static bool is_listed(const ct_web_rules *rules, const ct_host *host, uint16_t default_port) {
    for (uint32_t i = 0; i < rules->num_hosts; ++i)
        if (ct_host_pattern_allows(&rules->hosts[i], host, default_port))
            return true;
    return false;
}

// Returns false with `error` in a shipped game, else warns.
static bool refuse(const ct_web_rules *rules, const char *id, const char *message,
                   ct_error *error) {
    if (rules->is_strict)
        return ct_error_set(error, "%s", message);
    ct_log_warning("web", id, "%s; the player refuses it", message);
    return true;
}

static void print_host(const ct_host *host, uint16_t default_port, char *text, size_t bytes) {
    snprintf(text, bytes, host->is_ipv6 ? "[%s]" : "%s", host->name);
    const size_t used = strlen(text);
    if (host->port != default_port)
        snprintf(text + used, bytes - used, ":%u", host->port);
}

bool ct_web_rules_check_host(const ct_web_rules *rules, const ct_host *host, uint16_t default_port,
                             ct_error *error) {
    if (is_listed(rules, host, default_port))
        return true;
    char name[CT_HOST_PATTERN_BYTES], message[CT_HOST_PATTERN_BYTES * 2 + 128];
    print_host(host, default_port, name, sizeof(name));
    snprintf(message, sizeof(message),
             "the host \"%s\" is not in web.hosts of settings.config; write web = { hosts = "
             "[\"%s\"] }",
             name, name);
    return refuse(rules, "web_host", message, error);
}

// Whether a host of the list is this very address.
static bool is_listed_address(const ct_web_rules *rules, const ct_address *address, uint16_t port,
                              uint16_t default_port) {
    for (uint32_t i = 0; i < rules->num_hosts; ++i) {
        const ct_host_pattern *const p = &rules->hosts[i];
        ct_host host = p->host;
        ct_address listed;
        host.port = port;
        if (p->is_wild || !ct_host_pattern_allows(p, &host, default_port))
            continue;
        if (ct_address_parse(host.name, &listed)
                ? ct_address_equal(&listed, address)
                : strcmp(host.name, "localhost") == 0 && ct_address_is_loopback(address))
            return true;
    }
    return false;
}

bool ct_web_rules_check_address(const ct_web_rules *rules, const ct_host *host,
                                uint16_t default_port, const ct_address *address, ct_error *error) {
    ct_address named;
    if (ct_address_is_public(address) ||
        is_listed_address(rules, address, host->port, default_port))
        return true;
    // Such a host has been warned of by its name.
    if (!rules->is_strict &&
        ((ct_address_parse(host->name, &named) && ct_address_equal(&named, address)) ||
         strcmp(host->name, "localhost") == 0))
        return true;
    char text[CT_ADDRESS_TEXT_BYTES], entry[CT_HOST_PATTERN_BYTES],
        message[CT_HOST_BYTES + CT_HOST_PATTERN_BYTES + 256];
    ct_host itself = {.port = host->port};
    snprintf(itself.name, sizeof(itself.name), "%s", ct_address_print(address, text));
    itself.is_ipv6 = strchr(text, ':') != NULL;
    print_host(&itself, default_port, entry, sizeof(entry));
    snprintf(message, sizeof(message),
             "the host \"%s\" leads to %s, an address of this machine or of a private network; to "
             "allow it add \"%s\" to web.hosts of settings.config",
             host->name, text, entry);
    return refuse(rules, "web_address", message, error);
}
