// dump_text.h: lines of "place: values" on standard output.
//
// Lines are collected and written in large pieces; dump_text_flush writes what is left. One thread.
#pragma once
#include "foundation/types.h"

// Starts a line for the place `name`, or `name[position]` with dump_text_place_at, below the place
// that has been entered.
void dump_text_place(const char *name);
void dump_text_place_at(const char *name, uint32_t position);

// Values of the line, in front of each a space: a number of `bytes` bytes in hexadecimal, a float
// and a double by their bits, text in quotes with all but printable characters as hexadecimal.
void dump_text_number(uint64_t value, uint32_t bytes);
void dump_text_float(float value);
void dump_text_double(double value);
void dump_text_string(const char *text, uint64_t bytes);
void dump_text_line_end(void);

// Enters a place: what follows stands below it. Returns what dump_text_leave is given afterwards.
uint32_t dump_text_enter(const char *name);
uint32_t dump_text_enter_at(const char *name, uint32_t position);
void dump_text_leave(uint32_t before);

// How many values there were.
uint64_t dump_text_num_values(void);
void dump_text_flush(void);
