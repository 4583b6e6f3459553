import { profileById } from '@drawbridge/profiles/registry.ts';
import { describe, expect, test } from 'vitest';
import type { Runtime } from '../runtime.ts';
import type { Settings } from '../settings.ts';
import type { Home } from '../store/home.ts';
import { unknownQuestion } from './known-questions.ts';
import { nextStep } from './next-step.ts';
import { refusingFields, unroundedFields } from './refused-fields.ts';
import { runConnect } from './run.ts';
import { answer, begin, forget, type State, withEntry } from './state.ts';
import type { Question, Step } from './step.ts';
import type { TriedMapping } from './work.ts';

type Values = Readonly<Record<string, unknown>>;

/** A state in which all of that was found and answered, in that order. */
function stateOf(found: Values, answered: Readonly<Record<string, string>> = {}): State {
  const begun = withEntry(begin, { id: 'address', value: './erp.db', by: 'command line' });
  const after = Object.entries(found).reduce(
    (state, [id, value]) => withEntry(state, { id, value, by: 'work' }),
    withEntry(begun, { id: 'right', value: 'yes', by: 'command line' }),
  );
  return Object.entries(answered).reduce(
    (state, [id, value]) => withEntry(state, { id, value, by: 'command line' }),
    after,
  );
}

const source = {
  path: { kind: 'file', connector: 'sqlite', path: '/erp.db' },
  source: { kind: 'plain' },
  documents: { kind: 'documents', documents: [] },
  kept: { name: 'erp' },
};
const enrolled: Values = { ...source, identity: { isEnrolled: true, hasKey: true } };
const known: Values = { ...enrolled, remote: { kind: 'company', url: 'https://x', company: {} } };

const nothing: TriedMapping = {
  kind: 'mapping',
  sure: 3,
  open: [],
  unsure: [],
  values: [],
  columns: [],
  documents: { read: 1, passed: 1, refused: 0 },
  refusals: [],
  objections: [],
  lacking: [],
  unrounded: [],
  refusing: [],
};
const column = (place: string) => ({ place, sample: 'x' });
const columns = ['header.InvoiceNo', 'header.Date', 'customer.Name', 'lines.Qty'].map(column);
const open = (path: string) => [{ path, name: path, help: '' }];

function questionOf(step: Step): Question {
  if (step.kind !== 'ask') throw new Error(`no question, but ${JSON.stringify(step)}`);
  return step.question;
}

/** Without a terminal; the state is what was kept last. */
async function connect(state: State, given: Readonly<Record<string, string>>, yes: boolean) {
  const kept: State[] = [];
  const home = { connecting: { write: (one: State) => kept.push(one), remove() {} } };
  const context = {
    home: home as unknown as Home,
    runtime: {} as Runtime,
    settings: {} as Settings,
  };
  const outcome = await runConnect(context, state, { given, yes, isInteractive: false });
  const cause = outcome.kind === 'failed' ? outcome.cause : '';
  return { outcome, cause, state: kept.at(-1) ?? state };
}

describe('a profile is proposed only where the company or other sources say it', () => {
  const company = (values: Values) => ({
    ...source,
    source: {
      kind: 'discovered',
      layouts: [],
      notes: [],
      alternatives: [],
      product: 'x',
      isDatabase: false,
      places: 1,
      company: Object.entries(values).map(([field, value]) => ({ field, value, from: 'firm' })),
    },
  });
  const identity = (values: Values) => ({ isEnrolled: true, hasKey: true, ...values });
  test.each([
    ['nothing is known', source, {}, undefined],
    ['the source has a Belgian number', company({ vat: 'BE0403019261' }), {}, 'BIS-3.0'],
    ['the source is in the UAE', company({ country: 'AE' }), {}, 'PINT-AE'],
    ['the company is in Malaysia', source, { country: 'MY' }, 'PINT-MY'],
    ['other sources have one', source, { profile: 'PINT-AE' }, 'PINT-AE'],
    ['the company is elsewhere', source, { country: 'US' }, undefined],
  ])('%s', (_, found, said, profile) => {
    const read = { documents: { kind: 'documents', documents: [{}] } };
    const isLaidOut = 'company' in found.source;
    const all = { ...found, ...(isLaidOut && { source: { ...found.source, layouts: [{}] } }) };
    const state = stateOf({ ...all, ...read, identity: identity(said) });
    const question = questionOf(nextStep(state));
    expect(question).toMatchObject({ id: 'profile' });
    expect(question.default).toBe(profile);
  });

  test('--yes takes none by itself', async () => {
    const { cause } = await connect(stateOf(enrolled), {}, true);
    expect(cause).toMatch(
      /question "profile" is open: .*later\)\. Answer it by `--answer profile=…`\./,
    );
    expect(cause).not.toContain('--yes');
  });
});

