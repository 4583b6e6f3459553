/** Which rules this agent uses: those that it came with, or a newer, signed update in its home folder. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Script } from 'node:vm';
import { gunzipSync } from 'node:zlib';
import { type OpenedRules, openRulesFile } from '@drawbridge/release/rules-update.ts';
import { compareVersions } from '@drawbridge/release/version.ts';
import { releaseKeys } from '../upgrade/release-keys.ts';
import { version } from '../version.ts';
import builtIn from './built-in.json' with { type: 'json' };
import { type Rules, rulesInterface } from './rules.ts';

export interface RulesInUse {
  readonly source: 'agent' | 'update';
  readonly version: string;
  /** From when on there should be newer ones; null where the agent was not released. */
  readonly warnAfter: string | null;
  /** Why the update in the home folder is not used; undefined when there is none, or it is. */
  readonly unused?: string;
}

/** What the rules that this agent came with are. */
const ownRules: RulesInUse = {
  source: 'agent',
  version,
  warnAfter: builtIn.warn_after,
};

export function updateFile(home: string): string {
  return join(home, 'rules.json');
}

/** The rules that `validate` and `explain` of this home folder use. */
export function rulesInUse(home: string): RulesInUse {
  return found(home).inUse;
}

/** Their contents. The signature of an update is checked each time: what it holds is run. */
export async function loadRules(home: string): Promise<Rules> {
  const { script } = found(home);
  if (script !== undefined) return rulesOf(script);
  return (await import('./contents.ts')).rules;
}

/** Runs the script of an opened update. Throws when it is not what an agent asks for. */
export function rulesOf(script: Uint8Array): Rules {
  const text = gunzipSync(script, { maxOutputLength: scriptBytesMax }).toString('latin1');
  const module: { exports: { rules?: Rules } } = { exports: {} };
  new Script(text, { filename: 'rules' }).runInThisContext()(builtInModule, module, module.exports);
  const { rules } = module.exports;
  if (rules === undefined || rules.profiles.length === 0) throw new Error('it holds no rules');
  return rules;
}

const scriptBytesMax = 100_000_000;

function found(home: string): { readonly inUse: RulesInUse; readonly script?: Uint8Array } {
  const bytes = bytesOf(updateFile(home));
  if (bytes === undefined) return { inUse: ownRules };
  const opened = openRulesFile(bytes, releaseKeys);
  const unused = reasonNotToUse(opened);
  if (unused !== undefined) return { inUse: { ...ownRules, unused } };
  if (opened.kind !== 'opened' || compareVersions(opened.manifest.version, version) <= 0) {
    return { inUse: ownRules }; // the agent was upgraded since, and brought newer ones
  }
  const { manifest, script } = opened;
  const inUse = {
    source: 'update',
    version: manifest.version,
    warnAfter: manifest.warn_after,
  } as const;
  return { inUse, script };
}

function reasonNotToUse(opened: OpenedRules): string | undefined {
  if (opened.kind !== 'opened') return opened.cause;
  const { interface: asked, version: of } = opened.manifest;
  const isNewer = compareVersions(of, version) > 0;
  return isNewer && asked !== rulesInterface ? 'it is for an agent of another version' : undefined;
}

function bytesOf(file: string): Uint8Array | undefined {
  try {
    return readFileSync(file);
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (['ENOENT', 'ENOTDIR', 'EACCES'].includes(code)) return undefined; // validate needs no home
    throw error;
  }
}

/** Rules are given nothing but Node's own modules. */
function builtInModule(id: string): unknown {
  const module = process.getBuiltinModule(id);
  if (module === undefined) throw new Error(`rules ask for ${id}, which they do not bring`);
  return module;
}
