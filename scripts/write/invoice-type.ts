import { type Datatype, type TermRow, terms } from '@drawbridge/cim/terms.ts';
import { type View, views } from '@drawbridge/cim/views.ts';
import type { Written } from './written.ts';

/** A member of a group in the JSON form. */
interface Member {
  readonly name: string;
  readonly type: string;
  readonly doc: string;
}

/** The TypeScript type of the CIM's JSON form, from the terms and the views over them. */
export function invoiceType(): Written {
  return { 'packages/cim/invoice.ts': printed() };
}

const heading = `// Printed by \`npm run write\` from terms.ts and views.ts.

/**
 * An invoice or credit note in the JSON form of the CIM. Every member may be absent: the rules of a
 * profile say which are required. Amounts are strings, because a JSON number is not exact.
 * \`CimObject\` is the loose form, which may also hold values without a term.
 */
`;

/**
 * Type aliases, not interfaces: only an alias is assignable to the loose form's index signature.
 */
function printed(): string {
  const groups = membersByGroup();
  const types = [...groups].map(([path, members]) => {
    const doc = path === '' ? heading : `/** ${docs.get(path)} */\n`;
    const lines = members.map(
      ({ name, type, doc: own }) => `  /** ${own} */\n  readonly ${name}?: ${type};\n`,
    );
    const keyword = path === '' ? 'export type' : 'type';
    return `${doc}${keyword} ${typeName(path)} = {\n${lines.join('')}};\n`;
  });
  return types.join('\n');
}

const docs = new Map<string, string>([
  ...Object.entries(terms).map(([term, [path, , name]]: [string, TermRow]): [string, string] => [
    plain(path),
    `${term} ${name}`,
  ]),
  ...views.map(({ path, term, name }): [string, string] => [
    plain(path),
    term === undefined ? name : `${term} ${name}`,
  ]),
]);

/** Members by the path of their group, groups in the order of the terms. */
function membersByGroup(): Map<string, Member[]> {
  const groups = new Map<string, Member[]>([['', []]]);
  for (const [path, datatype] of Object.values(terms) as readonly TermRow[]) {
    if (datatype === 'group') groups.set(plain(path), []);
    add(groups, path, typeOf(path, datatype));
  }
  for (const view of views) add(groups, view.path, typeOfView(view));
  return groups;
}

function add(groups: Map<string, Member[]>, path: string, type: string): void {
  const at = plain(path);
  const dot = at.lastIndexOf('.');
  const list = path.endsWith('[]') ? `readonly ${type}[]` : type;
  const group = groups.get(at.slice(0, Math.max(0, dot)))!;
  group.push({ name: at.slice(dot + 1), type: list, doc: docs.get(at)! });
}

/** The type of a view: the group's, or that of the member it shows. */
function typeOfView({ of, member, datatype }: View): string {
  if (datatype !== 'group') return typeOf(of, datatype);
  return typeName(plain(member === undefined ? of : `${of}.${member}`));
}

function typeOf(path: string, datatype: Datatype): string {
  switch (datatype) {
    case 'group':
      return typeName(plain(path));
    case 'quantity':
    case 'percentage':
    case 'decimal':
      return path.endsWith('[]') ? '(number | string)' : 'number | string';
    case 'indicator':
      return 'boolean';
    default:
      return 'string';
  }
}

/** `lines.tax` → `LineTax`; the document itself is the `Invoice`. */
function typeName(path: string): string {
  if (path === '') return 'Invoice';
  return path
    .split('.')
    .flatMap((name) => (singulars[name] ?? name).split('_'))
    .map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`)
    .join('');
}

/** The name of one entry of a list; a group that is not a list keeps its name. */
const singulars: Readonly<Record<string, string>> = {
  additional_ids: 'additional_id',
  allowances_charges: 'allowance_charge',
  attributes: 'attribute',
  charges: 'charge',
  classifications: 'classification',
  consignments: 'consignment',
  credit_reasons: 'credit_reason',
  despatch_lines: 'despatch_line',
  documents: 'document',
  identifiers: 'identifier',
  lines: 'line',
  lots: 'lot',
  order_lines: 'order_line',
  paid_amounts: 'paid_amount',
  party_ids: 'party_id',
  preceding_invoices: 'preceding_invoice',
  price_allowances: 'price_allowance',
  tax_registrations: 'tax_registration',
  tax_totals: 'tax_total',
};

function plain(path: string): string {
  return path.replaceAll('[]', '');
}
