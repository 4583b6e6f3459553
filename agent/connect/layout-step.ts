import type { ConnectorFault, LayoutProposal } from '@drawbridge/connectors/contract.ts';
import { connectorName } from '../store/connectors.ts';
import { documentLines } from './document-lines.ts';
import { filesByHand, handLayout } from './files-by-hand.ts';
import { grantsOf, nameOf, sourceOf } from './source-step.ts';
import { answer, finding, type State, success } from './state.ts';
import { ask, type Choice, type Question, type Step, work } from './step.ts';
import { byHand, handChosen, handSections } from './tables-by-hand.ts';
import { say, type TextKey } from './texts.ts';
import type { Discovered, FoundDocuments, FoundSource, RemoteFault, Source } from './work.ts';

/** What are the invoices? Proposed, shown with real documents, and confirmed; undefined when it is kept. */
export function layoutStep(state: State): Step | undefined {
  const found = success(state, 'source');
  const choosing = found.kind === 'discovered' ? chooseTables(state, found) : undefined;
  if (choosing !== undefined) return choosing;
  const read = finding(state, 'documents');
  if (read === undefined) return work({ id: 'documents', source: chosenSource(state) });
  if (answer(state, 'right') === undefined) return ask(rightQuestion(state, found, read));
  const isWritable = read.kind === 'documents' && read.writeBack === undefined;
  const isAsked = 'sections' in chosenSource(state).settings && isWritable;
  if (isAsked && answer(state, 'write-back') === undefined) return ask(writeBackQuestion());
  return keepStep(state);
}

/** Keeps it; a name that another source has is asked for anew. */
function keepStep(state: State): Step | undefined {
  const kept = finding(state, 'kept');
  const given = answer(state, 'name');
  const isRefused = kept !== undefined && 'error' in kept;
  if (kept === undefined || (isRefused && kept.name !== given)) {
    const name = { name: given ?? nameOf(state), isGiven: given !== undefined };
    return work({ id: 'kept', source: chosenSource(state), name });
  }
  return isRefused ? ask(nameQuestion(kept)) : undefined;
}

function nameQuestion({ error, cause }: RemoteFault): Question {
  return {
    id: 'name',
    kind: 'text',
    message: say('name'),
    why: say('name.why'),
    problem: (text) => (connectorName.safeParse(text).success ? undefined : say('name.why')),
    says: [cause],
    fault: { error, cause },
  };
}

function chooseTables(state: State, found: Discovered): Step | undefined {
  if (answer(state, 'header') !== handChosen) {
    return found.layouts.length > 0 ? undefined : ask(nothingQuestion(state, found));
  }
  if (!found.isDatabase) return sayLayout(state, found);
  const listed = finding(state, 'tables');
  if (listed === undefined) return work({ id: 'tables', source: sourceOf(state) });
  if (listed.kind === 'tables') return byHand(state, listed.tables);
  return ask({ ...nothingQuestion(state, found), ...faultOf(state, listed.fault) });
}

function sayLayout(state: State, found: Discovered): Step | undefined {
  const read = finding(state, 'rows');
  if (read === undefined) return work({ id: 'rows', source: sourceOf(state) });
  if (read.kind === 'rows') return filesByHand(state, read.rows);
  return ask({ ...nothingQuestion(state, found), ...faultOf(state, read.fault) });
}

function nothingQuestion(state: State, found: Discovered): Question {
  const { places, alternatives, notes, product, isDatabase } = found;
  const again = { value: 'again', name: say('mend.again'), leads: { forgets: 'source' } };
  const address = { value: 'address', name: say('mend.address'), leads: { forgets: 'address' } };
  if (!isDatabase) {
    const told = [...besideLines(state), `${product}.`, ...notes];
    return {
      id: 'none',
      kind: 'choice',
      message: say('mend'),
      why: say('mend.why'),
      default: again.value,
      choices: [again, handChoice(state, 'right.by-hand-file'), address],
      says: told,
      fault: { error: 'connector_failed', cause: told.join(' ') },
    };
  }
  const isSeen = places > 0;
  const script = isSeen ? undefined : grantsOf(sourceOf(state));
  const nothing = say(script === undefined ? 'no-tables.file' : 'no-tables');
  const cause = isSeen ? notes.join(' ') : nothing;
  const hand = handChoice(state, 'mend.by-hand');
  const choices = isSeen ? [...alternatives.map(headerChoice), hand, address] : [again, address];
  return {
    id: 'none',
    kind: 'choice',
    message: say('mend'),
    why: say('mend.why'),
    default: choices[0]!.value,
    choices,
    says: [...(isSeen ? notes : [cause]), ...scriptLines(script)],
    fault: { error: 'connector_failed', cause },
  };
}

function headerChoice(table: string): Choice {
  const leads = { forgets: 'source', answers: { header: table } };
  return { value: table, name: say('right.other', { table }), leads };
}

function handChoice(state: State, text: TextKey): Choice {
  const leads = { forgets: layoutBegin(state), answers: { header: handChosen } };
  return { value: 'by-hand', name: say(text), leads };
}

/** What is forgotten for another layout: also what was said by hand. */
function layoutBegin(state: State): string {
  return answer(state, 'header') === handChosen ? 'header' : 'documents';
}

/** The source with how its documents are read. */
function chosenSource(state: State): Source {
  const source = sourceOf(state);
  const layout = chosenLayout(state);
  if (layout === undefined) return source;
  if (!('sections' in layout)) return { ...source, settings: { ...source.settings, ...layout } };
  // Before it is asked, the rights to write are looked at, and nothing is written.
  const isOpen = finding(state, 'documents') === undefined;
  const mode = isOpen || answer(state, 'write-back') === 'yes' ? 'side-table' : 'none';
  return { ...source, settings: { ...source.settings, ...layout, writeBack: { mode } } };
}

