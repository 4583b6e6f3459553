import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isThisPlatform, partsOf, platforms } from '../build-agent/platforms.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const sources = ['agent', 'connectors', 'packages'] as const;

/** The command line of an agent: the built one in dist/ if none of its sources is newer, else the sources. */
export function agentProgram(): readonly [file: string, ...args: string[]] {
  const platform = platforms.find(isThisPlatform);
  if (platform !== undefined) {
    const built = join(root, 'dist', partsOf(platform).executable);
    const builtMs = changedMs(built);
    const isNewest = builtMs !== undefined && !sources.some((each) => hasNewer(each, builtMs));
    if (isNewest) return [built];
  }
  return [process.execPath, join(root, 'agent/main.ts')];
}

function hasNewer(folder: string, thanMs: number): boolean {
  const names = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' });
  return names.some((name) => (changedMs(join(root, folder, name)) ?? 0) > thanMs);
}

function changedMs(file: string): number | undefined {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs;
}
