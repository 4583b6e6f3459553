import { compile } from '@drawbridge/binding/compile.ts';
import { emit } from '@drawbridge/binding/xml/emit.ts';
import { parse } from '@drawbridge/binding/xml/parse.ts';
import type { Node } from '@drawbridge/cim/node.ts';
import { invoice } from '@drawbridge/ubl/invoice.ts';
import { expect, test, vi } from 'vitest';
import { absent, anywhere, coded, counted, has, present, rule } from '../language/rule-kinds.ts';
import { hasAttribute, says } from '../language/statement.ts';
import { type Context, DynamicError, perDocument, type Rule } from '../rule.ts';
import { compileRules } from './compile.ts';
import { runRules } from './run.ts';

const binding = compile(invoice);

function read(body: string): Node {
  const urn = 'urn:oasis:names:specification:ubl:schema:xsd';
  const xml = `<Invoice xmlns="${urn}:Invoice-2" xmlns:cac="${urn}:CommonAggregateComponents-2"
    xmlns:cbc="${urn}:CommonBasicComponents-2">${body}</Invoice>`;
  const outcome = parse([binding], xml);
  if (outcome.kind === 'refused') throw new Error(outcome.fault.message);
  return outcome.root;
}

function idsOf(root: Node, ...patterns: Context[][]): string[] {
  const set = {
    id: 'test',
    version: '1',
    patterns: patterns.map((contexts, index) => ({ name: String(index), contexts })),
  };
  const breaches = runRules(compileRules(binding.root, [set]), root, {});
  return breaches.map(({ rule: { id }, diagnostic }) => id + (diagnostic ? '!' : ''));
}

const fails = (id: string) => rule(id, ['IBT-001'], 'Wrong.', () => false);

test('in a pattern only the first context that a node matches applies', () => {
  const root = read('<cbc:ID>1</cbc:ID>');
  const first: Context = { each: ['number'], rules: [fails('a')] };
  const second: Context = { each: ['number'], rules: [fails('b')] };
  expect(idsOf(root, [first, second])).toEqual(['a']);
  expect(idsOf(root, [first], [second])).toEqual(['a', 'b']);
  expect(idsOf(root, [{ ...first, match: () => false }, second])).toEqual(['b']);
});

test('an expression that cannot be evaluated breaks a rule and matches no context', () => {
  const root = read('<cbc:ID>1</cbc:ID>');
  const stop = (): boolean => {
    throw new DynamicError('no verdict');
  };
  const rules = [rule('a', ['IBT-001'], 'Wrong.', stop)];
  expect(idsOf(root, [{ each: ['number'], rules }])).toEqual(['a!']);
  expect(idsOf(root, [{ each: ['number'], match: stop, rules: [fails('b')] }])).toEqual([]);
});

test('an error at one node does not change the results of the others', () => {
  const line = '<cac:InvoiceLine><cbc:ID/></cac:InvoiceLine>';
  const root = read(line.repeat(4));
  const isRight = ({ position }: Node): boolean => {
    if (position === 2) throw new DynamicError('no verdict');
    return position === 3;
  };
  const rules = [rule('a', ['IBT-001'], 'Wrong.', isRight), fails('b')];
  expect(idsOf(root, [{ each: ['lines'], rules }])).toEqual('a b a! b b a b'.split(' '));
});

test('the match of a context alone in its pattern is a condition of its rules', () => {
  const lone: Context = { each: ['notes'], match: says('cbc:Of', 'x'), rules: [fails('a')] };
  const first: Context = {
    each: ['notes'],
    match: hasAttribute('languageID'),
    rules: [fails('a')],
  };
  const root = read('<cbc:Note>1</cbc:Note><cbc:Note languageID="en">2</cbc:Note>');
  expect(idsOf(root, [lone])).toEqual([]);
  expect(idsOf(root, [first])).toEqual(['a']);
  expect(idsOf(root, [first, { each: ['notes'], rules: [fails('b')] }])).toEqual(['b', 'a']);
});

