/** Fewer times may be of that minute by chance. */
const timesMin = 2;
const dayMinutes = 1_440;
/** Zones are at most so far to the east, and 12 hours to the west. */
const eastMinutesMax = 840;
const summerMinutes = 60;

const utcTime = /[T ](\d{2}):(\d{2})(?::00(?:\.0+)?)?\s?(?:Z|\+00(?::?00)?)$/;

/**
 * The offset of the zone in which all these times are midnight, where they are told in UTC: a day of Kuala
 * Lumpur that is kept as an instant, `2026-11-29T16:00:00Z`, is the 30th. In summer they may be an hour
 * earlier. Undefined where they are not, or midnight in UTC.
 */
export function midnightOffset(times: readonly string[]): string | undefined {
  if (times.length < timesMin) return undefined;
  const minutes = times.map(minuteOfDay);
  if (minutes.some(Number.isNaN)) return undefined;
  const isEast = minutes.some((minute) => minute >= dayMinutes - eastMinutesMax);
  const behind = minutes.map((minute) => (isEast && minute === 0 ? dayMinutes : minute));
  const [first, last] = [Math.min(...behind), Math.max(...behind)];
  if (last - first > summerMinutes) return undefined;
  const offset = isEast ? dayMinutes - first : -first;
  return offset === 0 ? undefined : textOf(offset);
}

function minuteOfDay(time: string): number {
  const [, hour, minute] = utcTime.exec(time) ?? [];
  return Number(hour) * 60 + Number(minute);
}

function textOf(minutes: number): string {
  const two = (count: number) => String(count).padStart(2, '0');
  const all = Math.abs(minutes);
  return `${minutes < 0 ? '-' : '+'}${two(Math.floor(all / 60))}:${two(all % 60)}`;
}
