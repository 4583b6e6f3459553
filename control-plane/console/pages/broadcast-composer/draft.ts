import type { BroadcastRequest, BroadcastTestRequest } from '../broadcasts/queries.ts';
import { variablesOf } from '../templates/parts.ts';
import type { Template } from '../templates/queries.ts';

export interface VariableDraft {
  readonly from: 'attribute' | 'value';
  /** The value, or the name of the attribute. */
  readonly text: string;
  readonly missing: string;
}

/** A broadcast while it is written. */
export interface Draft {
  readonly segment: string;
  readonly appId: string;
  readonly variables: Readonly<Record<string, VariableDraft>>;
  /** A local time, as a field of the page has it; empty: at once. */
  readonly at: string;
  readonly timeZone: string;
  /** Hours of each person's own day; undefined: any. */
  readonly hours: { readonly from: string; readonly until: string } | undefined;
  readonly isConsentNeeded: boolean;
  readonly areLinksCounted: boolean;
}

/** A named variable is an attribute most often, and a numbered one is chosen. */
export const variableOf = (draft: Draft, name: string): VariableDraft =>
  draft.variables[name] ?? {
    from: 'attribute',
    text: /^\d+$|^header$|^button_/.test(name) ? '' : name,
    missing: '',
  };

/** What is sent for a test; undefined while a variable is missing. */
export function testOf(
  template: Template,
  draft: Draft,
  to: readonly string[],
): BroadcastTestRequest | undefined {
  const variables = sourcesOf(template, draft);
  return (
    variables && {
      ...sameOf(template, draft),
      variables,
      track_urls: draft.areLinksCounted,
      to: [...to],
    }
  );
}

/** What the API is asked for; undefined while something is missing. */
export function requestOf(template: Template, draft: Draft): BroadcastRequest | undefined {
  const variables = sourcesOf(template, draft);
  if (variables === undefined || draft.segment === '') return undefined;
  const { at, hours } = draft;
  return {
    ...sameOf(template, draft),
    segment: draft.segment,
    variables,
    time_zone: draft.timeZone,
    require_consent: draft.isConsentNeeded,
    track_urls: draft.areLinksCounted,
    dry_run: false,
    ...(at === '' ? {} : { schedule_at: new Date(at).toISOString() }),
    // What the API names are the hours in which nothing is sent.
    ...(hours === undefined ? {} : { quiet_hours: { from: hours.until, to: hours.from } }),
  };
}

function sameOf({ name, language, channel }: Template, { appId }: Draft) {
  return {
    template: name,
    language,
    channel: channel as NonNullable<BroadcastRequest['channel']>,
    ...(appId === '' ? {} : { app_id: appId }),
  };
}

function sourcesOf(template: Template, draft: Draft): BroadcastRequest['variables'] | undefined {
  const sources = variablesOf(template).map((name) => {
    const { from, text, missing } = variableOf(draft, name);
    const given = text.trim();
    if (given === '') return undefined;
    if (from === 'value') return [name, { value: given }] as const;
    const more = missing.trim() === '' ? {} : { default: missing.trim() };
    return [name, { attribute: given, ...more }] as const;
  });
  const whole = sources.filter((each) => each !== undefined);
  return whole.length === sources.length ? Object.fromEntries(whole) : undefined;
}
