/**
 * Voice calls.
 *
 *     const voice = await openVoice(platform, { objects, callEnded });
 *     // serve voice.routes
 *     await voice.drain(graceMs);
 *     await voice.close();
 */
import { join } from 'node:path';
import { absent, type Platform } from '../../modules/contract.ts';
import type { AnyRoute } from '../../platform/http/route.ts';
import type { Job } from '../../platform/jobs/job.ts';
import { createRequestTimes } from '../../platform/metrics/request-times.ts';
import { openWire } from '../wire.ts';
import { callbackRoutes } from './callbacks.ts';
import { waitForAll } from './calls/job-groups.ts';
import { createPlacer } from './calls/placer.ts';
import { type ReconcileJob, reconcileCalls } from './calls/reconcile.ts';
import { callRoutes } from './calls/routes.ts';
import type { CallingContext } from './context.ts';
import { openVoiceEndpoints } from './endpoints.ts';
import { providerRoutes } from './providers/routes.ts';
import { sweepCallbacks } from './providers/store.ts';
import {
  placeQueue,
  reconcileQueue,
  recordingQueue,
  transcriptionQueue,
  trunkQueue,
} from './queues.ts';
import { rateRoutes } from './rates/routes.ts';
import { fetchRecording, sweepRecordings } from './recordings/fetch.ts';
import { recordingRoutes } from './recordings/routes.ts';
import { templateRoutes } from './templates/routes.ts';
import { openHttpTranscriber } from './transcription/http-transcriber.ts';
import { transcribe } from './transcription/transcribe.ts';
import { healthRoutes } from './trunks/health.ts';
import { listenToTrunk } from './trunks/listener.ts';

const sweepMs = 600_000;
/** Longer than a signed call-back is accepted. */
const tokensKeptMs = 3_600_000;
/** As many as a configuration may place in a second, in few handlers, so that batches are large. */
const placing = { batch: 50, concurrency: 8 };
const settling = { batch: 50, concurrency: 4 };
/** The most PBXs that one node listens to. */
const trunksMax = 200;

export interface OpenVoice {
  readonly routes: AnyRoute[];
  /** The address of each simulator that was started, by name. */
  readonly simulators: Readonly<Record<string, string>>;
  /** Takes no more jobs, and lets those under way finish for at most `graceMs` milliseconds. */
  drain(graceMs: number): Promise<void>;
  close(): Promise<void>;
}

/** The endpoints of voice, for the OpenAPI file. */
export function voiceRoutes(
  context: CallingContext = absent(),
  stopwatch: () => number = absent(),
): AnyRoute[] {
  return [
    ...providerRoutes({ context, stopwatch }),
    ...templateRoutes(context),
    ...callRoutes(context),
    ...recordingRoutes(context),
    ...rateRoutes(context),
    ...healthRoutes(context, stopwatch),
    ...callbackRoutes(context),
  ];
}

export async function openVoice(
  platform: Platform,
  options: Pick<CallingContext, 'objects' | 'callEnded'>,
): Promise<OpenVoice> {
  const { db, jobs, limits, secrets, clock, random, log, metrics, settings, stopwatch } = platform;
  const { home, voiceEndpointsFile: path } = settings;
  const endpoints = await openVoiceEndpoints({ path, home, clock, random });
  const { isTrusted, endpointOf } = endpoints;
  const wire = openWire({ isTrusted, allowPrivate: settings.voiceAllowPrivate });
  const { transcriberUrl: url, transcriberKey: key, transcriberModel: model } = settings;
  const transcriber =
    url === undefined
      ? undefined
      : openHttpTranscriber({ url, key, model, objects: options.objects });
  const context: CallingContext = {
    db,
    jobs,
    limits,
    secrets,
    clock,
    random,
    log,
    wire,
    times: createRequestTimes(metrics.providerRequestSeconds, stopwatch),
    endpointOf,
    transcriber,
    transit: join(home, 'transit'),
    publicUrl: platform.publicUrl,
    simulatorSettings: endpoints.simulatorSettings,
    ...options,
  };
  const closing = new AbortController();
  const workers = startWorkers(context, stopwatch, closing.signal);
  const sweeping = setInterval(() => {
    sweep(context).catch((err: unknown) =>
      log.warn({ err }, 'expired voice data was not deleted; this will be retried'),
    );
  }, sweepMs);
  return {
    routes: voiceRoutes(context, stopwatch),
    simulators: endpoints.simulators,
    drain: async (graceMs) => {
      clearInterval(sweeping);
      const stopped = Promise.all(workers.map((worker) => worker.stop(graceMs)));
      closing.abort(); // listeners only end when they are aborted
      await stopped;
    },
    close: async () => {
      await wire.close();
      await transcriber?.close();
      await endpoints.close();
    },
  };
}

function startWorkers(context: CallingContext, stopwatch: () => number, closing: AbortSignal) {
  const { jobs } = context;
  const each = <Payload>(
    queue: string,
    concurrency: number,
    work: (context: CallingContext, job: Job<Payload>, signal: AbortSignal) => Promise<void>,
  ) =>
    jobs.work<Payload>({
      queue,
      batch: 1,
      concurrency,
      handler: (claimed, signal) =>
        waitForAll(claimed.map((job) => work(context, job, AbortSignal.any([signal, closing])))),
    });
  return [
    jobs.work({ queue: placeQueue, ...placing, handler: createPlacer(context, stopwatch) }),
    jobs.work<ReconcileJob>({
      queue: reconcileQueue,
      ...settling,
      handler: (claimed) => reconcileCalls(context, claimed),
    }),
    each(recordingQueue, 4, fetchRecording),
    each(transcriptionQueue, 4, transcribe),
    each(trunkQueue, trunksMax, listenToTrunk),
  ];
}

async function sweep(context: CallingContext): Promise<void> {
  const before = new Date(context.clock().getTime() - tokensKeptMs);
  await context.db.system((tx) => sweepCallbacks(tx, before));
  await sweepRecordings(context);
}
