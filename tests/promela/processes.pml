/* SPDX-License-Identifier: Apache-2.0 */
/* Processes that are started, with arguments, and end: the youngest is removed first. */
byte x;
proctype worker(byte n; bool twice)
{
    byte k = n + 1;
    x = x + k;
    if :: twice -> x = x - n :: else fi
}
active proctype other() { byte z = 1; x = z }
init
{
    byte n = 2;
    atomic { run worker(n, true); n = 3; run worker(n, false) };
    x = 0
}
