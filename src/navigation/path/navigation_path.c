#include "navigation/navigation_path.h"
