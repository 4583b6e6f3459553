import { nearest } from '@drawbridge/explanations/edit-distance.ts';
import { failed, type Outcome } from '../../output.ts';
import type { ConfiguredConnector } from '../../store/connectors.ts';
import { type Home, openConnectors, openHome } from '../../store/home.ts';
import type { CommandContext } from '../command.ts';

type Found =
  | {
      readonly kind: 'found';
      readonly home: Home;
      readonly connector: ConfiguredConnector;
      /** All but this one. */
      readonly others: readonly ConfiguredConnector[];
    }
  | { readonly kind: 'failed'; readonly outcome: Outcome };

/** The connector of that name, with the home folder that keeps it. */
export function findConnector({ settings, runtime }: CommandContext, name: string): Found {
  const home = openHome(settings, runtime);
  if (home.kind === 'failed') return home;
  const connectors = openConnectors(home.value);
  if (connectors.kind === 'failed') return connectors;
  const connector = connectors.value.find((one) => one.name === name);
  const others = connectors.value.filter((one) => one !== connector);
  if (connector !== undefined) return { kind: 'found', home: home.value, connector, others };
  const meant = nearest(
    name,
    others.map((one) => one.name),
  );
  const perhaps = meant === undefined ? '' : ` Perhaps ${meant}?`;
  const outcome = failed('connector_unknown', `There is no connector named "${name}".${perhaps}`);
  return { kind: 'failed', outcome };
}

/** Replaces a connector in the home folder, in its place. */
export function keepConnector(home: Home, changed: ConfiguredConnector): void {
  const connectors = openConnectors(home);
  if (connectors.kind === 'failed') return;
  home.connectors.write(connectors.value.map((one) => (one.name === changed.name ? changed : one)));
}
