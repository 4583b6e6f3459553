import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { builtPrograms } from './test/kit/built-programs.ts';
import LargestFirst from './test/kit/largest-first.ts';

export default defineConfig({
  plugins: [builtPrograms()],
  test: {
    projects: [
      // A thread starts in half the time of a process.
      {
        test: {
          name: 'threads',
          include: ['{packages,control-plane}/**/*.test.ts'],
          pool: 'threads',
        },
      },
      // Drivers that fail in a process of their own, and what measures its memory.
      {
        test: {
          name: 'processes',
          include: ['{agent,connectors,scripts,test}/**/*.test.ts'],
        },
      },
    ],
    exclude: ['**/node_modules/**'],
    globalSetup: ['test/kit/postgres-server.ts', 'test/kit/build-programs.ts'],
    // A third of the time a test waits for a process, a browser or a clock. A share is no more than all cores.
    maxWorkers: Math.ceil(availableParallelism() * 1.5),
    sequence: { sequencer: LargestFirst },
    isolate: true, // what one file leaves behind must not let another pass
    slowTestThreshold: 2_000,
    reporters: ['default', './test/kit/skipped-and-flaky-reporter.ts'],
    retry: 1, // a stalled machine is no verdict; what passes only then is listed as unsteady
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // A machine may be busy: what is waited for is waited for long, and comes at once when it comes.
    expect: { poll: { timeout: 30_000, interval: 50 } },
  },
});
