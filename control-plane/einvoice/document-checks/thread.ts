/** A thread that checks documents: modules and rules are loaded once, then it does task by task. */
import { Validator } from '@drawbridge/validation/validate.ts';
import { move, transferableSymbol, valueSymbol } from 'piscina';
import { yieldProcessor } from '../../platform/concurrency/thread-priority.ts';
import { type DocumentTask, perform } from './tasks.ts';

yieldProcessor();
const validator = new Validator();

export default async function (task: DocumentTask): Promise<unknown> {
  const result = await perform(validator, task);
  // What is only sent or stored goes to the thread that serves without a copy.
  const buffers = Object.values(result).flatMap((each) =>
    each instanceof Uint8Array ? [each.buffer] : [],
  );
  return move({ [transferableSymbol]: buffers, [valueSymbol]: result });
}
