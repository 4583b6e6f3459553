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

const callers = ['twilio-voice', 'plivo-voice', 'vonage-voice', 'asterisk'];

test.each([
  ['myinvois', 'documents'] as const,
  ['peppol', 'deliveries'] as const,
  ...channels.map((kind) => [kind, 'messages'] as const),
  ...callers.map((kind) => [kind, 'calls'] as const),
])('%s runs as a process of its own', async (kind, list) => {
  const child = run(kind, '--port', '0');
  try {
    const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
    const url = line.replace('listening on ', '');
    const response = await fetch(`${url}/_control/${list}`);
    expect(await response.json()).toEqual([]);
    const listed = (await (await fetch(`${url}/_control`)).json()) as Record<string, string[]>;
    expect(listed.kind).toBe(kind);
    expect(listed.read!.map((path) => path.split('?')[0])).toContain(list);
  } finally {
    child.kill();
    await once(child, 'exit');
  }
});

test('without a kind it lists them; a channel’s help has its magic recipients', async () => {
  const kinds = await text(run('--help').stdout);
  for (const kind of [...channels, ...callers]) expect(kinds).toContain(kind);
  expect(await text(run('twilio-sms', '--help').stdout)).toContain('21610');
  const wrong = run('pepol');
  const [said, [code]] = await Promise.all([text(wrong.stderr), once(wrong, 'exit')]);
  expect([said, code]).toEqual([expect.stringContaining('There is no kind "pepol"'), 1]);
});

test.each([...callers, 'peppol', 'myinvois'])(
  '%s --help helps, and a wrong flag is one line',
  async (kind) => {
    expect(await text(run(kind, '--help').stdout)).toContain(`npm run simulate -- ${kind}`);
    for (const wrong of [['--nonsense'], ['--port', 'abc']]) {
      const child = run(kind, ...wrong);
      const said = await text(child.stderr);
      expect(said.trimEnd().split('\n')).toHaveLength(1);
      expect(said).not.toContain('    at ');
    }
  },
);

test('the control API of a voice provider plans faults and lists its calls', async () => {
  const child = run('twilio-voice', '--port', '0');
  try {
    const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
    const url = line.replace('listening on ', '');
    const plan = (fault: object) =>
      fetch(`${url}/_control/faults`, { method: 'POST', body: JSON.stringify(fault) });
    expect((await plan({ kind: 'no-such' })).status).toBe(400);
    expect((await plan({ kind: 503 })).status).toBe(204);
    const { account_sid, auth_token } = (await (
      await fetch(`${url}/_control/settings`)
    ).json()) as Record<string, string>;
    const place = () =>
      fetch(`${url}/2010-04-01/Accounts/${account_sid}/Calls.json`, {
        method: 'POST',
        headers: { authorization: `Basic ${btoa(`${account_sid}:${auth_token}`)}` },
        body: new URLSearchParams({ To: '+60312345678', From: '+60399990000', Url: url }),
      });
    expect((await place()).status).toBe(503);
    expect((await place()).status).toBe(201);
    const calls = await (await fetch(`${url}/_control/calls`)).json();
    expect(calls).toMatchObject([{ to: '60312345678' }]);
  } finally {
    child.kill();
    await once(child, 'exit');
  }
});
