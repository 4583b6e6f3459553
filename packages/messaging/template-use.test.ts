import { expect, test } from 'vitest';
import type { Template, TemplateComponent } from './template.ts';
import { readUse } from './template-use.ts';

const base: Template = {
  name: 'parcel',
  language: 'en',
  category: 'UTILITY',
  parameterFormat: 'positional',
  body: 'Hello {{1}}.',
};
const withFile: Template = { ...base, header: { format: 'image' } };
const withText: Template = { ...base, header: { format: 'text', text: 'Order {{1}}' } };
const withButton: Template = {
  ...base,
  buttons: [
    { type: 'quick-reply', text: 'Thanks' },
    { type: 'url', text: 'Track', url: 'https://a.test/{{1}}' },
  ],
};
const text = (value: string) => ({ type: 'text', text: value }) as const;
const body: TemplateComponent = { type: 'body', parameters: [text('Asha')] };
const file = (type: 'image' | 'video'): TemplateComponent => ({
  type: 'header',
  parameters: [{ type, url: 'https://a.test/b' }],
});
const word: TemplateComponent = { type: 'header', parameters: [text('17')] };
const button = (index: number, subType = 'url'): TemplateComponent => ({
  type: 'button',
  subType,
  index,
  parameters: [text('17')],
});

test.each<[Template, TemplateComponent[], string | undefined]>([
  [base, [body], undefined],
  [base, [], 'lacks a value of the body for 1'],
  [base, [{ ...body, parameters: [text('a'), text('b')] }], 'gives 2, which are not in the body'],
  [base, [body, word], 'gives a value of the header, which has none'],
  [withFile, [file('image'), body], undefined],
  [withFile, [body], 'lacks the image of the header'],
  [withFile, [file('video'), body], 'lacks the image of the header'],
  [withText, [word, body], undefined],
  [withText, [body], 'lacks the value of the header'],
  [withButton, [body, button(1)], undefined],
  [withButton, [body, button(1, 'URL')], undefined],
  [withButton, [body], 'lacks the end of the address of button 1'],
  [withButton, [body, button(0)], 'lacks the end of the address of button 1'],
])('use %#', (template, components, problem) => {
  const reading = readUse(template, { name: 'parcel', language: 'en', components });
  expect(reading).toEqual(
    problem === undefined
      ? { kind: 'rendered', text: 'Hello Asha.' }
      : { kind: 'refused', problem },
  );
});
