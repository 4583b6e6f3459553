import { expect, test } from 'vitest';
import { readTree } from '../../../control-plane/simulation/xml-tree.ts';
import { printXml } from './xml.ts';

const hostile = `</Say><Hangup/> & "quoted" 'single' ]]> <![CDATA[ &amp; &#0; a\tb\nc\rd é 😀`;

test('a parser reads back any text or attribute exactly', () => {
  const xml = printXml({ name: 'Say', attributes: { voice: hostile }, children: hostile });
  expect(readTree(xml)).toMatchObject({
    name: 'Say',
    attributes: { voice: hostile },
    text: hostile,
    children: [],
  });
});

test('attributes that are undefined are left out, false and 0 are not', () => {
  expect(printXml({ name: 'a', attributes: { b: undefined, c: false, d: 0 } })).toBe(
    '<a c="false" d="0"/>',
  );
});
