/* SPDX-License-Identifier: Apache-2.0 */
/* Ranges of memory as they were at one moment, put back before each execution. */
#ifndef ENGINE_IMAGE_H
#define ENGINE_IMAGE_H

#include "engine/digest.h"

void image_keep(void *at, size_t size);
void image_restore_all(void);
void image_digest(struct digest *d); /* of the ranges as they are now */

#endif
