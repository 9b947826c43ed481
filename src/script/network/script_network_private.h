// script_network_private.h: what an environment keeps of its network; for the files of this folder.
#pragma once
#include "foundation/container/array.h"
#include "foundation/container/hash_map.h"
#include "network/fields/network_interpolation.h"
#include "network/lobby/network_lobby_list.h"
#include "network/log/network_log.h"
#include "script/network/script_network.h"
#include "script/script_private.h"

// What Network.log has logged.
typedef enum ct_script_network_level {
    CT_SCRIPT_NETWORK_SILENCE,
    CT_SCRIPT_NETWORK_WARNINGS,
    CT_SCRIPT_NETWORK_INFO,     // peers and hosts
    CT_SCRIPT_NETWORK_MESSAGES, // and messages, and objects
    CT_SCRIPT_NETWORK_SPEW,     // and fields
} ct_script_network_level;

// An object of the session, as the last events left it.
typedef struct ct_script_network_object {
    ct_network_object_id id;
    uint32_t record; // index in the config's objects
    ct_peer_id owner;
    ct_network_buffer *buffer; // of another peer's object; NULL: no field has changed yet
    bool has_news;             // its fields have changed in this update
} ct_script_network_object;

// A peer whose objects are shown a little late.
typedef struct ct_script_network_sender {
    ct_peer_id peer;
    ct_network_delay delay;
    double shown;    // time of the session that is shown in this update
    double received; // newest time of its fields in this update; 0: none
} ct_script_network_sender;

typedef struct ct_script_network_objects {
    CT_ARRAY(ct_script_network_object) items;
    ct_hash_map places; // of an id: its place in `items`
    CT_ARRAY(ct_script_network_sender) senders;
    double delay;   // that the game has set, in seconds; negative: it adapts
    uint32_t asked; // the place of the last one whose priority the game was asked for
} ct_script_network_objects;

// A log that is played.
typedef struct ct_script_network_replay {
    bool is_on;     // the network is a replay
    bool has_frame; // `frame_ns` and `step` are those of the next update
    bool has_said_end, has_said_step;
    uint64_t frame_ns;
    double step;
    ct_network_log_reader reader;
    ct_network_lobby_list found; // what the browser had, as the log says
} ct_script_network_replay;

// Network.enable_qos.
typedef struct ct_script_network_quality {
    bool is_on;
    CT_ARRAY(ct_peer_id) left_out; // peers whose bandwidth does not adapt
} ct_script_network_quality;

struct ct_script_network {
    ct_allocator *allocator;
    ct_lua *lua;
    ct_script_network_options options;
    char *log_path, *replay_path, *password; // copies; or NULL
    bool has_key;
    ct_network_key key;                  // of the password
    ct_script_network_listener listener; // message NULL: there is none

    // The network; what follows is of it.
    ct_network *network;
    uint64_t num_made; // networks so far: LanClient's `data`
    ct_network_config_resource *config;
    char *config_name;
    const void *config_seen; // the loaded resource when it was last looked at
    uint64_t now_ns;
    ct_network_log *log;
    ct_script_network_replay replay;
    bool has_explicit_connections, is_calling;
    ct_script_network_level level;
    double transmit_step; // seconds between transmissions; 0: each time
    uint64_t transmitted_ns;
    double counter_step; // seconds between figures for the profiler
    uint64_t counted_ns;
    uint64_t logged_ns; // when the log was given how good connections are
    ct_script_network_quality quality;
    CT_ARRAY(ct_peer_id) channels; // peers in the order of their channels, which start at 1

    bool has_said_lobby;                // why the lobby has failed
    bool has_browser;                   // Lua has asked for it
    ct_string_builder found_text;       // what the log was last given of the browser
    uint64_t num_lobbies, num_sessions; // that were made: `data` of LanLobby and GameSession
    ct_peer_id host;                    // of the session, when it was last known
    ct_peer_id named; // the last one that the lobby has named as that host; 0: none
    ct_script_network_objects objects;
    CT_ARRAY(ct_peer_id) broken, leaving; // that Lua does not know of yet
    CT_ARRAY(ct_peer_id) gone;            // that have left the session

    // Copies of the session's events, which callbacks may end.
    CT_ARRAY(ct_network_event) events;
    ct_u32_array words;
};

