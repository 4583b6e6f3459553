import { compile } from '@drawbridge/binding/compile.ts';
import { parse } from '@drawbridge/binding/xml/parse.ts';
import { type Node, nodes } from '@drawbridge/cim/node.ts';
import { invoice } from '@drawbridge/ubl/invoice.ts';
import { expect, test } from 'vitest';
import { testOf } from '../engine/code-generator.ts';
import { UnboundNodes } from '../engine/unbound-nodes.ts';
import { type Asked, DynamicError } from '../rule.ts';
import type { Scope } from '../scope.ts';
import { always, never } from './question.ts';
import {
  all,
  any,
  attributeIsCoded,
  attributeReads,
  bind,
  compares,
  either,
  every,
  exists,
  given,
  hasAttribute,
  holds,
  isCoded,
  isEmpty,
  not,
  occurs,
  reads,
  relates,
  relatesLone,
  says,
  within,
} from './statement.ts';

const binding = compile(invoice);
const urn = 'urn:oasis:names:specification:ubl:schema:xsd';

const root = read(`<cbc:ID>7</cbc:ID><cbc:Note>a</cbc:Note><cbc:Note>b</cbc:Note>
  <cbc:CopyIndicator>0</cbc:CopyIndicator>
  <cac:InvoiceLine><cbc:ID>1</cbc:ID><cbc:InvoicedQuantity unitCode="H87">2</cbc:InvoicedQuantity>
    <cbc:CreditedQuantity unitCode="KGM">3</cbc:CreditedQuantity>
    <cac:Item><cbc:Name/><cac:ClassifiedTaxCategory><cbc:ID>S</cbc:ID><cbc:Percent>5.00</cbc:Percent>
      </cac:ClassifiedTaxCategory></cac:Item>
    <cac:Price><cbc:PriceAmount currencyID="AED">x</cbc:PriceAmount></cac:Price>
  </cac:InvoiceLine>`);
const line = nodes(root, 'lines')[0]!;
const qty = nodes(line, 'qty')[0]!;
const lists = { numbers: new Set(['2']), units: new Set(['H87']) };

function read(body: string): Node {
  const xml = `<Invoice xmlns="${urn}:Invoice-2" xmlns:cac="${urn}:CommonAggregateComponents-2"
    xmlns:cbc="${urn}:CommonBasicComponents-2">${body}</Invoice>`;
  const outcome = parse([binding], xml);
  if (outcome.kind === 'refused') throw new Error(outcome.fault.message);
  return outcome.root;
}

function isSo(asked: Asked, node: Node): boolean {
  return testOf(bind(asked, node.shape))(node, { root, lists } as unknown as Scope);
}

function isText(expected: string | undefined): (text: string | undefined) => boolean {
  return (text) => text === expected;
}

const yes: Asked = () => true;
const no: Asked = () => false;
const raises: Asked = () => {
  throw new DynamicError('no verdict');
};

