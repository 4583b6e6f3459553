/** Written by `npm run write` from the registries: title by id. */
export const profiles = {
  'PINT-AE': 'United Arab Emirates (Peppol PINT)',
  'PINT-MY': 'Malaysia (MyInvois clearance, Peppol PINT)',
  'BIS-3.0': 'Peppol BIS Billing 3.0',
} as const;

export const markupProviders = {
  'twilio-voice': 'Twilio Voice',
  'plivo-voice': 'Plivo Voice',
  'vonage-voice': 'Vonage Voice',
} as const;
