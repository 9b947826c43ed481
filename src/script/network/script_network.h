// script_network.h: the network of a script environment: what its Lua modules share.
//
// An environment has at most one network at a time, which Lua makes with Network.init_lan_client and
// brings up to date with Network.update. Its clock is the sum of the steps that Network.update was
// given, from 1 s on: fixed steps give the same times in each run. Update thread.
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
    ct_datagram_address address;      // where it receives; ip 0: 127.0.0.1, port 0: as Lua says
    bool is_on_all_networks;          // receives at 0.0.0.0, whatever the address is
    const char *password;             // NULL or "": none
    bool is_plain;
    uint32_t bandwidth; // bytes a second to each peer; 0: no limit
} ct_script_network_options;

// Returns the network that Lua has made with Network.init_lan_client; NULL: none. Borrowed until Lua
// ends it, which callbacks may do.
ct_network *ct_script_network(ct_script *s);

// Returns how many networks Lua has made so far.
uint64_t ct_script_network_count(const ct_script *s);

// Returns the clock of that network in nanoseconds.
uint64_t ct_script_network_time(const ct_script *s);

// Returns the seed of conditions that are simulated without a seed of their own: that of the options.
uint64_t ct_script_network_seed(const ct_script *s);

// Hears the messages of the session before Lua does.
typedef struct ct_script_network_listener {
    void *user;
    // Returns whether something has heard the message (an event of type MESSAGE): then there is no warning
    // when Lua has no method for it. Config and event are borrowed for the call.
    bool (*message)(void *user, const ct_network_config_resource *config,
                    const ct_network_event *event);
} ct_script_network_listener;

// Sets what hears messages; it is copied.
void ct_script_network_set_listener(ct_script *s, const ct_script_network_listener *listener);

// Makes what an environment keeps of networks; `options` (NULL: defaults) are copied.
void ct_script_network_start(ct_script *s, const ct_script_network_options *options);

// Ends the network of an environment that ends.
void ct_script_network_shutdown(ct_script *s);
