import { fields, filled } from '@drawbridge/profiles/pint-ae/fields.ts';
import { describe, expect, it } from 'vitest';
import { approve, replace, type Selection } from './approve.ts';
import { coverage } from './coverage.ts';
import type { Mapping, MappingField } from './mapping.ts';

const approver = { by: 'user_1', at: '2026-03-02T10:00:00Z' };
const isPerson = (actor: string) => actor.startsWith('user_');
const sender = { ...approver, actor: 'user_1', isPerson };

function proposed(target: string, confidence?: number): MappingField {
  const from = { section: 'header', column: target };
  return { target, from, status: 'proposed', ...(confidence === undefined ? {} : { confidence }) };
}

function states(mapping: Mapping): Record<string, string> {
  return Object.fromEntries(mapping.fields.map((field) => [field.target, field.status]));
}

describe('approval in bulk', () => {
  const mapping: Mapping = {
    fields: [
      proposed('number', 0.9),
      proposed('currency', 0.6),
      proposed('due_date'),
      {
        target: 'type_code',
        value: '380',
        status: 'approved',
        approved_by: 'user_0',
        approved_at: 'before',
      },
    ],
  };

  it.each<[string, Selection, readonly string[], readonly string[]]>([
    ['all', { kind: 'all' }, ['number', 'currency', 'due_date'], []],
    ['the sure ones', { kind: 'confidence', minimum: 0.9 }, ['number'], []],
    [
      'some by name',
      { kind: 'targets', targets: ['due_date', 'seller.name'] },
      ['due_date'],
      ['seller.name'],
    ],
  ])('takes %s', (_name, selection, approved, unknown) => {
    const outcome = approve(mapping, selection, approver);
    expect(outcome).toMatchObject({ approved, unknown });
    for (const field of outcome.mapping.fields) {
      const expected = approved.includes(field.target)
        ? approver.by
        : field.target === 'type_code'
          ? 'user_0'
          : undefined;
      expect(field.approved_by).toBe(expected);
    }
  });
});

describe("a client's own mapping", () => {
  const current: Mapping = {
    fields: [
      {
        ...proposed('number', 0.9),
        reason: 'By name.',
        status: 'approved',
        approved_by: 'user_0',
        approved_at: 'before',
      },
      {
        ...proposed('currency', 0.6),
        status: 'approved',
        approved_by: 'user_0',
        approved_at: 'before',
      },
      proposed('due_date', 0.7),
    ],
  };

  it('keeps the approval of fields with the same meaning', () => {
    const [number, currency, dueDate] = current.fields;
    expect(replace(current, current, sender).fields).toEqual([
      number,
      currency,
      { ...dueDate, proposed_by: 'user_1' },
    ]);
  });

  it('keeps the approval with any order of the members of a transform', () => {
    const field = (transform: object) =>
      ({
        ...current.fields[0]!,
        target: 'issue_date',
        transforms: [transform],
      }) as unknown as MappingField;
    const kept = { fields: [field({ kind: 'date', format: 'DMY' })] };
    const sent = { fields: [field({ format: 'DMY', kind: 'date' })] };
    expect(replace(kept, sent, sender).fields[0]).toBe(kept.fields[0]);
  });

  it('loses the approval of changed fields, unless the client approves them', () => {
    const changed = { ...proposed('currency'), value: 'AED', from: undefined } as MappingField;
    expect(states(replace(current, { fields: [changed] }, sender))).toEqual({
      currency: 'proposed',
    });
    const approved = replace(
      current,
      { fields: [{ ...changed, status: 'approved', approved_by: 'someone else' }] },
      sender,
    );
    expect(approved.fields[0]).toMatchObject({ status: 'approved', approved_by: 'user_1' });
  });

  it('can withdraw an approval, and keeps the reason of the proposal', () => {
    const { approved_by: _by, approved_at: _at, reason: _reason, ...field } = current.fields[0]!;
    const [taken] = replace(current, { fields: [{ ...field, status: 'proposed' }] }, sender).fields;
    const proposal = { status: 'proposed', reason: 'By name.', proposed_by: 'user_1' };
    expect(taken).toEqual({ ...field, ...proposal });
  });

  const by = (actor: string) => ({ by: actor, at: 'later', actor, isPerson });
  const number = (status: MappingField['status']): MappingField => ({
    ...proposed('number'),
    status,
  });

  it.each([
    ['a person', ['user_1'], 'user_1'],
    ['the first of two persons', ['user_1', 'user_2'], 'user_1'],
    ['a person, and not the key before', ['key_1', 'user_2'], 'user_2'],
    ['a person, and not the key after', ['user_1', 'key_1'], 'user_1'],
    ['a key of nobody', ['key_1', 'key_2'], 'key_1'],
  ])('was put forward by %s', (_, actors, proposer) => {
    const none: Mapping = { fields: [] };
    const sent = { fields: [number('proposed')] };
    const kept = actors.reduce((mapping, actor) => replace(mapping, sent, by(actor)), none);
    expect(kept.fields[0]!.proposed_by).toBe(proposer);
    const approved = replace(kept, { fields: [number('approved')] }, by('user_9'));
    // Who takes it over from a key has put it forward, and approved it, which may be refused.
    const behind = isPerson(proposer) ? proposer : 'user_9';
    expect(approved.fields[0]).toMatchObject({ proposed_by: behind, approved_by: 'user_9' });
  });

  it('does not believe who a client says has put it forward or approved it', () => {
    const forged = { ...number('proposed'), proposed_by: 'user_2', approved_by: 'user_2' };
    const [field] = replace({ fields: [] }, { fields: [forged] }, sender).fields;
    expect(field).toEqual({ ...number('proposed'), proposed_by: 'user_1' });
  });
});

