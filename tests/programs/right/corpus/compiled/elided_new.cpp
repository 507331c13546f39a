/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
int main()
{
    int *values = new int[3];
    values[2] = 1;
    delete[] values;
}
