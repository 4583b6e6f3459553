/** The requests of the inbox bench by name: `questions(messages)`. */
import {
  agents,
  contactIdOf,
  contactsOf,
  firstAt,
  firstHan,
  lastAt,
  rareEvery,
  scripts,
} from './inbox-rows.ts';

export interface Answer {
  readonly next?: string | null;
}

/** A request with new random values each time, or with the next page. */
export interface Question {
  path(last: Answer | undefined): string;
  /** How often it is sent before it is measured. */
  readonly before?: number;
  /** The target for the 95th percentile of answers. */
  readonly targetMs: number;
}

const firstPageMs = 50;
/** The target for far pages and for filters that few messages match. */
const rareMs = 500;

type Part = () => string;

const below = (count: number) => Math.floor(Math.random() * count);
const instant = () => new Date(firstAt + Math.random() * (lastAt - firstAt)).toISOString();
const word = (from: number, to: number) => `w${String(from + below(to - from)).padStart(5, '0')}`;
const text = (...words: readonly string[]) => `text=${encodeURIComponent(words.join(' '))}`;
const channel: Part = () => `channel=${['wa', 'sms', 'botchat', 'rcs'][below(4)]}`;
const until: Part = () => `until=${instant()}`;
const farBack: Part = () => `since=${new Date(firstAt).toISOString()}`;
const agent: Part = () => `assignee=usr_${2 + below(agents - 2)}`;
const only = (words: string) => () => words;
const [few, past, arabicAgent, tamilAgent, nobody] = [
  'usr_few',
  'usr_past',
  'usr_arabic',
  'usr_tamil',
  'none',
].map((id) => only(`assignee=${id}`)) as [Part, Part, Part, Part, Part];
const [open, snoozed, closed] = ['open', 'snoozed', 'closed'].map((state) =>
  only(`state=${state}`),
) as [Part, Part, Part];

const common: Part = () => text(word(0, 3));
const middling: Part = () => text(word(300, 3_000));
const seldom: Part = () => text(word(20_000, 50_000));
const absent: Part = () => text(`v${below(100_000)}`);
const written = (letters: string, from: number, to: number) => () =>
  text(word(from, to).replace(/./g, (each) => letters['0123456789w'.indexOf(each)]!));
const arabic = (from: number, to: number) => written(scripts.arabic, from, to);
const tamil = (from: number, to: number) => written(scripts.tamil, from, to);
const han: Part = () =>
  text(String.fromCharCode(firstHan + below(100)) + String.fromCharCode(firstHan + below(100)));
/** Beginnings of about a quarter, a fiftieth and a thousandth of the messages. */
const beginnings = [
  () => text(`w001*`),
  () => text(`w05${below(10)}*`),
  () => text(`w${20 + below(30)}${below(10)}*`),
] as const;

const talkative = only(`contact=${contactIdOf(0)}`);
const deepPages = 200;

const at = (path: string, ...parts: Part[]): Question => ({
  path: () => `/team-inbox/api/${path}/?${parts.map((part) => part()).join('&')}`,
  targetMs: parts.includes(until) || parts.includes(farBack) ? rareMs : firstPageMs,
});
const messagesWith = (...parts: Part[]) => at('messages', ...parts);
const conversationsWith = (...parts: Part[]) => at('conversations', ...parts);

/** Consecutive pages of one list, from a far one. */
function deep(first: Question): Question {
  const start = first.path(undefined);
  const path = (last: Answer | undefined) => (last?.next ? `${start}&cursor=${last.next}` : start);
  return { path, before: deepPages, targetMs: rareMs };
}

export function questions(messages: number): Readonly<Record<string, Question>> {
  const contact: Part = () => `contact=${contactIdOf(below(contactsOf({ messages })))}`;
  const conversation: Part = () => contact().replace('contact=con_', 'conversation=cnv_');
  const rare: Part = () => text(`rare${below(messages / rareEvery) * rareEvery + 7}`);
  return {
    ...plain(contact),
    ...withWords(rare),
    ...within(rareMs, withWordsAndPeople(rare)),
    ...ofOneContact(contact, conversation, rare),
    ...ofConversations(),
    ...within(rareMs, { 'stats, any month': at('stats', month) }),
  };
}

function within(targetMs: number, questions: Readonly<Record<string, Question>>) {
  const entries = Object.entries(questions);
  return Object.fromEntries(entries.map(([name, each]) => [name, { ...each, targetMs }]));
}

