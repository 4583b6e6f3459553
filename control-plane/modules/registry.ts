import { einvoiceModule } from '../einvoice/module.ts';
import { messagingModule } from '../messaging/module.ts';
import { webhooksModule } from '../webhooks/module.ts';
import type { Module } from './contract.ts';

/** The parts of the product, in the order they are opened. */
export const modules: readonly Module[] = [webhooksModule, einvoiceModule, messagingModule];
