// network_watch.h: a second observer of a network's sessions (network_observer.h), for tools that come and go
// while it runs.
#pragma once
#include "network/network.h"

// Sets what is called, beside the observer of the desc, with what sessions send and receive from now on; {0}:
// nothing, as at first. Copied; its data must outlive the network or the next call. Costs nothing while unset.
void ct_network_watch(ct_network *n, ct_network_observer watcher);
