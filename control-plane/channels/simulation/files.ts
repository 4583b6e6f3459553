/** Files that people send: the simulated network keeps them until they are fetched. */
export interface HeldFile {
  readonly id: string;
  readonly mediaType: string;
  readonly bytes: Buffer;
}

const filesMax = 1_000;

export class Files {
  readonly #files = new Map<string, HeldFile>();
  #serial = 0;

  /** Keeps a file; it can be fetched by its id. */
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

/** The file as an answer. */
export function fileReply({ mediaType, bytes }: HeldFile) {
  return { status: 200, headers: { 'content-type': mediaType }, body: bytes };
}
