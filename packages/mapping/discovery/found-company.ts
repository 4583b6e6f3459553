import { type CimValue, textOf } from '@drawbridge/cim/json.ts';
import {
  type Company,
  type CompanyFieldName,
  companyField,
  companyTextMax,
} from '@drawbridge/profiles/company.ts';
import { profiles } from '@drawbridge/profiles/registry.ts';
import { valueAt } from '@drawbridge/records/json-path.ts';
import { apply } from '../apply.ts';
import { partyMembers } from '../company.ts';
import { infer } from '../infer.ts';
import type { MappingField } from '../mapping.ts';
import { columnFacts, type FoundDatabase, type FoundTable, wordsOfColumn } from './database.ts';
import { commonPrefixes, subjectOf } from './references.ts';
import { hasName, hasPlace, hasTaxNumbers } from './sections/party-tables.ts';

/** What a source says of the company whose books it keeps: an answer for the company profile. */
export interface FoundCompanyValue {
  readonly field: CompanyFieldName;
  readonly value: string;
  /** `company.tax_no`; in a table of settings the name of the row: `settings (tax_no)`. */
  readonly from: string;
}

/**
 * Answers for the company profile, for a person to confirm: most ERPs keep their own company as the only row of a
 * table, or as rows of settings with a name and a value. Empty where neither is found. Each value keeps to the rule
 * of its field.
 *
 *   foundCompany(database)[0] // { field: 'legal_name', value: 'Al Noor Trading LLC', from: 'company.title' }
 */
export function foundCompany({ tables }: FoundDatabase): readonly FoundCompanyValue[] {
  const prefixes = commonPrefixes(tables);
  const [best, ...others] = tables
    .flatMap(companyRows)
    .map((one) => ({ ...one, score: companyScore(one.row, subjectOf(one.row.name, prefixes)) }))
    .filter(({ score }) => score >= companyMin)
    .sort((one, other) => other.score - one.score);
  if (best === undefined) return [];
  // Its address may be the only row of another table that is called after companies.
  const more = others.filter(({ row }) => subjectOf(row.name, prefixes).has('seller'));
  const answers = [best, ...more].flatMap(answersOf);
  return answers.filter(
    ({ field }, at) => answers.findIndex((each) => each.field === field) === at,
  );
}

/** The answers as a company profile has them. */
export function companyOfAnswers(answers: readonly FoundCompanyValue[]): Company {
  return Object.fromEntries(answers.map(({ field, value }) => [field, value]));
}

/** What may be the company: one row, and how its columns are told to a person. */
interface CompanyRow {
  readonly row: FoundTable;
  readonly told: (column: string) => string;
}

function companyRows(table: FoundTable): readonly CompanyRow[] {
  const { name, sample } = table;
  if (sample.length === 1) return [{ row: table, told: (column) => `${name}.${column}` }];
  const settings = settingsAsRow(table);
  return settings === undefined ? [] : [{ row: settings, told: (column) => `${name} (${column})` }];
}

/** Rows of settings, at least. */
const settingsMin = 5;
const settingName = /^[A-Za-z][\w .:-]{1,60}$/;
const valueColumn = /val|wert|data|content|inhalt/i;

/** Rows of a name and a value as one row whose columns have those names. */
function settingsAsRow(table: FoundTable): FoundTable | undefined {
  const { sample, columns } = table;
  const names = columns.find(({ name }) => {
    const { values, filled } = columnFacts(table, name);
    return (
      filled === sample.length &&
      values.size === sample.length &&
      [...values].every((value) => settingName.test(value))
    );
  })?.name;
  const value = columns.find(({ name }) => name !== names && valueColumn.test(name))?.name;
  if (names === undefined || value === undefined || sample.length < settingsMin) return undefined;
  const row = Object.fromEntries(sample.map((one) => [one[names]!, one[value] ?? null]));
  return {
    ...table,
    columns: Object.keys(row).map((name) => ({ name, type: 'text' })),
    primaryKey: [],
    uniques: [],
    sample: [row],
  };
}

