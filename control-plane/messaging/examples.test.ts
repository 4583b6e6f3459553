/** The examples of the API file, sent one after the other as they stand. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openapiText } from '../openapi/print.ts';
import { type ServiceKit, startService } from './service.kit.ts';

let kit: ServiceKit;
beforeAll(async () => {
  kit = await startService();
});
afterAll(() => kit.stop());

const { paths } = JSON.parse(openapiText('messaging'));

/** Ids of what was made, by their prefix; examples have ids of nothing. */
const made = new Map<string, string>();
const named = (text: string) =>
  text.replace(/\b([a-z]+)_01k3w9v2x4m6n8p0q2r4s6t8v0\b/g, (id, prefix) => made.get(prefix) ?? id);

async function sendExample(line: string, status: number): Promise<void> {
  const [method = '', path = ''] = line.split(' ');
  const operation = paths[path.replace(/[a-z]+_01\w+/, '{id}')][method.toLowerCase()];
  const { example } = operation.requestBody.content['application/json'];
  const body = JSON.parse(named(JSON.stringify(example)));
  const answer = await kit.ask(`${method} ${named(path)}`, { body });
  expect(answer.status, `${line} ${JSON.stringify(answer.body)}`).toBe(status);
  const id = String(answer.body.id);
  if (method === 'POST') made.set(id.slice(0, id.indexOf('_')), id);
}

const one = (prefix: string) => `${prefix}_01k3w9v2x4m6n8p0q2r4s6t8v0`;

test.each([
  ['POST /contacts/', 201],
  ['POST /contacts/segments/', 201],
  ['POST /contacts/segments/count/', 200],
  [`PATCH /contacts/segments/${one('seg')}/`, 200],
  [`PATCH /contacts/${one('con')}/`, 200],
  ['POST /wa/v1/apps/', 201],
  [`PATCH /wa/v1/apps/${one('app')}/`, 200],
  ['POST /wa/v1/templates/check/', 200],
  ['POST /wa/v1/templates/', 201],
  ['POST /botchat/v1/bots/', 201],
  [`PATCH /botchat/v1/bots/${one('app')}/`, 200],
  ['POST /botchat/v1/templates/', 201],
  ['POST /botchat/v1/broadcast/', 201],
  ['POST /rcs/v1/apps/', 201],
  [`PATCH /rcs/v1/apps/${one('app')}/`, 200],
  ['POST /rcs/v1/templates/', 201],
  ['POST /rcs/v1/broadcast/', 201],
  ['POST /rcs/v1/messages/', 202],
  ['POST /sms/v1/apps/', 201],
  [`PATCH /sms/v1/apps/${one('app')}/`, 200],
  ['POST /sms/v1/templates/', 201],
  ['POST /sms/v1/messages/', 202],
  ['POST /sms/v1/broadcast/', 201],
  ['POST /broadcast/test/', 201],
  ['POST /broadcast/', 201],
  [`PATCH /broadcast/${one('brc')}/`, 200],
  ['POST /voice/api/provider-configs/', 201],
  [`PATCH /voice/api/provider-configs/${one('vpc')}/`, 200],
  ['POST /voice/api/templates/', 201],
  [`PATCH /voice/api/templates/${one('vtp')}/`, 200],
  ['POST /voice/api/rate-cards/', 201],
  ['POST /voice/api/calls/', 201],
  ['POST /voice/api/recording-consents/', 201],
])('%s takes its example', sendExample);
