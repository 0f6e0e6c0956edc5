# What the tests of the command line share: sourced with the path to cobloc as the first argument. Leaves
# $cobloc, $here, $nations, and an empty folder as the working directory.
set -u
# In sanitized builds: following thread-local storage makes clang's leak checker crash beside OpenMP's threads.
export ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}intercept_tls_get_addr=0
cobloc=$(realpath "$1")
if [ ! -x "$cobloc" ]; then
    echo "there is no program $1"
    exit 1
fi
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
nations=$here/../../examples/nations/nations.csv
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
passed=0 failed=0

# run WORDS...: leaves $code, the files out and err
run() {
    timeout 60 "$cobloc" "$@" >out 2>err
    code=$?
}

# check NAME CONDITION...: counts, and shows what was printed when it fails
check() {
    local name=$1
    shift
    if "$@"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        printf 'FAILED: %s (exit code %s)\n--- stdout\n%s\n--- stderr\n%s\n' "$name" "$code" "$(head -5 out)" "$(head -5 err)"
    fi
}

# succeeds NAME WORDS...: exit 0, stderr empty
succeeds() {
    local name=$1
    shift
    run "$@"
    check "$name" [ "$code" -eq 0 -a ! -s err ]
}

# warns NAME PATTERN WORDS...: exit 0, one line on stderr that matches
warns() {
    local name=$1 pattern=$2
    shift 2
    run "$@"
    check "$name: exit 0" [ "$code" -eq 0 ]
    check "$name: says so" grep -q -- "$pattern" err
    check "$name: in one line" [ "$(wc -l <err)" -eq 1 ]
}

# fails NAME CODE PATTERN WORDS...: exit code, nothing on stdout, one line on stderr that matches
fails() {
    local name=$1 wanted=$2 pattern=$3
    shift 3
    run "$@"
    check "$name: exit $wanted" [ "$code" -eq "$wanted" ]
    check "$name: nothing on stdout" [ ! -s out ]
    check "$name: one sentence" [ "$(wc -l <err)" -eq 1 ]
    check "$name: names the matter" grep -q -- "$pattern" err
}

prints() { grep -q -- "$1" out; }

# ---- matrices, tables and JSON

# planted NAME ROWS COLS K: NAME.mtx with K diagonal blocks of counts, NAME.labels.txt, NAME.collabels.txt.
# The same numbers with any awk: a small generator of its own.
planted() {
    awk -v name="$1" -v rows="$2" -v cols="$3" -v k="$4" '
        function random() { return (state = (state * 16807) % 2147483647) / 2147483647 }
        BEGIN {
            state = 20; count = 0
            for (i = 1; i <= rows; i++) {
                print "class " i % k >(name ".labels.txt")
                for (j = 1; j <= cols; j++)
                    if (random() < (i % k == j % k ? 0.6 : 0.04))
                        entry[count++] = i " " j " " 1 + int(random() * 4)
            }
            for (j = 1; j <= cols; j++) print j % k >(name ".collabels.txt")
            print "%%MatrixMarket matrix coordinate integer general" >(name ".mtx")
            print rows, cols, count >(name ".mtx")
            for (e = 0; e < count; e++) print entry[e] >(name ".mtx")
        }'
}

# clusters FILE: the second column of a table, without its header
clusters() { tail -n +2 "$1" | cut -f 2; }

# number_of KEY: its value in the JSON of the last run
number_of() { sed -n "s/^ *\"$1\": \([^ ,]*\),\{0,1\}\$/\1/p" out | head -1; }

# holds KEY EXPECTED
holds() { [ "$(number_of "$1")" = "$2" ]; }

# at_least A B, of real numbers
at_least() { awk -v a="$1" -v b="$2" 'BEGIN { exit !(a >= b) }'; }

# is_json FILE: no tool, no verdict
is_json() { ! command -v python3 >/dev/null || python3 -c 'import json, sys; json.load(sys.stdin)' <"$1" 2>/dev/null; }

# The last line of a script: its exit code is the test's.
finish() {
    echo "$passed passed, $failed failed"
    [ "$failed" -eq 0 ]
}