function plain(contact: Part): Readonly<Record<string, Question>> {
  const voice = only('channel=voice');
  return {
    'messages, newest': messagesWith(),
    'messages, newest, page 200 on': deep(messagesWith()),
    'messages, until': messagesWith(until),
    'messages, channel': messagesWith(channel),
    'messages, channel, until': messagesWith(channel, until),
    'messages, assignee': messagesWith(agent),
    'messages, assignee, until': messagesWith(agent, until),
    'messages, assignee, page 200 on': deep(messagesWith(agent)),
    'messages, assignee with five conversations': messagesWith(few),
    'messages, assignee with five conversations, until': messagesWith(few, until),
    'messages, assignee who left, channel': messagesWith(past, channel),
    'messages, nobody’s': messagesWith(nobody),
    'messages, open': messagesWith(open),
    'messages, open, until': messagesWith(open, until),
    'messages, open, page 200 on': deep(messagesWith(open)),
    'messages, snoozed': messagesWith(snoozed),
    'messages, closed, until': messagesWith(closed, until),
    'messages, snoozed, assignee, channel': messagesWith(snoozed, agent, channel),
    calls: messagesWith(voice),
    'calls, until': messagesWith(voice, until),
    'calls, contact': messagesWith(voice, contact),
    'calls, assignee': messagesWith(voice, agent),
    'calls, assignee with five conversations': messagesWith(voice, few),
    'calls, snoozed, assignee, until': messagesWith(voice, snoozed, agent, until),
  };
}

function withWords(rare: Part): Readonly<Record<string, Question>> {
  const [often, middlingly, seldomly] = beginnings;
  return {
    'common word': messagesWith(common),
    'common word, until': messagesWith(common, until),
    'common word, page 200 on': deep(messagesWith(common)),
    'common word, since far back': messagesWith(common, farBack),
    'common word, channel': messagesWith(common, channel),
    'middling word': messagesWith(middling),
    'middling word, since far back': messagesWith(middling, farBack),
    'middling word, channel, until': messagesWith(middling, channel, until),
    'seldom word': messagesWith(seldom),
    'rare word': messagesWith(rare),
    'word that never occurs': messagesWith(absent),
    'word that never occurs, channel': messagesWith(absent, channel),
    'two words': messagesWith(() => text(word(0, 100), word(0, 1_000))),
    'two middling words': messagesWith(() => text(word(300, 3_000), word(300, 3_000))),
    'three common words': messagesWith(() => text(word(0, 9), word(0, 9), word(0, 9))),
    'eight words': messagesWith(() => text(...Array.from({ length: 8 }, () => word(0, 100)))),
    'common and rare word': messagesWith(() => `${common()}%20${rare().slice(5)}`),
    'beginning of common words': messagesWith(often),
    'beginning of middling words': messagesWith(middlingly),
    'beginning of seldom words': messagesWith(seldomly),
    'common Arabic word': messagesWith(arabic(0, 3)),
    'middling Arabic word': messagesWith(arabic(300, 3_000)),
    'common Tamil word': messagesWith(tamil(0, 3)),
    'middling Tamil word': messagesWith(tamil(300, 3_000)),
    'Chinese word': messagesWith(han),
  };
}

