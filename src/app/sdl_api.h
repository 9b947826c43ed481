// sdl_api.h: the functions of SDL2 that the engine uses, found at run time: `cuttle` does not link
// SDL.
//
// Between ct_sdl_start and ct_sdl_stop SDL allocates from library memory "sdl". Main thread.
#pragma once
#include <SDL2/SDL.h>
#include <SDL2/SDL_vulkan.h>

#include "foundation/types.h"

#define CT_SDL_FUNCTIONS(X)                                                                        \
    X(SDL_CreateRGBSurfaceWithFormatFrom)                                                          \
    X(SDL_CreateSystemCursor)                                                                      \
    X(SDL_CreateWindow)                                                                            \
    X(SDL_CreateWindowFrom)                                                                        \
    X(SDL_DestroyWindow)                                                                           \
    X(SDL_FreeCursor)                                                                              \
    X(SDL_FreeSurface)                                                                             \
    X(SDL_GameControllerAddMapping)                                                                \
    X(SDL_GameControllerClose)                                                                     \
    X(SDL_GameControllerGetJoystick)                                                               \
    X(SDL_GameControllerName)                                                                      \
    X(SDL_GameControllerOpen)                                                                      \
    X(SDL_GameControllerRumble)                                                                    \
    X(SDL_GameControllerSetLED)                                                                    \
    X(SDL_GetClipboardText)                                                                        \
    X(SDL_GetDesktopDisplayMode)                                                                   \
    X(SDL_GetDisplayMode)                                                                          \
    X(SDL_GetError)                                                                                \
    X(SDL_GetKeyFromScancode)                                                                      \
    X(SDL_GetKeyName)                                                                              \
    X(SDL_GetMemoryFunctions)                                                                      \
    X(SDL_GetNumDisplayModes)                                                                      \
    X(SDL_GetNumVideoDisplays)                                                                     \
    X(SDL_GetPlatform)                                                                             \
    X(SDL_GetRelativeMouseMode)                                                                    \
    X(SDL_GetTicks)                                                                                \
    X(SDL_GetWindowDisplayIndex)                                                                   \
    X(SDL_GetWindowFlags)                                                                          \
    X(SDL_GetWindowMouseGrab)                                                                      \
    X(SDL_GetWindowPosition)                                                                       \
    X(SDL_GetWindowSize)                                                                           \
    X(SDL_GetWindowTitle)                                                                          \
    X(SDL_InitSubSystem)                                                                           \
    X(SDL_IsGameController)                                                                        \
    X(SDL_IsTextInputActive)                                                                       \
    X(SDL_JoystickCurrentPowerLevel)                                                               \
    X(SDL_JoystickGetDeviceGUID)                                                                   \
    X(SDL_JoystickGetDeviceInstanceID)                                                             \
    X(SDL_MaximizeWindow)                                                                          \
    X(SDL_MinimizeWindow)                                                                          \
    X(SDL_NumJoysticks)                                                                            \
    X(SDL_PollEvent)                                                                               \
    X(SDL_Quit)                                                                                    \
    X(SDL_QuitSubSystem)                                                                           \
    X(SDL_RaiseWindow)                                                                             \
    X(SDL_RestoreWindow)                                                                           \
    X(SDL_SetClipboardText)                                                                        \
    X(SDL_SetCursor)                                                                               \
    X(SDL_SetHint)                                                                                 \
    X(SDL_SetMainReady)                                                                            \
    X(SDL_SetMemoryFunctions)                                                                      \
    X(SDL_SetRelativeMouseMode)                                                                    \
    X(SDL_SetTextInputRect)                                                                        \
    X(SDL_SetWindowFullscreen)                                                                     \
    X(SDL_SetWindowIcon)                                                                           \
    X(SDL_SetWindowMouseGrab)                                                                      \
    X(SDL_SetWindowPosition)                                                                       \
    X(SDL_SetWindowResizable)                                                                      \
    X(SDL_SetWindowSize)                                                                           \
    X(SDL_SetWindowTitle)                                                                          \
    X(SDL_ShowCursor)                                                                              \
    X(SDL_StartTextInput)                                                                          \
    X(SDL_StopTextInput)                                                                           \
    X(SDL_Vulkan_CreateSurface)                                                                    \
    X(SDL_Vulkan_GetDrawableSize)                                                                  \
    X(SDL_Vulkan_GetInstanceExtensions)                                                            \
    X(SDL_WasInit)                                                                                 \
    X(SDL_free)

// SDL's functions, loaded when the program first needs a window or pads.
typedef struct ct_sdl_api {
#define CT_SDL_POINTER(name) __typeof__(&name) name;
    CT_SDL_FUNCTIONS(CT_SDL_POINTER)
#undef CT_SDL_POINTER
} ct_sdl_api;

// Loads SDL2 once for the life of the process. Returns NULL with an `error` that says what to
// install.
const ct_sdl_api *ct_sdl_load(ct_error *error);

// Lets SDL allocate from `a`. Call it before any other function of SDL, and not again before
// ct_sdl_stop.
void ct_sdl_start(const ct_sdl_api *sdl, ct_allocator *a);

// Ends SDL's memory, after SDL_Quit. Reports memory that SDL did not free.
void ct_sdl_stop(const ct_sdl_api *sdl);
