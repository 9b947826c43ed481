// project_crash.h: where reports of crashes go while a project runs.
#pragma once
#include "foundation/os/path.h"

// Makes <project>/.cuttle/crash and has reports of this process go to a file there, named by time
// and process id, whose path is written to `path`. When that cannot be, warns and writes "". A
// dying process makes no folders, so this comes first.
void ct_project_crash_report(const char *project, char path[CT_PATH_BYTES]);
