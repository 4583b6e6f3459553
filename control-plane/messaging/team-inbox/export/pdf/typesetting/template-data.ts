/**
 * The data that the typst template prints for a part of a conversation; the template decides
 * nothing.
 */
import type { DocumentPart, Entry, Party } from '../document.ts';
import { type MediaBox, type MediaBoxes, mediaBoxes } from './media-boxes.ts';
import {
  type Coverage,
  factsLine,
  lineOf,
  type Paragraph,
  paragraphsOf,
  shortened,
} from './text.ts';
import { type Times, timesIn } from './times.ts';

export interface TemplateData {
  readonly families: readonly string[];
  readonly title: string;
  readonly colour: string;
  readonly tenant: Paragraph;
  readonly tenantSize: 'large' | 'small';
  /** On the pages after the first: the tenant, on one line. */
  readonly runningHead: Paragraph;
  readonly logo: MediaBox | null;
  readonly conversation: Paragraph;
  readonly part: string;
  readonly exported: string;
  readonly facts: readonly (readonly [label: string, values: readonly Paragraph[]])[];
  readonly participants: readonly (readonly Paragraph[])[];
  readonly days: readonly { readonly title: string; readonly entries: readonly TemplateEntry[] }[];
  /** By row and cell. */
  readonly consents: readonly (readonly (readonly Paragraph[])[])[];
  /** Printed below the consents, or in place of them. */
  readonly consentRemark: string;
}

interface TemplateEntry {
  readonly kind: 'in' | 'out' | 'note' | 'call' | 'event';
  readonly time: string;
  readonly utc: string;
  readonly author: Paragraph;
  readonly label: string;
  readonly states: Paragraph;
  readonly isFailed: boolean;
  /** Must not be split over two pages. */
  readonly isShort: boolean;
  readonly body: readonly Paragraph[];
  readonly media: readonly MediaBox[];
}

interface Context {
  readonly covers: Coverage;
  readonly times: Times;
  readonly boxes: MediaBoxes;
}

export interface TemplateDataOptions {
  readonly covers: Coverage;
  readonly families: readonly string[];
  /** Whether the typesetter can decode it. */
  readonly canDecode: (path: string, bytes: Uint8Array) => boolean;
}

/** How many letters of a name fit into the head in large type. */
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

/** The data, with the pictures to which it refers by path. */
export function templateDataOf(
  part: DocumentPart,
  { covers, families, canDecode }: TemplateDataOptions,
) {
  const boxes = mediaBoxes(canDecode, covers);
  const context = { covers, boxes, times: timesIn(part.timeZone) };
  const { logo, colour } = part.tenant;
  const sheet: TemplateData = {
    families,
    title: 'Conversation record',
    colour: /^#[0-9a-f]{6}$/i.test(colour ?? '') ? colour! : defaultColour,
    tenant: lineOf(part.tenant.name, covers),
    tenantSize: part.tenant.name.length > longName ? 'small' : 'large',
    runningHead: lineOf(shortened(part.tenant.name, longName), covers),
    // A logo that cannot be shown is left out: the name is printed anyway.
    logo: logo === undefined ? null : boxes.logo(logo),
    conversation: lineOf(part.conversationId, covers),
    part: part.count === 1 ? '' : `Part ${part.number} of ${part.count}`,
    exported: context.times.utcFull(part.exportedAt),
    facts: factsOf(part, context),
    participants: part.participants.map((each) => rowOf(each, covers)),
    days: daysOf(part.entries, context),
    consents: consentRows(part, context),
    consentRemark: consentRemark(part),
  };
  return { sheet, pictures: boxes.pictures };
}

function factsOf(part: DocumentPart, { covers, times }: Context): TemplateData['facts'] {
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

/** The requested period, so that nobody takes a part for the whole. */
function extentOf({ extent: { since, until, hasNotes } }: DocumentPart, times: Times): string {
  const bounds = [
    ...(since === undefined ? [] : [`from ${times.full(since)} (${times.utcFull(since)})`]),
    ...(until === undefined ? [] : [`before ${times.full(until)} (${times.utcFull(until)})`]),
  ];
  const what = bounds.length === 0 ? 'the whole conversation' : `only ${bounds.join(', ')}`;
  return `${what}, ${hasNotes ? 'with' : 'without'} internal notes and files of the team`;
}

function daysOf(entries: readonly Entry[], context: Context): TemplateData['days'] {
  const days: { title: string; entries: TemplateEntry[] }[] = [];
  for (const entry of entries) {
    const title = context.times.day(entry.at);
    if (days.at(-1)?.title !== title) days.push({ title, entries: [] });
    days.at(-1)!.entries.push(entryOf(entry, context));
  }
  return days;
}

function entryOf(entry: Entry, { covers, times, boxes }: Context): TemplateEntry {
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
    media: media.map(boxes.medium),
  };
}

/** Whether the entry certainly fits on a page, and so must not be split. */
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
