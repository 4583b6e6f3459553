import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { closeUnreported, findReportedLeg, type LegUpdate, withLegUpdate } from './leg-state.ts';
import type { LegRow } from './store.ts';

const begun = Date.UTC(2026, 10, 21, 8);
const at = (seconds: number) => new Date(begun + seconds * 1_000);
const rate = {
  prefix: '+60',
  perMinute: '0.06',
  connectionFee: '0.01',
  firstSeconds: 1,
  stepSeconds: 1,
};
const leg = (more: Partial<LegRow> = {}): LegRow => ({
  id: 'leg_1',
  call_id: 'call_1',
  number: 2,
  document: 1,
  node: 'sales',
  to_address: '+60387654321',
  provider_leg_id: null,
  status: 'queued',
  cause: null,
  rate,
  started_at: at(0),
  answered_at: null,
  ended_at: null,
  duration_seconds: null,
  billed_seconds: null,
  cost: null,
  ...more,
});
const legAfter = (...reports: readonly (readonly [LegUpdate, number])[]) =>
  reports.reduce((now, [report, seconds]) => withLegUpdate(now, report, at(seconds)), leg());

const answered: LegUpdate = { legId: 'b', status: 'in_progress' };
const over: LegUpdate = { legId: 'b', status: 'completed', durationSeconds: 61 };

describe('a leg', () => {
  test('costs by its own seconds and rate, once it is over', () => {
    expect(legAfter([answered, 3])).toMatchObject({ status: 'in_progress', cost: null });
    expect(legAfter([answered, 3], [over, 70])).toMatchObject({
      status: 'completed',
      provider_leg_id: 'b',
      duration_seconds: 61,
      cost: '0.071',
      billed_seconds: 61,
      answered_at: at(3),
      ended_at: at(70),
    });
  });

  test.each<[LegUpdate, string]>([
    [{ status: 'busy' }, 'busy'],
    [{ status: 'no_answer', durationSeconds: 0 }, 'no_answer'],
    [{ status: 'failed', cause: 'cannot_route' }, 'failed'],
    [{ status: 'completed' }, 'canceled'],
  ])('that nobody answered costs nothing: %o is %s', (report, status) => {
    expect(legAfter([report, 9])).toMatchObject({ status, cost: '0', duration_seconds: 0 });
  });

  test('that was answered is completed, however it ended, and a started second counts', () => {
    expect(legAfter([answered, 3], [{ status: 'failed', legId: 'b' }, 5.4])).toMatchObject({
      status: 'completed',
      duration_seconds: 3,
      cost: '0.013',
    });
  });

  test('without a rate costs nothing', () => {
    expect(withLegUpdate(leg({ rate: null }), over, at(70))).toMatchObject({
      duration_seconds: 61,
      billed_seconds: 0,
      cost: '0',
    });
  });

  test('has the same cost in any order of reports, and with repeats', () => {
    const reports: LegUpdate[] = [{ legId: 'b', status: 'ringing' }, answered, over];
    fc.assert(
      fc.property(fc.array(fc.nat(2), { maxLength: 8 }), (order) => {
        const all = [...order, 2].map((index) => [reports[index]!, 70] as const);
        expect(legAfter(...all)).toMatchObject({ status: 'completed', cost: '0.071' });
      }),
    );
  });

  test('assumed to be over is charged once if its conversation is reported later', () => {
    const supposed = legAfter([{ status: 'canceled' }, 9]);
    const after = withLegUpdate(supposed, over, at(99));
    expect(after).toMatchObject({ status: 'completed', cost: '0.071', ended_at: at(99) });
    const again = withLegUpdate(after, { ...over, durationSeconds: 600 }, at(120));
    expect(again).toEqual(after);
    expect(withLegUpdate(supposed, { status: 'busy', legId: 'b' }, at(99)).cost).toBe('0');
  });

  test('whose end was never reported ended with its call, or was never dialled', () => {
    expect(closeUnreported(legAfter([answered, 3]), at(63))).toMatchObject({
      status: 'completed',
      duration_seconds: 60,
      cost: '0.07',
    });
    expect(closeUnreported(leg(), at(63))).toMatchObject({ status: 'unknown', cost: '0' });
  });

  test('has the longer conversation that is told after its end was assumed, once', () => {
    const assumed = closeUnreported(legAfter([answered, 3]), at(33));
    expect(assumed.duration_seconds).toBe(30);
    const told = withLegUpdate(assumed, over, at(99));
    expect(told).toMatchObject({ duration_seconds: 61, cost: '0.071' });
    expect(withLegUpdate(told, { ...over, durationSeconds: 600 }, at(120))).toEqual(told);
    expect(withLegUpdate(assumed, { ...over, durationSeconds: 20 }, at(99))).toEqual(assumed);
  });
});

describe('a report is about', () => {
  const legs = [
    leg({ number: 2, provider_leg_id: 'a' }),
    leg({ number: 3, to_address: '+60311111111' }),
    leg({ number: 4, to_address: '+60322222222', cause: 'no_rate', status: 'failed' }),
    leg({ number: 5, document: 2, to_address: 'sip:context@pbx.example.test' }),
    leg({ number: 6, document: 3 }),
    leg({ number: 7, document: 3, to_address: '+60311111111' }),
  ];
  test.each([
    ['the leg with its id', { legId: 'a', to: '+60311111111' }, 1, 2],
    ['the leg with its number', { legId: 'b', to: '+60311111111' }, 1, 3],
    ['the only leg left, however its address is written', { legId: 'c' }, 2, 5],
    ['the leg of its document', { legId: 'd', to: '+60311111111' }, 3, 7],
    ['no leg when two are possible', { legId: 'e' }, 3, undefined],
    ['no leg with its number', { legId: 'f', to: '+60322222222' }, undefined, undefined],
  ])('%s', (_, report, document, number) => {
    expect(findReportedLeg(legs, report, document)?.number).toBe(number);
  });
});
