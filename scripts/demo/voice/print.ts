import { styleText } from 'node:util';
import { heading, line, table } from '../table.ts';
import type { VoiceReport } from './run.ts';

/** The report for people. */
export function printVoice(report: VoiceReport): void {
  heading('One call flow, compiled three ways');
  for (const { provider, document } of report.documents) {
    line(styleText('bold', provider));
    line(document);
  }
  for (const { provider, events } of report.calls) {
    heading(`What befell the call through ${provider}`);
    const told = events.filter(({ kind }) => kind !== 'leg');
    table(
      ['event', 'what'],
      told.map(({ kind, data }) => [kind, shown(data)]),
    );
  }
  heading('Call detail records');
  table(
    ['provider', 'status', 'seconds', 'billed', 'cost (USD)', 'recording (sha256)'],
    report.calls.map(({ provider, status, seconds, billed, cost, recordings }) => [
      provider,
      styleText('green', status),
      String(seconds),
      String(billed),
      cost,
      recordings[0]?.sha256?.slice(0, 16) ?? '-',
    ]),
  );
  heading('Their legs: the call itself, and whom its flow transferred it to');
  table(
    ['provider', 'leg', 'to', 'status', 'seconds', 'rate', 'cost (USD)'],
    report.calls.flatMap(({ provider, legs }) =>
      legs.map(({ number, to, status, duration_seconds, rate, cost }) => [
        provider,
        String(number),
        to,
        status,
        String(duration_seconds ?? '-'),
        rate === null ? '-' : `${rate.per_minute} a minute, ${rate.increment}`,
        cost?.amount ?? '-',
      ]),
    ),
  );
  const { balance, reserved, currency } = report.wallet;
  line(`wallet: ${balance} ${currency}, ${reserved} of it promised`);
  process.stdout.write('\n');
  for (const problem of report.problems) line(styleText('red', `✗ ${problem}`));
  if (report.ok) line(styleText('green', `✓ everything as it should be, in ${report.seconds} s`));
}

function shown(data: Readonly<Record<string, unknown>>): string {
  return Object.entries(data)
    .filter(([name, value]) => value !== null && name !== 'sha256')
    .map(([name, value]) => `${name}: ${String(value)}`)
    .join(', ');
}
