import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';

const program = join(import.meta.dirname, '../../scripts/simulate.ts');
const run = (...words: string[]) => spawn(process.execPath, [program, ...words]);

const channels = ['whatsapp', 'twilio-sms', 'plivo-sms', 'vonage-sms', 'generic-http-sms'].concat([
  'telegram',
  'google-rcs',
]);

test.each([
  ['myinvois', 'documents'] as const,
  ['peppol', 'deliveries'] as const,
  ...channels.map((kind) => [kind, 'messages'] as const),
])('%s runs as a process of its own', async (kind, list) => {
  const child = run(kind, '--port', '0');
  try {
    const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
    const url = line.replace('listening on ', '');
    const response = await fetch(`${url}/_control/${list}`);
    expect(await response.json()).toEqual([]);
  } finally {
    child.kill();
    await once(child, 'exit');
  }
});

test('without a kind it lists them; a channel’s help has its magic recipients', async () => {
  const kinds = await text(run('--help').stdout);
  for (const kind of channels) expect(kinds).toContain(kind);
  expect(await text(run('twilio-sms', '--help').stdout)).toContain('21610');
  const [code] = (await once(run('none'), 'exit')) as [number];
  expect(code).toBe(1);
});
