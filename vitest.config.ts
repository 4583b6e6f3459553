import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { builtPrograms } from './test/kit/built-programs.ts';
import ProcessesAndLargestFirst from './test/kit/processes-and-largest-first.ts';

export default defineConfig({
  plugins: [builtPrograms()],
  test: {
    projects: [
      // Modules keep nothing but what they derive from their arguments, so files of one thread share them.
      {
        test: {
          name: 'threads',
          include: ['{packages,control-plane}/**/*.test.ts'],
          pool: 'threads',
          isolate: false,
          unstubEnvs: true,
          restoreMocks: true,
        },
      },
      // Drivers that fail in a process of their own, and what measures its memory.
      {
        test: {
          name: 'processes',
          include: ['{agent,connectors,scripts,test}/**/*.test.ts'],
          isolate: true,
        },
      },
    ],
    exclude: ['**/node_modules/**'],
    globalSetup: ['test/kit/postgres-server.ts', 'test/kit/build-programs.ts'],
    // Half of the time a test waits for a process, a browser or a clock. A share is no more than all cores.
    maxWorkers: availableParallelism() * 2,
    sequence: { sequencer: ProcessesAndLargestFirst },
    slowTestThreshold: 2_000,
    reporters: ['default', './test/kit/skipped-and-flaky-reporter.ts'],
    retry: 1, // a stalled machine is no verdict; what passes only then is listed as unsteady
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // A machine may be busy: what is waited for is waited for long, and comes at once when it comes.
    expect: { poll: { timeout: 30_000, interval: 50 } },
  },
});
