// inspect_select.h: what tools have selected: outlines of meshes, and crosses where a unit has no mesh.
//
// Each client has one selection, which ends with its connection. The outlines cover those of the game, which are
// back afterwards; where several tools have selected a mesh, the last one's is seen. Nothing is done while nothing is
// selected. Update thread.
#pragma once
#include "dev/console_server.h"

enum { CT_INSPECT_MAX_SELECTED = 1000 };

typedef struct ct_inspect_selections ct_inspect_selections;

// Makes an empty list of the selections of a game's clients.
ct_inspect_selections *ct_inspect_selections_create(ct_allocator *a);

// Frees it; NULL is fine.
void ct_inspect_selections_destroy(ct_inspect_selections *s);

// Shows the selections in this frame, and ends those of tools that have left. At a frame boundary. `server` may be
// NULL.
void ct_inspect_selections_update(ct_inspect_selections *s, ct_app *app, ct_console_server *server);

// Forgets the selections, without touching any world: they are about to end.
void ct_inspect_selections_forget(ct_inspect_selections *s);
