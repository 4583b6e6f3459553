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
import { wordsOf } from '../words.ts';
import {
  columnFacts,
  type FoundDatabase,
  type FoundTable,
  isWholeKey,
  wordsOfColumn,
} from './database.ts';
import { commonPrefixes, subjectOf } from './references.ts';
import { headerColumns } from './sections/header-columns.ts';
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
export function foundCompany(database: FoundDatabase): readonly FoundCompanyValue[] {
  const { tables } = database;
  const prefixes = commonPrefixes(tables);
  const [best, ...others] = tables
    .flatMap(companyRows)
    .map((one) => {
      const rows = [one, ...rowsBehind(one, database)] as const;
      const subject = subjectOf(one.row.name, prefixes);
      return { rows, subject, score: companyScore(rows, subject) };
    })
    .filter(({ score }) => score >= companyMin)
    .sort((one, other) => other.score - one.score);
  if (best === undefined) return [];
  // Its address may be the only row of another table that is called after companies.
  const more = others.filter(({ subject }) => subject.has('seller'));
  const rows = [best, ...more].flatMap((one) => one.rows.map(textsOf));
  // Which tax number it is depends on the country, which another row may say.
  const country = rows
    .flatMap((texts) => answersOf(texts, {}))
    .find(({ field }) => field === 'country');
  const known = country === undefined ? {} : { country: country.value };
  const answers = rows.flatMap((texts) => answersOf(texts, known));
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
  /** What the row is about, as sections are called. */
  readonly section: 'seller' | 'seller_country';
}

function companyRows(table: FoundTable): readonly CompanyRow[] {
  const { name, primaryKey, sample } = table;
  const [key = ''] = primaryKey;
  // Beside the company a row with the key 0 often stands for all of them.
  const own = sample.length === 1 ? sample : sample.filter((row) => row[key] !== '0');
  if (own.length === 1) return [rowOf({ ...table, sample: own }, 'seller')];
  const settings = settingsAsRow(table);
  const told = (column: string) => `${name} (${column})`;
  return settings === undefined ? [] : [{ row: settings, told, section: 'seller' }];
}

function rowOf(row: FoundTable, section: CompanyRow['section']): CompanyRow {
  return { row, told: (column) => `${row.name}.${column}`, section };
}

/** Whom else a company points at: whoever buys when nobody is named, who wrote the row, a bank. */
const columnsOfOthers =
  /customer|client|supplier|vendor|default|user|employee|creat|writ|modif|updat|bank|warehouse|currency|account|parent/i;
/** From the company to a row that goes on with it, to its address, and from there to the country. */
const stepsMax = 3;

/** The rows that the company's own points at and that say where it is: its address, itself among all parties, its country. */
function rowsBehind(
  { row }: CompanyRow,
  database: FoundDatabase,
  steps = stepsMax,
): readonly CompanyRow[] {
  const [values = {}] = row.sample;
  const own = database.references.filter(
    ({ table, columns: [column = ''] }) =>
      table === row.name && (values[column] ?? '') !== '' && !columnsOfOthers.test(column),
  );
  return own.flatMap(({ columns: [column = ''], to, toColumns: [key = ''] }) => {
    const other = database.tables.find(({ name }) => name === to);
    const sample = other?.sample.filter((one) => one[key] === values[column]) ?? [];
    if (other === undefined || sample.length !== 1) return [];
    const found = { ...other, sample };
    if (subjectOf(to).has('country')) return [rowOf(found, 'seller_country')];
    const hasSameKey = isWholeKey(row, [column]) && isWholeKey(other, [key]);
    if (!hasPlace(other) && !hasSameKey) return [];
    const next = steps > 1 ? rowsBehind(rowOf(found, 'seller'), database, steps - 1) : [];
    return [rowOf(found, 'seller'), ...next];
  });
}

/** Rows of settings, at least. */
const settingsMin = 5;
const settingName = /^[A-Za-z][\w .:-]{1,60}$/;
const valueColumn = /val|wert|data|content|inhalt/i;

/** What settings of a company are about. */
const settingWords = ['seller', 'vatnumber', 'address', 'city', 'country', 'phone', 'email'];
/** Settings with a name of their own, of all, at least: the same name may be set in several groups. */
const ownNamesMin = 0.8;

