/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated double-free */
/* only: gcc */
/* note: it is never used. clang may leave out both new and delete, as the language allows. */
struct empty {
    long room[4];
};

int main()
{
    empty *e = new empty;
    delete e;
    delete e;
    return 0;
}
