import type { SandboxAccount } from './contract.ts';

/** An account at a simulated SMS provider: each app gets its own number, with or without a `+`. */
export function smsAccount(prefix: '+' | ''): SandboxAccount {
  return {
    settings: (digits) => ({ from: `${prefix}6012${digits(8)}` }),
    open: ({ settings, callbackUrl }) => [
      ['route', { number: settings.from, url: `${callbackUrl}inbound/` }],
    ],
  };
}
