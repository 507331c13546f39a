/* What models are written with, for SPIN: `plumb refine` knows these words itself and passes this file over.
 *
 *   CALL(enq, x)    the operation begins; x receives its argument, CALL(deq, _) has none
 *   RET(deq, x)     it ends and answers x
 *   POINT(deq, x)   inside atomic: here it takes effect, and will answer x
 *   SEQUENTIAL      before `proctype`: a specification, as one process that does operation after operation
 *
 * Items are 1, 2, ...; an empty cell, and the answer of an operation that finds nothing, is NONE. */
#ifndef PLUMB
#define NONE 0
#define OK 254
#define FULL 255
#define CALL(op, x) x = 1
#define CALL2(op, x, y) d_step { x = 1; y = 1 }
#define RET(op, x) skip
#define POINT(op, x) skip
#define SEQUENTIAL
#endif
