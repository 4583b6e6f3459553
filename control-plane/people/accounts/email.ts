import { z } from 'zod';

/** An e-mail address, in lower case. */
export const email = z.email().max(254).toLowerCase();
