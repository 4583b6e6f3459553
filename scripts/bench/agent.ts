import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { createCertificate } from '../../test/kit/certificates.ts';
import { startTlsFront } from '../../test/kit/tls-front.ts';
import { makeAgentScripts } from '../build-agent/agent-scripts.ts';
import { makeExecutable } from '../build-agent/executable.ts';
import { Client } from './client.ts';
import { Environment } from './environment.ts';
import { type Bench, type Figure, figuresOf } from './figure.ts';
import { cpuSecondsOf } from './process-figures.ts';

const figure = figuresOf('agent');
const startCount = 30;
const settleMs = 5_000;
const idleMs = 20_000;

/** The agent as one file: its size, how long it takes to start, and what it takes while it waits. */
export const agent: Bench = {
  name: 'agent',
  title: 'the installed agent: size, start, memory and CPU at rest',
  run: async () => {
    const environment = await Environment.open();
    try {
      return await measure(environment);
    } finally {
      await environment.close();
    }
  },
};

async function measure(environment: Environment): Promise<Figure[]> {
  const executable = join(environment.folder, 'drawbridge');
  const scripts = await makeAgentScripts();
  await makeExecutable({ platform: 'linux-x64', scripts, outfile: executable });
  const started = startsOf(executable);
  const control = await environment.startControlPlane({});
  const client = new Client(control.baseUrl, control.key, 1);
  const env = { DRAWBRIDGE_AGENT_HOME: join(environment.folder, 'agent') };
  const { token } = await client.send('POST', '/v1/agents/enrolment-tokens', {});
  await environment.run(['enroll', '--url', control.baseUrl], env, token, executable);
  const { pid } = await environment.start(['run'], env, /connected/i, executable);
  await wait(settleMs);
  const before = cpuSecondsOf(pid);
  await wait(idleMs);
  const memory = memoryOf(pid);
  const idleCpu = (cpuSecondsOf(pid) - before) / (idleMs / 1_000);
  const behindTls = await memoryBehindTls(environment, executable, control.baseUrl, client);
  return [
    figure('size', (await stat(executable)).size / 1e6, 'MB'),
    figure('node -e 0', started.node, 'ms'),
    figure('--version', started.version, 'ms'),
    figure('--version beside node -e 0', started.version / started.node, '×', {
      is: 'at-most',
      value: 1.5,
    }),
    figure('status beside node -e 0', started.status / started.node, '×'),
    figure('memory, linked and idle', memory.resident, 'MB', { is: 'at-most', value: 80 }),
    figure('… of it Node’s file and libraries, shared by its processes', memory.file, 'MB'),
    figure('… of it its own', memory.own, 'MB'),
    figure('memory, linked by TLS and idle', behindTls.resident, 'MB', {
      is: 'at-most',
      value: 80,
    }),
    figure('… of it its own, by TLS', behindTls.own, 'MB'),
    figure('CPU, linked and idle', idleCpu * 100, '% of a core'),
  ];
}

/** As at a customer: the link goes through TLS, whose certificate is of a CA of the company. */
async function memoryBehindTls(
  environment: Environment,
  executable: string,
  to: string,
  client: Client,
): Promise<ReturnType<typeof memoryOf>> {
  const authority = createCertificate({ name: 'Bench CA', isAuthority: true });
  const host = '127.0.0.1';
  const shown = createCertificate({ name: 'bench', hosts: [host], issuer: authority });
  const caFile = join(environment.folder, 'ca.pem');
  await writeFile(caFile, authority.cert);
  const front = await startTlsFront({ ...shown, host, to });
  try {
    const env = { DRAWBRIDGE_AGENT_HOME: join(environment.folder, 'agent-tls') };
    const { token } = await client.send('POST', '/v1/agents/enrolment-tokens', {});
    const enrol = ['enroll', '--url', front.url, '--ca-file', caFile];
    await environment.run(enrol, env, token, executable);
    const { pid } = await environment.start(['run'], env, /connected/i, executable);
    await wait(settleMs + idleMs);
    return memoryOf(pid);
  } finally {
    await front.close();
  }
}

/** Milliseconds of a start: the lower quartile of many, in turn, so that other load does little. */
function startsOf(executable: string): Record<'node' | 'version' | 'status', number> {
  const commands = {
    node: [process.execPath, '-e', '0'],
    version: [executable, '--version'],
    status: [executable, 'status', '--help'],
  };
  const times = { node: [] as number[], version: [] as number[], status: [] as number[] };
  for (let count = 0; count < startCount; count += 1) {
    for (const name of ['node', 'version', 'status'] as const) {
      const [file, ...args] = commands[name];
      const before = performance.now();
      spawnSync(file!, args, { stdio: 'ignore' });
      times[name].push(performance.now() - before);
    }
  }
  const quick = (list: number[]) => list.sort((a, b) => a - b)[Math.floor(list.length / 4)]!;
  return { node: quick(times.node), version: quick(times.version), status: quick(times.status) };
}

/** Megabytes of a process; Linux only. */
function memoryOf(pid: number): Record<'resident' | 'own' | 'file', number> {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const megabytes = (row: string) =>
    (Number(new RegExp(`^${row}:\\s+(\\d+) kB`, 'm').exec(status)![1]) * 1_024) / 1e6;
  const [resident, own, file] = [megabytes('VmRSS'), megabytes('RssAnon'), megabytes('RssFile')];
  return { resident, own, file };
}
