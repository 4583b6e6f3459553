/** What the clocks on the walls of a time zone show, and the days by them. */

const dayMs = 86_400_000;

/** A time zone with its changes of the clocks. */
interface Zone {
  /** The wall clock at an instant, written as if it were UTC. */
  localOf(instant: number): number;
  /**
   * The instant at which a wall clock shows this: the earlier one when there are two; for a skipped
   * time, as much later.
   */
  instantOf(local: number): number;
}

const zones = new Map<string, Zone>();
const zonesMax = 600;

/** A zone by its IANA name. Throws `RangeError` for an unknown one; see `isTimeZone`. */
export function zoneOf(name: string): Zone {
  const known = zones.get(name);
  if (known !== undefined) return known;
  const made = name === 'UTC' ? universal : openZone(name);
  if (zones.size < zonesMax) zones.set(name, made);
  return made;
}

/** A day as `YYYY-MM-DD`, from its begin to that of the next one. */
interface ZonedDay {
  readonly day: string;
  readonly begins: Date;
  readonly ends: Date;
}

/** The day that calendars on the wall show at an instant, as `YYYY-MM-DD`. */
export function dayAt(timeZone: string, instant: Date): string {
  return textOf(zoneOf(timeZone).localOf(instant.getTime()));
}

/** The days from the first to the last one, both as `YYYY-MM-DD`; none when the last comes first. */
export function daysOf(timeZone: string, first: string, last: string): ZonedDay[] {
  const zone = zoneOf(timeZone);
  const days: ZonedDay[] = [];
  for (let local = Date.parse(first); local <= Date.parse(last); local += dayMs) {
    const begins = new Date(zone.instantOf(local));
    days.push({ day: textOf(local), begins, ends: new Date(zone.instantOf(local + dayMs)) });
  }
  return days;
}

function textOf(local: number): string {
  return new Date(local).toISOString().slice(0, 10);
}

const universal: Zone = { localOf: (instant) => instant, instantOf: (local) => local };

function openZone(timeZone: string): Zone {
  const two = '2-digit' as const;
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: two,
    day: two,
    hour: two,
    minute: two,
    second: two,
  });
  const localOf = (instant: number) => {
    const at: Record<string, number> = {};
    for (const { type, value } of format.formatToParts(instant)) at[type] = Number(value);
    const { year, month, day, hour, minute, second } = at;
    const wall = Date.UTC(year!, month! - 1, day, hour, minute, second);
    return wall + (((instant % 1_000) + 1_000) % 1_000);
  };
  const offsetAt = (instant: number) => localOf(instant) - instant;
  return {
    localOf,
    instantOf: (local) => {
      const [before, after] = [offsetAt(local - dayMs), offsetAt(local + dayMs)];
      if (before === after) return local - before;
      const shows = [local - before, local - after].filter((at) => localOf(at) === local);
      return shows.length > 0 ? Math.min(...shows) : local - before;
    },
  };
}
