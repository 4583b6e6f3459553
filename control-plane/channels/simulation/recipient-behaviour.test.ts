import { describe, expect, test } from 'vitest';
import { seededRandom } from '../../simulation/seeded-random.ts';
import { linkIn, lively, planDelivery, prompt } from './recipient-behaviour.ts';

const noRandom = () => {
  throw new Error('no random number is needed');
};
const rungs = (digits: string, habits = prompt, isFailing = false) =>
  planDelivery(digits, habits, noRandom, isFailing).reports.map(({ step }) => step);

test.each([
  ['919800000001', ['sent', 'delivered', 'read'], undefined],
  ['919800007002', ['sent', 'delivered', 'read'], 'reply'],
  ['919800007003', ['sent', 'delivered', 'read'], 'stop'],
  ['919800007004', ['sent', 'delivered', 'read'], 'click'],
  ['919800007005', ['sent', 'delivered'], undefined],
  ['919800007006', [], undefined],
  ['919800007007', ['read', 'read', 'delivered', 'delivered', 'sent', 'sent'], undefined],
])('%s: %j, then %s', (digits, reports, action) => {
  const delivery = planDelivery(digits, prompt, noRandom, false);
  expect(rungs(digits)).toEqual(reports);
  expect(delivery.action?.kind).toBe(action);
});

test('a failing message reaches nobody, magic or not', () => {
  for (const digits of ['919800000001', '919800007002']) {
    expect(rungs(digits, prompt, true)).toEqual(['sent', 'undelivered']);
  }
});

describe('a lively crowd', () => {
  const random = seededRandom(11);
  const deliveries = Array.from({ length: 5_000 }, () => planDelivery('1', lively, random, false));
  const share = (count: number) => count / deliveries.length;

  test('follows its habits, on average', () => {
    const having = (step: string) =>
      share(deliveries.filter(({ reports }) => reports.some((each) => each.step === step)).length);
    expect(having('delivered')).toBeCloseTo(0.97, 1);
    expect(having('read')).toBeCloseTo(0.97 * 0.6, 1);
    expect(having('delivered') + having('undelivered')).toBe(1);
    const replies = deliveries.filter(({ action }) => action?.kind === 'reply').length;
    expect(share(replies)).toBeGreaterThan(0.01);
  });

  test('never reads before delivery or acts before reading, whatever the reports', () => {
    let disordered = 0;
    for (const { reports, action } of deliveries) {
      const at = (step: string) => reports.find((each) => each.step === step)?.happensAfterMs;
      if (at('read') !== undefined) expect(at('read')!).toBeGreaterThan(at('delivered')!);
      if (action !== undefined) expect(action.afterMs).toBeGreaterThan(at('read')!);
      if (reports[0]?.step !== 'sent') disordered += 1;
      for (const each of reports) {
        expect(each.reportedAfterMs).toBeGreaterThanOrEqual(each.happensAfterMs);
      }
    }
    expect(share(disordered)).toBeCloseTo(0.1, 1);
  });
});

test.each([
  ['see https://a.test/x?y=1.', 'https://a.test/x?y=1'],
  ['{"url":"http://a.test/b"}', 'http://a.test/b'],
  ['none', undefined],
])('the link in %s', (text, link) => {
  expect(linkIn(text)).toBe(link);
});
