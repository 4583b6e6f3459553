import type { Command } from 'commander';
import type { Edge } from '../edge.ts';
import type { Outcome } from '../output.ts';
import { act, command, type Setting } from './command.ts';
import { askConnector, faulted } from './connector-use.ts';

export function connectorTestCommand(edge: Edge): Command {
  const target = command({
    name: 'test',
    summary: 'Log in to a source and show a few documents that could be read.',
    examples: ['drawbridge connector test erp', 'drawbridge connector test erp --json'],
  }).argument('<name>', 'name of the connector');
  return act(target, edge, test);
}

async function test(setting: Setting, _: object, name: string): Promise<Outcome> {
  const asked = await askConnector(setting, name, (connector, signal) => connector.test(signal));
  if (asked.kind === 'failed') return asked;
  if (asked.value.kind === 'failed') return faulted(asked.value.fault);
  const { detail, sampleRefs } = asked.value;
  const rows = [
    ['source', detail],
    ['documents', sampleRefs.join(', ') || '-'],
  ];
  const data = { name, detail, sample_refs: sampleRefs };
  return { kind: 'done', data, shown: { head: ['', name], rows } };
}
