/**
 * A tenant that means harm, as a process of its own: sends the large and the broken, sixteen at once,
 * for so many seconds. What it was answered is printed at the end, a count a status.
 */
import { constants, setPriority } from 'node:os';
import { Pool } from 'undici';
import { attacks } from './attacks.ts';

const [baseUrl = '', key = '', connectorId = '', seconds = '10', ...refs] = process.argv.slice(2);
const atOnce = 16;
const roundMs = 250;

// What it takes to send all this is not the service's to bear.
setPriority(constants.priority.PRIORITY_LOW);
const pool = new Pool(baseUrl, { connections: atOnce, pipelining: 1, bodyTimeout: 0 });
const headers = {
  authorization: `Bearer ${key}`,
  'content-type': 'application/json',
  prefer: 'respond-async',
};
const counts = new Map<string, number>();
const all = attacks(connectorId, refs);
console.log('listening on nothing');
await new Promise((go) => process.stdin.once('data', go));
const endsAt = performance.now() + Number(seconds) * 1_000;
for (let round = 0; performance.now() < endsAt; round += 1) {
  const { name, method, path, bodies } = all[round % all.length]!;
  const send = async (at: number) => {
    const body = bodies[at % bodies.length]!;
    const answer = await pool
      .request({ method, path, headers, body })
      .then(async (response) => {
        await response.body.dump();
        return String(response.statusCode);
      })
      .catch((error: NodeJS.ErrnoException) => error.code ?? error.name);
    const told = `${name}: ${answer}`;
    counts.set(told, (counts.get(told) ?? 0) + 1);
  };
  await Promise.all(Array.from({ length: atOnce }, (_, at) => send(at)));
  await new Promise((go) => setTimeout(go, roundMs));
}
await pool.close();
console.log(JSON.stringify(Object.fromEntries([...counts].sort())));
process.exit();
