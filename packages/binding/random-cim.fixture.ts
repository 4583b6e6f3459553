import { type CimObject, type CimValue, exactNumber, numberText } from '@drawbridge/cim/json.ts';
import type { Shape } from '@drawbridge/cim/node.ts';
import { holderPath, memberName, plainPath } from '@drawbridge/cim/path.ts';
import type { Datatype } from '@drawbridge/cim/terms.ts';
import { type View, views } from '@drawbridge/cim/views.ts';
import fc from 'fast-check';
import { shapePath, viewsOf } from './json/occurrence.ts';

/** The kind of documents to make. */
export interface Wanted {
  /**
   * `any` text that XML can carry, or text that is `valid` for its datatype and all that is
   * mandatory.
   */
  readonly values: 'any' | 'valid';
  /** Repeated groups under their own name with any discriminator, or as the views show them. */
  readonly groups: 'raw' | 'views';
}

type Json = fc.Arbitrary<CimObject>;
type Members = Record<string, fc.Arbitrary<CimValue>>;

/** A random document in the JSON form, as `view` shows it, from the shapes of a binding. */
export function randomCim(root: Shape, wanted: Wanted): Json {
  const currencies = fc.constantFrom(['AED', 'USD'], ['MYR', undefined], ['EUR', 'SEK']);
  return currencies.chain(([currency, tax_currency]) =>
    groupOf(root, wanted, tax_currency !== undefined).map(
      ({ currency: _, tax_currency: __, ...members }) => ({
        currency,
        ...(tax_currency === undefined ? {} : { tax_currency }),
        ...(wanted.values === 'valid' ? repaired(members) : members),
      }),
    ),
  );
}

/** Members of a group: those of its rows, of its wraps, and of its views. */
function groupOf(shape: Shape, wanted: Wanted, hasAccounting: boolean, without = ''): Json {
  const members: Members = {};
  const parts: fc.Arbitrary<CimObject>[] = [];
  for (const each of shape.members) {
    const isMandatory = each.min === 1 && wanted.values === 'valid';
    if (each.kind === 'wrap') {
      const part = groupOf(each, wanted, hasAccounting);
      const isNeeded = isMandatory || hasFixed(each);
      parts.push(isNeeded ? part : fc.oneof(part, fc.constant({})));
      continue;
    }
    if (each.name === without || (wanted.groups === 'views' && viewsOf(each).length > 0)) continue;
    const isNeeded = each.fixed !== undefined || isMandatory;
    parts.push(memberOf(each, wanted, hasAccounting, isNeeded || isFirstOfNeeded(shape, each)));
  }
  if (wanted.groups === 'views' && shape.kind === 'group') {
    for (const view of viewsIn(shapePath(shape))) {
      if (view.path === 'totals.tax_accounting' && !hasAccounting) continue;
      members[memberName(view.path)] = viewed(view, shape, wanted, hasAccounting);
    }
  }
  return fc
    .tuple(fc.record(members, { requiredKeys: [] }), ...parts)
    .map((all) => Object.assign({}, ...all) as CimObject);
}

/** A member and the members of its attributes. */
function memberOf(shape: Shape, wanted: Wanted, hasAccounting: boolean, isNeeded: boolean): Json {
  const one =
    shape.kind === 'value' ? contentOf(shape, wanted) : groupOf(shape, wanted, hasAccounting);
  const several = fc.array(one, { minLength: shape.many ? 1 : 2, maxLength: 2 });
  const inWrap = shape.parent?.kind === 'wrap';
  const content: fc.Arbitrary<CimValue> = shape.many
    ? several
    : shape.max > 1 && !inWrap
      ? fc.oneof({ weight: 4, arbitrary: one }, { weight: 1, arbitrary: several })
      : one;
  const beside = shape.attributes.map(({ name }) => [name, text(wanted.values)] as const);
  const keys = wanted.values === 'valid' ? beside.map(([name]) => name) : [];
  const found = fc
    .tuple(content, fc.record(Object.fromEntries(beside), { requiredKeys: keys }))
    .map(([held, attributes]) => ({ [shape.name]: held, ...attributes }));
  return isNeeded ? found : fc.oneof(found, fc.constant({}));
}

function contentOf({ datatype, fixed }: Shape, { values, groups }: Wanted): fc.Arbitrary<CimValue> {
  if (fixed === 'false' || datatype === 'indicator') return fc.boolean();
  if (fixed !== undefined && groups === 'raw') return fc.constantFrom(fixed, 'GST', ' VAT ', 'TIN');
  if (datatype === 'quantity' || datatype === 'percentage') return numeric(values);
  if (values === 'any') return text('any');
  return valid[datatype] ?? text('valid');
}

