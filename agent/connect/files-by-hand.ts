import { lineColumnsOf } from '@drawbridge/mapping/discovery/line-columns.ts';
import { answer, finding, type State } from './state.ts';
import { ask, type Choice, type Step } from './step.ts';
import { say } from './texts.ts';

const noRow = '0';
const rowLengthMax = 80;

/** How a person says that files are laid out; undefined when all is said. */
export function filesByHand(state: State, rows: readonly (readonly string[])[]): Step | undefined {
  if (answer(state, 'hand.names-row') === undefined) return askNamesRow(rows);
  if (answer(state, 'hand.row-is') === undefined) {
    return askChoice('hand.row-is', ['line', 'invoice', 'file'], 'line', (value) =>
      say(`hand.row-is.${value}`),
    );
  }
  const isAsked = answer(state, 'hand.row-is') !== 'file';
  if (!isAsked || answer(state, 'hand.number-column') !== undefined) return undefined;
  const columns = columnsOf(state, rows);
  const likely = columns.find((column) =>
    /invoice.*(no|num|nr|id)|number|rechnung|fact|ref/i.test(column),
  );
  return askChoice('hand.number-column', columns, likely ?? columns[0]!);
}

function askNamesRow(rows: readonly (readonly string[])[]): Step {
  const filled = rows.map((cells) => cells.filter((cell) => cell !== '').length);
  const likely = filled.indexOf(Math.max(...filled)) + 1;
  const numbers = rows.map((_, at) => String(at + 1));
  return askChoice('hand.names-row', [...numbers, noRow], String(likely), (value) =>
    value === noRow
      ? say('hand.names-row.none')
      : `${value}: ${rows[Number(value) - 1]!.join(' | ').slice(0, rowLengthMax)}`,
  );
}

type Key = 'hand.names-row' | 'hand.row-is' | 'hand.number-column';

function askChoice<Value extends string>(
  id: Key,
  values: readonly Value[],
  proposed: Value,
  nameOf: (value: Value) => string = (value) => value,
): Step {
  const choices = values.map((value): Choice => ({ value, name: nameOf(value) }));
  return ask({
    id,
    kind: 'choice',
    message: say(id),
    why: say(`${id}.why`),
    default: proposed,
    choices,
  });
}

function columnsOf(state: State, rows: readonly (readonly string[])[]): readonly string[] {
  const row = Number(answer(state, 'hand.names-row'));
  const width = Math.max(...rows.map((cells) => cells.length));
  if (row === 0) return Array.from({ length: width }, (_, at) => String(at + 1));
  return (rows[row - 1] ?? []).map((cell) => cell.trim()).filter((cell) => cell !== '');
}

/** The layout that was said. */
export function handLayout(state: State): Readonly<Record<string, unknown>> {
  const found = finding(state, 'rows');
  const rows = found?.kind === 'rows' ? found.rows : [];
  const isInvoice = answer(state, 'hand.row-is') === 'invoice';
  const lineColumns = isInvoice ? lineColumnsOf(columnsOf(state, rows)) : undefined;
  const documentColumn = answer(state, 'hand.number-column');
  return {
    kinds: ['csv', 'xlsx'],
    headerLine: Number(answer(state, 'hand.names-row')),
    ...(documentColumn !== undefined && { documentColumn }),
    ...(lineColumns !== undefined && { lineColumns }),
  };
}
