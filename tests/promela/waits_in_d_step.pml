/* SPDX-License-Identifier: Apache-2.0 */
/* A d_step that cannot go on is an error. */
byte x;
active proctype p() { d_step { x == 0; x = 1; x == 2; x = 3 } }
