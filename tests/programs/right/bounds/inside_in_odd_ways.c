/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
/* flags: -w */
/* note: pointers that step through arrays in structures, unions, raw memory and containers, and stay inside */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <stdio.h>
struct list {
    struct list *next, *prev;
};
struct obj {
    int id[2];
    struct list links[3];
    char tag[4];
    long z;
};
#define container_of(p, t, m) ((t *)((char *)(p)-offsetof(t, m)))
struct msg {
    unsigned char hdr[4];
    unsigned char len[2];
    unsigned char body[10];
};
struct pkt {
    char a[8], b[8], c[8];
};
struct mat {
    double m[4][4];
    double det;
};
struct flex {
    int n;
    struct {
        int k, v[1];
    } e[1];
};
union num {
    struct {
        short lo[2], hi[2];
    } s;
    short all[4];
    int w[2];
};
static int sum_all(const short *p, int n)
{
    int s = 0;
    while (n--)
        s += *p++;
    return s;
}
int main(int argc, char **argv)
{
    struct obj o = {{1, 2}};
    struct list *l = &o.links[1];
    struct obj *back = container_of(l, struct obj, links[1]);
    if (back->id[1] != 2)
        return 1;
    struct list *h = o.links;
    for (int k = 0; k < 3; k++)
        h[k].next = h[k].prev = &h[k];
    if (container_of(h[2].next, struct obj, links[2]) != &o)
        return 2;
    struct msg *m = calloc(1, sizeof *m);
    unsigned char *w = m->hdr;
    unsigned char *raw = (unsigned char *)m;
    for (size_t k = 0; k < sizeof *m; k++)
        raw[k] = k;
    if (w[3] != 3 || raw[15] != 15)
        return 3;
    memcpy(m->hdr, "0123456789abcdef", 16);
    if (m->body[9] != 'f')
        return 4;
    memset(m->len, 0, sizeof m->len + sizeof m->body);
    struct pkt p;
    memset(&p, 'x', sizeof p);
    char *q = p.a + 8;
    while (q != p.a)
        *--q = 'y';
    if (p.b[0] != 'x')
        return 5;
    strncpy(p.b, "abcdefgh", 8);
    if (memcmp(p.a, "yyyyyyyyabcdefghxxxxxxxx", 24))
        return 6;
    struct mat t;
    double *f = &t.m[0][0];
    for (int k = 0; k < 16; k++)
        f[k] = k;
    double *row = t.m[3];
    t.det = row[3] + (*(t.m + 2))[1];
    double(*rows)[4] = t.m;
    for (int k = 0; k < 4; k++)
        for (int j = 0; j < 4; j++)
            rows[k][j]++;
    if (t.m[3][3] != 16)
        return 7;
    for (double *e = t.m[0], *end = t.m[3] + 4; e < end; e++)
        *e = 0;
    for (double *e = *t.m, *end = *(t.m + 4); e != end; e++)
        *e += 1;
    struct flex *fx = malloc(sizeof *fx + 5 * sizeof fx->e[0]);
    for (int k = 0; k < 6; k++)
        fx->e[k].k = fx->e[k].v[0] = k;
    union num n = {.all = {1, 2, 3, 4}};
    if (sum_all(n.all, 4) != 10 || n.s.hi[1] != 4 || n.w[0] == 0)
        return 8;
    short *sh = n.all;
    int acc = 0;
    for (int k = 0; k < 4; k++)
        acc += sh[k];
    short *hi = n.s.hi;
    acc += hi[1];
    struct {
        int x[3], y[3];
    } two = {{1, 2, 3}, {4, 5, 6}}, *tp = &two;
    int *px = tp->x, *py = tp->y;
    for (int k = 0; k < 3; k++) {
        int *z = k & 1 ? px : py;
        acc += z[k];
    }
    int(*whole)[3] = &tp->x;
    acc += (*whole)[2];
    int *r = argc > 5 ? two.x : two.y;
    acc += r[argc];
    int *mid = &two.y[1];
    acc += mid[-1] + mid[1];
    int idx = 2;
    acc += idx[two.x];
    int *cursor = two.x;
    cursor += 3;
    cursor -= 3;
    acc += *cursor;
    char buf[sizeof(struct pkt)];
    struct pkt *vp = (struct pkt *)buf;
    strcpy(vp->a, "hello");
    char *dst = vp->c;
    dst[7] = 0;
    struct {
        char name[8];
        char pad[8];
        int k;
    } nm;
    snprintf(nm.name, sizeof nm.name, "%s", "longer than that");
    char *e = nm.name;
    size_t L = 0;
    while (e[L])
        L++;
    if (L != 7)
        return 9;
    int *volatile keep = two.y;
    acc += keep[2];
    return acc == 12345;
}
