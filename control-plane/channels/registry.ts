import assert from 'node:assert/strict';
import type { Channel } from './contract.ts';
import { genericHttpSms } from './generic-http-sms/adapter.ts';
import { googleRcs } from './google-rcs/adapter.ts';
import { plivoSms } from './plivo-sms/adapter.ts';
import type { ChannelSimulator } from './simulation/contract.ts';
import { telegram } from './telegram/adapter.ts';
import { twilioSms } from './twilio-sms/adapter.ts';
import { vonageSms } from './vonage-sms/adapter.ts';
import { whatsapp } from './whatsapp/adapter.ts';

interface Entry {
  readonly channel: Channel;
  /** Loaded only when it runs. */
  readonly simulator: () => Promise<{ readonly simulator: ChannelSimulator }>;
}

const entries: readonly Entry[] = [
  { channel: whatsapp, simulator: () => import('./whatsapp/simulator.ts') },
  { channel: twilioSms, simulator: () => import('./twilio-sms/simulator.ts') },
  { channel: plivoSms, simulator: () => import('./plivo-sms/simulator.ts') },
  { channel: vonageSms, simulator: () => import('./vonage-sms/simulator.ts') },
  { channel: genericHttpSms, simulator: () => import('./generic-http-sms/simulator.ts') },
  { channel: telegram, simulator: () => import('./telegram/simulator.ts') },
  { channel: googleRcs, simulator: () => import('./google-rcs/simulator.ts') },
];

/** Every provider of every channel. */
export const channels: readonly Channel[] = entries.map(({ channel }) => channel);

/** The provider with this id, as an app's row names it; an unknown id is a bug. */
export function channelById(id: string): Channel {
  return entryOf(id).channel;
}

/** The simulator of the provider with this id; an unknown id is a bug. */
export async function channelSimulator(id: string): Promise<ChannelSimulator> {
  return (await entryOf(id).simulator()).simulator;
}

function entryOf(id: string): Entry {
  const found = entries.find(({ channel }) => channel.id === id);
  assert(found, `no channel is registered as ${id}`);
  return found;
}
