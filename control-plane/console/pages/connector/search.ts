import { profiles as registered } from '../../api/registered-kinds.ts';
import type { Profile } from './queries.ts';

/** What is looked at of a mapping. */
export const views = ['fields', 'document', 'preview'] as const;
export type View = (typeof views)[number];

export const profiles = Object.keys(registered) as Profile[];

export interface ConnectorSearch {
  readonly view?: View | undefined;
  /** The connector's own when left out. */
  readonly profile?: Profile | undefined;
}

/** The search of an address, without what is none. */
export const connectorSearchOf = ({
  view,
  profile,
}: Readonly<Record<string, unknown>>): ConnectorSearch => ({
  view: views.find((each) => each === view),
  profile: profiles.find((each) => each === profile),
});
