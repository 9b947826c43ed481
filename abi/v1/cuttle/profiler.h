// profiler.h: the interface "profiler": scopes and counters in the engine's profiler.
#ifndef CUTTLE_PROFILER_H
#define CUTTLE_PROFILER_H
#include <cuttle/types.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CUTTLE_PROFILER_API "profiler"

// Any thread. Costs little while nothing records. Names are copied when they are first seen.
typedef struct cuttle_profiler_api_1 {
    // Begins a scope on this thread; returns what `leave` takes. Scopes nest.
    bool (*enter)(const char *name);
    void (*leave)(bool entered);
    // Records a value, at most once a frame for each name.
    void (*counter)(const char *name, double value);
} cuttle_profiler_api_1;

#ifdef __cplusplus
}
#endif
#endif
