/* Translates the errors of commander. Loaded only for a wrong command line. */
import { readdirSync } from 'node:fs';
import type { Command, CommanderError, Option } from 'commander';
import { listing, naming, plural } from '../display/terminal/format.ts';
import { quoteWords } from '../display/terminal/sanitize.ts';
import { findListsHere } from '../lists/kept/paths.ts';
import { type Choices, UsageError } from '../runtime/carbon-error.ts';
import { command, type Hint, type HintParts, hint, joinHints } from '../runtime/hint.ts';
import { nearestNames } from '../runtime/nearest.ts';
import { changeLine } from './command-line.ts';
import { explainStray, flagOf, isListFile } from './commands/organizations/register.ts';
import { fileWord } from './input-table.ts';
import {
  type CommandDeclaration,
  declarationsOf,
  flagsOf,
  type GlobalFlags,
  globalOptions,
  joinChoices,
  type OptionSpec,
  optionName,
  ownOptions,
  ValueError,
} from './options.ts';
import { buildProgram, loadDeclarations, OptionError } from './program.ts';
import { hintAtChoices, hintAtValue } from './value-hints.ts';

/* Hints for words that people try, and that are near no option or command. */
const answers: Readonly<Record<string, Hint>> = {
  '-v': 'Use --version, or --debug for what happens in a run.',
  '-V': 'Use --version.',
  '--verbose': 'Use --debug.',
  '--quiet': 'Use --no-progress to print only problems, or -q to print only IDs.',
  '--silent': 'Use --no-progress to print only problems.',
  '--no-header': 'Add a header line to the file, such as name,country.',
  version: 'Use carbon --version.',
  ...Object.fromEntries(
    ['-help', '-?', '/?', '/h', '/help', '?'].map((word) => [word, 'Use carbon --help.']),
  ),
  export: hint`To export a list: ${command`list suppliers.csv -o list.xlsx`}.`,
  goal: hint`Run ${command`footprint suppliers.csv --goal "67% by 2028"`}.`,
  api: hint`Use ${command`get`}, or ${command`register --field name=value`}.`,
};

/* Words that people try, by the command that does this. */
const synonyms: Readonly<Record<string, string>> = {
  check: 'validate verify lint',
  completion: 'complete completions autocomplete',
  diff: 'compare changes',
  footprint: 'spend scope3 calculate',
  get: 'show retrieve fetch view status read',
  list: 'ls filter query sort select',
  login: 'auth configure config signin init',
  logout: 'signout',
  register: 'add create new post',
  report: 'summary summarize',
  sandbox: 'serve server mock demo',
  sync: 'refresh update pull import upload load',
  watch: 'wait follow poll',
  whoami: 'settings env doctor info account',
};

/* Words for a search, which no command does: registering cannot be undone. */
const searchWords = ['search', 'find', 'lookup'];

/* Words that people try for options, by the option that does this. */
const optionSynonyms: Readonly<Record<string, string>> = {
  '--top': '--limit --head --max --first --rows',
  '--out': '--output --file --out-file --export --html --xlsx --excel --page',
  '--where': '--filter --only --select',
  '--sort': '--order --order-by --sort-by',
  '--columns': '--fields',
  '--group-by': '--group',
  '--overwrite': '--force --replace',
};

const descending = 'Put - before the column: --sort -score is descending, --sort score ascending.';

const leftOut = ({ declared, value }: Tried) =>
  hint`IDs need no option: ${command`${declared?.name ?? 'get'} ${/^\d+$/.test(value) ? value : '12'}`}`;

/* Hints for words that people try for options of some commands, by the command. */
const optionAnswers: Readonly<
  Record<string, Readonly<Record<string, string | ((tried: Tried) => Hint)>>>
> = {
  check: {
    '--unit':
      'Leave it out: carbon check compares the figures of each record, and shows no totals.',
  },
  list: {
    '--desc': descending,
    '--descending': descending,
    '--asc': descending,
    '--reverse': descending,
    '--year':
      'Use --where year=2025, or --years --where year=2025 for each organization in that year.',
  },
  get: { '--id': leftOut },
  watch: { '--id': leftOut },
  footprint: {
    '--spend': ({ value }) => `Did you mean ${quoteWords(['--map', `spend=${value}`])}?`,
    '--currency': ({ value, file }) => {
      const code = /^[A-Za-z]{3}$/.test(value) ? value.toUpperCase() : 'EUR';
      return hint`For the currency of the amounts: --spend-currency ${code}. For records in it: ${command`sync ${file} --currency ${code}`}`;
    },
  },
  report: {
    '--year': ({ value, file }) => {
      const year = /^\d{4}$/.test(value) ? value : '2025';
      return hint`A report shows the latest years. For one year: ${command`list ${file} --years --where ${`year=${year}`}`}`;
    },
  },
};

