import {
  ApiError,
  type Broadcast,
  type BroadcastRequest,
  Client,
  type Message,
  type QueuedMessage,
  type RcsMessageRequest,
} from '@drawbridge/sdk/clients/messaging.ts';
import type { ControlPlane, Environment } from '../environment.ts';
import { type Receiver, startReceiver } from '../receiver.ts';
import { until } from '../until.ts';
import { contactsCsv, offerCount } from './contacts-csv.ts';
import { answerOne, type InboxStory } from './inbox.ts';
import { watch } from './progress.ts';

interface Single {
  readonly channel: string;
  readonly what: string;
  readonly status: string;
}

export interface MessagingReport {
  readonly ok: boolean;
  /** What differs from the expectation; empty when ok. */
  readonly problems: readonly string[];
  readonly seconds: number;
  readonly contacts: {
    readonly created: number;
    readonly failed: number;
    readonly perSecond: number;
  };
  readonly broadcast: {
    readonly status: string;
    readonly recipients: number;
    readonly counts: Readonly<Record<string, number>>;
    readonly rates: Readonly<Record<string, number | null>>;
    readonly clicks: readonly { readonly url: string; readonly unique: number }[];
    readonly replies: number;
    readonly seconds: number;
  };
  readonly singles: readonly Single[];
  readonly inbox: InboxStory;
  readonly webhooks: {
    readonly received: number;
    readonly verified: number;
    readonly repeats: number;
  };
}

type Apps = Readonly<Record<'wa' | 'sms' | 'botchat' | 'rcs', { readonly id: string }>>;

const contactCount = 10_000;
const template = 'raya_offer';
const botToken = '123456789:AAdemodemodemodemodemodemodemodemo';

/** A workspace from its first contact to a broadcast that people answer. */
export async function runMessaging(environment: Environment): Promise<MessagingReport> {
  const begun = performance.now();
  const say = (text: string): void => {
    const seconds = ((performance.now() - begun) / 1_000).toFixed(1).padStart(5);
    process.stderr.write(`${seconds} s  ${text}\n`);
  };
  say('starting PostgreSQL, the control plane and a simulator of each provider');
  const control = await environment.startControlPlane();
  const { sandboxUrl: baseUrl, messagingKey: key } = control;
  const client = new Client({ baseUrl, key, fetch });
  const receiver = await openReceiver(environment, client);
  const contacts = await importContacts(client, say);
  const apps = await connectAll(client);
  say('one app a channel connected: chat app, SMS, bot, RCS');
  await approveTemplate(client, say);
  await behave(control);
  const broadcast = await broadcastOffer(client, say);
  say('an SMS, a bot message and an RCS card');
  const singles = await sendSingles(control, client, apps);
  say('the team inbox: one of those who replied is answered, and the conversation printed');
  const inbox = await answerOne(environment, client);
  // The last webhooks arrive within a moment.
  await until(() => receiver.events.some(({ event }) => event === 'broadcast.completed'), 10_000);
  const webhooks = {
    received: receiver.events.length,
    verified: receiver.events.filter((each) => each.verified).length,
    repeats: receiver.repeats,
  };
  const told = { contacts, broadcast, singles, inbox, webhooks };
  const problems = problemsOf(told);
  say(problems.length === 0 ? 'done' : 'done, with problems');
  const seconds = Number(((performance.now() - begun) / 1_000).toFixed(1));
  return { ok: problems.length === 0, problems, seconds, ...told };
}

async function openReceiver(environment: Environment, client: Client): Promise<Receiver> {
  const receiver = await startReceiver();
  environment.onClose(receiver.close);
  const { secret } = await client.createWebhookEndpoint({
    body: {
      url: receiver.url,
      event_types: ['broadcast.*', 'message.received', 'template.*', 'consent.*'],
    },
  });
  receiver.setSecret(secret!); // null only in an answer that is repeated
  environment.note('webhook receiver', receiver.url);
  return receiver;
}

