import { type ParseArgsConfig, parseArgs } from 'node:util';

type Config = Omit<ParseArgsConfig, 'args' | 'allowPositionals'>;

/**
 * What a command was called with. Of `--help`, and of options that it has not, the usage is
 * printed, and the process ends with 0 or 2.
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
