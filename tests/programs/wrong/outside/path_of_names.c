/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated assert */
/* flags: -DPATH */
#include "pattern_of_names.c"
