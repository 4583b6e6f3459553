import { z } from 'zod';

/** The notifications about agents between nodes. */
const nodeMessage = z.discriminatedUnion('kind', [
  /** A session began: older ones of the agent end. */
  z.object({ kind: z.literal('opened'), agentId: z.string(), epoch: z.number() }),
  z.object({ kind: z.literal('revoked'), agentId: z.string() }),
  /** A command waits for the agent. */
  z.object({ kind: z.literal('command'), agentId: z.string() }),
  /** A command has its outcome. */
  z.object({ kind: z.literal('done'), id: z.string() }),
  /** A call waits for an agent that is connected to that node. */
  z.object({
    kind: z.literal('call'),
    node: z.string(),
    tenantId: z.string(),
    id: z.string(),
  }),
  /** The caller no longer waits for it. */
  z.object({ kind: z.literal('cancelled'), id: z.string() }),
  z.object({ kind: z.literal('answered'), id: z.string() }),
]);
export type NodeMessage = z.infer<typeof nodeMessage>;

/** Reads a notification; undefined when it is not a valid node message. */
export function parseNodeMessage(payload: string): NodeMessage | undefined {
  try {
    return nodeMessage.safeParse(JSON.parse(payload)).data;
  } catch {
    return undefined; // anybody who can log in to the database can notify
  }
}
