import type { InboxSettings, InboxSettingsRequest } from './queries.ts';

const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
export type Weekday = (typeof weekdays)[number];

/** As fields for times show them: `00:00` as an end is the end of the day. */
export interface Span {
  readonly from: string;
  readonly to: string;
}

/** Business hours as they are typed in. */
export interface Draft {
  readonly timeZone: string;
  /** All seven days. */
  readonly week: readonly { readonly day: Weekday; readonly spans: readonly Span[] }[];
  readonly holidays: readonly string[];
  /** Minutes; empty: nothing is promised. */
  readonly firstMinutes: string;
  readonly nextMinutes: string;
}

const [endOfDay, midnight] = ['24:00', '00:00'];

export function draftOf(settings: InboxSettings): Draft {
  const spansOf = (weekday: Weekday) =>
    settings.weekly_hours
      .filter(({ day }) => day === weekday)
      .map(({ from, to }): Span => ({ from, to: to === endOfDay ? midnight : to }));
  return {
    timeZone: settings.time_zone,
    week: weekdays.map((day) => ({ day, spans: spansOf(day) })),
    holidays: settings.holidays,
    firstMinutes: String(settings.first_response_minutes ?? ''),
    nextMinutes: String(settings.next_response_minutes ?? ''),
  };
}

export function requestOf(draft: Draft): InboxSettingsRequest {
  return {
    time_zone: draft.timeZone,
    weekly_hours: draft.week.flatMap(({ day, spans }) =>
      spans.map(({ from, to }) => ({ day, from, to: to === midnight ? endOfDay : to })),
    ),
    holidays: [...draft.holidays],
    first_response_minutes: minutesOf(draft.firstMinutes),
    next_response_minutes: minutesOf(draft.nextMinutes),
  };
}

function minutesOf(text: string): number | null {
  return text === '' ? null : Number(text);
}
