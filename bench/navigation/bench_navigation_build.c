#include "bench.h"
const ct_bench_group ct_bench_navigation_build = {"navigation", NULL, 0};
