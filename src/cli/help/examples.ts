/**
 * Example command lines of each command, which end its help. A test parses each of them.
 */
export const examples: Readonly<Record<string, readonly string[]>> = {
  register: [
    'carbon register --name "Acme AG" --hq-region DE --website acme.com --wait',
    'carbon register --name "Acme AG" --lei-number 529900T8BM49AURSDO55 --json',
    'carbon register --sandbox --name "Acme AG" --dry-run',
  ],
  get: [
    'carbon get 12',
    'carbon get 12 13 14 --csv > records.csv',
    'carbon batch suppliers.csv -q | carbon get - --json --currency EUR',
  ],
  watch: [
    'carbon watch 12',
    'carbon watch 12 13 --timeout 2h -q',
    'carbon batch suppliers.csv -q | carbon watch - --json > records.ndjson',
  ],
  batch: [
    'carbon batch suppliers.csv --dry-run',
    'carbon batch suppliers.csv --map name=Security,hq_region=Land --invalid skip',
    'carbon batch suppliers.csv --sandbox --json > results.ndjson',
  ],
  report: [
    'carbon report records.ndjson',
    'carbon report records.ndjson --out report.html',
    'carbon batch suppliers.csv -q | carbon watch - --json | carbon report - --json',
  ],
  check: [
    'carbon check records.ndjson',
    'carbon check records.ndjson --accept reviewed.csv -o findings.xlsx',
  ],
  footprint: [
    'carbon footprint suppliers.csv',
    'carbon footprint suppliers.csv --spend-currency EUR --unit kg --save records.ndjson',
    'carbon footprint suppliers.csv --records records.ndjson -o footprint.html',
    'carbon footprint suppliers.csv --rows "BlArt=KR" --year 2024 --csv > items.csv',
  ],
  list: [
    'carbon list records.ndjson --where "sbti_near_term!=set" --columns id,name',
    'carbon list records.ndjson --sort -emissions --top 20',
    'carbon list records.ndjson --where hq_region=DE --sort score --csv > de.csv',
  ],
  diff: [
    'carbon diff yesterday.ndjson today.ndjson',
    'carbon diff old.ndjson new.ndjson -q | carbon get - --csv > changed.csv',
  ],
  api: [
    'carbon api organizations/12',
    'carbon api GET industries -f country=DE',
    'carbon api PATCH organizations/12 -f website=acme.com -F employees=250',
    'carbon api PUT organizations/12/tags --input tags.json -i',
  ],
  sandbox: [
    'carbon sandbox --port 0',
    'carbon sandbox --rate 50 --rate-limit-headers --latency 200ms',
    'carbon sandbox --fault 500:5% --fault reset:0.01 --research 1m',
  ],
  login: [
    'carbon login --base-url https://api.example.com',
    'carbon login --profile acme --with-token < key.txt',
    'carbon login --key-command "pass show carbon"',
  ],
  logout: ['carbon logout', 'carbon logout --profile acme'],
  whoami: ['carbon whoami', 'carbon whoami --profile acme --json'],
  completion: ['carbon completion --install', 'carbon completion bash'],
  mcp: ['carbon mcp --root ./records', 'carbon mcp --sandbox --allow-register'],
  schema: ['carbon schema record', 'carbon schema events > events.schema.json'],
  help: ['carbon help batch', 'carbon help exit-codes', 'carbon help --json'],
};
