import { expect, test } from 'vitest';
import type { Template } from '../template.ts';
import { type Blueprint, compose } from './compose.ts';
import { variablesNeeded, whyNotBroadcast } from './variables.ts';

const template: Template = {
  name: 'sale',
  language: 'en_US',
  category: 'MARKETING',
  parameterFormat: 'positional',
  body: 'Hello {{1}}, see {{2}} today.',
};
const asha = {
  name: 'Asha',
  phone: '+919800000001',
  attributes: { city: 'Pune', shop: 'https://shop.test/pune', points: 7, empty: ' ' },
};
const linkBase = 'https://go.test/l/';
const blueprint: Blueprint = {
  channel: 'wa',
  template,
  linkBase,
  isRegistered: false,
  variables: { 1: { attribute: 'name' }, 2: { attribute: 'shop' } },
};

/** Composes, and records which addresses were shortened. */
function composed(change: Partial<Blueprint>, person: typeof asha = asha) {
  const urls: string[] = [];
  const composition = compose({ ...blueprint, ...change }, person, (url) => `c${urls.push(url)}`);
  return { ...composition, urls } as const;
}

test('a network that has the template gets the values, with short links', () => {
  expect(composed({})).toEqual({
    kind: 'composed',
    content: {
      kind: 'template',
      template: {
        name: 'sale',
        language: 'en_US',
        components: [
          {
            type: 'body',
            parameters: [
              { type: 'text', text: 'Asha' },
              { type: 'text', text: 'https://go.test/l/c1' },
            ],
          },
        ],
      },
    },
    preview: 'Hello Asha, see https://go.test/l/c1 today.',
    urls: ['https://shop.test/pune'],
  });
});

test('other channels get the text', () => {
  expect(composed({ channel: 'sms' })).toMatchObject({
    content: { kind: 'text', text: 'Hello Asha, see https://go.test/l/c1 today.' },
  });
});

test('without tracking, addresses stay', () => {
  expect(composed({ linkBase: undefined }).urls).toEqual([]);
});

test.each([
  ['a constant', { 1: { value: 'friend' } }, 'Hello friend,'],
  ['a numeric attribute', { 1: { attribute: 'points' } }, 'Hello 7,'],
  ['a default', { 1: { attribute: 'none', default: 'you' } }, 'Hello you,'],
  ['a default for an empty attribute', { 1: { attribute: 'empty', default: 'you' } }, 'Hello you,'],
  ['line breaks, which the network refuses', { 1: { value: 'a\n b' } }, 'Hello a b,'],
])('%s', (_, variables, begin) => {
  const made = composed({ variables: { ...blueprint.variables, ...variables } });
  expect(made.kind === 'composed' && made.preview).toContain(begin);
});

test('a person without a value is missing, with the name of the variable', () => {
  const variables = { ...blueprint.variables, 1: { attribute: 'constructor' } };
  expect(composed({ variables })).toMatchObject({ kind: 'missing', variable: '1', urls: [] });
});

test('a named variable is the attribute of its name, and is sent with its name', () => {
  const named = { ...template, parameterFormat: 'named', body: 'Hi {{city}}!' } as const;
  expect(composed({ template: named, variables: {} })).toMatchObject({
    content: {
      template: { components: [{ parameters: [{ type: 'text', name: 'city', text: 'Pune' }] }] },
    },
  });
});

const rich: Template = {
  ...template,
  header: { format: 'text', text: 'For {{1}}' },
  body: 'News at https://shop.test/news',
  footer: 'Reply STOP to leave',
  buttons: [
    { type: 'quick-reply', text: 'Later' },
    { type: 'url', text: 'Open', url: 'https://shop.test/{{1}}' },
    { type: 'phone', text: 'Call', phone: '+60312345678' },
  ],
};
const richVariables = { header: { attribute: 'name' }, button_1: { attribute: 'city' } };

test('header and buttons have variables of their own', () => {
  expect(variablesNeeded(rich)).toEqual(['header', 'button_1']);
  expect(composed({ template: rich, variables: richVariables })).toMatchObject({
    content: {
      template: {
        components: [
          { type: 'header', parameters: [{ type: 'text', text: 'Asha' }] },
          { type: 'button', subType: 'url', index: 1, parameters: [{ text: 'Pune' }] },
        ],
      },
    },
    urls: [], // what the network has registered cannot be changed
  });
});

test('a button registered with our address is tracked by its code', () => {
  const buttons = [{ type: 'url', text: 'Open', url: 'https://go.test/l/{{1}}' }] as const;
  const variables = { button_0: { attribute: 'shop' } };
  expect(composed({ template: { ...template, body: 'Hi.', buttons }, variables })).toMatchObject({
    content: { template: { components: [{ parameters: [{ type: 'text', text: 'c1' }] }] } },
    urls: ['https://shop.test/pune'],
  });
});

test('chat networks get header, text, footer and suggestions', () => {
  expect(composed({ channel: 'rcs', template: rich, variables: richVariables })).toMatchObject({
    content: {
      kind: 'suggestions',
      text: 'For Asha\n\nNews at https://go.test/l/c1\n\nReply STOP to leave',
      suggestions: [
        { kind: 'reply', text: 'Later', payload: 'Later' },
        { kind: 'url', text: 'Open', url: 'https://go.test/l/c2' },
        { kind: 'dial', text: 'Call', phone: '+60312345678' },
      ],
    },
    urls: ['https://shop.test/news', 'https://shop.test/Pune'],
  });
});

test('in a text that carriers have registered only the values change', () => {
  const registered = { ...template, body: 'See https://shop.test/ or {{2}}.' };
  expect(composed({ channel: 'sms', template: registered, isRegistered: true })).toMatchObject({
    content: { text: 'See https://shop.test/ or https://go.test/l/c1.' },
  });
});

test('login codes cannot be broadcast', () => {
  expect(whyNotBroadcast(rich)).toBeUndefined();
  expect(whyNotBroadcast({ ...rich, buttons: [{ type: 'otp', text: 'Copy' }] })).toContain('otp');
  expect(whyNotBroadcast({ ...rich, header: { format: 'location' } })).toContain('location');
});
