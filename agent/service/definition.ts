/** What the manager of services on a host needs to keep an agent running. */
export interface ServiceDefinition {
  /** The manager, and a folder that is there while it runs; undefined where a host always has it. */
  readonly manager?: { readonly name: string; readonly folder: string };
  /** Files to write, by their paths. */
  readonly files: Readonly<Record<string, string>>;
  /** Commands after the files were written. */
  readonly install: readonly (readonly string[])[];
  /** Commands before the files are removed. */
  readonly uninstall: readonly (readonly string[])[];
  /** Commands after the files were removed. */
  readonly forget: readonly (readonly string[])[];
  /** Prints what is known of the service; fails when it does not run. */
  readonly status: readonly string[];
  /** Starts the service anew. */
  readonly restart: readonly string[];
}

export const serviceName = 'drawbridge';

/** Why a service cannot be installed on this host; undefined where it can. */
export function missingManager(
  { manager }: Pick<ServiceDefinition, 'manager'>,
  exists: (path: string) => boolean,
): string | undefined {
  if (manager === undefined || exists(manager.folder)) return undefined;
  return `${manager.name} does not run on this host: have what starts its processes run \`drawbridge run\`, or write the files for an image by --root.`;
}
