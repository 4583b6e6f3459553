import { type Command, Option } from 'commander';
import { unknownQuestion } from '../connect/known-questions.ts';
import { runConnect } from '../connect/run.ts';
import { answer, begin, finding, forget, type State, withEntry } from '../connect/state.ts';
import { say } from '../connect/texts.ts';
import { failed, type Outcome } from '../outcome.ts';
import type { Runtime } from '../runtime.ts';
import { connectorName } from '../store/connectors.ts';
import { type Home, openAddedConnectors, openHome } from '../store/home.ts';
import { addAction, type CommandContext, command } from './command.ts';

interface Options {
  readonly name?: string;
  readonly answer: readonly string[];
  readonly yes: boolean;
  readonly restart: boolean;
}

export function connectCommand(runtime: Runtime): Command {
  const target = command({
    name: 'connect',
    summary: 'Lead from where your invoices stand to the first one that is accepted.',
    examples: [
      'drawbridge connect',
      'drawbridge connect mysql://reader@erp.example/fa',
      'drawbridge connect ./erp.sqlite',
      'drawbridge connect ./invoices --name web-shop',
      'drawbridge connect postgres://reader@erp/odoo --answer password=env:ERP_PASSWORD --yes --json',
    ],
  })
    .argument('[address]', 'of a database or a mailbox, or the path of a file or a folder')
    .option('--name <name>', 'the name by which the control plane asks for it')
    .addOption(
      new Option(
        '--answer <question=value...>',
        'answer a question beforehand; without a terminal the one that is open is named',
      ).default([]),
    )
    .option('--yes', 'take what is proposed, where nothing else is answered', false)
    .option('--restart', 'begin anew, and forget what was answered', false);
  return addAction(target, runtime, connect);
}

async function connect(
  context: CommandContext,
  options: Options,
  address?: string,
): Promise<Outcome> {
  const { runtime, settings, output } = context;
  const given: Record<string, string> = {};
  for (const pair of options.answer) {
    const [id = '', ...rest] = pair.split('=');
    if (rest.length === 0) return failed('usage', `--answer takes question=value, not "${pair}".`);
    const unknown = unknownQuestion(id);
    if (unknown !== undefined) return failed('usage', unknown);
    given[id] = rest.join('=');
  }
  const name = connectorName.optional().safeParse(options.name);
  if (!name.success) return failed('settings_invalid', `--name: ${name.error.issues[0]!.message}`);
  const home = openHome(settings, runtime);
  if (home.kind === 'failed') return home.outcome;
  const connectors = openAddedConnectors(home.value);
  if (connectors.kind === 'failed') return connectors.outcome;
  const isInteractive = runtime.stdin.isTTY === true && !output.json;
  const state = stateFor(home.value, options, address);
  if (isInteractive) {
    const from = answer(state, 'address');
    const isResumed = state.entries.some(({ by }) => by !== 'command line');
    if (isResumed) runtime.stdout.write(`${say('resumed', { address: from ?? '' })}\n`);
    runtime.stdout.write(`${say('keys')}\n\n`);
  }
  return runConnect({ runtime, settings, home: home.value }, state, {
    given,
    yes: options.yes,
    isInteractive,
  });
}

/** What was kept, unless it is of another source. */
function stateFor(home: Home, { restart, name }: Options, address: string | undefined): State {
  const kept = home.connecting.read();
  const known = kept.kind === 'content' && !restart ? kept.value : undefined;
  if (known !== undefined && (address === undefined || answer(known, 'address') === address)) {
    return name === undefined ? known : withName(known, name);
  }
  return withGiven(begin, { ...(address && { address }), ...(name && { name }) });
}

/** What was kept under another name is kept anew. */
function withName(state: State, name: string): State {
  const isOther = finding(state, 'kept')?.name !== name;
  return withGiven(isOther ? forget(state, 'kept', new Set()) : state, { name });
}

function withGiven(state: State, given: Readonly<Record<string, string>>): State {
  return Object.entries(given).reduce(
    (next, [id, value]) => withEntry(next, { id, value, by: 'command line' }),
    state,
  );
}
