/** Asks a SQLite file what takes for ever; the test kills this process meanwhile. */
import { dirname } from 'node:path';
import { sqlite } from '../connector.ts';
import { endlessQuery } from '../endless.suite.ts';

const [file = ''] = process.argv.slice(2);
const sections = { header: { query: endlessQuery, key: 'k' } };
const connector = await sqlite.open(sqlite.settings.parse({ file, sections }), {
  clock: () => new Date(0),
  allowedRoots: [dirname(file)],
});
// What is under way holds no process open by itself.
setInterval(() => undefined, 60_000);
await connector.read('x', new AbortController().signal);
