/** A telephone number as a channel addresses it. */
interface Phone {
  /** `+` and at most 15 digits. */
  readonly e164: string;
  /**
   * ISO 3166-1 alpha-2; absent for numbers that belong to no country (satellite, toll-free 800 …).
   */
  readonly country?: string;
}

/** The result of reading a number; `reason` is for people. */
export type PhoneReading =
  | ({ readonly kind: 'phone' } & Phone)
  | { readonly kind: 'refused'; readonly reason: string };
