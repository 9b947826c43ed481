// check_engine.h: the engine's part of `cuttle check`, a process of its own that runs jobs.
//
// The process is headless, draws small images and runs its frames as fast as it can, with steps of
// 1/60 s. It receives jobs and sends reports over a socket, in messages framed like the console's:
//
// to it:    {type: "job", what: "packages"|"package"|"level"|"unit", names: [...], frames: N}
//           {type: "job", what: "end"}        no more jobs
// from it:  {type: "start", report: PATH}       a crash would be reported in this file
//           {type: "ready"}                     the engine runs and waits for a job
//           {type: "frame", frame: N}           frame N of the job begins
//           {type: "error", frame: N, system, message}   something logged an error in frame N
//           {type: "warning", frame: N, system, message}   something will not work as it should
//           {type: "done"}                      the job has ended
//
// core/tools/check_slave.lua does the part of a job that is in Lua. "packages" are loaded and kept;
// a "package" is loaded and unloaded; levels and units are in a world that is drawn for N frames.
// In frame 0 they are loaded. The process ends when the socket does.
#pragma once
#include "foundation/types.h"

typedef struct ct_check_engine_desc {
    ct_allocator *allocator;
    const char *project_folder; // absolute
    const char *data_folder;
    const char *report_path; // of crashes; "": no reports
    int socket;
    // Runs the game itself for this number of frames and ends; 0: runs jobs.
    uint32_t num_game_frames;
    bool validation; // Vulkan's messages are errors
} ct_check_engine_desc;

// Runs until the socket ends, or the game's frames are done. Returns the exit code: 0, or 1 when
// the engine could not start.
int ct_check_engine_run(const ct_check_engine_desc *desc);