test.each<[said: string, asked: Asked, node: Node, expected: boolean]>([
  ['a path of the model', exists('number'), root, true],
  ['one that leads on', exists('tax.category'), line, true],
  ['one that leads to nothing', exists('tax.exemption'), line, false],
  ['an empty element', exists('name'), line, true],
  ['an attribute that is a term', exists('accounting.amount'), line, false],
  ['a path of names', exists('cac:Item/cac:ClassifiedTaxCategory/cbc:ID'), line, true],
  ['an element that no row binds here', exists('cbc:CreditedQuantity'), line, true],
  ['its attribute', says('cbc:CreditedQuantity/@unitCode', 'KGM'), line, true],
  ['what stands around', exists('../cbc:Note'), line, true],
  ['as many', occurs('notes', 2, 2), root, true],
  ['too many', occurs('notes', 0, 1), root, false],
  ['attributes, counted', occurs('cbc:Note/@languageID', 0, 0), root, true],
  ['one of the texts', says('notes', 'x', 'b'), root, true],
  ['none of the texts', says('notes', 'x'), root, false],
  ['a number that is more', compares('tax.rate', [1], 0), line, true],
  ['a number that is not equal', compares('tax.rate', [0], 0), line, false],
  ['no number where there is none', compares('base_qty', [-1, 0, 1], 0), line, false],
  ['the only text', reads('id', (text) => text === '1'), line, true],
  ['no text', reads('note', (text) => text === ''), line, true],
  ['an attribute of the node', hasAttribute('unitCode'), qty, true],
  ['another', hasAttribute('mimeCode'), qty, false],
  ['an attribute as it is read', attributeReads('unitCode', isText('H87')), qty, true],
  ['one that is absent', attributeReads('mimeCode', isText(undefined)), qty, true],
  ['a code of a list', isCoded('numbers'), qty, true],
  ['an attribute of a list', attributeIsCoded('unitCode', 'units'), qty, true],
  ['an attribute of no list', attributeIsCoded('unitCode', 'numbers'), qty, false],
  ['an absent attribute', attributeIsCoded('mimeCode', 'units'), qty, false],
  ['one of several', any('notes', (note) => note.text === 'b'), root, true],
  ['not one of several', any('notes', (note) => note.text === 'c'), root, false],
  ['one of none', any('documents', yes), root, false],
  ['each of several', every('notes', (note) => note.text < 'c'), root, true],
  ['not each of several', every('notes', (note) => note.text === 'b'), root, false],
  ['each of none', every('documents', no), root, true],
  [
    'values that agree',
    relates(['id', 'tax.rate'], (id, rate) => id + rate! === '15.00'),
    line,
    true,
  ],
  ['values that do not', relates(['id', 'tax.rate'], (id, rate) => id === rate), line, false],
  ['a value that is absent', relates(['id', 'note'], (_, note) => note === undefined), line, true],
  ['a value and its node', relates(['id'], (id, node) => node.position === Number(id)), line, true],
  ['several as none', relatesLone(['notes'], (note) => note === undefined), root, true],
  ['a lone one', relatesLone(['number'], (id) => id === '7'), root, true],
  ['what stands in one of them', any('lines', any('tax', says('category', 'S'))), root, true],
  ['a boolean', holds('cbc:CopyIndicator', false), root, true],
  ['an empty node', isEmpty, nodes(line, 'name')[0]!, true],
  ['a group', isEmpty, line, false],
  ['the second', either(no, no, yes), line, true],
  ['all but one', all(yes, yes, no), line, false],
  ['nothing given', given(no, raises), line, true],
  ['nothing asked behind the first', either(yes, raises), line, true],
  ['nothing asked behind a no', all(no, raises), line, false],
])('says so of %s', (_, asked, node, expected) => {
  expect(isSo(asked, node)).toBe(expected);
  expect(isSo(not(asked), node)).toBe(!expected);
});

test('several values where one is read, and text that is not a number, are errors', () => {
  expect(() =>
    isSo(
      reads('notes', () => true),
      root,
    ),
  ).toThrow(DynamicError);
  expect(() =>
    isSo(
      relates(['number', 'notes'], () => true),
      root,
    ),
  ).toThrow(DynamicError);
  expect(() => isSo(compares('unit_price', [1], 0), line)).toThrow(DynamicError);
});

test('a statement that depends on the shape only is decided before any node is read', () => {
  const isInLine = within('cac:InvoiceLine');
  const item = nodes(line, 'name')[0]!.shape;
  expect(bind(isInLine, item)).toBe(always);
  expect(bind(not(isInLine), item)).toBe(never);
  expect(bind(either(isInLine, raises), item)).toBe(always);
  expect(bind(given(isInLine, isInLine), root.shape)).toBe(always);
  expect(bind(all(isInLine, raises), root.shape)).toBe(never);
});

test('a path in no row throws at the first such node', () => {
  expect(() => isSo(exists('nowhere'), line)).toThrow('nowhere');
});

test('it reads nodes of unbound elements', () => {
  const strange = read(
    '<cac:InvoiceLine><cac:Strange><cbc:ID>4</cbc:ID></cac:Strange></cac:InvoiceLine>',
  );
  const [adopted] = new UnboundNodes(new Map(), 10_000).childrenOf(nodes(strange, 'lines')[0]!);
  expect(isSo(exists('cbc:ID'), adopted!)).toBe(true);
  expect(isSo(says('cbc:ID', '4'), adopted!)).toBe(true);
  expect(isSo(exists('cbc:Name'), adopted!)).toBe(false);
  expect(isSo(within('cac:InvoiceLine'), adopted!)).toBe(true);
});
