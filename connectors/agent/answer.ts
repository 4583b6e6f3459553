import { z } from 'zod';
import { type Connector, limits } from '../contract.ts';
import { type AgentMethod, agentMethods } from './call.ts';
import { connectorMissing } from './errors.ts';
import { writeBackCommand } from './outcomes.ts';

const refsMax = 1_000;

const params = z.object({
  connector: z.string().max(128),
  ref: z.string().optional(),
  refs: z.array(z.string()).max(refsMax).optional(),
  cursor: z.string().max(8_192).optional(),
  command: writeBackCommand.optional(),
});

export type AgentAnswer =
  | { readonly kind: 'answered'; readonly result: unknown }
  /** The call is none that this version of the agent understands. */
  | { readonly kind: 'refused'; readonly message: string };

/** The agent's side of an `AgentCall`: does what is asked with the connector `find` gives. */
export async function answerAgentCall(
  find: (name: string) => Connector | undefined,
  method: string,
  given: unknown,
  signal: AbortSignal,
): Promise<AgentAnswer> {
  const known = agentMethods.find((one) => one === method);
  if (known === undefined) return { kind: 'refused', message: `There is no method "${method}".` };
  const parsed = params.safeParse(given);
  if (!parsed.success) return { kind: 'refused', message: z.prettifyError(parsed.error) };
  const connector = find(parsed.data.connector);
  if (connector === undefined) {
    const kind = known === 'connector.test' ? 'failed' : 'unreachable';
    const outcome = { kind, fault: connectorMissing(parsed.data.connector) };
    const many = parsed.data.refs?.map(() => outcome) ?? [];
    return { kind: 'answered', result: known === 'connector.readMany' ? many : outcome };
  }
  return callConnector(connector, known, parsed.data, signal);
}

async function callConnector(
  connector: Connector,
  method: AgentMethod,
  { ref, refs, cursor, command }: z.infer<typeof params>,
  signal: AbortSignal,
): Promise<AgentAnswer> {
  const answered = (result: unknown) => ({ kind: 'answered', result }) as const;
  const lacking = (name: string) =>
    ({ kind: 'refused', message: `"${method}" needs "${name}".` }) as const;
  switch (method) {
    case 'connector.test':
      return answered(await connector.test(signal));
    case 'connector.describe':
      return answered(await connector.describe(signal));
    case 'connector.read':
      if (ref === undefined) return lacking('ref');
      // No source holds a longer ref, and the answer could not carry it.
      if (ref.length > limits.refLengthMax) return answered({ kind: 'missing' });
      return answered(await connector.read(ref, signal));
    case 'connector.readMany':
      return refs === undefined
        ? lacking('refs')
        : answered(await connector.readMany(refs, signal));
    case 'connector.list':
      return answered(await connector.list(cursor, signal));
    case 'connector.writeBack':
      if (command === undefined) return lacking('command');
      return answered(await connector.writeBack(command, signal));
  }
}