async function importContacts(
  client: Client,
  say: (text: string) => void,
): Promise<MessagingReport['contacts']> {
  const begun = performance.now();
  let row = await client.importContacts({ file: new Blob([contactsCsv(contactCount)]) });
  await until(async () => {
    row = await client.getContactImport({ id: row.id });
    return row.state === 'done';
  });
  const { created, failed } = row;
  const perSecond = Math.round((created * 1_000) / (performance.now() - begun));
  say(`${created} contacts imported from CSV, ${perSecond} a second; ${failed} lines refused`);
  return { created, failed, perSecond };
}

async function connectAll(client: Client): Promise<Apps> {
  // In the sandbox a simulator replaces the provider, so further settings are not needed.
  const name = 'demo';
  const settings = { bot_token: botToken };
  return {
    wa: await client.createWaApp({ body: { provider: 'whatsapp', name } }),
    sms: await client.createSmsApp({ body: { provider: 'twilio-sms', name } }),
    botchat: await client.createBot({ body: { provider: 'telegram', name, settings } }),
    rcs: await client.createRcsApp({ body: { provider: 'google-rcs', name } }),
  };
}

async function approveTemplate(client: Client, say: (text: string) => void): Promise<void> {
  const { id } = await client.submitWaTemplate({
    body: {
      name: template,
      language: 'en',
      category: 'MARKETING',
      body: 'Hi {{1}}, our Raya offer is open in {{2}} today: {{3}} - see you there.',
      body_examples: ['Aisha', 'Penang', 'https://shop.example/raya'],
    },
  });
  say(`template ${template} submitted to the network for review`);
  await until(async () => (await client.getWaTemplate({ id })).status === 'approved');
  say(`template ${template} approved`);
}

/** Makes the simulated people react: some answer, some click, a few opt out. */
async function behave({ simulators }: ControlPlane): Promise<void> {
  await tell(simulators.whatsapp, 'switches', { habits: 'lively' });
}

