import { expect, test } from 'vitest';
import type { Template, TemplateComponent, TemplateParameter } from './template.ts';
import { faultOfUse } from './template-use.ts';

const template: Template = {
  name: 'sale',
  language: 'en',
  category: 'MARKETING',
  parameterFormat: 'positional',
  header: { format: 'text', text: 'Order {{1}}' },
  body: 'Hello {{1}}, your order {{2}} is ready.',
  buttons: [
    { type: 'quick-reply', text: 'Thanks' },
    { type: 'url', text: 'Track', url: 'https://shop.example/{{1}}' },
    { type: 'url', text: 'Shop', url: 'https://shop.example/' },
  ],
};
const text = (value: string): TemplateParameter => ({ type: 'text', text: value });
const header: TemplateComponent = { type: 'header', parameters: [text('77')] };
const body: TemplateComponent = { type: 'body', parameters: [text('Asha'), text('77')] };
const button: TemplateComponent = {
  type: 'button',
  subType: 'url',
  index: 1,
  parameters: [text('77')],
};
const image: TemplateParameter = { type: 'image', url: 'https://shop.example/a.png' };
const withImage: Template = { ...template, header: { format: 'image' } };

test.each<[string, Template, TemplateComponent[]]>([
  ['every value', template, [header, body, button]],
  ['the payload of a quick reply too', template, [header, body, button, { ...button, index: 0 }]],
  ['a picture', withImage, [{ type: 'header', parameters: [image] }, body, button]],
  [
    'none, as there are no variables',
    { ...withImage, header: { format: 'text', text: 'Hi' }, body: 'Ready.', buttons: [] },
    [],
  ],
])('a message gives %s', (_name, of, components) => {
  expect(faultOfUse(of, components)).toBeUndefined();
});

const bodyWith = (value: string) => ({ ...body, parameters: [text(value), text('77')] });
const all = 'template.components';
const spaces = 'has no line breaks, no tabs, and at most four spaces in a row';

test.each<[string, Template, TemplateComponent[], string, string]>([
  ['no body', template, [header, button], all, 'lacks a value of the body for 1, 2'],
  [
    'a value too many',
    template,
    [header, { ...body, parameters: [...body.parameters, text('x')] }, button],
    all,
    'gives 3, which are not in the body',
  ],
  ['no header', template, [body, button], all, 'lacks the value of the header'],
  ['no picture', withImage, [body, button], all, 'lacks the image of the header'],
  ['a text for a picture', withImage, [header, body, button], all, 'lacks the image of the header'],
  [
    'a header that there is not',
    { ...template, header: { format: 'text', text: 'Hi' } },
    [header, body, button],
    all,
    'gives a value of the header, which has no place for it',
  ],
  ['no button', template, [header, body], all, 'lacks the value of the button with the index 1'],
  [
    'a button that there is not',
    template,
    [header, body, button, { ...button, index: 7 }],
    all,
    'gives a value of the button with the index 7, which there is not',
  ],
  [
    'a line break',
    template,
    [header, bodyWith('a\nb'), button],
    `${all}.1.parameters.0.text`,
    spaces,
  ],
  [
    'five spaces',
    template,
    [header, bodyWith('a     b'), button],
    `${all}.1.parameters.0.text`,
    spaces,
  ],
])('a message with %s is refused', (_name, of, components, field, message) => {
  expect(faultOfUse(of, components)).toEqual({ field, message });
});
