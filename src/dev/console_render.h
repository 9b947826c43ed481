// console_render.h: the console command `render`: debug views, settings and presets of the render
// config of the running game.
#pragma once
#include "dev/console_commands.h"

// The function of the command (ct_console_run): `views`, `view NAME`, `settings`, `set NAME VALUE…`,
// `presets` or `preset NAME`.
bool ct_console_run_render(ct_console_target *target, uint32_t num_arguments,
                           const char *const *arguments, ct_string_builder *result,
                           ct_error *error);
