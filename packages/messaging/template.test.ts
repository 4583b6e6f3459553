import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { render, type Template, valuesOf, variablesOf } from './template.ts';
import { lintTemplate } from './template-lint.ts';

test('variables are named once, in order of first use', () => {
  expect(variablesOf('{{2}} and {{1}}, {{ 2 }}; {3} {{}} {{a b}}')).toEqual(['2', '1']);
});

describe('rendering', () => {
  test.each([
    ['Hi {{1}}, {{2}}!', { 1: 'Asha', 2: 'bye' }, 'Hi Asha, bye!'],
    ['Hi {{name}} {{name}}', { name: 'Asha' }, 'Hi Asha Asha'],
    ['{{1}} {{2}}', { 1: '{{2}}', 2: '$& $1' }, '{{2}} $& $1'],
    ['plain', {}, 'plain'],
  ])('%s', (text, values, expected) => {
    expect(render(text, values as Record<string, string>)).toEqual({
      kind: 'rendered',
      text: expected,
    });
  });

  test('missing and surplus values are both reported', () => {
    expect(render('{{1}} {{2}}', { 2: 'b', 3: 'c' })).toEqual({
      kind: 'refused',
      missing: ['1'],
      surplus: ['3'],
    });
  });

  test('an inherited property is not a value', () => {
    expect(render('{{constructor}}', {}).kind).toBe('refused');
  });

  test('values by position and by name', () => {
    const parameters = [
      { type: 'text', text: 'Asha' },
      { type: 'currency', fallback: '₹10', code: 'INR', amount1000: 10_000, name: 'sum' },
    ] as const;
    expect(valuesOf({ type: 'body', parameters })).toEqual({ 1: 'Asha', sum: '₹10' });
  });

  test('every value appears whole and in its place', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (a, b) => {
        const text = `<${a}|${b}>`;
        expect(render('<{{1}}|{{2}}>', { 1: a, 2: b })).toEqual({ kind: 'rendered', text });
      }),
    );
  });
});

const good: Template = {
  name: 'order_update',
  language: 'en_US',
  category: 'UTILITY',
  parameterFormat: 'positional',
  header: { format: 'text', text: 'Order {{1}}', example: '17' },
  body: 'Hello {{1}}, your order {{2}} has left our warehouse today.',
  footer: 'Reply STOP to end',
  buttons: [
    { type: 'quick-reply', text: 'Thanks' },
    {
      type: 'url',
      text: 'Track',
      url: 'https://a.test/{{1}}',
      example: 'https://a.test/17',
    },
  ],
  bodyExamples: ['Asha', '17'],
};

test('a good template has no findings, positional or named', () => {
  expect(lintTemplate(good)).toEqual([]);
  const named = { parameterFormat: 'named', body: 'Hello {{name}}, how are you today?' } as const;
  const { header: _header, ...rest } = { ...good, bodyExamples: ['Asha'] };
  expect(lintTemplate({ ...rest, ...named })).toEqual([]);
});

const button = { type: 'quick-reply', text: 'a' } as const;
test.each<[string, Partial<Template>, string, string]>([
  ['capitals in the name', { name: 'Order' }, 'name', 'name'],
  ['an unknown language', { language: 'en-US' }, 'language', 'language'],
  ['a long body', { body: 'a '.repeat(513), bodyExamples: [] }, '2388040', 'body'],
  ['an empty body', { body: ' ', bodyExamples: [] }, '2388072', 'body'],
  [
    'a variable first',
    { body: '{{1}} is what you have ordered', bodyExamples: ['a'] },
    '2388299',
    'body',
  ],
  [
    'a variable last',
    { body: 'What you ordered today is {{1}}.', bodyExamples: ['a'] },
    '2388299',
    'body',
  ],
  [
    'two side by side',
    { body: 'What you have ordered: {{1}}, {{2}} is on its way' },
    '2388299',
    'body',
  ],
  ['too little text', { body: 'Hi {{1}} bye', bodyExamples: ['a'] }, '2388293', 'body'],
  [
    'a gap in the numbering',
    { body: 'Hello {{1}}, your order {{3}} has left us today.' },
    '2388072',
    'body',
  ],
  [
    'a named variable among numbered ones',
    { body: 'Hello {{1}}, your order {{id}} has left us today.' },
    '2388072',
    'body',
  ],
  [
    'a broken variable',
    { body: 'Hello {{1}}, your order {{2} has left us today.', bodyExamples: ['a'] },
    '2388072',
    'body',
  ],
  ['an example is missing', { bodyExamples: ['Asha'] }, '2388072', 'body_examples'],
  ['no examples', { bodyExamples: [] }, '2388072', 'body_examples'],
  ['a language that the network does not have', { language: 'en_XX' }, 'language', 'language'],
  [
    'a button into the network',
    { buttons: [{ type: 'url', text: 'Chat', url: 'https://wa.me/60123456789' }] },
    'buttons',
    'buttons.0',
  ],
  [
    'a button with a variable and no example',
    { buttons: [{ type: 'url', text: 'Track', url: 'https://shop.example/{{1}}' }] },
    'buttons',
    'buttons.0.example',
  ],
  ['a media header without a sample', { header: { format: 'image' } }, '2388047', 'header.example'],
  [
    'two variables in the header',
    { header: { format: 'text', text: '{{1}} a {{2}}', example: '17' } },
    '2388047',
    'header',
  ],
  [
    'text on a picture',
    { header: { format: 'image', text: 'a', example: '4::aW' } },
    '2388047',
    'header',
  ],
  ['a variable in the footer', { footer: 'Bye {{1}}' }, '2388073', 'footer'],
  ['a long footer', { footer: 'a'.repeat(61) }, '2388040', 'footer'],
  [
    'a phone button without its number',
    { buttons: [{ type: 'phone', text: 'Call' }] },
    'buttons',
    'buttons.0.phone',
  ],
  [
    'a quick reply with an address',
    { buttons: [{ ...button, url: 'https://shop.example/' }] },
    'buttons',
    'buttons.0',
  ],
  ['eleven buttons', { buttons: Array.from({ length: 11 }, () => button) }, 'buttons', 'buttons'],
  ['a long button', { buttons: [{ ...button, text: 'a'.repeat(26) }] }, '2388040', 'buttons.0'],
  [
    'quick replies that do not stand together',
    { buttons: [button, { type: 'phone', text: 'p', phone: '+1' }, button] },
    'buttons',
    'buttons',
  ],
  [
    'a variable inside the address',
    { buttons: [{ type: 'url', text: 'a', url: 'https://a.test/{{1}}/b' }] },
    'buttons',
    'buttons.0',
  ],
])('%s is found', (_name, change, code, field) => {
  expect(lintTemplate({ ...good, ...change })).toMatchObject([{ code, field }]);
});

test('an account without room for another template is found before the review', () => {
  const held = { count: 250, isVerified: false };
  expect(lintTemplate(good, held)).toMatchObject([{ code: '2388019' }]);
  expect(lintTemplate(good, { ...held, isVerified: true })).toEqual([]);
});

test('no text makes the linter throw or stall', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[{}a1 .\n_]{0,80}$/), (body) => {
      expect(Array.isArray(lintTemplate({ ...good, body }))).toBe(true);
    }),
  );
});
