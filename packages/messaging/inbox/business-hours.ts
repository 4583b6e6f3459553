/**
 * Business hours: wall-clock hours in the tenant's zone, with their real lengths (a day on which the
 * clocks change has 23 or 25 hours).
 *
 *     const calendar = businessCalendar({ timeZone: 'Asia/Dubai', weekly, holidays });
 *     calendar.secondsBetween(askedAt, answeredAt);
 *     calendar.after(askedAt, 30 * 60); // when thirty minutes of business hours have passed
 */

import { zoneOf } from './time-zone.ts';

export const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
/** A day of the week. */
type Weekday = (typeof weekdays)[number];

/** From and to as `HH:MM`; `24:00` is the end of the day. */
export interface OpenSpan {
  readonly day: Weekday;
  readonly from: string;
  readonly to: string;
}

/** When a team works. */
export interface BusinessHours {
  /** IANA name. */
  readonly timeZone: string;
  readonly weekly: readonly OpenSpan[];
  /** Days as `YYYY-MM-DD` on which nobody works. */
  readonly holidays: readonly string[];
}

/** The default: every hour counts. */
export const alwaysOpen: BusinessHours = {
  timeZone: 'UTC',
  weekly: weekdays.map((day) => ({ day, from: '00:00', to: '24:00' })),
  holidays: [],
};

/** Counts time within business hours. */
export interface BusinessCalendar {
  /** The seconds between two instants that count; 0 when `to` comes first. */
  secondsBetween(from: Date, to: Date): number;
  /**
   * The instant by which that many seconds have counted; undefined when it is more than ten years
   * away.
   */
  after(from: Date, seconds: number): Date | undefined;
}

const minuteMs = 60_000;
const dayMs = 86_400_000;
const daysMax = 3_660;

/**
 * The calendar of business hours. Throws `RangeError` for an unknown time zone; see `isTimeZone`.
 */
export function businessCalendar(hours: BusinessHours): BusinessCalendar {
  const zone = zoneOf(hours.timeZone);
  const holidays = new Set(hours.holidays);
  const byDay = weekdays.map((day) => merged(hours.weekly.filter((span) => span.day === day)));

  function spansOf(localDay: number): readonly (readonly [number, number])[] {
    const date = new Date(localDay);
    if (holidays.has(date.toISOString().slice(0, 10))) return [];
    return byDay[(date.getUTCDay() + 6) % 7]!.map(([from, to]) => [
      zone.instantOf(localDay + from * minuteMs),
      zone.instantOf(localDay + to * minuteMs),
    ]);
  }

  /** Spans that end after an instant, in order. */
  function* spansFrom(at: number) {
    let day = Math.floor(zone.localOf(at) / dayMs) * dayMs;
    for (let count = 0; count < daysMax; count += 1, day += dayMs) {
      for (const [from, to] of spansOf(day)) {
        if (to > at) yield [Math.max(from, at), to] as const;
      }
    }
  }

  return {
    secondsBetween: (from, to) => {
      if (byDay.every((spans) => spans.length === 0)) return 0;
      let ms = 0;
      for (const [begins, ends] of spansFrom(from.getTime())) {
        if (begins >= to.getTime()) break;
        ms += Math.min(ends, to.getTime()) - begins;
      }
      return Math.floor(ms / 1_000);
    },
    after: (from, seconds) => {
      if (byDay.every((spans) => spans.length === 0)) return undefined;
      let leftMs = seconds * 1_000;
      for (const [begins, ends] of spansFrom(from.getTime())) {
        if (ends - begins >= leftMs) return new Date(begins + leftMs);
        leftMs -= ends - begins;
      }
      return undefined;
    },
  };
}

/** Whether there is a time zone of this name. */
export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return /^[A-Za-z]/.test(name); // an offset has no daylight saving time
  } catch {
    return false; // the constructor throws for an unknown zone: there is no other way to ask
  }
}

/** What is wrong with a weekly span; undefined when nothing is. */
export function faultOfSpan({ from, to }: Pick<OpenSpan, 'from' | 'to'>): string | undefined {
  return minutesOf(from) < minutesOf(to) ? undefined : 'from must come before to';
}

/** Spans in minutes of the day, in order; those that touch become one. */
function merged(spans: readonly OpenSpan[]): readonly (readonly [number, number])[] {
  const sorted = spans
    .map(({ from, to }) => [minutesOf(from), minutesOf(to)] as const)
    .sort(([a], [b]) => a - b);
  const kept: [number, number][] = [];
  for (const [from, to] of sorted) {
    const last = kept.at(-1);
    if (last !== undefined && from <= last[1]) last[1] = Math.max(last[1], to);
    else kept.push([from, to]);
  }
  return kept;
}

function minutesOf(text: string): number {
  const [hours, minutes] = text.split(':').map(Number);
  return hours! * 60 + minutes!;
}
