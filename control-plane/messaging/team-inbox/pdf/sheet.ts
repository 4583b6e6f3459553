/** A part of a conversation in the words and numbers that the template prints: it decides nothing. */
import type { DocumentPart, Entry, Party } from './document.ts';
import { type Frame, type Frames, framesOf } from './frames.ts';
import {
  type Coverage,
  factsLine,
  lineOf,
  type Paragraph,
  paragraphsOf,
  shortened,
} from './text.ts';
import { type Times, timesIn } from './times.ts';

export interface Sheet {
  readonly families: readonly string[];
  readonly title: string;
  readonly colour: string;
  readonly tenant: Paragraph;
  readonly tenantSize: 'large' | 'small';
  /** Of the pages after the first: the tenant, on one line. */
  readonly runningHead: Paragraph;
  readonly logo: Frame | null;
  readonly conversation: Paragraph;
  readonly part: string;
  readonly exported: string;
  readonly facts: readonly (readonly [label: string, values: readonly Paragraph[]])[];
  readonly participants: readonly (readonly Paragraph[])[];
  readonly days: readonly { readonly title: string; readonly entries: readonly SheetEntry[] }[];
  /** Row by row, cell by cell. */
  readonly consents: readonly (readonly (readonly Paragraph[])[])[];
  /** Stands under them, or in their place. */
  readonly consentRemark: string;
}

interface SheetEntry {
  readonly kind: 'in' | 'out' | 'note' | 'call' | 'event';
  readonly time: string;
  readonly utc: string;
  readonly author: Paragraph;
  readonly label: string;
  readonly states: Paragraph;
  readonly isFailed: boolean;
  /** Kept on one page. */
  readonly isShort: boolean;
  readonly body: readonly Paragraph[];
  readonly media: readonly Frame[];
}

interface Context {
  readonly covers: Coverage;
  readonly times: Times;
  readonly frames: Frames;
}

export interface SheetOptions {
  readonly covers: Coverage;
  readonly families: readonly string[];
  /** Whether the typesetter can decode it. */
  readonly canDecode: (path: string, bytes: Uint8Array) => boolean;
}

/** Letters of a name that fit into the head in large type. */
const longName = 60;
const defaultColour = '#1f3a5f';
const channelNames: Readonly<Record<string, string>> = {
  wa: 'WhatsApp',
  sms: 'SMS',
  botchat: 'Bot chat',
  rcs: 'RCS',
  voice: 'Voice',
  recording: 'Recorded calls',
};

/** The sheet, and the pictures it shows by path. */
export function sheetOf(part: DocumentPart, { covers, families, canDecode }: SheetOptions) {
  const frames = framesOf(canDecode, covers);
  const context = { covers, frames, times: timesIn(part.timeZone) };
  const { logo, colour } = part.tenant;
  const sheet: Sheet = {
    families,
    title: 'Conversation record',
    colour: /^#[0-9a-f]{6}$/i.test(colour ?? '') ? colour! : defaultColour,
    tenant: lineOf(part.tenant.name, covers),
    tenantSize: part.tenant.name.length > longName ? 'small' : 'large',
    runningHead: lineOf(shortened(part.tenant.name, longName), covers),
    // A logo that cannot be shown is left out: the name stands beside it anyway.
    logo: logo === undefined ? null : frames.logo(logo),
    conversation: lineOf(part.conversationId, covers),
    part: part.count === 1 ? '' : `Part ${part.number} of ${part.count}`,
    exported: context.times.utcFull(part.exportedAt),
    facts: factsOf(part, context),
    participants: part.participants.map((each) => rowOf(each, covers)),
    days: daysOf(part.entries, context),
    consents: consentRows(part, context),
    consentRemark: consentRemark(part),
  };
  return { sheet, pictures: frames.pictures };
}

