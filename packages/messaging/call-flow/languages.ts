import type { DiagnosticList, Target } from './diagnostic.ts';
import type { Prompt } from './segment.ts';

type Voices = { readonly woman?: string; readonly man?: string };
type LanguageTable = Readonly<Record<string, Voices>>;

/** The standard voices of Amazon Polly, which Twilio and Plivo both offer. */
const polly: LanguageTable = {
  arb: { woman: 'Polly.Zeina' },
  'cmn-CN': { woman: 'Polly.Zhiyu' },
  'cy-GB': { woman: 'Polly.Gwyneth' },
  'da-DK': { woman: 'Polly.Naja', man: 'Polly.Mads' },
  'de-DE': { woman: 'Polly.Marlene', man: 'Polly.Hans' },
  'en-AU': { woman: 'Polly.Nicole', man: 'Polly.Russell' },
  'en-GB': { woman: 'Polly.Amy', man: 'Polly.Brian' },
  'en-IN': { woman: 'Polly.Raveena' },
  'en-US': { woman: 'Polly.Joanna', man: 'Polly.Matthew' },
  'es-ES': { woman: 'Polly.Conchita', man: 'Polly.Enrique' },
  'es-MX': { woman: 'Polly.Mia' },
  'es-US': { woman: 'Polly.Penelope', man: 'Polly.Miguel' },
  'fr-CA': { woman: 'Polly.Chantal' },
  'fr-FR': { woman: 'Polly.Celine', man: 'Polly.Mathieu' },
  'hi-IN': { woman: 'Polly.Aditi' },
  'is-IS': { woman: 'Polly.Dora', man: 'Polly.Karl' },
  'it-IT': { woman: 'Polly.Carla', man: 'Polly.Giorgio' },
  'ja-JP': { woman: 'Polly.Mizuki', man: 'Polly.Takumi' },
  'ko-KR': { woman: 'Polly.Seoyeon' },
  'nb-NO': { woman: 'Polly.Liv' },
  'nl-NL': { woman: 'Polly.Lotte', man: 'Polly.Ruben' },
  'pl-PL': { woman: 'Polly.Ewa', man: 'Polly.Jacek' },
  'pt-BR': { woman: 'Polly.Vitoria', man: 'Polly.Ricardo' },
  'pt-PT': { woman: 'Polly.Ines', man: 'Polly.Cristiano' },
  'ro-RO': { woman: 'Polly.Carmen' },
  'ru-RU': { woman: 'Polly.Tatyana', man: 'Polly.Maxim' },
  'sv-SE': { woman: 'Polly.Astrid' },
  'tr-TR': { woman: 'Polly.Filiz' },
};

/** What `<Say language>` takes (`twilio` 6.0.2, `SayLanguage`); voices by name are Polly's. */
export const twilioLanguages: LanguageTable = spoken(
  `af-ZA am-ET ar-AE ar-XA arb bg-BG bn-IN ca-ES cmn-CN cmn-TW cs-CZ cy-GB da-DK de-AT de-DE el-GR
  en-AU en-CA en-GB en-GB-WLS en-IE en-IN en-NZ en-US en-ZA es-ES es-MX es-US fi-FI fil-PH fr-CA
  fr-FR fr-BE gu-IN he-IL hi-IN hu-HU id-ID is-IS it-IT ja-JP kn-IN ko-KR lv-LV ml-IN mr-IN ms-MY
  nb-NO nl-BE nl-NL pa-IN pl-PL pt-BR pt-PT ro-RO ru-RU sk-SK sr-RS sv-SE ta-IN te-IN th-TH tr-TR
  uk-UA vi-VN yue-HK zh-CN zh-HK zh-TW`,
  polly,
);

const both: Voices = { woman: 'WOMAN', man: 'MAN' };
const woman: Voices = { woman: 'WOMAN' };
/** Plivo's own voices, by its documentation of `<Speak>`. */
const plivoLanguages: LanguageTable = {
  'da-DK': woman,
  'de-DE': both,
  'en-AU': both,
  'en-GB': both,
  'en-US': both,
  'es-ES': both,
  'es-US': both,
  'fr-CA': woman,
  'fr-FR': both,
  'it-IT': both,
  'nl-NL': both,
  'pl-PL': both,
  'pt-BR': both,
  'pt-PT': { man: 'MAN' },
  'ru-RU': woman,
  'sv-SE': woman,
};

