import { profile as bis30 } from './bis-3.0/profile.ts';
import type { CountryFacts } from './company-facts.ts';
import type { Profile } from './contract.ts';
import { profile as pintAe } from './pint-ae/profile.ts';
import { profile as pintMy } from './pint-my/profile.ts';

/** Every profile. */
export const profiles: readonly Profile[] = [
  pintAe, // the United Arab Emirates
  pintMy, // Malaysia
  bis30, // Peppol, Europe
];

/** Their ids, in the order of the registry. */
export const profileIds: readonly string[] = profiles.map(({ id }) => id);

/** The profile of documents that companies of a country send, or undefined. */
export function profileOfCountry(country: string): Profile | undefined {
  return profiles.find(({ company }) => Object.hasOwn(company.countries, country));
}

/** What is usual for companies of a country; nothing where no profile is theirs. */
export function countryFacts(country: string): CountryFacts {
  return profileOfCountry(country)?.company.countries[country] ?? {};
}

/** The profile of this id, or undefined. */
export function profileById(id: string): Profile | undefined {
  return profiles.find((profile) => profile.id === id);
}
