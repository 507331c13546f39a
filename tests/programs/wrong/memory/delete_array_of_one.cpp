/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated invalid-free */
/* note: one object is deleted as if it were an array; it is not accessed */
int main()
{
    int *number = new int;
    delete[] number;
}
