import { connectorKind } from '@drawbridge/connectors/registry.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { SettingSchema } from '../../platform/setting-forms/settings-schema.ts';
import { type Harness, startHarness } from '../harness.kit.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness();
});
afterAll(() => harness?.stop());

interface Kind {
  readonly kind: string;
  readonly pattern: string;
  readonly settings: SettingSchema;
}

const list = async () => {
  const { status, body } = await harness.call('GET /v1/connector-kinds');
  expect(status).toBe(200);
  return new Map<string, Kind>(body.results.map((each: Kind) => [each.kind, each]));
};

test('each kind says its pattern, and its settings with titles, secrets, defaults and examples', async () => {
  const kinds = await list();
  expect(kinds.get('postgres')).toMatchObject({
    pattern: 'database',
    title: 'PostgreSQL',
    layout: ['sections', 'changes'],
    settings: {
      properties: {
        host: {
          title: 'Host',
          description: expect.stringMatching(/\w/),
          examples: ['db.example.com'],
        },
        port: { type: 'integer', default: 5_432 },
        password: { secret: true },
        tlsCa: { advanced: true },
      },
    },
  });
  expect(kinds.get('files')?.settings.required).toEqual(['folder']);
  for (const [name, { pattern, settings }] of kinds) {
    expect(connectorKind(name)?.pattern).toBe(pattern);
    for (const [member, schema] of Object.entries(settings.properties ?? {})) {
      expect([name, member, schema.title]).toEqual([name, member, expect.stringMatching(/^[A-Z]/)]);
    }
  }
});

test('only those see them who may read connectors', async () => {
  expect((await harness.call('GET /v1/connector-kinds', undefined, { key: null })).status).toBe(
    401,
  );
});