/** Rows of a name and a value as one row whose columns have those names. */
function settingsAsRow(table: FoundTable): FoundTable | undefined {
  const { sample, columns } = table;
  if (sample.length < settingsMin) return undefined;
  const value = columns.find(({ name }) => valueColumn.test(name))?.name;
  const [names] = columns
    .filter(({ name }) => name !== value && areSettingNames(table, name))
    .map(({ name }) => ({ name, told: companySettingsIn(table, name) }))
    .toSorted((one, other) => other.told - one.told);
  if (names === undefined || value === undefined) return undefined;
  const row: Record<string, string | null> = {};
  for (const one of sample) row[one[names.name]!] ??= one[value] || null;
  return {
    ...table,
    columns: Object.keys(row).map((name) => ({ name, type: 'text' })),
    primaryKey: [],
    uniques: [],
    sample: [row],
  };
}

function areSettingNames(table: FoundTable, column: string): boolean {
  const { values, filled } = columnFacts(table, column);
  const { length } = table.sample;
  return (
    filled === length &&
    values.size >= length * ownNamesMin &&
    [...values].every((value) => settingName.test(value))
  );
}

/** How many values of a column are names of settings of a company. */
function companySettingsIn(table: FoundTable, column: string): number {
  const isTold = (value: string) => wordsOf(value).some((word) => settingWords.includes(word));
  return [...columnFacts(table, column).values].filter(isTold).length;
}

/** Whose row else it may be, where there is only one. */
const otherSubjects = [
  'buyer',
  'supplier',
  'employee',
  'warehouse',
  'location',
  'delivery',
  'bank',
  'contact',
  'item',
  'order',
];

/** Of: called after a company, with its number as a taxpayer, with a place. */
const companyMin = 2;

function companyScore(
  [{ row }, ...behind]: readonly [CompanyRow, ...CompanyRow[]],
  subject: ReadonlySet<string>,
): number {
  if (!(hasName(row) || saysSeller(row)) || isOfOthers(row, subject)) return 0;
  const isSeller = subject.has('seller') || saysSeller(row);
  const tables = [row, ...(isSeller ? behind.map((one) => one.row) : [])];
  const isTaxpayer = tables.some(hasTaxNumbers);
  const said = [isSeller, isTaxpayer, tables.some(hasPlace)];
  // Of two tables the one with the tax number is the company itself.
  return said.filter(Boolean).length + (isTaxpayer ? 0.5 : 0);
}

/** Whether it is somebody else's, or a document; billing data without day and total are none. */
function isOfOthers(row: FoundTable, subject: ReadonlySet<string>): boolean {
  const columns = headerColumns(row);
  const isDocument = subject.has('invoice') && (columns.has('date') || columns.has('total'));
  return isDocument || otherSubjects.some((other) => subject.has(other));
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

/** What a row says of the seller: the field of the invoice, its text, and the place. */
interface SellerText {
  readonly target: string;
  readonly text: string;
  readonly from: string;
}

/** The texts of a row, that of the country first. */
function textsOf({ row, told, section }: CompanyRow): readonly SellerText[] {
  const [values = {}] = row.sample;
  const columns = row.columns.map(({ name, type }) => ({
    section,
    origin: row.name,
    column: name,
    type,
    samples: [values[name] ?? ''].filter((value) => value !== ''),
  }));
  const document = { ref: '', sections: { [section]: [{ origin: row.name, key: '', values }] } };
  const fields = infer(columns, { fields: sellerFields }, { documents: [document] })
    .fields.filter(
      ({ target, from, confidence = 0 }) =>
        target.startsWith('seller.') && from !== undefined && confidence >= confidenceMin,
    )
    .map((field): MappingField => ({ ...field, status: 'approved' }))
    .sort((one, other) => Number(isOfCountry(other)) - Number(isOfCountry(one)));
  const { cim } = apply(document, { fields });
  return fields.flatMap(({ target, from }) => {
    const text = textOf(valueAt(cim, target.split('.')) as CimValue | undefined);
    if (text === undefined || text.length > companyTextMax || placeholder.test(text)) return [];
    return [{ target, text, from: told(from!.column) }];
  });
}

/** The texts that are right answers beside those that are known already. */
function answersOf(texts: readonly SellerText[], before: Company): readonly FoundCompanyValue[] {
  const answers: FoundCompanyValue[] = [];
  for (const { target, text, from } of texts) {
    const known = { ...before, ...companyOfAnswers(answers) };
    const answer = fieldsOf(target)
      .map((field) => ({ field, value: written(field, text) }))
      .find(({ field, value }) => isAnswer(field, value, known));
    if (answer === undefined || answers.some(({ field }) => field === answer.field)) continue;
    answers.push({ ...answer, from });
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
