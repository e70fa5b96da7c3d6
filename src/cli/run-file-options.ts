import { type Command, Option } from 'commander';
import { UsageError } from '../runtime/carbon-error.ts';

const group = 'Monitoring:';

/**
 * Declares `--metrics-file` and `--summary`. The session of the command then has a recorder, and
 * `main` writes the files.
 */
export function addRunFiles(command: Command): Command {
  const add = (flag: string, description: string) =>
    command.addOption(
      new Option(`${flag} <file>`, description).helpGroup(group).argParser((path: string) => {
        if (path !== '-') return path;
        throw new UsageError(`${flag}: - is standard output, but carbon replaces a file`);
      }),
    );
  add(
    '--metrics-file',
    'write the numbers of the run for Prometheus, such as /var/lib/node_exporter/carbon.prom',
  );
  add('--summary', 'write the numbers of the run as JSON');
  return command;
}
