#include "app/sdl_api.h"

#include <string.h>

#include "foundation/error.h"
#include "foundation/os.h"

const ct_sdl_api *ct_sdl_load(ct_error *error) {
    static ct_sdl_api api;
    static bool is_loaded;
    if (is_loaded)
        return &api;
    void *library = ct_library_open("libSDL2-2.0.so.0");
    if (library == NULL) {
        ct_error_set(error, "SDL2 is not installed; install the package libsdl2-2.0-0");
        return NULL;
    }
#define CT_SDL_LOOK_UP(name)                                                                       \
    {                                                                                              \
        void *symbol = ct_library_symbol(library, #name);                                          \
        if (symbol == NULL) {                                                                      \
            ct_error_set(error, "the installed SDL2 is too old: it lacks %s", #name);              \
            return NULL;                                                                           \
        }                                                                                          \
        memcpy(&api.name, &symbol, sizeof(symbol));                                                \
    }
    CT_SDL_FUNCTIONS(CT_SDL_LOOK_UP)
#undef CT_SDL_LOOK_UP
    is_loaded = true;
    return &api;
}
