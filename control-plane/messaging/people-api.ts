import type { PeopleApi } from '../people/api.ts';

/** People under the paths of messaging. */
export const peopleApi: PeopleApi = {
  service: 'messaging',
  paths: {
    token: '/token/',
    refresh: '/refresh/',
    logout: '/logout/',
    sessions: '/sessions/',
    session: '/sessions/{id}/',
    password: '/password/',
    forgotPassword: '/password/forgot/',
    resetPassword: '/password/reset/',
    secondFactor: '/second-factor/',
    confirmSecondFactor: '/second-factor/confirm/',
    disableSecondFactor: '/second-factor/disable/',
    recoveryCodes: '/second-factor/recovery-codes/',
    identityProvider: '/tenants/identity-provider/',
    checkIdentityProvider: '/tenants/identity-provider/check/',
    members: '/tenants/users/',
    member: '/tenants/users/{id}/',
    invitations: '/tenants/members/invite/',
    invitation: '/tenants/members/invite/{id}/',
    acceptInvitation: '/tenants/members/accept/',
  },
};
