#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The pages of --html in a browser: pages.sh PLUMB_BINARY [FOLDER]
#
# Each page is opened with a script of tests/pages added to it, which looks at the page, presses keys and leaves its
# results as text. Screenshots stay in FOLDER for someone to look at. Skipped (77) where there is no chromium.
set -u
plumb=$(realpath "$1")
root=$(cd "$(dirname "$0")/../.." && pwd)
browser=$(command -v chromium || command -v chromium-browser) || {
    echo "skipped: there is no chromium"
    exit 77
}
folder=${2:+$(realpath -m "$2")}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cp -r "$root/examples/weak" "$root/examples/harness" "$scratch"
cp "$root/tests/cli/inputs/histories/three_reads.jsonl" "$scratch"
cd "$scratch" || exit 1
failed=0

# Browsers mostly wait: all of them are started, each with a profile of its own, and looked at in the end.
names=()
browse() { # NAME OPTIONS... PAGE: prints to NAME.out
    local name=$1
    names+=("$name")
    timeout 60 "$browser" --headless=new --no-sandbox --disable-gpu --hide-scrollbars --no-first-run \
        --user-data-dir="$scratch/profile_$name" "${@:2:$#-2}" "file://$scratch/${!#}" >"$name.out" 2>"$name.log" &
}

# Adds the scripts before the end of the page.
try_page() { # PAGE SCRIPT
    {
        sed '/^<\/body>$/,$d' "$1.html"
        echo '<script>'
        cat "$root/tests/pages/check.js" "$root/tests/pages/$2.js"
        printf '</script>\n</body>\n</html>\n'
    } >"tried_$1.html"
    browse "$1" --window-size=1280,900 --dump-dom "tried_$1.html"
}

# What the scripts found.
report_page() { # NAME
    sed -n '/RESULTS$/,/^END/p' "$1.out" | sed -e '1d' -e '/^END/d' >results
    grep -h '^note' results
    if ! grep -q '^ok' results || grep -q '^FAILED' results; then
        echo "FAILED $1:"
        grep '^FAILED' results || tail -n 5 "$1.log"
        failed=1
    else
        echo "$1: $(grep -c '^ok' results) checks"
    fi
}

shoot() { # PAGE NAME SIZE
    [ -n "$folder" ] || return 0
    mkdir -p "$folder"
    rm -f "$folder/$2.png"
    browse "$2" --window-size="$3" --screenshot="$folder/$2.png" "$1"
}

# A picture of an empty page compresses to almost nothing.
report_picture() { # NAME
    if [ "$(stat -c %s "$folder/$1.png" 2>/dev/null || echo 0)" -lt 20000 ]; then
        echo "FAILED screenshot $1"
        failed=1
    fi
}

expect_violated() { # PLUMB-WORDS...
    "$plumb" "$@" >/dev/null 2>errors
    local code=$?
    [ $code -eq 1 ] && return
    echo "FAILED exit code $code: plumb $*"
    cat errors
    failed=1
}

"$plumb" generate queue --ops 100000 --threads 8 --broken -o long.jsonl
expect_violated monitor long.jsonl --html long.html
# The time to open is that of a machine without other work: the best of a few.
for _ in 1 2 3; do
    names=()
    try_page long history
    wait
    grep -q 'FAILED opens within' long.out || break
done
shoot long.html long_light 1280,900

cat >hostile.jsonl <<'END'
{"thread":"<b>1</b>","op":"enq","arg":"</script><script>window.hacked=1</script>","call":1,"return":2}
{"thread":"a","op":"enq","arg":"<img src=x onerror='window.hacked=2'><!--","call":3,"return":4}
{"thread":"b","op":"deq","result":"<img src=x onerror='window.hacked=2'><!--","call":5,"return":6}
{"thread":"b","op":"enq","arg":"&lt;b&gt;\u2028","call":7,"return":8}
{"thread":"b","op":"deq","result":"</script><script>window.hacked=1</script>","call":9,"return":10}
END
expect_violated monitor hostile.jsonl --html hostile.html
try_page hostile hostile

"$plumb" generate stack --ops 800 --threads 5 -o holds.jsonl
"$plumb" monitor holds.jsonl --html holds.html >/dev/null || { echo "FAILED holds.jsonl"; failed=1; }
try_page holds holds

# Threads by name: the guilty one is the last of 3,001 lanes.
{
    for ((k = 1; k <= 3000; k++)); do
        printf '{"thread":"t%05d","op":"enq","arg":%d,"call":%d,"return":%d}\n' $k $k $((2 * k)) $((2 * k + 1))
    done
    echo '{"thread":"z","op":"deq","result":9,"call":9000,"return":9001}'
} >lanes.jsonl
expect_violated monitor lanes.jsonl --html lanes.html
try_page lanes lanes

for ((k = 0; k < 30; k++)); do
    printf '{"thread":1,"op":"put","arg":["k%d",%d],"call":%d,"return":%d}\n' $k $k $((2 * k)) $((2 * k + 1))
done >keys.jsonl
expect_violated monitor keys.jsonl hostile.jsonl --html choice.html
try_page choice choice

expect_violated monitor --explain three_reads.jsonl --html attempts.html
try_page attempts attempts

# A page with the data of tests/pages/NAME.json.
make_page() { # NAME
    {
        sed -e '/<script type="application\/json"/,$d' hostile.html
        printf '<script type="application/json" id="data">'
        cat "$root/tests/pages/$1.json"
        printf '</script>\n'
        sed -e '1,/<script type="application\/json"/d' hostile.html
    } >"$1.html"
}
make_page model
try_page model model
make_page calls
try_page calls calls
make_page rates
try_page rates rates
shoot rates.html rates_light 1280,900
shoot calls.html calls_light 1280,900
shoot 'calls.html#c=1&theme=dark' calls_dark 1280,900

cp -r "$root/models" "$scratch"
expect_violated refine models/queue.pml -D BUG=1 --spec queue --html refined.html
try_page refined refined
shoot refined.html refined_light 1280,1200

(cd weak && expect_violated check message.c --html ../message.html)
try_page message steps
shoot 'message.html#theme=dark' weak_dark 1280,900
{
    printf '#include <assert.h>\r\n#include <pthread.h>\r\n'
    printf 'static void fail(void);\r\nstatic void *nothing(void *a) { return a; }\r\n'
    printf '/* a \xe2\x80\xae b */\r\n/* \0 after zero */\r\n'
    printf 'int main(void)\r\n{\r\n    pthread_t t;\r\n    pthread_create(&t, 0, nothing, 0);\r\n'
    printf '    pthread_join(t, 0);\r\n    fail();\r\n    return 0;\r\n}\r\n'
    printf '\r\n%.0s' {1..5000}
    printf 'static void fail(void)\r\n{\r\n    assert(0);\r\n}\r\n'
} >source.c
expect_violated check source.c --html source.html
try_page source source
printf 'int main(void)\n{ return *(volatile int *)0; }\n' >bare.c
expect_violated check bare.c --html bare.html
try_page bare bare
expect_violated check harness/lost_update.c --test 'add(1) | add(1) => get' --html linked.html
try_page linked linked
expect_violated replay lost_update.plr --html replayed.html
cmp -s <(grep -c . linked.html) <(grep -c . replayed.html) || { echo "FAILED replay shows less"; failed=1; }
wait
for name in "${names[@]}"; do
    case $name in
    *_*) report_picture "$name" ;;
    *) report_page "$name" ;;
    esac
done
exit $failed
