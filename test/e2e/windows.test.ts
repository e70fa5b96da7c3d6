/*
 * The executable on Windows: on Windows itself, or with Node for Windows under Wine. There,
 * CARBON_TEST_WINE names the program that `node test/support/wine/install.js` prints.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { execute, isWindows, isWine, start, startNode } from '../support/executable.ts';
import { newFolder } from '../support/run.ts';
import { notFound0, serve, serveRegistry } from '../support/server.ts';

/* Excel keeps a workbook open so that no other program can replace it: UV_FS_O_EXLOCK of libuv. */
const exclusive = 0x1000_0000;

/** Returns the path as programs of Windows write it. */
const windowsPath = (path: string) => (isWine ? `Z:${path.replaceAll('/', '\\')}` : path);

/** Creates a user with a directory whose name contains blanks. */
function newUser() {
  const home = newFolder();
  const files = join(home, 'My Files');
  mkdirSync(files);
  const appData = join(home, 'AppData', 'Roaming');
  const env = {
    USERPROFILE: windowsPath(home),
    APPDATA: windowsPath(appData),
    LOCALAPPDATA: windowsPath(join(home, 'AppData', 'Local')),
  };
  return { home, files, appData, env, pathOf: (name: string) => windowsPath(join(files, name)) };
}

describe.skipIf(!isWindows)('carbon on Windows (skipped without Windows or Wine)', () => {
  it('registers a CRLF file in a directory with blanks and proposes a command for both shells', async () => {
    const { files, env, pathOf } = newUser();
    let acceptsAll = false;
    const { env: access, ids } = await serveRegistry((_, name) =>
      name === 'Globex' && !acceptsAll ? 'refuse' : undefined,
    );
    const world = { env: { ...env, ...access } };
    writeFileSync(join(files, 'sup pliers.csv'), 'name;hq_region\r\nAcme;DE\r\nGlobex;FR\r\n');
    const words = ['batch', pathOf('sup pliers.csv')];
    const first = await execute(words, world);
    const proposed = `carbon sync "${pathOf('sup pliers.csv')}"\n`;
    expect([first.exit, first.stderr]).toEqual([9, expect.stringContaining(proposed)]);
    acceptsAll = true;
    const again = await execute([...words, '--retry-failed'], world);
    expect([again.exit, [...ids.keys()]]).toEqual([0, ['Acme', 'Globex']]);
  });

  it('resumes after TerminateProcess and registers each row once', async () => {
    const { files, env, pathOf } = newUser();
    const rows = Array.from({ length: 200 }, (_, index) => `Supplier ${index}\n`);
    writeFileSync(join(files, 's.csv'), `name\n${rows.join('')}`);
    let kill = () => undefined as unknown;
    const { env: access, ids } = await serveRegistry((count) => void (count === 100 && kill()));
    const world = { env: { ...env, ...access } };
    const words = ['batch', pathOf('s.csv'), '--concurrency', '4', '--no-progress'];
    const killed = start(words, world);
    kill = () => killed.child.kill('SIGKILL');
    await killed.ended;
    expect(readdirSync(files)).toContain('s.csv.carbon.jsonl.lock');
    const { exit, stderr } = await execute(words, world);
    // The killed process is known to have ended: nothing waits for it.
    expect([exit, stderr, ids.size]).toEqual([0, '', 200]);
    expect(readdirSync(files).sort()).toEqual(['s.csv', 's.csv.carbon.jsonl']);
  });

  it('stores keys below %APPDATA%, also of concurrent logins', async () => {
    const { appData, env } = newUser();
    const { url } = await serve(notFound0);
    const names = ['default', 'a', 'b', 'c'];
    const exits = await Promise.all(
      names.map(async (name) => {
        const argv = ['login', '--profile', name, '--base-url', url, '--with-key'];
        return (await execute(argv, { env, stdin: `canary-${name}\r\n` })).exit;
      }),
    );
    expect(exits).toEqual([0, 0, 0, 0]);
    const file = join(appData, 'carbon', 'config.json');
    expect(Object.keys(JSON.parse(readFileSync(file, 'utf8')).profiles).sort()).toEqual(
      [...names].sort(),
    );
    expect(readdirSync(join(appData, 'carbon'))).toEqual(['config.json']);
    expect((await execute(['logout', '--profile', 'b'], { env })).exit).toBe(0);
    expect(readFileSync(file, 'utf8')).not.toContain('canary-b');
  });

  it('reports that another program has the file of results open', async () => {
    const { files, env, pathOf } = newUser();
    writeFileSync(join(files, 's.csv'), 'name\nAcme\nGlobex\n');
    const results = join(files, 'r.csv');
    writeFileSync(results, 'my note');
    const open = `require('fs').openSync(${JSON.stringify(pathOf('r.csv'))}, ${exclusive} | 2)`;
    const wait = `console.log('open'); setInterval(() => {}, 1000)`;
    const excel = startNode(['-e', `${open}; ${wait}`], { env });
    await excel.seen('stdout', /open/);
    const { env: access, ids } = await serveRegistry((_, name) =>
      name === 'Globex' ? 'refuse' : undefined,
    );
    const words = ['batch', pathOf('s.csv'), '-o', pathOf('r.csv'), '--overwrite'];
    const refused = await execute(words, { env: { ...env, ...access } });
    expect([refused.exit, [...ids.keys()]]).toEqual([1, ['Acme']]);
    expect(refused.stderr).toContain('another program, such as Excel, has the file open');
    excel.child.kill('SIGKILL');
    await excel.ended;
    expect(readFileSync(results, 'utf8')).toBe('my note');
    expect((await execute(words, { env: { ...env, ...access } })).exit).toBe(9);
    expect(readFileSync(results, 'utf8')).toContain('Globex');
    expect(readdirSync(files).filter((name) => name.startsWith('.carbon'))).toEqual([]);
  });

  it.skipIf(!isWine)(
    'ends by Ctrl-C with the exit code of Windows and prints how to resume (Wine only)',
    async () => {
      const { env } = newUser();
      const record = { id: 1, name: 'Acme AG', status: 'created' };
      const { env: access } = await serve({ json: record });
      const watching = start(['watch', '1', '--interval', '10m'], { env: { ...env, ...access } });
      await watching.seen('stderr', /Acme AG/);
      watching.child.kill('SIGINT');
      const { exit, stderr } = await watching.ended;
      // Programs outside Wine see the last byte of the exit code 0xC000013A.
      expect(exit).toBe(0x3a);
      expect(stderr).toContain('To resume, run the same command again');
    },
  );

  it('reads a directory that UNC names', async () => {
    const { files, env } = newUser();
    writeFileSync(join(files, 'r.ndjson'), '{"id":1,"name":"Acme","status":"synced"}\n');
    const share = isWine ? `\\\\?\\unix${files.replaceAll('/', '\\')}` : `\\\\?\\${files}`;
    const { exit, stdout } = await execute(['list', `${share}\\r.ndjson`, '--csv'], { env });
    expect([exit, stdout]).toEqual([0, expect.stringContaining('Acme')]);
  });
});
