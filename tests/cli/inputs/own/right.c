/* SPDX-License-Identifier: Apache-2.0 */
#include "counter.h"
COUNTER
