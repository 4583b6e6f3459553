import type { RunningSimulator } from '../../simulation/server.ts';
import type { ChannelSimulator } from '../simulation/contract.ts';
import { controlEndpoints, type MagicTable } from '../simulation/control-endpoints.ts';
import { peopleTable } from '../simulation/recipient-behaviour.ts';
import { accountEndpoints } from './simulator/account.ts';
import { commandsOf, controlOf, type WhatsappControl } from './simulator/control.ts';
import { magicCodes } from './simulator/errors.ts';
import { messageEndpoints } from './simulator/messages.ts';
import { Network, type NetworkOptions } from './simulator/network.ts';
import { account } from './simulator/sandbox-account.ts';
import { magicTemplates, templateEndpoints } from './simulator/templates.ts';

export type { WhatsappControl } from './simulator/control.ts';
export type { NetworkOptions as SimulatorOptions } from './simulator/network.ts';
export { account } from './simulator/sandbox-account.ts';

export interface WhatsappSimulator extends RunningSimulator {
  readonly control: WhatsappControl;
}

const magic: MagicTable = [...magicCodes, ...magicTemplates, ...peopleTable];

/**
 * A loopback WhatsApp Cloud API: sending, templates, signed webhooks, the 24-hour window, the
 * limits of a pair and of a number. A recipient whose last six digits are an error code gets that
 * error, at once or by webhook as the network does.
 */
export async function startWhatsappSimulator(options: NetworkOptions): Promise<WhatsappSimulator> {
  const network = new Network(options);
  const control = controlOf(network);
  const settings = () => sandboxSettings;
  const endpoints = [
    ...controlEndpoints(network, {
      kind: 'whatsapp',
      magic,
      settings,
      commands: commandsOf(network, control),
    }),
    ...messageEndpoints(network),
    ...templateEndpoints(network),
    ...accountEndpoints(network),
  ];
  const running = await network.serve(endpoints, options.port);
  return { ...running, control };
}

/** WhatsApp as a separate process: statuses in batches, review within two seconds. */
export const simulator: ChannelSimulator = {
  kind: 'whatsapp',
  magic,
  start: (options) =>
    startWhatsappSimulator({ ...options, switches: { isBatching: true, reviewMs: 2_000 } }),
  account: {
    settings: (digits) => ({ phone_number_id: `1${digits(14)}`, waba_id: `1${digits(14)}` }),
    open({ settings, callbackUrl }, { templates, people }) {
      const { phone_number_id: phoneNumberId, waba_id: wabaId } = settings;
      return [
        ['numbers', { phoneNumberId, wabaId, webhookUrl: callbackUrl }],
        ...(templates.length === 0 ? [] : [['templates', { wabaId, templates }] as const]),
        ...(people.length === 0 ? [] : [['windows', { phoneNumberId, people }] as const]),
      ];
    },
  },
};

/** Settings with which an app reaches this simulator. */
export const sandboxSettings = {
  phone_number_id: account.phoneNumberId,
  waba_id: account.wabaId,
  access_token: account.accessToken,
  app_secret: account.appSecret,
  verify_token: account.verifyToken,
} as const;
