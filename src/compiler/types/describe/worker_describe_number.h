// worker_describe_number.h: rounds numbers so that they read well in sources.
#pragma once

// Returns `value` with six digits after the decimal point for small numbers and six digits in all
// for others; tiny numbers become 0. A result that is written and read again stays the same.
double ct_worker_describe_number(float value);
