// import_images.h: matches the images of a model with those of the last import.
//
// The record of an import (import_record.h) knows images by what the model called them at the first
// import, and where they lie. A model in the project whose images were renamed since calls them
// something else (glTF and OBJ, in which `cuttle mv` patches paths), or calls them as ever and no
// longer finds them (FBX, which no tool patches). Both are found by the record.
#pragma once
#include "compiler/import/import_record.h"

// The images of the last import: what the model calls them, and their project paths. All from `a`,
// a temp allocator, or the record.
ct_import_known_images ct_import_images_known(ct_allocator *a, const ct_import_record *record);

// Gives the images of a model in the project, whose paths are project paths, the keys of those
// known images that lie there, and other keys to those whose own is another's by now. Memory from
// `a`.
void ct_import_images_match(ct_allocator *a, const ct_import_known_images *known,
                            ct_import_model *model);
