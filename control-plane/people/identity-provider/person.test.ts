import { describe, expect, test } from 'vitest';
import { groupsOf, isWithinGiven, nextRoles, rolesOf } from './person.ts';

const provider = {
  group_roles: [
    { group: 'a', role: null, einvoicing_role: 'auditor' },
    { group: 'b', role: 'agent', einvoicing_role: 'operator' },
    { group: 'c', role: 'admin', einvoicing_role: null },
  ],
  default_role: 'analyst',
  default_einvoicing_role: null,
} as const;

describe('the roles of groups', () => {
  test.each([
    [['a'], { role: null, einvoicing_role: 'auditor' }],
    [['c', 'b', 'a'], { role: 'agent', einvoicing_role: 'auditor' }],
    [['c', 'a'], { role: 'admin', einvoicing_role: 'auditor' }],
    [['x'], { role: 'analyst', einvoicing_role: null }],
    [[], { role: 'analyst', einvoicing_role: null }],
  ])('%j', (groups, roles) => {
    expect(rolesOf(groups, provider)).toEqual(roles);
  });

  test('without a default whoever is in none is nothing', () => {
    expect(rolesOf(['x'], { ...provider, default_role: null })).toBeUndefined();
  });
});

describe('the groups of a claim', () => {
  test.each([
    [{ groups: ['a', 'b'] }, 'groups', ['a', 'b']],
    [{ groups: 'a' }, 'groups', ['a']],
    [{ groups: [1, null, '', 'a', { x: 1 }, 'b\u0000'] }, 'groups', ['a']],
    [{ realm_access: { roles: ['a'] } }, 'realm_access.roles', ['a']],
    [{ 'https://acme.example/groups': ['a'] }, 'https://acme.example/groups', ['a']],
    [{}, 'groups', []],
    [{}, 'constructor.name', []],
    [{ a: 'text' }, 'a.length', []],
  ])('%j at %s', (claims, path, groups) => {
    expect(groupsOf(claims, path)).toEqual(groups);
  });

  test('no more than so many are read', () => {
    const groups = Array.from({ length: 5_000 }, (_, at) => `g${at}`);
    expect(groupsOf({ groups }, 'groups')).toHaveLength(1_000);
  });
});

test.each([
  [{ role: null, einvoicing_role: 'auditor' }, true],
  [{ role: 'agent', einvoicing_role: 'auditor' }, true],
  [{ role: 'owner', einvoicing_role: 'auditor' }, false],
  [{ role: null, einvoicing_role: 'finance_admin' }, false],
] as const)('a provider could have given %j: %s', (roles, isGiven) => {
  expect(isWithinGiven(roles, provider.group_roles)).toBe(isGiven);
});

describe('the roles of a member after a sign-in', () => {
  const auditor = { role: null, einvoicing_role: 'auditor' } as const;
  const none = { group_roles: [], default_role: null, default_einvoicing_role: null };
  const einvoicing = { ...none, group_roles: [{ group: 'a', ...auditor }] };
  const owners = { group: 'o', role: 'owner', einvoicing_role: null } as const;
  test.each([
    ['groups count', { role: 'admin', einvoicing_role: 'operator' }, auditor, provider, auditor],
    [
      'a service of which it gives no role is not its own',
      { role: 'admin', einvoicing_role: 'operator' },
      auditor,
      einvoicing,
      { role: 'admin', einvoicing_role: 'auditor' },
    ],
    [
      'nor when somebody is in no group',
      { role: 'admin', einvoicing_role: 'auditor' },
      undefined,
      einvoicing,
      { role: 'admin', einvoicing_role: null },
    ],
    [
      'an owner stays one whom it could not make',
      { role: 'owner', einvoicing_role: null },
      { role: 'agent', einvoicing_role: null },
      provider,
      { role: 'owner', einvoicing_role: null },
    ],
    [
      'an owner whom it could make is one as long as the groups say so',
      { role: 'owner', einvoicing_role: null },
      auditor,
      { ...provider, group_roles: [owners, ...provider.group_roles] },
      auditor,
    ],
    [
      'in no group nothing is left',
      auditor,
      undefined,
      provider,
      { role: null, einvoicing_role: null },
    ],
  ] as const)('%s', (_, current, given, settings, next) => {
    expect(nextRoles(current, given, settings)).toEqual(next);
  });
});
