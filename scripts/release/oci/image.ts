/**
 * Writes an image of the Open Container Initiative as a tar, which `podman load`, `docker load` and
 * `skopeo copy oci-archive:…` read. No daemon, no rights and no base image are needed.
 */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type LayerContent, makeLayer } from './layer.ts';

const run = promisify(execFile);

export interface ImageOptions {
  /** The tar to write. */
  readonly file: string;
  readonly workFolder: string;
  readonly epochSeconds: number;
  /** `drawbridge/agent:0.1.0` */
  readonly reference: string;
  readonly architecture: 'amd64' | 'arm64';
  readonly layers: readonly LayerContent[];
  /** How a container of it starts, in the words of the image specification. */
  readonly config: {
    readonly User: string;
    readonly Env: readonly string[];
    readonly Entrypoint: readonly string[];
    readonly Cmd: readonly string[];
    readonly WorkingDir: string;
    readonly Volumes: Readonly<Record<string, object>>;
    readonly ExposedPorts?: Readonly<Record<string, object>>;
    readonly StopSignal: string;
    readonly Labels: Readonly<Record<string, string>>;
  };
}

export async function makeImage(options: ImageOptions): Promise<void> {
  const { file, workFolder, epochSeconds, reference, architecture, config } = options;
  const layout = await mkdtemp(join(workFolder, 'image-'));
  const blobs = join(layout, 'blobs', 'sha256');
  await mkdir(blobs, { recursive: true });
  const layers = [];
  for (const content of options.layers) layers.push(await makeLayer(content, epochSeconds, blobs));
  const created = new Date(epochSeconds * 1_000).toISOString();
  const rootfs = { type: 'layers', diff_ids: layers.map(({ diffId }) => diffId) };
  const history = layers.map(() => ({ created }));
  const image = { created, architecture, os: 'linux', config, rootfs, history };
  const manifest = {
    schemaVersion: 2,
    mediaType: 'application/vnd.oci.image.manifest.v1+json',
    config: await writeBlob(blobs, 'application/vnd.oci.image.config.v1+json', image),
    layers: layers.map(({ digest, size }) => {
      return { mediaType: 'application/vnd.oci.image.layer.v1.tar+gzip', digest, size };
    }),
  };
  const described = await writeBlob(blobs, manifest.mediaType, manifest);
  const annotations = { 'org.opencontainers.image.ref.name': reference };
  const index = { schemaVersion: 2, manifests: [{ ...described, annotations }] };
  await writeFile(join(layout, 'index.json'), JSON.stringify(index));
  await writeFile(join(layout, 'oci-layout'), JSON.stringify({ imageLayoutVersion: '1.0.0' }));
  const form = ['--format=gnu', '--sort=name', `--mtime=@${epochSeconds}`, '--numeric-owner'];
  const owned = ['--owner=0', '--group=0', '--mode=u=rwX,go=rX'];
  await run('tar', [
    '-cf',
    file,
    ...form,
    ...owned,
    '-C',
    layout,
    'oci-layout',
    'index.json',
    'blobs',
  ]);
  await rm(layout, { recursive: true });
}

async function writeBlob(blobs: string, mediaType: string, content: object) {
  const bytes = Buffer.from(JSON.stringify(content));
  const hash = createHash('sha256').update(bytes).digest('hex');
  await writeFile(join(blobs, hash), bytes);
  return { mediaType, digest: `sha256:${hash}`, size: bytes.length };
}
