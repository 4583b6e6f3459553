import { queryOptions } from '@tanstack/react-query';
import { einvoicing, got } from '../../api/client.ts';
import type { components } from '../../api/einvoice-api.d.ts';

export type ApprovalPolicy = components['schemas']['ApprovalPolicy'];
export type WaitingApproval = components['schemas']['WaitingApproval'];

export const approvalPolicyQuery = queryOptions({
  queryKey: ['approval-policy'],
  queryFn: () => got(einvoicing.GET('/v1/approval-policy')),
});

export const setApprovalPolicy = (body: ApprovalPolicy) =>
  got(einvoicing.PUT('/v1/approval-policy', { body }));

export const waitingApprovalsQuery = queryOptions({
  queryKey: ['waiting-approvals'],
  queryFn: () => got(einvoicing.GET('/v1/approvals')),
  refetchInterval: 15_000,
});

/** What is submitted by itself waits no more; which states of documents count stays as it is. */
export async function endHold(id: string): Promise<unknown> {
  const path = { params: { path: { id } } };
  const { submission } = await got(einvoicing.GET('/v1/connectors/{id}', path));
  const { posted } = submission ?? {};
  const body = { submission: posted === undefined ? null : { posted } };
  return got(einvoicing.PATCH('/v1/connectors/{id}', { ...path, body }));
}
