import type { Runtime } from '../runtime.ts';
import type { Settings } from '../settings.ts';
import type { Home } from '../store/home.ts';

/** What work is done with. */
export interface WorkContext {
  readonly runtime: Runtime;
  readonly settings: Settings;
  readonly home: Home;
}
