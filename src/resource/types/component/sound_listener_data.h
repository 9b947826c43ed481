// sound_listener_data.h: template data of sound_listener components: ears on a node of an entity.
#pragma once
#include "resource/schema/schema.h"

enum { CT_SOUND_LISTENER_MAX_INDEX = 4 };

typedef struct ct_sound_listener_data {
    ct_string_id32 node; // of the scene graph; 0: the entity
    uint32_t index;      // which listener it is: 1 to CT_SOUND_LISTENER_MAX_INDEX
    uint32_t is_active;
} ct_sound_listener_data;

extern const ct_schema ct_sound_listener_data_schema;
