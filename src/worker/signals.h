/* SPDX-License-Identifier: Apache-2.0 */
/* Crashes and endless loops of the program under test, turned into errors. */
#ifndef WORKER_SIGNALS_H
#define WORKER_SIGNALS_H

#include "engine/shared/protocol.h"

void signals_install(struct worker_shared *shared);

#endif
