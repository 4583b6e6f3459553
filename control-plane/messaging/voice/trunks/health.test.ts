import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ServiceKit } from '../../service.kit.ts';
import { fromNumber, startVoice } from '../voice.kit.ts';

let kit: ServiceKit;
let silent: Server;

/** Accepts connections, and never answers. */
beforeAll(async () => {
  silent = createServer((socket) => socket.on('error', () => {})).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const asterisk = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
  kit = await startVoice({ asterisk });
});
afterAll(async () => {
  await kit.stop();
  silent.close();
});

test('a host that accepts connections and never answers is reported within seconds', async () => {
  const settings = { url: 'http://pbx.example', username: 'a', password: 'b', trunk: 'c' };
  const own = { provider: 'asterisk', from_number: fromNumber, settings };
  for (const name of ['one', 'two']) {
    await kit.ask('POST /voice/api/provider-configs/', { body: { ...own, name } });
  }
  const { status, body } = await kit.ask('GET /voice/api/ari-health/');
  const dead = { reachable: false, latency_ms: null, version: null, error: 'no answer in 3 s' };
  expect([status, body.results]).toMatchObject([
    200,
    [
      { name: 'two', ...dead },
      { name: 'one', ...dead },
    ],
  ]);
});
