import { z } from 'zod';
import { publicKeyText, signatureText } from './bytes.ts';
import { confirmedSource } from './documents.ts';
import { limits } from './limits.ts';
import { methodNames } from './methods.ts';

const id = z.string().min(1).max(64);
const sequence = z.int().min(1);
const version = z.int().min(1).max(255);

/** Agent, unsealed: its id, its versions and session key; `epoch` is the last one it was given. */
export const hello = z.object({
  kind: z.literal('hello'),
  agentId: id,
  software: z.string().max(64),
  epoch: z.int().min(0).max(limits.epochMax),
  versions: z.object({ min: version, max: version }),
  sessionKey: publicKeyText,
  /** The control plane's key that the agent trusts; absent from agents of version 1. */
  controlPlaneKey: publicKeyText.optional(),
});

/**
 * Control plane, unsealed: the chosen version, its session key, its signature of the transcript.
 */
export const challenge = z.object({
  kind: z.literal('challenge'),
  version,
  sessionKey: publicKeyText,
  signature: signatureText,
});

/** Agent, unsealed: its signature of the transcript. All frames after this one are sealed. */
export const proof = z.object({ kind: z.literal('proof'), signature: signatureText });

const ack = z.object({ kind: z.literal('ack'), upTo: sequence });

/** The sealed frames of a control plane. */
export const controlPlaneFrame = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('welcome'),
    sessionId: id,
    /** UTC instant, ISO 8601; the agent compares its clock with it. */
    serverTime: z.iso.datetime(),
    epoch: z.int().min(1),
    /** What is stored of each source; absent before version 4. */
    sources: z.array(confirmedSource).max(limits.sourcesMax).optional(),
  }),
  z.object({
    kind: z.literal('call'),
    id,
    method: z.enum(methodNames),
    params: z.unknown(),
    deadlineMs: z.int().min(1).max(limits.deadlineMsMax),
  }),
  z.object({ kind: z.literal('cancel'), id }),
  /** A write-back or an import, durable on both sides; `seq` counts in a session, `id` is the same in all. */
  z.object({ kind: z.literal('command'), seq: sequence, id, body: z.unknown() }),
  ack,
  z.object({ kind: z.literal('pong') }),
  /**
   * How many documents, and bytes of their compressed content, the agent may have sent in this session.
   * Both only grow, from 0. From version 4 on.
   */
  z.object({ kind: z.literal('credit'), documents: z.int().min(0), bytes: z.int().min(0) }),
  /**
   * The key to trust from now on, signed with the one that the agent trusts: see identity-change.ts.
   * From version 2 on; the next one is sent after the answer to this one.
   */
  z.object({ kind: z.literal('identity'), publicKey: publicKeyText, signature: signatureText }),
  /** The agent is known by this key from now on, and by no other. From version 5 on. */
  z.object({ kind: z.literal('knows'), publicKey: publicKeyText }),
]);

/** The sealed frames of an agent. */
export const agentFrame = z.discriminatedUnion('kind', [
  /** The agent has stored its epoch: from now on a copy with an older epoch is refused. */
  z.object({ kind: z.literal('ready'), epoch: z.int().min(1) }),
  /** A part of the JSON text of a `Reply`; parts come in order, `last` completes it. */
  z.object({
    kind: z.literal('result'),
    id,
    part: z.int().min(0),
    last: z.boolean(),
    text: z.string().max(limits.partLengthMax),
  }),
  /** An event that the agent has committed and keeps until it is acknowledged. */
  z.object({ kind: z.literal('event'), seq: sequence, id, topic: id, body: z.unknown() }),
  ack,
  /** Only the agent pings; each end counts a silent peer as gone. */
  z.object({ kind: z.literal('ping') }),
  /** The agent has stored the control plane's new key, and trusts no other. */
  z.object({ kind: z.literal('trusts'), publicKey: publicKeyText }),
  /** The key by which the agent wants to be known, and its signature: see identity-change.ts. From version 5 on. */
  z.object({ kind: z.literal('key'), publicKey: publicKeyText, signature: signatureText }),
  /** How the agent is: see agent-status.ts. From version 8 on. One that does not read changes nothing. */
  z.object({ kind: z.literal('status'), body: z.unknown() }),
  /** The agent is stopping: it finishes the calls under way and takes no further ones. */
  z.object({ kind: z.literal('drain') }),
]);

/** The first frame of an agent. */
export type Hello = z.infer<typeof hello>;
/** The control plane's answer to a hello. */
export type Challenge = z.infer<typeof challenge>;
type Proof = z.infer<typeof proof>;
/** A sealed frame of a control plane. */
export type ControlPlaneFrame = z.infer<typeof controlPlaneFrame>;
/** A sealed frame of an agent. */
export type AgentFrame = z.infer<typeof agentFrame>;
/** Any frame. */
export type Frame = Hello | Challenge | Proof | ControlPlaneFrame | AgentFrame;
