import type { PeopleApi } from '../people/api.ts';

/** People under the paths of e-invoicing. */
export const peopleApi: PeopleApi = {
  service: 'einvoice',
  paths: {
    token: '/v1/token',
    refresh: '/v1/refresh',
    logout: '/v1/logout',
    sessions: '/v1/sessions',
    session: '/v1/sessions/{id}',
    password: '/v1/password',
    forgotPassword: '/v1/password/forgot',
    resetPassword: '/v1/password/reset',
    secondFactor: '/v1/second-factor',
    confirmSecondFactor: '/v1/second-factor/confirm',
    disableSecondFactor: '/v1/second-factor/disable',
    recoveryCodes: '/v1/second-factor/recovery-codes',
    identityProvider: '/v1/identity-provider',
    checkIdentityProvider: '/v1/identity-provider/check',
    members: '/v1/members',
    member: '/v1/members/{id}',
    invitations: '/v1/invitations',
    invitation: '/v1/invitations/{id}',
    acceptInvitation: '/v1/invitations/accept',
  },
};
