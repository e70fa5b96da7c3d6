import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

/** Identifies a process to other processes, also on other hosts that share the disk. */
export interface ProcessIdentity {
  readonly host: string;
  readonly pid: number;
  /** Boot id of the machine and its namespace of process ids (Linux); undefined if unknown. */
  readonly space: string | undefined;
  /** Start time of the process in the machine's own unit, because process ids are reused. */
  readonly started: string | undefined;
}

/** Identifies this process and finds out which other processes are alive. */
export interface MachineIdentity {
  readonly self: ProcessIdentity;
  /** Returns the start time of a process in `self.space`; undefined if it does not exist. */
  startOf(pid: number): string | undefined;
}

/**
 * Checks whether a process is alive.
 *
 * Returns undefined if this machine cannot know: the process is in another namespace of process
 * ids, or its start time is unknown.
 */
export function isAlive(
  holder: ProcessIdentity,
  { self, startOf }: MachineIdentity,
): boolean | undefined {
  const { space, pid, started } = holder;
  if (space === undefined || space !== self.space || started === undefined) return undefined;
  return startOf(pid) === started;
}

/**
 * Identifies this process and its machine.
 *
 * `space` is undefined on systems other than Linux, so locks there depend on the heartbeat alone.
 * The same holds if /proc lists the process ids of another namespace (`unshare --pid --fork`).
 */
export function thisMachine(pid: number, proc = '/proc'): MachineIdentity {
  const isOurs = read(() => readlinkSync(`${proc}/self`)) === `${pid}`;
  const startOf = (other: number) => (isOurs ? readStartTime(proc, other) : undefined);
  const boot = read(() => readFileSync(`${proc}/sys/kernel/random/boot_id`, 'utf8').trim());
  const namespace = read(() => readlinkSync(`${proc}/self/ns/pid`));
  const space = isOurs && boot && namespace ? `${boot} ${namespace}` : undefined;
  return { self: { host: hostname(), pid, space, started: startOf(pid) }, startOf };
}

/*
 * Returns field 22 of /proc/<pid>/stat (proc(5)). Field 2, a name in parentheses, may contain any
 * character. State Z or X in field 3 is a process that ended but whose parent, such as the first
 * process of a container, has not read its exit code.
 */
function readStartTime(proc: string, pid: number): string | undefined {
  const stat = read(() => readFileSync(`${proc}/${pid}/stat`, 'utf8'));
  const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ') ?? [];
  return fields[0] === 'Z' || fields[0] === 'X' ? undefined : fields[19];
}

function read(work: () => string): string | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
