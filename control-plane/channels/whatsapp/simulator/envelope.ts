import { createHmac } from 'node:crypto';
import type { Json } from '../../simulation/json.ts';
import type { OutgoingWebhook } from '../../simulation/webhook-attempt.ts';
import { account } from './sandbox-account.ts';

/** The envelope of one number's messages and statuses. */
export function envelopeOf(number: {
  readonly displayPhoneNumber: string;
  readonly phoneNumberId: string;
}): Json {
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

/**
 * The network writes `\u0928` and `\/`: a receiver that parses and prints the body again loses the
 * signature.
 */
function escaped(json: string): string {
  return json
    .replace(/\//g, '\\/')
    .replace(
      /[\u0080-\uffff]/g,
      (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
    );
}
