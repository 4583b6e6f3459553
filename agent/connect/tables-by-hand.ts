import { answer, finding, type State } from './state.ts';
import { ask, type Step } from './step.ts';
import { say, type TextKey } from './texts.ts';
import type { KnownTable } from './work.ts';

/** The answer for the header's table of somebody who chooses all tables. */
export const handChosen = 'by hand';

const noTable = 'none';

/** Tables and columns chosen from lists, each with a guess; undefined when all are chosen. */
export function byHand(state: State, tables: readonly KnownTable[]): Step | undefined {
  const said = (id: string) => answer(state, `hand.${id}`);
  const names = tables.map(({ name }) => name);
  const columnsOf = (table: string) => tables.find(({ name }) => name === table)?.columns ?? [];
  const keyOf = (table: string) => guess(columnsOf(table), /^id$|_id$|_?no$|code$/i);
  const header = said('header');
  if (header === undefined)
    return choose('header', names, guess(names, /invoice|rechnung|factur/i));
  const own = columnsOf(header);
  const number = said('number');
  if (number === undefined) {
    return choose('number', own, guess(own, /number|num|_no$|reference/i) ?? keyOf(header));
  }
  const lines = said('lines');
  const others = names.filter((name) => name !== header);
  if (lines === undefined) return choose('lines', others, guess(others, /line|item|detail|pos/i));
  const inLines = columnsOf(lines);
  const linesColumn = said('lines-column');
  if (linesColumn === undefined) {
    const likely = inLines.find((column) => own.includes(column) && column !== 'id');
    return choose('lines-column', inLines, likely ?? guess(inLines, /invoice|parent|header/i), {
      table: lines,
      header,
    });
  }
  if (said('header-column') === undefined) {
    const same = own.find((column) => column === linesColumn) ?? keyOf(header);
    return choose('header-column', own, same, { table: header });
  }
  const customer = said('customer');
  if (customer === undefined) {
    const rest = others.filter((name) => name !== lines);
    return choose('customer', [noTable, ...rest], guess(rest, /customer|client|debtor|kunde/i));
  }
  if (customer === noTable) return undefined;
  const customerColumn = said('customer-column');
  if (customerColumn === undefined) {
    const likely = guess(own, /customer|client|debtor|kunde/i);
    return choose('customer-column', own, likely, { table: header, customer });
  }
  if (said('customer-key') === undefined) {
    const inCustomer = columnsOf(customer);
    const same = inCustomer.find((column) => column === customerColumn) ?? keyOf(customer);
    return choose('customer-key', inCustomer, same, { table: customer, column: customerColumn });
  }
  return undefined;
}

function guess(names: readonly string[], form: RegExp): string | undefined {
  return names.find((name) => form.test(name));
}

function choose(
  part: string,
  names: readonly string[],
  likely: string | undefined,
  values: Readonly<Record<string, string>> = {},
): Step {
  const key = `hand.${part}` as TextKey;
  const first = likely ?? names[0];
  return ask({
    id: key,
    kind: 'choice',
    message: say(key, values),
    why: say(`${key}.why` as TextKey, values),
    ...(first !== undefined && { default: first }),
    choices: names.map((value) => ({
      value,
      name: value === noTable ? say('hand.customer.none') : value,
    })),
  });
}

/** The sections of what was chosen; empty before that. */
export function handSections(state: State): Readonly<Record<string, object>> {
  const said = (id: string) => answer(state, `hand.${id}`) ?? '';
  const [header, number, lines, customer] = ['header', 'number', 'lines', 'customer'].map(said);
  if (!header || !number || !lines || !customer) return {};
  const [column, key] = [said('lines-column'), said('customer-key')];
  const listed = finding(state, 'tables');
  const tables = listed?.kind === 'tables' ? listed.tables : [];
  // The first column of a table is its key more often than any other.
  const lineKey = tables.find(({ name }) => name === lines)?.columns[0] ?? column;
  return {
    header: { table: header, key: number, match: number },
    lines: { table: lines, key: lineKey, match: column, matchFrom: said('header-column') },
    ...(customer !== noTable && {
      customer: { table: customer, key, match: key, matchFrom: said('customer-column') },
    }),
  };
}
