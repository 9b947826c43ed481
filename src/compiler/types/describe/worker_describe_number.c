#include "compiler/types/describe/worker_describe_number.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

double ct_worker_describe_number(float value) {
    char text[64];
    if (fabsf(value) < 5e-7f)
        return 0;
    snprintf(text, sizeof(text), fabsf(value) < 1 ? "%.6f" : "%.6g", (double)value);
    return strtod(text, NULL);
}
