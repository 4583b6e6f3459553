/**
 * `code-cache.ts FOLDER`: V8's compiled form of each script in it, beside the script. Run it under the flags that
 * will hold later, and with a seed, so that the bytes are the same at each build.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Script } from 'node:vm';
import { codeCacheOf } from '../../agent/executable/assets.ts';

const [folder = '.'] = process.argv.slice(2);
for (const filename of readdirSync(folder).sort()) {
  const script = new Script(readFileSync(join(folder, filename), 'latin1'), { filename });
  writeFileSync(join(folder, codeCacheOf(filename)), script.createCachedData());
}
