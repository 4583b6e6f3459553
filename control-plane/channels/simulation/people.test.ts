import { describe, expect, test } from 'vitest';
import { seededRandom } from '../../simulation/switches.ts';
import { courseOf, linkIn, lively, prompt } from './people.ts';

const noRandom = () => {
  throw new Error('no random number is needed');
};
const rungs = (digits: string, habits = prompt, isFailing = false) =>
  courseOf(digits, habits, noRandom, isFailing).reports.map(({ rung }) => rung);

test.each([
  ['919800000001', ['sent', 'delivered', 'read'], undefined],
  ['919800007002', ['sent', 'delivered', 'read'], 'reply'],
  ['919800007003', ['sent', 'delivered', 'read'], 'stop'],
  ['919800007004', ['sent', 'delivered', 'read'], 'click'],
  ['919800007005', ['sent', 'delivered'], undefined],
  ['919800007006', [], undefined],
  ['919800007007', ['read', 'read', 'delivered', 'delivered', 'sent', 'sent'], undefined],
])('%s: %j, then %s', (digits, reports, deed) => {
  const course = courseOf(digits, prompt, noRandom, false);
  expect(rungs(digits)).toEqual(reports);
  expect(course.deed?.kind).toBe(deed);
});

test('what fails reaches nobody, magic or not', () => {
  for (const digits of ['919800000001', '919800007002']) {
    expect(rungs(digits, prompt, true)).toEqual(['sent', 'undelivered']);
  }
});

describe('a lively crowd', () => {
  const random = seededRandom(11);
  const courses = Array.from({ length: 5_000 }, () => courseOf('1', lively, random, false));
  const share = (count: number) => count / courses.length;

  test('does as its habits say, on the whole', () => {
    const having = (rung: string) =>
      share(courses.filter(({ reports }) => reports.some((each) => each.rung === rung)).length);
    expect(having('delivered')).toBeCloseTo(0.97, 1);
    expect(having('read')).toBeCloseTo(0.97 * 0.6, 1);
    expect(having('delivered') + having('undelivered')).toBe(1);
    const replies = courses.filter(({ deed }) => deed?.kind === 'reply').length;
    expect(share(replies)).toBeGreaterThan(0.01);
  });

  test('never reads before it gets, nor acts before it reads; what is told may come otherwise', () => {
    let disordered = 0;
    for (const { reports, deed } of courses) {
      const at = (rung: string) => reports.find((each) => each.rung === rung)?.happensAfterMs;
      if (at('read') !== undefined) expect(at('read')!).toBeGreaterThan(at('delivered')!);
      if (deed !== undefined) expect(deed.afterMs).toBeGreaterThan(at('read')!);
      if (reports[0]?.rung !== 'sent') disordered += 1;
      for (const each of reports) {
        expect(each.toldAfterMs).toBeGreaterThanOrEqual(each.happensAfterMs);
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
