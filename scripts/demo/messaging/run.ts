import { Api, expectStatus } from '../api.ts';
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
  const api = new Api(control.sandboxUrl, control.messagingKey);
  const receiver = await openReceiver(environment, api);
  const contacts = await importContacts(control, api, say);
  const apps = await connectAll(api);
  say('one app a channel connected: chat app, SMS, bot, RCS');
  await approveTemplate(api, say);
  await behave(control);
  const broadcast = await broadcastOffer(api, say);
  say('an SMS, a bot message and an RCS card');
  const singles = await sendSingles(control, api, apps);
  say('the team inbox: one of those who replied is answered, and the conversation printed');
  const inbox = await answerOne(environment, control);
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

async function openReceiver(environment: Environment, api: Api): Promise<Receiver> {
  const receiver = await startReceiver();
  environment.onClose(receiver.close);
  const events = ['broadcast.*', 'message.received', 'template.*', 'consent.*'];
  const answer = await api.post('/webhook-endpoints/', { url: receiver.url, event_types: events });
  receiver.setSecret(expectStatus(answer, 201, 'registering the webhook endpoint').secret);
  environment.note('webhook receiver', receiver.url);
  return receiver;
}

async function importContacts(
  { sandboxUrl, messagingKey }: ControlPlane,
  api: Api,
  say: (text: string) => void,
): Promise<MessagingReport['contacts']> {
  const begun = performance.now();
  const response = await fetch(`${sandboxUrl}/contacts/bulk-import/`, {
    method: 'POST',
    headers: { authorization: `Bearer ${messagingKey}`, 'content-type': 'text/csv' },
    body: contactsCsv(contactCount),
  });
  let row = (await response.json()) as {
    id: string;
    state: string;
    created: number;
    failed: number;
  };
  if (response.status !== 202) throw new Error(`importing: ${response.status}`);
  await until(async () => {
    row = expectStatus(await api.get(`/contacts/bulk-import/${row.id}/`), 200, 'the import');
    return row.state === 'done';
  });
  const { created, failed } = row;
  const perSecond = Math.round((created * 1_000) / (performance.now() - begun));
  say(`${created} contacts imported from CSV, ${perSecond} a second; ${failed} lines refused`);
  return { created, failed, perSecond };
}

async function connectAll(api: Api): Promise<Apps> {
  // In the sandbox a simulator replaces the provider, so these settings are not needed.
  const connect = async (path: string, provider: string, settings = {}) => {
    const answer = await api.post(path, { provider, name: 'demo', settings });
    return expectStatus(answer, 201, `connecting ${provider}`);
  };
  return {
    wa: await connect('/wa/v1/apps/', 'whatsapp'),
    sms: await connect('/sms/v1/apps/', 'twilio-sms'),
    botchat: await connect('/botchat/v1/bots/', 'telegram', { bot_token: botToken }),
    rcs: await connect('/rcs/v1/apps/', 'google-rcs'),
  };
}

async function approveTemplate(api: Api, say: (text: string) => void): Promise<void> {
  const submitted = await api.post('/wa/v1/templates/', {
    name: template,
    language: 'en',
    category: 'MARKETING',
    body: 'Hi {{1}}, our Raya offer is open in {{2}} today: {{3}} - see you there.',
    body_examples: ['Aisha', 'Penang', 'https://shop.example/raya'],
  });
  const { id } = expectStatus(submitted, 201, 'submitting the template');
  say(`template ${template} submitted to the network for review`);
  await until(async () => {
    const row = expectStatus(await api.get(`/wa/v1/templates/${id}/`), 200, 'the template');
    return row.status === 'approved';
  });
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
  api: Api,
  say: (text: string) => void,
): Promise<MessagingReport['broadcast']> {
  const request = {
    template,
    segment: 'raya offer',
    channel: 'wa',
    variables: {
      1: { attribute: 'name' },
      2: { attribute: 'city' },
      3: { value: 'https://shop.example/raya' },
    },
  };
  const dry = expectStatus(
    await api.post('/broadcast/', { ...request, dry_run: true }),
    200,
    'a dry run',
  );
  say(`dry run: ${dry.recipients} people at ${dry.messages_per_second} a second: "${dry.preview}"`);
  const begun = performance.now();
  const made = expectStatus(await api.post('/broadcast/', request), 201, 'the broadcast');
  const path = `/broadcast/${made.id}/`;
  let view = made;
  await watch(offerCount, async () => {
    view = expectStatus(await api.get(path), 200, 'the broadcast');
    return view;
  });
  // People read, click and answer within seconds.
  let before = '';
  await until(async () => {
    view = expectStatus(await api.get(path), 200, 'the broadcast');
    const now = JSON.stringify(view.counts);
    const isStill = now === before;
    before = now;
    if (!isStill) await new Promise((done) => setTimeout(done, 1_500));
    return isStill;
  }, 30_000);
  const urls = `/broadcast/url-tracking/?by=url&broadcast=${made.id}`;
  const { results } = expectStatus(await api.get(urls), 200, 'the clicks');
  const inbound = '/wa/v1/messages/?direction=in&limit=200';
  const replies = expectStatus(await api.get(inbound), 200, 'the replies').results.length;
  return {
    status: view.status,
    recipients: view.recipients,
    counts: view.counts,
    rates: view.rates,
    clicks: results.map(({ url, unique_clicks }: { url: string; unique_clicks: number }) => {
      return { url, unique: unique_clicks };
    }),
    replies,
    seconds: Number(((performance.now() - begun) / 1_000).toFixed(1)),
  };
}

async function sendSingles({ simulators }: ControlPlane, api: Api, apps: Apps): Promise<Single[]> {
  // A person starts the bot, which allows it to write to them.
  const chat = '700000001';
  const card = {
    title: 'Your parcel is on its way',
    description: 'It comes today between 14:00 and 16:00.',
    suggestions: [{ type: 'reply', text: 'I am at home', payload: 'home' }],
  };
  await tell(simulators.telegram, 'start', { chat_id: Number(chat), token: botToken });
  const plans = [
    ['/sms/v1/messages/', 'a text', { to: '+60123456789', text: 'Your code is 4711' }, 'delivered'],
    ['/botchat/v1/messages/', 'a bot message', { to: chat, text: 'Hello from the bot' }, 'sent'],
    ['/rcs/v1/messages/', 'a rich card', { to: '+60129876543', card }, 'read'],
  ] as const;
  const ids = { sms: apps.sms.id, botchat: apps.botchat.id, rcs: apps.rcs.id };
  const sent = plans.map(async ([path, what, body, wanted]): Promise<Single> => {
    const channel = path.split('/')[1] as keyof typeof ids;
    let answer = await api.post(path, { ...body, app_id: ids[channel] });
    // The update about the start may come a moment later.
    await until(async () => {
      if (answer.status === 202) return true;
      answer = await api.post(path, { ...body, app_id: ids[channel] });
      return answer.status === 202;
    }, 5_000);
    const { message_id: id } = expectStatus(answer, 202, what);
    let { status } = answer.body;
    await until(async () => {
      ({ status } = expectStatus(await api.get(`${path}${id}/`), 200, what));
      return status === wanted;
    }, 15_000);
    return { channel, what, status };
  });
  return Promise.all(sent);
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