/** A number where it is exact, as `view` shows it. */
function numeric(values: Wanted['values']): fc.Arbitrary<CimValue> {
  const number = fc.double({ noNaN: true, noDefaultInfinity: true }).map((each) => each + 0);
  const digits = decimals.map((each) => exactNumber(each));
  const numbers = number.filter((each) => exactNumber(numberText(each)!) === each);
  return values === 'valid'
    ? fc.oneof(digits, numbers)
    : fc.oneof(digits, numbers, text('any').map(exactNumber), fc.constantFrom('NaN', '1e21', '-0'));
}

const decimals = fc
  .tuple(fc.bigInt(-(10n ** 20n), 10n ** 20n), fc.nat(9))
  .map(([whole, fraction]) => (fraction === 0 ? `${whole}` : `${whole}.${fraction}0`));

const two = (min: number, max: number): fc.Arbitrary<string> =>
  fc.integer({ min, max }).map((each) => String(each).padStart(2, '0'));

const valid: Partial<Record<Datatype, fc.Arbitrary<CimValue>>> = {
  amount: decimals,
  decimal: decimals,
  date: fc.tuple(two(1900, 2100), two(1, 12), two(1, 28)).map((parts) => parts.join('-')),
  time: fc.tuple(two(0, 23), two(0, 59), two(0, 59)).map((parts) => parts.join(':')),
  binary: fc.uint8Array().map((bytes) => Buffer.from(bytes).toString('base64')),
};

/** Characters that are not a Char (XML 1.0, 2.2). */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to leave out
const notChar = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/g;

const nasty = [
  '<![CDATA[x]]>',
  ']]>',
  '</cbc:ID>',
  '<!-- -->',
  '&amp;&#10;',
  '"\'<>&',
  ' \t\r\n ',
  '\r',
  '\u0085\u2028\u00a0',
  '\ufeff',
  '𝔘𠀀👩‍👩‍👧',
  'مرحبا',
  '__proto__',
  '',
];

function text(values: Wanted['values']): fc.Arbitrary<string> {
  const any = fc
    .string({ unit: 'binary', maxLength: 12 })
    .map((each) => each.replace(notChar, '?'));
  const some = fc.oneof(any, fc.string({ maxLength: 12 }), fc.constantFrom(...nasty));
  return values === 'any' ? some : some.map((each) => `x${each}`);
}

function viewed(
  { of, member, where }: View,
  holder: Shape,
  wanted: Wanted,
  hasAccounting: boolean,
): fc.Arbitrary<CimValue> {
  const group = groupAt(rootOf(holder), plainPath(of))!;
  if (member === undefined) {
    const content = groupOf(group, wanted, hasAccounting, Object.keys(where)[0]);
    return fc.array(content, { minLength: 1, maxLength: 2 });
  }
  const shown = group.members.find((each) => each.name === member)!;
  if (shown.kind === 'value') return contentOf(shown, wanted);
  return fc.array(groupOf(shown, wanted, hasAccounting), { minLength: 1, maxLength: 2 });
}

function viewsIn(path: string): readonly View[] {
  return views.filter((view) => holderPath(view.path) === path);
}

function groupAt(shape: Shape, path: string): Shape | undefined {
  for (const each of shape.members) {
    if (shapePath(each) === path) return each;
    const below = each.kind === 'value' ? undefined : groupAt(each, path);
    if (below !== undefined) return below;
  }
  return undefined;
}

function rootOf(shape: Shape): Shape {
  return shape.parent === undefined ? shape : rootOf(shape.parent);
}

function hasFixed(shape: Shape): boolean {
  return shape.members.some(
    (each) => each.fixed !== undefined || (each.kind === 'wrap' && hasFixed(each)),
  );
}

/** Whether the member must be there so that its mandatory wrap is. */
function isFirstOfNeeded(wrap: Shape, member: Shape): boolean {
  return wrap.kind === 'wrap' && wrap.min === 1 && wrap.members[0] === member;
}

/** Corrects members that are separate in the JSON form and that the schema requires together. */
function repaired(cim: CimObject): CimObject {
  const { tax_breakdown, tax_included, totals, lines } = cim;
  const needsTax = tax_breakdown !== undefined || tax_included !== undefined;
  return {
    ...cim,
    totals: { ...(totals as CimObject), ...(needsTax ? { tax: '1' } : {}) },
    lines: (lines as CimObject[]).map((line) =>
      line.gross_price === undefined && line.price_discount === undefined
        ? line
        : { price_discount: '1', unit_price: '1', ...line },
    ),
  };
}