const commandsHint = 'Run `carbon --help` for the list of commands.';

/**
 * @param argv the words after `carbon`
 * @param now milliseconds since 1970
 */
export async function readUsageError(
  error: CommanderError | ValueError,
  program: Command,
  argv: readonly string[],
  now: number,
): Promise<UsageError> {
  if (error instanceof ValueError)
    return new UsageError(error.message, hintAtValue(error.value, now));
  const { code } = error;
  if (code === 'commander.help') return new UsageError('Missing command', commandsHint);
  const [parsed] = namedCommands(program);
  const name = parsed?.name();
  const help = hint`Run ${name === undefined ? command`help` : command`help ${name}`} for its options.`;
  if (error instanceof OptionError)
    return code === 'commander.unknownOption'
      ? readUnknownOption(error.option, program, argv, help)
      : new UsageError(
          `${error.option} needs a value`,
          hintAtMissingValue(error.option, program) ?? help,
        );
  if (code === 'commander.unknownCommand') {
    // The text after `=`, as in `CARBON_API_KEY=...`, may be the key.
    const [word = ''] = (program.args[0] ?? '').split('=');
    if (searchWords.includes(word.toLowerCase()))
      return new UsageError(`Unknown command '${word}'`, hintAtSearch());
    const meant = Object.hasOwn(answers, word) ? undefined : commandFor(word, program);
    const instead =
      meant === undefined
        ? reordered(argv, word, program)
        : lineOf(argv, word, meant, takesNone(meant, program));
    return new UsageError(
      `Unknown command '${word}'`,
      hintAtCommand(word, argv, instead ?? (meant === undefined ? undefined : [meant])),
      'usage',
      instead && (() => offerLine(instead)),
    );
  }
  const { missing } = declarationsOf(program).find((each) => each.name === name) ?? {};
  if (code === 'commander.missingArgument' && missing !== undefined) {
    const [what, example] = missing;
    return new UsageError(`carbon ${name} needs ${what}`, withLists(example));
  }
  if (code === 'commander.excessArguments' && parsed !== undefined)
    return explainExcess(parsed, help, argv);
  return new UsageError(error.message, help);
}

/* Puts a list of the current folder in the place of the one in an example, and names them all. */
function withLists(example: HintParts): Hint | undefined {
  const names = listsHere();
  if (names.length === 0 || !example.flatMap(wordsOf).some(isListFile)) return example;
  const here = `Lists in this folder: ${naming(names.map((name) => quoteWords([name])))}.`;
  return joinHints(withListHere(example), here);
}

/*
 * The list is the one of the command line, or that of the example if it exists, or the first one
 * that was registered.
 */
function withListHere(example: HintParts, given?: string): HintParts {
  const names = listsHere();
  const usual = example.flatMap(wordsOf).find(isListFile) ?? '';
  const here = names.includes(usual) ? [usual] : names;
  const [first = usual] = given === undefined ? here : [given];
  const put = (word: string) => (word === usual ? quoteWords([fileWord(first)]) : word);
  return example.map((part) => (typeof part === 'string' ? part : { words: part.words.map(put) }));
}

/* Begins with the lists that were registered. */
function listsHere(): string[] {
  const names = filesHere().filter((name) => isListFile(name) && !/^(?:\.|~\$)/.test(name));
  const registered = findListsHere().filter((name) => names.includes(name));
  return [...new Set([...registered.sort(), ...names.sort()])];
}

function wordsOf(part: HintParts[number]): readonly string[] {
  return typeof part === 'string' ? [] : part.words;
}

function filesHere(): string[] {
  try {
    const entries = readdirSync('.', { withFileTypes: true });
    return entries.flatMap((entry) => (entry.isFile() ? entry.name : []));
  } catch {
    return [];
  }
}