// Returns the environment that has the network.
static inline ct_script *ct_script_network_owner(const struct ct_script_network *n) {
    return (ct_script *)(void *)n->lua; // its first member
}

// --- script_network.c ----------------------------------------------------------------------------

// How Lua makes a network.
typedef struct ct_script_network_desc {
    const char *config_name;
    const ct_network_config_resource *config; // copied
    uint16_t port;                            // unless the options have one; 0: any
    ct_peer_id self;                          // 0: a random one
    const char *replay_path;                  // a log to play; NULL: as the options say
} ct_script_network_desc;

// Makes the network, of which there is none. Returns false with `error` when that cannot be done.
bool ct_script_network_make(struct ct_script_network *n, const ct_script_network_desc *desc,
                            ct_error *error);
// Makes the session, of which there is none. Returns false with `error`.
bool ct_script_network_make_session(struct ct_script_network *n,
                                    const ct_network_session_desc *desc, ct_error *error);
// Ends the network with session, lobby and log, and the handles that Lua has of them.
void ct_script_network_end(struct ct_script_network *n);
// End the session, and the lobby, with the handles that Lua has of it; nothing without one.
void ct_script_network_end_session(struct ct_script_network *n);
void ct_script_network_leave_lobby(struct ct_script_network *n);
// Goes on by `step` seconds: receives, joins the session that the lobby names, copies the events.
void ct_script_network_receive(struct ct_script_network *n, double step);
// Sends, unless it has done so less than `transmit_step` ago.
void ct_script_network_transmit(struct ct_script_network *n);
// Returns the time in seconds.
static inline double ct_script_network_seconds(const struct ct_script_network *n) {
    return (double)n->now_ns * 1e-9;
}

// --- script_network_replay.c ---------------------------------------------------------------------

// Opens a log to play it, and checks that it is of this config. Returns false with `error`.
bool ct_script_network_open_replay(struct ct_script_network *n, const char *path,
                                   const ct_network_config_resource *config, ct_error *error);
// Plays what the log has before its first frame.
void ct_script_network_begin_replay(struct ct_script_network *n);
// Takes the time of the next frame of the log, and plays what it has in it.
void ct_script_network_replay_frame(struct ct_script_network *n, double step);

// --- script_network_objects.c --------------------------------------------------------------------

// Makes an empty list of objects and senders.
void ct_script_network_init_objects(struct ct_script_network *n);
// Frees the list.
void ct_script_network_free_objects(struct ct_script_network *n);
// Forgets all objects and senders.
void ct_script_network_clear_objects(struct ct_script_network *n);
// Notes an object of this peer, which it has made.
void ct_script_network_note_object(struct ct_script_network *n, ct_network_object_id id,
                                   uint32_t record);
// Forgets an object that is gone; an unknown one is fine.
void ct_script_network_forget_object(struct ct_script_network *n, ct_network_object_id id);
// Returns an object, NULL when it is unknown. Borrowed until objects change.
ct_script_network_object *ct_script_network_find_object(struct ct_script_network *n,
                                                        ct_network_object_id id);
// Takes the copied events: notes objects and the records between which they are shown. OWNER events
// get the old owner in `num_words` (as its place in `words`).
void ct_script_network_take_objects(struct ct_script_network *n);
// Sets the delay of all senders; negative: they adapt.
void ct_script_network_set_delay(struct ct_script_network *n, double seconds);
// Finds where the fields of an object of another peer are shown now. Returns false when its words are
// shown as they are: it is this peer's, or no field has changed yet.
bool ct_script_network_moment(struct ct_script_network *n, ct_network_object_id id,
                              ct_network_moment *moment);

// --- script_network_events.c ---------------------------------------------------------------------

// Calls the methods of the table at `callbacks` (nil: none) for the copied events. Errors in them are
// logged.
void ct_script_network_call(lua_State *L, struct ct_script_network *n, int callbacks);

// --- script_network_priority.c -------------------------------------------------------------------

// Calls game_object_priority(id, peer) of the table at `callbacks`, if it has one, for some of the
// objects that this program sends, and sets the priorities that it returns. It may end the network.
void ct_script_network_ask_priorities(lua_State *L, struct ct_script_network *n, int callbacks);
