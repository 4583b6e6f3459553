import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { startMyInvoisSimulator } from '../authorities/myinvois/simulator.ts';
import { startPeppolSimulator } from '../authorities/peppol/simulator.ts';
import type { Clock, RandomBytes } from '../platform/ids.ts';
import type { AuthorityEndpoints } from './pipeline/authority-desk.ts';

const endpoint = z.strictObject({
  baseUrl: z.url({ protocol: /^https?$/ }),
  credentials: z.record(z.string(), z.string()),
});
const byAuthority = z.strictObject({ peppol: endpoint.optional(), myinvois: endpoint.optional() });
const file = z.strictObject({ live: byAuthority.default({}), sandbox: byAuthority.default({}) });

/** The endpoints of this process, and the simulators that stand in for those the sandbox lacks. */
export interface OpenEndpoints {
  readonly endpoints: AuthorityEndpoints;
  /** Name → address of each simulator that was started. */
  readonly simulators: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

/**
 * Reads where the authorities are (AUTHORITIES_FILE, JSON: environment → authority → `{ baseUrl,
 * credentials }`). What the sandbox names no endpoint for is played by a simulator on the loopback;
 * live has no such stand-in.
 */
export async function openEndpoints(options: {
  readonly path: string | undefined;
  readonly clock: Clock;
  readonly random: RandomBytes;
}): Promise<OpenEndpoints> {
  const { path, clock, random } = options;
  const known = file.parse(path === undefined ? {} : JSON.parse(await readFile(path, 'utf8')));
  const sandbox = { ...known.sandbox };
  const simulators: Record<string, string> = {};
  const running: { stop(): Promise<void> }[] = [];
  const chance = { clock, random: () => Buffer.from(random(4)).readUInt32BE() / 2 ** 32 };
  if (sandbox.peppol === undefined) {
    const simulator = await startPeppolSimulator(chance);
    running.push(simulator);
    simulators.peppol = simulator.url;
    const credentials = { dialect: 'phoss-ap', token: 'sandbox-token' };
    sandbox.peppol = { baseUrl: simulator.url, credentials };
  }
  if (sandbox.myinvois === undefined) {
    const simulator = await startMyInvoisSimulator(chance);
    running.push(simulator);
    simulators.myinvois = simulator.url;
    const credentials = { client_id: 'sandbox-client', client_secret: 'sandbox-secret' };
    sandbox.myinvois = { baseUrl: simulator.url, credentials };
  }
  return {
    endpoints: { live: known.live, sandbox } as AuthorityEndpoints,
    simulators,
    close: async () => {
      for (const simulator of running) await simulator.stop();
    },
  };
}
