/*
 * Starts a Slurm cluster of one node in a scratch directory: munged, slurmctld and slurmd as own
 * processes of this user, without systemd and without files below /etc.
 */
import { randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { hostname, userInfo } from 'node:os';
import { join } from 'node:path';

/**
 * @param {import('./scratch.js').Scratch} scratch
 * @returns {Promise<Record<string, string>>} the environment of the commands of Slurm
 */
export async function startCluster(scratch) {
  const folder = join(scratch.folder, 'slurm');
  for (const name of ['state', 'spool', 'munge'])
    mkdirSync(join(folder, name), { recursive: true, mode: 0o755 });
  const [controlPort, nodePort] = [await scratch.freePort(), await scratch.freePort()];
  const user = userInfo().username;
  const host = hostname().split('.')[0];
  const config = join(folder, 'slurm.conf');
  const socket = join(folder, 'munge/socket');
  writeFileSync(
    config,
    `ClusterName=carbon
SlurmctldHost=${host}(127.0.0.1)
SlurmctldPort=${controlPort}
SlurmdPort=${nodePort}
AuthType=auth/munge
AuthInfo=socket=${socket},cred_expire=5
SlurmUser=${user}
SlurmdUser=${user}
StateSaveLocation=${folder}/state
SlurmdSpoolDir=${folder}/spool
SlurmctldPidFile=${folder}/slurmctld.pid
SlurmdPidFile=${folder}/slurmd.pid
SlurmctldLogFile=${folder}/slurmctld.log
SlurmdLogFile=${folder}/slurmd.log
SlurmdParameters=config_overrides
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerParameters=sched_interval=1,requeue_setup_env_fail
SwitchType=switch/none
MpiDefault=none
ReturnToService=2
KillWait=5
NodeName=${host} NodeAddr=127.0.0.1 CPUs=8 State=UNKNOWN
PartitionName=all Nodes=${host} Default=YES MaxTime=INFINITE State=UP
`,
  );
  const key = join(folder, 'munge/key');
  writeFileSync(key, randomBytes(1024), { mode: 0o600 });
  const munge = { socket, 'key-file': key, 'pid-file': join(folder, 'munge/pid') };
  const files = Object.entries({
    ...munge,
    'log-file': join(folder, 'munge/log'),
    'seed-file': join(folder, 'munge/seed'),
  });
  scratch.start('munged', [
    '--foreground',
    '--force',
    ...files.map((pair) => `--${pair.join('=')}`),
  ]);
  const env = { SLURM_CONF: config };
  await scratch.until('munged', () => scratch.run('munge', ['-n', '-S', socket]).status === 0);
  scratch.start('slurmctld', ['-D', '-i', '-f', config], env);
  await scratch.until('slurmctld', () => scratch.run('scontrol', ['ping'], env).status === 0);
  scratch.start('slurmd', ['-D', '-f', config], env);
  await scratch.until('slurmd', () =>
    /idle/i.test(scratch.run('sinfo', ['--noheader', '--format=%T'], env).stdout),
  );
  return env;
}
