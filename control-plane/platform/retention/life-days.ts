import { z } from 'zod';

/** Days that a tenant may set: thirty at least, a hundred years at most. */
export const lifeDaysLimits = { min: 30, max: 36_500 } as const;

/** A life time that a tenant sets; null: for ever. */
export const lifeDays = z.int().min(lifeDaysLimits.min).max(lifeDaysLimits.max).nullable();
