import { expect, test } from 'vitest';
import {
  cannotFollow,
  problemsOf,
  type ResponseStatus,
  reasonText,
  responseStatuses,
  type SupplierAnswer,
} from './supplier-response.ts';

const followers: Readonly<Record<ResponseStatus, readonly ResponseStatus[]>> = {
  received: responseStatuses,
  in_process: responseStatuses.filter((one) => one !== 'received'),
  under_query: responseStatuses.filter((one) => one !== 'received'),
  conditionally_accepted: ['conditionally_accepted', 'rejected', 'accepted', 'paid'],
  rejected: [],
  accepted: ['paid'],
  paid: [],
};

test.each(Object.entries(followers))('after "%s" only these may follow: %s', (last, may) => {
  const allowed = responseStatuses.filter(
    (next) => cannotFollow(last as ResponseStatus, next) === undefined,
  );
  expect(allowed).toEqual(may);
});

const answer = (changes: Partial<SupplierAnswer> = {}): SupplierAnswer => ({
  status: 'accepted',
  reasons: [],
  actions: [],
  ...changes,
});

test.each<[string, Partial<SupplierAnswer>, string[]]>([
  ['an acceptance', {}, []],
  ['a rejection without a reason', { status: 'rejected' }, ['reasons']],
  ['a query with an action', { status: 'under_query', actions: [{ code: 'PIN' }] }, []],
  ['a partial payment of what is accepted', { reasons: [{ code: 'PPD', text: '5' }] }, ['reasons']],
  ['a partial payment', { status: 'paid', reasons: [{ code: 'PPD', text: '5' }] }, []],
  ['another reason without a text', { status: 'rejected', reasons: [{ code: 'OTH' }] }, ['text']],
])('%s lacks what the rules ask for: %j %j', (_, changes, fields) => {
  expect(Object.keys(problemsOf(answer(changes)))).toEqual(fields);
});

test('a text for those who take no codes is cut to their limit', () => {
  const rejected = answer({
    status: 'rejected',
    reasons: [{ code: 'PRI' }, { code: 'OTH', text: 'x'.repeat(400) }],
    note: 'please call',
  });
  expect(reasonText(rejected, 1_000)).toMatch(/^prices are wrong; x+; please call$/);
  expect(reasonText(rejected, 300)).toHaveLength(300);
});
