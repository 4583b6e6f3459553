/** A section as the settings of an SQL connector have it. */
export interface ProposedSection {
  readonly table: string;
  readonly key: string;
  readonly match: string;
  readonly matchFrom?: string;
  /** The section whose column `matchFrom` is; the header when left out. */
  readonly of?: string;
  readonly orderBy?: string;
  /** The header's table has a row for each line. */
  readonly repeats?: true;
  readonly where?: Readonly<Record<string, string | null>>;
}