test('rules with a trigger run when some node is the trigger, and are reported in their order', () => {
  const asked = vi.fn(() => false);
  const rules = [rule('b', ['IBT-001'], 'Wrong.', asked)];
  const waiting: Context = { each: [''], trigger: hasAttribute('languageID'), rules };
  const patterns: Context[][] = [
    [{ each: [''], rules: [fails('a')] }],
    [waiting],
    [{ each: [''], rules: [fails('c')] }],
    [{ each: ['notes'], rules: [fails('d')] }],
  ];
  expect(idsOf(read('<cbc:Note>1</cbc:Note>'), ...patterns)).toEqual(['a', 'c', 'd']);
  expect(asked).not.toHaveBeenCalled();
  const signed = read(
    '<cbc:Note languageID="en">1</cbc:Note><cbc:Note languageID="fr">2</cbc:Note>',
  );
  expect(idsOf(signed, ...patterns)).toEqual(['a', 'b', 'c', 'd', 'd']);
  expect(asked).toHaveBeenCalledTimes(1);
});

test('a context with a trigger must be of the document, and alone in its pattern', () => {
  const waiting: Context = { each: [''], trigger: hasAttribute('languageID'), rules: [fails('a')] };
  const root = read('');
  expect(() => idsOf(root, [waiting, { each: ['notes'], rules: [] }])).toThrow('alone');
  expect(() => idsOf(root, [{ ...waiting, each: ['notes'] }])).toThrow('of the document');
});

test('a mistake in a rule throws and is not a verdict', () => {
  const root = read('<cbc:ID>1</cbc:ID>');
  const rules = [rule('a', ['IBT-001'], 'Wrong.', (node) => has(node, 'nowhere'))];
  expect(() => idsOf(root, [{ each: ['number'], rules }])).toThrow('nowhere');
});

const agent = `<cac:AccountingSupplierParty><cac:Party><cac:AgentParty>
  <cac:PartyTaxScheme><cbc:ExemptionReason/></cac:PartyTaxScheme>
  <cac:PartyTaxScheme><cbc:CompanyID>1</cbc:CompanyID></cac:PartyTaxScheme>
  <cac:Unheard><cbc:Of>1</cbc:Of></cac:Unheard></cac:AgentParty></cac:Party>
</cac:AccountingSupplierParty>`;

test('an unbound element is read by the shape that its name has elsewhere', () => {
  const rules = [rule('a', ['IBT-048'], 'No number.', (node) => has(node, 'id'))];
  expect(idsOf(read(agent), [{ each: anywhere('cac:PartyTaxScheme'), rules }])).toEqual(['a']);
  expect(
    idsOf(read(agent), [{ each: anywhere('cac:Unheard/cbc:Of'), rules: [fails('b')] }]),
  ).toEqual(['b']);
  expect(idsOf(read(agent), [{ each: ['seller.tax_registrations'], rules }])).toEqual([]);
});

test('reading it does not change the document', () => {
  const root = read(agent);
  const before = emit(binding, root);
  const contexts: Context[] = [{ each: () => true, rules: [fails('a')] }];
  expect(idsOf(root, contexts)).toHaveLength(10);
  expect(emit(binding, root)).toBe(before);
});

test('a rule finds every element of a name, bound or not', () => {
  const count = rule('a', ['IBT-001'], 'Two.', (_, { everywhere }) => {
    return everywhere('cac:PartyTaxScheme').length !== 2;
  });
  expect(idsOf(read(agent), [{ each: [''], rules: [count] }])).toEqual(['a']);
});

