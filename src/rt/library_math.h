/* SPDX-License-Identifier: Apache-2.0 */
/* <math.h>, <fenv.h>: the functions that take pointers, and those with hidden state. Other functions of libm get
 * and give numbers; library_table.c knows that. */

/* one line for each type; the pointers are to values of the type, or to int */
#define FLOATS_VALUE(name, before, after) \
    F(name, before "8" after)             \
    F(name##f, before "4" after)          \
    F(name##l, before "{long_double}" after) \
    F(name##f32, before "4" after)        \
    F(name##f64, before "8" after)        \
    F(name##f32x, before "8" after)       \
    F(name##f64x, before "{long_double}" after) \
    F(name##f128, before "16" after)
#define FLOATS(name, items) \
    F(name, items)          \
    F(name##f, items)       \
    F(name##l, items)       \
    F(name##f32, items)     \
    F(name##f64, items)     \
    F(name##f32x, items)    \
    F(name##f64x, items)    \
    F(name##f128, items)

FLOATS(frexp, "w1:4")
FLOATS(remquo, "w1:4")
FLOATS_VALUE(modf, "w1:", "")
FLOATS_VALUE(sincos, "w2:4 w1:", "")
FLOATS_VALUE(canonicalize, "r2:4 w1:", "?0")
FLOATS_VALUE(getpayload, "r1:", "")
FLOATS_VALUE(setpayload, "w1:", "")
FLOATS_VALUE(setpayloadsig, "w1:", "")
FLOATS_VALUE(totalorder, "r2:4 r1:", "")
FLOATS_VALUE(totalordermag, "r2:4 r1:", "")
FLOATS(nan, "r1:s")
FLOATS(lgamma, "o=signgam")
F(gamma, "o=signgam")
F(gammaf, "o=signgam")
F(gammal, "o=signgam")
F(lgamma_r, "w1:4")
F(lgammaf_r, "w1:4")
F(lgammal_r, "w1:4")
F(lgammaf32_r, "w1:4")
F(lgammaf64_r, "w1:4")
F(lgammaf32x_r, "w1:4")
F(lgammaf64x_r, "w1:4")
F(lgammaf128_r, "w1:4")
#undef FLOATS
#undef FLOATS_VALUE
F(fegetenv, "w1:{fenv_t}")
F(fesetenv, "xfesetenv")
F(feholdexcept, "w1:{fenv_t}")
F(feupdateenv, "xfesetenv")
F(fegetmode, "w1:{femode_t}")
F(fesetmode, "xfesetmode")
F(fegetexceptflag, "w1:{fexcept_t}")
F(fesetexceptflag, "r1:{fexcept_t}")
F(fetestexceptflag, "r1:{fexcept_t}")
