#include "app/sdl_api.h"

#include <string.h>

#include "foundation/error.h"
#include "foundation/memory/library_memory.h"
#include "foundation/os/os.h"

const ct_sdl_api *ct_sdl_load(ct_error *error) {
    static ct_sdl_api api;
    static bool is_loaded;
    if (is_loaded)
        return &api;
    void *const library = ct_library_open("libSDL2-2.0.so.0");
    if (!library) {
        ct_error_set(error, "SDL2 is not installed; install the package libsdl2-2.0-0");
        return NULL;
    }
#define CT_SDL_LOOK_UP(name)                                                                       \
    {                                                                                              \
        void *const symbol = ct_library_symbol(library, #name);                                    \
        if (!symbol) {                                                                             \
            ct_error_set(error, "the installed SDL2 is too old: it has no function %s", #name);    \
            return NULL;                                                                           \
        }                                                                                          \
        memcpy(&api.name, &symbol, sizeof(symbol));                                                \
    }
    CT_SDL_FUNCTIONS(CT_SDL_LOOK_UP)
#undef CT_SDL_LOOK_UP
    is_loaded = true;
    return &api;
}

// SDL's functions have no argument to find it by.
static ct_library_memory *memory;
static struct {
    SDL_malloc_func malloc;
    SDL_calloc_func calloc;
    SDL_realloc_func realloc;
    SDL_free_func free;
} own; // SDL's

static void *SDLCALL sdl_malloc(size_t size_bytes) {
    return ct_library_alloc(memory, size_bytes, 0);
}

static void *SDLCALL sdl_calloc(size_t count, size_t size_bytes) {
    if (size_bytes != 0 && count > SIZE_MAX / size_bytes)
        return NULL;
    void *const p = ct_library_alloc(memory, count * size_bytes, 0);
    return p ? memset(p, 0, count * size_bytes) : NULL;
}

static void *SDLCALL sdl_realloc(void *p, size_t size_bytes) {
    return ct_library_realloc(memory, p, size_bytes, 0);
}

static void SDLCALL sdl_free(void *p) {
    ct_library_free(memory, p);
}

void ct_sdl_start(const ct_sdl_api *sdl, ct_allocator *a) {
    CT_ASSERT(!memory, "SDL is started twice%s", "");
    memory = ct_library_memory_create(a, "sdl");
    sdl->SDL_GetMemoryFunctions(&own.malloc, &own.calloc, &own.realloc, &own.free);
    sdl->SDL_SetMemoryFunctions(sdl_malloc, sdl_calloc, sdl_realloc, sdl_free);
}

void ct_sdl_stop(const ct_sdl_api *sdl) {
    sdl->SDL_SetMemoryFunctions(own.malloc, own.calloc, own.realloc, own.free);
    ct_library_memory_destroy(memory);
    memory = NULL;
}
