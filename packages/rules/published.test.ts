import { expect, test } from 'vitest';
import { rule } from './kinds.ts';
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

test('tells what a release adds, takes away and weighs otherwise', () => {
  expect(releaseChanges(published, [set])).toEqual({
    added: ['e (fatal)'],
    removed: ['c'],
    flags: ['b (fatal → warning)'],
  });
});

test('tells nothing of a release that is ours', () => {
  const own = new Map(['a', 'b', 'c', 'd'].map((id) => [id, 'fatal']));
  expect(releaseChanges(own, [set])).toEqual({ added: [], removed: [], flags: [] });
});
