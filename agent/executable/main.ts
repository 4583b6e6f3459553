/**
 * What an agent that is one file begins with. The agent itself lies inside in parts, each of which is read when it
 * is first needed: most commands need few, and what was read stays in memory.
 */
import { getRawAsset } from 'node:sea';
import { Script } from 'node:vm';
import { version } from '../version.ts';
import { codeCacheOf, firstPart } from './assets.ts';

interface Part {
  exports: unknown;
}

const parts = new Map<string, Part>();
const [option] = process.argv.slice(2);
if (option === '--version' || option === '-V') process.stdout.write(`${version}\n`);
else requirePart(firstPart);

function requirePart(name: string): unknown {
  const known = parts.get(name);
  if (known !== undefined) return known.exports;
  const part: Part = { exports: {} };
  parts.set(name, part);
  const cachedData = assetOf(codeCacheOf(name));
  const script = new Script(assetOf(name).toString('latin1'), {
    filename: name,
    ...(cachedData.length > 0 && { cachedData }),
  });
  script.runInThisContext()(requireFrom, part, part.exports);
  return part.exports;
}

function assetOf(name: string): Buffer {
  return Buffer.from(getRawAsset(name) as ArrayBuffer);
}

/** Nothing is loaded from the folders around the executable: whoever writes there is not us. */
function requireFrom(id: string): unknown {
  if (id.startsWith('./')) return requirePart(id.slice(2));
  const found = process.getBuiltinModule(id);
  if (found !== undefined) return found;
  throw Object.assign(new Error(`${id} is not a part of the agent`), { code: 'MODULE_NOT_FOUND' });
}
