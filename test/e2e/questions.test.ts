import { spawn } from 'node:child_process';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { carbonCommand, preload } from '../support/executable.ts';
import { describeNeeds } from '../support/programs.ts';
import { keys, newFolder } from '../support/run.ts';

const root = resolve(import.meta.dirname, '../..');

/** What to do once the terminal shows a text, in this order. */
type Step = readonly [shown: string, act: string | (() => void)];

/** Runs bash with a script, or interactively, in a terminal; returns what that shows. */
async function inTerminal(script: string | undefined, steps: readonly Step[]) {
  const home = newFolder();
  writeFileSync(join(home, 'list.csv'), 'Company,Firma\nAcme AG,Borealis GmbH\nDeep,東京商事\n');
  const env = {
    HOME: home,
    PATH: process.env['PATH'] ?? '',
    SHELL: '/bin/bash',
    TERM: 'xterm',
  };
  const bash = script === undefined ? 'PS1=[prompt] bash --norc -i' : `bash --norc -c '${script}'`;
  const words = ['-qec', bash, '/dev/null'];
  const child = spawn('script', words, { env, cwd: home });
  onTestFinished(() => void child.kill('SIGKILL'));
  const left = [...steps];
  let shown = '';
  let from = 0;
  child.stdout.on('data', (chunk) => {
    shown += chunk;
    for (let step = left[0]; step !== undefined; step = left[0]) {
      const at = shown.indexOf(step[0], from);
      if (at < 0) return;
      from = at + step[0].length;
      left.shift();
      const [, act] = step;
      typeof act === 'string' ? child.stdin.write(act) : act();
    }
  });
  await new Promise((resolve) => child.on('close', resolve));
  const plain = shown.replaceAll('\r', '').replace(/\u001b\[[\d;?]*[A-Za-z]/g, '');
  return { home, raw: shown, shown: plain };
}

const sync = `${carbonCommand} sync list.csv --sandbox --dry-run`;
/* The modes of the terminal that a question changes. */
const modes = 'stty -a | grep -ow -e -echo -e echo -e -icanon -e icanon -e -isig -e isig | xargs';
const usual = 'isig icanon echo';

describeNeeds('script', 'a question in a real terminal', () => {
  it('is answered with arrow keys, and leaves the terminal as it was', async () => {
    const answer: Step = ['confirm', `${keys.down}${keys.enter}`];
    const { shown } = await inTerminal(`${sync}; echo "[exit $?]"; ${modes}`, [answer]);
    expect(shown).toContain(`Running: carbon sync list.csv --sandbox --dry-run --map name=Firma\n`);
    expect(shown).toContain('A run would register 2 organizations');
    expect(shown).toContain(`[exit 0]\n${usual}\n`);
  });

  it.each([
    ['Esc', keys.escape, 2],
    ['Ctrl-D', '\u0004', 2],
    ['Ctrl-C', '\u0003', 130],
  ])('ends with %s, and leaves the terminal as it was', async (_, key, exit) => {
    const script = `trap : INT; ${sync}; echo "[exit $?]"; ${modes}`;
    const { shown } = await inTerminal(script, [['confirm', key]]);
    expect(shown).toContain(`[exit ${exit}]\n${usual}\n`);
    expect(shown.includes('Hint: Choose one: --map name=')).toBe(exit === 2);
  });

  it('is asked again after Ctrl-Z and fg, and the shell has its terminal in between', async () => {
    const { shown } = await inTerminal(undefined, [
      ['[prompt]', `${sync}\n`],
      ['confirm', '\u001a'],
      ['Stopped', `${modes}; echo "[mod""es]"\n`],
      ['[modes]', 'fg\n'],
      ['confirm', keys.enter],
      ['would register', 'exit\n'],
    ]);
    expect(shown).toContain(`${usual}\n[modes]\n`);
    expect(shown).toMatch(/Running: carbon sync list\.csv .* --map name=Company\n/);
  });

  it('ends by SIGHUP, and leaves the terminal as it was', async () => {
    const home = newFolder();
    const own = join(home, 'pid');
    const close = () => void process.kill(Number(readFileSync(own, 'utf8')), 'SIGHUP');
    const script = `(echo $BASHPID > ${own}; exec ${sync}); echo "[exit $?]"; ${modes}`;
    const { shown } = await inTerminal(script, [['confirm', close]]);
    expect(shown).toMatch(new RegExp(`\\[exit 129\\]\\n${usual}\\n$`));
  });

  it('loads the library and nothing else to ask', async () => {
    const load = `NODE_OPTIONS="${preload('loads.cjs').replaceAll('"', '')}" LOADS=loads.json`;
    const { home } = await inTerminal(`${load} ${sync}`, [['confirm', keys.escape]]);
    const { loads } = JSON.parse(readFileSync(join(home, 'loads.json'), 'utf8'));
    // The build numbers chunks of one name, such as that of a view for the terminal.
    const own = loads
      .filter((name: string) => /prompter|questions|choices|terminal/.test(name))
      .map((name: string) => name.replace(/\d+(?=\.cjs$)/, ''));
    expect(own.sort()).toEqual([
      'dist/chunks/choices.cjs',
      'dist/chunks/prompter.cjs',
      'dist/chunks/questions.cjs',
      'dist/chunks/terminal.cjs',
    ]);
    expect(statSync(join(root, 'dist/chunks/prompter.cjs')).size).toBeLessThan(30_000);
  });

  it('does not hide the cursor, so that it is there after a kill', async () => {
    const home = newFolder();
    const own = join(home, 'pid');
    const kill = () => void process.kill(Number(readFileSync(own, 'utf8')), 'SIGKILL');
    const script = `(echo $BASHPID > ${own}; exec ${sync}); echo "[exit $?]"`;
    const { raw, shown } = await inTerminal(script, [['confirm', kill]]);
    expect(shown).toContain('[exit 137]');
    expect(raw).not.toContain('\u001b[?25l');
  });
});
