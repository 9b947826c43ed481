// app.h: the interface "app": the running game.
#ifndef CUTTLE_APP_H
#define CUTTLE_APP_H
#include <cuttle/types.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CUTTLE_APP_API "app"

// Update thread. Texts are UTF-8 and borrowed as long as the game runs.
typedef struct cuttle_app_api_1 {
    // Returns the absolute folder of the project; NULL in a game that ships.
    const char *(*project_folder)(cuttle_plugin *self);
    // Returns the folder of the compiled data.
    const char *(*data_folder)(cuttle_plugin *self);
    // Returns the frames that were drawn so far.
    uint64_t (*frame)(cuttle_plugin *self);
    // Returns the seconds since the program started.
    double (*time)(cuttle_plugin *self);
    // Returns whether the game is paused (`update` is not called).
    bool (*is_paused)(cuttle_plugin *self);
    // Ends the game after this frame.
    void (*quit)(cuttle_plugin *self, int exit_code);
} cuttle_app_api_1;

#ifdef __cplusplus
}
#endif
#endif
