import type { Hold, HoldStep } from '@drawbridge/lifecycle/submission-policy.ts';

/** Why an invoice waits for a person, and what to do; its connector may ask for something else by now. */
export function holdReason(waitsFor: HoldStep): string {
  return waitsFor === 'release'
    ? 'When it was checked its connector had valid documents wait. Release it (POST /v1/invoices/{id}/release) to have it sent.'
    : 'It was released. When it was checked its connector asked for the approval of a second person too (POST /v1/invoices/{id}/approve).';
}

/** A hold as clients see it. */
export function showHold({ content: _, for: __, ...shown }: Hold, waitsFor: HoldStep | null) {
  return waitsFor === null
    ? shown
    : { waits_for: waitsFor, reason: holdReason(waitsFor), ...shown };
}