/* Proposes the values of an option that has few. */
function hintAtMissingValue(flag: string, program: Command): string | undefined {
  const [parsed] = namedCommands(program);
  const declared = declarationsOf(program).find(({ name }) => name === parsed?.name());
  const own = declared === undefined ? [] : ownOptions(declared);
  const options: readonly OptionSpec[] = [...own, ...globalOptions];
  const found = options.find((each) => optionName(each) === flag);
  if (found?.choices !== undefined) return hintAtChoices(flag, found.choices);
  if (found?.endings !== undefined)
    return `Write ${joinChoices(found.endings.map((ending) => `-o FILE${ending}`))}.`;
  const example = found?.description.match(/"([^"]+)"/)?.[0];
  const placeholder = found?.flags.match(/<.*>/)?.[0];
  return placeholder && `Write it after the option: ${flag} ${example ?? placeholder}`;
}

function explainExcess(parsed: Command, help: Hint, argv: readonly string[]): UsageError {
  const name = parsed.name();
  const { args, registeredArguments: known } = parsed;
  if (name === 'register') {
    const flags = parsed.optsWithGlobals<GlobalFlags & { name?: string }>();
    return explainStray(args, flags, (changes) => changeLine(parsed, argv, changes));
  }
  const [, before, after] = /(?:^| )--compare (\d{4}) (\d{4})(?: |$)/.exec(argv.join(' ')) ?? [];
  if (before !== undefined && after !== undefined)
    return new UsageError(
      `--compare takes one earlier year, but got ${before} and ${after}`,
      `Did you mean --compare ${before} --year ${after}?`,
    );
  const what = `carbon ${name} takes ${plural(known.length, 'argument')}, but got ${args.length}`;
  const meant = quotedValue(parsed, argv);
  if (meant !== undefined) return new UsageError(what, `Did you mean ${meant}?`);
  const [address = ''] = args;
  if (name === 'login' && /^(?:https?:\/\/)?[\w-]+(?:\.[\w-]+)+(?:[:/]|$)/i.test(address))
    return new UsageError(
      what,
      hint`Did you mean ${command`login --base-url ${quoteWords([address])}`}?`,
    );
  if (known.length === 0 || name === 'help') {
    const words = [name, ...args.slice(0, known.length)].map((word) => quoteWords([word]));
    return new UsageError(what, hint`Did you mean ${{ words }}?`);
  }
  if (known.length !== 1) return new UsageError(what, help);
  const [first = '', second = ''] = args.map((word) => quoteWords([word]));
  const records = parsed.options.some(({ long }) => long === '--records')
    ? hint`If ${second} is the list with the records: ${command`${name} ${first} --records ${second}`}`
    : undefined;
  return new UsageError(
    what,
    joinHints(
      hint`Run it once for each: ${command`${name} ${first}`}, then ${command`${name} ${second}`}.`,
      records,
    ),
  );
}

/*
 * Returns an option and its value in quotes, if words that follow the value seem to belong to it:
 * `--goal 67% of emissions`.
 */
function quotedValue({ args, options, registeredArguments }: Command, argv: readonly string[]) {
  for (const [at, flag] of argv.entries()) {
    const option = options.find(({ short, long }) => flag === long || flag === short);
    if (!option?.required || /<(?:file|directory|dir)>/.test(option.flags)) continue;
    const words = argv.slice(at + 1);
    const end = words.findIndex((word) => word.startsWith('-'));
    const run = end < 0 ? words : words.slice(0, end);
    // The arguments of the command precede the option, or follow the words.
    const own = Math.max(0, registeredArguments.length - (args.length - (run.length - 1)));
    const value = run.slice(0, run.length - own);
    if (value.length < 2 || value.some(isListFile) || !accepts(option, value.join(' '))) continue;
    return quoteWords([flag, value.join(' ')]);
  }
  return undefined;
}

function accepts({ parseArg }: Option, value: string): boolean {
  try {
    parseArg?.(value, undefined);
    return true;
  } catch {
    return false;
  }
}

function takesNone(name: string, program: Command): boolean {
  const found = program.commands.find((each) => each.name() === name);
  return found?.registeredArguments.length === 0;
}

/* Returns the command that someone meant by an unknown word. */
function commandFor(word: string, program: Command): string | undefined {
  if (Object.hasOwn(answers, word)) return undefined;
  const names = declarationsOf(program).map(({ name }) => name);
  const lower = word.toLowerCase();
  const meant = names.find((name) => synonyms[name]?.split(' ').includes(lower));
  return meant ?? nearestNames(lower, names)[0];
}