test('elements of a name are found in document order, in any groups', () => {
  const line = (id: number): string =>
    `<cac:InvoiceLine><cbc:ID>${id}</cbc:ID><cac:Item><cbc:Name>${id}</cbc:Name>
    <cac:SellersItemIdentification><cbc:ID>s${id}</cbc:ID></cac:SellersItemIdentification></cac:Item>
    </cac:InvoiceLine>`;
  const root = read(`<cbc:ID>n</cbc:ID>${line(1)}${line(2)}`);
  const order = rule('a', ['IBT-001'], 'Order.', (_, { everywhere }) => {
    expect(everywhere('cbc:ID').map(({ text }) => text)).toEqual(['n', '1', 's1', '2', 's2']);
    return true;
  });
  expect(idsOf(root, [{ each: [''], rules: [order] }])).toEqual([]);
  // Also next to an unbound element.
  const more = read(`<cbc:ID>n</cbc:ID>${line(1)}<cac:Unheard><cbc:ID>u</cbc:ID></cac:Unheard>`);
  const found = rule('b', ['IBT-001'], 'Order.', (_, { everywhere }) => {
    expect(everywhere('cbc:ID').map(({ text }) => text)).toEqual(['n', '1', 's1', 'u']);
    return true;
  });
  expect(idsOf(more, [{ each: [''], rules: [found] }])).toEqual([]);
});

test('a value that several rules need is computed once a document; its error is thrown for each rule', () => {
  let times = 0;
  const number = perDocument(({ root }) => {
    times++;
    if (root.members.flat().length > 1) throw new DynamicError('two');
    return `${times}`;
  });
  const asks = (id: string) =>
    rule(id, ['IBT-001'], 'Wrong.', (_, scope) => number(scope).length > 0);
  const contexts: Context[] = [{ each: [''], rules: [asks('a'), asks('b')] }];
  expect(idsOf(read('<cbc:ID>1</cbc:ID>'), contexts)).toEqual([]);
  expect(times).toBe(1);
  expect(idsOf(read('<cbc:ID>2</cbc:ID>'), contexts)).toEqual([]);
  expect(times).toBe(2);
  expect(idsOf(read('<cbc:ID>1</cbc:ID><cbc:ID>2</cbc:ID>'), contexts)).toEqual(['a!', 'b!']);
});

test('the condition on the document is evaluated before the context is matched to nodes', () => {
  const root = read('<cbc:ID>1</cbc:ID>');
  const stop = (): boolean => {
    throw new DynamicError('no verdict');
  };
  const contexts = (when: NonNullable<Context['when']>): Context[] => [
    { each: ['number'], when, rules: [fails('a')] },
    { each: ['number'], rules: [fails('b')] },
  ];
  expect(
    idsOf(
      root,
      contexts(({ root: { shape } }) => shape.element === 'Invoice'),
    ),
  ).toEqual(['a']);
  expect(
    idsOf(
      root,
      contexts(() => false),
    ),
  ).toEqual(['b']);
  expect(idsOf(root, contexts(stop))).toEqual(['b']);
});

test('of contexts with codes only those with the node’s code apply, and those without a code', () => {
  const note = (text: string): string => `<cbc:Note>${text}</cbc:Note>`;
  const root = read(['x', 'x', 'y', '?', 'x', 'z', '!'].map(note).join(''));
  const of = ({ text }: Node): string | undefined => {
    if (text === '!') throw new DynamicError('no code');
    return text === '?' ? undefined : text;
  };
  const coded = (is: string[], id: string, match = true): Context => ({
    each: ['notes'],
    code: { of, is },
    match: () => match,
    rules: [fails(id)],
  });
  const others: Context = { each: ['notes'], rules: [fails('other')] };
  const contexts = [coded(['x'], 'never', false), coded(['x', 'y'], 'xy'), others];
  const found = ['xy', 'xy', 'xy', 'other', 'xy', 'other', 'other'];
  expect(idsOf(root, contexts)).toEqual(found);
  expect(idsOf(root, [others, coded(['x'], 'x')])).toEqual(found.map(() => 'other'));
  const another: Context = { ...others, code: { of: () => 'x', is: ['x'] } };
  expect(() => idsOf(root, [coded(['x'], 'x'), another])).toThrow('different codes');
});

