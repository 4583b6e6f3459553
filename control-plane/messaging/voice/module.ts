/** Calling: `const voice = await openVoice(platform, { objects })`, then its routes; at last `close`. */
import { join } from 'node:path';
import { absent, type Platform } from '../../module.ts';
import type { AnyRoute } from '../../platform/http/route.ts';
import type { Job } from '../../platform/jobs/job.ts';
import { openWire } from '../wire.ts';
import { callbackRoutes } from './callbacks.ts';
import { allOf } from './calls/lots.ts';
import { createPlacer } from './calls/place.ts';
import { callRoutes } from './calls/routes.ts';
import { type SettleJob, settleCalls } from './calls/settle.ts';
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

const sweepMs = 600_000;
/** Longer than any call-back is taken after it was signed. */
const tokensKeptMs = 3_600_000;
/** As many as a configuration may place in a second, by few handlers, so that many go together. */
const placing = { batch: 50, concurrency: 8 };
const settling = { batch: 50, concurrency: 4 };
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
  const workers = startWorkers(desk, stopwatch, closing.signal);
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

function startWorkers(desk: VoiceDesk, stopwatch: () => number, closing: AbortSignal) {
  const { jobs } = desk;
  const each = <Payload>(
    queue: string,
    concurrency: number,
    work: (desk: VoiceDesk, job: Job<Payload>, signal: AbortSignal) => Promise<void>,
  ) =>
    jobs.work<Payload>({
      ...{ queue, batch: 1, concurrency },
      handler: (claimed, signal) =>
        allOf(claimed.map((job) => work(desk, job, AbortSignal.any([signal, closing])))),
    });
  return [
    jobs.work({ queue: placeQueue, ...placing, handler: createPlacer(desk, stopwatch) }),
    jobs.work<SettleJob>({
      ...{ queue: settleQueue, ...settling },
      handler: (claimed) => settleCalls(desk, claimed),
    }),
    each(recordingQueue, 4, fetchRecording),
    each(trunkQueue, trunksMax, driveTrunk),
  ];
}

async function sweep(desk: VoiceDesk): Promise<void> {
  const before = new Date(desk.clock().getTime() - tokensKeptMs);
  await desk.db.system((tx) => sweepCallbacks(tx, before));
  await sweepRecordings(desk);
}
