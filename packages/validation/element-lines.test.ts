import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { locateLines, oneElementPerLine } from './element-lines.ts';

/** Line of each opening tag by the element's name, counted from 1. */
function linesOf(xml: string, names: readonly string[]): number[] {
  const lines = oneElementPerLine(xml).split('\n');
  return names.map((name) => lines.findIndex((line) => line.startsWith(`<${name}`)) + 1);
}

const cases: readonly [what: string, xml: string, last: string, path: string][] = [
  ['an only element', '<a><b/><c/></a>', 'c', '/a/c'],
  ['one of several', '<a><b/><b><c/></b></a>', 'c', '/a/b[2]/c'],
  ['the first of several', '<a><b><c/></b><b/></a>', 'c', '/a/b[1]/c'],
  ['after a declaration', '<?xml version="1.0"?><a><c/></a>', 'c', '/a/c'],
  [
    'after a declaration on a line of its own',
    '<?xml version="1.0"?>\r\n<a>\n<c/></a>',
    'c',
    '/a/c',
  ],
  ['after a byte order mark', '\ufeff<?xml version="1.0"?><a><c/></a>', 'c', '/a/c'],
  ['after white space', ' \n <a><c/></a>', 'c', '/a/c'],
  ['after a comment before the root', '<!-- <x> --><a><c/></a>', 'c', '/a/c'],
  ['after a comment with a tag in it', '<a><!-- <b> --><b/><c/></a>', 'c', '/a/c'],
  ['after CDATA with a tag in it', '<a><b><![CDATA[</b><b>]]></b><c/></a>', 'c', '/a/c'],
  ['after an instruction', '<a><?x <b>?><c/></a>', 'c', '/a/c'],
  ['after > in an attribute', '<a><b x="1>2" y=\'/>\'/><c/></a>', 'c', '/a/c'],
  ['with line breaks in its tag', '<a>\n<b\n x="1"\n/>\n<c\n></c></a>', 'c', '/a/c'],
  ['an empty one with a slash in an attribute', '<a><b x="/"/><c/></a>', 'c', '/a/c'],
  ['with prefixes', '<p:a xmlns:p="u"><q.b-1/><p:c/></p:a>', 'p:c', '/p:a/p:c'],
];

test.each(cases)('%s is found by its line', (_what, xml, name, path) => {
  expect(locateLines(xml, linesOf(xml, [name]))).toEqual([path]);
});

test('a line that no element is on is the document', () => {
  expect(locateLines('<a/>', [0, 7])).toEqual(['/', '/']);
});

describe('any tree', () => {
  interface Tree {
    readonly name: string;
    readonly children: readonly Tree[];
  }
  const names = fc.constantFrom('a', 'b', 'c:d');
  const leaf = names.map((name): Tree => ({ name, children: [] }));
  const trees = fc.letrec<{ tree: Tree }>((tie) => ({
    tree: fc.oneof(
      { maxDepth: 5 },
      leaf,
      fc.record({ name: names, children: fc.array(tie('tree'), { maxLength: 4 }) }),
    ),
  })).tree;
  const noise = fc.constantFrom('', '\n', ' <!-- <a> -->', 'text', '<![CDATA[<b>]]>', '<?i <a?>');

  const printed = ({ name, children }: Tree, between: string): string =>
    children.length === 0
      ? `<${name} x='>"'/>`
      : `<${name}>${between}${children.map((each) => printed(each, between)).join(between)}</${name}>`;

  const paths = ({ name, children }: Tree, at: string): string[] => {
    const own = `${at}/${name}`;
    const positions = new Map<string, number>();
    const below = children.flatMap((child) => {
      const same = children.filter((each) => each.name === child.name).length;
      const position = (positions.get(child.name) ?? 0) + 1;
      positions.set(child.name, position);
      const [, ...rest] = paths(child, '');
      const path = `${own}/${child.name}${same > 1 ? `[${position}]` : ''}`;
      return [path, ...rest.map((each) => path + each.slice(child.name.length + 1))];
    });
    return [own, ...below];
  };

  test('has each element on its own line, in document order', () => {
    fc.assert(
      fc.property(trees, noise, (tree, between) => {
        const xml = printed(tree, between);
        const expected = paths(tree, '');
        const lines = expected.map((_, index) => index + 1);
        expect(locateLines(xml, lines)).toEqual(expected);
        expect(oneElementPerLine(xml).split('\n')).toHaveLength(expected.length);
      }),
      { numRuns: 200, seed: 20261121 },
    );
  });
});
