#include "navigation/navigation_mesh.h"
