/** Calling: `const voice = await openVoice(platform, { objects })`, then its routes; at last `close`. */
import { join } from 'node:path';
import { absent, type Platform } from '../../module.ts';
import type { AnyRoute } from '../../platform/http/route.ts';
import { callbackRoutes } from './callbacks.ts';
import { placeCall } from './calls/place.ts';
import { callRoutes } from './calls/routes.ts';
import { settleCall } from './calls/settle.ts';
import type { VoiceDesk } from './desk.ts';
import { openVoiceEndpoints } from './endpoints.ts';
import { providerRoutes } from './providers/routes.ts';
import { sweepCallbacks } from './providers/store.ts';
import { placeQueue, recordingQueue, settleQueue, trunkQueue } from './queues.ts';
import { rateRoutes } from './rates/routes.ts';
import { fetchRecording, sweepRecordings } from './recordings/keep.ts';
import { recordingRoutes } from './recordings/routes.ts';
import { templateRoutes } from './templates/routes.ts';
import { noTranscriber } from './transcriber.ts';
import { driveTrunk } from './trunks/drive.ts';
import { healthRoutes } from './trunks/health.ts';
import { openWire } from './wire.ts';

const sweepMs = 600_000;
/** Longer than any call-back is taken after it was signed. */
const tokensKeptMs = 3_600_000;
/** PBXs that one node listens to. */
const trunksMax = 200;

export interface OpenVoice {
  readonly routes: AnyRoute[];
  /** Name → address of each simulator that was started. */
  readonly simulators: Readonly<Record<string, string>>;
  close(graceMs: number): Promise<void>;
}

/** The rows of calling, for the OpenAPI file. */
export function voiceRoutes(
  desk: VoiceDesk = absent(),
  stopwatch: () => number = absent(),
): AnyRoute[] {
  return [
    ...providerRoutes({ desk, stopwatch }),
    ...templateRoutes(desk),
    ...callRoutes(desk),
    ...recordingRoutes(desk),
    ...rateRoutes(desk),
    ...healthRoutes(desk, stopwatch),
    ...callbackRoutes(desk),
  ];
}

export async function openVoice(
  platform: Platform,
  options: Pick<VoiceDesk, 'objects' | 'callEnded'>,
): Promise<OpenVoice> {
  const { db, jobs, limits, secrets, clock, random, log, settings, stopwatch } = platform;
  const { home, voiceEndpointsFile: path } = settings;
  const endpoints = await openVoiceEndpoints({ path, home, clock, random });
  const { isTrusted, endpointOf } = endpoints;
  const wire = openWire({ isTrusted, allowPrivate: settings.voiceAllowPrivate });
  const desk: VoiceDesk = {
    ...{ db, jobs, limits, secrets, clock, random, log, wire, endpointOf },
    transcriber: noTranscriber,
    transit: join(home, 'transit'),
    publicUrl: platform.publicUrl,
    playedSettings: endpoints.playedSettings,
    ...options,
  };
  const closing = new AbortController();
  const workers = startWorkers(desk, closing.signal);
  const sweeping = setInterval(() => {
    sweep(desk).catch((err: unknown) =>
      log.warn({ err }, 'voice was not swept; it is tried again'),
    );
  }, sweepMs);
  return {
    routes: voiceRoutes(desk, stopwatch),
    simulators: endpoints.simulators,
    close: async (graceMs) => {
      clearInterval(sweeping);
      const stopped = Promise.all(workers.map((worker) => worker.stop(graceMs)));
      closing.abort(); // listening never finishes by itself
      await stopped;
      await wire.close();
      await endpoints.close();
    },
  };
}

function startWorkers(desk: VoiceDesk, closing: AbortSignal) {
  const { jobs } = desk;
  const each = <Payload>(
    queue: string,
    { batch = 1, concurrency }: { batch?: number; concurrency: number },
    work: (desk: VoiceDesk, job: never, signal: AbortSignal) => Promise<void>,
  ) =>
    jobs.work<Payload>({
      ...{ queue, batch, concurrency },
      handler: async (claimed, signal) => {
        const ending = AbortSignal.any([signal, closing]);
        // One that fails must not keep the others from their end.
        const done = await Promise.allSettled(
          claimed.map((job) => work(desk, job as never, ending)),
        );
        for (const outcome of done) if (outcome.status === 'rejected') throw outcome.reason;
      },
    });
  return [
    each(placeQueue, { batch: 10, concurrency: 4 }, placeCall),
    each(settleQueue, { concurrency: 4 }, settleCall),
    each(recordingQueue, { concurrency: 4 }, fetchRecording),
    each(trunkQueue, { concurrency: trunksMax }, driveTrunk),
  ];
}

async function sweep(desk: VoiceDesk): Promise<void> {
  const before = new Date(desk.clock().getTime() - tokensKeptMs);
  await desk.db.system((tx) => sweepCallbacks(tx, before));
  await sweepRecordings(desk);
}
