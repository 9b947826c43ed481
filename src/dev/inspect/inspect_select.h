// inspect_select.h: what a tool has selected: outlines of meshes, and crosses where a unit has no mesh.
//
// A process has one selection, that of the tool that selected last. It ends with the tool's connection.
// Nothing is done while nothing is selected. Update thread.
#pragma once
#include "dev/console_server.h"

enum { CT_INSPECT_MAX_SELECTED = 1000 };

// Draws the crosses of this frame, and ends the selection of a tool that has left. At a frame boundary.
void ct_inspect_select_update(ct_app *app, ct_console_server *server);

// Forgets the selection, without touching any world: they are about to end.
void ct_inspect_select_forget(void);
