#!/bin/sh
# Runs the most important commands on the embedded sandbox, with temporary state, in about half a
# minute: `npm run demo`.
root=$(cd "$(dirname "$0")/../.." && pwd)
folder=$(mktemp -d) || exit
trap 'rm -rf "$folder"' EXIT
export CARBON_DATA_DIR="$folder" CARBON_CONFIG_DIR="$folder"
cd "$folder" || exit

carbon() { node "$root/bin/carbon.cjs" "$@"; }

# Prints and runs a command line, which must end with this exit code.
show() {
  expected=$1
  printf '$ %s\n' "$2"
  eval "$2"
  code=$?
  if [ "$code" -ne "$expected" ]; then exit "$((code == 0 ? 1 : code))"; fi
}

printf '\n# Register an organization and wait until its research ends\n'
show 0 'carbon register --sandbox --name "Globex Corporation" --hq-region US --wait'

printf '\n# Register every valid row of a list, follow the research and keep the records\n'
printf 'name,country\nPied Piper,US\nTyrell Corporation,US\n,FR\nDunder Mifflin,US\n' > suppliers.csv
show 0 'cat suppliers.csv'
show 9 'carbon sync suppliers.csv --sandbox --invalid skip -o results.csv'

printf '\n# One row failed: the results contain the reason\n'
show 0 'cut -d, -f1-5 results.csv'

printf '\n# Summarize the records, and create a page\n'
show 0 'carbon report suppliers.csv'
show 0 'carbon report suppliers.csv -o report.html'
