import { expect, test } from 'vitest';
import { googleRcs } from '../../../channels/google-rcs/adapter.ts';
import { telegram } from '../../../channels/telegram/adapter.ts';
import { keywordIn } from './content-keyword.ts';

test.each([
  ['a text', { kind: 'text', text: 'START' }, 'start'],
  ['a tap', { kind: 'choice', payload: 'b1', text: 'Stop' }, 'stop'],
  [
    'a tap on what begins something',
    { kind: 'choice', payload: 'start', text: 'Start' },
    undefined,
  ],
  [
    'a picture',
    { kind: 'media', type: 'image', source: { providerId: '1' }, caption: 'STOP' },
    undefined,
  ],
] as const)('%s is read', (_name, content, keyword) => {
  expect(keywordIn(content)).toBe(keyword);
});

const message = { message_id: 1, chat: { id: 7, type: 'private' } };
const tap = { id: '9', from: { id: 7 }, data: 'STOP', message };
const suggestion = {
  senderPhoneNumber: '+60123456789',
  messageId: 'm',
  suggestionResponse: { text: 'STOP', postbackData: 's' },
};
const data = Buffer.from(JSON.stringify(suggestion)).toString('base64');
test.each([
  ['Telegram', telegram, { update_id: 1, callback_query: tap }],
  ['RCS', googleRcs, { message: { data } }],
] as const)('a tap on STOP refuses messages: %s', (_name, { events }, sent) => {
  const body = Buffer.from(JSON.stringify(sent));
  const reading = events({ method: 'POST', url: '', headers: {}, body });
  const [event] = reading.kind === 'events' ? reading.events : [];
  expect(event?.kind === 'inbound' && keywordIn(event.content)).toBe('stop');
});
