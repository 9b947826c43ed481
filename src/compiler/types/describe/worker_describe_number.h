// worker_describe_number.h: rounds numbers so that they read well in sources.
#pragma once

// `value` with six digits after the comma for small ones and six in all for others; tiny ones are
// 0. What is written and read again is the same.
double ct_worker_describe_number(float value);
