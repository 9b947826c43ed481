#include "app/app_render_settings.h"

#include <math.h>

#include "foundation/error.h"
#include "foundation/log.h"

// A value as the config has it.
static ct_render_given given_by(const ct_config_resource *config, const ct_config_node *node) {
    const ct_config_node *const nodes = ct_blob_at(config, config->nodes.offset);
    ct_render_given given = {.numbers = {node->number}, .is_srgb = true};
    switch (node->type) {
    case CT_SJSON_TYPE_BOOL:
        given.kind = CT_RENDER_GIVEN_KIND_BOOL;
        break;
    case CT_SJSON_TYPE_NUMBER:
        given.kind = CT_RENDER_GIVEN_KIND_NUMBER;
        break;
    case CT_SJSON_TYPE_STRING:
        given.kind = CT_RENDER_GIVEN_KIND_TEXT;
        given.text = ct_blob_at(config, node->text.offset);
        break;
    case CT_SJSON_TYPE_ARRAY:
        given.kind = CT_RENDER_GIVEN_KIND_VECTOR;
        given.count = node->count;
        for (uint32_t i = 0; i < node->count && i < 4; ++i) {
            const ct_config_node *const e = &nodes[node->first + i];
            // A member that is not a number fits no setting.
            given.numbers[i] = e->type == CT_SJSON_TYPE_NUMBER ? e->number : (double)NAN;
        }
        break;
    default:
        break;
    }
    return given;
}

static bool apply(ct_renderer *renderer, const ct_config_resource *config,
                  const ct_config_node *node, ct_error *error) {
    const char *const name = ct_blob_at(config, node->key.offset);
    const ct_render_given given = given_by(config, node);
    ct_error problem = {0};
    if (ct_renderer_set_setting(renderer, name, &given, &problem))
        return true;
    if (ct_renderer_get_setting(renderer, name).type != CT_RENDER_SETTING_TYPE_NONE)
        return ct_error_set_at(error, "settings.config", 0, 0, "render_settings: %s",
                               problem.message);
    ct_log_warning("app", "unknown_render_setting", "settings.config: render_settings: %s",
                   problem.message);
    return true;
}

// render_preset = "…", or none: what the render config says for the device.
static bool apply_preset(ct_renderer *renderer, const ct_config_resource *config, ct_error *error) {
    const ct_config_node *const node = ct_config_find(config, "render_preset");
    ct_error problem = {0};
    if (node && node->type != CT_SJSON_TYPE_STRING)
        return ct_error_set_at(error, "settings.config", 0, 0,
                               "render_preset is %s; expected the name of a preset",
                               ct_sjson_type_name((ct_sjson_type)node->type));
    return ct_renderer_set_preset(renderer, node ? ct_blob_at(config, node->text.offset) : NULL,
                                  &problem) ||
           ct_error_set_at(error, "settings.config", 0, 0, "render_preset: %s", problem.message);
}

bool ct_app_apply_render_settings(ct_renderer *renderer, const ct_config_resource *config,
                                  ct_error *error) {
    const ct_config_node *const section = ct_config_find(config, "render_settings");
    const ct_config_node *const nodes = ct_blob_at(config, config->nodes.offset);
    ct_renderer_reset_settings(renderer);
    if (!apply_preset(renderer, config, error))
        return false;
    for (uint32_t i = 0; section && i < section->count; ++i) {
        const ct_config_node *const node = &nodes[section->first + i];
        if (section->type != CT_SJSON_TYPE_OBJECT)
            return ct_error_set_at(error, "settings.config", 0, 0,
                                   "render_settings is %s; expected an object",
                                   ct_sjson_type_name((ct_sjson_type)section->type));
        if (!apply(renderer, config, node, error))
            return false;
    }
    return true;
}
