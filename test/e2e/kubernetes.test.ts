/* The Kubernetes manifests: their names, their security and their command lines. */
import { describe, expect, it } from 'vitest';
import { parseDocument } from 'yaml';
import { codeBlocks, readText } from '../support/documents.ts';
import { understands } from '../support/understands.ts';

function read(name: string) {
  const text = readText(`deploy/kubernetes/${name}.yaml`);
  // Kubernetes reads YAML 1.1, other programs read YAML 1.2.
  const [old, current] = (['1.1', '1.2'] as const).map((version) => {
    const document = parseDocument(text, { strict: true, uniqueKeys: true, version });
    expect([...document.errors, ...document.warnings]).toEqual([]);
    return document.toJS();
  });
  expect(old).toEqual(current);
  return current;
}

const cronJob = read('cronjob');
const indexedJob = read('indexed-job');
const pods = [cronJob.spec.jobTemplate.spec.template.spec, indexedJob.spec.template.spec];
const namesOf = (list: readonly { name: string }[]) => list.map(({ name }) => name).sort();

describe('the Kubernetes manifests', () => {
  it('have valid lines for node_exporter', () => {
    const { volumes, containers } = read('node-exporter').spec;
    const [{ args, volumeMounts }] = containers;
    expect(namesOf(volumeMounts)).toEqual(namesOf(volumes));
    expect(args.at(-1)).toMatch(`${volumeMounts[0].mountPath}/`);
    // They replace the arguments of the nightly job.
    const [{ args: nightly }] = cronJob.spec.jobTemplate.spec.template.spec.containers;
    expect(args.slice(0, nightly.length)).toEqual(nightly);
  });

  it('meet the restricted Pod Security Standard', () => {
    const [, user] = /^USER (\d+):\1$/m.exec(readText('Dockerfile')) ?? [];
    for (const { securityContext, containers, volumes } of pods) {
      expect(`${securityContext.runAsUser}`, 'the user of the image').toBe(user);
      expect(securityContext).toMatchObject({
        runAsNonRoot: true,
        seccompProfile: { type: 'RuntimeDefault' },
      });
      for (const container of containers) {
        expect(container.securityContext).toEqual({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        });
      }
      const kinds = volumes.flatMap(({ name: _, ...kind }: { name: string }) => Object.keys(kind));
      expect(kinds.sort()).toEqual(['emptyDir', 'persistentVolumeClaim', 'secret']);
    }
  });

  it('mount each of their volumes, the claim of volume.yaml and the key', () => {
    const claim = read('volume').metadata.name;
    expect(read('copy').spec.volumes[0].persistentVolumeClaim.claimName).toBe(claim);
    for (const { containers, volumes } of pods) {
      const [{ env, volumeMounts }] = containers;
      expect(namesOf(volumeMounts)).toEqual(namesOf(volumes));
      expect(volumes[0].persistentVolumeClaim.claimName).toBe(claim);
      const file = env.find(({ name }: { name: string }) => name === 'CARBON_API_KEY_FILE').value;
      expect(file).toBe(`${volumeMounts[2].mountPath}/api-key`);
      expect(codeBlocks('sh', ['docs/operations.md']).join('')).toContain(
        `create secret generic ${volumes[2].secret.secretName} --from-file=api-key=`,
      );
      expect(volumes[2].secret.defaultMode).toBe(0o440);
    }
  });

  it.each([
    ['cronjob', cronJob.spec.jobTemplate.spec, { FailJob: [2, 3, 4, 7, 9], Ignore: [8] }],
    ['indexed-job', indexedJob.spec, { FailIndex: [2, 3, 4, 9] }],
  ])(
    'start another pod after exit code 6, and fail none that waits for research, in %s.yaml',
    (_, job, values) => {
      const { containers, restartPolicy } = job.template.spec;
      // Kubernetes requires this for podFailurePolicy.
      expect(restartPolicy).toBe('Never');
      const [disruption, ...rules] = job.podFailurePolicy.rules;
      expect(disruption.action).toBe('Ignore');
      const [{ name: containerName }] = containers;
      expect(rules).toEqual(
        Object.entries(values).map(([action, values]) => ({
          action,
          onExitCodes: { containerName, operator: 'In', values },
        })),
      );
    },
  );

  it('have arguments that carbon accepts, and skip invalid rows', async () => {
    for (const { containers } of pods) {
      const line = containers[0].args.join(' ');
      expect(await understands(`carbon ${line}`)).toBe(true);
      expect(line).toContain('--invalid skip');
    }
  });

  it('share the rate limit of the account between the lists of the indexed job', () => {
    const [{ args }] = indexedJob.spec.template.spec.containers;
    const rate = Number(args[args.indexOf('--rate') + 1]);
    // operations.md has a limit of 50 per second as its example.
    expect(rate * indexedJob.spec.parallelism).toBe(50);
  });
});
