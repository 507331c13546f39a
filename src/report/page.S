/* SPDX-License-Identifier: Apache-2.0 */
/* The files of the page, as they are. CMake says where they lie, and when this has to be built again. */

#define PART(name, ...)         \
    .globl name                ;\
    .hidden name               ;\
    .globl name##_end          ;\
    .hidden name##_end         ;\
    name: __VA_ARGS__          ;\
    name##_end: .byte 0

    .section .rodata
    PART(page_head, .incbin "head.html")
    PART(page_style, .incbin "page.css")
    PART(page_body, .incbin "body.html")
    PART(page_script, .incbin "page.js"; .incbin "history.js"; .incbin "order.js";
         .incbin "steps.js"; .incbin "side.js"; .incbin "calls.js"; .incbin "rates.js"; .incbin "start.js")

    .section .note.GNU-stack, "", %progbits
