/* SPDX-License-Identifier: Apache-2.0 */
/* An index beyond the end is an error. */
byte a[2], i;
active proctype p() { do :: i++ :: a[i] = 1; i = 0 od }
