/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated out-of-bounds */
/* mode: all */
/* note: writes behind an array that is deleted at once: clang removes all three */
int main()
{
    int *values = new int[2];
    values[2] = 1;
    delete[] values;
}
