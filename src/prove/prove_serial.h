/* SPDX-License-Identifier: Apache-2.0 */
/* Private to this folder. */
#ifndef PROVE_SERIAL_H
#define PROVE_SERIAL_H

/* Fills in the table of the shared memory. Null: done; else why not. */
const char *prove_serial_runs(void);

#endif
