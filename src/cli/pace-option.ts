import type { Command } from 'commander';

/** Declares `--pace`. */
export function addPaceOption(command: Command): Command {
  return command.option(
    '--pace <url>',
    'share the rate limit with other processes through Redis or Valkey, such as redis://host:6379/0 (default: CARBON_PACE)',
  );
}
