import { describe, expect, test } from 'vitest';
import { faultOfCannedReply, fillCannedReply } from './canned-reply.ts';

const contact = { name: ' Mei Ling ', phone: '+60123456789', attributes: { order: 17, note: '' } };
const facts = { contact, agentName: 'Aisha' };
const nobody = { contact: { name: null, phone: null, attributes: {} }, agentName: null };

describe('what is known is put in the place of variables', () => {
  test.each([
    ['no variable', 'no variable'],
    ['Hello {{contact.first_name}}!', 'Hello Mei!'],
    ['{{ contact.name }} ({{contact.phone}})', 'Mei Ling (+60123456789)'],
    ['Order {{contact.attributes.order}}, {{agent.name}}', 'Order 17, Aisha'],
  ])('%s', (text, filled) => {
    expect(fillCannedReply(text, facts)).toEqual({ text: filled, missing: [] });
  });
});

describe('what is not known stands as it was written, and is named once', () => {
  test.each([
    ['{{contact.name}}, {{contact.name}}', ['contact.name']],
    ['{{contact.attributes.note}}', ['contact.attributes.note']],
    [
      '{{contact.attributes.constructor}} {{agent.name}}',
      ['contact.attributes.constructor', 'agent.name'],
    ],
  ])('%s', (text, missing) => {
    const given = text.includes('note') ? facts : nobody;
    expect(fillCannedReply(text, given)).toEqual({ text, missing });
  });
});

test('a value is never read as a variable', () => {
  const sly = { ...contact, name: '{{agent.name}} $&' };
  const { text } = fillCannedReply('{{contact.name}}', { contact: sly, agentName: 'Aisha' });
  expect(text).toBe('{{agent.name}} $&');
});

describe('variables are looked at when a text is kept', () => {
  test.each([
    ['Hello', undefined],
    ['{{contact.name}} {{contact.attributes.city}}', undefined],
    ['{ not one }', undefined],
    ['{{contact.email}}', /contact\.email.* is no variable; there are: contact\.name/],
    ['{{constructor}}', /is no variable/],
    ['{{contact.attributes.}}', /is no variable/],
    ['{{contact.name}', /without its counterpart/],
    ['contact.name}}', /without its counterpart/],
    ['{{}}', /without its counterpart/],
  ])('%s', (text, fault) => {
    if (fault === undefined) expect(faultOfCannedReply(text)).toBeUndefined();
    else expect(faultOfCannedReply(text)).toMatch(fault);
  });
});
