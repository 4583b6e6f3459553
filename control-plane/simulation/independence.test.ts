import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '..');
const folders = ['authorities', 'channels', 'simulation'];
const isSimulator = (file: string) => /(^|\/)(simulator(\.ts|\/)|simulation\/)/.test(file);

const files = folders
  .flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((file) =>
      join(folder, file),
    ),
  )
  .filter((file) => file.endsWith('.ts') && !/\.(test|suite|sample|fixture|kit)\.ts$/.test(file));

function importsOf(file: string): readonly string[] {
  const source = readFileSync(join(root, file), 'utf8');
  return [...source.matchAll(/from '([^']+)'/g)].map((match) => {
    const target = match[1] ?? '';
    return target.startsWith('.') ? relative(root, join(root, dirname(file), target)) : target;
  });
}

// A simulator that shares code with the adapter it checks would have the same mistakes.
test('simulators import neither the product nor the adapters', () => {
  const simulators = files.filter(isSimulator);
  expect(simulators.length).toBeGreaterThan(10);
  for (const file of simulators) {
    for (const target of importsOf(file)) {
      const isAllowed = isSimulator(target) || /^(node:.*|express|saxes|undici|ws)$/.test(target);
      expect(isAllowed, `${file} imports ${target}`).toBe(true);
    }
  }
});

test('adapters import nothing of the simulators', () => {
  // A registry names a simulator for each adapter, and loads it only where it runs.
  const adapters = files.filter((name) => !isSimulator(name) && !name.endsWith('registry.ts'));
  for (const file of adapters) {
    for (const target of importsOf(file)) {
      expect(isSimulator(target), `${file} imports ${target}`).toBe(false);
    }
  }
});
