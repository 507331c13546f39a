/* SPDX-License-Identifier: Apache-2.0 */
#include <stdatomic.h>
struct cell {
    atomic_int word;
};