/** Whose row else it may be, where there is only one. */
const others = [
  'buyer',
  'supplier',
  'employee',
  'warehouse',
  'location',
  'delivery',
  'bank',
  'contact',
  'item',
  'invoice',
  'order',
];

/** Of: called after a company, with its number as a taxpayer, with a place. */
const companyMin = 2;

function companyScore(row: FoundTable, subject: ReadonlySet<string>): number {
  if (!(hasName(row) || saysSeller(row)) || others.some((other) => subject.has(other))) return 0;
  const said = [subject.has('seller') || saysSeller(row), hasTaxNumbers(row), hasPlace(row)];
  // Of two tables the one with the tax number is the company itself.
  return said.filter(Boolean).length + (hasTaxNumbers(row) ? 0.5 : 0);
}

function saysSeller(row: FoundTable): boolean {
  return row.columns.some(
    ({ name }) => wordsOfColumn(row, name).includes('seller') && columnFacts(row, name).filled > 0,
  );
}

/** Fields of the seller in any profile. */
const sellerFields = profiles
  .flatMap(({ fields }) => fields)
  .filter(({ path }) => path.startsWith('seller.'));

/** Less certain ones are not offered. */
const confidenceMin = 0.6;

function answersOf({ row, told }: CompanyRow): readonly FoundCompanyValue[] {
  const [values = {}] = row.sample;
  const columns = row.columns.map(({ name, type }) => ({
    section: 'seller',
    origin: row.name,
    column: name,
    type,
    samples: [values[name] ?? ''].filter((value) => value !== ''),
  }));
  const document = { ref: '', sections: { seller: [{ origin: row.name, key: '', values }] } };
  const fields = infer(columns, sellerFields, { documents: [document] })
    .fields.filter(
      ({ target, from, confidence = 0 }) =>
        target.startsWith('seller.') && from !== undefined && confidence >= confidenceMin,
    )
    .map((field): MappingField => ({ ...field, status: 'approved' }))
    // Which tax number it is depends on the country.
    .sort((one, other) => Number(isOfCountry(other)) - Number(isOfCountry(one)));
  const { cim } = apply(document, { fields });
  const answers: FoundCompanyValue[] = [];
  for (const { target, from } of fields) {
    const text = textOf(valueAt(cim, target.split('.')) as CimValue | undefined);
    if (text === undefined || text.length > companyTextMax || placeholder.test(text)) continue;
    const known = companyOfAnswers(answers);
    const answer = fieldsOf(target)
      .map((field) => ({ field, value: written(field, text) }))
      .find(({ field, value }) => isAnswer(field, value, known));
    if (answer === undefined || answer.field in known) continue;
    answers.push({ ...answer, from: told(from!.column) });
  }
  return answers;
}

/** What stands where nobody has said anything yet. */
const placeholder = /^(n\/?a|none|null|unknown|(your |my )?company( name)?|[^\p{Letter}\d]+)$/iu;

function isOfCountry({ target }: MappingField): boolean {
  return target === 'seller.address.country';
}

/** Numbers of taxpayers, of which each country has its own: the form tells which one it is. */
const taxNumbers: readonly CompanyFieldName[] = ['trn', 'sst', 'vat', 'tin'];

function fieldsOf(target: string): readonly CompanyFieldName[] {
  if (target === 'seller.trn' || target === 'seller.tin') return taxNumbers;
  const names = Object.keys(partyMembers) as CompanyFieldName[];
  return names.filter((name) => `seller.${partyMembers[name]}` === target);
}

/** Without the marks that people put between the digits of a tax number. */
function written(name: CompanyFieldName, text: string): string {
  return taxNumbers.includes(name) && name !== 'sst' ? text.replace(/[\s.-]/g, '') : text;
}

function isAnswer(name: CompanyFieldName, value: string, known: Company): boolean {
  const isRight = (field: CompanyFieldName, text: string) =>
    companyField(field).problem(text, known) === undefined;
  if (name === 'tin' && (known.country ?? 'MY') !== 'MY') return false;
  // Other tax numbers begin with letters too.
  if (name === 'vat' && !isRight('country', value.slice(0, 2).replace('EL', 'GR'))) return false;
  return isRight(name, value);
}
