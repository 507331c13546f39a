/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
enum { STEP = 1 };
