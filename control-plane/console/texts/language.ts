/**
 * Texts stand beside the page that shows them, as data, in all languages:
 *
 *     const useTexts = pageTexts('invoices', { en: { title: 'Invoices' }, ar: …, ms: … });
 *     const t = useTexts();  t('title')
 *
 * A form for each number ends in `_one`, `_other` and so on, as the language has them, and is
 * asked for without its ending: `t('found', { count })`.
 */
import i18next, { type FormatterModule } from 'i18next';
import { initReactI18next, useTranslation } from 'react-i18next';

export const languages = { en: 'English', ar: 'العربية', ms: 'Bahasa Melayu' } as const;
export type Language = keyof typeof languages;

/** Arabic with its own digits, as the region of the first profiles writes it. */
export const locales: Readonly<Record<Language, string>> = {
  en: 'en-GB',
  ar: 'ar-AE-u-nu-arab',
  ms: 'ms-MY',
};

const preference = 'drawbridge-language';

/** Numbers within a text have the digits of its language, as those beside it. */
const digits: FormatterModule = {
  type: 'formatter',
  init: () => undefined,
  add: () => undefined,
  addCached: () => undefined,
  format: (value: unknown, _, language) =>
    typeof value === 'number'
      ? new Intl.NumberFormat(locales[language as Language]).format(value)
      : (value as string),
};

await i18next
  .use(initReactI18next)
  .use(digits)
  .init({
    lng: firstLanguage(),
    fallbackLng: 'en',
    resources: {},
    interpolation: {
      // React writes texts as texts, whatever stands in them.
      escapeValue: false,
      alwaysFormat: true,
    },
  });
applyToPage(currentLanguage());

function firstLanguage(): Language {
  const wanted = [localStorage.getItem(preference), ...navigator.languages];
  const known = wanted.map((each) => each?.split('-')[0]);
  return (known.find((each) => each !== undefined && each in languages) ?? 'en') as Language;
}

function currentLanguage(): Language {
  return i18next.language as Language;
}

/** Changes the language of all pages, and keeps it for the next visit. */
export async function setLanguage(language: Language): Promise<void> {
  localStorage.setItem(preference, language);
  await i18next.changeLanguage(language);
  applyToPage(language);
}

function applyToPage(language: Language): void {
  document.documentElement.lang = language;
  document.documentElement.dir = i18next.dir(language);
}

/** The language that is shown; a component that calls it follows a change. */
export function useLanguage(): Language {
  return useTranslation().i18n.language as Language;
}

type Texts = Readonly<Record<string, string>>;
type PluralForm = 'zero' | 'one' | 'two' | 'few' | 'many' | 'other';
type KeyOf<T extends Texts> = keyof T extends infer Key
  ? Key extends `${infer Base}_${PluralForm}`
    ? Base
    : Key
  : never;
/** The texts of another language: the same, and its own forms for numbers. */
type Translated<T extends Texts> = { readonly [Key in keyof T]: string } & {
  readonly [form: `${string}_${PluralForm}`]: string;
};

export type Translate<Key> = (
  key: Key,
  values?: Readonly<Record<string, string | number>>,
) => string;

/** Registers the texts of a page; the answer is the hook that reads them. */
export function pageTexts<const T extends Texts>(
  page: string,
  texts: { readonly en: T; readonly ar: Translated<T>; readonly ms: Translated<T> },
): () => Translate<KeyOf<T>> {
  for (const [language, bundle] of Object.entries(texts)) {
    i18next.addResourceBundle(language, page, bundle);
  }
  return function useTexts() {
    const { t } = useTranslation(page);
    return t as unknown as Translate<KeyOf<T>>;
  };
}
