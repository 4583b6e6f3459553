import type { CallFlow, Client } from '@drawbridge/sdk/clients/messaging.ts';
import type { SettableClock } from './clock.ts';
import type { Shown } from './shown.ts';
import { waitUntil } from './wait-until.ts';

interface Options {
  readonly messaging: Client;
  /** The same, as a person of the team; good for a quarter of an hour of the clock. */
  readonly signIn: () => Promise<Client>;
  /** Addresses of the simulated providers. */
  readonly simulators: Readonly<Record<string, string>>;
  readonly clock: SettableClock;
}

interface Said {
  readonly at: string;
  readonly from: string;
  readonly name: string;
  readonly text: string;
}

const layla = { from: '971501234567', name: 'Layla Haddad' };

/** What people write, in the order of the week. */
const said: readonly Said[] = [
  {
    at: '2026-11-17T06:05:00Z',
    from: '60123456701',
    name: 'Nurul Aina',
    text: 'Selamat pagi, bolehkah saya dapatkan invois bulan lepas?',
  },
  {
    at: '2026-11-18T05:41:00Z',
    from: '971559876543',
    name: 'عمر الفارسي',
    text: 'صباح الخير، متى تصل المضخات إلى موقع المصفح؟',
  },
  {
    at: '2026-11-18T07:18:00Z',
    from: '919800000001',
    name: 'Arjun Mehta',
    text: 'Thank you, the certificate has arrived.',
  },
  {
    at: '2026-11-19T04:02:00Z',
    ...layla,
    text: 'Good morning. The delivery note says four pumps, your invoice AE-2026-00418 says five.',
  },
];
const answer = 'Good morning Layla. I am looking at it now, and will write to you within the hour.';
const question = 'Thank you. Could you also send the test certificates of the pumps?';

/** A recording for a PBX, which has no text to speech. */
const recording = (name: string) => `https://sounds.alnoor.example/${name}.wav`;

const flow: CallFlow = {
  version: 1,
  language: 'en-US',
  start: 'hello',
  limits: { seconds: 600 },
  nodes: {
    hello: {
      type: 'say',
      text: 'Good morning. Your delivery is planned for tomorrow. This call may be recorded.',
      recording: recording('hello'),
      announces_recording: true,
      next: 'menu',
    },
    menu: {
      type: 'gather',
      prompt: [
        {
          type: 'say',
          text: 'Press 1 to confirm, 2 to talk to us.',
          recording: recording('menu'),
        },
      ],
      max_digits: 1,
      branches: { 1: 'thanks', 2: 'dispatch' },
      otherwise: 'thanks',
    },
    thanks: { type: 'say', text: 'Thank you, good bye.', recording: recording('thanks') },
    dispatch: { type: 'dial', to: ['+97144123456'], ring_seconds: 20, next: 'note' },
    note: { type: 'record', max_seconds: 60, next: 'promise' },
    promise: {
      type: 'say',
      text: 'We call you back today. Good bye.',
      recording: recording('promise'),
    },
  },
};

/** A team inbox with people who wait, and a call flow. */
export async function makeConversations({
  messaging,
  signIn,
  simulators,
  clock,
}: Options): Promise<Pick<Shown, 'conversation' | 'callFlow'>> {
  const whatsapp = (command: string, body: object) =>
    fetch(`${simulators.whatsapp}/_control/${command}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  await whatsapp('switches', { habits: 'prompt' });
  const app = await messaging.createWaApp({
    body: { provider: 'whatsapp', name: 'Customer care' },
  });
  const { phone_number_id } = app.settings;
  await messaging.createTag({ body: { name: 'Delivery' } });
  for (const { at, ...message } of said) {
    clock.set(at);
    await whatsapp('inbound', { ...message, phone_number_id });
    await waitUntil(async () => (await newest(messaging)).text === message.text);
  }
  const { id } = await newest(messaging);
  clock.set('2026-11-19T04:06:00Z');
  const person = await signIn();
  await person.replyToConversation({ id, body: { text: answer } });
  await waitUntil(async () => (await newest(messaging)).text === answer);
  await person.addConversationNote({
    id,
    body: { text: 'Warehouse: four were loaded on Tuesday. A credit note for one is needed.' },
  });
  await person.updateConversation({ id, body: { tags: ['Delivery'] } });
  clock.set('2026-11-19T04:09:00Z');
  await whatsapp('inbound', { ...layla, text: question, phone_number_id });
  await waitUntil(async () => (await newest(messaging)).text === question);
  const { id: callFlow } = await messaging.createVoiceTemplate({
    body: { name: 'Delivery line', flow },
  });
  return { conversation: id, callFlow };
}

/** The conversation in which something was said last. */
async function newest(messaging: Client) {
  const { results } = await messaging.listConversations({});
  return { id: results[0]?.id ?? '', text: results[0]?.last_message?.text };
}
