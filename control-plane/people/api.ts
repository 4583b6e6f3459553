/** What the routes of people need to be mounted under the paths of one service. */
export interface PeopleApi {
  readonly service: 'einvoice' | 'messaging';
  readonly paths: PeoplePaths;
}

/** Where people sign in, look after their accounts and invite others. */
interface PeoplePaths {
  readonly token: string;
  readonly refresh: string;
  readonly logout: string;
  readonly sessions: string;
  readonly session: string;
  readonly password: string;
  readonly forgotPassword: string;
  readonly resetPassword: string;
  readonly secondFactor: string;
  readonly confirmSecondFactor: string;
  readonly disableSecondFactor: string;
  readonly recoveryCodes: string;
  readonly identityProvider: string;
  readonly checkIdentityProvider: string;
  readonly members: string;
  readonly member: string;
  readonly invitations: string;
  readonly invitation: string;
  readonly acceptInvitation: string;
}
