// web_rules.h: which machines a game may ask.
//
// `web = { hosts = ["api.example.com" "*.example.com:8443"] }` of the settings lists them. A shipped game
// asks no others, and an address of this machine or of a private network only when that address itself is
// listed: a name of the internet can be made to lead there. While a game is developed, other hosts are
// asked after a warning. Constant once made: any thread.
#pragma once
#include "foundation/os/address.h"
#include "foundation/string/url.h"
#include "resource/schema/setting_table.h"

typedef struct ct_web_rules {
    ct_host_pattern hosts[CT_SETTING_MAX_HOSTS];
    uint32_t num_hosts;
    bool is_strict; // else it only warns
} ct_web_rules;

// Reads the list; texts that are not patterns of hosts are left out (the compiler reports them).
// `is_strict` refuses what is not listed.
void ct_web_rules_init(ct_web_rules *rules, const char *const *hosts, uint32_t count,
                       bool is_strict);

// Checks a host before it is asked. `default_port` is the port of the scheme. Returns false with `error`,
// or logs a warning once for a host.
bool ct_web_rules_check_host(const ct_web_rules *rules, const ct_host *host, uint16_t default_port,
                             ct_error *error);

// Checks the address that `host` leads to, before anything is sent to it. Returns as
// ct_web_rules_check_host does.
bool ct_web_rules_check_address(const ct_web_rules *rules, const ct_host *host,
                                uint16_t default_port, const ct_address *address, ct_error *error);
