import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));
const layers = ['packages', 'connectors', 'agent', 'control-plane', 'scripts', 'test'] as const;

/**
 * Files that only tests use: they are next to the code they test, and may import what tests may.
 */
const forTests =
  /\.(test|suite|fixture|kit|sample)\.ts$|\/(good-invoices?|example)\.ts$|^agent\/link\/simulator\.ts$/;

interface Ban {
  readonly from: RegExp;
  readonly to: RegExp;
  /** Exceptions, each with its reason in the comments of the file. */
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
    to: /^control-plane\/(?!platform\/)|^packages\/(?!(retry|outbound|concurrency|input-faults)\/)/,
    except: forTests,
    reason:
      'the platform names no business noun: both services stand on it (retry, outbound, concurrency and input-faults name none)',
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
    except: /\.(test|suite|fixture)\.ts$|\/(simulat(or|ion)\/|simulator\.ts$)|registry\.ts$/,
    reason: 'an adapter that knows its simulator is tested against itself',
  },
  {
    from: /^control-plane\/agents\//,
    to: /^control-plane\/(einvoice|messaging)\//,
    except: forTests,
    reason: 'a service has agents; agents do not know whose they are, nor its errors',
  },
  {
    from: /^control-plane\/people\//,
    to: /^control-plane\/(?!people\/|platform\/)/,
    except: forTests,
    reason: 'a person belongs to both services: what knows people knows neither service',
  },
  {
    from: /^control-plane\/console\//,
    to: /^(packages|connectors|agent|scripts|test)\/|^control-plane\/(?!console\/)/,
    except: forTests,
    reason: 'the console runs in a browser and speaks the public API, as every client does',
  },
  {
    from: /^control-plane\/(?!console\/)/,
    to: /^control-plane\/console\//,
    except: forTests,
    reason: 'the server gives the pages out as files, and knows none of them',
  },
  {
    from: /^control-plane\/channels\//,
    to: /^control-plane\/(authorities|einvoice|messaging|agents|webhooks)\//,
    except: forTests,
    reason:
      'a channel is a codec: it knows no service, and what it shares with authorities stands in packages',
  },
  {
    from: /^control-plane\/authorities\//,
    to: /^control-plane\/(channels|einvoice|messaging|agents|webhooks)\//,
    except: forTests,
    reason:
      'an authority is a codec: it knows no service, and what it shares with channels stands in packages',
  },
  {
    from: /^(packages|connectors|agent|control-plane)\//,
    to: /^test\/|\.(test|suite|kit|fixture|sample)\.ts$/,
    except: forTests,
    reason: 'what only tests need (clocks that stand still, seeds) is not shipped',
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
 * Files that may use the machine's clock and random source: the mains, and files without a caller.
 */
const clockHolders =
  /^(agent\/main|control-plane\/main|control-plane\/console\/main|scripts\/|test\/|.*\.test\.ts$|.*\.bench\.ts$)/;

const files = layers.flatMap((layer) => sources(layer));

function sources(folder: string): string[] {
  return readdirSync(join(root, folder)).flatMap((name) => {
    const path = `${folder}/${name}`;
    if (name === 'node_modules' || name.startsWith('.')) return [];
    if (statSync(join(root, path)).isDirectory()) return sources(path);
    if (name === 'dist') return [];
    return /\.tsx?$/.test(name) ? [path] : [];
  });
}

/** The imports of a file as paths from the root, without packages of others. */
function importsOf(file: string): string[] {
  const text = readFileSync(join(root, file), 'utf8');
  const found = text.matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g);
  return [...found].flatMap(([, name]) => {
    if (name!.startsWith('.')) return [relative(root, resolve(root, dirname(file), name!))];
    const own = /^@drawbridge\/([^/]+)\/(.+)$/.exec(name!);
    if (own === null) return [];
    const isDivided = ['connectors', 'agent', 'control-plane'].includes(own[1]!);
    return [isDivided ? `${own[1]}/${own[2]}` : `packages/${own[1]}/${own[2]}`];
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

describe('there are no import cycles', () => {
  const product = files.filter((file) => !forTests.test(file));
  const imports = new Map(
    product.map((file) => [file, importsOf(file).filter((each) => product.includes(each))]),
  );

  // Two files that import each other cannot be understood alone: they should be one, or share a
  // third.
  test('of files', () => {
    expect(cyclesOf(imports)).toEqual([]);
  });

  // A registry imports all kinds of its folder, and the folder's contract does not depend on them.
  test('of packages, and of the folders of agent and control plane', () => {
    const isRegistry = /(^|[/-])registry\.ts$|^control-plane\/modules\/services\.ts$/;
    const folders = new Map<string, string[]>();
    for (const [file, targets] of imports) {
      if (isRegistry.test(file)) continue;
      const from = folderOf(file);
      const others = targets.map(folderOf).filter((folder) => folder !== from);
      folders.set(from, [...(folders.get(from) ?? []), ...others]);
    }
    expect(cyclesOf(folders)).toEqual([]);
  });
});

/**
 * `packages/cim`, `control-plane/webhooks`, `connectors`; a file at the root counts as a folder.
 */
function folderOf(file: string): string {
  const [layer, folder] = file.split('/');
  return layer === 'connectors' ? 'connectors' : `${layer}/${folder}`;
}

/** Each cycle as its names, with the first again at the end. */
function cyclesOf(graph: ReadonlyMap<string, readonly string[]>): string[] {
  const done = new Set<string>();
  const found: string[] = [];
  const walk = (name: string, path: readonly string[]): void => {
    if (path.includes(name)) {
      found.push([...path.slice(path.indexOf(name)), name].join(' → '));
      return;
    }
    if (done.has(name)) return;
    for (const next of new Set(graph.get(name))) walk(next, [...path, name]);
    done.add(name);
  };
  for (const name of graph.keys()) walk(name, []);
  return found;
}

// npm puts all packages into one folder, so an import that no manifest names works only by
// accident.
test('a workspace names the packages it imports; shipped code uses no devDependency', () => {
  const forAllTests = Object.keys(manifestOf('.').devDependencies ?? {});
  const broken = files.flatMap((file) => {
    const { name, dependencies = {}, devDependencies = {} } = manifestOf(workspaceOf(file));
    const shipped = [name, ...Object.keys(dependencies)];
    const inTests = [...shipped, ...Object.keys(devDependencies), ...forAllTests];
    // What a browser or a generator needs is used when it is built, and not shipped as a package.
    const isBuiltWith = /^(control-plane\/console|scripts\/write\/api-types)$/;
    const workspace = workspaceOf(file);
    const isTest = forTests.test(file) || workspace === '.' || isBuiltWith.test(workspace);
    return packagesOf(file)
      .filter((each) =>
        isTest ? !inTests.includes(each) && !isOwn(each) : !shipped.includes(each),
      )
      .map((each) => `${file} → ${each}`);
  });
  expect(broken).toEqual([]);
});

interface Manifest {
  readonly name: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

function manifestOf(workspace: string): Manifest {
  return JSON.parse(readFileSync(join(root, workspace, 'package.json'), 'utf8')) as Manifest;
}

/** `packages/cim`, `agent`; `.` for scripts and tests, which belong to the root. */
function workspaceOf(file: string): string {
  const [layer, name] = file.split('/');
  if (layer === 'packages') return `packages/${name}`;
  if (file.startsWith('control-plane/console/')) return 'control-plane/console';
  if (file.startsWith('scripts/write/api-types/')) return 'scripts/write/api-types';
  return layer === 'scripts' || layer === 'test' ? '.' : layer!;
}

/** The packages a file imports, without those of Node: `zod`, `@drawbridge/cim`. */
function packagesOf(file: string): string[] {
  const text = readFileSync(join(root, file), 'utf8');
  const found = text.matchAll(
    /^(?:import|export|\}) .*?from '([^'.$][^']*)'|import\('([^'.$][^']*)'\)/gm,
  );
  return [...found]
    .map(([, named, dynamic]) => /^(?:@[^/]+\/)?[^/]+/.exec(named ?? dynamic!)![0])
    .filter((name) => !name.startsWith('node:'));
}

/** Tests may import any workspace: they are not shipped, and cycles among them do no harm. */
function isOwn(name: string): boolean {
  return name.startsWith('@drawbridge/');
}

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

describe('file names', () => {
  test('no file has a name without meaning', () => {
    const names = /(^|[/-])(utils?|helpers?|common|manager|misc|index)\.tsx?$/;
    expect(files.filter((file) => names.test(file))).toEqual([]);
  });

  test('files are kebab-case', () => {
    const kebab = /^[a-z0-9]+([.-][a-z0-9]+)*\.tsx?$/;
    expect(files.filter((file) => !kebab.test(file.slice(file.lastIndexOf('/') + 1)))).toEqual([]);
  });
});

describe('all kinds have the same files', () => {
  test.each([
    [
      'connectors',
      ['connector.ts', 'settings.ts', 'errors.ts', 'connector.test.ts'],
      /^(sql|presets|outbound|file-content)$/,
    ],
    ['connectors/presets', ['preset.ts', 'example.ts', 'preset.test.ts'], /^$/],
    [
      'control-plane/authorities',
      ['adapter.ts', 'settings.ts', 'simulator.ts', 'adapter.test.ts'],
      /^simulation$/,
    ],
    [
      'control-plane/channels',
      ['adapter.ts', 'settings.ts', 'errors.ts', 'webhook.ts', 'simulator.ts', 'adapter.test.ts'],
      /^simulation$/,
    ],
    [
      'packages/profiles',
      [
        'profile.ts',
        'complete.ts',
        'fields.ts',
        'code-lists.json',
        'example.ts',
        'profile.test.ts',
      ],
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
