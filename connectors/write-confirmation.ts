import type { Connector, WriteBackCommand, WriteBackOutcome } from './contract.ts';

/** Writes a confirmation where the source is told of such. */
export async function writeConfirmation(
  connector: Pick<Connector, 'writeBack' | 'takesInvalid'>,
  command: WriteBackCommand,
  signal: AbortSignal,
): Promise<WriteBackOutcome> {
  const isInvalid = command.confirmation.status === 'invalid';
  if (isInvalid && connector.takesInvalid !== true) return { kind: 'unsupported' };
  return connector.writeBack(command, signal);
}