/* Returns the command line with the command first, if it begins with a file or with `carbon`. */
function reordered(argv: readonly string[], word: string, program: Command): string[] | undefined {
  const at = argv.indexOf(word);
  if (at < 0 || argv.some(mayBeKey)) return undefined;
  const rest = argv.toSpliced(at, 1);
  const names = declarationsOf(program).map(({ name }) => name);
  const [next = ''] = rest;
  if (/^carbon(?:\.\w+)?$/i.test(word) && names.includes(next)) return rest;
  if (!isListFile(word)) return undefined;
  const command = rest.findIndex((each) => names.includes(each));
  const name = rest[command] ?? 'report';
  return [name, word, ...rest.toSpliced(command < 0 ? rest.length : command, 1)];
}

function hintAtCommand(
  word: string,
  argv: readonly string[],
  instead: readonly string[] | undefined,
): Hint | undefined {
  const answer = Object.hasOwn(answers, word) ? answers[word] : undefined;
  if (answer !== undefined)
    return typeof answer === 'string' ? answer : withListHere(answer, argv.find(isListFile));
  return instead === undefined
    ? commandsHint
    : `Did you mean ${quoteWords(['carbon', ...instead])}?`;
}

function hintAtSearch(): Hint {
  return withListHere(
    hint`For all names and IDs of your list: ${command`list suppliers.csv --columns id,name`}`,
  );
}

function mayBeKey(given: string): boolean {
  return /^\w+=/.test(given) || keyOption.test(given.split('=')[0] ?? '');
}

/*
 * Returns the command line with the command that someone meant; none that may contain the key. What
 * follows a word for `register` is a name.
 * @param isAlone whether the command takes no arguments
 */
function lineOf(
  argv: readonly string[],
  word: string,
  meant: string,
  isAlone: boolean,
): string[] | undefined {
  const at = argv.indexOf(word);
  if (at < 0 || argv.some(mayBeKey)) return undefined;
  const end = argv.findIndex((given, index) => index > at && given.startsWith('-'));
  const names = argv.slice(at + 1, end < 0 ? argv.length : end);
  const isOfList = names.some(isListFile);
  if (meant === 'get' && isOfList)
    return word.toLowerCase() === 'status'
      ? [...argv.with(at, 'sync'), '--status']
      : argv.with(at, 'list');
  if (isAlone && meant !== 'register') return argv.toSpliced(at, 1 + names.length, meant);
  if (meant !== 'register' || names.length === 0) return argv.with(at, meant);
  if (isOfList) return argv.with(at, 'sync');
  return argv.toSpliced(at, 1 + names.length, meant, '--name', names.join(' '));
}

function offerLine(instead: readonly string[]): Choices {
  const label = quoteWords(['carbon', ...instead]);
  return { question: 'Did you mean this command?', options: [{ label, instead }] };
}

/* The arguments begin after the global options, whose values may be the names of commands. */
function namedCommands(program: Command): Command[] {
  return program.args.flatMap(
    (word) => program.commands.find((known) => known.name() === word) ?? [],
  );
}

const keyOption = /^--?(?:(?:with-)?(?:(?:api-?)?key|token)|secret|password)$/i;
const keyHint = hint`Pipe the key to ${command`login --with-key`}, or set CARBON_API_KEY. No option accepts it, because other users can see options in the process list.`;

/*
 * Describes an unknown option, or one that takes no value. Never shows the value in `--token=...`
 * or `-k...`, which may be the key.
 */
async function readUnknownOption(
  word: string,
  program: Command,
  argv: readonly string[],
  help: Hint,
): Promise<UsageError> {
  const commands = namedCommands(program);
  const options = [program, ...commands].flatMap((command) => command.options);
  const [name = ''] = word.split('=');
  const match = options.find(({ short, long }) => name === short || name === long);
  const isKey = keyOption.test(name);
  if (match !== undefined && word.includes('='))
    return new UsageError(`${name} takes no value`, isKey ? keyHint : `Did you mean ${name}?`);
  const own = commands.find(({ options: all }) => match !== undefined && all.includes(match));
  if (own !== undefined)
    return new UsageError(`${name} must follow the command ${own.name()}`, help);
  const declared = declarationsOf(program).find((each) => each.name === commands[0]?.name());
  const value = word.includes('=') ? word.slice(name.length + 1) : argv[argv.indexOf(word) + 1];
  const file = quoteWords([fileWord(argv.find(isListFile) ?? 'suppliers.csv')]);
  const tried = { name, value: value ?? '', declared, file };
  const answer = Object.hasOwn(answers, name) ? answers[name] : await hintAtOption(tried, options);
  const remedy = isKey ? keyHint : answer;
  const shown = name.startsWith('--') || remedy !== undefined ? name : name.slice(0, 2);
  return new UsageError(`Unknown option '${shown}'`, remedy ?? help);
}