describe('a field is a column of the source or a value for all invoices', () => {
  test.each([
    ['number', 'header.InvoiceNo', undefined],
    ['number', '-', undefined],
    ['number', 'header.Invoise', /looks like a column.*Near to it: header\.InvoiceNo/],
    ['number', 'InvoiceNo', /looks like a column.*header\.InvoiceNo/],
    ['number', 'INV-7', /Each invoice has its own number: name a column/],
    ['issue_date', '2026-01-01', /Each invoice has its own issue_date/],
    ['buyer.name', 'Nmae', undefined],
    ['buyer.name', 'hedaer.InvoiceNo', /looks like a column/],
    ['buyer.name', 'InvoiceNr', /looks like a column.*header\.InvoiceNo/],
    ['buyer.name', 'Acme Ltd.', undefined],
    ['buyer.electronic_mail', 'customer.service@acme.example', undefined],
    ['buyer.endpoint', '0208:0403019261', undefined],
    ['buyer_reference', 'none', undefined],
  ])('%s = %s', (path, text, problem) => {
    const state = stateOf(
      { ...known, proposed: { ...nothing, columns, open: open(path) } },
      { profile: 'PINT-MY' },
    );
    const told = questionOf(nextStep(state)).problem!(text);
    if (problem === undefined) expect(told).toBeUndefined();
    else expect(told).toMatch(problem);
  });
});

describe('answers of the command line', () => {
  test.each([
    ['nonsense', /no such question\.$/],
    ['profil', /Perhaps profile/],
    ['company.vta', /Perhaps company\.vat/],
    ['field.numbr', /Perhaps field\.number/],
    ['obj_1', undefined],
    ['field.lines[].tax.category', undefined],
    ['value.lines[].unit.Box', undefined],
    ['hand.row-is', undefined],
  ])('%s', (id, problem) => {
    const told = unknownQuestion(id);
    if (problem === undefined) expect(told).toBeUndefined();
    else expect(told).toMatch(problem);
  });

  test('an answer that is given anew takes the place of the old one, and what hangs on it is asked again', async () => {
    const answered = { profile: 'PINT-MY', 'field.number': 'header.InvoiceNo' };
    const proposed = { ...nothing, columns, open: [...open('number'), ...open('due_date')] };
    const before = stateOf({ ...known, proposed }, answered);
    const { state, cause } = await connect(before, { 'field.number': 'header.Date' }, false);
    expect(answer(state, 'field.number')).toBe('header.Date');
    expect(cause).toMatch(/question "field\.due_date" is open.*or take what is proposed/);
    const same = await connect(before, { 'field.number': 'header.InvoiceNo' }, false);
    expect(same.state).toBe(before);
  });
});

test.each(['BIS-3.0-BR-DEC-12', 'BIS-3.0-UBL-DT-01', 'PINT-AE-ibr-123'])(
  'an amount that %s refuses for its decimals is offered to be rounded, not to be left out',
  (rule) => {
    const from = { section: 'header', column: 'net' };
    const mapping = { fields: [{ target: 'totals.net', from, status: 'proposed' as const }] };
    const refused = {
      connector: 'erp',
      origin: 'invoice',
      column: 'net',
      key: '1',
      value: '1.005',
    };
    const example = { source_ref: '1', source: refused };
    const refusals = [{ rule, field: '/', message: '', documents: 1, example }];
    expect(unroundedFields(mapping, refusals)).toEqual(['totals.net']);
    expect(refusingFields(mapping, profileById('BIS-3.0')!, refusals)).toEqual([]);
  },
);

describe('what is taken back leaves nothing in the mapping', () => {
  test('a further try begins with what was tried before', () => {
    const mapping = { fields: [{ target: 'number', value: '1', status: 'proposed' as const }] };
    const first = stateOf({ ...known, proposed: { ...nothing, mapping } }, { profile: 'PINT-MY' });
    expect(nextStep(first)).toMatchObject({ work: { id: 'tried', mapping } });
    const tried = { ...nothing, mapping, unrounded: ['lines[].net_amount'] };
    const second = stateOf(
      { ...known, proposed: nothing, tried },
      { profile: 'PINT-MY', 'round.lines[].net_amount': 'no' },
    );
    expect(nextStep(second)).toMatchObject({ work: { id: 'retried', mapping, changes: [] } });
  });

  test('the draft of another profile is named, so that it is removed', () => {
    const chosen = stateOf(known, { profile: 'PINT-MY' });
    const drafted = withEntry(chosen, { id: 'proposed', value: nothing, by: 'work' });
    const back = forget(drafted, 'profile', new Set());
    const again = withEntry(back, { id: 'profile', value: 'PINT-AE', by: 'person' });
    expect(nextStep(again)).toMatchObject({
      work: { id: 'proposed', trial: { profile: 'PINT-AE' }, earlier: 'PINT-MY' },
    });
  });
});

