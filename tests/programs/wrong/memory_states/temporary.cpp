/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated use-after-return */
/* mode: all */
/* only: clang */
/* note: the temporary object is gone at the end of the line */
struct number {
    int value;
    const int *address() const { return &value; }
};

static int sum;

int main()
{
    const int *kept = number{3}.address();
    sum += *kept;
}
