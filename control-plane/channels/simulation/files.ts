/** Files that people send: kept by the simulated network until they are fetched. */
export interface HeldFile {
  readonly id: string;
  readonly mediaType: string;
  readonly bytes: Buffer;
}

const filesMax = 1_000;

export class Files {
  readonly #files = new Map<string, HeldFile>();
  #serial = 0;

  /** Keeps a file; the id names it to whoever fetches it. */
  add(mediaType: string, bytes: Buffer): HeldFile {
    this.#serial += 1;
    const file = { id: String(700_000_000 + this.#serial), mediaType, bytes };
    this.#files.set(file.id, file);
    if (this.#files.size > filesMax) this.#files.delete(this.#files.keys().next().value ?? '');
    return file;
  }

  get(id: string | undefined): HeldFile | undefined {
    return this.#files.get(id ?? '');
  }
}

/** The file itself, as an answer. */
export function fileReply({ mediaType, bytes }: HeldFile) {
  return { status: 200, headers: { 'content-type': mediaType }, body: bytes };
}
