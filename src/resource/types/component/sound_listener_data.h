// sound_listener_data.h: template data of sound_listener components: ears on a node of an entity.
#pragma once
#include "resource/schema/schema.h"

typedef struct ct_sound_listener_data {
    ct_string_id32 node; // of the scene graph; 0: the entity
    uint32_t index;      // which listener it is: 0 to 3
    uint32_t is_active;
} ct_sound_listener_data;

extern const ct_schema ct_sound_listener_data_schema;
