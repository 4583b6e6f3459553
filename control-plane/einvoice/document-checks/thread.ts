/** A thread that checks documents: modules and rules are loaded once, then it does task by task. */
import { Validator } from '@drawbridge/validation/validate.ts';
import { move, transferableSymbol, valueSymbol } from 'piscina';
import { yieldProcessor } from '../../platform/concurrency/thread-priority.ts';
import { type DocumentTask, perform } from './tasks.ts';

yieldProcessor();
const validator = new Validator();

export default function (task: DocumentTask): unknown {
  const result = perform(validator, task);
  if (!('json' in result)) return result;
  // What is sent as it is goes to the thread that serves without a copy.
  return move({ [transferableSymbol]: [result.json.buffer], [valueSymbol]: result });
}
