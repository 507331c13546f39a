/* SPDX-License-Identifier: Apache-2.0 */
/* Ranges of memory as they were at one moment, put back before each execution. */
#ifndef ENGINE_IMAGE_H
#define ENGINE_IMAGE_H

#include "engine/memory/digest.h"

#include <stdbool.h>

void image_keep(void *at, size_t size);
void image_restore_all(void);
/* Does something differ from how it was? Not looked at: what begins with an address for which `excepted` says where it
 * ends (0: it is looked at). Large ranges count as changed. */
bool image_is_changed(uint64_t (*excepted)(uint64_t address));
void image_digest(struct digest *d); /* of the ranges as they are now */

#endif
