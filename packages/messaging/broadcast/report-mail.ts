/** The mail that tells whoever made a broadcast how it went. */
import type { Tally } from './tally.ts';

export const reportLanguages = ['en', 'ar', 'ms'] as const;
export type ReportLanguage = (typeof reportLanguages)[number];

export interface BroadcastReport {
  readonly template: string;
  /** Null for a resend of people whose segment is gone. */
  readonly segment: string | null;
  readonly state: 'completed' | 'failed' | 'canceled';
  /** Why it failed as a whole. */
  readonly detail: string | null;
  readonly isSandbox: boolean;
  readonly recipients: number;
  readonly counts: Tally;
  /** How many messages failed for each reason, the most frequent first. */
  readonly failures: readonly { readonly reason: string; readonly count: number }[];
  /** How many people were left out for each reason. */
  readonly skipped: Readonly<Record<string, number>>;
  readonly links: readonly {
    readonly url: string;
    readonly clicks: number;
    readonly people: number;
  }[];
  readonly countedAt: Date;
  /** Of the broadcast in the console. */
  readonly page: string;
}

interface Words {
  readonly sandbox: string;
  readonly subject: (report: BroadcastReport) => string;
  readonly ended: (report: BroadcastReport) => string;
  readonly recipients: string;
  readonly sent: string;
  readonly delivered: string;
  readonly read: string;
  readonly failed: string;
  readonly unknown: string;
  readonly canceled: string;
  readonly replied: string;
  readonly clicked: string;
  readonly failures: string;
  readonly skipped: string;
  readonly links: string;
  readonly link: (clicks: number, people: number) => string;
  readonly asOf: (at: string) => string;
  readonly why: string;
}

const lines = [
  'recipients',
  'sent',
  'delivered',
  'read',
  'failed',
  'unknown',
  'canceled',
  'replied',
  'clicked',
] as const;

/** Subject and text of the mail. */
export function reportMail(
  report: BroadcastReport,
  language: ReportLanguage,
): { readonly subject: string; readonly text: string } {
  const words = wordsOf[language];
  const { counts, recipients, failures, skipped, links, countedAt, page } = report;
  const numbers = { ...counts, recipients };
  const at = `${countedAt.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  const sections = [
    [words.ended(report), ...(report.detail === null ? [] : [report.detail])],
    lines.map((name) => `${words[name]}: ${numbers[name]}`),
    listed(
      words.failures,
      failures.map(({ reason, count }) => `${reason}: ${count}`),
    ),
    listed(
      words.skipped,
      Object.entries(skipped).map(([reason, count]) => `${reason}: ${count}`),
    ),
    listed(
      words.links,
      links.map(({ url, clicks, people }) => `${url}\n    ${words.link(clicks, people)}`),
    ),
    [words.asOf(at), page],
    [words.why],
  ];
  const text = sections
    .filter((section) => section.length > 0)
    .map((section) => section.join('\n'));
  return {
    subject: (report.isSandbox ? words.sandbox : '') + words.subject(report),
    text: `${text.join('\n\n')}\n`,
  };
}

function listed(title: string, rows: readonly string[]): readonly string[] {
  return rows.length === 0 ? [] : [title, ...rows.map((row) => `  ${row}`)];
}

const wordsOf: Readonly<Record<ReportLanguage, Words>> = {
  en: {
    sandbox: '[Sandbox] ',
    subject: ({ template, counts, recipients }) =>
      `Broadcast "${template}": ${counts.sent} of ${recipients} sent`,
    ended: ({ template, segment, state }) =>
      `Your broadcast of "${template}"${segment === null ? '' : ` to "${segment}"`} has ended: ${state}.`,
    recipients: 'Recipients',
    sent: 'Sent',
    delivered: 'Delivered',
    read: 'Read',
    failed: 'Failed',
    unknown: 'Unknown',
    canceled: 'Canceled',
    replied: 'Replied',
    clicked: 'Clicked',
    failures: 'Why messages failed:',
    skipped: 'Who was left out:',
    links: 'Links:',
    link: (clicks, people) => `${clicks} clicks, ${people} people`,
    asOf: (at) => `Counted at ${at}. What is reported later is on the page of the broadcast:`,
    why: 'You get this because you made the broadcast. Settings in the console can turn it off.',
  },
  ar: {
    sandbox: '[تجريبي] ',
    subject: ({ template, counts, recipients }) =>
      `الحملة "${template}": أُرسلت ${counts.sent} من ${recipients}`,
    ended: ({ template, segment, state }) => {
      const how = { completed: 'اكتملت', failed: 'فشلت', canceled: 'أُلغيت' }[state];
      return `انتهت حملتك "${template}"${segment === null ? '' : ` إلى "${segment}"`}: ${how}.`;
    },
    recipients: 'المستلمون',
    sent: 'أُرسلت',
    delivered: 'وصلت',
    read: 'قُرئت',
    failed: 'فشلت',
    unknown: 'غير معروفة',
    canceled: 'أُلغيت',
    replied: 'ردّوا',
    clicked: 'نقروا',
    failures: 'لماذا فشلت رسائل:',
    skipped: 'من استُبعد:',
    links: 'الروابط:',
    link: (clicks, people) => `النقرات: ${clicks}، الأشخاص: ${people}`,
    asOf: (at) => `حُسبت في ${at}. ما يصل لاحقًا تجده في صفحة الحملة:`,
    why: 'تصلك هذه الرسالة لأنك أنشأت الحملة. يمكن إيقافها من إعدادات لوحة التحكم.',
  },
  ms: {
    sandbox: '[Kotak pasir] ',
    subject: ({ template, counts, recipients }) =>
      `Siaran "${template}": ${counts.sent} daripada ${recipients} dihantar`,
    ended: ({ template, segment, state }) => {
      const how = { completed: 'selesai', failed: 'gagal', canceled: 'dibatalkan' }[state];
      return `Siaran anda "${template}"${segment === null ? '' : ` kepada "${segment}"`} telah tamat: ${how}.`;
    },
    recipients: 'Penerima',
    sent: 'Dihantar',
    delivered: 'Sampai',
    read: 'Dibaca',
    failed: 'Gagal',
    unknown: 'Tidak diketahui',
    canceled: 'Dibatalkan',
    replied: 'Membalas',
    clicked: 'Mengklik',
    failures: 'Sebab mesej gagal:',
    skipped: 'Siapa yang dikecualikan:',
    links: 'Pautan:',
    link: (clicks, people) => `${clicks} klik, ${people} orang`,
    asOf: (at) => `Dikira pada ${at}. Apa yang dilaporkan kemudian ada di halaman siaran:`,
    why: 'Anda menerima ini kerana anda membuat siaran itu. Tetapan di konsol boleh mematikannya.',
  },
};
