/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated invalid-free */
/* note: one object is deleted as if it were an array; nobody accesses it */
int main()
{
    int *number = new int;
    delete[] number;
}
