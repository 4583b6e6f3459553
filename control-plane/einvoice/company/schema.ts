import {
  type CompanyFieldName,
  companyFields,
  companyTextMax,
} from '@drawbridge/profiles/company.ts';
import { z } from 'zod';
import { idPattern } from '../../platform/ids.ts';
import { profile } from '../invoices/schema.ts';

const answers = Object.fromEntries(
  companyFields.map(({ name, help, example }) => [
    name,
    z
      .string()
      .trim()
      .min(1)
      .max(companyTextMax)
      .optional()
      .meta({ description: help, examples: [example] }),
  ]),
) as Record<CompanyFieldName, z.ZodOptional<z.ZodString>>;

export const company = z
  .strictObject({
    ...answers,
    legal_name: answers.legal_name.unwrap(),
    country: answers.country.unwrap(),
  })
  .meta({ id: 'Company' });

export const signedCompanyQuery = z.strictObject({
  agent_id: z.string().regex(idPattern('agt'), 'must be the id of an agent'),
});

export const companyView = z
  .strictObject({
    company: company.optional().describe('Absent until it is told.'),
    updated_at: z.iso.datetime().optional(),
    lacking: z
      .array(
        z.strictObject({ profile, fields: z.array(z.string()) }).meta({ id: 'CompanyLacking' }),
      )
      .describe(
        'What a profile requires of the company in each document and is not said here: a source has to hold it.',
      ),
  })
  .meta({ id: 'CompanyView' });

export const companyQuestions = z
  .strictObject({
    results: z.array(
      z
        .strictObject({
          name: z.string(),
          label: z.string(),
          help: z.string(),
          example: z.string(),
          required: z.boolean(),
        })
        .meta({ id: 'CompanyQuestion' }),
    ),
  })
  .meta({ id: 'CompanyQuestions' });
