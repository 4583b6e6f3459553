import { createHmac } from 'node:crypto';
import type { OutgoingWebhook } from '../../simulation/webhooks.ts';
import { account } from './sandbox.ts';
import type { BusinessNumber } from './world.ts';

export type Json = Readonly<Record<string, unknown>>;

/** What stands around the messages and statuses of one number. */
export function envelopeOf(
  number: Pick<BusinessNumber, 'displayPhoneNumber' | 'phoneNumberId'>,
): Json {
  const { displayPhoneNumber, phoneNumberId } = number;
  const metadata = { display_phone_number: displayPhoneNumber, phone_number_id: phoneNumberId };
  return { messaging_product: 'whatsapp', metadata };
}

/** A change of one field, signed over its bytes. */
export function signed(
  url: string,
  wabaId: string,
  time: number,
  field: string,
  value: Json,
): OutgoingWebhook {
  const entry = [{ id: wabaId, time, changes: [{ value, field }] }];
  const body = escaped(JSON.stringify({ object: 'whatsapp_business_account', entry }));
  const digest = createHmac('sha256', account.appSecret).update(body).digest('hex');
  const headers = { 'content-type': 'application/json', 'x-hub-signature-256': `sha256=${digest}` };
  return { method: 'POST', url, headers, body };
}

/** The network writes `\u0928` and `\/`: whoever parses and prints again loses the signature. */
function escaped(json: string): string {
  return json
    .replace(/\//g, '\\/')
    .replace(
      /[\u0080-\uffff]/g,
      (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
    );
}
