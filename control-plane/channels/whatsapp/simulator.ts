import type { RunningSimulator } from '../../simulation/server.ts';
import { controlEndpoints, type MagicTable } from '../simulation/control-endpoints.ts';
import { peopleTable } from '../simulation/people.ts';
import type { Program } from '../simulation/program.ts';
import { accountEndpoints } from './simulator/account.ts';
import { commandsOf, controlOf, type WhatsappControl } from './simulator/control.ts';
import { magicCodes } from './simulator/errors.ts';
import { messageEndpoints } from './simulator/messages.ts';
import { account } from './simulator/sandbox.ts';
import { magicTemplates, templateEndpoints } from './simulator/templates.ts';
import { World, type WorldOptions } from './simulator/world.ts';

export type { WhatsappControl } from './simulator/control.ts';
export { account } from './simulator/sandbox.ts';
export type { WorldOptions as SimulatorOptions } from './simulator/world.ts';

export interface WhatsappSimulator extends RunningSimulator {
  readonly control: WhatsappControl;
}

const magic: MagicTable = [...magicCodes, ...magicTemplates, ...peopleTable];

/**
 * A loopback WhatsApp Cloud API: sending, templates, signed webhooks, the 24-hour window, the pair
 * limit and the number's. A recipient whose last six digits are an error code gets that error, at
 * once or by webhook as the network does.
 */
export async function startWhatsappSimulator(options: WorldOptions): Promise<WhatsappSimulator> {
  const world = new World(options);
  const control = controlOf(world);
  const settings = () => sandboxSettings;
  const endpoints = [
    ...controlEndpoints(world, {
      kind: 'whatsapp',
      magic,
      settings,
      commands: commandsOf(control),
    }),
    ...messageEndpoints(world),
    ...templateEndpoints(world),
    ...accountEndpoints(world),
  ];
  const running = await world.serve(endpoints, options.port);
  return { ...running, control };
}

/** WhatsApp as a process of its own: statuses in batches, review in two seconds. */
export const program: Program = {
  kind: 'whatsapp',
  magic,
  start: (options) =>
    startWhatsappSimulator({ ...options, switches: { isBatching: true, reviewMs: 2_000 } }),
};

/** Settings by which an app reaches this simulator. */
export const sandboxSettings = {
  phone_number_id: account.phoneNumberId,
  waba_id: account.wabaId,
  access_token: account.accessToken,
  app_secret: account.appSecret,
  verify_token: account.verifyToken,
} as const;
