/** The customer's account at the simulated network; the same in every run. */
export const account = {
  accessToken: 'sandbox-access-token',
  appSecret: 'sandbox-app-secret',
  verifyToken: 'sandbox-verify-token',
  phoneNumberId: '106000000000001',
  displayPhoneNumber: '60123456789',
  wabaId: '102000000000001',
} as const;
