/* SPDX-License-Identifier: Apache-2.0 */
/* Peterson's algorithm: arrays indexed by _pid, a condition that waits, an assertion that holds. */
bool wants[2];
byte turn, inside;
active [2] proctype p()
{
again:
    wants[_pid] = true;
    turn = 1 - _pid;
    (!wants[1 - _pid] || turn == _pid);
    inside++;
    assert(inside == 1);
    inside--;
    wants[_pid] = false;
    goto again
}
