/** The sandbox's providers: simulators on the loopback, where each app has an account of its own. */
import type { App } from '../channels/contract.ts';
import { program as genericHttpSms } from '../channels/generic-http-sms/simulator.ts';
import { program as googleRcs } from '../channels/google-rcs/simulator.ts';
import { program as plivoSms } from '../channels/plivo-sms/simulator.ts';
import type { Program } from '../channels/simulation/program.ts';
import { program as telegram } from '../channels/telegram/simulator.ts';
import { program as twilioSms } from '../channels/twilio-sms/simulator.ts';
import { program as vonageSms } from '../channels/vonage-sms/simulator.ts';
import { program as whatsapp } from '../channels/whatsapp/simulator.ts';
import type { ChannelEndpoint } from './channel-endpoints.ts';

export interface Chance {
  readonly clock: () => Date;
  /** A number in [0, 1). */
  readonly random: () => number;
}

/** A simulator that plays a provider in the sandbox. */
export type Played = ChannelEndpoint & { stop(): Promise<void> };

type Settings = Readonly<Record<string, string>>;

interface Account {
  /** What tells an app from the others of the simulator. */
  readonly settings: (digits: (count: number) => string) => Settings;
  /** The call of the simulator's control that opens the account. */
  readonly open: (app: App<Settings>) => readonly [name: string, body: object];
}

const smsAccount = (prefix: string): Account => ({
  settings: (digits) => ({ from: `${prefix}6012${digits(8)}` }),
  open: ({ settings, callbackUrl }) => [
    'route',
    { number: settings.from, url: `${callbackUrl}inbound/` },
  ],
});

const providers: readonly (readonly [Program, Account])[] = [
  [
    whatsapp,
    {
      settings: (digits) => ({ phone_number_id: `1${digits(14)}`, waba_id: `1${digits(14)}` }),
      open: ({ settings, callbackUrl }) => [
        'numbers',
        {
          ...{ phoneNumberId: settings.phone_number_id, wabaId: settings.waba_id },
          webhookUrl: callbackUrl,
        },
      ],
    },
  ],
  [twilioSms, smsAccount('+')],
  [plivoSms, smsAccount('')],
  [vonageSms, smsAccount('')],
  [genericHttpSms, smsAccount('')],
  [
    telegram,
    {
      settings: (digits) => ({ bot_token: `1${digits(8)}:AA${digits(33)}` }),
      open: ({ settings }) => ['bots', { token: settings.bot_token }],
    },
  ],
  [
    googleRcs,
    {
      settings: (digits) => ({ agent_id: `agent-${digits(8)}`, client_token: digits(24) }),
      open: ({ settings, callbackUrl }) => [
        'agents',
        {
          ...{ agentId: settings.agent_id, clientToken: settings.client_token },
          webhookUrl: callbackUrl,
        },
      ],
    },
  ],
];

/** Starts the simulator of each provider that is wanted, on a free port of the loopback. */
export async function startSandboxProviders(
  chance: Chance,
  isWanted: (provider: string) => boolean,
): Promise<ReadonlyMap<string, Played>> {
  const wanted = providers.filter(([{ kind }]) => isWanted(kind));
  const played = wanted.map(async ([program, account]) => {
    return [program.kind, await play(program, account, chance)] as const;
  });
  return new Map(await Promise.all(played));
}

/** No app has told its address yet. */
const nowhere = 'http://127.0.0.1:1/';

async function play(program: Program, account: Account, chance: Chance): Promise<Played> {
  const simulator = await program.start({ ...chance, isSending: true, webhookUrl: nowhere });
  const { url } = simulator;
  const common = (await (await fetch(`${url}/_control/settings`)).json()) as Settings;
  const digits = (count: number) =>
    Array.from({ length: count }, () => Math.floor(chance.random() * 10)).join('');
  return {
    url,
    settings: () => ({ ...common, ...account.settings(digits) }),
    register: async (app) => {
      const [name, body] = account.open(app as App<Settings>);
      await fetch(`${url}/_control/${name}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
    },
    stop: () => simulator.stop(),
  };
}