describe('what a company says is held to the rules of the control plane', () => {
  const ask = (id: string, answered: Readonly<Record<string, string>>) => {
    const path = { vat: 'seller.trn', default_currency: 'currency' }[id]!;
    const proposed = { ...nothing, open: open(path) };
    const said = Object.entries(answered).map(([name, value]) => [`company.${name}`, value]);
    const state = stateOf(
      { ...known, proposed },
      { profile: 'BIS-3.0', ...Object.fromEntries(said) },
    );
    const question = questionOf(nextStep(state));
    expect(question.id).toBe(`company.${id}`);
    return question.problem!;
  };
  test.each([
    ['vat', 'BE0000000000', /VAT number must be BE and ten digits/],
    ['vat', 'BE0403019261', undefined],
    ['default_currency', 'XXX', /ISO 4217/],
    ['default_currency', 'EUR', undefined],
  ])('%s = %s', (id, text, problem) => {
    const told = ask(id, id === 'vat' ? {} : { vat: 'BE0403019261' })(text);
    if (problem === undefined) expect(told).toBeUndefined();
    else expect(told).toMatch(problem);
  });

  test('what it refuses all the same is answered anew, by the question that it follows from', () => {
    const cause = '"endpoint_id" must be ten digits';
    const company = { kind: 'fault', error: 'api_refused', cause, refused: ['endpoint_id'] };
    const state = stateOf(
      { ...known, proposed: nothing, company },
      { profile: 'BIS-3.0', 'company.vat': 'BE0403019261' },
    );
    expect(questionOf(nextStep(state))).toMatchObject({
      default: 'company.vat',
      fault: { cause: `${cause} Answer it anew: \`--answer company.vat=…\`` },
      choices: [{ value: 'company.vat', leads: { forgets: 'company.vat' } }, {}, {}],
    });
  });
});

test('a name that another source has is asked for anew', () => {
  const { kept: _, ...unkept } = source;
  const kept = { kind: 'fault', error: 'name_taken', cause: 'taken', name: 'erp' };
  const refused = { ...unkept, kept };
  const state = stateOf(refused, { name: 'erp' });
  expect(questionOf(nextStep(state))).toMatchObject({ id: 'name', fault: { error: 'name_taken' } });
  const other = withEntry(state, { id: 'name', value: 'shop', by: 'person' });
  expect(nextStep(other)).toMatchObject({
    work: { id: 'kept', name: { name: 'shop', isGiven: true } },
  });
});

test('a key of another address leads to a question for the address', () => {
  const remote = { kind: 'fault', error: 'api_address_other', cause: 'It is of the sandbox.' };
  const state = stateOf({ ...enrolled, remote }, { profile: 'BIS-3.0' });
  expect(questionOf(nextStep(state))).toMatchObject({ id: 'url' });
  const said = withEntry(state, { id: 'url', value: 'https://sandbox', by: 'person' });
  expect(nextStep(said)).toMatchObject({
    work: { id: 'remote', access: { url: 'https://sandbox' } },
  });
});

describe('at the end', () => {
  const approved = { kind: 'approved', connectorId: 'c1' };
  function said(policy: Values, accepted: Values = approved): string {
    const found = { ...known, proposed: nothing, tried: { ...nothing }, accepted, policy };
    const step = nextStep(stateOf(found, { profile: 'PINT-MY', policy: 'release' }));
    return step.kind === 'end' ? step.says.join('\n') : '';
  }

  test.each([
    [{ kind: 'set', from: '2026-11-29' }, /is watched.*2026-11-29.*edit erp --no-watch/],
    [{ kind: 'set' }, /is not watched.*edit erp --watch/],
  ])('it is said whether the source is watched: %o', (policy, text) => {
    expect(said(policy)).toMatch(text);
  });

  test('of a document that is not accepted it is said why, and that the mapping is approved', () => {
    const why = 'PINT-MY-DUPLICATE: It was submitted before.';
    const accepted = { kind: 'not-accepted', connectorId: 'c1', ref: 'INV-7', why };
    expect(said({ kind: 'set' }, accepted)).toMatch(
      /^The mapping is approved\. Invoice INV-7 .*was not accepted.*: PINT-MY-DUPLICATE: It was/,
    );
  });

  test('the way to live names the company profile there, a hold, and what was told before', () => {
    const way = said({ kind: 'set' });
    expect(way).toContain('PUT /v1/company with a live key');
    expect(way).toMatch(/PATCH \/v1\/connectors\/c1 with a live key, .*"hold":"release"/);
    expect(way).toContain('drawbridge cursor rewind erp --to start --send-again');
    expect(way).not.toContain('approve the mapping');
  });
});
