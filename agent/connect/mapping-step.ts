import { editDistance } from '@drawbridge/explanations/edit-distance.ts';
import { profileById } from '@drawbridge/profiles/registry.ts';
import { faultQuestion, stillOpen, trialOf } from './company-step.ts';
import type { FieldChange } from './mapping-changes.ts';
import { answer, finding, type State, success } from './state.ts';
import { ask, type Question, type Step, work } from './step.ts';
import { say } from './texts.ts';
import type { OpenField, TriedMapping } from './work.ts';

/** What means what? Only what needs a person is asked, and the rest is taken. */
export function mappingStep(state: State): Step | undefined {
  const proposed = success(state, 'proposed');
  const open = fieldsOf(state, proposed);
  for (const field of open) {
    if (answer(state, `field.${field.path}`) === undefined) {
      return ask(fieldQuestion(field, proposed, isFirst(state, open) ? summary(proposed) : []));
    }
  }
  for (const { target, value, question } of valuesOf(state, proposed)) {
    if (answer(state, valueId(target, value)) === undefined) return ask(question);
  }
  const tried = finding(state, 'tried');
  if (tried === undefined) {
    return tryAgain('tried', state, proposed, changesOf(state, proposed));
  }
  return tried.kind === 'fault' ? ask(faultQuestion(tried, 'tried', [])) : mending(state, tried);
}

/** What rules refuse is mended where a person can say a value, and tried once more. */
function mending(state: State, tried: TriedMapping): Step | undefined {
  const proposed = success(state, 'proposed');
  const lacking = tried.lacking.filter(({ path }) => !isAsked(state, proposed, path));
  if (lacking.length + tried.unrounded.length + tried.refusing.length === 0) return undefined;
  for (const field of lacking) {
    if (answer(state, `field.${field.path}`) !== undefined) continue;
    const help = say('lacking.why', { help: field.help });
    return ask(fieldQuestion({ ...field, help }, proposed, []));
  }
  for (const target of tried.unrounded) {
    if (answer(state, `round.${target}`) === undefined) return ask(roundQuestion(target));
  }
  for (const target of tried.refusing) {
    if (answer(state, `leave.${target}`) === undefined) return ask(leaveQuestion(target, tried));
  }
  const retried = finding(state, 'retried');
  if (retried !== undefined) {
    return retried.kind === 'fault' ? ask(faultQuestion(retried, 'retried', [])) : undefined;
  }
  const said = lacking.map(({ path }) => changeOf(state, proposed, path));
  const rounds = tried.unrounded.flatMap((target): FieldChange[] =>
    answer(state, `round.${target}`) === 'yes' ? [{ kind: 'round', target }] : [],
  );
  const left = tried.refusing.flatMap((target): FieldChange[] =>
    answer(state, `leave.${target}`) === 'yes' ? [{ kind: 'none', target }] : [],
  );
  return tryAgain('retried', state, tried, [...said, ...rounds, ...left]);
}

function tryAgain(
  id: 'tried' | 'retried',
  state: State,
  { mapping }: TriedMapping,
  changes: readonly FieldChange[],
): Step {
  return work({ id, trial: trialOf(state), ...(mapping !== undefined && { mapping }), changes });
}

function isAsked(state: State, proposed: TriedMapping, path: string): boolean {
  return fieldsOf(state, proposed).some((field) => field.path === path);
}

function roundQuestion(target: string): Question {
  return {
    id: `round.${target}`,
    kind: 'choice',
    message: say('round', { target }),
    why: say('round.why'),
    default: 'yes',
    choices: [
      { value: 'yes', name: say('right.yes') },
      { value: 'no', name: say('round.no') },
    ],
  };
}

function leaveQuestion(target: string, { refusals }: TriedMapping): Question {
  return {
    ...roundQuestion(target),
    id: `leave.${target}`,
    message: say('leave', { target }),
    why: say('leave.why'),
    says: refusals.map((refusal) => say('preview.refusal', { ...refusal })),
  };
}

/** The mapping as it was tried last. */
export function triedOf(state: State): TriedMapping {
  return success(state, finding(state, 'retried') === undefined ? 'tried' : 'retried');
}

/** The company profile fills some. */
function fieldsOf(state: State, { open }: TriedMapping): readonly OpenField[] {
  const { profile, company } = trialOf(state);
  const left = new Set(
    stillOpen(
      open.map(({ path }) => path),
      company,
      profile,
    ),
  );
  return open.filter(({ path }) => left.has(path) && !isWithEndpoint(path, left));
}

/** A scheme is said with its address. */
function isWithEndpoint(path: string, left: ReadonlySet<string>): boolean {
  return path.endsWith('.endpoint_scheme') && left.has(path.replace(/_scheme$/, ''));
}

function isFirst(state: State, open: readonly OpenField[]): boolean {
  return open.every(({ path }) => answer(state, `field.${path}`) === undefined);
}

const leave = '-';
const namesMax = 8;

function summary({ sure, unsure, columns }: TriedMapping): readonly string[] {
  return [
    say('meaning', { sure, columns: columns.length }),
    ...(unsure.length === 0
      ? []
      : [
          say('meaning.unsure', {
            count: unsure.length,
            targets: unsure.slice(0, namesMax).join(', '),
          }),
        ]),
    say('meaning.columns'),
    '',
  ];
}

