// network.h: the interface "network": messages of the game's session.
//
// Lua makes network and session, and brings them up to date (docs/network.md). A plugin sends messages
// that the project's .network_config declares, and hears those that come. A peer is a number of 64 bits;
// 0 is no peer.
#ifndef CUTTLE_NETWORK_H
#define CUTTLE_NETWORK_H
#include <cuttle/types.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CUTTLE_NETWORK_API "network"

// The kinds of values, as the types of a .network_config have them.
typedef enum cuttle_network_kind {
    CUTTLE_NETWORK_BOOL,     // integer: 0 or 1
    CUTTLE_NETWORK_INTEGER,  // integer
    CUTTLE_NETWORK_FLOAT,    // parts[0]
    CUTTLE_NETWORK_VECTOR2,  // parts: x y
    CUTTLE_NETWORK_VECTOR3,  // parts: x y z
    CUTTLE_NETWORK_ROTATION, // parts: x y z w, a quaternion
    CUTTLE_NETWORK_STRING,   // text and count: its bytes, UTF-8
    CUTTLE_NETWORK_ID,       // id: of a resource's name
    CUTTLE_NETWORK_PEER,     // id: 0 is no peer
    CUTTLE_NETWORK_OBJECT,   // id: of a game object; 0 is no object
    CUTTLE_NETWORK_LOOKUP,   // text: a name of the type's list, zero-terminated
    CUTTLE_NETWORK_ARRAY,    // values and count: of any other kind
} cuttle_network_kind;

// A value of a message. What it points to is borrowed for the call.
typedef struct cuttle_network_value {
    uint32_t kind; // cuttle_network_kind
    uint32_t count;
    float parts[4];
    int64_t integer;
    uint64_t id;
    const char *text;                          // STRING (not zero-terminated), LOOKUP
    const struct cuttle_network_value *values; // ARRAY
} cuttle_network_value;

// What hears a message. All is borrowed as long as the library is open.
typedef struct cuttle_network_receiver {
    // Called when the message has come, while Lua's Network.update runs, before the method of its name.
    // The arguments are those that the .network_config declares, in their order.
    void (*receive)(cuttle_plugin *self, uint64_t sender, const cuttle_network_value *values,
                    uint32_t num_values);
} cuttle_network_receiver;

// Update thread.
typedef struct cuttle_network_api_1 {
    // Returns whether this program is in a session, with all of its objects: then messages can be sent.
    bool (*is_running)(cuttle_plugin *self);
    // Returns this program's peer; 0 without a network.
    uint64_t (*own_peer)(cuttle_plugin *self);
    // Returns whether this program is the host of a session that runs.
    bool (*is_host)(cuttle_plugin *self);
    // Writes up to `most` peers of the session, this one among them. Returns how many there are; 0 without
    // a session.
    uint32_t (*peers)(cuttle_plugin *self, uint64_t *peers, uint32_t most);
    // Sends a message to a peer of the session, or to all others (0). Numbers are rounded as its types say.
    // Returns false with `error`, and sends nothing, without a session, or when the name, a value or the
    // peer is wrong. Not in `init`.
    bool (*send)(cuttle_plugin *self, const char *message, uint64_t peer,
                 const cuttle_network_value *values, uint32_t num_values, cuttle_error *error);
    // Adds what hears a message, by its name; several plugins may hear the same one. Returns false with
    // `error` when the plugin has a receiver of this name.
    bool (*add_receiver)(cuttle_plugin *self, const char *message,
                         const cuttle_network_receiver *receiver, cuttle_error *error);
} cuttle_network_api_1;

#ifdef __cplusplus
}
#endif
#endif
