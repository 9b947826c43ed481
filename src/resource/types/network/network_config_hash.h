// network_config_hash.h: numbers for what both ends of a connection must have alike.
//
// They cover names, kinds, ranges, lists, the order of fields, first values, and whether messages
// are reliable and objects shared. Relevance, priority and rate are decided at one place, so they
// may differ. Pure; any thread.
#pragma once
#include "resource/types/network_config_resource.h"

// Return the hash of one type, field or record of a valid config (`config->hash` is not read).
// Records have the hashes of their fields in order, and fields that of their type, in them.
uint64_t ct_network_type_hash(const ct_network_config_resource *config,
                              const ct_network_type *type);
uint64_t ct_network_field_hash(const ct_network_config_resource *config,
                               const ct_network_record_type *record, uint32_t field);
uint64_t ct_network_record_type_hash(const ct_network_config_resource *config,
                                     const ct_network_record_type *record);

// Returns the hash of all, for `config->hash`.
uint64_t ct_network_config_hash(const ct_network_config_resource *config);
