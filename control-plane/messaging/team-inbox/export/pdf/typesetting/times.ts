/** Prints instants in a time zone, and in UTC. */
export interface Times {
  /** `Saturday, 21 November 2026`. */
  day(at: Date): string;
  /** `14:03:05`. */
  clock(at: Date): string;
  /** `2026-11-21 14:03:05`. */
  full(at: Date): string;
  /** `10:03:05 UTC`, or `20 Nov 10:03:05 UTC` when the day differs in UTC. */
  utcNear(at: Date): string;
  /** `2026-11-21 10:03:05 UTC`. */
  utcFull(at: Date): string;
  /** Only the time of day when both are on the same day. */
  near(at: Date, other: Date): string;
}

const shortDay = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'UTC',
  calendar: 'gregory',
  numberingSystem: 'latn',
  day: 'numeric',
  month: 'short',
});

/** Throws a RangeError for an unknown zone. */
export function timesIn(timeZone: string): Times {
  const numbers = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    hourCycle: 'h23',
    calendar: 'gregory',
    numberingSystem: 'latn',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  });
  const words = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    calendar: 'gregory',
    numberingSystem: 'latn',
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    year: 'numeric',
  });
  const local = (at: Date) => {
    const parts = Object.fromEntries(
      numbers.formatToParts(at).map((part) => [part.type, part.value]),
    );
    const { year, month, day, hour, minute, second } = parts;
    return { day: `${year}-${month}-${day}`, clock: `${hour}:${minute}:${second}` };
  };
  const utc = (at: Date) => ({
    day: at.toISOString().slice(0, 10),
    clock: at.toISOString().slice(11, 19),
  });
  return {
    day: (at) => words.format(at),
    clock: (at) => local(at).clock,
    full: (at) => `${local(at).day} ${local(at).clock}`,
    utcNear: (at) => {
      const { day, clock } = utc(at);
      return day === local(at).day ? `${clock} UTC` : `${shortDay.format(at)} ${clock} UTC`;
    },
    utcFull: (at) => `${utc(at).day} ${utc(at).clock} UTC`,
    near: (at, other) => {
      const [one, two] = [local(at), local(other)];
      return one.day === two.day ? one.clock : `${one.day} ${one.clock}`;
    },
  };
}
