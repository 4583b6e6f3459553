/**
 * Whether the work ends within so many milliseconds; it is not stopped when it does not. Rejects as
 * the work does within that time.
 */
export async function endedWithin(ms: number, work: Promise<unknown>): Promise<boolean> {
  const late = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => late.resolve(false), ms);
  try {
    return await Promise.race([work.then(() => true), late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
