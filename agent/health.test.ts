import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Health, readHealth } from './health.ts';

let home: string;
let elapsedMs: number;
let health: Health;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'drawbridge-health-'));
  elapsedMs = 0;
  const clock = () => new Date('2026-11-23T08:00:00Z');
  health = new Health({ home, clock, monotonicMs: () => elapsedMs });
});
afterEach(() => rmSync(home, { recursive: true }));

test('an agent is healthy until a part is not heard of for long after it was expected', () => {
  health.expect('link', 15_000);
  health.expect('watch', 3_600_000);
  elapsedMs = 100_000;
  expect([health.isHealthy(), health.stalled()]).toEqual([true, []]);
  elapsedMs = 200_000;
  expect([health.isHealthy(), health.stalled()]).toEqual([false, ['link']]);
  health.expect('link', 15_000);
  expect(health.isHealthy()).toBe(true);
});

test('nothing is expected of a part that has ended', () => {
  health.expect('watch erp', 0);
  elapsedMs = 200_000;
  expect(health.stalled()).toEqual(['watch erp']);
  health.ended('watch erp');
  expect(health.isHealthy()).toBe(true);
});

test('what waits for the control plane or for room on the disk is healthy, and is told', () => {
  health.setLink('redialling', 'ECONNREFUSED');
  expect(health.set('disk', 'full', '0 bytes are free')).toBe(true);
  expect(health.set('disk', 'full', '0 bytes are free')).toBe(false);
  expect(health.isHealthy()).toBe(true);
  expect(readHealth(home)).toMatchObject({
    link: { state: 'redialling', detail: 'ECONNREFUSED' },
    disk: { state: 'full', detail: '0 bytes are free' },
  });
});

test('a later, shorter report replaces a longer one whole', () => {
  health.setLink('redialling', 'x'.repeat(10_000));
  health.setLink('connected', '');
  expect(readHealth(home)?.link).toMatchObject({ state: 'connected', detail: '' });
});

test('a home folder in which no agent ran has no report', () => {
  expect(readHealth(join(home, 'none'))).toBeUndefined();
});

test('a watched source that cannot be read is told until it can, or is watched no more', () => {
  const told = () => readHealth(home)!.unreadable.map(({ connector }) => connector);
  health.setUnreadable('erp', 'outside (DRAWBRIDGE_FILE_ROOTS)');
  health.setUnreadable('shop', 'refused');
  expect(readHealth(home)!.unreadable[0]).toMatchObject({
    detail: expect.stringMatching(/FILE_ROOTS/),
  });
  expect(told()).toEqual(['erp', 'shop']);
  health.setUnreadable('shop', undefined);
  expect(told()).toEqual(['erp']);
  health.keepUnreadable(['shop']);
  expect(told()).toEqual([]);
});
