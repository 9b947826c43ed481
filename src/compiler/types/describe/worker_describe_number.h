// worker_describe_number.h: numbers as people like to read them in sources.
#pragma once

// `value` with six digits after the comma for small ones and six in all for others; tiny ones are
// 0. What is written and read again is the same.
double ct_worker_describe_number(float value);
