// network_link.c: names of reasons.
#include "network/network_link.h"

const char *ct_network_reason_name(ct_network_reason reason) {
    static const char *const NAMES[CT_NETWORK_REASONS] = {
        [CT_NETWORK_REASON_NONE] = "",
        [CT_NETWORK_REASON_LEFT] = "left",
        [CT_NETWORK_REASON_TIMEOUT] = "timeout",
        [CT_NETWORK_REASON_KICKED] = "kicked",
        [CT_NETWORK_REASON_FULL] = "full",
        [CT_NETWORK_REASON_VERSION] = "version",
        [CT_NETWORK_REASON_CONFIG] = "config",
        [CT_NETWORK_REASON_PASSWORD] = "password",
        [CT_NETWORK_REASON_UNREACHED] = "unreached",
        [CT_NETWORK_REASON_BROKEN] = "broken",
        [CT_NETWORK_REASON_OVERFLOW] = "overflow",
    };
    return (uint32_t)reason < CT_NETWORK_REASONS ? NAMES[reason] : "";
}
