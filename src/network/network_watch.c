#include "network/network_watch.h"

#include "network/network_private.h"
#include "network/session/network_session_watch.h"

static void see(void *data, const ct_network_seen *what) {
    const ct_network *const n = data;
    if (n->desc.observer.seen)
        n->desc.observer.seen(n->desc.observer.data, what);
    n->watcher.seen(n->watcher.data, what);
}

ct_network_observer ct_network_observer_of(ct_network *n) {
    return n->watcher.seen ? (ct_network_observer){see, n} : n->desc.observer;
}

void ct_network_watch(ct_network *n, ct_network_observer watcher) {
    n->watcher = watcher;
    if (n->session)
        ct_network_session_set_observer(n->session, ct_network_observer_of(n));
}