async function tell(simulator: string | undefined, command: string, body: object): Promise<void> {
  await fetch(`${simulator}/_control/${command}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}

async function broadcastOffer(
  client: Client,
  say: (text: string) => void,
): Promise<MessagingReport['broadcast']> {
  const request: BroadcastRequest = {
    template,
    segment: 'raya offer',
    channel: 'wa',
    variables: {
      1: { attribute: 'name' },
      2: { attribute: 'city' },
      3: { value: 'https://shop.example/raya' },
    },
  };
  const dry = await client.createBroadcast({ body: { ...request, dry_run: true } });
  if (!('dry_run' in dry)) throw new Error('the dry run made a broadcast');
  say(`dry run: ${dry.recipients} people at ${dry.messages_per_second} a second: "${dry.preview}"`);
  const begun = performance.now();
  const made = await client.createBroadcast({ body: request });
  if ('dry_run' in made) throw new Error('the broadcast was not made');
  const { id } = made;
  let view: Broadcast = made;
  await watch(offerCount, async () => {
    view = await client.getBroadcast({ id });
    return view;
  });
  // People read, click and answer within seconds.
  let before = '';
  await until(async () => {
    view = await client.getBroadcast({ id });
    const now = JSON.stringify(view.counts);
    const isStill = now === before;
    before = now;
    if (!isStill) await new Promise((done) => setTimeout(done, 1_500));
    return isStill;
  }, 30_000);
  const { results: urls } = await client.listLinkClicks({ query: { by: 'url', broadcast: id } });
  const replies = await client.listWaMessages({ query: { direction: 'in', limit: 200 } });
  return {
    status: view.status,
    recipients: view.recipients,
    counts: view.counts,
    rates: view.rates,
    clicks: urls.flatMap((each) =>
      'unique_clicks' in each ? { url: each.url, unique: each.unique_clicks } : [],
    ),
    replies: replies.results.length,
    seconds: Number(((performance.now() - begun) / 1_000).toFixed(1)),
  };
}

/** A message for one person. */
interface SinglePlan {
  readonly channel: keyof Apps;
  readonly what: string;
  /** The status that it gets to. */
  readonly wanted: string;
  readonly send: () => Promise<QueuedMessage>;
  readonly read: (id: string) => Promise<Message>;
}

async function sendSingles(
  { simulators }: ControlPlane,
  client: Client,
  { sms, botchat, rcs }: Apps,
): Promise<Single[]> {
  // A person starts the bot, which allows it to write to them.
  const chat = '700000001';
  await tell(simulators.telegram, 'start', { chat_id: Number(chat), token: botToken });
  const text = { app_id: sms.id, to: '+60123456789', text: 'Your code is 4711' };
  const botMessage = { app_id: botchat.id, to: chat, text: 'Hello from the bot' };
  const card: RcsMessageRequest = {
    app_id: rcs.id,
    to: '+60129876543',
    card: {
      title: 'Your parcel is on its way',
      description: 'It comes today between 14:00 and 16:00.',
      suggestions: [{ type: 'reply', text: 'I am at home', payload: 'home' }],
    },
  };
  const plans: readonly SinglePlan[] = [
    {
      channel: 'sms',
      what: 'a text',
      wanted: 'delivered',
      send: () => client.sendSms({ body: text }),
      read: (id) => client.getSms({ id }),
    },
    {
      channel: 'botchat',
      what: 'a bot message',
      wanted: 'sent',
      send: () => client.sendBotMessage({ body: botMessage }),
      read: (id) => client.getBotMessage({ id }),
    },
    {
      channel: 'rcs',
      what: 'a rich card',
      wanted: 'read',
      send: () => client.sendRcsMessage({ body: card }),
      read: (id) => client.getRcsMessage({ id }),
    },
  ];
  return Promise.all(plans.map(sendSingle));
}

async function sendSingle({ channel, what, wanted, send, read }: SinglePlan): Promise<Single> {
  let sent: QueuedMessage | ApiError = await sendOrRefusal(send);
  // The update about the start may come a moment later.
  await until(async () => {
    if (sent instanceof ApiError) sent = await sendOrRefusal(send);
    return !(sent instanceof ApiError);
  }, 5_000);
  if (sent instanceof ApiError) throw sent;
  const { message_id: id } = sent;
  let status: string = sent.status;
  await until(async () => {
    ({ status } = await read(id));
    return status === wanted;
  }, 15_000);
  return { channel, what, status };
}

/** What is refused is told as a value, because it may be accepted a moment later. */
async function sendOrRefusal(send: SinglePlan['send']): Promise<QueuedMessage | ApiError> {
  try {
    return await send();
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
}

function problemsOf({
  contacts,
  broadcast,
  singles,
  inbox,
  webhooks,
}: Omit<MessagingReport, 'ok' | 'problems' | 'seconds'>): string[] {
  const wanted: Readonly<Record<string, string>> = {
    sms: 'delivered',
    botchat: 'sent',
    rcs: 'read',
  };
  const late = singles.filter(({ channel, status }) => status !== wanted[channel]);
  return [
    ...(contacts.created === contactCount ? [] : [`${contacts.created} contacts were made`]),
    ...(contacts.failed === 2 ? [] : [`${contacts.failed} lines were refused, not 2`]),
    ...(broadcast.status === 'completed' ? [] : [`the broadcast is ${broadcast.status}`]),
    ...(broadcast.recipients === offerCount ? [] : [`it had ${broadcast.recipients} recipients`]),
    ...(broadcast.clicks.some(({ unique }) => unique > 0) ? [] : ['nobody clicked']),
    ...(broadcast.replies > 0 ? [] : ['nobody replied']),
    ...late.map(({ what, status }) => `${what} is ${status}`),
    ...(['sent', 'delivered', 'read'].includes(inbox.answer)
      ? []
      : [`the answer is ${inbox.answer}`]),
    ...(inbox.pdf.verdict === 'VERIFIED' ? [] : [`the PDF is ${inbox.pdf.verdict}`]),
    ...(webhooks.verified === webhooks.received ? [] : ['a webhook did not verify']),
    ...(webhooks.received > 0 ? [] : ['no webhook came']),
  ];
}
