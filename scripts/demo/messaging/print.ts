import { styleText } from 'node:util';
import { heading, line, table } from '../table.ts';
import type { MessagingReport } from './run.ts';

/** The report for people. */
export function printMessaging(report: MessagingReport): void {
  const { contacts, broadcast, singles, inbox, webhooks } = report;
  heading('Contacts');
  line(`${contacts.created} imported, ${contacts.perSecond} a second; ${contacts.failed} refused`);
  heading(`Broadcast to ${broadcast.recipients} people (${broadcast.status})`);
  const names = ['sent', 'delivered', 'read', 'clicked', 'replied', 'failed'];
  const share = (name: string) => {
    const rate = broadcast.rates[name];
    return rate == null ? '' : `${(rate * 100).toFixed(1)} %`;
  };
  table(names, [names.map((name) => String(broadcast.counts[name] ?? 0)), names.map(share)]);
  for (const { url, unique } of broadcast.clicks) line(`${unique} people opened ${url}`);
  line(`${broadcast.replies} messages came back; all of it in ${broadcast.seconds} s`);
  heading('One message on each of the others');
  table(
    ['channel', 'what', 'status'],
    singles.map(({ channel, what, status }) => [channel, what, styleText('green', status)]),
  );
  heading('Team inbox');
  const { opened, answer, pdf } = inbox;
  line(`${opened} conversations open; the first of them answered (${answer})`);
  line(`printed on ${pdf.bytes} bytes of PDF; verify-pdf says ${pdf.verdict}`);
  heading('Webhooks');
  const { received, verified, repeats } = webhooks;
  line(`${received} received, ${verified} signatures verified, ${repeats} repeats`);
  process.stdout.write('\n');
  for (const problem of report.problems) line(styleText('red', `✗ ${problem}`));
  if (report.ok) line(styleText('green', `✓ everything as it should be, in ${report.seconds} s`));
}
