import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** Where a configuration file is looked for that no variable names. */
export const systemFile =
  process.platform === 'win32'
    ? join(process.env.ProgramData ?? 'C:\\ProgramData', 'Drawbridge', 'agent.yaml')
    : '/etc/drawbridge/agent.yaml';

/** The file that DRAWBRIDGE_CONFIG names, which must be there, or the one of the system where there is one. */
export function configPath(env: Readonly<Record<string, string | undefined>>): string | undefined {
  const named = env.DRAWBRIDGE_CONFIG ?? '';
  if (named !== '') return named;
  return existsSync(systemFile) ? systemFile : undefined;
}
