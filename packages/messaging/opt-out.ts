/** What a person asks for by answering with one word. */
export type Keyword = 'stop' | 'start' | 'help';

/**
 * The words, by BCP 47 language, in whatever accents and hamzas. The English ones are those that North American carriers require;
 * `YES` is not a START word, because it also answers other questions.
 */
export const keywords: Readonly<Record<string, Readonly<Record<Keyword, readonly string[]>>>> = {
  en: {
    stop: [
      'stop',
      'stopall',
      'stop all',
      'stop promotions', // the label of WhatsApp's own button
      'unsubscribe',
      'cancel',
      'end',
      'quit',
      'revoke',
      'optout',
      'opt out',
    ],
    start: ['start', 'unstop', 'subscribe', 'opt in', 'optin'],
    help: ['help', 'info'],
  },
  ms: {
    stop: ['berhenti', 'henti', 'batal langganan', 'berhenti langganan'],
    start: ['mula', 'langgan'],
    help: ['bantuan', 'tolong'],
  },
  id: { stop: ['berhenti', 'stop', 'berhenti berlangganan'], start: ['mulai'], help: ['bantuan'] },
  ar: {
    stop: ['إيقاف', 'أوقف', 'توقف', 'إلغاء الاشتراك'],
    start: ['ابدأ', 'اشتراك', 'اشترك'],
    help: ['مساعدة'],
  },
  hi: {
    stop: ['रोकें', 'रोको', 'बंद', 'बन्द', 'बंद करें', 'बंद करो', 'स्टॉप'],
    start: ['शुरू', 'शुरू करें'],
    help: ['मदद', 'सहायता'],
  },
  ta: { stop: ['நிறுத்து', 'நிறுத்தவும்'], start: ['தொடங்கு'], help: ['உதவி'] },
  zh: {
    stop: ['停止', '退订', '退訂', '取消订阅', '取消訂閱'],
    start: ['开始', '開始', '订阅', '訂閱'],
    help: ['帮助', '幫助'],
  },
  fr: {
    stop: ['arrêt', 'arrêter', 'arrêtez', 'désabonner', 'me désabonner', 'désinscrire'],
    start: ['début', 'reprendre'],
    help: ['aide'],
  },
  nl: { stop: ['stoppen', 'afmelden', 'uitschrijven'], start: ['aanmelden'], help: ['hulp'] },
  de: { stop: ['stopp', 'abmelden', 'abbestellen'], start: ['anmelden'], help: ['hilfe'] },
  es: { stop: ['baja', 'parar', 'cancelar'], start: ['alta', 'empezar'], help: ['ayuda'] },
};

/** No keyword is longer; a longer text is an ordinary message. */
const textMax = 40;

const byWord = new Map<string, Keyword>(
  Object.values(keywords).flatMap((language) =>
    (['help', 'start', 'stop'] as const).flatMap((keyword) =>
      language[keyword].map((word) => [fold(word), keyword] as const),
    ),
  ),
);

/** Words with which buttons also end other things, such as an appointment. */
const ordinaryOnButtons = new Set(['cancel', 'cancelar', 'end', 'quit', 'revoke']);

/**
 * The keyword that a message consists of, in any language: people answer in their own language, not
 * in that of the message. A sentence that only contains a keyword is not one.
 */
export function keywordOf(text: string): Keyword | undefined {
  if (text.length > textMax) return undefined;
  return readingsOf(text)
    .map((reading) => byWord.get(reading))
    .find((keyword) => keyword !== undefined);
}

/**
 * Whether a tap on a button refuses messages, by its label or by what its author had it send. Agreement is
 * written: buttons called Start begin other things.
 */
export function isStopButton(label: string, payload: string): boolean {
  return [label, payload].some(
    (text) =>
      keywordOf(text) === 'stop' &&
      !readingsOf(text).some((reading) => ordinaryOnButtons.has(reading)),
  );
}

/** OPT-OUT is two words or one. */
function readingsOf(text: string): string[] {
  return [' ', ''].map((between) => fold(text.replace(/[\p{Pd}._]+/gu, between)));
}

function fold(text: string): string {
  return (
    text
      .normalize('NFKD')
      .toLowerCase()
      // Accents, hamzas, vowel marks and stretched letters are written or left out as people like.
      .replace(/[\u0300-\u036f\u0640\u064b-\u0655\u0670]/g, '')
      // Emoji contain marks, which are not of a word.
      .replace(/[\p{Cf}\p{Variation_Selector}\p{Me}]/gu, '')
      .replace(/^[\s\p{P}\p{S}]*?(\/?[\p{L}\p{M}])/u, '$1')
      .replace(/[\s\p{P}\p{S}]+$/u, '')
      .replace(/\s+/g, ' ')
      // Telegram and similar networks write commands with a slash.
      .replace(/^\//, '')
  );
}
