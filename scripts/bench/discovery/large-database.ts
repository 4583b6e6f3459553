import type { Connector } from '@drawbridge/connectors/contract.ts';
import type { SectionProposal } from '@drawbridge/mapping/discovery/sections.ts';

/** A database of the tables of `tablesOf`, of which nothing was read yet. */
export interface LargeDatabase {
  /** As people know its product. */
  readonly title: string;
  open(sections: SectionProposal['sections']): Promise<Connector>;
  /** How much connectors that are closed by now have read since the last call; 0 to 1, of what `of` says. */
  readSince(): Promise<{ readonly share: number; readonly of: string }>;
  /** Removes it. */
  stop(): Promise<void>;
}

/** What a connector of a bench is opened with. */
export const context = { clock: () => new Date(), allowedRoots: [] };
/** Settings of a connector that only reads. */
export const readOnly = { writeBack: { mode: 'none' } } as const;
