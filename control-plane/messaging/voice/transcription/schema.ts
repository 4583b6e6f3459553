import { z } from 'zod';

/** Whether there is a text; `not_configured`: nobody makes one. */
export const transcriptionStatus = z.enum(['not_configured', 'pending', 'completed', 'failed']);

export const transcriptionView = z
  .strictObject({
    status: transcriptionStatus.describe('`not_configured`: nothing is transcribed.'),
    text: z.string().optional(),
    language: z.string().optional(),
    reason: z.string().optional(),
  })
  .meta({ id: 'Transcription' });
