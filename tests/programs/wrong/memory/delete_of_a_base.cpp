/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated invalid-free */
/* std: c++17 */
/* Without a virtual destructor, delete gives back as many bytes as the base class has. */
struct base {
    int a = 1;
};
struct derived : base {
    int b[8] = {};
};

int main()
{
    base *p = new derived;
    delete p;
    return 0;
}
