import { expect, test } from 'vitest';
import { authorities, authorityById } from './registry.ts';

test('an authority is found by its id, and every id is unique', () => {
  for (const authority of authorities) expect(authorityById(authority.id)).toBe(authority);
});

test('an unknown id throws', () => {
  expect(() => authorityById('nowhere')).toThrow('nowhere');
});
