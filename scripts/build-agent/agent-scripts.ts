/** The agent as scripts without imports, but for those of Node's own modules. */
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Plugin, transform } from 'esbuild';
import { asFunction } from '../../agent/executable/assets.ts';
import { version } from '../../agent/version.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Parts of drivers that the agent does not use, and that are not installed. */
const external = [
  'pg-native',
  'pg-cloudflare',
  'cloudflare:sockets',
  'bufferutil',
  'utf-8-validate',
];

export interface AgentScripts {
  /** What the executable begins with. */
  readonly starter: string;
  /** The agent by the names of its parts, which ask for one another by these names. */
  readonly parts: ReadonlyMap<string, string>;
}

const common = {
  platform: 'node',
  target: 'node24',
  charset: 'ascii', // is read as Latin-1
  legalComments: 'none',
} as const;

const joined = {
  ...common,
  absWorkingDir: root,
  write: false,
  bundle: true,
  minify: true,
  keepNames: true, // errors are told by the names of their classes
  external,
} as const;

/** What an agent knows of the release that it is a part of. */
interface ReleaseFacts {
  readonly version: string;
  /** With which the manifests of its upgrades may be signed, in base64; none outside a release. */
  readonly keys: readonly string[];
  /** From when on there should be newer rules than those inside; null outside a release. */
  readonly rulesWarnAfter: string | null;
}

const outsideRelease: ReleaseFacts = { version, keys: [], rulesWarnAfter: null };

/** The same sources give the same scripts. */
export async function makeAgentScripts(release = outsideRelease): Promise<AgentScripts> {
  const facts = factsOf(release);
  const [starter, parts] = await Promise.all([starterScript(facts), partScripts(facts)]);
  return { starter, parts };
}

async function starterScript(facts: Plugin): Promise<string> {
  const entryPoints = ['agent/executable/main.ts'];
  // What a single executable starts is of this form.
  const { outputFiles } = await build({ ...joined, entryPoints, format: 'cjs', plugins: [facts] });
  return outputFiles[0]!.text;
}

/** A part for each that is loaded for itself, and for each that several of them need. */
async function partScripts(facts: Plugin): Promise<Map<string, string>> {
  const { outputFiles } = await build({
    ...joined,
    entryPoints: ['agent/main.ts'],
    outdir: root, // nothing is written
    format: 'esm', // only this form is split
    splitting: true,
    plugins: [facts, addonInside, synchronousLibxml2, withoutAzure],
    // What is empty there is only used where the agent runs from its sources.
    logOverride: { 'empty-import-meta': 'silent' },
  });
  const parts = new Map<string, string>();
  for (const { path, text } of outputFiles) parts.set(basename(path), await commonJs(text));
  return parts;
}

/** What an update of rules brings: one script, which asks for Node's own modules only. */
export async function makeRulesScript(): Promise<string> {
  const { outputFiles } = await build({
    ...joined,
    entryPoints: ['agent/rules/contents.ts'],
    format: 'cjs',
    plugins: [synchronousLibxml2],
    logOverride: { 'empty-import-meta': 'silent' },
  });
  return asFunction(outputFiles[0]!.text.replaceAll(/[\u0080-\uffff]/g, escaped));
}

async function commonJs(text: string): Promise<string> {
  const { code } = await transform(text, {
    ...common,
    format: 'cjs',
    minifyWhitespace: true,
    supported: { 'dynamic-import': false },
    logOverride: { 'empty-import-meta': 'silent' },
  });
  return asFunction(code.replaceAll(/[\u0080-\uffff]/g, escaped));
}

/** esbuild leaves regular expressions as they are written; they read the escape as the character. */
function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** The release's own version and keys stand in the place of those of the sources. */
function factsOf({ version, keys, rulesWarnAfter }: ReleaseFacts): Plugin {
  return {
    name: 'release-facts',
    setup({ onLoad }) {
      const given = (filter: RegExp, value: unknown) =>
        onLoad({ filter }, () => ({ contents: JSON.stringify(value), loader: 'json' }));
      given(/[/\\]agent[/\\]package\.json$/, { version });
      given(/[/\\]agent[/\\]upgrade[/\\]release-keys\.json$/, keys);
      given(/[/\\]agent[/\\]rules[/\\]built-in\.json$/, { warn_after: rulesWarnAfter });
    },
  };
}

/** SQLite's addon comes from inside the executable. */
const addonInside: Plugin = {
  name: 'addon-inside',
  setup({ onLoad }) {
    onLoad({ filter: /better-sqlite3\/lib\/binding\.js$/ }, async () => {
      const folder = `${root}agent/executable`;
      const contents = await readFile(`${folder}/sqlite-addon.ts`, 'utf8');
      return { contents, loader: 'ts', resolveDir: folder };
    });
  },
};

/** Logins of Azure and its key vaults, which no setting of SQL Server asks for: megabytes. */
const withoutAzure: Plugin = {
  name: 'without-azure',
  setup({ onLoad, onResolve }) {
    onResolve({ filter: /^@azure\// }, ({ path }) => ({ path, namespace: 'without-azure' }));
    onLoad({ filter: /./, namespace: 'without-azure' }, () => ({
      contents: 'module.exports = {}',
    }));
  },
};

/** What is changed in the WebAssembly module of libxml2-wasm 0.7.2, and how often it stands there. */
const replacements: readonly (readonly [from: string | RegExp, to: string, times: number])[] = [
  [
    'await ((m)=>import(m))("node:module");var require=a(import.meta.url)',
    '{createRequire(){}}',
    1,
  ],
  ['ca=import.meta.url', 'ca=""', 1],
  [
    'await WebAssembly.instantiate(b,a)',
    '{instance:new WebAssembly.Instance(new WebAssembly.Module(b),a)}',
    1,
  ],
  [/\basync function/g, 'function', 5],
  [/\bawait /g, '', 3],
  ['moduleRtn=f:moduleRtn=new Promise((a,c)=>{fa=a;ha=c})', 'moduleRtn=f:moduleRtn=f', 1],
];

/** A script of this form cannot wait while it loads, so libxml2 is compiled at once. */
const synchronousLibxml2: Plugin = {
  name: 'synchronous-libxml2',
  setup({ onLoad }) {
    onLoad({ filter: /libxml2-wasm\/lib\/libxml2raw\.mjs$/ }, async ({ path }) => {
      let contents = await readFile(path, 'utf8');
      for (const [from, to, times] of replacements) {
        const found = contents.split(from).length - 1;
        if (found !== times) throw new Error(`${path} has ${found} × ${from}, not ${times}`);
        contents = contents.replaceAll(from, () => to);
      }
      return { contents, loader: 'js' };
    });
    onLoad({ filter: /libxml2-wasm\/lib\/libxml2\.mjs$/ }, async ({ path }) => {
      const contents = await readFile(path, 'utf8');
      const changed = contents.replace('await moduleLoader()', 'moduleLoader()');
      if (changed === contents) throw new Error(`${path} does not wait for the module`);
      return { contents: changed, loader: 'js' };
    });
  },
};
