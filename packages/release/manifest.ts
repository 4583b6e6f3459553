import { z } from 'zod';
import { versionPattern } from './version.ts';

const version = z.string().regex(versionPattern);

const executableBytesMax = 1_000_000_000;

const manifestSchema = z.object({
  product: z.literal('drawbridge-agent'),
  version,
  /** The oldest version that can be upgraded to this one without another in between. */
  minimum_version: version,
  /** No agent is upgraded to it before. */
  not_before: z.iso.datetime(),
  executables: z
    .array(
      z.object({
        platform: z.string().min(1).max(40),
        file: z.string().regex(/^[A-Za-z0-9][\w.-]{0,99}$/),
        sha256: z.string().regex(/^[0-9a-f]{64}$/),
        size: z.int().positive().max(executableBytesMax),
      }),
    )
    .min(1)
    .max(50),
});

/** What a release says of itself; its maker signs it. */
export type Manifest = z.infer<typeof manifestSchema>;

/** Undefined when the bytes are no manifest. Members that a later version adds are left out. */
export function parseManifest(bytes: Uint8Array): Manifest | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return manifestSchema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined; // neither UTF-8 nor JSON
  }
}
