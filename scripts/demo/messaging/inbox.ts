import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ApiError, type Client } from '@drawbridge/sdk/clients/messaging.ts';
import type { Environment } from '../environment.ts';
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

/** Answers one of the people who replied, and exports the conversation as a PDF. */
export async function answerOne(environment: Environment, client: Client): Promise<InboxStory> {
  const open = { state: 'open', channel: 'wa', limit: 200 } as const;
  const { results: list } = await client.listConversations({ query: open });
  const { conversation, id } = await reply(client, list);
  let answer = 'queued';
  await until(async () => {
    ({ status: answer } = await client.getWaMessage({ id }));
    return !['queued', 'sending'].includes(answer);
  }, 15_000);
  const pdf = await print(environment, client, conversation);
  return { opened: list.length, answer, pdf };
}

/** Replies to the first person who did not write STOP. */
async function reply(client: Client, list: readonly { readonly id: string }[]) {
  const body = { text: 'Thank you! We keep it for you until Sunday.' };
  for (const { id: conversation } of list) {
    try {
      const { message_id: id } = await client.replyToConversation({ id: conversation, body });
      return { conversation, id };
    } catch (error) {
      if (!(error instanceof ApiError && error.code === 'opted_out')) throw error;
    }
  }
  throw new Error('nobody who replied may be answered');
}

async function print(
  environment: Environment,
  client: Client,
  conversation: string,
): Promise<InboxStory['pdf']> {
  const response = await client.exportConversation({ body: { conversation_id: conversation } });
  const bytes = Buffer.from(await response.arrayBuffer());
  const [, id = ''] = /exports\/(\w+)\//.exec(response.headers.get('location') ?? '') ?? [];
  const signature = await client.getExportSignature({ id });
  const file = join(await environment.folder(), 'conversation.pdf');
  await writeFile(file, bytes);
  await writeFile(`${file}.sig`, JSON.stringify(signature));
  const pinned = (await environment.host(['pdf-key'])).trim();
  const verified = await environment.host(['verify-pdf', file, '--key', pinned]);
  const verdict = verified.split(':')[0]!;
  environment.note('conversation', file);
  return { file, bytes: bytes.length, verdict };
}
