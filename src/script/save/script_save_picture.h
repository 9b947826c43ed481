// script_save_picture.h: a picture of the game, which the render thread makes for saved games.
//
// The update thread asks for one; the host writes it when the frame was drawn, on the render thread. Both
// hold it, since either may end first.
#pragma once
#include "save/save_service.h"

typedef struct ct_save_picture ct_save_picture;

// Makes a picture that is not there yet, with two holders.
ct_save_picture *ct_save_picture_create(ct_allocator *a);

// Removes a holder; NULL is fine. Any thread.
void ct_save_picture_release(ct_save_picture *p);

// Gives the picture its PNG (copied; NULL: there is none) and removes the host's holder: for
// ct_script_host.take_picture. Any thread.
void ct_save_picture_done(void *picture, const void *png, uint32_t num_bytes);

// Returns whether the host is done; then `bytes` is the PNG with a holder for the caller, or NULL.
bool ct_save_picture_take(ct_save_picture *p, ct_save_bytes **bytes);