function factsOf(part: DocumentPart, { covers, times }: Context): Sheet['facts'] {
  const { contact, entries, firstEntry, entryCount } = part;
  const line = (text: string) => [lineOf(text, covers)];
  const [first, last] = [entries[0], entries.at(-1)];
  const period =
    first === undefined || last === undefined
      ? 'nothing was said'
      : `${times.full(first.at)} – ${times.full(last.at)}`;
  const range = `${grouped(firstEntry)} to ${grouped(firstEntry + entries.length - 1)} of `;
  const count = `${part.count === 1 ? '' : range}${grouped(entryCount)}`;
  return [
    ['Contact', rowOf(contact, covers)],
    ['Channels', line(part.channels.map(channelName).join(', ') || 'none')],
    ['Conversation', line(part.conversationId)],
    ['Extent', line(extentOf(part, times))],
    ['Period', line(period)],
    ['Entries', line(count)],
    ['Times', line(`${part.timeZone}; in small type UTC`)],
    ['Exported by', line(part.exportedBy)],
    ['As of', line(`${times.full(part.exportedAt)} (${times.utcFull(part.exportedAt)})`)],
  ];
}

/** What was asked for, so that nobody takes a piece for the whole. */
function extentOf({ extent: { since, until, hasNotes } }: DocumentPart, times: Times): string {
  const bounds = [
    ...(since === undefined ? [] : [`from ${times.full(since)} (${times.utcFull(since)})`]),
    ...(until === undefined ? [] : [`before ${times.full(until)} (${times.utcFull(until)})`]),
  ];
  const what = bounds.length === 0 ? 'the whole conversation' : `only ${bounds.join(', ')}`;
  return `${what}, ${hasNotes ? 'with' : 'without'} internal notes and files of the team`;
}

function daysOf(entries: readonly Entry[], context: Context): Sheet['days'] {
  const days: { title: string; entries: SheetEntry[] }[] = [];
  for (const entry of entries) {
    const title = context.times.day(entry.at);
    if (days.at(-1)?.title !== title) days.push({ title, entries: [] });
    days.at(-1)!.entries.push(entryOf(entry, context));
  }
  return days;
}

function entryOf(entry: Entry, { covers, times, frames }: Context): SheetEntry {
  const { kind, direction = 'in', states = [], media = [] } = entry;
  const states_ = states.map(({ name, at }) => (at ? `${name} ${times.near(at, entry.at)}` : name));
  return {
    kind: kind === 'message' ? direction : kind,
    time: times.clock(entry.at),
    utc: times.utcNear(entry.at),
    author: lineOf(entry.author, covers),
    label: labelOf(entry),
    states: factsLine(
      [...states_, ...(entry.problem === undefined ? [] : [entry.problem])],
      covers,
    ),
    isShort: isShort(entry),
    isFailed: ['failed', 'expired', 'canceled'].includes(states.at(-1)?.name ?? ''),
    // A file needs no words; a message without either says so.
    body: entry.text === '' && media.length > 0 ? [] : paragraphsOf(entry.text, covers),
    media: media.map(frames.medium),
  };
}

/** Whether it is sure to fit on a page, and so need not be broken. */
function isShort({ text, media = [] }: Entry): boolean {
  return text.length <= 500 && text.split(/\s/).length <= 100 && media.length <= 1;
}

function labelOf({ kind, direction, channel }: Entry): string {
  const via = channel === undefined ? [] : [channelName(channel)];
  switch (kind) {
    case 'note':
      return 'Internal note, not sent';
    case 'event':
      return 'Event';
    case 'call':
      return [direction === 'out' ? 'Call made' : 'Call received', ...via].join(' · ');
    case 'message':
      return [direction === 'out' ? 'Sent' : 'Received', ...via].join(' · ');
  }
}

function consentRows({ consents }: DocumentPart, { covers, times }: Context) {
  return consents.map(({ at, channel, address, state, source, note = '' }) => {
    const when = [times.full(at), times.utcFull(at)];
    const cells = [when, [channelName(channel)], [address], [state], [source], [note]];
    return cells.map((cell) => cell.map((text) => lineOf(text, covers)));
  });
}

function consentRemark({ consents, hasMoreConsents, number, count }: DocumentPart): string {
  if (number < count) return '';
  if (consents.length === 0) return 'None on record for the addresses of this contact.';
  return hasMoreConsents ? `These are the newest ${consents.length}; older ones are left out.` : '';
}

function rowOf({ name, details = [] }: Party, covers: Coverage): Paragraph[] {
  return [name, ...details].map((text) => lineOf(text, covers));
}

function channelName(channel: string): string {
  return Object.hasOwn(channelNames, channel) ? channelNames[channel]! : channel;
}

/** 12,345. */
function grouped(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ',');
}
