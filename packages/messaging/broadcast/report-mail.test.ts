import { expect, test } from 'vitest';
import { type BroadcastReport, reportLanguages, reportMail } from './report-mail.ts';
import { tally } from './tally.ts';

const report: BroadcastReport = {
  template: 'offer',
  segment: 'vip',
  state: 'completed',
  detail: null,
  isSandbox: false,
  recipients: 12,
  counts: tally({ sent: 9, delivered: 8, read: 3, failed: 2, unknown: 1, replied: 4, clicked: 5 }),
  failures: [{ reason: '30005', count: 2 }],
  skipped: { opted_out: 7 },
  links: [{ url: 'https://shop.example/offer', clicks: 6, people: 5 }],
  countedAt: new Date('2026-11-24T16:05:30Z'),
  page: 'https://x.example/console/broadcasts/brc_1',
};

test('the mail has counts, failures by reason, who was left out, clicks and the page', () => {
  expect(reportMail(report, 'en')).toEqual({
    subject: 'Broadcast "offer": 9 of 12 sent',
    text: `Your broadcast of "offer" to "vip" has ended: completed.

Recipients: 12
Sent: 9
Delivered: 8
Read: 3
Failed: 2
Unknown: 1
Canceled: 0
Replied: 4
Clicked: 5

Why messages failed:
  30005: 2

Who was left out:
  opted_out: 7

Links:
  https://shop.example/offer
    6 clicks, 5 people

Counted at 2026-11-24 16:05 UTC. What is reported later is on the page of the broadcast:
https://x.example/console/broadcasts/brc_1

You get this because you made the broadcast. Settings in the console can turn it off.
`,
  });
});

test.each(reportLanguages)(
  'in %s all numbers and addresses are there, and nothing is empty',
  (language) => {
    const { subject, text } = reportMail(report, language);
    for (const part of ['30005: 2', 'opted_out: 7', report.links[0]!.url, report.page, '16:05']) {
      expect(text).toContain(part);
    }
    expect(subject).toMatch(/offer.*9.*12/);
    const bare = {
      ...report,
      segment: null,
      failures: [],
      skipped: {},
      links: [],
      isSandbox: true,
    };
    const less = reportMail({ ...bare, detail: 'no app' }, language);
    expect(less.text).toContain('\nno app\n');
    expect(less.text).not.toMatch(/vip|:\n\n/);
    expect(less.subject).toMatch(/^\[/);
  },
);