describe('rows that are found in another way', () => {
  const approved = (target: string, section: string, more: object = {}): MappingField => ({
    target,
    from: { section, column: 'c' },
    status: 'approved',
    ...more,
  });
  const place = { column: 'c', section: 'branch' };
  const fields = [
    approved('number', 'header'),
    approved('buyer.name', 'customer'),
    approved('seller.name', 'header', { transforms: [{ kind: 'multiply', by: place }] }),
    approved('lines[].name', 'lines'),
  ];
  const link = { parent: 'header', column: 'id', parent_column: 'customer_id' };
  const current: Mapping = {
    lists: { 'lines[]': { section: 'lines' } },
    joins: { customer: link, branch: { ...link, parent: 'customer' } },
    fields,
  };
  const { customer, branch } = current.joins!;

  it.each<[string, Partial<Mapping>, readonly string[]]>([
    ['the same', {}, []],
    ['another section of a list', { lists: { 'lines[]': { section: 'items' } } }, ['lines[].name']],
    ['a list by its fields', { lists: {} }, ['lines[].name']],
    ['no joins', { joins: {} }, ['buyer.name', 'seller.name']],
    [
      'another join of what a step reads',
      { joins: { customer: link, branch: { ...link, parent_column: 'other' } } },
      ['seller.name'],
    ],
    [
      'another join in between',
      { joins: { customer: { ...link, parent_column: 'agent_id' }, branch: branch! } },
      ['buyer.name', 'seller.name'],
    ],
    [
      'joins that lead back',
      { joins: { customer: { ...link, parent: 'branch' }, branch: branch! } },
      ['buyer.name', 'seller.name'],
    ],
    [
      'a join of nothing that is read',
      { joins: { customer: customer!, branch: branch!, agent: link } },
      [],
    ],
  ])('%s', (_, change, wanted) => {
    const kept = replace(current, { ...current, ...change }, sender).fields;
    const isKept = new Set<MappingField>(fields);
    const others = kept.filter((field) => !isKept.has(field)).map(({ target }) => target);
    expect(others).toEqual(wanted);
  });
});

describe('coverage', () => {
  const given = [
    'number',
    'issue_date',
    'currency',
    'seller.trn',
    'lines[].qty',
    'lines[].description',
  ];
  const mapping: Mapping = {
    fields: [
      ...given.map((target) => ({ ...proposed(target), status: 'approved' as const })),
      proposed('lines[].unit_price'),
      proposed('notes[]'),
    ],
  };
  const covered = coverage(mapping, fields, filled);
  const stateOf = (path: string) => covered.fields.find((field) => field.path === path);

  it.each([
    ['number', 'mapped'],
    ['lines[].unit_price', 'proposed'],
    ['specification_id', 'filled'],
    ['seller.endpoint', 'filled'],
    ['seller.endpoint_scheme', 'filled'],
    ['lines[].name', 'filled'],
    ['lines[].net', 'filled'],
    ['buyer.name', 'missing'],
    ['buyer.endpoint', 'missing'],
    ['tax_breakdown[].amount', 'missing'],
    ['due_date', 'conditional'],
  ])('%s is %s', (path, state) => {
    expect(stateOf(path)?.state).toBe(state);
  });

  it('names missing fields in plain words', () => {
    expect(covered.missing).toContain(
      'Buyer name is missing: map a column or give a constant for buyer.name.',
    );
    expect(stateOf('lines[].unit_price')?.message).toBe(
      'Net price is proposed from header.lines[].unit_price: check it and approve it.',
    );
  });

  it('counts every field once, and names those that the profile does not have', () => {
    expect(Object.values(covered.counts).reduce((sum, count) => sum + count, 0)).toBe(51);
    expect(covered.extra.map((field) => field.target)).toEqual(['notes[]']);
  });

  it('does not fill a name from itself', () => {
    const none = coverage({ fields: [] }, fields, filled);
    expect(none.fields.find((field) => field.path === 'lines[].name')?.state).toBe('missing');
  });
});
