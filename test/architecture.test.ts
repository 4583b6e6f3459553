import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));
const layers = ['packages', 'connectors', 'agent', 'control-plane', 'scripts', 'test'] as const;

/** Files that only tests use: they stand beside what they serve, and may reach where tests may. */
const forTests =
  /\.(test|suite|fixture|kit|sample)\.ts$|\/(good-invoices?|example|test-stage)\.ts$|^agent\/link\/simulator\.ts$/;

interface Ban {
  readonly from: RegExp;
  readonly to: RegExp;
  /** Files that may all the same, each with its own reason in its comments. */
  readonly except?: RegExp;
  readonly reason: string;
}

const bans: readonly Ban[] = [
  {
    from: /^packages\//,
    to: /^(connectors|agent|control-plane|scripts|test)\//,
    except: forTests,
    reason: 'packages decide and touch nothing: the edges depend on them, never the other way',
  },
  {
    from: /^connectors\//,
    to: /^(agent|control-plane|scripts)\//,
    reason: 'a connector serves agent and control plane alike, so it knows neither',
  },
  {
    from: /^agent\//,
    to: /^control-plane\//,
    except: forTests,
    reason: 'the two ends run on different hosts in different versions: they meet in packages/link',
  },
  {
    from: /^control-plane\//,
    to: /^agent\//,
    except: forTests,
    reason: 'the two ends run on different hosts in different versions: they meet in packages/link',
  },
  {
    from: /^control-plane\/platform\//,
    to: /^control-plane\/(?!platform\/)|^packages\/(?!retry\/)/,
    except: forTests,
    reason: 'the platform names no business noun: both services stand on it',
  },
  {
    from: /^packages\/(cim|binding|ubl|rules)\//,
    to: /^packages\/(profiles|validation|mapping|lifecycle|webhooks|link)\//,
    except: forTests,
    reason: 'model, syntax and rules are the ground; a country stands on them',
  },
  {
    from: /^packages\/rules\//,
    to: /^packages\/(ubl|binding)\//,
    except: forTests,
    reason: 'rules read the model only: another syntax must not change a verdict',
  },
  {
    from: /^control-plane\/authorities\/.*simulat/,
    to: /^packages\/|^control-plane\/(?!authorities\/|simulation\/)|^control-plane\/authorities\/.*(adapter|codec)/,
    reason: 'a simulator that shares the code it checks proves nothing',
  },
  {
    from: /^control-plane\/authorities\/.*\/(adapter|.*codec.*)\.ts$/,
    to: /simulat/,
    reason: 'an adapter that knows its simulator is tested against itself',
  },
  {
    from: /^control-plane\/simulation\//,
    to: /^packages\/|^control-plane\/(?!simulation\/)/,
    except: forTests,
    reason: 'what all simulators stand on knows none of them, nor what they check',
  },
  {
    from: /^control-plane\/channels\/.*simulat/,
    to: /^packages\/|^control-plane\/(?!channels\/.*simulat|simulation\/)/,
    except: forTests,
    reason: 'a simulator that shares the code it checks proves nothing',
  },
  {
    from: /^control-plane\/channels\//,
    to: /simulat/,
    except: /\.(test|suite|fixture)\.ts$|\/(simulat(or|ion)\/|simulat(or|e)\.ts$)/,
    reason: 'an adapter that knows its simulator is tested against itself',
  },
];

