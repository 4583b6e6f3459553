import { createContext, use } from 'react';

type Clock = () => Date;

const ClockContext = createContext<Clock | undefined>(undefined);

/** Gives the pages the time; a test may give them another. */
export const ClockProvider = ClockContext.Provider;

/** The time, as the pages are given it. */
export function useClock(): Clock {
  const clock = use(ClockContext);
  if (clock === undefined) throw new Error('no ClockProvider is around this page');
  return clock;
}
