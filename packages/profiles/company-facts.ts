/** What is usual for companies of a country, so that they need not be asked. */
export interface CountryFacts {
  readonly currency?: string;
  /** Kinds of registration that there are, the usual one first; absent where any text is one. */
  readonly registrationTypes?: readonly string[];
  /** Scheme of network addresses (EAS). */
  readonly endpointScheme?: string;
  /** The network address is the VAT number without the letters of its country. */
  readonly isEndpointVat?: true;
  /** Codes of states that documents name by codes → as people write them. */
  readonly subdivisions?: Readonly<Record<string, readonly string[]>>;
}

/** The side on which the company itself stands; as the buyer it bills itself. */
export type CompanySide = 'seller' | 'buyer';

/** What a profile has of the company whose documents are made. */
export interface CompanyFacts {
  /** By ISO 3166 code, where such companies are: one country, or those of an area. */
  readonly countries: Readonly<Record<string, CountryFacts>>;
  /** Names of a company profile's fields → paths in the CIM, besides those that every profile has. */
  readonly paths: (side: CompanySide) => Readonly<Record<string, string>>;
  /** Names of what rules ask for in nearly every document, although no list of fields says so. */
  readonly asked?: readonly string[];
}