const impure: readonly { readonly pattern: RegExp; readonly reason: string }[] = [
  {
    pattern: /from 'node:(fs|net|http|https|child_process|worker_threads|os|tls|dns|timers)/,
    reason: 'no I/O in packages',
  },
  { pattern: /\bDate\.now\(|new Date\(\)/, reason: 'time is passed in' },
  { pattern: /\bMath\.random\(/, reason: 'randomness is passed in' },
  {
    pattern: /\bprocess\.(env|argv|cwd|exit|stdout|stderr|stdin|platform)\b/,
    reason: 'no environment in packages',
  },
  { pattern: /\b(setTimeout|setInterval|setImmediate)\(/, reason: 'no timers in packages' },
];

/**
 * Where the product's clock and random source may be taken from the machine: the mains, and what
 * has no caller.
 */
const clockHolders =
  /^(agent\/main|control-plane\/main|scripts\/|test\/|.*\.test\.ts$|.*\.bench\.ts$|.*\/simulate\.ts$)/;

const files = layers.flatMap((layer) => sources(layer));

function sources(folder: string): string[] {
  return readdirSync(join(root, folder)).flatMap((name) => {
    const path = `${folder}/${name}`;
    if (name === 'node_modules' || name.startsWith('.')) return [];
    if (statSync(join(root, path)).isDirectory()) return sources(path);
    return name.endsWith('.ts') ? [path] : [];
  });
}

/** What a file imports, as paths from the root; packages of others are left out. */
function importsOf(file: string): string[] {
  const text = readFileSync(join(root, file), 'utf8');
  const found = text.matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g);
  return [...found].flatMap(([, name]) => {
    if (name!.startsWith('.')) return [relative(root, resolve(root, dirname(file), name!))];
    const own = /^@drawbridge\/([^/]+)\/(.+)$/.exec(name!);
    if (own === null) return [];
    const edge = ['connectors', 'agent', 'control-plane'].includes(own[1]!);
    return [edge ? `${own[1]}/${own[2]}` : `packages/${own[1]}/${own[2]}`];
  });
}

describe('dependencies point one way', () => {
  test.each(bans)('$from must not import $to: $reason', ({ from, to, except }) => {
    const broken = files
      .filter((file) => from.test(file) && except?.test(file) !== true)
      .flatMap((file) =>
        importsOf(file)
          .filter((each) => to.test(each))
          .map((each) => `${file} → ${each}`),
      );
    expect(broken).toEqual([]);
  });
});

describe('packages are pure', () => {
  test.each(impure)('$pattern: $reason', ({ pattern }) => {
    const broken = files.filter(
      (file) =>
        file.startsWith('packages/') &&
        !forTests.test(file) &&
        pattern.test(readFileSync(join(root, file), 'utf8')),
    );
    expect(broken).toEqual([]);
  });
});

test('outside the mains, time and randomness are passed in', () => {
  const broken = files.filter(
    (file) =>
      !clockHolders.test(file) &&
      !forTests.test(file) &&
      /\bDate\.now\(|new Date\(\)|\bMath\.random\(/.test(readFileSync(join(root, file), 'utf8')),
  );
  expect(broken).toEqual([]);
});

describe('the path is the sentence', () => {
  test('no file is named for nothing', () => {
    const names = /(^|[/-])(utils?|helpers?|common|manager|misc|index)\.ts$/;
    expect(files.filter((file) => names.test(file))).toEqual([]);
  });

  test('files are kebab-case', () => {
    const kebab = /^[a-z0-9]+([.-][a-z0-9]+)*\.ts$/;
    expect(files.filter((file) => !kebab.test(file.slice(file.lastIndexOf('/') + 1)))).toEqual([]);
  });

  test('a file is at most 400 lines; tables and tests may be longer', () => {
    const tables =
      /(terms|fields|cim\/invoice|rules|rule-set|codes|presence|messages|national|cases)[^/]*\.ts$|\.test\.ts$|\.suite\.ts$|\/rules\//;
    const long = files.filter(
      (file) =>
        !tables.test(file) && readFileSync(join(root, file), 'utf8').split('\n').length > 401,
    );
    expect(long).toEqual([]);
  });
});

describe('what comes in kinds is arranged alike', () => {
  test.each([
    [
      'connectors',
      ['connector.ts', 'settings.ts', 'errors.ts', 'connector.test.ts'],
      /^(sql|presets)$/,
    ],
    ['control-plane/authorities', ['adapter.ts', 'simulator.ts'], /^$/],
    [
      'control-plane/channels',
      ['adapter.ts', 'settings.ts', 'errors.ts', 'webhook.ts', 'simulator.ts', 'adapter.test.ts'],
      /^simulation$/,
    ],
    [
      'packages/profiles',
      ['profile.ts', 'complete.ts', 'fields.ts', 'code-lists.json'],
      /^code-lists$/,
    ],
  ])('%s: every kind has the same file names', (folder, names, shared) => {
    const kinds = readdirSync(join(root, folder), { withFileTypes: true }).filter(
      (entry) => entry.isDirectory() && entry.name !== 'node_modules' && !shared.test(entry.name),
    );
    for (const kind of kinds) {
      expect(readdirSync(join(root, folder, kind.name)), kind.name).toEqual(
        expect.arrayContaining(names),
      );
    }
  });
});
