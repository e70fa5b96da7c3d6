/* CARBON_PACE with a real Redis server. */
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { execute } from '../support/executable.ts';
import { hasRedis, startRedis } from '../support/redis-server.ts';
import { newFolder } from '../support/run.ts';
import { listen, serve } from '../support/server.ts';

const password = 'canary-password-4711';
const key = 'canary-key-4711';

async function world(pace: string, rows = 30) {
  let ids = 0;
  const { url, seen } = await serve((response) => {
    ids += 1;
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ id: ids, status: 'synced' }));
  });
  const home = newFolder();
  const file = join(home, 'list.csv');
  const names = Array.from({ length: rows }, (_, row) => `Supplier ${row} GmbH,DE`);
  writeFileSync(file, `name,hq_region\n${names.join('\n')}\n`);
  const env = { HOME: home, CARBON_BASE_URL: url, CARBON_API_KEY: key, CARBON_PACE: pace };
  return { file, env, seen };
}

/* A server that speaks another protocol, or that gives every command the same reply. */
async function startStranger(reply?: string): Promise<number> {
  const server = createServer((socket) => {
    if (reply === undefined) return void socket.end('HTTP/1.1 400 Bad Request\r\n\r\n');
    socket.on('data', () => socket.write(`${reply}\r\n`));
  });
  return listen(server);
}

describe('carbon batch with CARBON_PACE', () => {
  it('names the variable that replaced --pace', async () => {
    const { file, env, seen } = await world('');
    const { exit, stderr } = await execute(['batch', file, '--pace', 'redis://cache'], { env });
    expect(exit).toBe(2);
    expect(stderr).toContain('CARBON_PACE');
    expect(seen).toEqual([]);
  });

  it('continues alone and reports it once when no server listens', async () => {
    const { file, env, seen } = await world(`unix://${newFolder()}/none.sock`, 6);
    const { exit, stderr } = await execute(['batch', file, '--no-progress'], { env });
    expect(exit).toBe(0);
    expect(stderr.match(/shared pace/g)).toHaveLength(1);
    expect(stderr).toContain('no such socket); this process continues alone');
    expect(seen).toHaveLength(6);
  });

  it('refuses the address of a server that is not Redis, before it sends anything', async () => {
    const { file, env, seen } = await world(`redis://127.0.0.1:${await startStranger()}`);
    const { exit, stderr } = await execute(['batch', file], { env });
    expect(exit).toBe(2);
    expect(stderr).toContain('the response is not that of a Redis server');
    expect(seen).toEqual([]);
  });

  const title = (text: string) => (hasRedis ? text : `${text} (skipped without redis-server)`);

  it.skipIf(!hasRedis)(title('stores neither the key nor a name in Redis'), async () => {
    const redis = await startRedis();
    const { file, env, seen } = await world(redis.url);
    const { exit, stderr } = await execute(['batch', file, '--no-progress'], { env });
    expect({ exit, stderr }).toEqual({ exit: 0, stderr: '' });
    expect(seen).toHaveLength(30);
    const keys = redis.cli('keys', '*').split('\n');
    expect(keys).toHaveLength(1);
    expect(keys[0]).toMatch(/^carbon:pace:\{[0-9a-f]{64}\}:register$/);
    expect(redis.cli('hget', String(keys[0]), 'passed')).toBe('30');
    expect(Number(redis.cli('pttl', String(keys[0])))).toBeGreaterThan(500_000);
    expect(redis.cli('hgetall', String(keys[0]))).not.toMatch(/canary|Supplier/);
  });

  it.skipIf(!hasRedis)(title('refuses a wrong password without printing it'), async () => {
    const redis = await startRedis({ flags: ['--requirepass', 'right'] });
    const { file, env, seen } = await world(`${redis.url}?password=${password}`);
    const { exit, stderr } = await execute(['batch', file, '--debug'], {
      env: { ...env, DEBUG: '*' },
    });
    expect(exit).toBe(2);
    expect(stderr).toContain('the server refused the login');
    expect(stderr).toContain('CARBON_PACE');
    expect(stderr).not.toContain(password);
    expect(seen).toEqual([]);
  });

  it.skipIf(!hasRedis)(title('ends when the user lacks a permission of the script'), async () => {
    const flags = ['--user', 'worker', 'on', `>${password}`, '~carbon:pace:*', '+time'];
    const redis = await startRedis({ flags });
    const { file, env, seen } = await world(`${redis.url}?user=worker&password=${password}`);
    const { exit, stderr } = await execute(['batch', file], { env });
    expect(exit).toBe(2);
    expect(stderr).toContain('the user lacks a permission');
    expect(seen).toEqual([]);
  });

  it.skipIf(!hasRedis)(title('logs in with a user and selects a database'), async () => {
    const acl = ['on', `>${password}`, '~carbon:pace:*', '+evalsha', '+eval', '+time', '+select'];
    const writes = ['+hgetall', '+hset', '+pexpire', '+del', '+@sortedset'];
    const flags = ['--user', 'worker', ...acl, ...writes];
    const redis = await startRedis({ flags });
    const { file, env } = await world(`${redis.url}?db=3&user=worker&password=${password}`);
    const { exit, stderr } = await execute(['batch', file, '--no-progress'], { env });
    expect({ exit, stderr }).toEqual({ exit: 0, stderr: '' });
    expect(redis.cli('-n', '3', 'dbsize')).toBe('1');
  });

  it.skipIf(!hasRedis)(title('continues when the server refuses to write'), async () => {
    const redis = await startRedis({ flags: ['--replicaof', '127.0.0.1', '1'] });
    const { file, env, seen } = await world(redis.url, 6);
    const { exit, stderr } = await execute(['batch', file, '--no-progress'], { env });
    expect(exit).toBe(0);
    expect(stderr).toContain('the server is a read-only replica); this process continues alone');
    expect(seen).toHaveLength(6);
  });

  it.each(['$-1', '$2\r\n{}', ':5'])('continues alone when the reply is %j', async (reply) => {
    const { file, env, seen } = await world(`redis://127.0.0.1:${await startStranger(reply)}`, 6);
    const { exit, stderr } = await execute(['batch', file, '--no-progress'], { env });
    expect(exit).toBe(0);
    expect(stderr).toContain('the reply is not that of the script); this process continues alone');
    expect(seen).toHaveLength(6);
  });
});

describe('carbon get with CARBON_PACE', () => {
  const title = (text: string) => (hasRedis ? text : `${text} (skipped without redis-server)`);

  it.skipIf(!hasRedis)(title('uses a bucket of its own'), async () => {
    const redis = await startRedis();
    const { env } = await world(redis.url);
    const { exit, stdout } = await execute(['get', '1', '-', '-q'], { env });
    expect({ exit, stdout }).toEqual({ exit: 0, stdout: '1\n' });
    expect(redis.cli('keys', '*')).toMatch(/:read$/);
  });
});
