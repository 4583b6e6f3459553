import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { toBase64 } from '@drawbridge/link/bytes.ts';
import { packDocuments } from '@drawbridge/link/documents.ts';
import nacl from 'tweetnacl';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openBundles } from '../store/bundles.ts';
import { type ExportContext, exportBundles } from './export.ts';
import { allEvents, framesOf } from './outgoing-frames.ts';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'drawbridge-bundles-'));
});
afterEach(() => rmSync(home, { recursive: true }));

/** Documents of which a bundle holds one. */
const documents = Array.from({ length: 23 }, (_, at) => ({
  kind: 'found',
  document: {
    ref: `INV-${at}`,
    sections: { header: [{ values: { note: 'x'.repeat(2_200_000) } }] },
  },
}));

function contextOf(events: readonly object[], unread: string[] = []): ExportContext {
  const clock = () => new Date('2026-01-31T09:00:00Z');
  const [agent, controlPlane] = [nacl.sign.keyPair(), nacl.sign.keyPair()];
  const identity = {
    agentId: 'agt_1',
    publicKey: toBase64(agent.publicKey),
    secretKey: toBase64(agent.secretKey),
    controlPlaneKey: toBase64(controlPlane.publicKey),
  };
  const connector = {
    readMany: async (refs: readonly string[]) => documents.slice(0, refs.length),
  };
  const context = {
    runtime: { clock, randomBytes: nacl.randomBytes },
    store: { events: (after: number) => (after === 0 ? events : []), batches: () => [] },
    sources: {
      list: () => [],
      use: async (name: string, work: (one: typeof connector) => unknown) => {
        if (name === 'down') return { kind: 'fault', fault: { message: 'It is off.' } };
        if (name === 'removed') return { kind: 'fault', fault: { code: 'connector_unknown' } };
        return { kind: 'used', value: await work(connector) };
      },
    },
    bundles: openBundles(home, clock),
    identity: { value: () => identity, keyChange: () => undefined },
    unread: (connector: string, cause: string) => unread.push(`${connector}: ${cause}`),
  };
  return context as unknown as ExportContext;
}

async function all<T>(made: AsyncIterable<T>): Promise<readonly T[]> {
  const found: T[] = [];
  for await (const one of made) found.push(one);
  return found;
}

test('an event whose documents fill more bundles than a run makes is carried whole', async () => {
  const refs = documents.map(({ document }) => document.ref);
  const body = JSON.stringify({ connector: 'erp', refs });
  const context = contextOf([{ number: 1, id: 'evt_1', topic: 'documents.changed', body }]);
  const made = await all(exportBundles(context));
  expect(made.length).toBeGreaterThanOrEqual(documents.length);
  expect(await all(exportBundles(context))).toEqual([]);
  context.bundles.close();
});

test('what waits of a source that was removed is carried as it was read, and holds up nothing', async () => {
  const context = contextOf([]);
  const document = { ref: 'INV-1', sections: { header: [] } };
  const batch = {
    number: 1,
    id: 'bat_1',
    body: JSON.stringify({ connector: 'removed', refs: ['INV-1', 'INV-2'] }),
    content: packDocuments([JSON.stringify(document), null]),
  };
  const store = { ...context.store, batches: (after: number) => (after === 0 ? [batch] : []) };
  const unread: string[] = [];
  const removed = {
    ...context,
    store: store as unknown as ExportContext['store'],
    unread: (connector: string) => unread.push(connector),
  };
  const [event] = [...allEvents(removed.store)];
  const frames = await all(framesOf(event!, context.sources));
  expect(frames.map(({ frame }) => frame.body)).toMatchObject([
    { params: { ref: 'INV-1' }, result: { kind: 'found', document } },
    { params: { ref: 'INV-2' }, result: { kind: 'unusable' } },
    { connector: 'removed', refs: ['INV-1', 'INV-2'] },
  ]);
  expect(await all(exportBundles(removed))).toHaveLength(1);
  expect(await all(exportBundles(removed))).toEqual([]);
  expect(unread).toEqual([]);
  context.bundles.close();
});

test('a source that is off keeps its own events waiting, and no others', async () => {
  const event = (number: number, connector: string) => {
    const body = JSON.stringify({ connector, refs: ['INV-0'] });
    return { number, id: `evt_${number}`, topic: 'documents.changed', body };
  };
  const unread: string[] = [];
  const context = contextOf([event(1, 'down'), event(2, 'down'), event(3, 'erp')], unread);
  expect(await all(exportBundles(context))).toHaveLength(1);
  expect(unread).toEqual(['down: It is off.']);
  expect([...context.bundles.eventsOnTheirWay()]).toEqual(['documents.changed evt_3']);
  context.bundles.close();
});
