import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type Fault,
  type FaultServers,
  faults,
  largeBodyBytes,
  startFaultServers,
} from '../../test/kit/fault-servers.ts';
import { type HttpClient, openHttpClient } from './client.ts';

let servers: FaultServers;
let client: HttpClient;

beforeAll(async () => {
  servers = await startFaultServers();
  client = openHttpClient({ connectMs: 1_000, totalMs: 2_000, bodyBytesMax: 1_000 });
});
afterAll(async () => {
  await client.close();
  await servers.close();
});

test.concurrent.each(faults)(
  'a server that $name: $certainty',
  async ({ name, certainty, phase, code }: Fault) => {
    const body = name === 'resets in the request' ? Buffer.alloc(largeBodyBytes) : 'body';
    const url = servers.urlOf(name);
    const outcome = await client.send({ method: 'POST', url, headers: {}, body });
    expect(outcome.kind).toBe(certainty);
    if (outcome.kind !== 'answered') {
      expect(outcome.failure).toEqual({ phase, code: expect.stringMatching(code) });
    } else if (name === 'redirects') {
      expect(outcome.answer.status).toBe(307);
    } else {
      const kind = name === 'answers without end' ? 'too-long' : 'broken-off';
      expect(outcome.answer.bodyFault).toMatchObject({ kind });
    }
  },
);
