import { emirates } from '@drawbridge/profiles/pint-ae/company.ts';
import { alpha3 } from '@drawbridge/profiles/pint-my/myinvois-countries.ts';
import { unitGuesses } from './vocabulary.ts';

/** Languages in which ERPs of our customers name countries. */
const languages = ['en', 'de', 'fr', 'es', 'it', 'nl', 'pt', 'ms', 'id', 'ar'] as const;

/** Names that people write and no standard has. */
const others: Readonly<Record<string, string>> = {
  uk: 'GB',
  'great britain': 'GB',
  england: 'GB',
  scotland: 'GB',
  wales: 'GB',
  usa: 'US',
  'united states of america': 'US',
  uae: 'AE',
  emirates: 'AE',
  holland: 'NL',
  'the netherlands': 'NL',
  'czech republic': 'CZ',
  'south korea': 'KR',
  korea: 'KR',
  russia: 'RU',
  'russian federation': 'RU',
  vietnam: 'VN',
  'viet nam': 'VN',
  turkey: 'TR',
  macedonia: 'MK',
  'hong kong': 'HK',
  macau: 'MO',
  taiwan: 'TW',
  'ivory coast': 'CI',
  'cape verde': 'CV',
  swaziland: 'SZ',
  burma: 'MM',
  brunei: 'BN',
  bolivia: 'BO',
  venezuela: 'VE',
  iran: 'IR',
  syria: 'SY',
  tanzania: 'TZ',
  moldova: 'MD',
  laos: 'LA',
  ksa: 'SA',
};

let countries: ReadonlyMap<string, string> | undefined;

function countryNames(): ReadonlyMap<string, string> {
  if (countries !== undefined) return countries;
  const found = new Map<string, string>();
  for (const language of languages) {
    const names = new Intl.DisplayNames([language], { type: 'region', fallback: 'none' });
    for (const [code] of alpha3) {
      const name = names.of(code);
      if (name !== undefined && !found.has(plain(name))) found.set(plain(name), code);
    }
  }
  for (const [code, long] of alpha3)
    found.set(long.toLowerCase(), code).set(code.toLowerCase(), code);
  for (const [name, code] of Object.entries(others)) found.set(name, code);
  countries = found;
  return found;
}

/** A name as it is compared: without accents and signs, and an abbreviation without points, as `U.A.E.` is. */
function plain(name: string): string {
  return name
    .normalize('NFD')
    .replace(/\p{Mark}/gu, '')
    .toLowerCase()
    .replace(/(?<=\b\p{Letter})\.(?=\p{Letter}\b)/gu, '')
    .replace(/[.,()&'’-]/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

const units = new Map(Object.entries(unitGuesses).map(([name, code]) => [plain(name), code]));

/** Finds the code of a state by its name, as people write it. */
export function stateLookup(
  subdivisions: Readonly<Record<string, readonly string[]>>,
): (name: string) => string | undefined {
  const all = Object.entries(subdivisions);
  const codes = new Map(
    all.flatMap(([code, names]) => [code, ...names].map((name) => [plain(name), code])),
  );
  return (name) => codes.get(plain(name));
}

const emirateOf = stateLookup(emirates);

/** The code that a name stands for: `Deutschland` → DE, `Stück` → H87; undefined when it is unknown. */
export function codeOf(list: 'countries' | 'units' | 'emirates', name: string): string | undefined {
  switch (list) {
    case 'countries':
      return countryNames().get(plain(name));
    case 'units':
      return units.get(plain(name));
    case 'emirates':
      return emirateOf(name);
  }
}

const currencies: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));

/** Whether a text is the code of a currency, in letters of any size. */
export function isCurrency(text: string): boolean {
  return /^[a-z]{3}$/i.test(text) && currencies.has(text.toUpperCase());
}

/** Signs of currencies; of those that several have, as $ and £, the one that is written so most. */
const currencySigns: Readonly<Record<string, string>> = {
  '€': 'EUR',
  '£': 'GBP',
  $: 'USD',
  US$: 'USD',
  '¥': 'JPY',
  '₹': 'INR',
  '₺': 'TRY',
  '₽': 'RUB',
  '₩': 'KRW',
  '₪': 'ILS',
  '₫': 'VND',
  '₦': 'NGN',
  '₱': 'PHP',
  RM: 'MYR',
  Rp: 'IDR',
  R$: 'BRL',
  A$: 'AUD',
  C$: 'CAD',
  S$: 'SGD',
  HK$: 'HKD',
  zł: 'PLN',
  Kč: 'CZK',
  Dhs: 'AED',
  'د.إ': 'AED',
};

/** The code of the currency that a sign stands for; undefined for anything else. */
export function currencyOfSign(sign: string): string | undefined {
  return Object.hasOwn(currencySigns, sign) ? currencySigns[sign] : undefined;
}

const sharedSigns: ReadonlySet<string> = new Set(['$', '£', '¥']);

/** Whether several currencies are written by the same sign. */
export function isSharedSign(sign: string): boolean {
  return sharedSigns.has(sign);
}

/** The digits that amounts of a currency have behind the point: 2 for EUR, 0 for JPY. */
export function currencyDecimals(currency: string): number {
  const { maximumFractionDigits } = new Intl.NumberFormat('en', {
    style: 'currency',
    currency: currency.toUpperCase(),
  }).resolvedOptions();
  return maximumFractionDigits ?? 2;
}