/* An unknown option, its value or the word after it, the command, and the list as typed. */
interface Tried {
  readonly name: string;
  readonly value: string;
  readonly declared: CommandDeclaration | undefined;
  readonly file: string;
}

/* An option that writes a file selects the format by the name of the file. */
function exampleOf(flag: string, { name, value, declared }: Tried): string {
  if (flag !== '--out') return flag;
  const isPage = name === '--html' || name === '--page';
  if (!isPage || !fileFormats(declared).includes('.html')) return '-o results.xlsx';
  return value.endsWith('.html') ? quoteWords(['-o', value]) : '-o report.html';
}

/* Returns the endings of the files that a command writes. */
function fileFormats(declared: CommandDeclaration | undefined): readonly string[] {
  const options = declared === undefined ? [] : ownOptions(declared);
  return options.flatMap(({ endings = [] }) => endings);
}

/* Says how to choose a format: `--format json`. */
function hintAtFormat({ name, value, declared }: Tried): string | undefined {
  const formats = ['json', 'csv'] as const;
  const isOutput = name === '--output' && /^(?:json|csv)$/i.test(value);
  if (!isOutput && !/^--(?:output-)?format$/.test(name)) return undefined;
  const known = formats.filter((format) => declared?.formats.includes(format));
  const meant = known.filter((each) => each === value.toLowerCase());
  const flags = (meant.length > 0 ? meant : known).map((format) => `--${format}`);
  const files = fileFormats(declared).map((ending) => `-o FILE${ending}`);
  const use = flags.length > 0 ? `Use ${joinChoices(flags)}.` : undefined;
  const write = files.length > 0 ? `With a file: ${joinChoices(files)}.` : undefined;
  return [use, write].filter(Boolean).join(' ') || undefined;
}

/* Proposes the only option that begins with a letter and has a value: `-u kg`. */
function hintAtLetter({ name, value, declared }: Tried): string | undefined {
  if (!/^-[a-z]$/.test(name) || declared === undefined) return undefined;
  const options: readonly OptionSpec[] = ownOptions(declared);
  const [meant, other] = options.filter(
    (each) => optionName(each).startsWith(`-${name}`) && each.choices?.includes(value),
  );
  return meant && !other ? `Did you mean ${optionName(meant)} ${value}?` : undefined;
}

/* Proposes the condition that is meant by the name of a column: `--country DE`. */
async function hintAtColumn(
  { name, value, declared, file }: Tried,
  isOwn: boolean,
): Promise<Hint | undefined> {
  if (!isOwn && !['report', 'check', 'diff'].includes(declared?.name ?? '')) return undefined;
  const [{ organizationTable }, { readColumnName }] = await Promise.all([
    import('../portfolio/organizations/tables.ts'),
    import('../display/query/query.ts'),
  ]);
  const column = readColumnName(organizationTable, name.replace(/^-+/, '').replaceAll('-', '_'));
  if (column === undefined) return undefined;
  if (value === '' || value.startsWith('-') || isListFile(value))
    return !isOwn
      ? undefined
      : `To select rows by it: --where "${column}=..."; to sort by it: --sort ${column}`;
  const condition = /^[=<>!]/.test(value) ? `${column}${value}` : `${column}=${value}`;
  const where = quoteWords(['--where', condition]);
  return isOwn
    ? `Did you mean ${where}?`
    : hint`To select organizations: ${command`list ${file} ${where}`}`;
}

/* Says which other commands have an option. */
async function hintAtOthers({ name, declared }: Tried): Promise<string | undefined> {
  const all = await loadDeclarations();
  const having = all.filter((each) => ownOptions(each).some((own) => flagsOf(own).includes(name)));
  const names = having.map((each) => each.name).filter((each) => each !== declared?.name);
  return names.length === 0 ? undefined : `${name} is an option of carbon ${listing(names)}.`;
}