function chosenLayout(state: State): LayoutProposal['layout'] | undefined {
  const found = finding(state, 'source');
  if (found?.kind !== 'discovered') return undefined;
  if (answer(state, 'header') === handChosen) {
    return found.isDatabase ? { sections: handSections(state) } : handLayout(state);
  }
  return proposalOf(state, found)?.layout;
}

function proposalOf(state: State, { layouts }: Discovered): LayoutProposal | undefined {
  return layouts.find(({ title }) => title === answer(state, 'layout')) ?? layouts[0];
}

function rightQuestion(state: State, found: FoundSource, read: FoundDocuments): Question {
  const isNothing = read.kind === 'fault' || read.documents.length === 0;
  const address = { value: 'address', name: say('mend.address'), leads: { forgets: 'address' } };
  const again = { value: 'again', name: say('mend.again'), leads: { forgets: 'documents' } };
  const first: Choice = isNothing ? again : { value: 'yes', name: say('right.yes') };
  const others = found.kind === 'discovered' ? otherChoices(state, found) : [];
  const question: Question = {
    id: 'right',
    kind: 'choice',
    message: say(isNothing ? 'mend' : 'right'),
    why: say(isNothing ? 'mend.why' : 'right.why'),
    default: first.value,
    choices: [first, ...others, address],
  };
  const before = found.kind === 'discovered' ? foundLines(state, found) : [];
  if (read.kind === 'fault') {
    const { says, fault } = faultOf(state, read.fault);
    return { ...question, says: [...before, '', ...says], fault };
  }
  if (read.documents.length === 0) {
    const cause = say('documents.none');
    return {
      ...question,
      says: [...before, '', cause],
      fault: { error: 'connector_failed', cause },
    };
  }
  return { ...question, says: [...before, '', ...documentsLines(read)] };
}

function otherChoices(state: State, found: Discovered): Choice[] {
  const chosen = proposalOf(state, found)?.title;
  const layouts = found.layouts
    .filter(({ title }) => title !== chosen)
    .map(({ title }): Choice => {
      const leads = { forgets: layoutBegin(state), answers: { layout: title } };
      return { value: title, name: say('right.layout', { title }), leads };
    });
  const isTables = found.layouts.some(({ layout }) => 'sections' in layout);
  const hand = isTables
    ? [handChoice(state, 'right.by-hand')]
    : found.isDatabase
      ? []
      : [handChoice(state, 'right.by-hand-file')];
  return [...layouts, ...found.alternatives.map(headerChoice), ...hand];
}

const notesMax = 4;

function foundLines(state: State, found: Discovered): string[] {
  const proposal = answer(state, 'header') === handChosen ? undefined : proposalOf(state, found);
  const { product, places, isDatabase } = found;
  const told = isDatabase ? say('found.source', { product, places }) : product;
  const sections = sectionsLine(chosenLayout(state)?.sections);
  const reasons = isDatabase ? [] : Object.values(proposal?.reasons ?? {});
  const notes = [...found.notes, ...(proposal?.notes ?? [])];
  const left = notes.length - notesMax;
  return [
    ...besideLines(state),
    proposal === undefined ? `${told}.` : `${told}. ${proposal.title}`,
    ...(sections === undefined ? [] : [sections]),
    ...reasons,
    ...notes.slice(0, notesMax).map((note) => say('note', { note })),
    ...(left > 0 ? [say('notes', { count: left })] : []),
  ];
}

/** Who named one file is told which others are read with it. */
function besideLines(state: State): string[] {
  const beside = finding(state, 'path')?.beside;
  return beside === undefined ? [] : [say('path.beside', beside)];
}

interface ShownSection {
  readonly table?: string;
  readonly where?: Readonly<Record<string, string | null>>;
}

function sectionsLine(sections: unknown): string | undefined {
  if (sections === undefined) return undefined;
  const all = Object.entries(sections as Readonly<Record<string, ShownSection>>);
  return say('sections', { sections: all.map(sectionText).join(', ') });
}

function sectionText([name, { table = '', where = {} }]: [string, ShownSection]): string {
  const section = say('section', { name, table });
  const filters = Object.entries(where).map(([column, value]) =>
    value === null ? say('filter.empty', { column }) : say('filter', { column, value }),
  );
  return filters.length === 0
    ? section
    : say('section.where', { section, filters: filters.join(' and ') });
}

function documentsLines(read: Extract<FoundDocuments, { kind: 'documents' }>): string[] {
  const { documents, writeBack } = read;
  return [
    say('documents', { count: documents.length }),
    '',
    ...documents.flatMap((document) => [...documentLines(document), '']),
    ...(writeBack === undefined ? [] : [say('write-back.lacking', { message: writeBack }), '']),
  ];
}

function faultOf(state: State, { code, message }: ConnectorFault) {
  const script = code === 'access_denied' ? grantsOf(chosenSource(state)) : undefined;
  const cause = script === undefined ? message : say('may-not-read', { message });
  return {
    says: [cause, ...scriptLines(script)],
    fault: { error: 'connector_failed', cause: `${message} (${code})` },
  } as const;
}

/** A script with an empty line around it. */
function scriptLines(script: string | undefined): string[] {
  return script === undefined ? [] : ['', ...script.trimEnd().split('\n'), ''];
}

function writeBackQuestion(): Question {
  return {
    id: 'write-back',
    kind: 'choice',
    message: say('write-back'),
    why: say('write-back.why'),
    default: 'yes',
    choices: [
      { value: 'yes', name: say('write-back.yes') },
      { value: 'no', name: say('write-back.no') },
    ],
  };
}
