/** What people do with a message, as shares of them from 0 to 1. */
export interface Habits {
  readonly delivered: number;
  /** As a share of those delivered; each field below is a share of the one above. */
  readonly read: number;
  readonly replied: number;
  readonly clicked: number;
  readonly stopped: number;
  /** The share of people whose reports come out of order. */
  readonly disordered: number;
  /** The share of reports that come twice. */
  readonly repeated: number;
  /** The shortest and the longest wait before each step. */
  readonly waitMs: readonly [number, number];
}

/** Everybody reads everything at once and does nothing: what most tests need. */
export const prompt: Habits = {
  delivered: 1,
  read: 1,
  replied: 0,
  clicked: 0,
  stopped: 0,
  disordered: 0,
  repeated: 0,
  waitMs: [0, 0],
};

/** A crowd: most get a message, half of them read it, some answer, some click, a few opt out. */
export const lively: Habits = {
  delivered: 0.97,
  read: 0.6,
  replied: 0.06,
  clicked: 0.15,
  stopped: 0.005,
  disordered: 0.1,
  repeated: 0.02,
  waitMs: [50, 3_000],
};

/** Habits by name, as the command line gives them. */
export const crowds: Readonly<Record<string, Habits>> = { prompt, lively };

export type DeliveryStep = 'sent' | 'delivered' | 'undelivered' | 'read';

/** One delivery report of a message: when the event happened, and when it is reported. */
interface Report {
  readonly step: DeliveryStep;
  readonly happensAfterMs: number;
  readonly reportedAfterMs: number;
}

/** What happens to one message. */
export interface PlannedDelivery {
  readonly reports: readonly Report[];
  /** What the person does then, if anything. */
  readonly action?: { readonly kind: 'reply' | 'click' | 'stop'; readonly afterMs: number };
}

const always = { delivered: 1, read: 1, replied: 0, clicked: 0, stopped: 0 };

/** People known by the last four digits of their number; they ignore the habits of the crowd. */
const magicPeople: Readonly<Record<string, readonly [Partial<Habits>, string]>> = {
  7001: [always, 'reads'],
  7002: [{ ...always, replied: 1 }, 'reads and replies YES, or taps the first button'],
  7003: [{ ...always, stopped: 1 }, 'reads and writes STOP (Telegram: blocks the bot)'],
  7004: [{ ...always, clicked: 1 }, 'reads and opens the first link'],
  7005: [{ ...always, read: 0 }, 'gets it and never reads it'],
  7006: [{ delivered: -1 }, 'is never heard of: no report comes'],
  7007: [{ ...always, disordered: 1, repeated: 1 }, 'reads; reports come twice and in disorder'],
};

/** The lines about people at the end of every table of magic recipients. */
export const peopleTable: readonly (readonly [string, string])[] = Object.entries(magicPeople).map(
  ([digits, [, what]]) => [`…${digits}`, what],
);

/** What the person with these digits does with a message; a failing message reaches nobody. */
export function planDelivery(
  digits: string,
  habits: Habits,
  random: () => number,
  isFailing: boolean,
): PlannedDelivery {
  const magic = isFailing ? { delivered: 0 } : magicPeople[digits.slice(-4)]?.[0];
  const mine = magic === undefined ? habits : { ...habits, ...magic };
  if (mine.delivered < 0) return { reports: [] };
  const [least, greatest] = mine.waitMs;
  const wait = () => (greatest === 0 ? 0 : least + random() * (greatest - least));
  let atMs = wait();
  const steps: { step: DeliveryStep; happensAfterMs: number }[] = [
    { step: 'sent', happensAfterMs: atMs },
  ];
  const add = (step: DeliveryStep) => {
    atMs += wait();
    steps.push({ step, happensAfterMs: atMs });
  };
  const isDelivered = happens(mine.delivered, random);
  add(isDelivered ? 'delivered' : 'undelivered');
  const isRead = isDelivered && happens(mine.read, random);
  if (isRead) add('read');
  const reports = reportsOf(steps, mine, random);
  const kind = isRead ? actionOf(mine, random) : undefined;
  return kind === undefined ? { reports } : { reports, action: { kind, afterMs: atMs + wait() } };
}

function actionOf(habits: Habits, random: () => number): 'reply' | 'click' | 'stop' | undefined {
  if (happens(habits.stopped, random)) return 'stop';
  if (happens(habits.clicked, random)) return 'click';
  return happens(habits.replied, random) ? 'reply' : undefined;
}

/** Out of order means that the last step is reported first; the event times stay correct. */
function reportsOf(
  steps: readonly { step: DeliveryStep; happensAfterMs: number }[],
  { disordered, repeated }: Habits,
  random: () => number,
): readonly Report[] {
  const last = steps.at(-1)?.happensAfterMs ?? 0;
  const isDisordered = happens(disordered, random);
  const ordered = isDisordered ? steps.toReversed() : steps;
  return ordered.flatMap((each, at) => {
    const report = { ...each, reportedAfterMs: isDisordered ? last + at : each.happensAfterMs };
    return happens(repeated, random) ? [report, report] : [report];
  });
}

/** Draws no random number where the answer is certain, so that simple runs stay the same. */
function happens(share: number, random: () => number): boolean {
  return share >= 1 || (share > 0 && random() < share);
}

/** The first link in a text. */
export function linkIn(text: string): string | undefined {
  return /https?:\/\/[^\s"'<>]+/.exec(text)?.[0].replace(/[.,;:!?)]+$/, '');
}
