import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { rulesFileText } from '@drawbridge/release/rules-update.ts';
import { rulesInterface } from '../../agent/rules/rules.ts';
import { makeRulesScript } from '../build-agent/agent-scripts.ts';
import type { SigningKey } from './signing-key.ts';

export interface RulesUpdateOptions {
  readonly version: string;
  readonly notBefore: Date;
  /** From when on agents that use it are warned. */
  readonly warnAfter: Date;
  readonly key: SigningKey;
  /** What it brings; the rules of these sources when left out. */
  readonly script?: string;
}

export function rulesUpdateName(version: string): string {
  return `drawbridge-rules-${version}.json`;
}

/** The rules, code lists and explanations of these sources as one signed file, for agents that are there already. */
export async function writeRulesUpdate(
  folder: string,
  { version, notBefore, warnAfter, key, script }: RulesUpdateOptions,
): Promise<void> {
  const compressed = gzipSync(script ?? (await makeRulesScript()), { level: 9 });
  const manifest = {
    version,
    interface: rulesInterface,
    not_before: notBefore.toISOString(),
    warn_after: warnAfter.toISOString(),
  };
  const text = rulesFileText(manifest, compressed, (bytes) => key.sign(bytes));
  await writeFile(join(folder, rulesUpdateName(version)), text);
}
