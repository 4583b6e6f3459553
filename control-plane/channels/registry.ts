import assert from 'node:assert/strict';
import type { Channel } from './contract.ts';
import { genericHttpSms } from './generic-http-sms/adapter.ts';
import { googleRcs } from './google-rcs/adapter.ts';
import { plivoSms } from './plivo-sms/adapter.ts';
import { telegram } from './telegram/adapter.ts';
import { twilioSms } from './twilio-sms/adapter.ts';
import { vonageSms } from './vonage-sms/adapter.ts';
import { whatsapp } from './whatsapp/adapter.ts';

/** Every provider of every channel. */
export const channels: readonly Channel[] = [
  whatsapp, // wa
  twilioSms, // sms
  plivoSms, // sms
  vonageSms, // sms
  genericHttpSms, // sms
  telegram, // botchat
  googleRcs, // rcs
];

/** The provider of this id, as an app's row names it. */
export function channelById(id: string): Channel {
  const found = channels.find((channel) => channel.id === id);
  assert(found, `no channel is registered as ${id}`);
  return found;
}
