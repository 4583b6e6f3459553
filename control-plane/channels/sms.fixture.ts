import { expect } from 'vitest';
import { seeded, standingClock } from '../../test/kit/clock.ts';
import type { RunningSimulator } from '../simulation/server.ts';
import { type ChannelHarness, channelSuite } from './contract.suite.ts';
import type { App, Channel, ConnectStep, WebhookRequest, WireResponse } from './contract.ts';
import type { SimulatorOptions, SmsControl } from './simulation/sms-network.ts';
import type { OutgoingWebhook } from './simulation/webhook-attempt.ts';

/** The address of webhooks for every test app. */
export const callbackUrl = 'https://api.example.test/sms/v1/webhooks/app_1/';

export type SmsSimulator = RunningSimulator & { readonly control: SmsControl };
type Start = (options: SimulatorOptions) => Promise<SmsSimulator>;

/** A simulator whose clock only the test moves, and an app that reaches it. */
export async function startSms<Settings>(
  channel: Channel<Settings>,
  start: Start,
  settings: Readonly<Record<string, string>>,
) {
  const time = standingClock('2026-11-21T08:00:00Z');
  const inboundUrl = `${callbackUrl}inbound/`;
  const simulator = await start({ clock: time.clock, random: seeded(7), inboundUrl });
  const app = (more: Readonly<Record<string, string>> = {}): App<Settings> => ({
    id: 'app_1',
    endpoint: simulator.url,
    callbackUrl,
    settings: channel.settings.parse({ ...settings, ...more }),
  });
  return { ...time, simulator, app };
}

/** Runs the contract suite for an SMS provider; it refuses messages to the digits `refused`. */
export function smsSuite<Settings>(
  channel: Channel<Settings>,
  start: Start,
  settings: Readonly<Record<string, string>>,
  wrong: Readonly<Record<string, string>>,
  refused: string,
): void {
  channelSuite(channel.id, channel as Channel, async (): Promise<ChannelHarness> => {
    const { clock, simulator, app } = await startSms(channel, start, settings);
    const { control } = simulator;
    let serial = 0;
    return {
      clock,
      app: app(),
      wrongApp: app(wrong),
      message: (name, outcome) => ({
        id: `m-${name}`,
        to: {
          kind: 'phone',
          phone: outcome === 'refused' ? `+${refused}` : `+9198000${10_000 + serial++}`,
        },
        content: { kind: 'text', text: `hello ${name}` },
      }),
      mishap: (kind, retryAfterSeconds) =>
        control.fault({
          call: 'send',
          kind,
          ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
        }),
      held: ({ id }) =>
        control.messages().filter((each) => each.text === id.replace('m-', 'hello ')).length,
      write: (text) => control.write('919800000001', text),
      webhooks: () => control.takeWebhooks().map(asReceived),
      stop: () => simulator.stop(),
    };
  });
}

/** Registers the app's addresses, as the service does; resolves with how it ended. */
export async function connected(channel: Channel, app: App): Promise<ConnectStep> {
  for (const answers: WireResponse[] = []; ; ) {
    const step = channel.connect!(app, answers);
    if (step.kind !== 'request') return step;
    const { url, ...request } = step.request;
    const response = await fetch(url, request);
    expect(response.status).toBeLessThan(300);
    answers.push({ status: response.status, headers: {}, body: await response.text() });
  }
}

/** A simulator's webhook as a server would receive it. */
export function asReceived({ method, url, headers, body }: OutgoingWebhook): WebhookRequest {
  return { method, url, headers, body: Buffer.from(body) };
}
