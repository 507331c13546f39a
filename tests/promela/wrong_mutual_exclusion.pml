/* SPDX-License-Identifier: Apache-2.0 */
/* The test and the claim are two steps: the assertion fails. */
bool taken;
byte inside;
active [2] proctype p()
{
    do
    :: !taken -> taken = true; inside++; assert(inside == 1); inside--; taken = false
    od
}
