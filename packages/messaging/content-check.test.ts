import { expect, test } from 'vitest';
import { faultsOf } from './content-check.ts';
import type { Content, ContentLimits } from './message.ts';

const limits: ContentLimits = {
  kinds: ['text', 'media', 'location', 'interactive', 'card', 'carousel', 'suggestions'],
  mediaTypes: ['image'],
  suggestionKinds: ['reply', 'url', 'view-location'],
  textMax: 10,
  captionMax: 5,
  interactiveBodyMax: 10,
  interactiveHeaderMax: 5,
  buttonsMax: 2,
  buttonTextMax: 4,
  listRowsMax: 2,
  rowTitleMax: 4,
  rowDescriptionMax: 4,
  contactsMax: 1,
  cardTitleMax: 4,
  cardDescriptionMax: 4,
  cardSuggestionsMax: 1,
  cardsMin: 2,
  cardsMax: 3,
  suggestionsMax: 2,
  suggestionTextMax: 4,
  payloadMax: 4,
};
const reply = { kind: 'reply', text: 'yes', payload: 'y' } as const;
const card = { title: 'a' };
const ask = (choice: Extract<Content, { kind: 'interactive' }>['interactive']['choice']) =>
  ({ kind: 'interactive', interactive: { body: 'body', choice } }) as const;

test.each<[string, Content]>([
  ['a text at the limit', { kind: 'text', text: 'a'.repeat(10) }],
  ['a character beyond U+FFFF counts once', { kind: 'text', text: '🙂'.repeat(10) }],
  ['an image', { kind: 'media', media: { type: 'image', source: { url: 'https://a.test/i' } } }],
  ['an uploaded image', { kind: 'media', media: { type: 'image', source: { providerId: '1' } } }],
  ['buttons', ask({ kind: 'buttons', buttons: [{ id: 'a', title: 'A' }] })],
  ['a link', ask({ kind: 'link', text: 'go', url: 'https://a.test' })],
  ['a list', ask({ kind: 'list', button: 'b', sections: [{ rows: [{ id: 'a', title: 'A' }] }] })],
  ['a card', { kind: 'card', card: { ...card, suggestions: [reply] }, suggestions: [reply] }],
  ['a carousel', { kind: 'carousel', cards: [card, card] }],
  ['suggestions', { kind: 'suggestions', text: 'x', suggestions: [reply, reply] }],
])('%s is taken', (_name, content) => {
  expect(faultsOf(content, limits)).toEqual([]);
});

const url = 'javascript:alert(1)';
test.each<[string, Content, [string, string]]>([
  ['an unsupported kind', { kind: 'reaction', to: 'm', emoji: 'x' }, ['unsupported', 'kind']],
  ['empty text', { kind: 'text', text: ' \n' }, ['required', 'text']],
  ['long text', { kind: 'text', text: 'a'.repeat(11) }, ['too_long', 'text']],
  [
    'a video',
    { kind: 'media', media: { type: 'video', source: { url } } },
    ['unsupported', 'media.type'],
  ],
  [
    'a script',
    { kind: 'media', media: { type: 'image', source: { url } } },
    ['invalid', 'media.link'],
  ],
  [
    'an impossible place',
    { kind: 'location', location: { latitude: 91, longitude: 0 } },
    ['invalid', 'location'],
  ],
  [
    'not a number',
    { kind: 'location', location: { latitude: Number.NaN, longitude: 0 } },
    ['invalid', 'location'],
  ],
  ['no buttons', ask({ kind: 'buttons', buttons: [] }), ['too_few', 'interactive.buttons']],
  [
    'two buttons with one id',
    ask({
      kind: 'buttons',
      buttons: [
        { id: 'a', title: 'A' },
        { id: 'a', title: 'B' },
      ],
    }),
    ['invalid', 'interactive.buttons'],
  ],
  [
    'a long row',
    ask({ kind: 'list', button: 'b', sections: [{ rows: [{ id: 'a', title: 'AAAAA' }] }] }),
    ['too_long', 'interactive.list.sections.0.rows.0.title'],
  ],
  ['an empty card', { kind: 'card', card: {} }, ['required', 'card']],
  ['one card', { kind: 'carousel', cards: [card] }, ['too_few', 'carousel']],
  ['four cards', { kind: 'carousel', cards: [card, card, card, card] }, ['too_many', 'carousel']],
  [
    'an unsupported suggestion',
    { kind: 'suggestions', text: 'x', suggestions: [{ kind: 'share-location', text: 'me' }] },
    ['unsupported', 'suggestions.0'],
  ],
  [
    'a long payload',
    { kind: 'suggestions', text: 'x', suggestions: [{ ...reply, payload: '12345' }] },
    ['too_long', 'suggestions.0.payload'],
  ],
])('%s is refused', (_name, content, [code, field]) => {
  expect(faultsOf(content, limits)).toMatchObject([{ code, field }]);
});
