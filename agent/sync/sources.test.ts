import type { Connector, ConnectorKind } from '@drawbridge/connectors/contract.ts';
import { expect, test } from 'vitest';
import { z } from 'zod';
import type { ConfiguredConnector } from '../store/connectors.ts';
import { createSources } from './sources.ts';

/** Sources of one kind whose opening is logged. */
function scene(configured: ConfiguredConnector[], open = async () => {}) {
  const log: string[] = [];
  const kind: ConnectorKind = {
    kind: 'fake',
    pattern: 'database',
    title: 'Fake',
    settings: z.object({ at: z.string() }),
    async open(settings) {
      const { at } = settings as { at: string };
      log.push(`open ${at}`);
      await open();
      return { close: async () => void log.push(`close ${at}`) } as unknown as Connector;
    },
  };
  const sources = createSources({
    configured: () => configured,
    kindOf: (name) => (name === 'fake' ? kind : undefined),
    connectorContext: { clock: () => new Date(0), allowedRoots: [] },
    revealed: (settings: unknown) => settings,
  });
  return { sources, log };
}

const at = (place: string) => ({
  name: 'erp',
  kind: 'fake',
  settings: { at: place },
  watch: false,
  enabled: true,
});
const nothing = async () => 'done';

test('a source is opened once for all who use it, and closed at the end', async () => {
  const { sources, log } = scene([at('a')]);
  await Promise.all([sources.use('erp', nothing), sources.use('erp', nothing)]);
  await sources.close();
  expect(log).toEqual(['open a', 'close a']);
});

test('a source whose settings changed is opened again, without a restart', async () => {
  const configured = [at('a')];
  const { sources, log } = scene(configured);
  await sources.use('erp', nothing);
  configured[0] = at('b');
  expect(await sources.use('erp', nothing)).toEqual({ kind: 'used', value: 'done' });
  await sources.close();
  expect(log).toEqual(['open a', 'open b', 'close a', 'close b']);
});

test('a source that did not open is tried again by the next use', async () => {
  let isDown = true;
  const { sources } = scene([at('a')], async () => {
    if (isDown) throw new Error('down');
  });
  expect((await sources.use('erp', nothing)).kind).toBe('fault');
  isDown = false;
  expect((await sources.use('erp', nothing)).kind).toBe('used');
});

test('an error of a driver is reported by its code, never by its message', async () => {
  const { sources } = scene([at('a')]);
  const used = await sources.use('erp', async () => {
    throw Object.assign(new Error('login failed for sa with password swordfish'), {
      code: 'ELOGIN',
    });
  });
  expect(used).toMatchObject({
    kind: 'fault',
    fault: { code: 'connector_failed', retry: 'later' },
  });
  expect(JSON.stringify(used)).toContain('ELOGIN');
  expect(JSON.stringify(used)).not.toContain('swordfish');
});

test.each([
  { name: 'none', kind: 'fake', code: 'connector_unknown' },
  { name: 'erp', kind: 'abacus', code: 'connector_kind_unknown' },
])('a connector $name of kind $kind is a fault: $code', async ({ name, kind, code }) => {
  const { sources } = scene([{ ...at('a'), kind }]);
  expect(await sources.use(name, nothing)).toMatchObject({ fault: { code, retry: 'never' } });
});
