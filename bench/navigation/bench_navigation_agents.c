#include "bench.h"
const ct_bench_group ct_bench_navigation_agents = {"navigation", NULL, 0};