function withWordsAndPeople(rare: Part): Readonly<Record<string, Question>> {
  const [often, middlingly, seldomly] = beginnings;
  return {
    'common word, assignee': messagesWith(common, agent),
    'common word, assignee, page 200 on': deep(messagesWith(common, agent)),
    'common word, assignee, since far back': messagesWith(common, agent, farBack),
    'common word, assignee, until': messagesWith(common, agent, until),
    'middling word, assignee': messagesWith(middling, agent),
    'middling word, assignee, until': messagesWith(middling, agent, until),
    'middling word, assignee, since far back': messagesWith(middling, agent, farBack),
    'middling word, assignee, channel': messagesWith(middling, agent, channel),
    'middling word, assignee, closed': messagesWith(middling, agent, closed),
    'seldom word, assignee': messagesWith(seldom, agent),
    'rare word, assignee': messagesWith(rare, agent),
    'rare word, assignee with five conversations': messagesWith(rare, few),
    'word that never occurs, assignee': messagesWith(absent, agent),
    'word that never occurs, nobody’s': messagesWith(absent, nobody),
    'two middling words, assignee': messagesWith(
      () => text(word(300, 3_000), word(300, 3_000)),
      agent,
    ),
    'two words, assignee': messagesWith(() => text(word(0, 100), word(0, 1_000)), agent),
    'common word, assignee with five conversations': messagesWith(common, few),
    'middling word, assignee with five conversations': messagesWith(middling, few),
    'common word, assignee who left': messagesWith(common, past),
    'middling word, assignee who left': messagesWith(middling, past),
    'common word, nobody’s': messagesWith(common, nobody),
    'middling word, nobody’s': messagesWith(middling, nobody),
    'common word, snoozed': messagesWith(common, snoozed),
    'common word, closed': messagesWith(common, closed),
    'common word, rcs, snoozed, assignee': messagesWith(
      common,
      only('channel=rcs'),
      snoozed,
      agent,
    ),
    'middling word, channel, open': messagesWith(middling, channel, open),
    'middling word, open, until': messagesWith(middling, open, until),
    'common word, open, until': messagesWith(common, open, until),
    'beginning of common words, assignee': messagesWith(often, agent),
    'beginning of middling words, assignee': messagesWith(middlingly, agent),
    'beginning of seldom words, assignee': messagesWith(seldomly, agent),
    'beginning of common words, assignee with five conversations': messagesWith(often, few),
    'common Arabic word, its assignee': messagesWith(arabic(0, 3), arabicAgent),
    'middling Arabic word, its assignee': messagesWith(arabic(300, 3_000), arabicAgent),
    'common Tamil word, assignee of Arabic': messagesWith(tamil(0, 3), arabicAgent),
    'common word, assignee of Tamil': messagesWith(common, tamilAgent),
    'middling word, assignee of Tamil': messagesWith(middling, tamilAgent),
    'middling Tamil word, its assignee, until': messagesWith(tamil(300, 3_000), tamilAgent, until),
    'Chinese word, nobody’s': messagesWith(han, nobody),
  };
}

function ofOneContact(
  contact: Part,
  conversation: Part,
  rare: Part,
): Readonly<Record<string, Question>> {
  return {
    contact: messagesWith(contact),
    'contact, common word': messagesWith(contact, common),
    'contact, middling word': messagesWith(contact, middling),
    'conversation, middling word': messagesWith(conversation, middling),
    'conversation, word that never occurs': messagesWith(conversation, absent),
    'contact with 100,000': messagesWith(talkative),
    'contact with 100,000, page 200 on': deep(messagesWith(talkative)),
    'contact with 100,000, channel, until': messagesWith(talkative, channel, until),
    'contact with 100,000, closed': messagesWith(talkative, closed),
    'contact with 100,000, open': messagesWith(talkative, open),
    ...within(rareMs, {
      'contact with 100,000, common word': messagesWith(talkative, common),
      'contact with 100,000, middling word': messagesWith(talkative, middling),
      'contact with 100,000, seldom word': messagesWith(talkative, seldom),
      'contact with 100,000, rare word': messagesWith(talkative, rare),
      'contact with 100,000, word that never occurs': messagesWith(talkative, absent),
      'contact with 100,000, common Tamil word': messagesWith(talkative, tamil(0, 3)),
      'contact with 100,000, beginning of middling words': messagesWith(talkative, beginnings[1]),
    }),
    'contact with 100,000, calls': messagesWith(talkative, only('channel=voice')),
  };
}

function ofConversations(): Readonly<Record<string, Question>> {
  return {
    'conversations, newest': conversationsWith(),
    'conversations, newest, page 200 on': deep(conversationsWith()),
    'conversations, open': conversationsWith(open),
    'conversations, assignee, open': conversationsWith(agent, open),
    'conversations, assignee, channel, snoozed': conversationsWith(agent, channel, snoozed),
    'conversations, nobody’s, waiting': conversationsWith(nobody, only('waiting=true')),
    'conversations, unread': conversationsWith(only('unread=true')),
    'conversations, unread, assignee who left': conversationsWith(only('unread=true'), past),
    'conversations, waiting': conversationsWith(only('waiting=true')),
    'conversations, waiting, closed': conversationsWith(only('waiting=true'), closed),
    'conversations, channel': conversationsWith(channel),
    'conversations, usual tag': conversationsWith(only('tag=usual')),
    'conversations, usual tag, assignee': conversationsWith(only('tag=usual'), agent),
    'conversations, seldom tag': conversationsWith(only('tag=seldom')),
    'conversations, seldom tag, closed': conversationsWith(only('tag=seldom'), closed),
  };
}

function month(): string {
  const from = firstAt + Math.random() * (lastAt - firstAt - 31 * 86_400_000);
  const end = new Date(from + 30 * 86_400_000);
  return `since=${new Date(from).toISOString()}&until=${end.toISOString()}`;
}
