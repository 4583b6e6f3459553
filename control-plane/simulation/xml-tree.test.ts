import { expect, test } from 'vitest';
import { findAll, readTree, textAt } from './xml-tree.ts';

test('elements are found by local name, with namespace, attributes and trimmed text', () => {
  const root = readTree(
    '<a xmlns="u" xmlns:c="v"><c:b x="1"> one </c:b><c:b><![CDATA[<2>]]></c:b></a>',
  );
  if ('fault' in root) throw new Error(root.fault);
  expect(root).toMatchObject({ name: 'a', namespace: 'u' });
  expect(findAll(root, 'b').map(({ text, namespace }) => [namespace, text])).toEqual([
    ['v', 'one'],
    ['v', '<2>'],
  ]);
  expect(findAll(root, 'b')[0]?.attributes).toEqual({ x: '1' });
  expect(textAt(root, 'b/none')).toBe('');
});

test.each([
  ['an unclosed element', '<a><b></a>'],
  ['two roots', '<a/><b/>'],
  ['an unbound prefix', '<c:a/>'],
  ['no element', ''],
  ['entities', '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>'],
  ['too deep', '<a>'.repeat(100) + '</a>'.repeat(100)],
])('%s is a fault', (_name, xml) => {
  expect(readTree(xml)).toHaveProperty('fault');
});
