import { describe, expect, test } from 'vitest';
import { header, propose } from '../sample-documents.kit.ts';

describe('the name of an item as that of its line', () => {
  const sureOf = (text: (at: number) => string, name: (at: number) => string) => {
    const lines = (at: number) => [{ description: text(at), quantity: 2, unit_price: 2.5 }];
    const item = (at: number) => [{ item_name: name(at) }];
    return propose({ header, lines, item })('lines[].name')?.confidence;
  };
  const pump = (at: number) => `Pump ${at + 10}`;
  const batch = (at: number) => `Batch of week ${at}`;

  test('is sure where the text of the line says something else', () => {
    expect(sureOf(batch, pump)).toBeGreaterThan(0.8);
  });

  test('is looked at where the text of the line has it, with more', () => {
    expect(sureOf((at) => `[P-${at}] ${pump(at)}`, pump)).toBe(0.79);
  });

  test('is none where it is an object with a name for each language', () => {
    expect(sureOf(batch, (at) => JSON.stringify({ en: pump(at) }))).toBeUndefined();
  });
});

test('the description of a line with a long one beside it is the name, and the long one is none', () => {
  const lines = (at: number) => [
    { description: `Pump ${at + 10}`, long_description: `Of steel, ${at} bar`, quantity: 2 },
  ];
  const proposed = propose({ header, lines });
  expect(proposed('lines[].name')?.from?.column).toBe('description');
  expect(proposed('lines[].description')?.from?.column).toBe('long_description');
});
