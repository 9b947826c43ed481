// pages_folder.h: finds the pages that the running game shows in a browser.
#pragma once
#include "foundation/os/path.h"

// Writes the folder of the pages: the environment's CUTTLE_WEB, `../web` or `web` beside the executable (as it
// is built), or `../share/cuttle/web` (as it is installed); the first that has an `index.html`. Returns false
// when none has: there are no pages.
bool ct_pages_folder(char folder[CT_PATH_BYTES]);
