import { Temporal } from 'temporal-polyfill';

/** Hours of the day in which a person gets nothing; `HH:MM`, over midnight when `from` is later. */
export interface QuietHours {
  readonly from: string;
  readonly to: string;
}

/** Whether the name is in the IANA time zone database. */
export function isTimeZone(name: string): boolean {
  try {
    // The library takes offsets such as `+08:00` as zones, but they have no summer time.
    return !/^[+-]/.test(name) && zoned(new Date(0), name) !== undefined;
  } catch {
    return false; // the library throws for a name it does not know
  }
}

/**
 * When the quiet hours around `at` end; undefined when `at` is in none. Read from the clocks of the
 * zone, so a day of 23 or 25 hours needs no special case.
 */
export function quietUntil(at: Date, zone: string, quiet: QuietHours): Date | undefined {
  const local = zoned(at, zone);
  const [time, from, to] = [local.toPlainTime(), plain(quiet.from), plain(quiet.to)];
  const isOverMidnight = before(to, from);
  const isEvening = !before(time, from);
  const isMorning = before(time, to);
  if (isOverMidnight ? !isEvening && !isMorning : !isEvening || !isMorning) return undefined;
  const day = local.toPlainDate().add({ days: isOverMidnight && isEvening ? 1 : 0 });
  const end = day.toPlainDateTime(to);
  const first = end.toZonedDateTime(zone).epochMilliseconds;
  // When clocks are set back an hour comes twice, and the first end may have passed already.
  const isOver = first <= at.getTime();
  const second = () => end.toZonedDateTime(zone, { disambiguation: 'later' }).epochMilliseconds;
  return new Date(isOver ? second() : first);
}

function zoned(at: Date, zone: string): Temporal.ZonedDateTime {
  return Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(zone);
}

function plain(time: string): Temporal.PlainTime {
  return Temporal.PlainTime.from(time);
}

function before(a: Temporal.PlainTime, b: Temporal.PlainTime): boolean {
  return Temporal.PlainTime.compare(a, b) < 0;
}
