#include "navigation/navigation_agents.h"
