import { join } from 'node:path';
import { isThisPlatform, type Platform, partsOf } from '../build-agent/platforms.ts';
import { baseLayers, imageHome, imageUser } from './oci/base.ts';
import { makeImage } from './oci/image.ts';
import { makePackageRoot } from './package-root.ts';
import { packageText } from './package-text.ts';
import type { ReleaseStep } from './step.ts';

/** The agent as an image; of this platform only, because its system libraries come from here. */
export async function makeAgentImage(step: ReleaseStep, platform: Platform): Promise<void> {
  if (!isThisPlatform(platform) || process.platform !== 'linux') return;
  const { version, folder, workFolder, epochSeconds } = step;
  const executable = join(folder, partsOf(platform).executable);
  const installed = await makePackageRoot(step, platform, 'image');
  await makeImage({
    file: join(folder, `drawbridge-agent-${version}-${platform}.oci.tar`),
    workFolder,
    epochSeconds,
    reference: `drawbridge/agent:${version}`,
    architecture: process.arch === 'arm64' ? 'arm64' : 'amd64',
    layers: [
      ...(await baseLayers([executable], workFolder)),
      { folder: installed, paths: ['usr'] },
    ],
    config: {
      User: String(imageUser),
      Env: ['PATH=/usr/bin', `HOME=${imageHome}`],
      Entrypoint: ['/usr/bin/drawbridge'],
      Cmd: ['run'],
      WorkingDir: imageHome,
      Volumes: { [imageHome]: {} },
      StopSignal: 'SIGTERM',
      Labels: {
        'org.opencontainers.image.title': packageText.summary,
        'org.opencontainers.image.version': version,
        'org.opencontainers.image.licenses': 'Apache-2.0',
      },
    },
  });
}
