/** The agent as scripts without imports, but for those of Node's own modules. */
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'esbuild';

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
  /** The agent: an expression of a function of `require` and `module`. */
  readonly agent: string;
}

/** The same sources give the same scripts. */
export async function bundleAgent(): Promise<AgentScripts> {
  const starter = await bundle('agent/executable/main.ts');
  const agent = await bundle('agent/main.ts');
  return { starter, agent: `(function(require,module,exports){${agent}\n})` };
}

async function bundle(entry: string): Promise<string> {
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: [entry],
    write: false,
    bundle: true,
    platform: 'node',
    format: 'cjs', // what a single executable starts
    target: 'node24',
    charset: 'ascii', // is read as Latin-1
    minify: true,
    keepNames: true, // errors are told by the names of their classes
    legalComments: 'none',
    external,
    plugins: [addonInside, synchronousLibxml2],
    // What is empty there is only used where the agent runs from its sources.
    logOverride: { 'empty-import-meta': 'silent' },
  });
  return outputFiles[0]!.text;
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
