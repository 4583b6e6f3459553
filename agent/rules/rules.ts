import type { Explanation } from '@drawbridge/explanations/explain.ts';
import type { ValidatedDocument } from './document-validation.ts';

/**
 * What `validate` and `explain` ask of the rules, code lists and explanations of all profiles. An update of rules is
 * for agents that ask this of it: whoever changes it counts `rulesInterface` up.
 */
export interface Rules {
  readonly profiles: readonly { readonly id: string; readonly title: string }[];
  /** Larger documents are refused. */
  readonly documentBytesMax: number;
  /** Undefined when there is no such profile. */
  validate(
    bytes: Uint8Array,
    profileId: string,
    isCompleted: boolean,
  ): ValidatedDocument | undefined;
  /** Undefined when no rule has that id. */
  explain(ruleId: string): Explanation | undefined;
  /** Ids that were perhaps meant. */
  suggest(ruleId: string): readonly string[];
}

export const rulesInterface = 1;
