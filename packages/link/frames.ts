import { z } from 'zod';
import { limits } from './limits.ts';
import { methodNames } from './methods.ts';

/** base64 of 32 bytes (a public key) and of 64 (a signature). */
const key = z.string().regex(/^[A-Za-z0-9+/]{43}=$/);
const signature = z.string().regex(/^[A-Za-z0-9+/]{86}==$/);
const id = z.string().min(1).max(64);
const sequence = z.int().min(1);
const version = z.int().min(1).max(255);

/** Agent, in the clear: who I am and what I speak; `epoch` is the last one I was given. */
export const hello = z.object({
  kind: z.literal('hello'),
  agentId: id,
  software: z.string().max(64),
  epoch: z.int().min(0),
  versions: z.object({ min: version, max: version }),
  sessionKey: key,
});

/**
 * Control plane, in the clear: the version chosen, its session key, its signature of the
 * transcript.
 */
export const challenge = z.object({
  kind: z.literal('challenge'),
  version,
  sessionKey: key,
  signature,
});

/** Agent, in the clear: its signature of the transcript. Every frame after this one is sealed. */
export const proof = z.object({ kind: z.literal('proof'), signature });

const ack = z.object({ kind: z.literal('ack'), upTo: sequence });

/** What a control plane says once the link is sealed. */
export const controlPlaneFrame = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('welcome'),
    sessionId: id,
    /** UTC instant, ISO 8601: the agent measures its clock against it. */
    serverTime: z.iso.datetime(),
    epoch: z.int().min(1),
  }),
  z.object({
    kind: z.literal('call'),
    id,
    method: z.enum(methodNames),
    params: z.unknown(),
    deadlineMs: z.int().min(1),
  }),
  z.object({ kind: z.literal('cancel'), id }),
  /** A write-back, durable on both sides; counted per session, known by `id` over all of them. */
  z.object({ kind: z.literal('command'), seq: sequence, id, body: z.unknown() }),
  ack,
  z.object({ kind: z.literal('pong') }),
]);

/** What an agent says once the link is sealed. */
export const agentFrame = z.discriminatedUnion('kind', [
  /** The epoch is on the agent's disk: from now on an older copy is fenced off. */
  z.object({ kind: z.literal('ready'), epoch: z.int().min(1) }),
  /** A part of the JSON text of a `Reply`; parts come in order, `last` completes it. */
  z.object({
    kind: z.literal('result'),
    id,
    part: z.int().min(0),
    last: z.boolean(),
    text: z.string().max(limits.partLengthMax),
  }),
  /** Something the agent has committed and keeps until it is acknowledged. */
  z.object({ kind: z.literal('event'), seq: sequence, id, topic: id, body: z.unknown() }),
  ack,
  /** The agent alone pings; each end takes silence for absence. */
  z.object({ kind: z.literal('ping') }),
  /** The agent is stopping: it ends what it has in hand and takes no further calls. */
  z.object({ kind: z.literal('drain') }),
]);

export type Hello = z.infer<typeof hello>;
export type Challenge = z.infer<typeof challenge>;
export type Proof = z.infer<typeof proof>;
export type ControlPlaneFrame = z.infer<typeof controlPlaneFrame>;
export type AgentFrame = z.infer<typeof agentFrame>;
export type Frame = Hello | Challenge | Proof | ControlPlaneFrame | AgentFrame;
