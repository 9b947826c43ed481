// plugin.h: what a plugin is: a shared library with one function, cuttle_plugin_get_api.
//
// The engine asks it for the interface "plugin", and gives `init` a function by which the plugin asks
// for the engine's: log, memory, world, … (one header for each). An interface is a struct of functions
// with a name and a version. A version never changes once it was released: what needs other
// functions gets the next version, and the engine keeps the old ones. So a plugin goes on working with
// later engines, without being compiled again.
//
//     #include <cuttle/log.h>
//     #include <cuttle/plugin.h>
//
//     static bool init(cuttle_plugin *self, cuttle_get_api get_api, cuttle_error *error) {
//         const cuttle_log_api_1 *const log = get_api(CUTTLE_LOG_API, 1);
//         (void)error;
//         if (log)
//             log->info(self, "Hello.");
//         return true;
//     }
//
//     static const cuttle_plugin_api_1 plugin = {.name = "hello", .init = init};
//
//     CUTTLE_EXPORT const void *cuttle_plugin_get_api(const char *name, uint32_t version) {
//         return strcmp(name, CUTTLE_PLUGIN_API) == 0 && version == 1 ? &plugin : NULL;
//     }
//
// From "Building an Engine Plugin System" (Bitsquid blog, 2014-04-25).
#ifndef CUTTLE_PLUGIN_H
#define CUTTLE_PLUGIN_H
#include <cuttle/types.h>

#ifdef __cplusplus
extern "C" {
#define CUTTLE_EXPORT extern "C" __attribute__((visibility("default")))
#else
#define CUTTLE_EXPORT __attribute__((visibility("default")))
#endif

#define CUTTLE_PLUGIN_API "plugin"

// A plugin's own interface, version 1. Constant, and valid until the library is closed. All functions
// but `init` may be NULL, and run on the update thread.
//
// A plugin is reloaded while the game runs when its file changes: the new library is opened beside
// the old one and its `init` runs. When that returns true, everything that it added takes the place of
// what the old one had added under the same name, `reloaded` of the new one runs, and the old library
// is closed. When anything fails, the old one goes on as if nothing had happened. So `init` must only
// ask for interfaces, add things and get its state (cuttle/state.h); it must not change that state, as
// the old library may go on using it. Static variables of the library are new after a reload.
//
// The compiler's workers load plugins, too, for the types that they add. They have other interfaces
// than the game (`cuttle run`, the player, a program that embeds it), so get_api returns NULL for many:
// "app" is only in the game, "compiler" only in workers.
typedef struct cuttle_plugin_api_1 {
    // 1 to 31 of a-z, 0-9 and _, beginning with a letter: the name that the settings give it.
    const char *name;
    // Names of plugins that must be there first, ended by NULL; or NULL. Their interfaces are found by
    // get_api, too. They are reloaded with it, and this one with each of them.
    const char *const *needs;
    // Called once for each opened library, before the game starts or when it is reloaded. Returns
    // false with `error` to refuse; what was added is dropped then.
    bool (*init)(cuttle_plugin *self, cuttle_get_api get_api, cuttle_error *error);
    // Called in place of `start` when the library has taken the place of an older one.
    void (*reloaded)(cuttle_plugin *self);
    // Before the game's Lua `init`, and after its `shutdown`. For a plugin that is loaded while the
    // game runs, `start` is called at once.
    void (*start)(cuttle_plugin *self);
    void (*end)(cuttle_plugin *self);
    // Once a frame, before the game's Lua `update`, with its step in seconds; not while the game is
    // paused. What belongs to a world is better a step of the world (cuttle/world.h).
    void (*update)(cuttle_plugin *self, double dt);
    // Once a frame, before the game's Lua `render`.
    void (*render)(cuttle_plugin *self);
    // Called last in each library: when a new one takes its place (`is_replaced`: the plugin goes on, so
    // keep what states point to), or at the end of the plugin, when worlds have ended: free what is left.
    void (*shutdown)(cuttle_plugin *self, bool is_replaced);
    // Other interfaces of this plugin, for plugins that need it: cuttle_plugin_get_api is asked.
} cuttle_plugin_api_1;

// The one function that a plugin exports. Returns the plugin's version `version` of the interface
// `name`, or NULL. Must be callable before `init`.
CUTTLE_EXPORT const void *cuttle_plugin_get_api(const char *name, uint32_t version);

#ifdef __cplusplus
}
#endif
#endif
