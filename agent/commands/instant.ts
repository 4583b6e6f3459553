import { z } from 'zod';

const dayOrInstant = z.union([z.iso.date(), z.iso.datetime({ offset: true })]);

/** A day (UTC) or an instant with its zone; undefined where it is neither: Date itself reads 5 and 01/02/2026. */
export function readInstant(text: string): Date | undefined {
  return dayOrInstant.safeParse(text).success ? new Date(text) : undefined;
}
