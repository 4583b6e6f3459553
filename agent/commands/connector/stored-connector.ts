import { nearest } from '@drawbridge/explanations/edit-distance.ts';
import { type Failed, failed, type Outcome } from '../../outcome.ts';
import type { ConfiguredConnector } from '../../store/connectors.ts';
import { type Home, openAddedConnectors, openConnectors, openHome } from '../../store/home.ts';
import { exclusively } from '../../store/lock.ts';
import type { CommandContext } from '../command.ts';

type Found =
  | {
      readonly kind: 'found';
      readonly home: Home;
      readonly connector: ConfiguredConnector;
    }
  | { readonly kind: 'failed'; readonly outcome: Failed };

/** The connector of that name, with the home folder that keeps it. */
export function findConnector({ settings, runtime }: CommandContext, name: string): Found {
  const home = openHome(settings, runtime);
  if (home.kind === 'failed') return home;
  const connectors = openConnectors(home.value);
  if (connectors.kind === 'failed') return connectors;
  const connector = connectors.value.find((one) => one.name === name);
  if (connector !== undefined) return { kind: 'found', home: home.value, connector };
  const meant = nearest(
    name,
    connectors.value.map((one) => one.name),
  );
  const perhaps = meant === undefined ? '' : ` Perhaps ${meant}?`;
  const outcome = failed('connector_unknown', `There is no connector named "${name}".${perhaps}`);
  return { kind: 'failed', outcome };
}

/** Like `findConnector`, for a change: one of the configuration file is changed there. */
export function findOwnConnector(context: CommandContext, name: string): Found {
  const found = findConnector(context, name);
  const isDeclared =
    found.kind === 'found' && found.home.declared.some((one) => one === found.connector);
  if (!isDeclared) return found;
  const outcome = failed('connector_declared', `"${name}" is of the configuration file.`);
  return { kind: 'failed', outcome };
}

/**
 * Keeps what `change` makes of the added connector of that name as it is now, or forgets it. A failure when
 * it was removed meanwhile.
 */
export function keepConnector(
  home: Home,
  name: string,
  change: (now: ConfiguredConnector) => ConfiguredConnector | undefined,
): Outcome | undefined {
  return exclusively(home.path, () => {
    const added = openAddedConnectors(home);
    if (added.kind === 'failed') return added.outcome;
    if (!added.value.some((one) => one.name === name)) {
      return failed('connector_unknown', `"${name}" was removed meanwhile.`);
    }
    home.connectors.write(
      added.value.flatMap((one) => (one.name === name ? (change(one) ?? []) : one)),
    );
    return undefined;
  });
}
