import { queryOptions } from '@tanstack/react-query';
import { einvoicing, got } from '../../api/client.ts';
import type { components } from '../../api/einvoice-api.d.ts';

export type Session = components['schemas']['SessionList']['results'][number];

export const secondFactorQuery = queryOptions({
  queryKey: ['second-factor'],
  queryFn: () => got(einvoicing.GET('/v1/second-factor')),
});

export const sessionsQuery = queryOptions({
  queryKey: ['sessions'],
  queryFn: () => got(einvoicing.GET('/v1/sessions')),
});

export const changePassword = (password: string, new_password: string) =>
  got(einvoicing.POST('/v1/password', { body: { password, new_password } }));

export const beginSecondFactor = (password: string) =>
  got(einvoicing.POST('/v1/second-factor', { body: { password } }));

export const confirmSecondFactor = (code: string) =>
  got(einvoicing.POST('/v1/second-factor/confirm', { body: { code } }));

export const disableSecondFactor = (password: string, code: string) =>
  got(einvoicing.POST('/v1/second-factor/disable', { body: { password, code } }));

export const renewRecoveryCodes = (password: string, code: string) =>
  got(einvoicing.POST('/v1/second-factor/recovery-codes', { body: { password, code } }));

export const endSession = (id: string) =>
  got(einvoicing.DELETE('/v1/sessions/{id}', { params: { path: { id } } }));

export const endOtherSessions = () => got(einvoicing.DELETE('/v1/sessions'));
