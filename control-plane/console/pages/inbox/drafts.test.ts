import { expect, test } from 'vitest';
import { afterSending } from './drafts.ts';

test.each([
  ['what was sent is gone', 'On its way.', 'On its way.', ''],
  ['with the space around it', ' On its way. \n', 'On its way.', ''],
  [
    'what was written meanwhile stays',
    'On its way.\n\nAnything else?',
    'On its way.',
    'Anything else?',
  ],
  ['a draft that was written anew stays', 'Wait, no.', 'On its way.', 'Wait, no.'],
  ['a template leaves the draft as it is', 'Half an', '', 'Half an'],
])('%s', (_, draft, sent, left) => {
  expect(afterSending(draft, sent)).toBe(left);
});
