import { parseArgs } from 'node:util';

/** The port in a simulator's command line: `--port 9100` or `9100`; without one, a free port. */
export function portOf(words: readonly string[]): number {
  const { values, positionals } = parseArgs({
    args: [...words],
    options: { port: { type: 'string' } },
    allowPositionals: true,
  });
  const port = Number(values.port ?? positionals[0] ?? 0);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) throw new Error('--port is a port');
  return port;
}
