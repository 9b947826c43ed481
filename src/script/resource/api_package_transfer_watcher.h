// api_package_transfer_watcher.h: the watches of PackageTransferWatcher.
#pragma once
#include "script/script_private.h"

// Updates what the watches' packages are expected to load, after the preferred variants changed.
void ct_script_expect_transfers_anew(ct_script *s);

// Ends all watches.
void ct_script_end_transfer_watches(ct_script *s);
