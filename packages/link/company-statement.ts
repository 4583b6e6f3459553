/**
 * What a control plane says of its tenant's company, signed for one agent, so that an agent which
 * is never linked can believe a file.
 */
import { z } from 'zod';
import { publicKeyText, signatureText } from './bytes.ts';
import { digestOf, sign, verifies } from './signature.ts';

/** Characters of the company profile, as JSON. */
const companyLengthMax = 50_000;

export const companyStatement = z
  .strictObject({
    format: z.literal('drawbridge-company/1'),
    agent_id: z.string().min(1).max(64),
    environment: z.enum(['live', 'sandbox']),
    /** UTC instant, ISO 8601. */
    made_at: z.iso.datetime(),
    control_plane_key: publicKeyText,
    company: z
      .string()
      .max(companyLengthMax)
      .describe('The company profile as JSON text, as it was signed.'),
    signature: signatureText,
  })
  .meta({ id: 'CompanyStatement' });
/** A signed company profile. */
export type CompanyStatement = z.infer<typeof companyStatement>;

/** Signs a company profile for an agent with the key that the agent trusts; `secretKey` is 64 bytes. */
export function stateCompany(
  said: Pick<CompanyStatement, 'agent_id' | 'environment' | 'control_plane_key'>,
  company: object,
  madeAt: Date,
  secretKey: Uint8Array,
): CompanyStatement {
  const unsigned = {
    format: 'drawbridge-company/1' as const,
    agent_id: said.agent_id,
    environment: said.environment,
    made_at: madeAt.toISOString(),
    control_plane_key: said.control_plane_key,
    company: JSON.stringify(company),
  };
  return { ...unsigned, signature: sign(statementDigest(unsigned), secretKey) };
}

/** A statement that is what the control plane signed for this agent, or why it is not. */
export type ReadStatement =
  | { readonly kind: 'read'; readonly statement: CompanyStatement; readonly company: unknown }
  | { readonly kind: 'refused'; readonly cause: string };

/** Believes nothing of it before one of the trusted keys (base64) has signed it for this agent. */
export function readStatement(
  content: unknown,
  agentId: string,
  trustedKeys: readonly string[],
): ReadStatement {
  const statement = companyStatement.safeParse(content).data;
  if (statement === undefined) return refused('it is no company profile, or was cut off');
  if (statement.agent_id !== agentId) return refused(`it is for the agent ${statement.agent_id}`);
  if (!trustedKeys.includes(statement.control_plane_key)) {
    return refused('it is of a control plane with another key');
  }
  const { signature, ...unsigned } = statement;
  if (!verifies(statementDigest(unsigned), signature, statement.control_plane_key)) {
    return refused('its signature does not verify');
  }
  try {
    return { kind: 'read', statement, company: JSON.parse(statement.company) };
  } catch {
    return refused('its content does not read');
  }
}

function statementDigest(said: Omit<CompanyStatement, 'signature'>): Uint8Array {
  const { format, agent_id, environment, made_at, control_plane_key, company } = said;
  return digestOf([format, agent_id, environment, made_at, control_plane_key, company]);
}

function refused(cause: string): ReadStatement {
  return { kind: 'refused', cause };
}
