import type { Pattern } from '../../rule.ts';
import { denmark } from './denmark.ts';
import { germany } from './germany.ts';
import { greekSender, withinGreekBorders } from './greece.ts';
import { iceland } from './iceland.ts';
import { italy } from './italy.ts';
import { netherlands } from './netherlands.ts';
import { norway } from './norway.ts';
import { sweden } from './sweden.ts';

/**
 * The additional rules of single countries for their sellers; each pattern itself checks whether it
 * applies to the document.
 */
export const nationalPatterns: readonly Pattern[] = [
  norway,
  denmark,
  italy,
  sweden,
  greekSender,
  withinGreekBorders,
  iceland,
  netherlands,
  germany,
];
