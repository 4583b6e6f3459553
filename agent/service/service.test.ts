/** The agent as a service: its unit, what it tells systemd, and the files for other systems. */
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { SaxesParser } from 'saxes';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newTenant, startNode } from '../../control-plane/agents/node.fixture.ts';
import { runAgent, startAgent } from '../../test/kit/agent-process.ts';
import { eventually } from '../../test/kit/eventually.ts';
import { notifySocketUnavailable, openNotifySocket } from '../../test/kit/notify-socket.ts';
import { startDb } from '../../test/kit/postgres.ts';
import { Health } from '../health.ts';
import { settingRows } from '../settings.ts';
import { missingManager } from './definition.ts';
import { launchdPlist } from './launchd.ts';
import { notifyService } from './notifier.ts';
import { systemdDefinition, systemdUnit } from './systemd.ts';
import { windowsTask } from './windows-task.ts';

const run = promisify(execFile);
const executable = '/usr/local/bin/drawbridge';
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'drawbridge-service-'));
});
afterAll(() => rm(folder, { recursive: true }));

describe('the unit', () => {
  test('lets the agent do little: systemd finds an exposure of 2.0 at most', async (context) => {
    const file = join(folder, 'drawbridge.service');
    await writeFile(file, systemdUnit(executable));
    const ask = ['security', '--offline=true', '--no-pager', '--threshold=20', file];
    const asked = await run('systemd-analyze', ask).catch((error) => error);
    if (asked.code === 'ENOENT') context.skip('systemd is not installed');
    expect(asked.stdout).toMatch(/Overall exposure level for drawbridge.service: [01]\.\d/);
    expect(asked).not.toBeInstanceOf(Error); // also when over the threshold
  });

  test('names settings that exist, in its comments too', () => {
    const known = Object.values(settingRows).map(({ env }) => env);
    const named = systemdUnit(executable).match(/DRAWBRIDGE_\w+/g) ?? [];
    expect(named.filter((name) => !known.includes(name))).toEqual([]);
  });
});

test('install writes its files below a root, and uninstall removes them', async () => {
  const { files } = systemdDefinition(executable);
  const printed = await runAgent(folder, [
    'service',
    'install',
    '--print',
    '--json',
    '--system',
    'linux',
  ]);
  expect(JSON.parse(printed.stdout)).toEqual({ files });
  const absent = await runAgent(folder, [
    'service',
    'status',
    '--root',
    folder,
    '--system',
    'linux',
  ]);
  expect(absent).toMatchObject({ code: 4, stderr: expect.stringContaining('service install') });
});

test('where systemd does not run nothing is installed, and it is said what to do', () => {
  const definition = systemdDefinition(executable);
  expect(missingManager(definition, () => false)).toMatch(/^systemd does not run .*drawbridge run/);
  expect(missingManager(definition, (path) => path === '/run/systemd/system')).toBeUndefined();
});

describe('for systems that are not run here', () => {
  test('the property list has what launchd asks for', () => {
    const elements = textsOf(launchdPlist('/opt/a & b/drawbridge'));
    const keys = elements.filter(([name]) => name === 'key').map(([, text]) => text);
    expect(keys).toEqual(
      expect.arrayContaining(['Label', 'ProgramArguments', 'KeepAlive', 'RunAtLoad', 'UserName']),
    );
    const strings = elements.filter(([name]) => name === 'string').map(([, text]) => text);
    expect(strings).toEqual(expect.arrayContaining(['drawbridge', '/opt/a & b/drawbridge', 'run']));
  });

  test('the task of Windows starts with the host, as no administrator', () => {
    const elements = Object.fromEntries(textsOf(windowsTask('C:\\a & b\\drawbridge.exe')));
    expect(elements).toMatchObject({
      Command: 'C:\\a & b\\drawbridge.exe',
      Arguments: 'run',
      UserId: 'S-1-5-19',
      RunLevel: 'LeastPrivilege',
      ExecutionTimeLimit: 'PT0S',
    });
  });
});

/** The elements of an XML document with their texts; throws when it is not well-formed. */
function textsOf(xml: string): [name: string, text: string][] {
  const found: [string, string][] = [];
  const parser = new SaxesParser();
  let text = '';
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', () => {
    text = '';
  });
  parser.on('text', (piece) => {
    text += piece;
  });
  parser.on('closetag', ({ name }) => found.push([name, text]));
  parser.write(xml).close();
  return found;
}

describe('the watchdog', () => {
  const missing = notifySocketUnavailable();

  test('can be heard here', (context) => {
    if (missing !== undefined) context.skip(missing);
  });

  test.skipIf(missing !== undefined)(
    'hears of an agent that is ready, well, and stopping',
    async () => {
      const kit = await startDb();
      const node = await startNode(kit);
      const socket = await openNotifySocket(folder);
      try {
        const home = join(folder, 'home');
        const tenantId = await newTenant(kit, randomUUID());
        const { body } = await node.request('POST', '/v1/agents/enrolment-tokens', tenantId, {});
        await runAgent(home, ['enroll', '--url', node.url], { input: body.token });
        const env = { NOTIFY_SOCKET: socket.path, WATCHDOG_USEC: '600000' };
        const agent = startAgent(home, env);
        await agent.event('connected');
        await eventually(() =>
          expect(socket.heard).toEqual(expect.arrayContaining(['READY=1', 'WATCHDOG=1'])),
        );
        expect(await agent.stop('SIGTERM')).toBe(0);
        await eventually(() => expect(socket.heard).toContain('STOPPING=1'));
      } finally {
        await socket.close();
        await node.close();
        await kit.stop();
      }
    },
    60_000,
  );

  test.skipIf(missing !== undefined)(
    'hears nothing more of one whose loop stands still',
    async () => {
      const own = await mkdtemp(join(folder, 'stalled-'));
      const socket = await openNotifySocket(own);
      let nowMs = 0;
      const health = new Health({ home: own, clock: () => new Date(), monotonicMs: () => nowMs });
      health.expect('watch', 1_000);
      const told: string[] = [];
      const env = { PATH: process.env.PATH, NOTIFY_SOCKET: socket.path, WATCHDOG_USEC: '300000' };
      const service = notifyService({ env }, health, (event, detail) =>
        told.push(`${event} ${detail}`),
      );
      try {
        await eventually(() => expect(socket.heard).toContain('WATCHDOG=1'));
        nowMs = 10_000_000;
        await eventually(() =>
          expect(told.filter((line) => line.startsWith('stalled watch')).length).toBeGreaterThan(3),
        );
        const heard = socket.heard.length;
        await eventually(() => expect(told.length).toBeGreaterThan(8));
        expect(socket.heard.length).toBe(heard);
      } finally {
        service.stopping();
        await socket.close();
      }
    },
    60_000,
  );
});

test('without systemd nothing is told', () => {
  const health = { stalled: () => [] };
  expect(() => notifyService({ env: {} }, health, () => {}).stopping()).not.toThrow();
});
