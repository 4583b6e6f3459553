import { expect, test } from 'vitest';
import { authorities, authorityById } from './registry.ts';

test('an authority is found by its id, and every id is its own', () => {
  for (const authority of authorities) expect(authorityById(authority.id)).toBe(authority);
});

test('an id that no profile should name is a bug', () => {
  expect(() => authorityById('nowhere')).toThrow('nowhere');
});
