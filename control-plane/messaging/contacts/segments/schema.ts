import { z } from 'zod';
import { segmentName } from '../schema.ts';
import { segmentQuery } from './query.ts';

export const segmentRequest = z
  .strictObject({
    name: segmentName,
    query: segmentQuery
      .optional()
      .describe('Makes it a query, evaluated each time; without one it is a list.'),
  })
  .meta({ id: 'SegmentRequest' });

export const segmentPatch = z
  .strictObject({
    name: segmentName.optional(),
    query: segmentQuery.nullable().optional().describe('Null makes an empty list of a query.'),
  })
  .meta({ id: 'SegmentPatch' });

const segment = {
  id: z.string(),
  name: z.string(),
  query: segmentQuery.nullable().describe('Null: a list, which contacts enter and leave.'),
  created_at: z.iso.datetime(),
};

export const segmentCountRequest = z
  .strictObject({ query: segmentQuery })
  .meta({ id: 'SegmentCountRequest' });

export const segmentCount = z
  .strictObject({ contacts: z.number().int().describe('How many contacts fit now.') })
  .meta({ id: 'SegmentCount' });

export const segmentView = z.strictObject(segment).meta({ id: 'Segment' });

export const segmentDetail = z
  .strictObject({
    ...segment,
    contacts: z.number().int().describe('How many contacts it has now.'),
  })
  .meta({ id: 'SegmentDetail' });
