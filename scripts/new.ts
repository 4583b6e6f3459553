/**
 * `npm run new -- KIND NAME`: the folder of a new country, connector, preset, channel or authority, and its
 * entry in the registry. The written files type-check and run the contract suite, which fails with
 * "not written yet: …" at everything that a person has to write.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { argumentsOf } from './arguments.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

/** One kind: where its folders and its registry are, and what an entry looks like. */
interface Kind {
  readonly folder: string;
  /** The form of a name. */
  readonly name: RegExp;
  /** First line of the registry's list for the entry. */
  readonly list: string;
  readonly import: string;
  readonly entry: string;
}

const kebabCase = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/;

const kinds: Readonly<Record<string, Kind>> = {
  country: {
    folder: 'packages/profiles',
    name: /^[a-z][a-z0-9]*([-.][a-z0-9]+)*$/,
    list: 'export const profiles: ',
    import: "import { profile as {{symbol}} } from './{{id}}/profile.ts';",
    entry: '{{symbol}}, // {{title}}',
  },
  connector: {
    folder: 'connectors',
    name: kebabCase,
    list: 'export const connectorKinds: ',
    import: "import { {{symbol}} } from './{{id}}/connector.ts';",
    entry: '{{symbol}} as ConnectorKind,',
  },
  preset: {
    folder: 'connectors/presets',
    name: kebabCase,
    list: 'export const presets: ',
    import: "import { {{symbol}} } from './{{id}}/preset.ts';",
    entry: '{{symbol}},',
  },
  channel: {
    folder: 'control-plane/channels',
    name: kebabCase,
    list: 'const entries: ',
    import: "import { {{symbol}} } from './{{id}}/adapter.ts';",
    entry: "{ channel: {{symbol}}, simulator: () => import('./{{id}}/simulator.ts') },",
  },
  authority: {
    folder: 'control-plane/authorities',
    name: kebabCase,
    list: 'const entries: ',
    import: "import { {{symbol}} } from './{{id}}/adapter.ts';",
    entry: "{ authority: {{symbol}}, simulator: () => import('./{{id}}/simulator.ts') },",
  },
};

/** Words that cannot name a kind in code, or that the templates use. */
const reserved = new Set(
  [
    'await break case catch class const continue debugger default delete do else enum export',
    'extends false finally for function if import in instanceof let new null package private',
    'public return static super switch this throw true try typeof var void while with yield',
    'settings content events verify complete fields rule open send documents preset presets example',
  ].flatMap((line) => line.split(' ')),
);

const usage = `usage: npm run new -- country|connector|preset|channel|authority NAME

Writes the folder NAME of that kind and its entry in the registry; no other file is touched.
NAME is in lower case, its words joined by hyphens.

examples:
  npm run new -- country pint-sg       packages/profiles/pint-sg, the profile PINT-SG
  npm run new -- connector odoo        connectors/odoo
  npm run new -- preset acme-books     connectors/presets/acme-books, a known ERP
  npm run new -- channel acme-sms      control-plane/channels/acme-sms, an SMS provider
  npm run new -- authority ksef        control-plane/authorities/ksef

Then run the folder's test: each "not written yet" it fails with is the next thing to write.`;

const { positionals } = argumentsOf(usage, { options: {} });
const [kindName = '', id = '', ...rest] = positionals;
const kind = Object.hasOwn(kinds, kindName) ? kinds[kindName] : undefined;
if (kind === undefined || id === '' || rest.length > 0) refuse(usage);
if (id.length > 40 || !kind.name.test(id)) {
  refuse(`"${id}" is no name: lower-case letters and digits, words joined by hyphens.`);
}
const folder = join(root, kind.folder, id);
if (existsSync(folder)) refuse(`${kind.folder}/${id} is there already.`);
const registry = join(root, kind.folder, 'registry.ts');
const registered = readFileSync(registry, 'utf8');
/** The registry's line for a connector that is not available yet, which the entry replaces. */
const announced = new RegExp(` *\\{ kind: '${id}', pattern: '(\\w+)' \\},\\n`).exec(registered);
const words = wordsOf(id);
if (isTaken(words.symbol)) {
  refuse(`"${id}" would be called ${words.symbol} in the code, where that means something else.`);
}
const files = writeFolder(folder);
writeFileSync(registry, withEntry(withoutAnnounced(), kind));
format([...files, registry]);
const test = files.find((file) => file.endsWith('.test.ts'))!.slice(root.length);
console.log(`written: ${kind.folder}/${id}, and its entry in ${kind.folder}/registry.ts
next:    npx vitest run ${test}
then:    npm run write, when what is printed is to name it`);

/** The names of the new kind in the templates. */
function wordsOf(name: string) {
  const parts = name.split(/[-.]/);
  const capitals = parts.map((part) => part.slice(0, 1).toUpperCase() + part.slice(1));
  const type = capitals.join('');
  return {
    id: name,
    ID: name.toUpperCase(),
    title: kindName === 'country' ? name.toUpperCase() : capitals.join(' '),
    Type: type,
    symbol: type.slice(0, 1).toLowerCase() + type.slice(1),
    // A kind that the registry lists as not available yet keeps its pattern.
    pattern: announced?.[1] ?? 'API',
  };
}

/** Whether the name in code is a word of the language, the registry or the templates. */
function isTaken(symbol: string): boolean {
  const inRegistry = new RegExp(`\\b${symbol}\\b`).test(withoutAnnounced());
  return inRegistry || reserved.has(symbol);
}

function withoutAnnounced(): string {
  return announced === null ? registered : registered.replace(announced[0], '');
}

function writeFolder(target: string): readonly string[] {
  const templates = fileURLToPath(new URL(`new/${kindName}`, import.meta.url));
  mkdirSync(target);
  return readdirSync(templates).map((template) => {
    const file = join(target, template.replace(/\.txt$/, ''));
    writeFileSync(file, filled(readFileSync(join(templates, template), 'utf8')));
    return file;
  });
}

function withEntry(text: string, { list, import: line, entry }: Kind): string {
  const end = text.indexOf('\n];', text.indexOf(list));
  return `${filled(line)}\n${text.slice(0, end)}\n  ${filled(entry)}${text.slice(end)}`;
}

function filled(template: string): string {
  return template.replaceAll(/\{\{(\w+)\}\}/g, (_, name: keyof typeof words) => words[name]);
}

/** Formats the files, because line breaks and the order of imports depend on the name. */
function format(paths: readonly string[]): void {
  const biome = join(root, 'node_modules/.bin/biome');
  for (const path of paths) {
    // By its input, as with paths it looks through the whole project first.
    const options = ['check', '--write', '--linter-enabled=false', `--stdin-file-path=${path}`];
    const { status, stdout, stderr } = spawnSync(biome, options, {
      cwd: root,
      encoding: 'utf8',
      input: readFileSync(path),
    });
    if (status !== 0) refuse(`${path} could not be formatted:\n${stdout}${stderr}`);
    writeFileSync(path, stdout);
  }
}

function refuse(reason: string): never {
  console.error(reason);
  process.exit(2);
}
