// project_crash.h: sends crash reports to a folder of the project that runs.
#pragma once
#include "foundation/os/path.h"

// Makes <project>/.cuttle/crash and has crash reports of this process go to a file there, named by
// time and process id, whose path is written to `path`. Warns and writes "" when that fails. Call
// it early: a process that crashes makes no folders.
void ct_project_crash_report(const char *project, char path[CT_PATH_BYTES]);
