/** What the steps of a release work with. */
export interface ReleaseStep {
  readonly version: string;
  readonly epochSeconds: number;
  /** The release folder while it is made. */
  readonly folder: string;
  /** For what is not handed out. */
  readonly workFolder: string;
}
