// script_units.h: units over the network, and replays of units, in a script environment.
//
// An environment has one synchronizer, of its game session, and a replay for each world that asked
// for one. World.update plays before the world's step, and records after it. Update thread.
#pragma once
#include "script/script_private.h"
#include "world/network/unit_replay.h"
#include "world/network/unit_synchronizer.h"

extern const ct_lua_object_type ct_type_unit_synchronizer, ct_type_replay;

// --- For what has the session --------------------------------------------------------------------

// Sets the session of the environment: when it is made, and NULL before it is destroyed, which ends
// the synchronizer and Lua's handle of it.
void ct_script_set_session(ct_script *s, ct_network_session *session);

// Brings units of others up to date after the session's update, and own fields before its transmit
// (ct_unit_synchronizer_receive, _send); nothing before Lua has asked for the synchronizer. Nothing
// is sent of a world whose replay plays.
void ct_script_receive_units(ct_script *s, double now);
void ct_script_send_units(ct_script *s);

// Sets how long ago the moment is that units of others show, in seconds; negative: as needed.
void ct_script_set_unit_delay(ct_script *s, double seconds);

// GameSession.unit_synchronizer: (self: GameSession) -> UnitSynchronizer. Makes it on the first call.
int ct_game_session_unit_synchronizer(lua_State *L);

// --- For worlds ----------------------------------------------------------------------------------

// World.replay: (self: World) -> Replay. Makes it on the first call.
int ct_world_replay(lua_State *L);

// Goes on with a replay that plays, and draws its lines. Before the world's step.
void ct_script_play_replay(lua_State *L, ct_world *world, double dt);

// Records a frame of a world whose replay records. After its step.
void ct_script_record_replay(lua_State *L, const ct_world *world, double dt);

// Takes a world that is about to end from the synchronizer, and ends its replay.
void ct_script_end_units(lua_State *L, ct_world *world);

// Frees what is kept. All worlds have ended.
void ct_script_units_shutdown(ct_script *s);
