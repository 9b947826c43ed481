// script_network.h: the network of a script environment: what its Lua modules share.
#pragma once
#include "network/network.h"
#include "script/script.h"

// What command line and settings say of the network; zeroed: defaults. Texts are copied.
typedef struct ct_script_network_options {
    const char *log_path;             // --network-log; NULL: none
    const char *replay_path;          // --network-replay; NULL: none
    ct_network_conditions conditions; // --network-simulate
    uint64_t seed;                    // of the conditions
    bool has_no_timeouts;             // --no-network-timeouts
    ct_datagram_address address;      // where it receives; {0}: 127.0.0.1, any port
    const char *password;             // NULL or "": none
    bool is_plain;
    uint32_t bandwidth; // bytes a second to each peer; 0: no limit
} ct_script_network_options;

// Returns the network that Lua has made with Network.init_lan_client; NULL: none.
ct_network *ct_script_network(ct_script *s);

// Ends the network of an environment that ends.
void ct_script_network_shutdown(ct_script *s);
