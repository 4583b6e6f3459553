import { z } from 'zod';
import { utcInstant } from '../../../platform/http/time-input.ts';
import { idPattern } from '../../../platform/ids.ts';
import { transcriptionStatus } from '../transcription/schema.ts';

export const recordingId = z.string().regex(idPattern('rec'), 'must be the id of a recording');
export const callId = z.string().regex(idPattern('call'), 'must be the id of a call');

export const recordingStates = ['fetching', 'stored', 'failed', 'deleted'] as const;

export const recordingView = z
  .strictObject({
    id: z.string(),
    call_id: z.string(),
    to: z.string().describe('The number that was called.'),
    state: z.enum(recordingStates),
    media_type: z.string().nullable(),
    bytes: z.int().nullable(),
    sha256: z.string().nullable().describe('Of the file, hexadecimal'),
    duration_seconds: z.int().nullable(),
    error: z.string().nullable(),
    transcription_status: transcriptionStatus,
    created_at: z.iso.datetime(),
    stored_at: z.iso.datetime().nullable(),
    delete_after: z.iso.datetime(),
  })
  .meta({ id: 'Recording' });

const method = z.enum(['verbal', 'written', 'web_form', 'dtmf', 'contract', 'other']);
const state = z.enum(['granted', 'revoked']);

export const consentRequest = z
  .strictObject({
    phone: z.string().max(32).describe('In E.164'),
    call_id: callId.optional().describe('For this call alone; without it for calls to the number'),
    state: state.default('granted'),
    method,
    evidence: z
      .string()
      .trim()
      .min(1)
      .max(2_000)
      .describe('What proves it: a reference to a form, a sentence that was said, a file'),
    given_at: utcInstant().optional().describe('Default: now'),
  })
  .meta({ id: 'RecordingConsentRequest' });

export const consentView = z
  .strictObject({
    id: z.string(),
    phone: z.string(),
    call_id: z.string().nullable(),
    state,
    method,
    evidence: z.string(),
    recorded_by: z.string(),
    given_at: z.iso.datetime(),
    created_at: z.iso.datetime(),
  })
  .meta({ id: 'RecordingConsent' });
