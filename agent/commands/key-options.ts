import type { Command } from 'commander';

/** The options of a command that asks the control plane in the name of a person. */
export function withKey(target: Command): Command {
  return target
    .option('--key-file <file>', 'file with your API key (default: DRAWBRIDGE_API_KEY, or asked)')
    .option('--url <url>', 'address of the API (default: that of the enrolment)');
}
