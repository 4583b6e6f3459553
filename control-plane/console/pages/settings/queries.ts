import { queryOptions } from '@tanstack/react-query';
import { einvoicing, got, messaging } from '../../api/client.ts';
import type { components } from '../../api/messaging-api.d.ts';

export type ReportSettings = components['schemas']['BroadcastReportSettings'];

export const invoiceLifeQuery = queryOptions({
  queryKey: ['retention', 'invoices'],
  queryFn: () => got(einvoicing.GET('/v1/retention')),
});

export const setInvoiceLife = (days: Days<'invoice_days'>) =>
  got(einvoicing.PUT('/v1/retention', { body: days }));

export const messageLifeQuery = queryOptions({
  queryKey: ['retention', 'messages'],
  queryFn: () => got(messaging.GET('/retention/')),
});

export const setMessageLife = (days: Days<'message_days' | 'contact_days'>) =>
  got(messaging.PUT('/retention/', { body: days }));

export const reportSettingsQuery = queryOptions({
  queryKey: ['broadcast-report-settings'],
  queryFn: () => got(messaging.GET('/broadcast/report-settings/')),
});

export const setReportSettings = (settings: Omit<ReportSettings, 'updated_at'>) =>
  got(messaging.PUT('/broadcast/report-settings/', { body: settings }));

/** Days by what is kept; null: for ever. */
export type Days<Name extends string> = Readonly<Record<Name, number | null>>;
