import { cleanCell, looksLikePhone } from './cell.ts';

/** What a column of a file becomes in a contact. */
export const columnFields = ['phone', 'name', 'segments', 'attribute', 'ignored'] as const;
/** One of them; several columns of `name` are joined. */
type ColumnField = (typeof columnFields)[number];

/** Why a column is ignored though nobody said so. */
export type ColumnIssue = 'unnamed' | 'duplicate' | 'too_long' | 'unusable';

/** A column of a file and what it becomes. */
export interface FileColumn {
  /** From 1. */
  readonly column: number;
  /** As the header has it. */
  readonly name: string;
  readonly field: ColumnField;
  /** The name of the attribute. */
  readonly attribute: string | null;
  readonly issue?: ColumnIssue;
}

/** What somebody chose for a column. */
export interface ColumnChoice {
  readonly column: number;
  readonly field: ColumnField;
  /** Default: the name in the header. */
  readonly attribute?: string | undefined;
}

/** Letters of an attribute's name. */
const attributeNameMax = 64;

/** The column that files of problems have; it is not read. */
const problemColumn = 'problem';

/** The best ones first. */
const phoneWords = wordList(`
  phone, phone number, mobile, mobile phone, mobile number, mobile phone number, mobile no,
  phone no, msisdn, cell, cell phone, cellphone, whatsapp, whatsapp number, whatsapp no,
  phone 1 value, primary phone, telephone, telephone number, tel, tel no, tel number,
  contact number, contact no, handphone, hp, no hp, no telefon, no tel, nombor telefon,
  telefon, telefonnummer, mobil, mobilnummer, handy, handynummer, telefono, movil, celular,
  portable, telephone portable, gsm, telefone, telemovel, telefoon, telefoonnummer, mobiel,
  هاتف, الهاتف, رقم الهاتف, جوال, الجوال, رقم الجوال, موبايل, رقم الموبايل, 手机, 手机号, 电话,
  phones, home phone, business phone`);
const nameWords = wordList(`
  name, full name, fullname, display name, contact name, customer name, nama, nama penuh,
  nom, nom complet, nombre, nombre completo, nome, nome completo, naam, الاسم, اسم,
  الاسم الكامل, 姓名, client name, customer, client`);
const givenWords = ['first name', 'firstname', 'given name', 'forename', 'prenom', 'vorname'];
const familyWords = ['last name', 'lastname', 'surname', 'family name', 'nachname', 'apellido'];
const segmentWords = ['segments', 'segment'];

function wordList(text: string): readonly string[] {
  return text.split(',').map((word) => word.trim());
}

/** Whether a record reads like a header of contacts: one of its cells says that phones are below it. */
export function namesPhone(fields: readonly string[]): boolean {
  return fields.some((field) => phoneWords.includes(wordsOf(field)));
}

/** Lower case, without accents and punctuation. */
function wordsOf(name: string): string {
  const plain = cleanCell(name).slice(0, 200).normalize('NFKD').replace(/\p{M}/gu, '');
  return plain
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

/**
 * What each column becomes: as chosen, or by its name; without a column that is named so, the phone is the
 * one whose `samples` read like phones. `names` is empty for a file without a header.
 */
export function guessColumns(
  names: readonly string[],
  samples: readonly (readonly string[])[],
  choices: readonly ColumnChoice[] = [],
): FileColumn[] {
  const width = names.length || samples.reduce((most, { length }) => Math.max(most, length), 0);
  const shown = Array.from({ length: width }, (_, at) => cleanCell(names[at] ?? ''));
  const guessed = guessFields(shown, samples);
  const chosen = new Map(choices.map((choice) => [choice.column, choice]));
  const taken = new Set<string>();
  return shown.map((name, at) => {
    const column = at + 1;
    const choice = chosen.get(column);
    // What was chosen for one column leaves its field free for no other.
    const isFree =
      guessed[at] === 'attribute' || !choices.some(({ field }) => field === guessed[at]);
    const field = choice?.field ?? (isFree ? (guessed[at] ?? 'attribute') : 'attribute');
    if (field !== 'attribute') return { column, name, field, attribute: null };
    const attribute = choice?.attribute ?? name;
    const issue = issueOf(attribute, taken);
    taken.add(attribute);
    if (issue !== undefined) return { column, name, field: 'ignored', attribute: null, issue };
    return { column, name, field, attribute };
  });
}

function issueOf(attribute: string, taken: ReadonlySet<string>): ColumnIssue | undefined {
  if (attribute === '') return 'unnamed';
  if (attribute.length > attributeNameMax || attribute.includes('\0')) return 'too_long';
  // No request can name it, so nobody could change or delete its value.
  if (attribute === '__proto__') return 'unusable';
  return taken.has(attribute) ? 'duplicate' : undefined;
}

/** By the place of the column. */
function guessFields(
  names: readonly string[],
  samples: readonly (readonly string[])[],
): readonly ColumnField[] {
  const words = names.map(wordsOf);
  const fields = words.map((): ColumnField => 'attribute');
  const set = (at: number, field: ColumnField) => {
    if (at >= 0) fields[at] = field;
  };
  const ends = [0, words.length - 1];
  for (const at of ends) if (words[at] === problemColumn) set(at, 'ignored');
  set(first(words, segmentWords), 'segments');
  const name = first(words, nameWords);
  const parts = [first(words, givenWords), first(words, familyWords)];
  for (const at of name >= 0 ? [name] : parts) set(at, 'name');
  const phone = first(words, phoneWords);
  set(phone >= 0 ? phone : mostPhones(names.length, samples), 'phone');
  return fields;
}

function first(words: readonly string[], wanted: readonly string[]): number {
  const found = wanted.find((word) => words.includes(word));
  return found === undefined ? -1 : words.indexOf(found);
}

/** The column of which nearly all values read like phones, or -1. */
function mostPhones(width: number, samples: readonly (readonly string[])[]): number {
  const shares = Array.from({ length: width }, (_, at) => {
    const values = samples.map((row) => row[at] ?? '').filter((value) => value.trim() !== '');
    return values.length === 0 ? 0 : values.filter(looksLikePhone).length / values.length;
  });
  const best = Math.max(0, ...shares);
  return best >= 0.8 ? shares.indexOf(best) : -1;
}
