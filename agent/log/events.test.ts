import { expect, test } from 'vitest';
import { levelOf } from './events.ts';

test.each([
  'queue_full',
  'stalled',
  'channel_failed',
  'probes_failed',
  'service_not_told',
  'wound_back',
] as const)('%s is no mere progress: `logs --level warn` shows it', (event) => {
  expect(['warn', 'error']).toContain(levelOf(event));
});
