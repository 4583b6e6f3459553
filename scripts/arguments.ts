import { type ParseArgsConfig, parseArgs } from 'node:util';

type Config = Omit<ParseArgsConfig, 'args' | 'allowPositionals'>;

/**
 * The arguments of a command. For `--help` and for an unknown option it prints the usage and ends
 * the process with 0 or 2.
 */
export function argumentsOf<const Given extends Config>(usage: string, { options }: Given) {
  const help = { type: 'boolean', default: false } as const;
  const config = { allowPositionals: true, options: { ...options, help } } as const;
  try {
    const parsed = parseArgs(config as { allowPositionals: true; options: Given['options'] });
    if ((parsed.values as { help?: boolean }).help !== true) return parsed;
  } catch (error) {
    console.error(`${(error as Error).message}\n\n${usage}`);
    process.exit(2);
  }
  console.log(usage);
  process.exit(0);
}
