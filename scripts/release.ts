/** `npm run release`: everything that is handed out, in one folder, signed. */
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { version as sourceVersion } from '../agent/version.ts';
import { argumentsOf } from './arguments.ts';
import { type Platform, platforms } from './build-agent/platforms.ts';
import { makeRelease } from './release/make-release.ts';
import { newSigningKey, readSigningKey } from './release/signing-key.ts';
import { commitEpochSeconds } from './release/source-date.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const usage = `npm run release [-- options] [platform …]

Builds the agent, its packages and images into dist/release-VERSION and signs them.
Platforms: ${platforms.join(', ')} (default: all).

  --new-key FILE          write a new signing key to FILE, and nothing else
  --version VERSION       default: that of agent/package.json
  --minimum-version V     the oldest version that may be upgraded to this one (default: 0.0.0)
  --not-before INSTANT    no agent is upgraded to it before (default: the time of the sources)
  --rules-warn-after INSTANT  whoever uses its rules then is warned (default: a year after the sources)
  --plain                 executables only: no packages, images and bills of materials
  --out FOLDER            default: dist/release-VERSION

Environment:
  DRAWBRIDGE_RELEASE_KEY_FILE   the signing key, made by --new-key; or
  DRAWBRIDGE_RELEASE_KEY        its text
  DRAWBRIDGE_RELEASE_TRUST_FILE public keys (PEM) that agents of this release take besides: of the next key
  SOURCE_DATE_EPOCH             the time in all files (default: that of the last commit)

Examples:
  $ npm run release -- --new-key release-key.pem
  $ DRAWBRIDGE_RELEASE_KEY_FILE=release-key.pem npm run release -- linux-x64`;

const { values, positionals } = argumentsOf(usage, {
  options: {
    'new-key': { type: 'string' },
    version: { type: 'string', default: sourceVersion },
    'minimum-version': { type: 'string', default: '0.0.0' },
    'not-before': { type: 'string' },
    'rules-warn-after': { type: 'string' },
    plain: { type: 'boolean', default: false },
    out: { type: 'string' },
  },
});

try {
  if (values['new-key'] !== undefined) {
    await newSigningKey(values['new-key']);
    console.log(`${values['new-key']}: keep it where nobody else reads it, and a copy of it.`);
  } else {
    await release();
  }
} catch (error) {
  console.error(`error: ${(error as Error).message}`);
  process.exitCode = 1;
}

async function release(): Promise<void> {
  const unknown = positionals.filter((name) => !platforms.some((each) => each === name));
  if (unknown.length > 0) throw new Error(`${unknown}: the platforms are ${platforms.join(', ')}`);
  const epochSeconds = await commitEpochSeconds();
  const notBefore = new Date(values['not-before'] ?? epochSeconds * 1_000);
  if (Number.isNaN(notBefore.getTime())) throw new Error('--not-before is not an instant');
  const yearLater = (epochSeconds + 31_536_000) * 1_000;
  const rulesWarnAfter = new Date(values['rules-warn-after'] ?? yearLater);
  if (Number.isNaN(rulesWarnAfter.getTime())) {
    throw new Error('--rules-warn-after is not an instant');
  }
  const out = values.out ?? `${root}dist/release-${values.version}`;
  const files = await makeRelease({
    version: values.version,
    minimumVersion: values['minimum-version'],
    notBefore,
    rulesWarnAfter,
    epochSeconds,
    isPlain: values.plain,
    platforms: positionals.length === 0 ? platforms : (positionals as Platform[]),
    key: await readSigningKey(process.env),
    out,
  });
  console.log(`${relative(process.cwd(), out)}:`);
  for (const { name, size } of files) {
    console.log(`  ${name.padEnd(52)}${(size / 1e6).toFixed(1).padStart(8)} MB`);
  }
}
