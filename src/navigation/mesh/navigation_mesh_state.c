#include "navigation/mesh/navigation_mesh_private.h"
