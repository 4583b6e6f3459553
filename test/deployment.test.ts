/** What deploy/ names exists: settings, ports, probes, images, commands, and names within the files. */
import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { settingRows } from '@drawbridge/agent/settings.ts';
import { version } from '@drawbridge/agent/version.ts';
import { settingsHelp } from '@drawbridge/control-plane/settings.ts';
import { describe, expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { imageHome, imageUser } from '../scripts/release/oci/base.ts';

const root = join(import.meta.dirname, '..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');

const agentSettings = Object.values(settingRows).map(({ env }) => env as string);
const controlPlaneSettings = settingsHelp()
  .match(/^ +([A-Z][A-Z_]+)/gm)!
  .map((name) => name.trim());

/** What can be said of a container in each of the forms. */
interface Container {
  readonly image: string;
  readonly args: readonly string[];
  readonly env: readonly string[];
  readonly ports: readonly number[];
  readonly mounts: readonly string[];
}

/** By the names of our images. */
const images: Readonly<
  Record<string, { settings: readonly string[]; ports: number[]; args: RegExp }>
> = {
  agent: { settings: agentSettings, ports: [], args: /^run( --json)?$/ },
  'control-plane': {
    settings: controlPlaneSettings,
    ports: [8080, 8081],
    args: /^(migrate|serve( --json)?)?$/,
  },
};

function holdToImage({ image, args, env, ports, mounts }: Container): void {
  const [, name, tag] = /^drawbridge\/([\w-]+):(.+)$/.exec(image)!;
  const made = images[name!]!;
  expect(tag).toBe(version);
  expect(env.filter((each) => !made.settings.includes(each))).toEqual([]);
  expect(ports.filter((port) => !made.ports.includes(port))).toEqual([]);
  expect(args.join(' ')).toMatch(made.args);
  expect(mounts.filter((path) => ![imageHome, '/tmp'].includes(path))).toEqual([]);
}

test('compose: images, settings, ports, folders and references', () => {
  const { services, volumes } = parse(read('deploy/compose.yaml')) as {
    services: Record<
      string,
      {
        image: string;
        command?: string[];
        environment: Record<string, string>;
        ports?: string[];
        volumes: string[];
        depends_on?: Record<string, unknown>;
      }
    >;
    volumes: Record<string, unknown>;
  };
  expect(new Set(Object.keys(services))).toEqual(new Set(['agent', 'control-plane', 'postgres']));
  // What .env says of the proxy reaches the container.
  const { environment } = services['control-plane']!;
  expect(Object.keys(environment)).toEqual(expect.arrayContaining(['PUBLIC_URL', 'TRUST_PROXY']));
  for (const service of Object.values(services)) {
    const mounted = service.volumes.map((each) => each.split(':'));
    for (const [volume] of mounted) expect(Object.keys(volumes)).toContain(volume);
    for (const name of Object.keys(service.depends_on ?? {})) expect(services).toHaveProperty(name);
    if (!service.image.startsWith('drawbridge/')) continue;
    holdToImage({
      image: service.image,
      args: service.command ?? [],
      env: Object.keys(service.environment),
      ports: (service.ports ?? []).map((each) => Number(each.split(':').at(-1))),
      mounts: mounted.map(([, path]) => path!),
    });
  }
});

interface Named {
  readonly name: string;
}

interface PodContainer {
  readonly image: string;
  readonly args: readonly string[];
  readonly env?: readonly Named[];
  readonly ports?: readonly (Named & { readonly containerPort: number })[];
  readonly volumeMounts: readonly (Named & { readonly mountPath: string })[];
  readonly [probe: `${string}Probe`]: { httpGet: { path: string; port: string } } | undefined;
}

interface Pod {
  readonly securityContext: { readonly runAsUser: number };
  readonly initContainers?: readonly PodContainer[];
  readonly containers: readonly PodContainer[];
  readonly volumes: readonly Named[];
}

interface Resource {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: Named;
  readonly spec: {
    readonly selector?: { readonly matchLabels?: object } | Record<string, string>;
    readonly podSelector?: { readonly matchLabels: object };
    readonly ports?: readonly { readonly targetPort: string }[];
    readonly serviceName?: string;
    readonly volumeClaimTemplates?: readonly { readonly metadata: Named }[];
    readonly template?: { readonly metadata: { readonly labels: object }; readonly spec: Pod };
  };
}

describe('Kubernetes', () => {
  const files = readdirSync(join(root, 'deploy/kubernetes'));

  test.each(files)('%s: images, settings, probes, and references within it', (file) => {
    const text = read(`deploy/kubernetes/${file}`);
    const resources = parseAllDocuments(text).map((each) => each.toJS() as Resource);
    const [workload] = resources;
    const { template, volumeClaimTemplates = [], serviceName, selector } = workload!.spec;
    const { labels } = template!.metadata;
    expect(selector).toEqual({ matchLabels: labels });
    const pod = template!.spec;
    expect(pod.securityContext.runAsUser).toBe(imageUser);
    const volumes = [...pod.volumes, ...volumeClaimTemplates.map(({ metadata }) => metadata)];
    for (const container of [...(pod.initContainers ?? []), ...pod.containers]) {
      const ports = container.ports ?? [];
      holdToImage({
        image: container.image,
        args: container.args,
        env: (container.env ?? []).map(({ name }) => name),
        ports: ports.map(({ containerPort }) => containerPort),
        mounts: container.volumeMounts.map(({ mountPath }) => mountPath),
      });
      for (const { name } of container.volumeMounts) {
        expect(volumes.map((volume) => volume.name)).toContain(name);
      }
      for (const [key, probe] of Object.entries(container)) {
        if (!key.endsWith('Probe')) continue;
        const { path, port } = (probe as unknown as { httpGet: { path: string; port: string } })
          .httpGet;
        expect(ports.map(({ name }) => name)).toContain(port);
        expect(read('control-plane/platform/http/health.ts')).toContain(`app.get('${path}'`);
      }
    }
    for (const { kind, metadata, spec } of resources.slice(1)) {
      const chosen = kind === 'Service' ? spec.selector : (spec.selector ?? spec.podSelector);
      expect(kind === 'Service' ? chosen : (chosen as { matchLabels: object }).matchLabels).toEqual(
        labels,
      );
      const named = pod.containers.flatMap(({ ports = [] }) => ports.map(({ name }) => name));
      for (const { targetPort } of spec.ports ?? []) expect(named).toContain(targetPort);
      if (kind === 'Service' && serviceName) expect(metadata.name).toBe(serviceName);
    }
    const tags = [...text.matchAll(/drawbridge\/[\w-]+:(\S+)/g)].map(([, tag]) => tag);
    expect(new Set(tags)).toEqual(new Set([version]));
    const secret = /create secret generic (\S+)/.exec(text);
    if (secret !== null) {
      expect(text).toContain(`secretRef:\n                name: ${secret[1]}`);
      const given = [...text.matchAll(/--from-literal=(\w+)=/g)].map(([, name]) => name!);
      expect(given.filter((name) => !controlPlaneSettings.includes(name))).toEqual([]);
      // Each pod has a home of its own, which goes with it.
      expect(given).toEqual(expect.arrayContaining(['OBJECT_STORE', 'SMTP_URL']));
    }
  });
});

describe('systemd', () => {
  const file = 'deploy/systemd/drawbridge-control-plane.service';

  test('the unit of the control plane starts a file that exists, with settings that exist', () => {
    const unit = read(file);
    const [, program, main] =
      /^ExecStart=\/opt\/drawbridge\/(\S+) \/opt\/drawbridge\/(\S+) serve$/m.exec(unit)!;
    expect(program).toBe('node_modules/.bin/node');
    expect(existsSync(join(root, main!))).toBe(true);
    const named = unit.match(/\b[A-Z]+_[A-Z_]+\b/g)!.filter((name) => !name.startsWith('AF_'));
    expect(named.filter((name) => !controlPlaneSettings.includes(name))).toEqual([]);
  });

  test('systemd finds an exposure of 2.0 at most', async (context) => {
    const ask = ['security', '--offline=true', '--no-pager', '--threshold=20', join(root, file)];
    const asked = await promisify(execFile)('systemd-analyze', ask).catch((error) => error);
    if (asked.code === 'ENOENT') context.skip('systemd is not installed');
    expect(asked).not.toBeInstanceOf(Error);
  });
});
