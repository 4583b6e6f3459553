import { testReading } from '@drawbridge/connectors/tested-reading.ts';
import type { Command } from 'commander';
import type { Outcome } from '../../outcome.ts';
import type { Runtime } from '../../runtime.ts';
import { addAction, type CommandContext, command } from '../command.ts';
import { askConnector, faulted } from './source-calls.ts';

export function connectorTestCommand(runtime: Runtime): Command {
  const target = command({
    name: 'test',
    summary: 'Log in to a source and show a few documents that could be read.',
    examples: ['drawbridge connector test erp', 'drawbridge connector test erp --json'],
  }).argument('<name>', 'name of the connector');
  return addAction(target, runtime, test);
}

async function test(context: CommandContext, _: object, name: string): Promise<Outcome> {
  const asked = await askConnector(context, name, testReading);
  if (asked.kind === 'failed') return asked;
  if (asked.value.kind === 'failed') return faulted(asked.value.fault);
  const { detail, sampleRefs, writeBack } = asked.value;
  const state = writeBack === undefined ? 'ready' : `waiting, ${writeBack.message}`;
  const rows = [
    ['source', detail],
    ['documents', sampleRefs.slice(0, 5).join(', ') || '-'],
    ['write-back', state],
  ];
  const data = { name, detail, sample_refs: sampleRefs, write_back: state };
  return { kind: 'done', data, shown: { head: ['', name], rows } };
}
