/** The service of Linux under a systemd that runs: installed, started, watched, upgraded, stopped, removed. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newTenant, startNode, type TestNode } from '../../control-plane/agents/node.fixture.ts';
import { eventually } from '../kit/eventually.ts';
import { startDb, type TestDb } from '../kit/postgres.ts';
import { releaseUnavailable, type TestRelease, testRelease } from '../kit/release.ts';
import { type Systemd, startSystemd, systemdObstacle } from '../kit/systemd.ts';

const buildMs = 900_000;
const obstacle = (await releaseUnavailable()) ?? systemdObstacle();
const unit = 'drawbridge.service';
const drawbridge = '/usr/local/bin/drawbridge';

let kit: TestDb;
let node: TestNode;
let host: Systemd;
let releases: readonly TestRelease[];

beforeAll(async () => {
  if (obstacle !== undefined) return;
  releases = [await testRelease('0.1.0', 'whole'), await testRelease('0.2.0')];
  kit = await startDb();
  node = await startNode(kit);
  host = await startSystemd();
}, buildMs);
afterAll(async () => {
  if (obstacle !== undefined) return;
  await host.stop();
  await node.close();
  await kit.stop();
}, 60_000);

/** Runs a command that must succeed, and returns what it printed. */
async function run(program: string, ...args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await host.run(program, ...args);
  expect({ code, said: stderr }).toMatchObject({ code: 0 });
  return stdout;
}

const asService = (...args: readonly string[]) =>
  run('runuser', '-u', 'drawbridge', '--', 'env', 'HOME=/var/lib/drawbridge', drawbridge, ...args);

/** What systemd knows of the service. */
async function known(): Promise<Record<string, string>> {
  const lines = (await run('systemctl', 'show', unit)).split('\n');
  return Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  );
}

const isLinked = () =>
  eventually(async () => {
    const { link } = JSON.parse(await asService('status', '--json'));
    expect(link).toMatchObject({ state: 'connected' });
  });

test('systemd runs the service as its unit says', async (context) => {
  if (obstacle !== undefined) context.skip(obstacle);
  await run('/bin/sh', `${releases[0]!.folder}/install.sh`, '--prefix', '/usr/local');
  await run(drawbridge, 'service', 'install');
  expect((await run('systemctl', 'is-enabled', unit)).trim()).toBe('enabled');
  // Only times are others than those of the unit, so that the test need not wait three minutes.
  const times =
    '[Service]\\nWatchdogSec=3\\nRestartSec=1\\nStandardOutput=append:/run/said\\nStandardError=append:/run/said\\n';
  await run(
    'sh',
    '-c',
    `mkdir /etc/systemd/system/${unit}.d; printf '${times}' > /etc/systemd/system/${unit}.d/times.conf`,
  );
  await run('systemctl', 'daemon-reload');

  // Not enrolled: it ends with code 2, and starting it again would not help.
  expect((await host.run('systemctl', 'start', unit)).code).not.toBe(0);
  await eventually(async () => {
    expect(await known()).toMatchObject({
      ActiveState: 'failed',
      ExecMainStatus: '2',
      NRestarts: '0',
    });
  });

  const tenantId = await newTenant(kit, randomUUID());
  const { body } = await node.request('POST', '/v1/agents/enrolment-tokens', tenantId, {});
  await run('sh', '-c', `printf %s '${body.token}' > /run/token; chmod 644 /run/token`);
  await asService('enroll', '--url', node.url, '--token-file', '/run/token');
  await run('systemctl', 'start', unit); // returns when the agent has said that it is ready
  const started = await known();
  expect(started).toMatchObject({ ActiveState: 'active', SubState: 'running', User: 'drawbridge' });
  await isLinked();
  expect(JSON.parse(await run(drawbridge, 'service', 'status', '--json'))).toMatchObject({
    running: true,
  });

  // It is heard of within the limit, again and again.
  const heard = async () => Number((await known()).WatchdogTimestampMonotonic);
  const first = await heard();
  await eventually(async () => expect(await heard()).toBeGreaterThan(first + 2_000_000));
  expect((await known()).NRestarts).toBe('0');

  // One that stands still is ended and started anew, and so is one that was killed.
  await run('kill', '-STOP', started.MainPID!);
  await eventually(async () => {
    expect(await known()).toMatchObject({ ActiveState: 'active', NRestarts: '1' });
  });
  await isLinked();
  await run('kill', '-KILL', (await known()).MainPID!);
  await eventually(async () => {
    expect(await known()).toMatchObject({ ActiveState: 'active', NRestarts: '2' });
  });
  await isLinked();

  const upgraded = await host.run(drawbridge, 'upgrade', '--file', releases[1]!.folder, '--json');
  expect(upgraded).toMatchObject({ code: 11 });
  expect(await run(drawbridge, '--version')).toBe('0.2.0\n');
  expect(await known()).toMatchObject({ ActiveState: 'active', NRestarts: '0' });
  await isLinked();

  await run('systemctl', 'stop', unit);
  expect(await known()).toMatchObject({
    ActiveState: 'inactive',
    Result: 'success',
    ExecMainStatus: '0',
  });
  await run('systemctl', 'start', unit);
  await run(drawbridge, 'service', 'uninstall');
  expect(await known()).toMatchObject({ LoadState: 'not-found', ActiveState: 'inactive' });
  await run('test', '-f', '/var/lib/drawbridge/.drawbridge-agent/identity.sealed');
}, 300_000);
