import { styleText } from 'node:util';
import type { DemoReport } from './run.ts';
import { heading, line, table } from './table.ts';
import type { InvoiceResult } from './verdict.ts';

/** The report for people: timelines, faults, webhooks, and the rows written back into the ERP. */
export function printReport(report: DemoReport): void {
  heading('Invoices');
  table(
    ['document', 'profile', '', 'timeline (seconds since it was received)'],
    report.invoices.map((each) => [each.ref, each.profile, each.kind, timeline(each)]),
  );
  heading('Rejected, and where to mend it');
  for (const each of report.invoices) printFaults(each);
  heading('Sent twice with one Idempotency-Key');
  line(
    `${report.replay.id}: ${report.replay.replayed ? 'the first answer again, nothing new' : 'FAILED'}`,
  );
  heading('Webhooks');
  const { received, verified, repeats } = report.webhooks;
  line(
    `${received} transitions received once each, ${verified} signatures verified, ${repeats} repeats`,
  );
  heading('Written back into the ERP (einv_status_sandbox)');
  table(
    ['source_ref', 'status', 'uin', 'settled_at'],
    report.confirmations.map((row) =>
      ['source_ref', 'status', 'uin', 'settled_at'].map((name) => String(row[name] ?? '')),
    ),
  );
  process.stdout.write('\n');
  for (const problem of report.problems) line(styleText('red', `✗ ${problem}`));
  if (report.ok) line(styleText('green', `✓ everything as it should be, in ${report.seconds} s`));
}

function timeline({ timeline: entries, status }: InvoiceResult): string {
  const [first, ...later] = entries;
  const steps = later.map((each) => `${each.status} ${(each.elapsedMs / 1_000).toFixed(2)}`);
  const text = [first?.status, ...steps].join(' → ');
  return status === 'rejected' ? styleText('yellow', text) : styleText('green', text);
}

function printFaults({ ref, faults }: InvoiceResult): void {
  for (const fault of faults) {
    line(`${styleText('bold', ref)}  ${styleText('yellow', fault.rule)}`);
    line(`  ${fault.message}`);
    line(styleText('dim', `  at   ${fault.field}`));
    if (fault.source !== '') line(`  from ${styleText('cyan', fault.source)} = "${fault.value}"`);
  }
}
