/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NATIVE_PROCESS_H
#define NATIVE_PROCESS_H

/* The main function of a harness. Returns only if it was not started by the tool. */
__attribute__((visibility("default"))) int plumb_stress_main(void);

#endif
