# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# To be sourced in the root folder: finds the runtime, makes an empty folder `work` that is removed in the end, and in it `launch`, which runs a
# worker without the tool.
export PLUMB_LIB_DIR=${PLUMB_LIB_DIR:-$PWD/build/lib}
[ -e "$PLUMB_LIB_DIR/libplumb-rt.so" ] || { echo "bench: no libplumb-rt.so in $PLUMB_LIB_DIR" >&2 && exit 2; }

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
cc -O2 -D_GNU_SOURCE -Isrc -Iinclude bench/engine/engine_launch.c -o "$work/launch"
