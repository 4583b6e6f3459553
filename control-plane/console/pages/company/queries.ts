import { queryOptions } from '@tanstack/react-query';
import { einvoicing, got } from '../../api/client.ts';
import type { components } from '../../api/einvoice-api.d.ts';

export type Company = components['schemas']['Company'];
export type Question = components['schemas']['CompanyQuestion'];
export type Lacking = components['schemas']['CompanyLacking'];

export const companyQuery = queryOptions({
  queryKey: ['company'],
  queryFn: () => got(einvoicing.GET('/v1/company')),
});

export const questionsQuery = queryOptions({
  queryKey: ['company', 'questions'],
  queryFn: () => got(einvoicing.GET('/v1/company/questions')),
  staleTime: Number.POSITIVE_INFINITY,
});

export const saveCompany = (body: Company) => got(einvoicing.PUT('/v1/company', { body }));
