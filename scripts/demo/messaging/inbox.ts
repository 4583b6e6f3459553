import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Api, expectStatus } from '../api.ts';
import type { ControlPlane, Environment } from '../environment.ts';
import { until } from '../until.ts';

export interface InboxStory {
  readonly opened: number;
  /** Status of the answer to the first of them. */
  readonly answer: string;
  readonly pdf: {
    readonly file: string;
    readonly bytes: number;
    /** The verdict of `verify-pdf`: VERIFIED, CONSISTENT … */
    readonly verdict: string;
  };
}

const path = '/team-inbox/api/conversations/';

/** Answers one of the people who replied, and exports the conversation as a PDF. */
export async function answerOne(
  environment: Environment,
  { sandboxUrl, messagingKey }: ControlPlane,
): Promise<InboxStory> {
  const api = new Api(sandboxUrl, messagingKey);
  const open = await api.get(`${path}?state=open&channel=wa&limit=200`);
  const list: { readonly id: string }[] = expectStatus(open, 200, 'the inbox').results;
  const { conversation, id } = await reply(api, list);
  let answer = 'queued';
  await until(async () => {
    const message = await api.get(`/wa/v1/messages/${id}/`);
    ({ status: answer } = expectStatus(message, 200, 'the answer'));
    return !['queued', 'sending'].includes(answer);
  }, 15_000);
  const pdf = await print(environment, sandboxUrl, messagingKey, conversation);
  return { opened: list.length, answer, pdf };
}

/** Replies to the first person who did not write STOP. */
async function reply(api: Api, list: readonly { readonly id: string }[]) {
  const body = { text: 'Thank you! We keep it for you until Sunday.' };
  for (const { id: conversation } of list) {
    const sent = await api.post(`${path}${conversation}/reply/`, body);
    if (sent.body.code === 'opted_out') continue;
    return { conversation, id: expectStatus(sent, 202, 'the answer').message_id as string };
  }
  throw new Error('nobody who replied may be answered');
}

async function print(
  environment: Environment,
  url: string,
  key: string,
  conversation: string,
): Promise<InboxStory['pdf']> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ conversation_id: conversation });
  const response = await fetch(`${url}/team-inbox/api/export-pdf/`, {
    method: 'POST',
    headers,
    body,
  });
  if (response.status !== 200) throw new Error(`printing: ${await response.text()}`);
  const bytes = Buffer.from(await response.arrayBuffer());
  const signature = await fetch(url + response.headers.get('location'), { headers });
  const file = join(await environment.folder(), 'conversation.pdf');
  await writeFile(file, bytes);
  await writeFile(`${file}.sig`, await signature.text());
  const pinned = (await environment.host(['pdf-key'])).trim();
  const verified = await environment.host(['verify-pdf', file, '--key', pinned]);
  const verdict = verified.split(':')[0]!;
  environment.note('conversation', file);
  return { file, bytes: bytes.length, verdict };
}