test('breaches of one node come in the order of the rules', () => {
  const root = read('<cbc:ID>1</cbc:ID>');
  const none = (id: string): Rule => absent(id, 'number', ['IBT-001'], 'One.');
  const lines = (id: string): Rule => present(id, 'cac:InvoiceLine', ['IBG-25'], 'None.');
  const guarded: Context = { each: [''], match: () => true, rules: [none('c'), fails('d')] };
  const rules = [fails('e'), lines('f'), fails('g')];
  expect(
    idsOf(
      root,
      [{ each: [''], rules: [none('a'), fails('b')] }],
      [guarded],
      [{ each: [''], rules }],
    ),
  ).toEqual(['a', 'b', 'c', 'd', 'e', 'f', 'g']);
});

test('a rule counts unbound elements, and attributes', () => {
  const unboundPaths =
    '<cac:Unheard/><cac:Unheard/><cbc:InvoiceTypeCode name="x">380</cbc:InvoiceTypeCode>';
  const root = read(`${unboundPaths}<cac:InvoiceLine><cbc:InvoicedQuantity/></cac:InvoiceLine>`);
  const rules = [
    counted('a', 'cac:Unheard', 1, ['IBT-001'], 'Two.'),
    counted('b', 'cac:Unheard', 2, ['IBT-001'], 'Three.'),
    present('c', 'lines.unit', ['IBT-130'], 'No unit.'),
  ];
  expect(idsOf(root, [{ each: [''], rules }])).toEqual(['a', 'c']);
});

test('a long document is checked like a short one: every line, in order', () => {
  const ids = Array.from({ length: 150 }, (_, index) => String(index));
  const line = (id: string): string =>
    `<cac:InvoiceLine><cbc:ID>${id}</cbc:ID><cac:Item><cbc:Name>${id}</cbc:Name></cac:Item></cac:InvoiceLine>`;
  const root = read(ids.map(line).join(''));
  const named: string[] = [];
  const name = rule('a', ['IBT-153'], 'Wrong.', ({ text }) => {
    named.push(text);
    return text !== '149' && text !== '3';
  });
  const all = rule('b', ['IBG-25'], 'Wrong.', (_, { everywhere }) => {
    expect(everywhere('cbc:Name').map(({ text }) => text)).toEqual(ids);
    expect(everywhere('cbc:ID')).toHaveLength(150);
    return true;
  });
  const contexts = [
    { each: [''], rules: [all] },
    { each: ['lines.name'], rules: [name] },
  ];
  const breaches = runRules(
    compileRules(binding.root, [{ id: 'test', version: '1', patterns: [{ name: 'a', contexts }] }]),
    root,
    {},
  );
  expect(named).toEqual(ids);
  expect(breaches.map(({ node }) => node.text)).toEqual(['3', '149']);
});

test('a code of one list is not taken for one of another that was looked up just before', () => {
  const root = read('<cbc:ID>x</cbc:ID>');
  const contexts: Context[] = [
    { each: ['number'], rules: [coded('a', 'list', ['IBT-001'], 'Not of the list.')] },
  ];
  const rules = compileRules(binding.root, [
    { id: 'test', version: '1', patterns: [{ name: 'a', contexts }] },
  ]);
  const asked = ['x', 'y', 'y', 'x', ' x '].map(
    (code) => runRules(rules, root, { list: new Set([code]) }).length,
  );
  expect(asked).toEqual([0, 1, 1, 0, 1]);
});

test('unbound elements do not make a function for each of their names', () => {
  const strange = (from: number): Node =>
    read(
      Array.from({ length: 50 }, (_, at) => `<cbc:X${from + at}>a</cbc:X${from + at}>`).join(''),
    );
  const contexts: Context[] = [
    { each: () => true, match: hasAttribute('schemeID'), rules: [fails('a')] },
  ];
  const rules = compileRules(binding.root, [
    { id: 'test', version: '1', patterns: [{ name: 'a', contexts }] },
  ]);
  const make = vi.spyOn(globalThis, 'Function');
  try {
    runRules(rules, strange(0), {});
    const { length } = make.mock.calls;
    expect(length).toBeGreaterThan(0);
    runRules(rules, strange(50), {});
    expect(make.mock.calls).toHaveLength(length);
  } finally {
    make.mockRestore();
  }
});
