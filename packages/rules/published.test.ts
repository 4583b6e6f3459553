import { expect, test } from 'vitest';
import { rule } from './language/rule-kinds.ts';
import { publishedRules, releaseChanges } from './published.ts';
import type { RuleSet } from './rule.ts';

const set: RuleSet = {
  id: 'test',
  version: '1',
  notApplicable: { d: 'always true' },
  patterns: [
    {
      name: 'all',
      contexts: [
        {
          each: [''],
          rules: ['a', 'b', 'c'].map((id) => rule(id, ['IBT-001'], 'Wrong.', () => true)),
        },
      ],
    },
  ],
};

const published = publishedRules(`
  <assert id="a" flag="fatal" test="1 > 0">…</assert>
  <assert test="b" flag="warning" id="b"/>
  <!-- <assert id="c" flag="fatal" test="c"/> -->
  <assert id="d" flag="fatal" test="true()"/>
  <assert id="e" flag="fatal" test="e"/>`);

test('lists what a release adds and removes, and changed flags', () => {
  expect(releaseChanges(published, [set])).toEqual({
    added: ['e (fatal)'],
    removed: ['c'],
    flags: ['b (fatal → warning)'],
  });
});

test('lists nothing for the implemented release', () => {
  const own = new Map(['a', 'b', 'c', 'd'].map((id) => [id, 'fatal']));
  expect(releaseChanges(own, [set])).toEqual({ added: [], removed: [], flags: [] });
});