/** `TTSLanguages` of `@vonage/voice` 1.24.1; its voices are numbered and have no names. */
export const vonageLanguages: LanguageTable = spoken(
  `af-ZA ar bg-BG bn-IN ca-ES cmn-CN cmn-TW cs-CZ cy-GB da-DK de-AT de-DE de-ET el-GR en-AU en-GB
  en-GB-SCT en-GB-WLS en-IE en-IN en-NZ en-US en-ZA es-CO es-ES es-MX es-US eu-ES fi-FI fil-PH fr-CA
  fr-FR gl-ES gu-IN he-IL hi-IN hu-HU id-ID is-IS it-IT ja-JP kn-IN ko-KR lv-LV ml-IN ms-MY nb-NO
  nl-BE nl-NL no-NO pa-IN pl-PL pt-BR pt-PT ro-RO ru-RU sk-SK sr-RS sv-SE ta-IN te-IN th-TH tr-TR
  uk-UA vi-VN yue-CN`,
  {},
);

const own: Readonly<Record<Target, LanguageTable>> = {
  twiml: twilioLanguages,
  plivo: plivoLanguages,
  ncco: vonageLanguages,
};

/** Which dialect replaces another of its language, where the target has several. */
const usual: Readonly<Record<string, readonly string[]>> = {
  ar: ['ar', 'arb'],
  de: ['de-DE'],
  en: ['en-US'],
  es: ['es-ES'],
  fr: ['fr-FR'],
  nl: ['nl-NL'],
  pt: ['pt-BR'],
  zh: ['cmn-CN'],
};

/** How a target speaks a text: in its own voice, or by a recording. */
export type Speech =
  | { readonly kind: 'speak'; readonly language: string; readonly voice?: string }
  | { readonly kind: 'recording'; readonly url: string };

/** Finds how the target speaks this prompt; adds a diagnostic for what it cannot do. */
export function speechFor(
  target: Target,
  say: Extract<Prompt, { kind: 'say' }>,
  diagnostics: DiagnosticList,
): Speech {
  const { node, language, recording } = say;
  const found = voicesFor(target, language);
  if (found !== undefined) return speakWith(say, found, diagnostics);
  if (recording !== undefined) {
    diagnostics.add(
      'W_RECORDED_PROMPT',
      node,
      `${language} cannot be spoken; the recording is played`,
    );
    return { kind: 'recording', url: recording };
  }
  diagnostics.add('E_LANGUAGE', node, `${language} cannot be spoken; give the node a recording`);
  return { kind: 'speak', language };
}

interface Found {
  readonly language: string;
  readonly voices: Voices;
  /** The language is spoken only when the voice is named. */
  readonly isByVoice: boolean;
}

/**
 * The exact language, else another dialect that the target knows, else a voice that has the
 * language.
 */
function voicesFor(target: Target, language: string): Found | undefined {
  const table = own[target];
  const inTable = (name: string): Found | undefined =>
    Object.hasOwn(table, name)
      ? { language: name, voices: table[name]!, isByVoice: false }
      : undefined;
  const base = language.split('-')[0]!;
  const dialects = Object.hasOwn(usual, base) ? usual[base]! : [];
  const dialect = dialects.map(inTable).find((found) => found !== undefined);
  const byVoice = target === 'plivo' && Object.hasOwn(polly, language);
  return (
    inTable(language) ??
    dialect ??
    (byVoice ? { language, voices: polly[language]!, isByVoice: true } : undefined)
  );
}

function speakWith(
  { node, language, voice }: Extract<Prompt, { kind: 'say' }>,
  found: Found,
  diagnostics: DiagnosticList,
): Speech {
  if (found.language !== language) {
    diagnostics.add('W_LANGUAGE', node, `${language} is spoken as ${found.language}`);
  }
  const named = voice === undefined ? undefined : found.voices[voice];
  if (voice !== undefined && named === undefined) {
    diagnostics.add(
      'W_VOICE',
      node,
      `no ${voice}'s voice for ${found.language}; its default voice speaks`,
    );
  }
  const fallback = found.isByVoice ? (found.voices.woman ?? found.voices.man) : undefined;
  const chosen = named ?? fallback;
  return {
    kind: 'speak',
    language: found.language,
    ...(chosen === undefined ? {} : { voice: chosen }),
  };
}

function spoken(languages: string, voices: LanguageTable): LanguageTable {
  return Object.fromEntries(
    languages.split(/\s+/).map((language) => [language, voices[language] ?? {}]),
  );
}
