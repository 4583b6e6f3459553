/** What the manager of services on a host needs to keep an agent running. */
export interface ServiceDefinition {
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
