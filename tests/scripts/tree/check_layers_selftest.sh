#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: check_layers_selftest.sh CHECK_LAYERS
# The layer checker accepts a good tree and catches each kind of violation.
set -euo pipefail

checker=$(realpath "$1")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0

# A small tree that obeys its layers.
make_tree() {
    rm -rf "$work/tree"
    mkdir -p "$work/tree/"{tests,src/base,src/history,src/monitor}
    cd "$work/tree"
    printf 'base:\nhistory: base # why not\nmonitor: base history\n' >tests/layers.txt
    printf '| src/base | a | — |\n| src/history | b | base |\n| src/monitor | c | base history |\n' >ARCHITECTURE.md
    printf 'prints src/base/loud.c: because\n' >tests/layers_exceptions.txt
    printf '    puts("out loud");\n' >src/base/loud.c
    printf '    _exit(127);\n    exit(70); /* EXIT_HOLDS */\n' >src/base/check.c
    printf 'enum verdict {\n' >src/base/verdict.h
    printf '#include <stdio.h>\n' >src/base/text.h
    printf '#include <plumb/value.h>\n#include "base/text.h"\n' >src/history/history.h
    printf '#include "monitor/certificate.h"\n#include "history/history.h"\n' >src/monitor/certificate.c
}

expect() { # NAME PATTERN: the checker fails and says so
    local said
    if said=$("$checker" "$work/tree"); then
        echo "$1: not caught"
        failures=$((failures + 1))
    elif ! grep -qF -- "$2" <<<"$said"; then
        printf '%s: expected "%s" in:\n%s\n' "$1" "$2" "$said"
        failures=$((failures + 1))
    fi
}

make_tree
"$checker" "$work/tree" >/dev/null || { echo "good tree: rejected"; failures=1; }

make_tree
echo '#include "history/history.h"' >>src/base/text.h
expect upward 'src/base/text.h:2: base may not include history'

make_tree
echo ' #  include <history/history.h>' >>src/base/text.h
expect angle-brackets 'src/base/text.h:2: base may not include history'

make_tree
echo '#include "graph/event.h"' >>src/history/history.h
expect unknown-folder 'include of unknown folder graph'

make_tree
echo '#include "../base/text.h"' >>src/history/history.h
expect relative 'relative include of ../base/text.h'

make_tree
echo '#include "history.h"' >>src/history/history.h
expect no-folder 'history.h is named without its folder'

make_tree
mkdir src/graph
expect unlisted 'src/graph: no row in tests/layers.txt'

make_tree
echo 'graph: base' >>tests/layers.txt
expect no-such-folder 'row of graph, which does not exist'

make_tree
sed -i 's/| base history |/| base |/' ARCHITECTURE.md
expect architecture 'ARCHITECTURE.md: its table differs'

make_tree
echo '#include "base/text.h"' >>src/monitor/certificate.c
expect certificate-include 'the certificate checker may not include base/text.h'

make_tree
seq -f '/* %g */' 300 >>src/monitor/certificate.c
expect certificate-size 'lines, has to stay below 300'

make_port() {
    make_tree
    mkdir src/explore
    echo 'explore: base' >>tests/layers.txt
    sed -i 's/history: base/& explore/' tests/layers.txt
    printf '| src/base | a | — |\n| src/explore | e | base |\n| src/history | b | base explore |\n| src/monitor | c | base history |\n' >ARCHITECTURE.md
    printf '| graphs.h | 1 | search | history |\n' >>ARCHITECTURE.md
    echo 'void explore_graphs(void);' >src/explore/graphs.h
    echo '#include "explore/graphs.h"' >>src/history/history.h
}

make_port
"$checker" "$work/tree" >/dev/null || { echo "good port: rejected"; failures=1; }

make_port
echo 'void explore_more(void);' >>src/explore/graphs.h
expect port-count 'src/explore/graphs.h has 2 functions'

make_port
sed -i 's/| search | history |/| search | worker |/' ARCHITECTURE.md
expect port-user 'used by history, which its row'

make_port
echo >src/explore/other.h
expect port-row 'no row of src/explore/other.h'

make_tree
touch src/base/history.h
expect same-name 'src/history/history.h: src/base/history.h has the same name'

make_tree
touch src/base/history.c
expect same-stem 'src/history/history.h: another file of this stem is in src/base/'

make_tree
mkdir src/history/parts && touch src/history/parts/history.c
"$checker" "$work/tree" >/dev/null || { echo "a source below its header: rejected"; failures=1; }

make_tree
touch src/base/{a..z}{1,2}.c
expect too-many-files 'src/base/: more than 45 source files'

make_tree
printf '/* EXIT_HOLDS\n EXIT_HOLDS */ return EXIT_HOLDS;\n' >src/base/code.c
expect exit-code 'src/base/code.c:2: exit codes belong to src/cli'

make_tree
echo '    enum cli_exit code = run();' >src/monitor/code.c
expect enum-cli-exit 'src/monitor/code.c:1: exit codes belong to src/cli'

make_tree
mkdir src/base/parts && printf 'enum judge_verdict {\n' >src/base/parts/judge.h
expect verdict 'src/base/parts/judge.h:1: there is one enum verdict'

for line in 'printf("x");' 'fprintf(stderr, "x");' 'fputs("/*", stdout);' 'perror(0);' 'exit(1);' '_exit(3);' 'abort();' 'write(STDERR_FILENO, 0, 0);'; do
    make_tree
    printf '    %s\n' "$line" >src/monitor/loud2.c
    expect "$line" 'src/monitor/loud2.c:1: only src/cli prints and ends the process'
done

make_tree
printf '    text_printf(out, "printf(");\n    o->exit(1); /* puts(x) */ // abort()\n' >src/monitor/quiet.c
"$checker" "$work/tree" >/dev/null || { echo "what only looks like printing: rejected"; failures=1; }

make_tree
rm src/base/loud.c
expect no-exception-any-more "'prints src/base/loud.c' is no exception any more"

[ $failures -eq 0 ] && echo "27 trees judged correctly"
exit $((failures > 0))