/**
 * Explains quotes that a shell passed on: cmd.exe knows only double quotes. Returns the error
 * itself unless the command line would be right without them.
 * @param isOfParser whether the words are not those of a command line, or their values are wrong
 */
export async function explainQuotes(
  error: UsageError,
  argv: readonly string[],
  isOfParser: boolean,
): Promise<UsageError> {
  const { words, quoted } = withoutQuotes(argv);
  const [text] = quoted;
  if (text === undefined) return error;
  const { message, code, choices } = error;
  const isOfQuotes = isOfParser || quoted.some((each) => namesQuoted(message, each));
  if (!isOfQuotes || !(await isReadable(words))) return error;
  const remedy = `Your shell does not remove single quotes. Use double quotes: "${text}"`;
  // What the parser says of the parts of one text is no advice about the text.
  return isOfParser
    ? new UsageError(message, remedy, code)
    : new UsageError(message, joinHints(error.hint, remedy), code, choices);
}

/* Joins the words of each text in single quotes, without the quotes. */
function withoutQuotes(argv: readonly string[]) {
  const words: string[] = [];
  const quoted: string[] = [];
  for (let at = 0; at < argv.length; at += 1) {
    const end = argv[at]?.startsWith("'")
      ? argv.findIndex((word, index) => index >= at && word.endsWith("'"))
      : -1;
    const text = /^'([^']+)'$/.exec(argv.slice(at, end + 1).join(' '))?.[1];
    words.push(text ?? argv[at] ?? '');
    if (text === undefined) continue;
    quoted.push(text);
    at = end;
  }
  return { words, quoted };
}

/* Checks whether a message names the first or the last word of a text with its quote. */
function namesQuoted(message: string, text: string): boolean {
  const [first] = /^[\p{L}\p{N}]+/u.exec(text) ?? [text];
  const [last] = /[\p{L}\p{N}]+$/u.exec(text) ?? [text];
  return message.includes(`'${first}`) || message.includes(`${last}'`);
}

/* Checks whether words are a command line, although its values may be wrong. */
async function isReadable(words: readonly string[]): Promise<boolean> {
  const ignored = { run: async () => {}, help() {}, write() {} };
  const program = await buildProgram('', ignored);
  try {
    await program.parseAsync(words, { from: 'user' });
    return true;
  } catch {
    return false;
  }
}

/*
 * Proposes the condition or the option of a column with that name (`--country`), or an option that
 * does the same, otherwise the commands that have the option, otherwise options that begin with the
 * name (`--retry`) or are written almost like it.
 */
async function hintAtOption(tried: Tried, options: readonly Option[]): Promise<Hint | undefined> {
  const { name, declared } = tried;
  const answer = optionAnswers[declared?.name ?? '']?.[name];
  const certain =
    (typeof answer === 'function' ? answer(tried) : answer) ??
    hintAtFormat(tried) ??
    hintAtLetter(tried);
  if (certain !== undefined) return certain;
  const known = [...new Set(options.flatMap(({ long }) => long ?? []))];
  const long = name.startsWith('--') ? name : `-${name}`;
  const ofColumn = known.includes('--where') ? await hintAtColumn(tried, true) : undefined;
  if (ofColumn !== undefined) return ofColumn;
  const { fieldsOfHeader } = await import('../client/registration/fields.ts');
  const fields = fieldsOfHeader(long);
  const flags = fields.map(flagOf).filter((flag) => known.includes(flag.split(' ', 1)[0] ?? ''));
  const longer = known.filter((flag) => flag.startsWith(`${long}-`));
  const [same] =
    Object.entries(optionSynonyms).find(([, all]) => all.split(' ').includes(long)) ?? [];
  const synonym = same !== undefined && known.includes(same) ? [exampleOf(same, tried)] : [];
  const didYouMean = (...similar: readonly (readonly string[])[]) => {
    const meant = similar.find(({ length }) => length > 0);
    return meant && `Did you mean ${meant.join(' or ')}?`;
  };
  return (
    didYouMean(flags, synonym) ??
    (await hintAtOthers(tried)) ??
    (await hintAtColumn(tried, false)) ??
    didYouMean(longer, nearestNames(long, known))
  );
}
