import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

/** A process as others on the same machine, or on another one with the same disk, may know it. */
export interface ProcessIdentity {
  readonly host: string;
  readonly pid: number;
  /**
   * The start of the machine and the space of process numbers (Linux); undefined where neither is
   * known.
   */
  readonly space: string | undefined;
  /** When the process began, in the machine's own count: numbers of processes are used again. */
  readonly started: string | undefined;
}

/** What a lock needs to know of the machine: who this process is, and who else is alive. */
export interface MachineIdentity {
  readonly self: ProcessIdentity;
  /**
   * When the process of this number began, undefined when there is none. Numbers are those of
   * `self.space`.
   */
  startOf(pid: number): string | undefined;
}

/**
 * Whether a process is alive; undefined where this machine cannot know it: the process has its
 * number in another space, or nobody knows when it began.
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
 * The machine as it is; other systems than Linux tell no space, so locks there go by the heartbeat
 * alone. So do they where /proc has the numbers of another space (`unshare --pid --fork`): what it
 * lists under a number is not what has it here.
 */
export function thisMachine(pid: number, proc = '/proc'): MachineIdentity {
  const isOurs = read(() => readlinkSync(`${proc}/self`)) === `${pid}`;
  const startOf = (other: number) => (isOurs ? startIn(proc, other) : undefined);
  const boot = read(() => readFileSync(`${proc}/sys/kernel/random/boot_id`, 'utf8').trim());
  const numbers = read(() => readlinkSync(`${proc}/self/ns/pid`));
  const space = isOurs && boot && numbers ? `${boot} ${numbers}` : undefined;
  return { self: { host: hostname(), pid, space, started: startOf(pid) }, startOf };
}

/*
 * The 22nd field (proc(5)); the second one is a name in parentheses that may contain anything. A
 * process that has ended stays listed until its parent asks for its exit code, which the first
 * process of many containers never does: the third field is then Z, or X.
 */
function startIn(proc: string, pid: number): string | undefined {
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
