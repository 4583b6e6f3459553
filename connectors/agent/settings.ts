import { z } from 'zod';

/** Settings of a connector whose source a bridge agent reads. */
export const agentSettings = z.strictObject({
  connector: z
    .string()
    .min(1)
    .max(128)
    .meta({ title: 'Name of the source at the agent', examples: ['erp'] })
    .describe("Name of the connector on the agent, as the agent's own settings call it"),
});
export type AgentSettings = z.infer<typeof agentSettings>;
