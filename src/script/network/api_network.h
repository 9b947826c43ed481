// api_network.h: the network in Lua: what its modules share.
//
// Lua has peers as strings of 16 hexadecimal digits, objects as integers. LanClient, LanLobby,
// LanLobbyBrowser and GameSession are objects of the environment's network (script_network_private.h),
// and end with it. Functions that check raise a Lua error, which names function and argument, and do
// not return.
#pragma once
#include "foundation/error.h"
#include "network/fields/network_interpolation.h"
#include "script/api_check.h"
#include "script/network/script_network_private.h"

extern const ct_lua_object_type ct_type_lan_client, ct_type_lan_lobby, ct_type_lan_lobby_browser,
    ct_type_game_session;

// Returns what the environment keeps of networks; with a network, else it raises an error.
struct ct_script_network *ct_check_network(lua_State *L);
// Return the session, and the lobby, at argument 1.
ct_network_session *ct_check_session(lua_State *L, struct ct_script_network **n);
ct_network_lobby *ct_check_lobby(lua_State *L, struct ct_script_network **n);

// --- Peers ---------------------------------------------------------------------------------------

enum { CT_PEER_BYTES = 17 }; // of a peer as text, with its terminator

// Writes a peer as text. Returns `text`.
const char *ct_print_peer(ct_peer_id peer, char text[CT_PEER_BYTES]);
// Reads a peer from text. Returns 0 for any other text.
ct_peer_id ct_read_peer(const char *text);
// Pushes a peer; nil for 0. Returns 1.
int ct_push_peer(lua_State *L, ct_peer_id peer);
// Returns the peer at an argument.
ct_peer_id ct_check_peer(lua_State *L, int argument);
// Pushes an array of peers. Returns 1.
int ct_push_peers(lua_State *L, const ct_peer_id *peers, uint32_t count);

// --- Names of the config -------------------------------------------------------------------------

// Return the index of the object, message or type with the name at an argument, or raise an error with
// the nearest name.
uint32_t ct_check_network_object(lua_State *L, int argument,
                                 const ct_network_config_resource *config);
uint32_t ct_check_network_message(lua_State *L, int argument,
                                  const ct_network_config_resource *config);
uint32_t ct_check_network_type(lua_State *L, int argument,
                               const ct_network_config_resource *config);
// Returns the index of a field of a record by its name; UINT32_MAX with `error`, which has the nearest
// name.
uint32_t ct_find_network_field(const ct_network_config_resource *config,
                               const ct_network_record_type *record, const char *name,
                               ct_error *error);

// --- Values --------------------------------------------------------------------------------------

// Sets a field of a record to the Lua value at `index`. Returns false with `error`, which names the
// field. Raises an error for a vector of an earlier frame.
bool ct_take_network_field(lua_State *L, int index, const ct_network_config_resource *config,
                           const ct_network_record_type *record, uint32_t field, uint32_t *words,
                           ct_error *error);
// Push a field of a record, and one at a moment.
void ct_push_network_field(lua_State *L, const ct_network_config_resource *config,
                           const ct_network_record_type *record, uint32_t field,
                           const uint32_t *words);
void ct_push_network_moment(lua_State *L, const ct_network_config_resource *config,
                            const ct_network_record_type *record, uint32_t field,
                            const ct_network_moment *moment);

// --- Functions of other files --------------------------------------------------------------------

// Return what the config has, as tables (api_network_info.c).
int ct_networks_type_info(lua_State *L);
int ct_networks_object_info(lua_State *L);
int ct_networks_message_info(lua_State *L);
// Settings and figures (api_network_settings.c).
int ct_networks_disable_qos_peer(lua_State *L);
int ct_networks_enable_qos(lua_State *L);
int ct_networks_enable_qos_peer(lua_State *L);
int ct_networks_log(lua_State *L);
int ct_networks_ping(lua_State *L);
int ct_networks_reliable_send_buffer_left(lua_State *L);
int ct_networks_set_max_transmit_rate(lua_State *L);
int ct_networks_set_password(lua_State *L);
int ct_networks_set_ping_time(lua_State *L);
int ct_networks_set_pong_timeout(lua_State *L);
int ct_networks_set_resend_time(lua_State *L);
int ct_networks_set_timeouts(lua_State *L);
int ct_networks_set_token(lua_State *L);
int ct_networks_simulate(lua_State *L);
int ct_networks_statistics(lua_State *L);
int ct_networks_write_dump_tag(lua_State *L);
// Has the transport know which peers Network.disable_qos_peer leaves out, as peers come and go.
void ct_networks_apply_qos(struct ct_script_network *n);
// Functions of objects (api_game_session_objects.c).
int ct_game_sessions_compare_states(lua_State *L);
int ct_game_sessions_create_game_object(lua_State *L);
int ct_game_sessions_destroy_game_object(lua_State *L);
int ct_game_sessions_game_object_exists(lua_State *L);
int ct_game_sessions_game_object_field(lua_State *L);
int ct_game_sessions_game_object_is_type(lua_State *L);
int ct_game_sessions_game_object_owned(lua_State *L);
int ct_game_sessions_game_object_owner(lua_State *L);
int ct_game_sessions_game_object_type(lua_State *L);
int ct_game_sessions_migrate_game_object(lua_State *L);
int ct_game_sessions_objects_owned_by(lua_State *L);
int ct_game_sessions_set_game_object_field(lua_State *L);
int ct_game_sessions_set_game_object_priority(lua_State *L);
int ct_game_sessions_state_hash(lua_State *L);
int ct_game_sessions_write_state(lua_State *L);
