import { expect, test } from 'vitest';
import { channelById, channels } from './registry.ts';

test('every channel is found by its id, and no two share one', () => {
  for (const channel of channels) expect(channelById(channel.id)).toBe(channel);
  expect(() => channelById('none')).toThrow('no channel is registered');
});
