// network_session_watch.h: another observer for a session that exists.
#pragma once
#include "network/session/network_session.h"

// Sets the observer in place of that of the desc; {0}: none. Copied.
void ct_network_session_set_observer(ct_network_session *s, ct_network_observer observer);
