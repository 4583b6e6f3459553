/**
 * What an agent that is one file begins with: the agent itself is a script inside, and reading it
 * takes longer than telling the version.
 */
import { getRawAsset } from 'node:sea';
import { Script } from 'node:vm';
import { version } from '../version.ts';
import { agentAsset, codeCacheAsset } from './assets.ts';

const [option] = process.argv.slice(2);
if (option === '--version' || option === '-V') process.stdout.write(`${version}\n`);
else startAgent();

function startAgent(): void {
  const cachedData = assetOf(codeCacheAsset);
  const script = new Script(assetOf(agentAsset).toString('latin1'), {
    filename: agentAsset,
    ...(cachedData.length > 0 && { cachedData }),
  });
  const exported = { exports: {} };
  script.runInThisContext()(requireBuiltin, exported, exported.exports);
}

function assetOf(name: string): Buffer {
  return Buffer.from(getRawAsset(name) as ArrayBuffer);
}

/** Nothing is loaded from the folders around the executable: whoever writes there is not us. */
function requireBuiltin(id: string): unknown {
  const found = process.getBuiltinModule(id);
  if (found !== undefined) return found;
  throw Object.assign(new Error(`${id} is not a part of the agent`), { code: 'MODULE_NOT_FOUND' });
}