function fieldQuestion(
  { path, name, help, from }: OpenField,
  { columns }: TriedMapping,
  says: readonly string[],
): Question {
  const places = new Map(columns.map(({ place, sample }) => [place, sample]));
  const sample = from === undefined ? '' : (places.get(from) ?? '');
  return {
    id: `field.${path}`,
    kind: 'text',
    message:
      from === undefined ? missingText(path, name) : say('field.from', { name, from, sample }),
    why: say('field.why', { help }),
    default: from ?? leave,
    ...(says.length > 0 && { says }),
    problem: (text) => columnProblem({ path, name }, text, [...places.keys()]),
  };
}

/** They differ from invoice to invoice: a value for all would give each the same. */
const eachItsOwn: ReadonlySet<string> = new Set(['number', 'issue_date']);

/** A mistyped column would be a value of all invoices. */
function columnProblem(
  { path, name }: Pick<OpenField, 'path' | 'name'>,
  text: string,
  columns: readonly string[],
): string | undefined {
  if (text === leave || columns.includes(text)) return undefined;
  const near = (to: string) => ({ columns: nearestColumns(to, columns).join(', ') });
  if (looksLikeColumn(text, columns)) return say('field.no-column', { text, ...near(text) });
  return eachItsOwn.has(path) ? say('field.each-its-own', { name, ...near(path) }) : undefined;
}

function looksLikeColumn(text: string, columns: readonly string[]): boolean {
  const typed = text.toLowerCase();
  const [section] = typed.split('.');
  // An address of e-mail may begin with the name of a section.
  const isOfSection = typed.includes('.') && !typed.includes('@');
  return columns.some((place) => {
    const known = place.toLowerCase();
    const bare = bareColumn(known);
    if (isOfSection && known.startsWith(`${section}.`)) return true;
    if (isOfSection && isClose(typed, known)) return true;
    return isClose(typed, bare);
  });
}

/** One letter in five may be wrong: fewer would take short words for each other. */
function isClose(typed: string, known: string): boolean {
  return editDistance(typed, known) <= Math.floor(typed.length / 5);
}

function bareColumn(place: string): string {
  return place.slice(place.indexOf('.') + 1);
}

const nearestMax = 3;

function nearestColumns(text: string, columns: readonly string[]): readonly string[] {
  const typed = text.toLowerCase();
  const distance = (place: string) => {
    const known = place.toLowerCase();
    return Math.min(editDistance(typed, known), editDistance(typed, bareColumn(known)));
  };
  return columns.toSorted((one, other) => distance(one) - distance(other)).slice(0, nearestMax);
}

function missingText(path: string, name: string): string {
  return say('field', { name: path.endsWith('.endpoint') ? say('scheme', { name }) : name });
}

/** Values of columns that must hold codes, of which nobody knows the code. */
function valuesOf(state: State, { values }: TriedMapping) {
  const { profile } = trialOf(state);
  const lists = profileById(profile)!.codeLists.billing;
  return values.flatMap(({ target, values: count, recognised, unrecognised, list }) =>
    unrecognised.slice(0, valuesMax).map((value) => {
      const codes = lists[list.replaceAll(' ', '-')];
      const question: Question = {
        id: valueId(target, value),
        kind: 'text',
        message: say('value', { value: value.slice(0, valueLengthMax), target }),
        why: say('value.why', { list, values: count, recognised }),
        default: leave,
        problem: (text) =>
          text === leave || codes?.has(text) === true ? undefined : say('value.code', { list }),
      };
      return { target, value, question };
    }),
  );
}

/** Values that are asked for one by one; a source with more has something else in the column. */
const valuesMax = 5;
const valueLengthMax = 60;

function valueId(target: string, value: string): string {
  return `value.${target}.${value.slice(0, valueLengthMax)}`;
}

function changesOf(state: State, proposed: TriedMapping): readonly FieldChange[] {
  const dropped = proposed.unsure.map((target): FieldChange => ({ kind: 'none', target }));
  const fields = fieldsOf(state, proposed).flatMap(({ path }) =>
    changesOfField(state, proposed, path),
  );
  const values = proposed.values.flatMap(({ target, unrecognised }): FieldChange[] => {
    const said = unrecognised.flatMap((value) => {
      const code = answer(state, valueId(target, value)) ?? leave;
      return code === leave ? [] : [[value, code] as const];
    });
    return said.length === 0 ? [] : [{ kind: 'values', target, values: Object.fromEntries(said) }];
  });
  return [...dropped, ...fields, ...values];
}

/** An address in a network may be said together with its scheme. */
function changesOfField(state: State, proposed: TriedMapping, path: string): FieldChange[] {
  const said = /^(\d{4}):(\S+)$/.exec(answer(state, `field.${path}`) ?? '');
  if (!path.endsWith('.endpoint') || said === null) return [changeOf(state, proposed, path)];
  return [
    { kind: 'constant', target: path, value: said[2]! },
    { kind: 'constant', target: `${path}_scheme`, value: said[1]! },
  ];
}

function changeOf(state: State, { columns }: TriedMapping, target: string): FieldChange {
  const said = answer(state, `field.${target}`) ?? leave;
  if (said === leave) return { kind: 'none', target };
  if (columns.every(({ place }) => place !== said))
    return { kind: 'constant', target, value: said };
  const at = said.indexOf('.');
  return { kind: 'column', target, section: said.slice(0, at), column: said.slice(at + 1) };
}
