/** Drawbridge Messaging 1.0.0. Printed by "npm run sdk". */

export type AcceptRequest = { readonly "token": string; readonly "name": string; readonly "password": string };

export type AcceptedInvitation = { readonly "tenant_id": string; readonly "user_id": string; readonly "email": string; readonly "role": ("owner" | "admin" | "agent" | "analyst" | "developer" | "billing" | null); readonly "einvoicing_role": ("finance_admin" | "approver" | "operator" | "auditor" | "developer" | null) };

export type ApiKey = { readonly "id": string; readonly "name": string; readonly "shown": string; readonly "role": ("owner" | "admin" | "agent" | "analyst" | "developer" | "billing" | null); readonly "allowed_ips": readonly (string)[]; readonly "created_at": string; readonly "expires_at": (string | null); readonly "revoked_at": (string | null); readonly "last_used_at": (string | null) };

export type ApiKeyPage = { readonly "results": readonly (ApiKey)[]; readonly "next": (string | null); readonly "previous": (string | null) };

export type ApiKeyPatch = { readonly "name"?: string | undefined; readonly "allowed_ips"?: readonly (string)[] | undefined; readonly "expires_at"?: (string | null) | undefined };

export type ApiKeyRequest = { readonly "name": string; readonly "role": "owner" | "admin" | "agent" | "analyst" | "developer" | "billing"; readonly "allowed_ips"?: readonly (string)[] | undefined; readonly "expires_at"?: string | undefined };

export type App = { readonly "id": string; readonly "channel": string; readonly "provider": string; readonly "name": string; readonly "state": "active" | "stopped"; readonly "stopped_reason": (string | null); readonly "quality": (string | null); readonly "tier": (string | null); readonly "settings": Readonly<Record<string, unknown>>; readonly "allow_unsigned": boolean; readonly "resend_unknown": boolean; readonly "inbound_url": string; readonly "status_url": (string | null); readonly "url_registration": "automatic" | "manual"; readonly "url_help": (string | null); readonly "last_inbound_at": (string | null); readonly "last_status_at": (string | null); readonly "guarantee": "exactly-once" | "at-most-once-unknown"; readonly "messages_per_second": number; readonly "created_at": string; readonly "updated_at": string };

export type AppPage = { readonly "results": readonly (App)[]; readonly "next": (string | null); readonly "previous": (string | null) };

export type AppPatch = { readonly "name"?: string | undefined; readonly "settings"?: Readonly<Record<string, (string | null)>> | undefined; readonly "allow_unsigned"?: boolean | undefined; readonly "resend_unknown"?: boolean | undefined; readonly "state"?: "active" | "stopped" | undefined };

export type AppStoppedEvent = { readonly "event": "app.stopped"; readonly "id": string; readonly "timestamp": string; readonly "data": { readonly "channel": "wa" | "sms" | "botchat" | "rcs" | "voice"; readonly "provider": string; readonly "name": string; readonly "reason": string }; readonly "ts": string; readonly "signature": string };

export type AriHealth = { readonly "results": readonly (AriHost)[] };

export type AriHost = { readonly "provider_config": string; readonly "name": string; readonly "host": string; readonly "reachable": boolean; readonly "latency_ms": (number | null); readonly "version": (string | null); readonly "uptime_seconds": (number | null); readonly "channels": (number | null); readonly "max_channels": (number | null); readonly "endpoints": readonly ({ readonly "name": string; readonly "state": string; readonly "channels": number })[]; readonly "trunk": { readonly "name": string; readonly "state": string }; readonly "websocket": { readonly "state": "connecting" | "connected" | "lost" | "never"; readonly "since": (string | null); readonly "heard_at": (string | null); readonly "last_error": (string | null) }; readonly "error": (string | null) };

export type AuditEvent = { readonly "id": string; readonly "timestamp": string; readonly "actor": { readonly "kind": "user" | "key" | "host" | "nobody"; readonly "id": (string | null) }; readonly "service": (string | null); readonly "environment": ("live" | "sandbox" | null); readonly "ip": (string | null); readonly "request_id": (string | null); readonly "action": string; readonly "subject": (string | null); readonly "outcome": "done" | "refused"; readonly "before": unknown; readonly "after": unknown };

export type AuditEventPage = { readonly "results": readonly (AuditEvent)[]; readonly "next": (string | null); readonly "previous": (string | null) };

export type BotMessageRequest = { readonly "to"?: string | undefined; readonly "text"?: string | undefined; readonly "buttons"?: readonly (Suggestion)[] | undefined; readonly "media"?: Media | undefined; readonly "location"?: { readonly "latitude": number; readonly "longitude": number; readonly "name"?: string | undefined; readonly "address"?: string | undefined } | undefined; readonly "template"?: FilledTemplate | undefined; readonly "app_id"?: string | undefined; readonly "contact_id"?: string | undefined; readonly "reply_to"?: string | undefined; readonly "ttl_seconds"?: number | undefined };

export type BotRequest = { readonly "provider"?: "telegram" | undefined; readonly "name": string; readonly "settings"?: Readonly<Record<string, string>> | undefined; readonly "allow_unsigned"?: boolean | undefined; readonly "resend_unknown"?: boolean | undefined };

export type Branding = { readonly "custom_domain": (string | null); readonly "custom_domain_proof": ({ readonly "status": "pending" | "proved"; readonly "record": { readonly "type": "TXT"; readonly "name": string; readonly "value": string }; readonly "proved_at": (string | null); readonly "checked_at": (string | null); readonly "problem": (string | null) } | null); readonly "logo": ({ readonly "content_type": string; readonly "bytes": number; readonly "url": string } | null); readonly "email_sender": ({ readonly "name": (string | null); readonly "address": string } | null); readonly "email_sender_proof": ({ readonly "status": "pending" | "proved"; readonly "record": { readonly "type": "TXT"; readonly "name": string; readonly "value": string }; readonly "proved_at": (string | null); readonly "checked_at": (string | null); readonly "problem": (string | null) } | null); readonly "updated_at": (string | null) };

export type BrandingPatch = { readonly "custom_domain"?: (string | null) | undefined; readonly "logo"?: (string | null) | undefined; readonly "email_sender"?: ({ readonly "name"?: (string | null) | undefined; readonly "address": string } | null) | undefined };

export type Broadcast = { readonly "id": string; readonly "channel": "wa" | "sms" | "botchat" | "rcs"; readonly "app_id": string; readonly "template": string; readonly "language": string; readonly "segment": (string | null); readonly "is_test": boolean; readonly "resend_of": (string | null); readonly "variables": Readonly<Record<string, Readonly<Record<string, string>>>>; readonly "time_zone": string; readonly "quiet_hours": ({ readonly "from": string; readonly "to": string } | null); readonly "require_consent": boolean; readonly "track_urls": boolean; readonly "schedule_at": string; readonly "status": "queued" | "running" | "paused" | "completed" | "failed" | "canceled"; readonly "reason": (string | null); readonly "detail": (string | null); readonly "recipients": number; readonly "skipped": Readonly<Record<string, number>>; readonly "counts": { readonly "queued": number; readonly "unknown": number; readonly "sent": number; readonly "delivered": number; readonly "read": number; readonly "failed": number; readonly "canceled": number; readonly "skipped": number; readonly "clicks": number; readonly "bot_clicks": number; readonly "clicked": number; readonly "replied": number }; readonly "rates": { readonly "delivered": (number | null); readonly "read": (number | null); readonly "clicked": (number | null); readonly "replied": (number | null); readonly "failed": (number | null) }; readonly "cost": ({ readonly "amount": string; readonly "currency": string } | null); readonly "created_at": string; readonly "updated_at": string; readonly "started_at": (string | null); readonly "finished_at": (string | null) };

export type BroadcastCanceledEvent = { readonly "event": "broadcast.canceled"; readonly "id": string; readonly "timestamp": string; readonly "data": { readonly "channel": "wa" | "sms" | "botchat" | "rcs" | "voice"; readonly "template": string; readonly "segment": (string | null); readonly "state": string; readonly "reason": (string | null); readonly "detail": (string | null); readonly "recipients": number; readonly "skipped": Readonly<Record<string, number>>; readonly "schedule_at": string }; readonly "ts": string; readonly "signature": string };

export type BroadcastClickEvent = { readonly "event": "broadcast.click"; readonly "id": string; readonly "timestamp": string; readonly "data": { readonly "message_id": string; readonly "contact_id": (string | null); readonly "channel": string; readonly "url": string; readonly "is_first": boolean }; readonly "ts": string; readonly "signature": string };

export type BroadcastCompletedEvent = { readonly "event": "broadcast.completed"; readonly "id": string; readonly "timestamp": string; readonly "data": { readonly "channel": "wa" | "sms" | "botchat" | "rcs" | "voice"; readonly "template": string; readonly "segment": (string | null); readonly "state": string; readonly "reason": (string | null); readonly "detail": (string | null); readonly "recipients": number; readonly "skipped": Readonly<Record<string, number>>; readonly "schedule_at": string }; readonly "ts": string; readonly "signature": string };

export type BroadcastDashboard = { readonly "broadcast": (string | null); readonly "channel": ("wa" | "sms" | "botchat" | "rcs" | null); readonly "from": string; readonly "until": string; readonly "interval": "hour" | "day"; readonly "counts": { readonly "unknown": number; readonly "sent": number; readonly "delivered": number; readonly "read": number; readonly "failed": number; readonly "canceled": number; readonly "skipped": number; readonly "clicks": number; readonly "bot_clicks": number; readonly "clicked": number; readonly "replied": number }; readonly "rates": { readonly "delivered": (number | null); readonly "read": (number | null); readonly "clicked": (number | null); readonly "replied": (number | null); readonly "failed": (number | null) }; readonly "series": readonly ({ readonly "unknown": number; readonly "sent": number; readonly "delivered": number; readonly "read": number; readonly "failed": number; readonly "canceled": number; readonly "skipped": number; readonly "clicks": number; readonly "bot_clicks": number; readonly "clicked": number; readonly "replied": number; readonly "at": string })[] };

export type BroadcastFailedEvent = { readonly "event": "broadcast.failed"; readonly "id": string; readonly "timestamp": string; readonly "data": { readonly "channel": "wa" | "sms" | "botchat" | "rcs" | "voice"; readonly "template": string; readonly "segment": (string | null); readonly "state": string; readonly "reason": (string | null); readonly "detail": (string | null); readonly "recipients": number; readonly "skipped": Readonly<Record<string, number>>; readonly "schedule_at": string }; readonly "ts": string; readonly "signature": string };

export type BroadcastForecast = { readonly "dry_run": true; readonly "channel": "wa" | "sms" | "botchat" | "rcs"; readonly "app_id": string; readonly "template": string; readonly "language": string; readonly "segment": string; readonly "contacts": number; readonly "is_complete": boolean; readonly "recipients": number; readonly "skipped": Readonly<Record<string, number>>; readonly "skipped_sample": readonly ({ readonly "contact_id": string; readonly "reason": "no_address" | "not_reachable" | "not_started" | "blocked" | "opted_out" | "no_consent" | "duplicate" | "not_registered" | "missing_variable" | "no_price"; readonly "variable": (string | null) })[]; readonly "preview": (string | null); readonly "cost": ({ readonly "amount": string; readonly "currency": string } | null); readonly "is_affordable": boolean; readonly "messages_per_second": number; readonly "starts_at": (string | null); readonly "finishes_at": (string | null) };

export type BroadcastMessagePage = { readonly "results": readonly (Message)[]; readonly "next": (string | null); readonly "previous": (string | null) };

export type BroadcastPage = { readonly "results": readonly (Broadcast)[]; readonly "next": (string | null); readonly "previous": (string | null) };

export type BroadcastPatch = { readonly "schedule_at": string };

export type BroadcastPausedEvent = { readonly "event": "broadcast.paused"; readonly "id": string; readonly "timestamp": string; readonly "data": { readonly "channel": "wa" | "sms" | "botchat" | "rcs" | "voice"; readonly "template": string; readonly "segment": (string | null); readonly "state": string; readonly "reason": (string | null); readonly "detail": (string | null); readonly "recipients": number; readonly "skipped": Readonly<Record<string, number>>; readonly "schedule_at": string }; readonly "ts": string; readonly "signature": string };

export type BroadcastQueuedEvent = { readonly "event": "broadcast.queued"; readonly "id": string; readonly "timestamp": string; readonly "data": { readonly "channel": "wa" | "sms" | "botchat" | "rcs" | "voice"; readonly "template": string; readonly "segment": (string | null); readonly "state": string; readonly "reason": (string | null); readonly "detail": (string | null); readonly "recipients": number; readonly "skipped": Readonly<Record<string, number>>; readonly "schedule_at": string }; readonly "ts": string; readonly "signature": string };

export type BroadcastReportSettings = { readonly "mail_to_creator": boolean; readonly "language": "en" | "ar" | "ms"; readonly "updated_at": (string | null) };

export type BroadcastReportSettingsRequest = { readonly "mail_to_creator": boolean; readonly "language"?: "en" | "ar" | "ms" | undefined };

export type BroadcastRequest = { readonly "template": string; readonly "segment": string; readonly "schedule_at"?: string | undefined; readonly "app_id"?: string | undefined; readonly "language"?: string | undefined; readonly "variables"?: Readonly<Record<string, ({ readonly "attribute": string; readonly "default"?: string | undefined } | { readonly "value": string })>> | undefined; readonly "time_zone"?: string | undefined; readonly "quiet_hours"?: { readonly "from": string; readonly "to": string } | undefined; readonly "require_consent"?: boolean | undefined; readonly "track_urls"?: boolean | undefined; readonly "dry_run"?: boolean | undefined; readonly "channel"?: "wa" | "sms" | "botchat" | "rcs" | undefined };

export type BroadcastRescheduledEvent = { readonly "event": "broadcast.rescheduled"; readonly "id": string; readonly "timestamp": string; readonly "data": { readonly "channel": "wa" | "sms" | "botchat" | "rcs" | "voice"; readonly "template": string; readonly "segment": (string | null); readonly "state": string; readonly "reason": (string | null); readonly "detail": (string | null); readonly "recipients": number; readonly "skipped": Readonly<Record<string, number>>; readonly "schedule_at": string }; readonly "ts": string; readonly "signature": string };

export type BroadcastResend = { readonly "to"?: readonly ("failed" | "unknown")[] | undefined; readonly "schedule_at"?: string | undefined };

export type BroadcastResumedEvent = { readonly "event": "broadcast.resumed"; readonly "id": string; readonly "timestamp": string; readonly "data": { readonly "channel": "wa" | "sms" | "botchat" | "rcs" | "voice"; readonly "template": string; readonly "segment": (string | null); readonly "state": string; readonly "reason": (string | null); readonly "detail": (string | null); readonly "recipients": number; readonly "skipped": Readonly<Record<string, number>>; readonly "schedule_at": string }; readonly "ts": string; readonly "signature": string };

export type BroadcastStartedEvent = { readonly "event": "broadcast.started"; readonly "id": string; readonly "timestamp": string; readonly "data": { readonly "channel": "wa" | "sms" | "botchat" | "rcs" | "voice"; readonly "template": string; readonly "segment": (string | null); readonly "state": string; readonly "reason": (string | null); readonly "detail": (string | null); readonly "recipients": number; readonly "skipped": Readonly<Record<string, number>>; readonly "schedule_at": string }; readonly "ts": string; readonly "signature": string };

export type BroadcastTestRequest = { readonly "template": string; readonly "app_id"?: string | undefined; readonly "language"?: string | undefined; readonly "variables"?: Readonly<Record<string, ({ readonly "attribute": string; readonly "default"?: string | undefined } | { readonly "value": string })>> | undefined; readonly "track_urls"?: boolean | undefined; readonly "channel"?: "wa" | "sms" | "botchat" | "rcs" | undefined; readonly "to": readonly (string)[] };

export type Call = { readonly "id": string; readonly "status": "queued" | "ringing" | "in_progress" | "completed" | "busy" | "no_answer" | "canceled" | "failed" | "machine" | "unknown"; readonly "direction": "outbound"; readonly "to": string; readonly "from": string; readonly "provider_config": string; readonly "template_id": string; readonly "duration_seconds": (number | null); readonly "cost": ({ readonly "amount": string; readonly "currency": string } | null); readonly "created_at": string; readonly "answered_at": (string | null); readonly "ended_at": (string | null); readonly "variables": Readonly<Record<string, string>>; readonly "record": boolean; readonly "machine_detection": string; readonly "provider_call_id": (string | null); readonly "rang_at": (string | null); readonly "answered_by": ("human" | "machine" | null); readonly "hangup_cause": (string | null); readonly "error": ({ readonly "code": string; readonly "detail": string } | null); readonly "billed_seconds": (number | null); readonly "rate": { readonly "prefix": string; readonly "per_minute": string; readonly "connection_fee": string; readonly "increment": string; readonly "currency": string }; readonly "reserved": { readonly "amount": string; readonly "currency": string }; readonly "legs": readonly (CallLeg)[]; readonly "recordings": readonly (Recording)[]; readonly "transcription": Transcription };

export type CallAnsweredEvent = { readonly "event": "call.answered"; readonly "id": string; readonly "timestamp": string; readonly "data": { readonly "call_id": string; readonly "status": string; readonly "to": string; readonly "from": string; readonly "provider_config": string; readonly "template_id": string; readonly "duration_seconds": (number | null); readonly "cost": ({ readonly "amount": string; readonly "currency": string } | null) }; readonly "ts": string; readonly "signature": string };

export type CallCompletedEvent = { readonly "event": "call.completed"; readonly "id": string; readonly "timestamp": string; readonly "data": { readonly "call_id": string; readonly "status": string; readonly "to": string; readonly "from": string; readonly "provider_config": string; readonly "template_id": string; readonly "duration_seconds": (number | null); readonly "cost": ({ readonly "amount": string; readonly "currency": string } | null) }; readonly "ts": string; readonly "signature": string };

export type CallCostChangedEvent = { readonly "event": "call.cost_changed"; readonly "id": string; readonly "timestamp": string; readonly "data": { readonly "call_id": string; readonly "status": string; readonly "to": string; readonly "from": string; readonly "provider_config": string; readonly "template_id": string; readonly "duration_seconds": (number | null); readonly "cost": ({ readonly "amount": string; readonly "currency": string } | null); readonly "leg": (number | null) }; readonly "ts": string; readonly "signature": string };

export type CallDtmfEvent = { readonly "event": "call.dtmf"; readonly "id": string; readonly "timestamp": string; readonly "data": { readonly "call_id": string; readonly "status": string; readonly "to": string; readonly "from": string; readonly "provider_config": string; readonly "template_id": string; readonly "duration_seconds": (number | null); readonly "cost": ({ readonly "amount": string; readonly "currency": string } | null); readonly "node": string; readonly "digits": string }; readonly "ts": string; readonly "signature": string };

export type CallEvent = { readonly "id": string; readonly "call_id": string; readonly "kind": "ringing" | "answered" | "dtmf" | "transfer" | "recording" | "hangup" | "leg"; readonly "data": Readonly<Record<string, unknown>>; readonly "at": string };

export type CallEventPage = { readonly "results": readonly (CallEvent)[]; readonly "next": (string | null); readonly "previous": (string | null) };

export type CallFailedEvent = { readonly "event": "call.failed"; readonly "id": string; readonly "timestamp": string; readonly "data": { readonly "call_id": string; readonly "status": string; readonly "to": string; readonly "from": string; readonly "provider_config": string; readonly "template_id": string; readonly "duration_seconds": (number | null); readonly "cost": ({ readonly "amount": string; readonly "currency": string } | null) }; readonly "ts": string; readonly "signature": string };

export type CallFlow = { readonly "version": 1; readonly "language"?: string | undefined; readonly "variables"?: Readonly<Record<string, { readonly "default"?: string | undefined }>> | undefined; readonly "start": string; readonly "limits"?: { readonly "seconds"?: number | undefined; readonly "documents"?: number | undefined } | undefined; readonly "nodes": Readonly<Record<string, ({ readonly "type": "say"; readonly "text": string; readonly "language"?: string | undefined; readonly "voice"?: "woman" | "man" | undefined; readonly "loop"?: number | undefined; readonly "recording"?: string | undefined; readonly "announces_recording"?: boolean | undefined; readonly "next"?: string | undefined } | { readonly "type": "play"; readonly "url": string; readonly "loop"?: number | undefined; readonly "announces_recording"?: boolean | undefined; readonly "next"?: string | undefined } | { readonly "type": "pause"; readonly "seconds": number; readonly "next"?: string | undefined } | { readonly "type": "gather"; readonly "prompt"?: readonly (({ readonly "type": "say"; readonly "text": string; readonly "language"?: string | undefined; readonly "voice"?: "woman" | "man" | undefined; readonly "loop"?: number | undefined; readonly "recording"?: string | undefined } | { readonly "type": "play"; readonly "url": string; readonly "loop"?: number | undefined }))[] | undefined; readonly "max_digits": number; readonly "finish_keys"?: string | undefined; readonly "timeout_seconds"?: number | undefined; readonly "retries"?: number | undefined; readonly "branches"?: Readonly<Record<string, string>> | undefined; readonly "next"?: string | undefined; readonly "otherwise"?: string | undefined; readonly "save_as"?: string | undefined } | { readonly "type": "dial"; readonly "to": readonly (string)[]; readonly "order"?: "one_by_one" | "together" | undefined; readonly "caller_id"?: string | undefined; readonly "ring_seconds"?: number | undefined; readonly "limit_seconds"?: number | undefined; readonly "branches"?: Readonly<Record<string, string>> | undefined; readonly "next"?: string | undefined } | { readonly "type": "record"; readonly "max_seconds"?: number | undefined; readonly "silence_seconds"?: number | undefined; readonly "finish_keys"?: string | undefined; readonly "beep"?: boolean | undefined; readonly "next"?: string | undefined } | { readonly "type": "conference"; readonly "name": string; readonly "starts_on_enter"?: boolean | undefined; readonly "ends_on_exit"?: boolean | undefined; readonly "is_muted"?: boolean | undefined; readonly "max_members"?: number | undefined; readonly "hold_music"?: string | undefined; readonly "next"?: string | undefined } | { readonly "type": "hangup" } | { readonly "type": "goto"; readonly "next": string })>> };

export type CallItem = { readonly "id": string; readonly "status": "queued" | "ringing" | "in_progress" | "completed" | "busy" | "no_answer" | "canceled" | "failed" | "machine" | "unknown"; readonly "direction": "outbound"; readonly "to": string; readonly "from": string; readonly "provider_config": string; readonly "template_id": string; readonly "duration_seconds": (number | null); readonly "cost": ({ readonly "amount": string; readonly "currency": string } | null); readonly "created_at": string; readonly "answered_at": (string | null); readonly "ended_at": (string | null) };

export type CallLeg = { readonly "number": number; readonly "to": string; readonly "node": (string | null); readonly "provider_leg_id": (string | null); readonly "status": "queued" | "ringing" | "in_progress" | "completed" | "busy" | "no_answer" | "canceled" | "failed" | "machine" | "unknown"; readonly "cause": (string | null); readonly "started_at": string; readonly "answered_at": (string | null); readonly "ended_at": (string | null); readonly "duration_seconds": (number | null); readonly "billed_seconds": (number | null); readonly "rate": ({ readonly "prefix": string; readonly "per_minute": string; readonly "connection_fee": string; readonly "increment": string; readonly "currency": string } | null); readonly "cost": ({ readonly "amount": string; readonly "currency": string } | null) };

export type CallPage = { readonly "results": readonly (CallItem)[]; readonly "next": (string | null); readonly "previous": (string | null) };

export type CallRequest = { readonly "to": string; readonly "provider_config": string; readonly "template_id": string; readonly "variables"?: Readonly<Record<string, string>> | undefined; readonly "from"?: string | undefined; readonly "record"?: boolean | undefined; readonly "machine_detection"?: "off" | "continue" | "hangup" | undefined };

export type CallRingingEvent = { readonly "event": "call.ringing"; readonly "id": string; readonly "timestamp": string; readonly "data": { readonly "call_id": string; readonly "status": string; readonly "to": string; readonly "from": string; readonly "provider_config": string; readonly "template_id": string; readonly "duration_seconds": (number | null); readonly "cost": ({ readonly "amount": string; readonly "currency": string } | null) }; readonly "ts": string; readonly "signature": string };

export type CallTransferredEvent = { readonly "event": "call.transferred"; readonly "id": string; readonly "timestamp": string; readonly "data": { readonly "call_id": string; readonly "status": string; readonly "to": string; readonly "from": string; readonly "provider_config": string; readonly "template_id": string; readonly "duration_seconds": (number | null); readonly "cost": ({ readonly "amount": string; readonly "currency": string } | null); readonly "node": string; readonly "result": string; readonly "leg": (number | null); readonly "dialed"?: string | undefined }; readonly "ts": string; readonly "signature": string };

export type CannedReply = { readonly "id": string; readonly "shortcut": string; readonly "title": string; readonly "text": string; readonly "created_at": string; readonly "updated_at": string };

export type CannedReplyPage = { readonly "results": readonly (CannedReply)[]; readonly "next": (string | null); readonly "previous": (string | null) };

export type CannedReplyPatch = { readonly "shortcut"?: string | undefined; readonly "title"?: string | undefined; readonly "text"?: string | undefined };

export type CannedReplyRequest = { readonly "shortcut": string; readonly "title": string; readonly "text": string };

export type Card = { readonly "title"?: string | undefined; readonly "description"?: string | undefined; readonly "media_url"?: string | undefined; readonly "suggestions"?: readonly (Suggestion)[] | undefined };

export type ChannelBroadcastRequest = { readonly "template": string; readonly "segment": string; readonly "schedule_at"?: string | undefined; readonly "app_id"?: string | undefined; readonly "language"?: string | undefined; readonly "variables"?: Readonly<Record<string, ({ readonly "attribute": string; readonly "default"?: string | undefined } | { readonly "value": string })>> | undefined; readonly "time_zone"?: string | undefined; readonly "quiet_hours"?: { readonly "from": string; readonly "to": string } | undefined; readonly "require_consent"?: boolean | undefined; readonly "track_urls"?: boolean | undefined; readonly "dry_run"?: boolean | undefined };

export type CompiledCallFlow = { readonly "content_type": string; readonly "documents": Readonly<Record<string, string>>; readonly "diagnostics": readonly ({ readonly "code": string; readonly "node": string; readonly "message": string })[] };

export type ConsentGrantedEvent = { readonly "event": "consent.granted"; readonly "id": string; readonly "timestamp": string; readonly "data": { readonly "channel": "wa" | "sms" | "botchat" | "rcs" | "voice"; readonly "address": string; readonly "source": string; readonly "scope"?: string | undefined }; readonly "ts": string; readonly "signature": string };

export type ConsentList = { readonly "results": readonly ({ readonly "channel": "wa" | "sms" | "botchat" | "rcs" | "voice"; readonly "address": string; readonly "state": "granted" | "revoked" | "unknown"; readonly "source": (string | null); readonly "note": (string | null); readonly "at": (string | null) })[] };

export type ConsentRequest = { readonly "channel": "wa" | "sms" | "botchat" | "rcs" | "voice"; readonly "state": "granted" | "revoked"; readonly "note"?: string | undefined };

export type ConsentRevokedEvent = { readonly "event": "consent.revoked"; readonly "id": string; readonly "timestamp": string; readonly "data": { readonly "channel": "wa" | "sms" | "botchat" | "rcs" | "voice"; readonly "address": string; readonly "source": string; readonly "scope"?: string | undefined }; readonly "ts": string; readonly "signature": string };

export type Contact = { readonly "id": string; readonly "name": (string | null); readonly "phone": (string | null); readonly "segments": readonly (string)[]; readonly "attributes": Readonly<Record<string, (string | number | boolean)>>; readonly "channel_identifiers": readonly ({ readonly "channel": "wa" | "sms" | "botchat" | "rcs" | "voice"; readonly "external_id": string })[]; readonly "created_at": string; readonly "updated_at": string };

export type ContactCreatedEvent = { readonly "event": "contact.created"; readonly "id": string; readonly "timestamp": string; readonly "data": { readonly "name": (string | null); readonly "phone": (string | null); readonly "source": string; readonly "channel"?: "wa" | "sms" | "botchat" | "rcs" | "voice" | undefined; readonly "changed"?: readonly (string)[] | undefined; readonly "merged_id"?: string | undefined }; readonly "ts": string; readonly "signature": string };

export type ContactDeletedEvent = { readonly "event": "contact.deleted"; readonly "id": string; readonly "timestamp": string; readonly "data": { readonly "name": (string | null); readonly "phone": (string | null); readonly "source": string; readonly "channel"?: "wa" | "sms" | "botchat" | "rcs" | "voice" | undefined; readonly "changed"?: readonly (string)[] | undefined; readonly "merged_id"?: string | undefined }; readonly "ts": string; readonly "signature": string };

export type ContactFileReading = { readonly "format": "csv" | "xlsx"; readonly "encoding": ("utf-8" | "utf-16le" | "utf-16be" | "windows-1252" | "windows-1250" | "windows-1251" | "windows-1256" | "iso-8859-15" | "ibm850" | "gb18030" | null); readonly "encoding_certain": boolean; readonly "separator": ("," | ";" | "\t" | "|" | null); readonly "sheet": (string | null); readonly "sheets": readonly (string)[]; readonly "header_row": number; readonly "columns": readonly ({ readonly "column": number; readonly "name": string; readonly "field": "phone" | "name" | "segments" | "attribute" | "ignored"; readonly "attribute": (string | null); readonly "issue"?: "unnamed" | "duplicate" | "too_long" | "unusable" | undefined })[] };

export type ContactImport = { readonly "id": string; readonly "state": "uploading" | "preview" | "reading" | "running" | "done"; readonly "rows": number; readonly "created": number; readonly "updated": number; readonly "failed": number; readonly "reading": (ContactFileReading | null); readonly "errors_url": string; readonly "problems_url": string; readonly "created_at": string; readonly "finished_at": (string | null) };

export type ContactImportPreview = { readonly "id": string; readonly "filename": (string | null); readonly "bytes": number; readonly "reading": ContactFileReading; readonly "samples": readonly (readonly (string)[])[]; readonly "default_country": (string | null); readonly "segment": (string | null); readonly "notes": readonly (string)[]; readonly "rows": readonly ({ readonly "line": number; readonly "cells": readonly (string)[]; readonly "problems": readonly ({ readonly "field": string; readonly "problem": string })[] })[]; readonly "counts": { readonly "rows": number; readonly "usable": number; readonly "problems": number }; readonly "problems": readonly ({ readonly "field": string; readonly "problem": string; readonly "rows": number; readonly "first_line": number })[]; readonly "expires_at": string };

export type ContactImportPreviewPatch = { readonly "encoding"?: ("utf-8" | "utf-16le" | "utf-16be" | "windows-1252" | "windows-1250" | "windows-1251" | "windows-1256" | "iso-8859-15" | "ibm850" | "gb18030" | null) | undefined; readonly "separator"?: ("," | ";" | "\t" | "|" | null) | undefined; readonly "sheet"?: (string | null) | undefined; readonly "header_row"?: (number | null) | undefined; readonly "columns"?: readonly ({ readonly "column": number; readonly "field": "phone" | "name" | "segments" | "attribute" | "ignored"; readonly "attribute"?: string | undefined })[] | undefined; readonly "default_country"?: (string | null) | undefined; readonly "segment"?: (string | null) | undefined };

export type ContactMerge = { readonly "contact_id": string; readonly "values_of_other"?: readonly (string)[] | undefined };

export type ContactMergedEvent = { readonly "event": "contact.merged"; readonly "id": string; readonly "timestamp": string; readonly "data": { readonly "name": (string | null); readonly "phone": (string | null); readonly "source": string; readonly "channel"?: "wa" | "sms" | "botchat" | "rcs" | "voice" | undefined; readonly "changed"?: readonly (string)[] | undefined; readonly "merged_id"?: string | undefined }; readonly "ts": string; readonly "signature": string };

export type ContactPage = { readonly "results": readonly (Contact)[]; readonly "next": (string | null); readonly "previous": (string | null) };

export type ContactPatch = { readonly "name"?: (string | null) | undefined; readonly "phone"?: (string | null) | undefined; readonly "segments"?: readonly (string)[] | undefined; readonly "add_segments"?: readonly (string)[] | undefined; readonly "remove_segments"?: readonly (string)[] | undefined; readonly "attributes"?: Readonly<Record<string, ((string | number | boolean) | null)>> | undefined; readonly "channel_identifiers"?: readonly ({ readonly "channel": "wa" | "sms" | "botchat" | "rcs" | "voice"; readonly "external_id": string })[] | undefined };

export type ContactRequest = { readonly "name"?: string | undefined; readonly "phone"?: string | undefined; readonly "segments"?: readonly (string)[] | undefined; readonly "attributes"?: Readonly<Record<string, (string | number | boolean)>> | undefined; readonly "channel_identifiers"?: readonly ({ readonly "channel": "wa" | "sms" | "botchat" | "rcs" | "voice"; readonly "external_id": string })[] | undefined };

export type ContactUpdatedEvent = { readonly "event": "contact.updated"; readonly "id": string; readonly "timestamp": string; readonly "data": { readonly "name": (string | null); readonly "phone": (string | null); readonly "source": string; readonly "channel"?: "wa" | "sms" | "botchat" | "rcs" | "voice" | undefined; readonly "changed"?: readonly (string)[] | undefined; readonly "merged_id"?: string | undefined }; readonly "ts": string; readonly "signature": string };

export type Conversation = { readonly "id": string; readonly "contact": { readonly "id": string; readonly "name": (string | null); readonly "phone": (string | null) }; readonly "state": "open" | "snoozed" | "closed"; readonly "snoozed_until": (string | null); readonly "assignee_id": (string | null); readonly "tags": readonly (string)[]; readonly "openings": number; readonly "opened_at": (string | null); readonly "waiting_since": (string | null); readonly "due_at": (string | null); readonly "unread": number; readonly "last_channel": "wa" | "sms" | "botchat" | "rcs" | "voice"; readonly "last_item_id": string; readonly "last_message": ({ readonly "id": string; readonly "direction": "in" | "out"; readonly "text": string; readonly "created_at": string } | null); readonly "created_at": string; readonly "updated_at": string };

export type ConversationAssignedEvent = { readonly "event": "conversation.assigned"; readonly "id": string; readonly "timestamp": string; readonly "data": { readonly "contact_id": string; readonly "channel": string; readonly "opening": number; readonly "assignee_id": (string | null); readonly "actor": (string | null) }; readonly "ts": string; readonly "signature": string };

export type ConversationAttachment = { readonly "id": string; readonly "conversation_id": string; readonly "name": string; readonly "media_type": string; readonly "bytes": number; readonly "sha256": string; readonly "author": string; readonly "message_id": (string | null); readonly "url": string; readonly "created_at": string };

export type ConversationAttachmentPage = { readonly "results": readonly (ConversationAttachment)[]; readonly "next": (string | null); readonly "previous": (string | null) };

export type ConversationClosedEvent = { readonly "event": "conversation.closed"; readonly "id": string; readonly "timestamp": string; readonly "data": { readonly "contact_id": string; readonly "channel": string; readonly "opening": number; readonly "assignee_id": (string | null); readonly "actor": (string | null) }; readonly "ts": string; readonly "signature": string };

export type ConversationDetail = { readonly "id": string; readonly "contact": { readonly "id": string; readonly "name": (string | null); readonly "phone": (string | null) }; readonly "state": "open" | "snoozed" | "closed"; readonly "snoozed_until": (string | null); readonly "assignee_id": (string | null); readonly "tags": readonly (string)[]; readonly "openings": number; readonly "opened_at": (string | null); readonly "waiting_since": (string | null); readonly "due_at": (string | null); readonly "unread": number; readonly "last_channel": "wa" | "sms" | "botchat" | "rcs" | "voice"; readonly "last_item_id": string; readonly "last_message": ({ readonly "id": string; readonly "direction": "in" | "out"; readonly "text": string; readonly "created_at": string } | null); readonly "created_at": string; readonly "updated_at": string; readonly "readers": readonly ({ readonly "reader_id": string; readonly "read_to": string; readonly "read_at": string })[] };

export type ConversationHistoryEntry = { readonly "id": string; readonly "type": "opened" | "closed" | "snoozed" | "woken" | "assigned" | "unassigned" | "tagged" | "noted"; readonly "actor": (string | null); readonly "data": Readonly<Record<string, unknown>>; readonly "created_at": string };

export type ConversationHistoryPage = { readonly "results": readonly (ConversationHistoryEntry)[]; readonly "next": (string | null); readonly "previous": (string | null) };

export type ConversationNote = { readonly "id": string; readonly "author": string; readonly "text": string; readonly "created_at": string };

export type ConversationNotePage = { readonly "results": readonly (ConversationNote)[]; readonly "next": (string | null); readonly "previous": (string | null) };

export type ConversationNoteRequest = { readonly "text": string };

export type ConversationOpenedEvent = { readonly "event": "conversation.opened"; readonly "id": string; readonly "timestamp": string; readonly "data": { readonly "contact_id": string; readonly "channel": string; readonly "opening": number; readonly "assignee_id": (string | null); readonly "actor": (string | null) }; readonly "ts": string; readonly "signature": string };

export type ConversationPage = { readonly "results": readonly (Conversation)[]; readonly "next": (string | null); readonly "previous": (string | null) };

export type ConversationPatch = { readonly "state"?: "open" | "snoozed" | "closed" | undefined; readonly "snoozed_until"?: string | undefined; readonly "assignee_id"?: (string | null) | undefined; readonly "expected_assignee_id"?: (string | null) | undefined; readonly "tags"?: readonly (string)[] | undefined };

export type ConversationPresence = { readonly "state": "looking" | "typing" | "gone" };

export type ConversationReadRequest = { readonly "up_to"?: string | undefined };

export type ConversationReplyRequest = { readonly "channel"?: "wa" | "sms" | "botchat" | "rcs" | undefined; readonly "app_id"?: string | undefined; readonly "text"?: string | undefined; readonly "message"?: Readonly<Record<string, unknown>> | undefined; readonly "reply_to"?: string | undefined };

export type ConversationSnoozedEvent = { readonly "event": "conversation.snoozed"; readonly "id": string; readonly "timestamp": string; readonly "data": { readonly "contact_id": string; readonly "channel": string; readonly "opening": number; readonly "assignee_id": (string | null); readonly "actor": (string | null) }; readonly "ts": string; readonly "signature": string };

export type ConversationWokenEvent = { readonly "event": "conversation.woken"; readonly "id": string; readonly "timestamp": string; readonly "data": { readonly "contact_id": string; readonly "channel": string; readonly "opening": number; readonly "assignee_id": (string | null); readonly "actor": (string | null) }; readonly "ts": string; readonly "signature": string };

export type Conversations = { readonly "results": readonly (Conversation)[] };

export type ConversationsPatch = { readonly "ids": readonly (string)[]; readonly "state"?: "open" | "snoozed" | "closed" | undefined; readonly "snoozed_until"?: string | undefined; readonly "assignee_id"?: (string | null) | undefined; readonly "expected_assignee_id"?: (string | null) | undefined; readonly "tags"?: readonly (string)[] | undefined };

export type DefaultRoles = { readonly "role": ("owner" | "admin" | "agent" | "analyst" | "developer" | "billing" | null); readonly "einvoicing_role": ("finance_admin" | "approver" | "operator" | "auditor" | "developer" | null) };

export type DefaultRolesRequest = { readonly "role"?: ("owner" | "admin" | "agent" | "analyst" | "developer" | "billing" | null) | undefined; readonly "einvoicing_role"?: ("finance_admin" | "approver" | "operator" | "auditor" | "developer" | null) | undefined };

export type DltRegistration = { readonly "entity_id": string; readonly "template_id": string; readonly "header": string; readonly "type": "T" | "P" | "SI" | "SE" };

export type DomainBranding = { readonly "domain": string; readonly "name": (string | null); readonly "logo_url": (string | null) };

export type EndpointDisabledEvent = { readonly "event": "endpoint.disabled"; readonly "id": string; readonly "timestamp": string; readonly "data": { readonly "reason": string; readonly "url": string }; readonly "ts": string; readonly "signature": string };

export type Error = { readonly "detail": string; readonly "code": "malformed_json" | "invalid_request" | "missing_credentials" | "invalid_credentials" | "revoked_credentials" | "wrong_environment" | "ip_not_allowed" | "tenant_suspended" | "not_permitted" | "proof_needed" | "not_found" | "method_not_allowed" | "idempotency_payload_mismatch" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal_error" | "unavailable" | "wrong_password" | "refresh_refused" | "too_many_attempts" | "not_a_member" | "role_too_strong" | "user_not_found" | "last_owner" | "second_factor_required" | "wrong_code" | "second_factor_enabled" | "second_factor_not_begun" | "password_not_allowed" | "signed_in_by_provider" | "sign_in_name_unknown" | "sign_in_name_taken" | "no_identity_provider" | "no_way_back" | "provider_unreachable" | "logout_token_refused" | "session_needed" | "session_not_found" | "reset_not_found" | "already_member" | "invitation_not_found" | "mail_unavailable" | "api_key_not_found" | "api_key_revoked" | "logo_not_found" | "domain_unknown" | "tag_not_found" | "tag_exists" | "wallet_not_found" | "contact_not_found" | "contact_exists" | "segment_not_found" | "segment_exists" | "segment_in_use" | "segment_has_contacts" | "too_many_previews" | "import_not_found" | "app_not_found" | "app_exists" | "app_stopped" | "network_unreachable" | "provider_refused" | "template_not_found" | "template_exists" | "template_refused" | "template_in_review" | "template_not_approved" | "message_not_found" | "too_late" | "content_refused" | "opted_out" | "window_closed" | "not_started" | "insufficient_funds" | "registration_missing" | "webhook_endpoint_not_found" | "delivery_not_found" | "webhook_refused" | "verify_token_wrong" | "broadcast_not_found" | "broadcast_state" | "broadcast_resent" | "broadcast_busy" | "short_link_not_found" | "opt_out_not_found" | "conversation_not_found" | "conversation_closed" | "conversation_taken" | "canned_reply_not_found" | "canned_reply_exists" | "too_many_canned_replies" | "attachment_not_found" | "export_not_found" | "conversation_too_large" | "session_required" | "too_many_streams" | "provider_config_not_found" | "call_template_not_found" | "invalid_flow" | "call_not_found" | "call_over" | "no_rate" | "no_recording_consent" | "recording_not_found" | "range_beyond_end" | "recording_not_stored" | "rate_not_found" | "rate_exists" | "callback_refused" | "callback_not_found"; readonly "request_id": string; readonly "errors"?: Readonly<Record<string, readonly (string)[]>> | undefined };

export type FilledCannedReplies = { readonly "results": readonly (FilledCannedReply)[] };

export type FilledCannedReply = { readonly "id": string; readonly "shortcut": string; readonly "title": string; readonly "text": string; readonly "missing": readonly (string)[] };

export type FilledTemplate = { readonly "name": string; readonly "language"?: string | undefined; readonly "variables"?: Readonly<Record<string, string>> | undefined };

export type GroupRoles = { readonly "group": string; readonly "role": ("owner" | "admin" | "agent" | "analyst" | "developer" | "billing" | null); readonly "einvoicing_role": ("finance_admin" | "approver" | "operator" | "auditor" | "developer" | null) };

export type GroupRolesRequest = { readonly "group": string; readonly "role"?: ("owner" | "admin" | "agent" | "analyst" | "developer" | "billing" | null) | undefined; readonly "einvoicing_role"?: ("finance_admin" | "approver" | "operator" | "auditor" | "developer" | null) | undefined };

export type IdentityProvider = { readonly "name": string; readonly "sign_in_name": string; readonly "issuer": string; readonly "client_id": string; readonly "scopes": readonly (string)[]; readonly "groups_claim": string; readonly "email_domains": readonly (string)[]; readonly "is_required": boolean; readonly "proof_acr_values": readonly (string)[]; readonly "proof_amr_values": readonly (string)[]; readonly "is_enabled": boolean; readonly "group_roles": readonly (GroupRoles)[]; readonly "default_roles": (DefaultRoles | null); readonly "has_client_secret": boolean; readonly "last_trial": (SignInTrial | null); readonly "created_at": string; readonly "updated_at": string };

export type IdentityProviderCheck = { readonly "ok": boolean; readonly "detail": string; readonly "authorization_endpoint": (string | null); readonly "ends_sessions": boolean; readonly "tells_sign_outs": boolean };

export type IdentityProviderRequest = { readonly "name": string; readonly "sign_in_name": string; readonly "issuer": string; readonly "client_id": string; readonly "scopes"?: readonly (string)[] | undefined; readonly "groups_claim"?: string | undefined; readonly "email_domains"?: readonly (string)[] | undefined; readonly "is_required"?: boolean | undefined; readonly "proof_acr_values"?: readonly (string)[] | undefined; readonly "proof_amr_values"?: readonly (string)[] | undefined; readonly "is_enabled"?: boolean | undefined; readonly "client_secret"?: (string | null) | undefined; readonly "group_roles"?: readonly (GroupRolesRequest)[] | undefined; readonly "default_roles"?: (DefaultRolesRequest | null) | undefined };

export type IdentityProviderSettings = { readonly "provider": (IdentityProvider | null); readonly "redirect_uris": readonly (string)[]; readonly "sign_out_uris": readonly (string)[]; readonly "backchannel_logout_uri": string };

export type InboxDays = { readonly "time_zone": string; readonly "results": readonly ({ readonly "day": string; readonly "begins": string; readonly "inbound": number; readonly "outbound": number; readonly "opened": number; readonly "closed": number })[] };

export type InboxExportRequest = { readonly "conversation_id": string; readonly "since"?: string | undefined; readonly "until"?: string | undefined; readonly "include_notes"?: boolean | undefined; readonly "time_zone"?: string | undefined };

export type InboxMessage = { readonly "id": string; readonly "conversation_id": (string | null); readonly "contact": ({ readonly "id": string; readonly "name": (string | null); readonly "phone": (string | null) } | null); readonly "channel": "wa" | "sms" | "botchat" | "rcs" | "voice"; readonly "direction": "in" | "out"; readonly "status": string; readonly "text": string; readonly "content": unknown; readonly "call": ({ readonly "duration_seconds": (number | null) } | null); readonly "author": (string | null); readonly "broadcast_id": (string | null); readonly "error": ({ readonly "code": string; readonly "detail": string } | null); readonly "created_at": string; readonly "sent_at": (string | null); readonly "delivered_at": (string | null); readonly "read_at": (string | null); readonly "failed_at": (string | null) };

export type InboxMessagePage = { readonly "results": readonly (InboxMessage)[]; readonly "next": (string | null); readonly "previous": (string | null) };

export type InboxSettings = { readonly "time_zone": string; readonly "weekly_hours": readonly ({ readonly "day": "mon" | "tue" | "wed" | "thu" | "fri" | "sat" | "sun"; readonly "from": string; readonly "to": string })[]; readonly "holidays": readonly (string)[]; readonly "first_response_minutes": (number | null); readonly "next_response_minutes": (number | null); readonly "updated_at": (string | null) };

export type InboxSettingsRequest = { readonly "time_zone": string; readonly "weekly_hours": readonly ({ readonly "day": "mon" | "tue" | "wed" | "thu" | "fri" | "sat" | "sun"; readonly "from": string; readonly "to": string })[]; readonly "holidays"?: readonly (string)[] | undefined; readonly "first_response_minutes"?: (number | null) | undefined; readonly "next_response_minutes"?: (number | null) | undefined };

export type InboxStats = { readonly "since": string; readonly "until": string; readonly "first_response": { readonly "business": InboxTimes; readonly "elapsed": InboxTimes }; readonly "response": { readonly "business": InboxTimes; readonly "elapsed": InboxTimes }; readonly "resolution": InboxTimes; readonly "conversations": { readonly "opened": number; readonly "closed": number; readonly "open": number; readonly "snoozed": number; readonly "unassigned": number; readonly "waiting": number }; readonly "unanswered": number; readonly "sla": { readonly "promised": number; readonly "breached": number }; readonly "by_channel": readonly ({ readonly "channel": "wa" | "sms" | "botchat" | "rcs" | "voice"; readonly "inbound": number; readonly "outbound": number })[]; readonly "by_agent": readonly ({ readonly "agent_id": string; readonly "messages": number; readonly "responses": number; readonly "median_seconds": (number | null); readonly "breached": number })[] };

export type InboxTimes = { readonly "count": number; readonly "mean_seconds": (number | null); readonly "median_seconds": (number | null); readonly "p90_seconds": (number | null) };

export type Interactive = { readonly "header"?: string | undefined; readonly "body": string; readonly "footer"?: string | undefined; readonly "buttons"?: readonly ({ readonly "id": string; readonly "title": string })[] | undefined; readonly "list"?: { readonly "button": string; readonly "sections": readonly ({ readonly "title"?: string | undefined; readonly "rows": readonly ({ readonly "id": string; readonly "title": string; readonly "description"?: string | undefined })[] })[] } | undefined; readonly "link"?: { readonly "text": string; readonly "url": string } | undefined };

export type Invitation = { readonly "id": string; readonly "email": string; readonly "role": ("owner" | "admin" | "agent" | "analyst" | "developer" | "billing" | null); readonly "einvoicing_role": ("finance_admin" | "approver" | "operator" | "auditor" | "developer" | null); readonly "invited_by": string; readonly "created_at": string; readonly "expires_at": string };

export type InvitationPage = { readonly "results": readonly (Invitation)[]; readonly "next": (string | null); readonly "previous": (string | null) };

export type InviteRequest = { readonly "email": string; readonly "role"?: ("owner" | "admin" | "agent" | "analyst" | "developer" | "billing" | null) | undefined; readonly "einvoicing_role"?: ("finance_admin" | "approver" | "operator" | "auditor" | "developer" | null) | undefined };

export type IssuedApiKey = { readonly "id": string; readonly "key": (string | null); readonly "shown": string; readonly "name": string; readonly "role": "owner" | "admin" | "agent" | "analyst" | "developer" | "billing" };

export type LinkClick = { readonly "id": string; readonly "broadcast_id": string; readonly "message_id": string; readonly "contact_id": (string | null); readonly "url": string; readonly "is_bot": boolean; readonly "user_agent": (string | null); readonly "clicked_at": string };

export type LinkClickPage = { readonly "results": readonly (LinkClick)[]; readonly "next": (string | null); readonly "previous": (string | null) };

export type Media = { readonly "type": "image" | "video" | "audio" | "document" | "sticker"; readonly "link": string; readonly "caption"?: string | undefined; readonly "filename"?: string | undefined };

export type Member = { readonly "id": string; readonly "email": string; readonly "name": string; readonly "role": ("owner" | "admin" | "agent" | "analyst" | "developer" | "billing" | null); readonly "einvoicing_role": ("finance_admin" | "approver" | "operator" | "auditor" | "developer" | null); readonly "signs_in_by": "password" | "provider"; readonly "has_second_factor": boolean; readonly "joined_at": string };

export type MemberPage = { readonly "results": readonly (Member)[]; readonly "next": (string | null); readonly "previous": (string | null) };

export type MemberPatch = { readonly "role"?: ("owner" | "admin" | "agent" | "analyst" | "developer" | "billing" | null) | undefined; readonly "einvoicing_role"?: ("finance_admin" | "approver" | "operator" | "auditor" | "developer" | null) | undefined };

export type Message = { readonly "id": string; readonly "channel": string; readonly "direction": "in" | "out"; readonly "app_id": string; readonly "contact_id": (string | null); readonly "address": string; readonly "broadcast_id": (string | null); readonly "preview": string; readonly "content": Readonly<Record<string, unknown>>; readonly "status": "queued" | "sending" | "unknown" | "sent" | "canceled" | "skipped" | "expired" | "failed" | "delivered" | "read" | "received"; readonly "provider_id": (string | null); readonly "reply_to": (string | null); readonly "error": ({ readonly "code": string; readonly "detail": (string | null) } | null); readonly "price": ({ readonly "amount": string; readonly "currency": string } | null); readonly "hold_released_at": (string | null); readonly "created_at": string; readonly "sent_at": (string | null); readonly "delivered_at": (string | null); readonly "read_at": (string | null); readonly "failed_at": (string | null) };

export type MessageDeliveredEvent = { readonly "event": "message.delivered"; readonly "id": string; readonly "timestamp": string; readonly "data": { readonly "channel": "wa" | "sms" | "botchat" | "rcs" | "voice"; readonly "app_id": string; readonly "contact_id": (string | null); readonly "broadcast_id": (string | null); readonly "address": string; readonly "status": string; readonly "error"?: { readonly "code": (string | null); readonly "detail": (string | null) } | undefined }; readonly "ts": string; readonly "signature": string };

export type MessageFailedEvent = { readonly "event": "message.failed"; readonly "id": string; readonly "timestamp": string; readonly "data": { readonly "channel": "wa" | "sms" | "botchat" | "rcs" | "voice"; readonly "app_id": string; readonly "contact_id": (string | null); readonly "broadcast_id": (string | null); readonly "address": string; readonly "status": string; readonly "error"?: { readonly "code": (string | null); readonly "detail": (string | null) } | undefined }; readonly "ts": string; readonly "signature": string };

export type MessagePage = { readonly "results": readonly (Message)[]; readonly "next": (string | null); readonly "previous": (string | null) };

export type MessageQueuedEvent = { readonly "event": "message.queued"; readonly "id": string; readonly "timestamp": string; readonly "data": { readonly "channel": "wa" | "sms" | "botchat" | "rcs" | "voice"; readonly "app_id": string; readonly "contact_id": (string | null); readonly "address": string; readonly "status": string; readonly "preview": string }; readonly "ts": string; readonly "signature": string };

export type MessageReadEvent = { readonly "event": "message.read"; readonly "id": string; readonly "timestamp": string; readonly "data": { readonly "channel": "wa" | "sms" | "botchat" | "rcs" | "voice"; readonly "app_id": string; readonly "contact_id": (string | null); readonly "broadcast_id": (string | null); readonly "address": string; readonly "status": string; readonly "error"?: { readonly "code": (string | null); readonly "detail": (string | null) } | undefined }; readonly "ts": string; readonly "signature": string };

export type MessageReceivedEvent = { readonly "event": "message.received"; readonly "id": string; readonly "timestamp": string; readonly "data": { readonly "channel": "wa" | "sms" | "botchat" | "rcs" | "voice"; readonly "app_id": string; readonly "contact_id": (string | null); readonly "address": string; readonly "preview": string; readonly "content": { readonly "kind": string }; readonly "reply_to": (string | null) }; readonly "ts": string; readonly "signature": string };

export type MessageSentEvent = { readonly "event": "message.sent"; readonly "id": string; readonly "timestamp": string; readonly "data": { readonly "channel": "wa" | "sms" | "botchat" | "rcs" | "voice"; readonly "app_id": string; readonly "contact_id": (string | null); readonly "broadcast_id": (string | null); readonly "address": string; readonly "status": string; readonly "error"?: { readonly "code": (string | null); readonly "detail": (string | null) } | undefined }; readonly "ts": string; readonly "signature": string };

export type MessageSkippedEvent = { readonly "event": "message.skipped"; readonly "id": string; readonly "timestamp": string; readonly "data": { readonly "channel": "wa" | "sms" | "botchat" | "rcs" | "voice"; readonly "app_id": string; readonly "contact_id": (string | null); readonly "broadcast_id": (string | null); readonly "address": string; readonly "status": string; readonly "error"?: { readonly "code": (string | null); readonly "detail": (string | null) } | undefined }; readonly "ts": string; readonly "signature": string };

export type MessageUnknownEvent = { readonly "event": "message.unknown"; readonly "id": string; readonly "timestamp": string; readonly "data": { readonly "channel": "wa" | "sms" | "botchat" | "rcs" | "voice"; readonly "app_id": string; readonly "contact_id": (string | null); readonly "broadcast_id": (string | null); readonly "address": string; readonly "status": string; readonly "error"?: { readonly "code": (string | null); readonly "detail": (string | null) } | undefined }; readonly "ts": string; readonly "signature": string };

export type OnboardingOptions = { readonly "results": readonly ({ readonly "id": string; readonly "title": string; readonly "done": boolean; readonly "next": (string | null); readonly "steps": readonly ({ readonly "step": string; readonly "done": boolean; readonly "next": (string | null) })[] })[] };

export type OptOut = { readonly "id": string; readonly "channel": "wa" | "sms" | "botchat" | "rcs" | "voice"; readonly "address": string; readonly "source": string; readonly "note": (string | null); readonly "created_at": string };

export type OptOutPage = { readonly "results": readonly (OptOut)[]; readonly "next": (string | null); readonly "previous": (string | null) };

export type OptOutRequest = { readonly "channel": "wa" | "sms" | "botchat" | "rcs" | "voice"; readonly "address": string; readonly "note"?: string | undefined };

export type PasswordChange = { readonly "password": string; readonly "new_password": string };

export type PasswordChanged = { readonly "device": string };

export type PasswordForgotten = { readonly "email": string };

export type PasswordReset = { readonly "token": string; readonly "new_password": string };

export type PdfSignature = { readonly "algorithm": "Ed25519"; readonly "key_id": string; readonly "public_key": string; readonly "sha256": string; readonly "signature": string };

export type ProviderKind = { readonly "channel": "wa" | "sms" | "botchat" | "rcs" | "voice"; readonly "provider": string; readonly "title": string; readonly "settings": Readonly<Record<string, unknown>> };

export type ProviderKindList = { readonly "results": readonly (ProviderKind)[] };

export type QueuedMessage = { readonly "message_id": string; readonly "status": "queued" | "sending" | "unknown" | "sent" | "canceled" | "skipped" | "expired" | "failed" | "delivered" | "read" };

export type RateCard = { readonly "id": string; readonly "prefix": string; readonly "currency": string; readonly "per_minute": string; readonly "connection_fee": string; readonly "increment": string; readonly "valid_from": string; readonly "valid_until": (string | null); readonly "created_at": string };

export type RateCardImport = { readonly "rows": number; readonly "created": number; readonly "unchanged": number };

export type RateCardImportPreview = { readonly "columns": readonly (string)[]; readonly "rows": readonly ({ readonly "line": number; readonly "cells": readonly (string)[]; readonly "problems": readonly ({ readonly "field": string; readonly "problem": string })[] })[]; readonly "counts": { readonly "rows": number; readonly "created": number; readonly "unchanged": number; readonly "problems": number }; readonly "problems": readonly ({ readonly "field": string; readonly "problem": string; readonly "rows": number; readonly "first_line": number })[] };

export type RateCardPage = { readonly "results": readonly (RateCard)[]; readonly "next": (string | null); readonly "previous": (string | null) };

export type RateCardRequest = { readonly "prefix": string; readonly "currency": string; readonly "per_minute": string; readonly "connection_fee"?: string | undefined; readonly "increment"?: string | undefined; readonly "valid_from"?: string | undefined; readonly "valid_until"?: (string | null) | undefined };

export type RcsAppRequest = { readonly "provider"?: "google-rcs" | undefined; readonly "name": string; readonly "settings"?: Readonly<Record<string, string>> | undefined; readonly "allow_unsigned"?: boolean | undefined; readonly "resend_unknown"?: boolean | undefined };

export type RcsCapability = { readonly "phone": string; readonly "reachable": boolean; readonly "features": readonly (string)[] };

export type RcsMessageRequest = { readonly "to"?: string | undefined; readonly "text"?: string | undefined; readonly "card"?: Card | undefined; readonly "carousel"?: readonly (Card)[] | undefined; readonly "media"?: Media | undefined; readonly "template"?: FilledTemplate | undefined; readonly "suggestions"?: readonly (Suggestion)[] | undefined; readonly "app_id"?: string | undefined; readonly "contact_id"?: string | undefined; readonly "reply_to"?: string | undefined; readonly "ttl_seconds"?: number | undefined };

export type RcsReach = { readonly "results": readonly ({ readonly "phone": string; readonly "reachable": boolean })[]; readonly "reachable": number };

export type RcsReachRequest = { readonly "phones": readonly (string)[]; readonly "app_id"?: string | undefined };

export type Recording = { readonly "id": string; readonly "call_id": string; readonly "to": string; readonly "state": "fetching" | "stored" | "failed" | "deleted"; readonly "media_type": (string | null); readonly "bytes": (number | null); readonly "sha256": (string | null); readonly "duration_seconds": (number | null); readonly "error": (string | null); readonly "transcription_status": "not_configured" | "pending" | "completed" | "failed"; readonly "created_at": string; readonly "stored_at": (string | null); readonly "delete_after": string };

export type RecordingConsent = { readonly "id": string; readonly "phone": string; readonly "call_id": (string | null); readonly "state": "granted" | "revoked"; readonly "method": "verbal" | "written" | "web_form" | "dtmf" | "contract" | "other"; readonly "evidence": string; readonly "recorded_by": string; readonly "given_at": string; readonly "created_at": string };

export type RecordingConsentPage = { readonly "results": readonly (RecordingConsent)[]; readonly "next": (string | null); readonly "previous": (string | null) };

export type RecordingConsentRequest = { readonly "phone": string; readonly "call_id"?: string | undefined; readonly "state"?: "granted" | "revoked" | undefined; readonly "method": "verbal" | "written" | "web_form" | "dtmf" | "contract" | "other"; readonly "evidence": string; readonly "given_at"?: string | undefined };

export type RecordingPage = { readonly "results": readonly (Recording)[]; readonly "next": (string | null); readonly "previous": (string | null) };

export type RecordingReadyEvent = { readonly "event": "recording.ready"; readonly "id": string; readonly "timestamp": string; readonly "data": { readonly "call_id": string; readonly "status": string; readonly "to": string; readonly "from": string; readonly "provider_config": string; readonly "template_id": string; readonly "duration_seconds": (number | null); readonly "cost": ({ readonly "amount": string; readonly "currency": string } | null); readonly "recording_id": string; readonly "sha256": string; readonly "bytes": number }; readonly "ts": string; readonly "signature": string };

export type RecoveryCodes = { readonly "recovery_codes": readonly (string)[] };

export type RecoveryCodesRequest = { readonly "password": string; readonly "code": string };

export type RefreshRequest = { readonly "refresh": string };

export type Retention = { readonly "message_days": (number | null); readonly "contact_days": (number | null) };

export type Role = { readonly "service": "messaging" | "e-invoicing"; readonly "name": string; readonly "description": string; readonly "permissions": readonly ({ readonly "name": string; readonly "description": string })[] };

export type RoleList = { readonly "results": readonly (Role)[] };

export type RotateSecretRequest = { readonly "grace_s"?: number | undefined };

export type SecondFactor = { readonly "is_enabled": boolean; readonly "confirmed_at": (string | null); readonly "recovery_codes_left": number };

export type SecondFactorBegin = { readonly "password": string };

export type SecondFactorConfirm = { readonly "code": string };

export type SecondFactorDisable = { readonly "password": string; readonly "code": string };

export type SecondFactorSecret = { readonly "secret": string; readonly "uri": string };

export type Segment = { readonly "id": string; readonly "name": string; readonly "query": (SegmentQuery | null); readonly "created_at": string };

export type SegmentCount = { readonly "contacts": number };

export type SegmentCountRequest = { readonly "query": SegmentQuery };

export type SegmentDetail = { readonly "id": string; readonly "name": string; readonly "query": (SegmentQuery | null); readonly "created_at": string; readonly "contacts": number };

export type SegmentPage = { readonly "results": readonly (Segment)[]; readonly "next": (string | null); readonly "previous": (string | null) };

export type SegmentPatch = { readonly "name"?: string | undefined; readonly "query"?: (SegmentQuery | null) | undefined };

export type SegmentQuery = { readonly "all"?: readonly (({ readonly "attribute": string; readonly "is": ((string | number | boolean) | readonly ((string | number | boolean))[]) } | { readonly "attribute": string; readonly "exists": boolean } | { readonly "attribute": string; readonly "above"?: (number | string) | undefined; readonly "at_least"?: (number | string) | undefined; readonly "below"?: (number | string) | undefined; readonly "at_most"?: (number | string) | undefined } | { readonly "text": string } | { readonly "created_since": string } | { readonly "created_before": string } | { readonly "reachable": "wa" | "sms" | "botchat" | "rcs" | "voice" } | { readonly "segment_id": string }))[] | undefined; readonly "any"?: readonly (({ readonly "attribute": string; readonly "is": ((string | number | boolean) | readonly ((string | number | boolean))[]) } | { readonly "attribute": string; readonly "exists": boolean } | { readonly "attribute": string; readonly "above"?: (number | string) | undefined; readonly "at_least"?: (number | string) | undefined; readonly "below"?: (number | string) | undefined; readonly "at_most"?: (number | string) | undefined } | { readonly "text": string } | { readonly "created_since": string } | { readonly "created_before": string } | { readonly "reachable": "wa" | "sms" | "botchat" | "rcs" | "voice" } | { readonly "segment_id": string }))[] | undefined; readonly "none"?: readonly (({ readonly "attribute": string; readonly "is": ((string | number | boolean) | readonly ((string | number | boolean))[]) } | { readonly "attribute": string; readonly "exists": boolean } | { readonly "attribute": string; readonly "above"?: (number | string) | undefined; readonly "at_least"?: (number | string) | undefined; readonly "below"?: (number | string) | undefined; readonly "at_most"?: (number | string) | undefined } | { readonly "text": string } | { readonly "created_since": string } | { readonly "created_before": string } | { readonly "reachable": "wa" | "sms" | "botchat" | "rcs" | "voice" } | { readonly "segment_id": string }))[] | undefined };

export type SegmentRequest = { readonly "name": string; readonly "query"?: SegmentQuery | undefined };

export type Session = { readonly "id": string; readonly "tenant_id": string; readonly "tenant_name": string; readonly "environment": "live" | "sandbox"; readonly "ip": (string | null); readonly "user_agent": (string | null); readonly "is_current": boolean; readonly "created_at": string; readonly "refreshed_at": (string | null); readonly "expires_at": string; readonly "signed_in_by": "password" | "provider" };

export type SessionList = { readonly "results": readonly (Session)[] };

export type SignInTrial = { readonly "at": string; readonly "problem": ("sign_in_expired" | "provider_denied" | "provider_unreachable" | "provider_error" | "provider_answer_refused" | "provider_changed" | "email_missing" | "email_unverified" | "email_domain" | "no_role" | "member_exists" | "other_person" | "proof_too_weak" | "session_ended" | null); readonly "detail": (string | null); readonly "subject": (string | null); readonly "email": (string | null); readonly "groups": readonly (string)[]; readonly "role": ("owner" | "admin" | "agent" | "analyst" | "developer" | "billing" | null); readonly "einvoicing_role": ("finance_admin" | "approver" | "operator" | "auditor" | "developer" | null); readonly "claims": readonly (string)[] };

export type SignedIn = { readonly "access": string; readonly "refresh": string; readonly "tenant_id": string; readonly "role": ("owner" | "admin" | "agent" | "analyst" | "developer" | "billing" | null); readonly "einvoicing_role": ("finance_admin" | "approver" | "operator" | "auditor" | "developer" | null); readonly "device": string; readonly "tenants": readonly ({ readonly "id": string; readonly "name": string; readonly "role": ("owner" | "admin" | "agent" | "analyst" | "developer" | "billing" | null); readonly "einvoicing_role": ("finance_admin" | "approver" | "operator" | "auditor" | "developer" | null) })[] };

export type SmsAppRequest = { readonly "provider"?: "twilio-sms" | "plivo-sms" | "vonage-sms" | "generic-http-sms" | undefined; readonly "name": string; readonly "settings"?: Readonly<Record<string, string>> | undefined; readonly "allow_unsigned"?: boolean | undefined; readonly "resend_unknown"?: boolean | undefined };

export type SmsMessageRequest = { readonly "to"?: string | undefined; readonly "text"?: string | undefined; readonly "template"?: FilledTemplate | undefined; readonly "app_id"?: string | undefined; readonly "contact_id"?: string | undefined; readonly "reply_to"?: string | undefined; readonly "ttl_seconds"?: number | undefined };

export type Suggestion = ({ readonly "type": "reply"; readonly "text": string; readonly "payload": string } | { readonly "type": "url"; readonly "text": string; readonly "url": string } | { readonly "type": "dial"; readonly "text": string; readonly "phone": string } | { readonly "type": "view-location"; readonly "text": string; readonly "latitude": number; readonly "longitude": number } | { readonly "type": "share-location"; readonly "text": string });

export type Tag = { readonly "id": string; readonly "name": string; readonly "colour": (string | null); readonly "created_at": string };

export type TagPage = { readonly "results": readonly (Tag)[]; readonly "next": (string | null); readonly "previous": (string | null) };

export type TagPatch = { readonly "name"?: string | undefined; readonly "colour"?: (string | null) | undefined };

export type TagRequest = { readonly "name": string; readonly "colour"?: (string | null) | undefined };

export type TeamPage = { readonly "results": readonly (Teammate)[]; readonly "next": (string | null); readonly "previous": (string | null) };

export type Teammate = { readonly "id": string; readonly "name": string; readonly "may_answer": boolean; readonly "is_member": boolean };

export type Template = { readonly "id": string; readonly "channel": string; readonly "app_id": (string | null); readonly "name": string; readonly "language": string; readonly "category": "AUTHENTICATION" | "MARKETING" | "UTILITY"; readonly "status": "pending" | "approved" | "rejected" | "paused" | "disabled" | "deleted"; readonly "reason": (string | null); readonly "quality": ("green" | "yellow" | "red" | "unknown" | null); readonly "body": string; readonly "variables": readonly (string)[]; readonly "definition": Readonly<Record<string, unknown>>; readonly "registration": (DltRegistration | null); readonly "warnings"?: readonly (string)[] | undefined; readonly "created_at": string; readonly "updated_at": string };

export type TemplateApprovedEvent = { readonly "event": "template.approved"; readonly "id": string; readonly "timestamp": string; readonly "data": { readonly "name": string; readonly "language": string; readonly "status": string; readonly "category": string; readonly "reason": (string | null) }; readonly "ts": string; readonly "signature": string };

export type TemplateCategoryChangedEvent = { readonly "event": "template.category_changed"; readonly "id": string; readonly "timestamp": string; readonly "data": { readonly "name": string; readonly "language": string; readonly "status": string; readonly "category": string; readonly "reason": (string | null) }; readonly "ts": string; readonly "signature": string };

export type TemplateCheck = { readonly "findings": readonly ({ readonly "field": string; readonly "message": string; readonly "code": string })[]; readonly "variables": readonly (string)[] };

export type TemplateComponent = { readonly "type": "header" | "body" | "button"; readonly "sub_type"?: string | undefined; readonly "index"?: number | undefined; readonly "parameters"?: readonly (TemplateParameter)[] | undefined };

export type TemplateDeletedEvent = { readonly "event": "template.deleted"; readonly "id": string; readonly "timestamp": string; readonly "data": { readonly "name": string; readonly "language": string; readonly "status": string; readonly "category": string; readonly "reason": (string | null) }; readonly "ts": string; readonly "signature": string };

export type TemplateDisabledEvent = { readonly "event": "template.disabled"; readonly "id": string; readonly "timestamp": string; readonly "data": { readonly "name": string; readonly "language": string; readonly "status": string; readonly "category": string; readonly "reason": (string | null) }; readonly "ts": string; readonly "signature": string };

export type TemplatePage = { readonly "results": readonly (Template)[]; readonly "next": (string | null); readonly "previous": (string | null) };

export type TemplateParameter = { readonly "type": "text" | "currency" | "date_time" | "image" | "video" | "document" | "payload"; readonly "parameter_name"?: string | undefined; readonly "text"?: string | undefined; readonly "currency"?: { readonly "fallback_value": string; readonly "code": string; readonly "amount_1000": number } | undefined; readonly "date_time"?: { readonly "fallback_value": string } | undefined; readonly "image"?: { readonly "link": string } | undefined; readonly "video"?: { readonly "link": string } | undefined; readonly "document"?: { readonly "link": string; readonly "filename"?: string | undefined } | undefined; readonly "payload"?: string | undefined };

export type TemplatePatch = { readonly "name"?: string | undefined; readonly "language"?: string | undefined; readonly "category"?: "AUTHENTICATION" | "MARKETING" | "UTILITY" | undefined; readonly "body"?: string | undefined; readonly "registration"?: (DltRegistration | null) | undefined };

export type TemplatePausedEvent = { readonly "event": "template.paused"; readonly "id": string; readonly "timestamp": string; readonly "data": { readonly "name": string; readonly "language": string; readonly "status": string; readonly "category": string; readonly "reason": (string | null) }; readonly "ts": string; readonly "signature": string };

export type TemplateRejectedEvent = { readonly "event": "template.rejected"; readonly "id": string; readonly "timestamp": string; readonly "data": { readonly "name": string; readonly "language": string; readonly "status": string; readonly "category": string; readonly "reason": (string | null) }; readonly "ts": string; readonly "signature": string };

export type TemplateRequest = { readonly "name": string; readonly "language"?: string | undefined; readonly "category"?: "AUTHENTICATION" | "MARKETING" | "UTILITY" | undefined; readonly "body": string; readonly "registration"?: DltRegistration | undefined };

export type TemplateUse = { readonly "name": string; readonly "language": string; readonly "components"?: readonly (TemplateComponent)[] | undefined };

export type TokenPair = { readonly "access": string; readonly "refresh": string };

export type TokenRequest = { readonly "email": string; readonly "password": string; readonly "tenant_id"?: string | undefined; readonly "code"?: string | undefined; readonly "device"?: string | undefined };

export type TrackedUrl = { readonly "id": string; readonly "broadcast_id": string; readonly "url": string; readonly "links": number; readonly "clicks": number; readonly "unique_clicks": number; readonly "bot_clicks": number };

export type TrackedUrlPage = { readonly "results": readonly (TrackedUrl)[]; readonly "next": (string | null); readonly "previous": (string | null) };

export type Transcription = { readonly "status": "not_configured" | "pending" | "completed" | "failed"; readonly "text"?: string | undefined; readonly "language"?: string | undefined; readonly "reason"?: string | undefined };

export type UnroutedReplay = { readonly "phone_number_id"?: string | undefined };

export type UnroutedReplayed = { readonly "replayed": number; readonly "is_complete": boolean };

export type UnroutedWebhook = { readonly "id": string; readonly "phone_number_id": string; readonly "counts": Readonly<Record<string, number>>; readonly "received_at": string };

export type UnroutedWebhookPage = { readonly "results": readonly (UnroutedWebhook)[]; readonly "next": (string | null); readonly "previous": (string | null) };

export type VoiceProvider = { readonly "id": string; readonly "provider": string; readonly "name": string; readonly "settings": Readonly<Record<string, string>>; readonly "from_number": string; readonly "calls_per_second": number; readonly "recording_policy": "free" | "announced" | "consented"; readonly "recording_retention_days": number; readonly "callback_url": string; readonly "created_at": string; readonly "updated_at": string };

export type VoiceProviderPage = { readonly "results": readonly (VoiceProvider)[]; readonly "next": (string | null); readonly "previous": (string | null) };

export type VoiceProviderPatch = { readonly "name"?: string | undefined; readonly "settings"?: Readonly<Record<string, (string | null)>> | undefined; readonly "from_number"?: string | undefined; readonly "calls_per_second"?: number | undefined; readonly "recording_policy"?: "free" | "announced" | "consented" | undefined; readonly "recording_retention_days"?: number | undefined };

export type VoiceProviderRequest = { readonly "provider": "twilio-voice" | "plivo-voice" | "vonage-voice" | "asterisk"; readonly "name": string; readonly "settings"?: Readonly<Record<string, string>> | undefined; readonly "from_number": string; readonly "calls_per_second"?: number | undefined; readonly "recording_policy"?: "free" | "announced" | "consented" | undefined; readonly "recording_retention_days"?: number | undefined };

export type VoiceProviderTest = { readonly "ok": boolean; readonly "code": (string | null); readonly "detail": (string | null); readonly "latency_ms": number };

export type VoiceTemplate = { readonly "id": string; readonly "name": string; readonly "flow": Readonly<Record<string, unknown>>; readonly "diagnostics": Readonly<Record<string, readonly ({ readonly "code": string; readonly "node": string; readonly "message": string })[]>>; readonly "compiled": (CompiledCallFlow | null); readonly "version": number; readonly "created_at": string; readonly "updated_at": string };

export type VoiceTemplateItem = { readonly "id": string; readonly "name": string; readonly "version": number; readonly "created_at": string; readonly "updated_at": string };

export type VoiceTemplatePage = { readonly "results": readonly (VoiceTemplateItem)[]; readonly "next": (string | null); readonly "previous": (string | null) };

export type VoiceTemplatePatch = { readonly "name"?: string | undefined; readonly "flow"?: CallFlow | undefined };

export type VoiceTemplateRequest = { readonly "name": string; readonly "flow": CallFlow };

export type WaAppRequest = { readonly "provider"?: "whatsapp" | undefined; readonly "name": string; readonly "settings"?: Readonly<Record<string, string>> | undefined; readonly "allow_unsigned"?: boolean | undefined; readonly "resend_unknown"?: boolean | undefined };

export type WaMessageRequest = { readonly "to"?: string | undefined; readonly "recipient"?: string | undefined; readonly "type": "template" | "text" | "image" | "video" | "audio" | "document" | "sticker" | "location" | "contacts" | "interactive" | "reaction"; readonly "template"?: TemplateUse | undefined; readonly "text"?: { readonly "body": string; readonly "preview_url"?: boolean | undefined } | undefined; readonly "image"?: { readonly "link"?: string | undefined; readonly "id"?: string | undefined; readonly "caption"?: string | undefined; readonly "filename"?: string | undefined } | undefined; readonly "video"?: { readonly "link"?: string | undefined; readonly "id"?: string | undefined; readonly "caption"?: string | undefined; readonly "filename"?: string | undefined } | undefined; readonly "audio"?: { readonly "link"?: string | undefined; readonly "id"?: string | undefined; readonly "caption"?: string | undefined; readonly "filename"?: string | undefined } | undefined; readonly "document"?: { readonly "link"?: string | undefined; readonly "id"?: string | undefined; readonly "caption"?: string | undefined; readonly "filename"?: string | undefined } | undefined; readonly "sticker"?: { readonly "link"?: string | undefined; readonly "id"?: string | undefined; readonly "caption"?: string | undefined; readonly "filename"?: string | undefined } | undefined; readonly "location"?: { readonly "latitude": number; readonly "longitude": number; readonly "name"?: string | undefined; readonly "address"?: string | undefined } | undefined; readonly "contacts"?: readonly ({ readonly "name": string; readonly "phones": readonly (string)[]; readonly "email"?: string | undefined; readonly "organisation"?: string | undefined })[] | undefined; readonly "interactive"?: Interactive | undefined; readonly "reaction"?: { readonly "message_id": string; readonly "emoji": string } | undefined; readonly "app_id"?: string | undefined; readonly "contact_id"?: string | undefined; readonly "reply_to"?: string | undefined; readonly "ttl_seconds"?: number | undefined };

export type WaTemplatePatch = { readonly "category"?: "AUTHENTICATION" | "MARKETING" | "UTILITY" | undefined; readonly "body"?: string | undefined; readonly "header"?: ({ readonly "format": "text" | "image" | "video" | "document" | "location"; readonly "text"?: string | undefined; readonly "example"?: string | undefined } | null) | undefined; readonly "footer"?: (string | null) | undefined; readonly "buttons"?: (readonly ({ readonly "type": "quick-reply" | "url" | "phone" | "copy-code" | "otp" | "flow" | "other"; readonly "text": string; readonly "url"?: string | undefined; readonly "example"?: string | undefined; readonly "phone"?: string | undefined })[] | null) | undefined; readonly "body_examples"?: (readonly (string)[] | null) | undefined };

export type WaTemplateRequest = { readonly "name": string; readonly "language": string; readonly "category": "AUTHENTICATION" | "MARKETING" | "UTILITY"; readonly "parameter_format"?: "positional" | "named" | undefined; readonly "header"?: { readonly "format": "text" | "image" | "video" | "document" | "location"; readonly "text"?: string | undefined; readonly "example"?: string | undefined } | undefined; readonly "body": string; readonly "footer"?: string | undefined; readonly "buttons"?: readonly ({ readonly "type": "quick-reply" | "url" | "phone" | "copy-code" | "otp" | "flow" | "other"; readonly "text": string; readonly "url"?: string | undefined; readonly "example"?: string | undefined; readonly "phone"?: string | undefined })[] | undefined; readonly "body_examples"?: readonly (string)[] | undefined; readonly "app_id"?: string | undefined };

export type WabaInfo = { readonly "connected": boolean; readonly "account_id": (string | null); readonly "name": (string | null); readonly "currency": (string | null); readonly "time_zone": (string | null); readonly "phone_numbers": readonly ({ readonly "id": string; readonly "phone": string; readonly "display_name": (string | null) })[]; readonly "apps": readonly ({ readonly "app_id": string; readonly "name": string; readonly "state": string; readonly "stopped_reason": (string | null); readonly "quality": (string | null); readonly "tier": (string | null) })[]; readonly "updated_at": (string | null) };

export type WabaInfoRequest = { readonly "account_id": string; readonly "name"?: (string | null) | undefined; readonly "currency"?: (string | null) | undefined; readonly "time_zone"?: (string | null) | undefined; readonly "phone_numbers"?: readonly ({ readonly "id": string; readonly "phone": string; readonly "display_name"?: (string | null) | undefined })[] | undefined };

export type Wallet = { readonly "currency": (string | null); readonly "balance": string; readonly "reserved": string; readonly "available": string; readonly "low_at": (string | null); readonly "is_low": boolean };

export type WalletEntry = { readonly "id": string; readonly "kind": "top_up" | "correction" | "charge"; readonly "amount": string; readonly "balance_after": string; readonly "reference": string; readonly "created_at": string };

export type WalletEntryPage = { readonly "results": readonly (WalletEntry)[]; readonly "next": (string | null); readonly "previous": (string | null) };

export type WalletLowEvent = { readonly "event": "wallet.low"; readonly "id": string; readonly "timestamp": string; readonly "data": { readonly "environment": "live" | "sandbox"; readonly "currency"?: string | undefined; readonly "balance"?: string | undefined; readonly "available"?: string | undefined; readonly "low_at"?: (string | null) | undefined; readonly "broadcast_id"?: string | undefined }; readonly "ts": string; readonly "signature": string };

export type WalletPatch = { readonly "low_at": (string | null) };

export type WebhookDelivery = { readonly "id": string; readonly "event_id": string; readonly "event": string; readonly "subject_id": string; readonly "environment": "live" | "sandbox"; readonly "state": "pending" | "delivered" | "failed" | "held" | "set_aside"; readonly "next_attempt_at": (string | null); readonly "created_at": string; readonly "settled_at": (string | null); readonly "payload": Readonly<Record<string, unknown>>; readonly "attempts": readonly ({ readonly "n": number; readonly "at": string; readonly "ms": number; readonly "status": (number | null); readonly "error": (string | null); readonly "response_head": string; readonly "response_body": string })[] };

export type WebhookDeliveryPage = { readonly "results": readonly (WebhookDelivery)[]; readonly "next": (string | null); readonly "previous": (string | null) };

export type WebhookEndpoint = { readonly "id": string; readonly "url": string; readonly "event_types": readonly (string)[]; readonly "description": string; readonly "state": "active" | "degraded" | "disabled"; readonly "disabled_reason": ("requested" | "gone" | "failing" | null); readonly "failing_since": (string | null); readonly "secrets": readonly ({ readonly "id": string; readonly "created_at": string; readonly "expires_at": (string | null) })[]; readonly "created_at": string; readonly "updated_at": string };

export type WebhookEndpointPage = { readonly "results": readonly (WebhookEndpoint)[]; readonly "next": (string | null); readonly "previous": (string | null) };

export type WebhookEndpointPatch = { readonly "url"?: string | undefined; readonly "event_types"?: readonly ("app.stopped" | "contact.created" | "contact.updated" | "contact.merged" | "contact.deleted" | "message.queued" | "message.unknown" | "message.sent" | "message.delivered" | "message.read" | "message.failed" | "message.skipped" | "message.received" | "broadcast.queued" | "broadcast.rescheduled" | "broadcast.started" | "broadcast.paused" | "broadcast.resumed" | "broadcast.canceled" | "broadcast.completed" | "broadcast.failed" | "broadcast.click" | "template.approved" | "template.rejected" | "template.paused" | "template.disabled" | "template.deleted" | "template.category_changed" | "call.ringing" | "call.answered" | "call.dtmf" | "call.transferred" | "call.completed" | "call.failed" | "call.cost_changed" | "recording.ready" | "consent.granted" | "consent.revoked" | "conversation.opened" | "conversation.assigned" | "conversation.snoozed" | "conversation.woken" | "conversation.closed" | "wallet.low" | "endpoint.disabled" | "app.*" | "contact.*" | "message.*" | "broadcast.*" | "template.*" | "call.*" | "recording.*" | "consent.*" | "conversation.*" | "wallet.*" | "work.stalled")[] | undefined; readonly "description"?: string | undefined; readonly "state"?: "active" | "disabled" | undefined };

export type WebhookEndpointRequest = { readonly "url": string; readonly "event_types"?: readonly ("app.stopped" | "contact.created" | "contact.updated" | "contact.merged" | "contact.deleted" | "message.queued" | "message.unknown" | "message.sent" | "message.delivered" | "message.read" | "message.failed" | "message.skipped" | "message.received" | "broadcast.queued" | "broadcast.rescheduled" | "broadcast.started" | "broadcast.paused" | "broadcast.resumed" | "broadcast.canceled" | "broadcast.completed" | "broadcast.failed" | "broadcast.click" | "template.approved" | "template.rejected" | "template.paused" | "template.disabled" | "template.deleted" | "template.category_changed" | "call.ringing" | "call.answered" | "call.dtmf" | "call.transferred" | "call.completed" | "call.failed" | "call.cost_changed" | "recording.ready" | "consent.granted" | "consent.revoked" | "conversation.opened" | "conversation.assigned" | "conversation.snoozed" | "conversation.woken" | "conversation.closed" | "wallet.low" | "endpoint.disabled" | "app.*" | "contact.*" | "message.*" | "broadcast.*" | "template.*" | "call.*" | "recording.*" | "consent.*" | "conversation.*" | "wallet.*" | "work.stalled")[] | undefined; readonly "description"?: string | undefined };

export type WebhookEndpointWithSecret = { readonly "id": string; readonly "url": string; readonly "event_types": readonly (string)[]; readonly "description": string; readonly "state": "active" | "degraded" | "disabled"; readonly "disabled_reason": ("requested" | "gone" | "failing" | null); readonly "failing_since": (string | null); readonly "secrets": readonly ({ readonly "id": string; readonly "created_at": string; readonly "expires_at": (string | null) })[]; readonly "created_at": string; readonly "updated_at": string; readonly "secret": (string | null) };

export type WebhookReplay = { readonly "id": string; readonly "endpoint_id": string; readonly "environment": "live" | "sandbox"; readonly "since": string; readonly "until": string; readonly "events": readonly (string)[]; readonly "only": "failed" | "all"; readonly "count": number; readonly "created_at": string };

export type WebhookReplayRequest = { readonly "since": string; readonly "until"?: string | undefined; readonly "events"?: readonly ("app.stopped" | "contact.created" | "contact.updated" | "contact.merged" | "contact.deleted" | "message.queued" | "message.unknown" | "message.sent" | "message.delivered" | "message.read" | "message.failed" | "message.skipped" | "message.received" | "broadcast.queued" | "broadcast.rescheduled" | "broadcast.started" | "broadcast.paused" | "broadcast.resumed" | "broadcast.canceled" | "broadcast.completed" | "broadcast.failed" | "broadcast.click" | "template.approved" | "template.rejected" | "template.paused" | "template.disabled" | "template.deleted" | "template.category_changed" | "call.ringing" | "call.answered" | "call.dtmf" | "call.transferred" | "call.completed" | "call.failed" | "call.cost_changed" | "recording.ready" | "consent.granted" | "consent.revoked" | "conversation.opened" | "conversation.assigned" | "conversation.snoozed" | "conversation.woken" | "conversation.closed" | "wallet.low" | "endpoint.disabled" | "app.*" | "contact.*" | "message.*" | "broadcast.*" | "template.*" | "call.*" | "recording.*" | "consent.*" | "conversation.*" | "wallet.*" | "work.stalled")[] | undefined; readonly "only"?: "failed" | "all" | undefined };

export type WebhookTestEvent = { readonly "event": "webhook.test"; readonly "id": string; readonly "timestamp": string; readonly "ts": string; readonly "signature": string };

export type WorkStalledEvent = { readonly "event": "work.stalled"; readonly "id": string; readonly "timestamp": string; readonly "data": { readonly "reason": string; readonly "queue": string }; readonly "ts": string; readonly "signature": string };

/** What the service refused: by `code` for programs, by `detail` for people. */
export class ApiError extends Error {
  readonly status: number;
  /** `rejected`: a document fails its checks, and `body` says all that is wrong with it. */
  readonly code: Error['code'] | 'rejected' | 'unknown';
  readonly detail: string;
  readonly errors: Readonly<Record<string, readonly string[]>>;
  readonly requestId: string | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly body: Readonly<Record<string, unknown>>;

  constructor(response: Response, body: Readonly<Record<string, unknown>>) {
    const findings = Array.isArray(body.errors) ? (body.errors as readonly { rule: string; message: string }[]) : undefined;
    const found = findings?.map(({ rule, message }) => `${rule}: ${message}`)[0];
    const code = String(findings === undefined ? (body.code ?? 'unknown') : 'rejected');
    const detail = String(body.detail ?? found ?? '');
    super(`${response.status} ${code}: ${detail}`);
    this.name = 'ApiError';
    this.status = response.status;
    this.code = code as ApiError['code'];
    this.detail = detail;
    this.errors = (findings === undefined ? (body.errors ?? {}) : {}) as Readonly<Record<string, readonly string[]>>;
    this.requestId = body.request_id as string | undefined;
    const after = Number(response.headers.get('retry-after') ?? Number.NaN);
    this.retryAfterSeconds = Number.isFinite(after) ? after : undefined;
    this.body = body;
  }
}

export interface ClientOptions {
  readonly baseUrl: string;
  readonly key: string;
  readonly fetch: typeof fetch;
}

interface Route {
  readonly method: string;
  readonly path: string;
  readonly isRaw: boolean;
  readonly isKeyed: boolean;
}

class Base {
  readonly #options: ClientOptions;

  constructor(options: ClientOptions) {
    this.#options = options;
  }

  protected async call({ method, path, isRaw, isKeyed }: Route, given: object): Promise<unknown> {
    const input = given as Readonly<Record<string, unknown>>;
    const place = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(input[name])));
    const url = new URL(this.#options.baseUrl.replace(/\/$/, '') + place);
    for (const [name, value] of Object.entries((input.query ?? {}) as object)) {
      if (value !== undefined) url.searchParams.set(name, String(value));
    }
    const headers: Record<string, string> = { authorization: `Bearer ${this.#options.key}` };
    if (isKeyed) headers['idempotency-key'] = String(input.idempotencyKey ?? crypto.randomUUID());
    if (typeof input.prefer === 'string') headers.prefer = input.prefer;
    const init: RequestInit = { method, headers };
    if (input.signal instanceof AbortSignal) init.signal = input.signal;
    if (input.file instanceof Blob) {
      const form = new FormData();
      form.append('file', input.file, String(input.filename ?? 'file.csv'));
      init.body = form;
    } else if (input.body !== undefined) {
      headers['content-type'] = 'application/json';
      init.body = JSON.stringify(input.body);
    }
    // As a function of its own: some runtimes refuse a fetch that is called as a method.
    const { fetch } = this.#options;
    const response = await fetch(url, init);
    const isJson = (response.headers.get('content-type') ?? '').includes('json');
    if (!response.ok) {
      const text = await response.text();
      throw new ApiError(response, isJson ? JSON.parse(text) : { code: 'unknown', detail: text });
    }
    if (isRaw) return response;
    return isJson ? response.json() : undefined;
  }

  protected async *pages<Item>(
    read: (cursor: string | undefined) => Promise<{ readonly results: readonly Item[]; readonly next: string | null }>,
  ): AsyncGenerator<Item> {
    let cursor: string | undefined;
    for (;;) {
      const page = await read(cursor);
      yield* page.results;
      if (page.next === null) return;
      cursor = page.next;
    }
  }
}

/** The event of a webhook whose signature holds, else undefined; `body` is the text as it came, `now` the time here. */
export async function verifyWebhook(
  body: string,
  secret: string,
  { now, toleranceSeconds = 300 }: { readonly now: Date; readonly toleranceSeconds?: number },
): Promise<Readonly<Record<string, unknown>> | undefined> {
  const [member, digest = ''] = /,"signature":"sha256=([0-9a-f]{64})"\}$/.exec(body) ?? [];
  if (member === undefined) return undefined;
  const unsigned = `${body.slice(0, -member.length)}}`;
  const [, ts] = /,"ts":"([^"]+)"\}$/.exec(unsigned) ?? [];
  if (ts === undefined) return undefined;
  if (!(Math.abs(now.getTime() - Date.parse(ts)) <= toleranceSeconds * 1_000)) return undefined;
  const bytes = new TextEncoder();
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', bytes.encode(secret), algorithm, false, ['verify']);
  const signature = Uint8Array.from(digest.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
  const isRight = await crypto.subtle.verify('HMAC', key, signature, bytes.encode(`${ts}.${unsigned}`));
  return isRight ? JSON.parse(unsigned) : undefined;
}

export class Client extends Base {
  /** Sign in with e-mail and password. */
  createToken(input: { body: TokenRequest; signal?: AbortSignal }): Promise<SignedIn> {
    return this.call({"method":"POST","path":"/token/","isRaw":false,"isKeyed":false}, input) as Promise<SignedIn>;
  }

  /** Exchange a refresh token for the next pair. */
  refreshToken(input: { body: RefreshRequest; signal?: AbortSignal }): Promise<TokenPair> {
    return this.call({"method":"POST","path":"/refresh/","isRaw":false,"isKeyed":false}, input) as Promise<TokenPair>;
  }

  /** Change your password. */
  changePassword(input: { body: PasswordChange; signal?: AbortSignal }): Promise<PasswordChanged> {
    return this.call({"method":"POST","path":"/password/","isRaw":false,"isKeyed":false}, input) as Promise<PasswordChanged>;
  }

  /** Ask for a mail with a link to choose a new password. */
  requestPasswordReset(input: { body: PasswordForgotten; signal?: AbortSignal }): Promise<void> {
    return this.call({"method":"POST","path":"/password/forgot/","isRaw":false,"isKeyed":false}, input) as Promise<void>;
  }

  /** Choose a new password by the token of a mail or of the host. */
  resetPassword(input: { body: PasswordReset; signal?: AbortSignal }): Promise<PasswordChanged> {
    return this.call({"method":"POST","path":"/password/reset/","isRaw":false,"isKeyed":false}, input) as Promise<PasswordChanged>;
  }

  /** End this session. */
  logOut(input: { signal?: AbortSignal } = {}): Promise<void> {
    return this.call({"method":"POST","path":"/logout/","isRaw":false,"isKeyed":false}, input) as Promise<void>;
  }

  /** List your sessions. */
  listSessions(input: { signal?: AbortSignal } = {}): Promise<SessionList> {
    return this.call({"method":"GET","path":"/sessions/","isRaw":false,"isKeyed":false}, input) as Promise<SessionList>;
  }

  /** End all of your sessions but this one. */
  endOtherSessions(input: { signal?: AbortSignal } = {}): Promise<void> {
    return this.call({"method":"DELETE","path":"/sessions/","isRaw":false,"isKeyed":false}, input) as Promise<void>;
  }

  /** End one of your sessions. */
  endSession(input: { "id": string; signal?: AbortSignal }): Promise<void> {
    return this.call({"method":"DELETE","path":"/sessions/{id}/","isRaw":false,"isKeyed":false}, input) as Promise<void>;
  }

  /** See whether you have a second factor. */
  showSecondFactor(input: { signal?: AbortSignal } = {}): Promise<SecondFactor> {
    return this.call({"method":"GET","path":"/second-factor/","isRaw":false,"isKeyed":false}, input) as Promise<SecondFactor>;
  }

  /** Begin a second factor: codes by time (RFC 6238). */
  beginSecondFactor(input: { body: SecondFactorBegin; signal?: AbortSignal }): Promise<SecondFactorSecret> {
    return this.call({"method":"POST","path":"/second-factor/","isRaw":false,"isKeyed":false}, input) as Promise<SecondFactorSecret>;
  }

  /** Confirm the second factor with a first code. */
  confirmSecondFactor(input: { body: SecondFactorConfirm; signal?: AbortSignal }): Promise<RecoveryCodes> {
    return this.call({"method":"POST","path":"/second-factor/confirm/","isRaw":false,"isKeyed":false}, input) as Promise<RecoveryCodes>;
  }

  /** Disable the second factor. */
  disableSecondFactor(input: { body: SecondFactorDisable; signal?: AbortSignal }): Promise<void> {
    return this.call({"method":"POST","path":"/second-factor/disable/","isRaw":false,"isKeyed":false}, input) as Promise<void>;
  }

  /** Make recovery codes anew. */
  renewRecoveryCodes(input: { body: RecoveryCodesRequest; signal?: AbortSignal }): Promise<RecoveryCodes> {
    return this.call({"method":"POST","path":"/second-factor/recovery-codes/","isRaw":false,"isKeyed":false}, input) as Promise<RecoveryCodes>;
  }

  /** See the identity provider of the workspace, and what to register there. */
  getIdentityProvider(input: { signal?: AbortSignal } = {}): Promise<IdentityProviderSettings> {
    return this.call({"method":"GET","path":"/tenants/identity-provider/","isRaw":false,"isKeyed":false}, input) as Promise<IdentityProviderSettings>;
  }

  /** Have members signed in by an identity provider (OpenID Connect). */
  putIdentityProvider(input: { body: IdentityProviderRequest; signal?: AbortSignal }): Promise<IdentityProviderSettings> {
    return this.call({"method":"PUT","path":"/tenants/identity-provider/","isRaw":false,"isKeyed":false}, input) as Promise<IdentityProviderSettings>;
  }

  /** Have nobody signed in by an identity provider any more. */
  deleteIdentityProvider(input: { signal?: AbortSignal } = {}): Promise<void> {
    return this.call({"method":"DELETE","path":"/tenants/identity-provider/","isRaw":false,"isKeyed":false}, input) as Promise<void>;
  }

  /** See whether the identity provider answers, and what it can do. */
  checkIdentityProvider(input: { signal?: AbortSignal } = {}): Promise<IdentityProviderCheck> {
    return this.call({"method":"POST","path":"/tenants/identity-provider/check/","isRaw":false,"isKeyed":false}, input) as Promise<IdentityProviderCheck>;
  }

  /** List members. */
  listMembers(input: { query?: { "cursor"?: string | undefined; "limit"?: number | undefined }; signal?: AbortSignal } = {}): Promise<MemberPage> {
    return this.call({"method":"GET","path":"/tenants/users/","isRaw":false,"isKeyed":false}, input) as Promise<MemberPage>;
  }

  /** List members; page after page. */
  eachOfListMembers(input: { query?: { "limit"?: number | undefined }; signal?: AbortSignal } = {}): AsyncGenerator<Member> {
    return this.pages((cursor) => this.listMembers({ ...input, query: { ...('query' in input ? (input.query as object) : {}), cursor } }));
  }

  /** Give a member other roles. */
  updateMember(input: { "id": string; body: MemberPatch; signal?: AbortSignal }): Promise<Member> {
    return this.call({"method":"PATCH","path":"/tenants/users/{id}/","isRaw":false,"isKeyed":false}, input) as Promise<Member>;
  }

  /** Remove a member. */
  removeMember(input: { "id": string; signal?: AbortSignal }): Promise<void> {
    return this.call({"method":"DELETE","path":"/tenants/users/{id}/","isRaw":false,"isKeyed":false}, input) as Promise<void>;
  }

  /** Invite a teammate by mail. */
  inviteMember(input: { body: InviteRequest; idempotencyKey?: string; signal?: AbortSignal }): Promise<Invitation> {
    return this.call({"method":"POST","path":"/tenants/members/invite/","isRaw":false,"isKeyed":true}, input) as Promise<Invitation>;
  }

  /** List invitations that nobody has accepted yet. */
  listInvitations(input: { query?: { "cursor"?: string | undefined; "limit"?: number | undefined }; signal?: AbortSignal } = {}): Promise<InvitationPage> {
    return this.call({"method":"GET","path":"/tenants/members/invite/","isRaw":false,"isKeyed":false}, input) as Promise<InvitationPage>;
  }

  /** List invitations that nobody has accepted yet; page after page. */
  eachOfListInvitations(input: { query?: { "limit"?: number | undefined }; signal?: AbortSignal } = {}): AsyncGenerator<Invitation> {
    return this.pages((cursor) => this.listInvitations({ ...input, query: { ...('query' in input ? (input.query as object) : {}), cursor } }));
  }

  /** Withdraw an invitation. */
  withdrawInvitation(input: { "id": string; signal?: AbortSignal }): Promise<void> {
    return this.call({"method":"DELETE","path":"/tenants/members/invite/{id}/","isRaw":false,"isKeyed":false}, input) as Promise<void>;
  }

  /** Accept an invitation. */
  acceptInvitation(input: { body: AcceptRequest; signal?: AbortSignal }): Promise<AcceptedInvitation> {
    return this.call({"method":"POST","path":"/tenants/members/accept/","isRaw":false,"isKeyed":false}, input) as Promise<AcceptedInvitation>;
  }

  /** List the steps to set up each channel, and which are done. */
  listOnboardingOptions(input: { signal?: AbortSignal } = {}): Promise<OnboardingOptions> {
    return this.call({"method":"GET","path":"/tenants/onboarding-options/","isRaw":false,"isKeyed":false}, input) as Promise<OnboardingOptions>;
  }

  /** List roles and what each may do. */
  listRoles(input: { signal?: AbortSignal } = {}): Promise<RoleList> {
    return this.call({"method":"GET","path":"/tenants/roles/","isRaw":false,"isKeyed":false}, input) as Promise<RoleList>;
  }

  /** Read the branding. */
  getBranding(input: { signal?: AbortSignal } = {}): Promise<Branding> {
    return this.call({"method":"GET","path":"/tenants/branding/","isRaw":false,"isKeyed":false}, input) as Promise<Branding>;
  }

  /** Change domain, logo or e-mail sender. */
  updateBranding(input: { body: BrandingPatch; signal?: AbortSignal }): Promise<Branding> {
    return this.call({"method":"PATCH","path":"/tenants/branding/","isRaw":false,"isKeyed":false}, input) as Promise<Branding>;
  }

  /** Look for the DNS records of domain and e-mail sender now. */
  verifyBranding(input: { signal?: AbortSignal } = {}): Promise<Branding> {
    return this.call({"method":"POST","path":"/tenants/branding/verify/","isRaw":false,"isKeyed":false}, input) as Promise<Branding>;
  }

  /** The logo itself. */
  getLogo(input: { signal?: AbortSignal } = {}): Promise<Response> {
    return this.call({"method":"GET","path":"/tenants/branding/logo/","isRaw":true,"isKeyed":false}, input) as Promise<Response>;
  }

  /** Whose a domain is: the name and logo of the workspace. */
  getDomainBranding(input: { query?: { "domain"?: string | undefined }; signal?: AbortSignal } = {}): Promise<DomainBranding> {
    return this.call({"method":"GET","path":"/tenants/branding/domain/","isRaw":false,"isKeyed":false}, input) as Promise<DomainBranding>;
  }

  /** The logo of the workspace that has a domain. */
  getDomainLogo(input: { query?: { "domain"?: string | undefined }; signal?: AbortSignal } = {}): Promise<Response> {
    return this.call({"method":"GET","path":"/tenants/branding/domain/logo/","isRaw":true,"isKeyed":false}, input) as Promise<Response>;
  }

  /** Read the wallet. */
  getWallet(input: { signal?: AbortSignal } = {}): Promise<Wallet> {
    return this.call({"method":"GET","path":"/tenants/host-wallet/","isRaw":false,"isKeyed":false}, input) as Promise<Wallet>;
  }

  /** Set the threshold of the low-balance event. */
  updateWallet(input: { body: WalletPatch; signal?: AbortSignal }): Promise<Wallet> {
    return this.call({"method":"PATCH","path":"/tenants/host-wallet/","isRaw":false,"isKeyed":false}, input) as Promise<Wallet>;
  }

  /** List payments and charges, newest first. */
  listWalletEntries(input: { query?: { "cursor"?: string | undefined; "limit"?: number | undefined }; signal?: AbortSignal } = {}): Promise<WalletEntryPage> {
    return this.call({"method":"GET","path":"/tenants/host-wallet/entries/","isRaw":false,"isKeyed":false}, input) as Promise<WalletEntryPage>;
  }

  /** List payments and charges, newest first; page after page. */
  eachOfListWalletEntries(input: { query?: { "limit"?: number | undefined }; signal?: AbortSignal } = {}): AsyncGenerator<WalletEntry> {
    return this.pages((cursor) => this.listWalletEntries({ ...input, query: { ...('query' in input ? (input.query as object) : {}), cursor } }));
  }

  /** Read the chat-app business account. */
  getWabaInfo(input: { signal?: AbortSignal } = {}): Promise<WabaInfo> {
    return this.call({"method":"GET","path":"/tenants/waba-info/","isRaw":false,"isKeyed":false}, input) as Promise<WabaInfo>;
  }

  /** Set the chat-app business account of this tenant. */
  saveWabaInfo(input: { body: WabaInfoRequest; signal?: AbortSignal }): Promise<WabaInfo> {
    return this.call({"method":"PUT","path":"/tenants/waba-info/","isRaw":false,"isKeyed":false}, input) as Promise<WabaInfo>;
  }

  /** List tags, oldest first. */
  listTags(input: { query?: { "cursor"?: string | undefined; "limit"?: number | undefined }; signal?: AbortSignal } = {}): Promise<TagPage> {
    return this.call({"method":"GET","path":"/tenants/tenant-tags/","isRaw":false,"isKeyed":false}, input) as Promise<TagPage>;
  }

  /** List tags, oldest first; page after page. */
  eachOfListTags(input: { query?: { "limit"?: number | undefined }; signal?: AbortSignal } = {}): AsyncGenerator<Tag> {
    return this.pages((cursor) => this.listTags({ ...input, query: { ...('query' in input ? (input.query as object) : {}), cursor } }));
  }

  /** Make a tag. */
  createTag(input: { body: TagRequest; idempotencyKey?: string; signal?: AbortSignal }): Promise<Tag> {
    return this.call({"method":"POST","path":"/tenants/tenant-tags/","isRaw":false,"isKeyed":true}, input) as Promise<Tag>;
  }

  /** Change a tag. */
  updateTag(input: { "id": string; body: TagPatch; signal?: AbortSignal }): Promise<Tag> {
    return this.call({"method":"PATCH","path":"/tenants/tenant-tags/{id}/","isRaw":false,"isKeyed":false}, input) as Promise<Tag>;
  }

  /** Remove a tag. */
  deleteTag(input: { "id": string; signal?: AbortSignal }): Promise<void> {
    return this.call({"method":"DELETE","path":"/tenants/tenant-tags/{id}/","isRaw":false,"isKeyed":false}, input) as Promise<void>;
  }

  /** List the API keys of this environment, revoked ones too. */
  listApiKeys(input: { query?: { "cursor"?: string | undefined; "limit"?: number | undefined }; signal?: AbortSignal } = {}): Promise<ApiKeyPage> {
    return this.call({"method":"GET","path":"/tenants/api-keys/","isRaw":false,"isKeyed":false}, input) as Promise<ApiKeyPage>;
  }

  /** List the API keys of this environment, revoked ones too; page after page. */
  eachOfListApiKeys(input: { query?: { "limit"?: number | undefined }; signal?: AbortSignal } = {}): AsyncGenerator<ApiKey> {
    return this.pages((cursor) => this.listApiKeys({ ...input, query: { ...('query' in input ? (input.query as object) : {}), cursor } }));
  }

  /** Issue an API key in a role. */
  issueApiKey(input: { body: ApiKeyRequest; idempotencyKey?: string; signal?: AbortSignal }): Promise<IssuedApiKey> {
    return this.call({"method":"POST","path":"/tenants/api-keys/","isRaw":false,"isKeyed":true}, input) as Promise<IssuedApiKey>;
  }

  /** Read what is kept of an API key. */
  getApiKey(input: { "id": string; signal?: AbortSignal }): Promise<ApiKey> {
    return this.call({"method":"GET","path":"/tenants/api-keys/{id}/","isRaw":false,"isKeyed":false}, input) as Promise<ApiKey>;
  }

  /** Rename an API key, or change from where and how long it may be used. */
  updateApiKey(input: { "id": string; body: ApiKeyPatch; signal?: AbortSignal }): Promise<ApiKey> {
    return this.call({"method":"PATCH","path":"/tenants/api-keys/{id}/","isRaw":false,"isKeyed":false}, input) as Promise<ApiKey>;
  }

  /** Revoke an API key. */
  revokeApiKey(input: { "id": string; signal?: AbortSignal }): Promise<void> {
    return this.call({"method":"DELETE","path":"/tenants/api-keys/{id}/","isRaw":false,"isKeyed":false}, input) as Promise<void>;
  }

  /** The audit log as a file: CSV, or a line of JSON an event. */
  exportAuditEvents(input: { query?: { "format"?: "csv" | "jsonl" | undefined; "actor"?: string | undefined; "action"?: string | undefined; "subject"?: string | undefined; "outcome"?: "done" | "refused" | undefined; "environment"?: "live" | "sandbox" | undefined; "since"?: string | undefined; "until"?: string | undefined }; signal?: AbortSignal } = {}): Promise<Response> {
    return this.call({"method":"GET","path":"/tenants/audit-log/export/","isRaw":true,"isKeyed":false}, input) as Promise<Response>;
  }

  /** Who did what to which thing, from where; the newest first. */
  listAuditEvents(input: { query?: { "cursor"?: string | undefined; "limit"?: number | undefined; "actor"?: string | undefined; "action"?: string | undefined; "subject"?: string | undefined; "outcome"?: "done" | "refused" | undefined; "environment"?: "live" | "sandbox" | undefined; "since"?: string | undefined; "until"?: string | undefined }; signal?: AbortSignal } = {}): Promise<AuditEventPage> {
    return this.call({"method":"GET","path":"/tenants/audit-log/","isRaw":false,"isKeyed":false}, input) as Promise<AuditEventPage>;
  }

  /** Who did what to which thing, from where; the newest first; page after page. */
  eachOfListAuditEvents(input: { query?: { "limit"?: number | undefined; "actor"?: string | undefined; "action"?: string | undefined; "subject"?: string | undefined; "outcome"?: "done" | "refused" | undefined; "environment"?: "live" | "sandbox" | undefined; "since"?: string | undefined; "until"?: string | undefined }; signal?: AbortSignal } = {}): AsyncGenerator<AuditEvent> {
    return this.pages((cursor) => this.listAuditEvents({ ...input, query: { ...('query' in input ? (input.query as object) : {}), cursor } }));
  }

  /** List segments, oldest first. */
  listSegments(input: { query?: { "cursor"?: string | undefined; "limit"?: number | undefined }; signal?: AbortSignal } = {}): Promise<SegmentPage> {
    return this.call({"method":"GET","path":"/contacts/segments/","isRaw":false,"isKeyed":false}, input) as Promise<SegmentPage>;
  }

  /** List segments, oldest first; page after page. */
  eachOfListSegments(input: { query?: { "limit"?: number | undefined }; signal?: AbortSignal } = {}): AsyncGenerator<Segment> {
    return this.pages((cursor) => this.listSegments({ ...input, query: { ...('query' in input ? (input.query as object) : {}), cursor } }));
  }

  /** Make a segment. */
  createSegment(input: { body: SegmentRequest; idempotencyKey?: string; signal?: AbortSignal }): Promise<Segment> {
    return this.call({"method":"POST","path":"/contacts/segments/","isRaw":false,"isKeyed":true}, input) as Promise<Segment>;
  }

  /** Count the contacts that fit a query, before a segment is made of it. */
  countSegmentQuery(input: { body: SegmentCountRequest; signal?: AbortSignal }): Promise<SegmentCount> {
    return this.call({"method":"POST","path":"/contacts/segments/count/","isRaw":false,"isKeyed":false}, input) as Promise<SegmentCount>;
  }

  /** Read a segment, and how many contacts it has. */
  getSegment(input: { "id": string; signal?: AbortSignal }): Promise<SegmentDetail> {
    return this.call({"method":"GET","path":"/contacts/segments/{id}/","isRaw":false,"isKeyed":false}, input) as Promise<SegmentDetail>;
  }

  /** Rename a segment, or change its query. */
  updateSegment(input: { "id": string; body: SegmentPatch; signal?: AbortSignal }): Promise<Segment> {
    return this.call({"method":"PATCH","path":"/contacts/segments/{id}/","isRaw":false,"isKeyed":false}, input) as Promise<Segment>;
  }

  /** Delete a segment. */
  deleteSegment(input: { "id": string; signal?: AbortSignal }): Promise<void> {
    return this.call({"method":"DELETE","path":"/contacts/segments/{id}/","isRaw":false,"isKeyed":false}, input) as Promise<void>;
  }

  /** List addresses that must not be written to, newest first. */
  listOptOuts(input: { query?: { "cursor"?: string | undefined; "limit"?: number | undefined; "channel"?: "wa" | "sms" | "botchat" | "rcs" | "voice" | undefined; "address"?: string | undefined }; signal?: AbortSignal } = {}): Promise<OptOutPage> {
    return this.call({"method":"GET","path":"/contacts/opt-outs/","isRaw":false,"isKeyed":false}, input) as Promise<OptOutPage>;
  }

  /** List addresses that must not be written to, newest first; page after page. */
  eachOfListOptOuts(input: { query?: { "limit"?: number | undefined; "channel"?: "wa" | "sms" | "botchat" | "rcs" | "voice" | undefined; "address"?: string | undefined }; signal?: AbortSignal } = {}): AsyncGenerator<OptOut> {
    return this.pages((cursor) => this.listOptOuts({ ...input, query: { ...('query' in input ? (input.query as object) : {}), cursor } }));
  }

  /** Stop writing to an address on a channel. */
  addOptOut(input: { body: OptOutRequest; idempotencyKey?: string; signal?: AbortSignal }): Promise<OptOut> {
    return this.call({"method":"POST","path":"/contacts/opt-outs/","isRaw":false,"isKeyed":true}, input) as Promise<OptOut>;
  }

  /** Write to an address again, since it agreed. */
  removeOptOut(input: { "id": string; query?: { "note"?: string | undefined }; signal?: AbortSignal }): Promise<void> {
    return this.call({"method":"DELETE","path":"/contacts/opt-outs/{id}/","isRaw":false,"isKeyed":false}, input) as Promise<void>;
  }

  /** What a contact said last, address by address. */
  listConsents(input: { "id": string; signal?: AbortSignal }): Promise<ConsentList> {
    return this.call({"method":"GET","path":"/contacts/{id}/consents/","isRaw":false,"isKeyed":false}, input) as Promise<ConsentList>;
  }

  /** Write down that a contact agreed, or objected, to a channel. */
  recordConsent(input: { "id": string; body: ConsentRequest; idempotencyKey?: string; signal?: AbortSignal }): Promise<ConsentList> {
    return this.call({"method":"POST","path":"/contacts/{id}/consents/","isRaw":false,"isKeyed":true}, input) as Promise<ConsentList>;
  }

  /** Make or change many contacts by a file. */
  importContacts(input: { query?: { "default_country"?: string | undefined; "segment"?: string | undefined; "encoding"?: "utf-8" | "utf-16le" | "utf-16be" | "windows-1252" | "windows-1250" | "windows-1251" | "windows-1256" | "iso-8859-15" | "ibm850" | "gb18030" | undefined }; file: Blob; filename?: string; idempotencyKey?: string; signal?: AbortSignal }): Promise<ContactImport> {
    return this.call({"method":"POST","path":"/contacts/bulk-import/","isRaw":false,"isKeyed":true}, input) as Promise<ContactImport>;
  }

  /** Look at a file of contacts before it is imported. */
  previewContactImport(input: { query?: { "default_country"?: string | undefined; "segment"?: string | undefined; "encoding"?: "utf-8" | "utf-16le" | "utf-16be" | "windows-1252" | "windows-1250" | "windows-1251" | "windows-1256" | "iso-8859-15" | "ibm850" | "gb18030" | undefined }; file: Blob; filename?: string; idempotencyKey?: string; signal?: AbortSignal }): Promise<ContactImportPreview> {
    return this.call({"method":"POST","path":"/contacts/bulk-import/preview/","isRaw":false,"isKeyed":true}, input) as Promise<ContactImportPreview>;
  }

  /** See the preview of a file again. */
  getContactImportPreview(input: { "id": string; signal?: AbortSignal }): Promise<ContactImportPreview> {
    return this.call({"method":"GET","path":"/contacts/bulk-import/{id}/preview/","isRaw":false,"isKeyed":false}, input) as Promise<ContactImportPreview>;
  }

  /** Choose how a file is read, and look at it again. */
  updateContactImportPreview(input: { "id": string; body: ContactImportPreviewPatch; signal?: AbortSignal }): Promise<ContactImportPreview> {
    return this.call({"method":"PATCH","path":"/contacts/bulk-import/{id}/preview/","isRaw":false,"isKeyed":false}, input) as Promise<ContactImportPreview>;
  }

  /** Delete a file that was not started. */
  deleteContactImportPreview(input: { "id": string; signal?: AbortSignal }): Promise<void> {
    return this.call({"method":"DELETE","path":"/contacts/bulk-import/{id}/preview/","isRaw":false,"isKeyed":false}, input) as Promise<void>;
  }

  /** Import a file as its preview shows it. */
  startContactImport(input: { "id": string; signal?: AbortSignal }): Promise<ContactImport> {
    return this.call({"method":"POST","path":"/contacts/bulk-import/{id}/start/","isRaw":false,"isKeyed":false}, input) as Promise<ContactImport>;
  }

  /** See how far an import is. */
  getContactImport(input: { "id": string; signal?: AbortSignal }): Promise<ContactImport> {
    return this.call({"method":"GET","path":"/contacts/bulk-import/{id}/","isRaw":false,"isKeyed":false}, input) as Promise<ContactImport>;
  }

  /** Download which lines could not be used, and why. */
  downloadImportErrors(input: { "id": string; signal?: AbortSignal }): Promise<Response> {
    return this.call({"method":"GET","path":"/contacts/bulk-import/{id}/errors/","isRaw":true,"isKeyed":false}, input) as Promise<Response>;
  }

  /** Download the rows that could not be used, to mend them and import them again. */
  downloadImportProblems(input: { "id": string; signal?: AbortSignal }): Promise<Response> {
    return this.call({"method":"GET","path":"/contacts/bulk-import/{id}/problems/","isRaw":true,"isKeyed":false}, input) as Promise<Response>;
  }

  /** List contacts, newest first. */
  listContacts(input: { query?: { "cursor"?: string | undefined; "limit"?: number | undefined; "segment"?: string | undefined; "attribute"?: string | undefined; "phone"?: string | undefined; "text"?: string | undefined; "created_after"?: string | undefined; "created_before"?: string | undefined }; signal?: AbortSignal } = {}): Promise<ContactPage> {
    return this.call({"method":"GET","path":"/contacts/","isRaw":false,"isKeyed":false}, input) as Promise<ContactPage>;
  }

  /** List contacts, newest first; page after page. */
  eachOfListContacts(input: { query?: { "limit"?: number | undefined; "segment"?: string | undefined; "attribute"?: string | undefined; "phone"?: string | undefined; "text"?: string | undefined; "created_after"?: string | undefined; "created_before"?: string | undefined }; signal?: AbortSignal } = {}): AsyncGenerator<Contact> {
    return this.pages((cursor) => this.listContacts({ ...input, query: { ...('query' in input ? (input.query as object) : {}), cursor } }));
  }

  /** Make a contact. */
  createContact(input: { body: ContactRequest; idempotencyKey?: string; signal?: AbortSignal }): Promise<Contact> {
    return this.call({"method":"POST","path":"/contacts/","isRaw":false,"isKeyed":true}, input) as Promise<Contact>;
  }

  /** Read a contact. */
  getContact(input: { "id": string; signal?: AbortSignal }): Promise<Contact> {
    return this.call({"method":"GET","path":"/contacts/{id}/","isRaw":false,"isKeyed":false}, input) as Promise<Contact>;
  }

  /** Change a contact. */
  updateContact(input: { "id": string; body: ContactPatch; signal?: AbortSignal }): Promise<Contact> {
    return this.call({"method":"PATCH","path":"/contacts/{id}/","isRaw":false,"isKeyed":false}, input) as Promise<Contact>;
  }

  /** Delete a contact. */
  deleteContact(input: { "id": string; signal?: AbortSignal }): Promise<void> {
    return this.call({"method":"DELETE","path":"/contacts/{id}/","isRaw":false,"isKeyed":false}, input) as Promise<void>;
  }

  /** Merge another contact into this one. */
  mergeContact(input: { "id": string; body: ContactMerge; idempotencyKey?: string; signal?: AbortSignal }): Promise<Contact> {
    return this.call({"method":"POST","path":"/contacts/{id}/merge/","isRaw":false,"isKeyed":true}, input) as Promise<Contact>;
  }

  /** List the providers of all channels with their settings. */
  listProviderKinds(input: { signal?: AbortSignal } = {}): Promise<ProviderKindList> {
    return this.call({"method":"GET","path":"/provider-kinds/","isRaw":false,"isKeyed":false}, input) as Promise<ProviderKindList>;
  }

  /** List numbers, oldest first. */
  listWaApps(input: { query?: { "cursor"?: string | undefined; "limit"?: number | undefined }; signal?: AbortSignal } = {}): Promise<AppPage> {
    return this.call({"method":"GET","path":"/wa/v1/apps/","isRaw":false,"isKeyed":false}, input) as Promise<AppPage>;
  }

  /** List numbers, oldest first; page after page. */
  eachOfListWaApps(input: { query?: { "limit"?: number | undefined }; signal?: AbortSignal } = {}): AsyncGenerator<App> {
    return this.pages((cursor) => this.listWaApps({ ...input, query: { ...('query' in input ? (input.query as object) : {}), cursor } }));
  }

  /** Connect an account at a provider. */
  createWaApp(input: { body: WaAppRequest; idempotencyKey?: string; signal?: AbortSignal }): Promise<App> {
    return this.call({"method":"POST","path":"/wa/v1/apps/","isRaw":false,"isKeyed":true}, input) as Promise<App>;
  }

  /** Read an app. */
  getWaApp(input: { "id": string; signal?: AbortSignal }): Promise<App> {
    return this.call({"method":"GET","path":"/wa/v1/apps/{id}/","isRaw":false,"isKeyed":false}, input) as Promise<App>;
  }

  /** Change an app. */
  updateWaApp(input: { "id": string; body: AppPatch; signal?: AbortSignal }): Promise<App> {
    return this.call({"method":"PATCH","path":"/wa/v1/apps/{id}/","isRaw":false,"isKeyed":false}, input) as Promise<App>;
  }

  /** Remove an app. */
  deleteWaApp(input: { "id": string; signal?: AbortSignal }): Promise<void> {
    return this.call({"method":"DELETE","path":"/wa/v1/apps/{id}/","isRaw":false,"isKeyed":false}, input) as Promise<void>;
  }

  /** List SMS apps, oldest first. */
  listSmsApps(input: { query?: { "cursor"?: string | undefined; "limit"?: number | undefined }; signal?: AbortSignal } = {}): Promise<AppPage> {
    return this.call({"method":"GET","path":"/sms/v1/apps/","isRaw":false,"isKeyed":false}, input) as Promise<AppPage>;
  }

  /** List SMS apps, oldest first; page after page. */
  eachOfListSmsApps(input: { query?: { "limit"?: number | undefined }; signal?: AbortSignal } = {}): AsyncGenerator<App> {
    return this.pages((cursor) => this.listSmsApps({ ...input, query: { ...('query' in input ? (input.query as object) : {}), cursor } }));
  }

  /** Connect an account at a provider. */
  createSmsApp(input: { body: SmsAppRequest; idempotencyKey?: string; signal?: AbortSignal }): Promise<App> {
    return this.call({"method":"POST","path":"/sms/v1/apps/","isRaw":false,"isKeyed":true}, input) as Promise<App>;
  }

  /** Read an app. */
  getSmsApp(input: { "id": string; signal?: AbortSignal }): Promise<App> {
    return this.call({"method":"GET","path":"/sms/v1/apps/{id}/","isRaw":false,"isKeyed":false}, input) as Promise<App>;
  }

  /** Change an app. */
  updateSmsApp(input: { "id": string; body: AppPatch; signal?: AbortSignal }): Promise<App> {
    return this.call({"method":"PATCH","path":"/sms/v1/apps/{id}/","isRaw":false,"isKeyed":false}, input) as Promise<App>;
  }

  /** Remove an app. */
  deleteSmsApp(input: { "id": string; signal?: AbortSignal }): Promise<void> {
    return this.call({"method":"DELETE","path":"/sms/v1/apps/{id}/","isRaw":false,"isKeyed":false}, input) as Promise<void>;
  }

  /** List bots, oldest first. */
  listBots(input: { query?: { "cursor"?: string | undefined; "limit"?: number | undefined }; signal?: AbortSignal } = {}): Promise<AppPage> {
    return this.call({"method":"GET","path":"/botchat/v1/bots/","isRaw":false,"isKeyed":false}, input) as Promise<AppPage>;
  }

  /** List bots, oldest first; page after page. */
  eachOfListBots(input: { query?: { "limit"?: number | undefined }; signal?: AbortSignal } = {}): AsyncGenerator<App> {
    return this.pages((cursor) => this.listBots({ ...input, query: { ...('query' in input ? (input.query as object) : {}), cursor } }));
  }

  /** Connect an account at a provider. */
  createBot(input: { body: BotRequest; idempotencyKey?: string; signal?: AbortSignal }): Promise<App> {
    return this.call({"method":"POST","path":"/botchat/v1/bots/","isRaw":false,"isKeyed":true}, input) as Promise<App>;
  }

  /** Read an app. */
  getBot(input: { "id": string; signal?: AbortSignal }): Promise<App> {
    return this.call({"method":"GET","path":"/botchat/v1/bots/{id}/","isRaw":false,"isKeyed":false}, input) as Promise<App>;
  }

  /** Change an app. */
  updateBot(input: { "id": string; body: AppPatch; signal?: AbortSignal }): Promise<App> {
    return this.call({"method":"PATCH","path":"/botchat/v1/bots/{id}/","isRaw":false,"isKeyed":false}, input) as Promise<App>;
  }

  /** Remove an app. */
  deleteBot(input: { "id": string; signal?: AbortSignal }): Promise<void> {
    return this.call({"method":"DELETE","path":"/botchat/v1/bots/{id}/","isRaw":false,"isKeyed":false}, input) as Promise<void>;
  }

  /** List RCS apps, oldest first. */
  listRcsApps(input: { query?: { "cursor"?: string | undefined; "limit"?: number | undefined }; signal?: AbortSignal } = {}): Promise<AppPage> {
    return this.call({"method":"GET","path":"/rcs/v1/apps/","isRaw":false,"isKeyed":false}, input) as Promise<AppPage>;
  }

  /** List RCS apps, oldest first; page after page. */
  eachOfListRcsApps(input: { query?: { "limit"?: number | undefined }; signal?: AbortSignal } = {}): AsyncGenerator<App> {
    return this.pages((cursor) => this.listRcsApps({ ...input, query: { ...('query' in input ? (input.query as object) : {}), cursor } }));
  }

  /** Connect an account at a provider. */
  createRcsApp(input: { body: RcsAppRequest; idempotencyKey?: string; signal?: AbortSignal }): Promise<App> {
    return this.call({"method":"POST","path":"/rcs/v1/apps/","isRaw":false,"isKeyed":true}, input) as Promise<App>;
  }

  /** Read an app. */
  getRcsApp(input: { "id": string; signal?: AbortSignal }): Promise<App> {
    return this.call({"method":"GET","path":"/rcs/v1/apps/{id}/","isRaw":false,"isKeyed":false}, input) as Promise<App>;
  }

  /** Change an app. */
  updateRcsApp(input: { "id": string; body: AppPatch; signal?: AbortSignal }): Promise<App> {
    return this.call({"method":"PATCH","path":"/rcs/v1/apps/{id}/","isRaw":false,"isKeyed":false}, input) as Promise<App>;
  }

  /** Remove an app. */
  deleteRcsApp(input: { "id": string; signal?: AbortSignal }): Promise<void> {
    return this.call({"method":"DELETE","path":"/rcs/v1/apps/{id}/","isRaw":false,"isKeyed":false}, input) as Promise<void>;
  }

  /** List templates and how each stands, newest first. */
  listWaTemplates(input: { query?: { "cursor"?: string | undefined; "limit"?: number | undefined; "name"?: string | undefined; "status"?: "pending" | "approved" | "rejected" | "paused" | "disabled" | "deleted" | undefined }; signal?: AbortSignal } = {}): Promise<TemplatePage> {
    return this.call({"method":"GET","path":"/wa/v1/templates/","isRaw":false,"isKeyed":false}, input) as Promise<TemplatePage>;
  }

  /** List templates and how each stands, newest first; page after page. */
  eachOfListWaTemplates(input: { query?: { "limit"?: number | undefined; "name"?: string | undefined; "status"?: "pending" | "approved" | "rejected" | "paused" | "disabled" | "deleted" | undefined }; signal?: AbortSignal } = {}): AsyncGenerator<Template> {
    return this.pages((cursor) => this.listWaTemplates({ ...input, query: { ...('query' in input ? (input.query as object) : {}), cursor } }));
  }

  /** Submit a template for the network’s approval. */
  submitWaTemplate(input: { body: WaTemplateRequest; idempotencyKey?: string; signal?: AbortSignal }): Promise<Template> {
    return this.call({"method":"POST","path":"/wa/v1/templates/","isRaw":false,"isKeyed":true}, input) as Promise<Template>;
  }

  /** Read a template. */
  getWaTemplate(input: { "id": string; signal?: AbortSignal }): Promise<Template> {
    return this.call({"method":"GET","path":"/wa/v1/templates/{id}/","isRaw":false,"isKeyed":false}, input) as Promise<Template>;
  }

  /** Remove a template. */
  deleteWaTemplate(input: { "id": string; signal?: AbortSignal }): Promise<void> {
    return this.call({"method":"DELETE","path":"/wa/v1/templates/{id}/","isRaw":false,"isKeyed":false}, input) as Promise<void>;
  }

  /** Change a template, and submit it for approval again. */
  updateWaTemplate(input: { "id": string; body: WaTemplatePatch; signal?: AbortSignal }): Promise<Template> {
    return this.call({"method":"PATCH","path":"/wa/v1/templates/{id}/","isRaw":false,"isKeyed":false}, input) as Promise<Template>;
  }

  /** List templates and how each stands, newest first. */
  listSmsTemplates(input: { query?: { "cursor"?: string | undefined; "limit"?: number | undefined; "name"?: string | undefined; "status"?: "pending" | "approved" | "rejected" | "paused" | "disabled" | "deleted" | undefined }; signal?: AbortSignal } = {}): Promise<TemplatePage> {
    return this.call({"method":"GET","path":"/sms/v1/templates/","isRaw":false,"isKeyed":false}, input) as Promise<TemplatePage>;
  }

  /** List templates and how each stands, newest first; page after page. */
  eachOfListSmsTemplates(input: { query?: { "limit"?: number | undefined; "name"?: string | undefined; "status"?: "pending" | "approved" | "rejected" | "paused" | "disabled" | "deleted" | undefined }; signal?: AbortSignal } = {}): AsyncGenerator<Template> {
    return this.pages((cursor) => this.listSmsTemplates({ ...input, query: { ...('query' in input ? (input.query as object) : {}), cursor } }));
  }

  /** Keep a text with places for values. */
  createSmsTemplate(input: { body: TemplateRequest; idempotencyKey?: string; signal?: AbortSignal }): Promise<Template> {
    return this.call({"method":"POST","path":"/sms/v1/templates/","isRaw":false,"isKeyed":true}, input) as Promise<Template>;
  }

  /** Read a template. */
  getSmsTemplate(input: { "id": string; signal?: AbortSignal }): Promise<Template> {
    return this.call({"method":"GET","path":"/sms/v1/templates/{id}/","isRaw":false,"isKeyed":false}, input) as Promise<Template>;
  }

  /** Remove a template. */
  deleteSmsTemplate(input: { "id": string; signal?: AbortSignal }): Promise<void> {
    return this.call({"method":"DELETE","path":"/sms/v1/templates/{id}/","isRaw":false,"isKeyed":false}, input) as Promise<void>;
  }

  /** Change a template. */
  updateSmsTemplate(input: { "id": string; body: TemplatePatch; signal?: AbortSignal }): Promise<Template> {
    return this.call({"method":"PATCH","path":"/sms/v1/templates/{id}/","isRaw":false,"isKeyed":false}, input) as Promise<Template>;
  }

  /** List templates and how each stands, newest first. */
  listBotTemplates(input: { query?: { "cursor"?: string | undefined; "limit"?: number | undefined; "name"?: string | undefined; "status"?: "pending" | "approved" | "rejected" | "paused" | "disabled" | "deleted" | undefined }; signal?: AbortSignal } = {}): Promise<TemplatePage> {
    return this.call({"method":"GET","path":"/botchat/v1/templates/","isRaw":false,"isKeyed":false}, input) as Promise<TemplatePage>;
  }

  /** List templates and how each stands, newest first; page after page. */
  eachOfListBotTemplates(input: { query?: { "limit"?: number | undefined; "name"?: string | undefined; "status"?: "pending" | "approved" | "rejected" | "paused" | "disabled" | "deleted" | undefined }; signal?: AbortSignal } = {}): AsyncGenerator<Template> {
    return this.pages((cursor) => this.listBotTemplates({ ...input, query: { ...('query' in input ? (input.query as object) : {}), cursor } }));
  }

  /** Keep a text with places for values. */
  createBotTemplate(input: { body: TemplateRequest; idempotencyKey?: string; signal?: AbortSignal }): Promise<Template> {
    return this.call({"method":"POST","path":"/botchat/v1/templates/","isRaw":false,"isKeyed":true}, input) as Promise<Template>;
  }

  /** Read a template. */
  getBotTemplate(input: { "id": string; signal?: AbortSignal }): Promise<Template> {
    return this.call({"method":"GET","path":"/botchat/v1/templates/{id}/","isRaw":false,"isKeyed":false}, input) as Promise<Template>;
  }

  /** Remove a template. */
  deleteBotTemplate(input: { "id": string; signal?: AbortSignal }): Promise<void> {
    return this.call({"method":"DELETE","path":"/botchat/v1/templates/{id}/","isRaw":false,"isKeyed":false}, input) as Promise<void>;
  }

  /** Change a template. */
  updateBotTemplate(input: { "id": string; body: TemplatePatch; signal?: AbortSignal }): Promise<Template> {
    return this.call({"method":"PATCH","path":"/botchat/v1/templates/{id}/","isRaw":false,"isKeyed":false}, input) as Promise<Template>;
  }

  /** List templates and how each stands, newest first. */
  listRcsTemplates(input: { query?: { "cursor"?: string | undefined; "limit"?: number | undefined; "name"?: string | undefined; "status"?: "pending" | "approved" | "rejected" | "paused" | "disabled" | "deleted" | undefined }; signal?: AbortSignal } = {}): Promise<TemplatePage> {
    return this.call({"method":"GET","path":"/rcs/v1/templates/","isRaw":false,"isKeyed":false}, input) as Promise<TemplatePage>;
  }

  /** List templates and how each stands, newest first; page after page. */
  eachOfListRcsTemplates(input: { query?: { "limit"?: number | undefined; "name"?: string | undefined; "status"?: "pending" | "approved" | "rejected" | "paused" | "disabled" | "deleted" | undefined }; signal?: AbortSignal } = {}): AsyncGenerator<Template> {
    return this.pages((cursor) => this.listRcsTemplates({ ...input, query: { ...('query' in input ? (input.query as object) : {}), cursor } }));
  }

  /** Keep a text with places for values. */
  createRcsTemplate(input: { body: TemplateRequest; idempotencyKey?: string; signal?: AbortSignal }): Promise<Template> {
    return this.call({"method":"POST","path":"/rcs/v1/templates/","isRaw":false,"isKeyed":true}, input) as Promise<Template>;
  }

  /** Read a template. */
  getRcsTemplate(input: { "id": string; signal?: AbortSignal }): Promise<Template> {
    return this.call({"method":"GET","path":"/rcs/v1/templates/{id}/","isRaw":false,"isKeyed":false}, input) as Promise<Template>;
  }

  /** Remove a template. */
  deleteRcsTemplate(input: { "id": string; signal?: AbortSignal }): Promise<void> {
    return this.call({"method":"DELETE","path":"/rcs/v1/templates/{id}/","isRaw":false,"isKeyed":false}, input) as Promise<void>;
  }

  /** Change a template. */
  updateRcsTemplate(input: { "id": string; body: TemplatePatch; signal?: AbortSignal }): Promise<Template> {
    return this.call({"method":"PATCH","path":"/rcs/v1/templates/{id}/","isRaw":false,"isKeyed":false}, input) as Promise<Template>;
  }

  /** See what the network would refuse of a template, before it is submitted. */
  checkWaTemplate(input: { body: WaTemplateRequest; signal?: AbortSignal }): Promise<TemplateCheck> {
    return this.call({"method":"POST","path":"/wa/v1/templates/check/","isRaw":false,"isKeyed":false}, input) as Promise<TemplateCheck>;
  }

  /** List sent and received messages, newest first. */
  listWaMessages(input: { query?: { "cursor"?: string | undefined; "limit"?: number | undefined; "direction"?: "in" | "out" | undefined; "status"?: "queued" | "sending" | "unknown" | "sent" | "canceled" | "skipped" | "expired" | "failed" | "delivered" | "read" | "received" | undefined; "app_id"?: string | undefined; "contact_id"?: string | undefined; "address"?: string | undefined }; signal?: AbortSignal } = {}): Promise<MessagePage> {
    return this.call({"method":"GET","path":"/wa/v1/messages/","isRaw":false,"isKeyed":false}, input) as Promise<MessagePage>;
  }

  /** List sent and received messages, newest first; page after page. */
  eachOfListWaMessages(input: { query?: { "limit"?: number | undefined; "direction"?: "in" | "out" | undefined; "status"?: "queued" | "sending" | "unknown" | "sent" | "canceled" | "skipped" | "expired" | "failed" | "delivered" | "read" | "received" | undefined; "app_id"?: string | undefined; "contact_id"?: string | undefined; "address"?: string | undefined }; signal?: AbortSignal } = {}): AsyncGenerator<Message> {
    return this.pages((cursor) => this.listWaMessages({ ...input, query: { ...('query' in input ? (input.query as object) : {}), cursor } }));
  }

  /** Send a template or a session message. */
  sendWaMessage(input: { body: WaMessageRequest; idempotencyKey?: string; signal?: AbortSignal }): Promise<QueuedMessage> {
    return this.call({"method":"POST","path":"/wa/v1/messages/","isRaw":false,"isKeyed":true}, input) as Promise<QueuedMessage>;
  }

  /** Read a message. */
  getWaMessage(input: { "id": string; signal?: AbortSignal }): Promise<Message> {
    return this.call({"method":"GET","path":"/wa/v1/messages/{id}/","isRaw":false,"isKeyed":false}, input) as Promise<Message>;
  }

  /** List sent and received messages, newest first. */
  listSmss(input: { query?: { "cursor"?: string | undefined; "limit"?: number | undefined; "direction"?: "in" | "out" | undefined; "status"?: "queued" | "sending" | "unknown" | "sent" | "canceled" | "skipped" | "expired" | "failed" | "delivered" | "read" | "received" | undefined; "app_id"?: string | undefined; "contact_id"?: string | undefined; "address"?: string | undefined }; signal?: AbortSignal } = {}): Promise<MessagePage> {
    return this.call({"method":"GET","path":"/sms/v1/messages/","isRaw":false,"isKeyed":false}, input) as Promise<MessagePage>;
  }

  /** List sent and received messages, newest first; page after page. */
  eachOfListSmss(input: { query?: { "limit"?: number | undefined; "direction"?: "in" | "out" | undefined; "status"?: "queued" | "sending" | "unknown" | "sent" | "canceled" | "skipped" | "expired" | "failed" | "delivered" | "read" | "received" | undefined; "app_id"?: string | undefined; "contact_id"?: string | undefined; "address"?: string | undefined }; signal?: AbortSignal } = {}): AsyncGenerator<Message> {
    return this.pages((cursor) => this.listSmss({ ...input, query: { ...('query' in input ? (input.query as object) : {}), cursor } }));
  }

  /** Send an SMS. */
  sendSms(input: { body: SmsMessageRequest; idempotencyKey?: string; signal?: AbortSignal }): Promise<QueuedMessage> {
    return this.call({"method":"POST","path":"/sms/v1/messages/","isRaw":false,"isKeyed":true}, input) as Promise<QueuedMessage>;
  }

  /** Read a message. */
  getSms(input: { "id": string; signal?: AbortSignal }): Promise<Message> {
    return this.call({"method":"GET","path":"/sms/v1/messages/{id}/","isRaw":false,"isKeyed":false}, input) as Promise<Message>;
  }

  /** List sent and received messages, newest first. */
  listBotMessages(input: { query?: { "cursor"?: string | undefined; "limit"?: number | undefined; "direction"?: "in" | "out" | undefined; "status"?: "queued" | "sending" | "unknown" | "sent" | "canceled" | "skipped" | "expired" | "failed" | "delivered" | "read" | "received" | undefined; "app_id"?: string | undefined; "contact_id"?: string | undefined; "address"?: string | undefined }; signal?: AbortSignal } = {}): Promise<MessagePage> {
    return this.call({"method":"GET","path":"/botchat/v1/messages/","isRaw":false,"isKeyed":false}, input) as Promise<MessagePage>;
  }

  /** List sent and received messages, newest first; page after page. */
  eachOfListBotMessages(input: { query?: { "limit"?: number | undefined; "direction"?: "in" | "out" | undefined; "status"?: "queued" | "sending" | "unknown" | "sent" | "canceled" | "skipped" | "expired" | "failed" | "delivered" | "read" | "received" | undefined; "app_id"?: string | undefined; "contact_id"?: string | undefined; "address"?: string | undefined }; signal?: AbortSignal } = {}): AsyncGenerator<Message> {
    return this.pages((cursor) => this.listBotMessages({ ...input, query: { ...('query' in input ? (input.query as object) : {}), cursor } }));
  }

  /** Send a message to a chat that started the bot. */
  sendBotMessage(input: { body: BotMessageRequest; idempotencyKey?: string; signal?: AbortSignal }): Promise<QueuedMessage> {
    return this.call({"method":"POST","path":"/botchat/v1/messages/","isRaw":false,"isKeyed":true}, input) as Promise<QueuedMessage>;
  }

  /** Read a message. */
  getBotMessage(input: { "id": string; signal?: AbortSignal }): Promise<Message> {
    return this.call({"method":"GET","path":"/botchat/v1/messages/{id}/","isRaw":false,"isKeyed":false}, input) as Promise<Message>;
  }

  /** List sent and received messages, newest first. */
  listRcsMessages(input: { query?: { "cursor"?: string | undefined; "limit"?: number | undefined; "direction"?: "in" | "out" | undefined; "status"?: "queued" | "sending" | "unknown" | "sent" | "canceled" | "skipped" | "expired" | "failed" | "delivered" | "read" | "received" | undefined; "app_id"?: string | undefined; "contact_id"?: string | undefined; "address"?: string | undefined }; signal?: AbortSignal } = {}): Promise<MessagePage> {
    return this.call({"method":"GET","path":"/rcs/v1/messages/","isRaw":false,"isKeyed":false}, input) as Promise<MessagePage>;
  }

  /** List sent and received messages, newest first; page after page. */
  eachOfListRcsMessages(input: { query?: { "limit"?: number | undefined; "direction"?: "in" | "out" | undefined; "status"?: "queued" | "sending" | "unknown" | "sent" | "canceled" | "skipped" | "expired" | "failed" | "delivered" | "read" | "received" | undefined; "app_id"?: string | undefined; "contact_id"?: string | undefined; "address"?: string | undefined }; signal?: AbortSignal } = {}): AsyncGenerator<Message> {
    return this.pages((cursor) => this.listRcsMessages({ ...input, query: { ...('query' in input ? (input.query as object) : {}), cursor } }));
  }

  /** Send a rich card, suggested replies or a text. */
  sendRcsMessage(input: { body: RcsMessageRequest; idempotencyKey?: string; signal?: AbortSignal }): Promise<QueuedMessage> {
    return this.call({"method":"POST","path":"/rcs/v1/messages/","isRaw":false,"isKeyed":true}, input) as Promise<QueuedMessage>;
  }

  /** Read a message. */
  getRcsMessage(input: { "id": string; signal?: AbortSignal }): Promise<Message> {
    return this.call({"method":"GET","path":"/rcs/v1/messages/{id}/","isRaw":false,"isKeyed":false}, input) as Promise<Message>;
  }

  /** Ask whether RCS reaches a number, and what it shows there. */
  getRcsCapability(input: { query?: { "phone"?: string | undefined; "app_id"?: string | undefined }; signal?: AbortSignal } = {}): Promise<RcsCapability> {
    return this.call({"method":"GET","path":"/rcs/v1/capabilities/","isRaw":false,"isKeyed":false}, input) as Promise<RcsCapability>;
  }

  /** Ask which of many numbers RCS reaches. */
  checkRcsReach(input: { body: RcsReachRequest; signal?: AbortSignal }): Promise<RcsReach> {
    return this.call({"method":"POST","path":"/rcs/v1/capabilities/","isRaw":false,"isKeyed":false}, input) as Promise<RcsReach>;
  }

  /** Take back a message that has not arrived. */
  revokeRcsMessage(input: { "id": string; signal?: AbortSignal }): Promise<Message> {
    return this.call({"method":"POST","path":"/rcs/v1/messages/{id}/revoke/","isRaw":false,"isKeyed":false}, input) as Promise<Message>;
  }

  /** A provider tells of messages or reports. */
  receiveInboundSms(input: { "app_id": string; signal?: AbortSignal }): Promise<Response> {
    return this.call({"method":"POST","path":"/sms/v1/webhooks/{app_id}/inbound/","isRaw":true,"isKeyed":false}, input) as Promise<Response>;
  }

  /** A provider tells of messages or reports. */
  receiveInboundSmsByGet(input: { "app_id": string; signal?: AbortSignal }): Promise<Response> {
    return this.call({"method":"GET","path":"/sms/v1/webhooks/{app_id}/inbound/","isRaw":true,"isKeyed":false}, input) as Promise<Response>;
  }

  /** A provider tells of messages or reports. */
  receiveSmsReport(input: { "app_id": string; signal?: AbortSignal }): Promise<Response> {
    return this.call({"method":"POST","path":"/sms/v1/webhooks/{app_id}/dlr/","isRaw":true,"isKeyed":false}, input) as Promise<Response>;
  }

  /** A provider tells of messages or reports. */
  receiveSmsReportByGet(input: { "app_id": string; signal?: AbortSignal }): Promise<Response> {
    return this.call({"method":"GET","path":"/sms/v1/webhooks/{app_id}/dlr/","isRaw":true,"isKeyed":false}, input) as Promise<Response>;
  }

  /** A provider tells of messages or reports. */
  receiveBotUpdate(input: { "app_id": string; signal?: AbortSignal }): Promise<Response> {
    return this.call({"method":"POST","path":"/botchat/v1/webhooks/{app_id}/","isRaw":true,"isKeyed":false}, input) as Promise<Response>;
  }

  /** A provider tells of messages or reports. */
  receiveRcsEvent(input: { "app_id": string; signal?: AbortSignal }): Promise<Response> {
    return this.call({"method":"POST","path":"/rcs/v1/webhooks/{app_id}/","isRaw":true,"isKeyed":false}, input) as Promise<Response>;
  }

  /** The network tries the address. */
  verifyWaWebhook(input: { "tenant_id": string; signal?: AbortSignal }): Promise<Response> {
    return this.call({"method":"GET","path":"/wa/v1/webhooks/{tenant_id}/","isRaw":true,"isKeyed":false}, input) as Promise<Response>;
  }

  /** The network tells of messages. */
  receiveWaWebhook(input: { "tenant_id": string; signal?: AbortSignal }): Promise<Response> {
    return this.call({"method":"POST","path":"/wa/v1/webhooks/{tenant_id}/","isRaw":true,"isKeyed":false}, input) as Promise<Response>;
  }

  /** List webhooks about numbers that no app has, newest first. */
  listUnroutedWebhooks(input: { query?: { "cursor"?: string | undefined; "limit"?: number | undefined; "phone_number_id"?: string | undefined }; signal?: AbortSignal } = {}): Promise<UnroutedWebhookPage> {
    return this.call({"method":"GET","path":"/wa/v1/unrouted/","isRaw":false,"isKeyed":false}, input) as Promise<UnroutedWebhookPage>;
  }

  /** List webhooks about numbers that no app has, newest first; page after page. */
  eachOfListUnroutedWebhooks(input: { query?: { "limit"?: number | undefined; "phone_number_id"?: string | undefined }; signal?: AbortSignal } = {}): AsyncGenerator<UnroutedWebhook> {
    return this.pages((cursor) => this.listUnroutedWebhooks({ ...input, query: { ...('query' in input ? (input.query as object) : {}), cursor } }));
  }

  /** Take in webhooks that came before their number had an app. */
  replayUnroutedWebhooks(input: { body?: UnroutedReplay; signal?: AbortSignal } = {}): Promise<UnroutedReplayed> {
    return this.call({"method":"POST","path":"/wa/v1/unrouted/replay/","isRaw":false,"isKeyed":false}, input) as Promise<UnroutedReplayed>;
  }

  /** List messages and calls of every channel and direction, newest first. */
  listInboxMessages(input: { query?: { "cursor"?: string | undefined; "limit"?: number | undefined; "conversation"?: string | undefined; "contact"?: string | undefined; "channel"?: "wa" | "sms" | "botchat" | "rcs" | "voice" | undefined; "assignee"?: string | undefined; "state"?: "open" | "snoozed" | "closed" | undefined; "text"?: string | undefined; "since"?: string | undefined; "until"?: string | undefined }; signal?: AbortSignal } = {}): Promise<InboxMessagePage> {
    return this.call({"method":"GET","path":"/team-inbox/api/messages/","isRaw":false,"isKeyed":false}, input) as Promise<InboxMessagePage>;
  }

  /** List messages and calls of every channel and direction, newest first; page after page. */
  eachOfListInboxMessages(input: { query?: { "limit"?: number | undefined; "conversation"?: string | undefined; "contact"?: string | undefined; "channel"?: "wa" | "sms" | "botchat" | "rcs" | "voice" | undefined; "assignee"?: string | undefined; "state"?: "open" | "snoozed" | "closed" | undefined; "text"?: string | undefined; "since"?: string | undefined; "until"?: string | undefined }; signal?: AbortSignal } = {}): AsyncGenerator<InboxMessage> {
    return this.pages((cursor) => this.listInboxMessages({ ...input, query: { ...('query' in input ? (input.query as object) : {}), cursor } }));
  }

  /** List conversations, those with the newest messages or the longest waits first. */
  listConversations(input: { query?: { "cursor"?: string | undefined; "limit"?: number | undefined; "state"?: "open" | "snoozed" | "closed" | undefined; "assignee"?: string | undefined; "channel"?: "wa" | "sms" | "botchat" | "rcs" | "voice" | undefined; "contact"?: string | undefined; "tag"?: string | undefined; "unread"?: "true" | "false" | undefined; "waiting"?: "true" | "false" | undefined; "order"?: "newest" | "longest_wait" | undefined }; signal?: AbortSignal } = {}): Promise<ConversationPage> {
    return this.call({"method":"GET","path":"/team-inbox/api/conversations/","isRaw":false,"isKeyed":false}, input) as Promise<ConversationPage>;
  }

  /** List conversations, those with the newest messages or the longest waits first; page after page. */
  eachOfListConversations(input: { query?: { "limit"?: number | undefined; "state"?: "open" | "snoozed" | "closed" | undefined; "assignee"?: string | undefined; "channel"?: "wa" | "sms" | "botchat" | "rcs" | "voice" | undefined; "contact"?: string | undefined; "tag"?: string | undefined; "unread"?: "true" | "false" | undefined; "waiting"?: "true" | "false" | undefined; "order"?: "newest" | "longest_wait" | undefined }; signal?: AbortSignal } = {}): AsyncGenerator<Conversation> {
    return this.pages((cursor) => this.listConversations({ ...input, query: { ...('query' in input ? (input.query as object) : {}), cursor } }));
  }

  /** Assign, snooze, close, open or tag many conversations. */
  updateConversations(input: { body: ConversationsPatch; signal?: AbortSignal }): Promise<Conversations> {
    return this.call({"method":"PATCH","path":"/team-inbox/api/conversations/","isRaw":false,"isKeyed":false}, input) as Promise<Conversations>;
  }

  /** Read a conversation, and who has read it. */
  getConversation(input: { "id": string; signal?: AbortSignal }): Promise<ConversationDetail> {
    return this.call({"method":"GET","path":"/team-inbox/api/conversations/{id}/","isRaw":false,"isKeyed":false}, input) as Promise<ConversationDetail>;
  }

  /** Assign, snooze, close, open or tag a conversation. */
  updateConversation(input: { "id": string; body: ConversationPatch; signal?: AbortSignal }): Promise<Conversation> {
    return this.call({"method":"PATCH","path":"/team-inbox/api/conversations/{id}/","isRaw":false,"isKeyed":false}, input) as Promise<Conversation>;
  }

  /** Mark messages of a conversation as read. */
  readConversation(input: { "id": string; body?: ConversationReadRequest; signal?: AbortSignal }): Promise<Conversation> {
    return this.call({"method":"POST","path":"/team-inbox/api/conversations/{id}/read/","isRaw":false,"isKeyed":false}, input) as Promise<Conversation>;
  }

  /** List who did what with a conversation, newest first. */
  listConversationHistory(input: { "id": string; query?: { "cursor"?: string | undefined; "limit"?: number | undefined }; signal?: AbortSignal }): Promise<ConversationHistoryPage> {
    return this.call({"method":"GET","path":"/team-inbox/api/conversations/{id}/history/","isRaw":false,"isKeyed":false}, input) as Promise<ConversationHistoryPage>;
  }

  /** List who did what with a conversation, newest first; page after page. */
  eachOfListConversationHistory(input: { "id": string; query?: { "limit"?: number | undefined }; signal?: AbortSignal }): AsyncGenerator<ConversationHistoryEntry> {
    return this.pages((cursor) => this.listConversationHistory({ ...input, query: { ...('query' in input ? (input.query as object) : {}), cursor } }));
  }

  /** List internal notes, newest first. */
  listConversationNotes(input: { "id": string; query?: { "cursor"?: string | undefined; "limit"?: number | undefined }; signal?: AbortSignal }): Promise<ConversationNotePage> {
    return this.call({"method":"GET","path":"/team-inbox/api/conversations/{id}/notes/","isRaw":false,"isKeyed":false}, input) as Promise<ConversationNotePage>;
  }

  /** List internal notes, newest first; page after page. */
  eachOfListConversationNotes(input: { "id": string; query?: { "limit"?: number | undefined }; signal?: AbortSignal }): AsyncGenerator<ConversationNote> {
    return this.pages((cursor) => this.listConversationNotes({ ...input, query: { ...('query' in input ? (input.query as object) : {}), cursor } }));
  }

  /** Write an internal note. */
  addConversationNote(input: { "id": string; body: ConversationNoteRequest; idempotencyKey?: string; signal?: AbortSignal }): Promise<ConversationNote> {
    return this.call({"method":"POST","path":"/team-inbox/api/conversations/{id}/notes/","isRaw":false,"isKeyed":true}, input) as Promise<ConversationNote>;
  }

  /** Answer the person. */
  replyToConversation(input: { "id": string; body: ConversationReplyRequest; idempotencyKey?: string; signal?: AbortSignal }): Promise<QueuedMessage> {
    return this.call({"method":"POST","path":"/team-inbox/api/conversations/{id}/reply/","isRaw":false,"isKeyed":true}, input) as Promise<QueuedMessage>;
  }

  /** List canned replies, oldest first. */
  listCannedReplies(input: { query?: { "cursor"?: string | undefined; "limit"?: number | undefined }; signal?: AbortSignal } = {}): Promise<CannedReplyPage> {
    return this.call({"method":"GET","path":"/team-inbox/api/canned-replies/","isRaw":false,"isKeyed":false}, input) as Promise<CannedReplyPage>;
  }

  /** List canned replies, oldest first; page after page. */
  eachOfListCannedReplies(input: { query?: { "limit"?: number | undefined }; signal?: AbortSignal } = {}): AsyncGenerator<CannedReply> {
    return this.pages((cursor) => this.listCannedReplies({ ...input, query: { ...('query' in input ? (input.query as object) : {}), cursor } }));
  }

  /** Make a canned reply. */
  createCannedReply(input: { body: CannedReplyRequest; idempotencyKey?: string; signal?: AbortSignal }): Promise<CannedReply> {
    return this.call({"method":"POST","path":"/team-inbox/api/canned-replies/","isRaw":false,"isKeyed":true}, input) as Promise<CannedReply>;
  }

  /** List canned replies as they read in a conversation. */
  listFilledCannedReplies(input: { "id": string; signal?: AbortSignal }): Promise<FilledCannedReplies> {
    return this.call({"method":"GET","path":"/team-inbox/api/conversations/{id}/canned-replies/","isRaw":false,"isKeyed":false}, input) as Promise<FilledCannedReplies>;
  }

  /** Change a canned reply. */
  updateCannedReply(input: { "id": string; body: CannedReplyPatch; signal?: AbortSignal }): Promise<CannedReply> {
    return this.call({"method":"PATCH","path":"/team-inbox/api/canned-replies/{id}/","isRaw":false,"isKeyed":false}, input) as Promise<CannedReply>;
  }

  /** Remove a canned reply. */
  deleteCannedReply(input: { "id": string; signal?: AbortSignal }): Promise<void> {
    return this.call({"method":"DELETE","path":"/team-inbox/api/canned-replies/{id}/","isRaw":false,"isKeyed":false}, input) as Promise<void>;
  }

  /** List files of a conversation, newest first. */
  listConversationAttachments(input: { "id": string; query?: { "cursor"?: string | undefined; "limit"?: number | undefined }; signal?: AbortSignal }): Promise<ConversationAttachmentPage> {
    return this.call({"method":"GET","path":"/team-inbox/api/conversations/{id}/attachments/","isRaw":false,"isKeyed":false}, input) as Promise<ConversationAttachmentPage>;
  }

  /** List files of a conversation, newest first; page after page. */
  eachOfListConversationAttachments(input: { "id": string; query?: { "limit"?: number | undefined }; signal?: AbortSignal }): AsyncGenerator<ConversationAttachment> {
    return this.pages((cursor) => this.listConversationAttachments({ ...input, query: { ...('query' in input ? (input.query as object) : {}), cursor } }));
  }

  /** Keep a file with a conversation. */
  addConversationAttachment(input: { "id": string; file: Blob; filename?: string; idempotencyKey?: string; signal?: AbortSignal }): Promise<ConversationAttachment> {
    return this.call({"method":"POST","path":"/team-inbox/api/conversations/{id}/attachments/","isRaw":false,"isKeyed":true}, input) as Promise<ConversationAttachment>;
  }

  /** Download a file of a conversation. */
  downloadAttachment(input: { "id": string; signal?: AbortSignal }): Promise<Response> {
    return this.call({"method":"GET","path":"/team-inbox/api/attachments/{id}/","isRaw":true,"isKeyed":false}, input) as Promise<Response>;
  }

  /** Delete a file of a conversation. */
  deleteAttachment(input: { "id": string; signal?: AbortSignal }): Promise<void> {
    return this.call({"method":"DELETE","path":"/team-inbox/api/attachments/{id}/","isRaw":false,"isKeyed":false}, input) as Promise<void>;
  }

  /** Print a conversation as a signed PDF. */
  exportConversation(input: { body: InboxExportRequest; signal?: AbortSignal }): Promise<Response> {
    return this.call({"method":"POST","path":"/team-inbox/api/export-pdf/","isRaw":true,"isKeyed":false}, input) as Promise<Response>;
  }

  /** The detached signature of an export. */
  getExportSignature(input: { "id": string; signal?: AbortSignal }): Promise<PdfSignature> {
    return this.call({"method":"GET","path":"/team-inbox/api/exports/{id}/signature/","isRaw":false,"isKeyed":false}, input) as Promise<PdfSignature>;
  }

  /** How fast and how much the team answers. */
  getInboxStats(input: { query?: { "since"?: string | undefined; "until"?: string | undefined }; signal?: AbortSignal } = {}): Promise<InboxStats> {
    return this.call({"method":"GET","path":"/team-inbox/api/stats/","isRaw":false,"isKeyed":false}, input) as Promise<InboxStats>;
  }

  /** Count messages and conversations day by day. */
  getInboxDays(input: { query?: { "first_day"?: string | undefined; "last_day"?: string | undefined }; signal?: AbortSignal } = {}): Promise<InboxDays> {
    return this.call({"method":"GET","path":"/team-inbox/api/stats/days/","isRaw":false,"isKeyed":false}, input) as Promise<InboxDays>;
  }

  /** Read business hours and what is promised. */
  getInboxSettings(input: { signal?: AbortSignal } = {}): Promise<InboxSettings> {
    return this.call({"method":"GET","path":"/team-inbox/api/settings/","isRaw":false,"isKeyed":false}, input) as Promise<InboxSettings>;
  }

  /** Set business hours and what is promised. */
  setInboxSettings(input: { body: InboxSettingsRequest; signal?: AbortSignal }): Promise<InboxSettings> {
    return this.call({"method":"PUT","path":"/team-inbox/api/settings/","isRaw":false,"isKeyed":false}, input) as Promise<InboxSettings>;
  }

  /** Watch what changes, as Server-Sent Events. */
  watchInbox(input: { signal?: AbortSignal } = {}): Promise<Response> {
    return this.call({"method":"GET","path":"/team-inbox/api/events/","isRaw":true,"isKeyed":false}, input) as Promise<Response>;
  }

  /** Tell the team that you look at a conversation, or type an answer. */
  tellPresence(input: { "id": string; body: ConversationPresence; signal?: AbortSignal }): Promise<void> {
    return this.call({"method":"POST","path":"/team-inbox/api/conversations/{id}/presence/","isRaw":false,"isKeyed":false}, input) as Promise<void>;
  }

  /** List the names of the members, and who may answer. */
  listTeam(input: { query?: { "cursor"?: string | undefined; "limit"?: number | undefined; "former"?: "true" | "false" | undefined }; signal?: AbortSignal } = {}): Promise<TeamPage> {
    return this.call({"method":"GET","path":"/team-inbox/api/team/","isRaw":false,"isKeyed":false}, input) as Promise<TeamPage>;
  }

  /** List the names of the members, and who may answer; page after page. */
  eachOfListTeam(input: { query?: { "limit"?: number | undefined; "former"?: "true" | "false" | undefined }; signal?: AbortSignal } = {}): AsyncGenerator<Teammate> {
    return this.pages((cursor) => this.listTeam({ ...input, query: { ...('query' in input ? (input.query as object) : {}), cursor } }));
  }

  /** Have events sent to an address. */
  createWebhookEndpoint(input: { body: WebhookEndpointRequest; idempotencyKey?: string; signal?: AbortSignal }): Promise<WebhookEndpointWithSecret> {
    return this.call({"method":"POST","path":"/webhook-endpoints/","isRaw":false,"isKeyed":true}, input) as Promise<WebhookEndpointWithSecret>;
  }

  /** List endpoints, oldest first. */
  listWebhookEndpoints(input: { query?: { "cursor"?: string | undefined; "limit"?: number | undefined }; signal?: AbortSignal } = {}): Promise<WebhookEndpointPage> {
    return this.call({"method":"GET","path":"/webhook-endpoints/","isRaw":false,"isKeyed":false}, input) as Promise<WebhookEndpointPage>;
  }

  /** List endpoints, oldest first; page after page. */
  eachOfListWebhookEndpoints(input: { query?: { "limit"?: number | undefined }; signal?: AbortSignal } = {}): AsyncGenerator<WebhookEndpoint> {
    return this.pages((cursor) => this.listWebhookEndpoints({ ...input, query: { ...('query' in input ? (input.query as object) : {}), cursor } }));
  }

  /** Read an endpoint. */
  getWebhookEndpoint(input: { "id": string; signal?: AbortSignal }): Promise<WebhookEndpoint> {
    return this.call({"method":"GET","path":"/webhook-endpoints/{id}/","isRaw":false,"isKeyed":false}, input) as Promise<WebhookEndpoint>;
  }

  /** Change, disable or enable an endpoint. */
  updateWebhookEndpoint(input: { "id": string; body: WebhookEndpointPatch; signal?: AbortSignal }): Promise<WebhookEndpoint> {
    return this.call({"method":"PATCH","path":"/webhook-endpoints/{id}/","isRaw":false,"isKeyed":false}, input) as Promise<WebhookEndpoint>;
  }

  /** Remove an endpoint. */
  deleteWebhookEndpoint(input: { "id": string; signal?: AbortSignal }): Promise<void> {
    return this.call({"method":"DELETE","path":"/webhook-endpoints/{id}/","isRaw":false,"isKeyed":false}, input) as Promise<void>;
  }

  /** Replace the signing secret. */
  rotateWebhookSecret(input: { "id": string; body?: RotateSecretRequest; signal?: AbortSignal }): Promise<WebhookEndpointWithSecret> {
    return this.call({"method":"POST","path":"/webhook-endpoints/{id}/rotate-secret/","isRaw":false,"isKeyed":false}, input) as Promise<WebhookEndpointWithSecret>;
  }

  /** Send a signed webhook.test event and see what the endpoint answers. */
  testWebhookEndpoint(input: { "id": string; signal?: AbortSignal }): Promise<WebhookDelivery> {
    return this.call({"method":"POST","path":"/webhook-endpoints/{id}/test/","isRaw":false,"isKeyed":false}, input) as Promise<WebhookDelivery>;
  }

  /** List deliveries with their attempts, newest event first. */
  listWebhookDeliveries(input: { "id": string; query?: { "cursor"?: string | undefined; "limit"?: number | undefined; "state"?: "pending" | "delivered" | "failed" | "held" | "set_aside" | undefined }; signal?: AbortSignal }): Promise<WebhookDeliveryPage> {
    return this.call({"method":"GET","path":"/webhook-endpoints/{id}/deliveries/","isRaw":false,"isKeyed":false}, input) as Promise<WebhookDeliveryPage>;
  }

  /** List deliveries with their attempts, newest event first; page after page. */
  eachOfListWebhookDeliveries(input: { "id": string; query?: { "limit"?: number | undefined; "state"?: "pending" | "delivered" | "failed" | "held" | "set_aside" | undefined }; signal?: AbortSignal }): AsyncGenerator<WebhookDelivery> {
    return this.pages((cursor) => this.listWebhookDeliveries({ ...input, query: { ...('query' in input ? (input.query as object) : {}), cursor } }));
  }

  /** Read a delivery with all that was kept of its attempts. */
  getWebhookDelivery(input: { "id": string; "delivery_id": string; signal?: AbortSignal }): Promise<WebhookDelivery> {
    return this.call({"method":"GET","path":"/webhook-endpoints/{id}/deliveries/{delivery_id}/","isRaw":false,"isKeyed":false}, input) as Promise<WebhookDelivery>;
  }

  /** Send an event again, in any state. */
  resendWebhookDelivery(input: { "id": string; "delivery_id": string; signal?: AbortSignal }): Promise<WebhookDelivery> {
    return this.call({"method":"POST","path":"/webhook-endpoints/{id}/deliveries/{delivery_id}/resend/","isRaw":false,"isKeyed":false}, input) as Promise<WebhookDelivery>;
  }

  /** Send the events of a past time again. */
  replayWebhookEvents(input: { "id": string; body: WebhookReplayRequest; idempotencyKey?: string; signal?: AbortSignal }): Promise<WebhookReplay> {
    return this.call({"method":"POST","path":"/webhook-endpoints/{id}/replay/","isRaw":false,"isKeyed":true}, input) as Promise<WebhookReplay>;
  }

  /** List broadcasts, newest first. */
  listBroadcasts(input: { query?: { "cursor"?: string | undefined; "limit"?: number | undefined; "channel"?: "wa" | "sms" | "botchat" | "rcs" | undefined; "status"?: "queued" | "running" | "paused" | "completed" | "failed" | "canceled" | undefined }; signal?: AbortSignal } = {}): Promise<BroadcastPage> {
    return this.call({"method":"GET","path":"/broadcast/","isRaw":false,"isKeyed":false}, input) as Promise<BroadcastPage>;
  }

  /** List broadcasts, newest first; page after page. */
  eachOfListBroadcasts(input: { query?: { "limit"?: number | undefined; "channel"?: "wa" | "sms" | "botchat" | "rcs" | undefined; "status"?: "queued" | "running" | "paused" | "completed" | "failed" | "canceled" | undefined }; signal?: AbortSignal } = {}): AsyncGenerator<Broadcast> {
    return this.pages((cursor) => this.listBroadcasts({ ...input, query: { ...('query' in input ? (input.query as object) : {}), cursor } }));
  }

  /** Send a template to a segment, now or later. */
  createBroadcast(input: { body: BroadcastRequest; idempotencyKey?: string; signal?: AbortSignal }): Promise<(BroadcastForecast | Broadcast)> {
    return this.call({"method":"POST","path":"/broadcast/","isRaw":false,"isKeyed":true}, input) as Promise<(BroadcastForecast | Broadcast)>;
  }

  /** Send a template to a few people who are named, as a broadcast would. */
  testBroadcast(input: { body: BroadcastTestRequest; idempotencyKey?: string; signal?: AbortSignal }): Promise<Broadcast> {
    return this.call({"method":"POST","path":"/broadcast/test/","isRaw":false,"isKeyed":true}, input) as Promise<Broadcast>;
  }

  /** List the messages of broadcasts. */
  listBroadcastMessages(input: { query?: { "cursor"?: string | undefined; "limit"?: number | undefined; "broadcast"?: string | undefined; "status"?: "queued" | "sending" | "unknown" | "sent" | "canceled" | "skipped" | "expired" | "failed" | "delivered" | "read" | undefined }; signal?: AbortSignal } = {}): Promise<BroadcastMessagePage> {
    return this.call({"method":"GET","path":"/broadcast/messages/","isRaw":false,"isKeyed":false}, input) as Promise<BroadcastMessagePage>;
  }

  /** List the messages of broadcasts; page after page. */
  eachOfListBroadcastMessages(input: { query?: { "limit"?: number | undefined; "broadcast"?: string | undefined; "status"?: "queued" | "sending" | "unknown" | "sent" | "canceled" | "skipped" | "expired" | "failed" | "delivered" | "read" | undefined }; signal?: AbortSignal } = {}): AsyncGenerator<Message> {
    return this.pages((cursor) => this.listBroadcastMessages({ ...input, query: { ...('query' in input ? (input.query as object) : {}), cursor } }));
  }

  /** List clicks on short links, or web addresses with their clicks. */
  listLinkClicks(input: { query?: { "cursor"?: string | undefined; "limit"?: number | undefined; "broadcast"?: string | undefined; "by"?: "click" | "url" | undefined }; signal?: AbortSignal } = {}): Promise<(LinkClickPage | TrackedUrlPage)> {
    return this.call({"method":"GET","path":"/broadcast/url-tracking/","isRaw":false,"isKeyed":false}, input) as Promise<(LinkClickPage | TrackedUrlPage)>;
  }

  /** Rates of delivery, reading, clicks, replies and failures. */
  getBroadcastDashboard(input: { query?: { "broadcast"?: string | undefined; "channel"?: "wa" | "sms" | "botchat" | "rcs" | undefined; "from"?: string | undefined; "until"?: string | undefined; "interval"?: "hour" | "day" | undefined }; signal?: AbortSignal } = {}): Promise<BroadcastDashboard> {
    return this.call({"method":"GET","path":"/broadcast/dashboard/","isRaw":false,"isKeyed":false}, input) as Promise<BroadcastDashboard>;
  }

  /** Read whether reports of broadcasts are mailed. */
  getBroadcastReportSettings(input: { signal?: AbortSignal } = {}): Promise<BroadcastReportSettings> {
    return this.call({"method":"GET","path":"/broadcast/report-settings/","isRaw":false,"isKeyed":false}, input) as Promise<BroadcastReportSettings>;
  }

  /** Set whether reports of broadcasts are mailed. */
  setBroadcastReportSettings(input: { body: BroadcastReportSettingsRequest; signal?: AbortSignal }): Promise<BroadcastReportSettings> {
    return this.call({"method":"PUT","path":"/broadcast/report-settings/","isRaw":false,"isKeyed":false}, input) as Promise<BroadcastReportSettings>;
  }

  /** Read a broadcast. */
  getBroadcast(input: { "id": string; signal?: AbortSignal }): Promise<Broadcast> {
    return this.call({"method":"GET","path":"/broadcast/{id}/","isRaw":false,"isKeyed":false}, input) as Promise<Broadcast>;
  }

  /** Change when a broadcast is sent. */
  updateBroadcast(input: { "id": string; body: BroadcastPatch; signal?: AbortSignal }): Promise<Broadcast> {
    return this.call({"method":"PATCH","path":"/broadcast/{id}/","isRaw":false,"isKeyed":false}, input) as Promise<Broadcast>;
  }

  /** The recipients of a broadcast as a CSV file. */
  exportBroadcastRecipients(input: { "id": string; query?: { "status"?: "queued" | "sending" | "unknown" | "sent" | "canceled" | "skipped" | "expired" | "failed" | "delivered" | "read" | undefined }; signal?: AbortSignal }): Promise<Response> {
    return this.call({"method":"GET","path":"/broadcast/{id}/recipients/","isRaw":true,"isKeyed":false}, input) as Promise<Response>;
  }

  /** Send a broadcast again to those whom it did not reach. */
  resendBroadcast(input: { "id": string; body?: BroadcastResend; idempotencyKey?: string; signal?: AbortSignal }): Promise<Broadcast> {
    return this.call({"method":"POST","path":"/broadcast/{id}/resend/","isRaw":false,"isKeyed":true}, input) as Promise<Broadcast>;
  }

  /** Pause a broadcast. */
  pauseBroadcast(input: { "id": string; signal?: AbortSignal }): Promise<Broadcast> {
    return this.call({"method":"POST","path":"/broadcast/{id}/pause/","isRaw":false,"isKeyed":false}, input) as Promise<Broadcast>;
  }

  /** Resume a paused broadcast. */
  resumeBroadcast(input: { "id": string; signal?: AbortSignal }): Promise<Broadcast> {
    return this.call({"method":"POST","path":"/broadcast/{id}/resume/","isRaw":false,"isKeyed":false}, input) as Promise<Broadcast>;
  }

  /** Cancel a broadcast; messages not yet sent are never sent. */
  cancelBroadcast(input: { "id": string; signal?: AbortSignal }): Promise<Broadcast> {
    return this.call({"method":"POST","path":"/broadcast/{id}/cancel/","isRaw":false,"isKeyed":false}, input) as Promise<Broadcast>;
  }

  /** Send a template to a segment, now or later. */
  createSmsBroadcast(input: { body: ChannelBroadcastRequest; idempotencyKey?: string; signal?: AbortSignal }): Promise<(BroadcastForecast | Broadcast)> {
    return this.call({"method":"POST","path":"/sms/v1/broadcast/","isRaw":false,"isKeyed":true}, input) as Promise<(BroadcastForecast | Broadcast)>;
  }

  /** Send a template to a segment, now or later. */
  createBotBroadcast(input: { body: ChannelBroadcastRequest; idempotencyKey?: string; signal?: AbortSignal }): Promise<(BroadcastForecast | Broadcast)> {
    return this.call({"method":"POST","path":"/botchat/v1/broadcast/","isRaw":false,"isKeyed":true}, input) as Promise<(BroadcastForecast | Broadcast)>;
  }

  /** Send a template to a segment, now or later. */
  createRcsBroadcast(input: { body: ChannelBroadcastRequest; idempotencyKey?: string; signal?: AbortSignal }): Promise<(BroadcastForecast | Broadcast)> {
    return this.call({"method":"POST","path":"/rcs/v1/broadcast/","isRaw":false,"isKeyed":true}, input) as Promise<(BroadcastForecast | Broadcast)>;
  }

  /** Follow a short link. */
  followLink(input: { "code": string; signal?: AbortSignal }): Promise<void> {
    return this.call({"method":"GET","path":"/l/{code}/","isRaw":false,"isKeyed":false}, input) as Promise<void>;
  }

  /** Read how long messages and contacts are kept. */
  getRetention(input: { signal?: AbortSignal } = {}): Promise<Retention> {
    return this.call({"method":"GET","path":"/retention/","isRaw":false,"isKeyed":false}, input) as Promise<Retention>;
  }

  /** Set how long messages and contacts are kept. */
  setRetention(input: { body: Retention; signal?: AbortSignal }): Promise<Retention> {
    return this.call({"method":"PUT","path":"/retention/","isRaw":false,"isKeyed":false}, input) as Promise<Retention>;
  }

  /** List the voice providers with their settings. */
  listVoiceProviderKinds(input: { signal?: AbortSignal } = {}): Promise<ProviderKindList> {
    return this.call({"method":"GET","path":"/voice/api/provider-kinds/","isRaw":false,"isKeyed":false}, input) as Promise<ProviderKindList>;
  }

  /** List configured voice providers, newest first. */
  listVoiceProviders(input: { query?: { "cursor"?: string | undefined; "limit"?: number | undefined }; signal?: AbortSignal } = {}): Promise<VoiceProviderPage> {
    return this.call({"method":"GET","path":"/voice/api/provider-configs/","isRaw":false,"isKeyed":false}, input) as Promise<VoiceProviderPage>;
  }

  /** List configured voice providers, newest first; page after page. */
  eachOfListVoiceProviders(input: { query?: { "limit"?: number | undefined }; signal?: AbortSignal } = {}): AsyncGenerator<VoiceProvider> {
    return this.pages((cursor) => this.listVoiceProviders({ ...input, query: { ...('query' in input ? (input.query as object) : {}), cursor } }));
  }

  /** Configure a voice provider or a PBX. */
  createVoiceProvider(input: { body: VoiceProviderRequest; idempotencyKey?: string; signal?: AbortSignal }): Promise<VoiceProvider> {
    return this.call({"method":"POST","path":"/voice/api/provider-configs/","isRaw":false,"isKeyed":true}, input) as Promise<VoiceProvider>;
  }

  /** Read a provider configuration. */
  getVoiceProvider(input: { "id": string; signal?: AbortSignal }): Promise<VoiceProvider> {
    return this.call({"method":"GET","path":"/voice/api/provider-configs/{id}/","isRaw":false,"isKeyed":false}, input) as Promise<VoiceProvider>;
  }

  /** Change a provider configuration. */
  updateVoiceProvider(input: { "id": string; body: VoiceProviderPatch; signal?: AbortSignal }): Promise<VoiceProvider> {
    return this.call({"method":"PATCH","path":"/voice/api/provider-configs/{id}/","isRaw":false,"isKeyed":false}, input) as Promise<VoiceProvider>;
  }

  /** Remove a provider configuration. */
  deleteVoiceProvider(input: { "id": string; signal?: AbortSignal }): Promise<void> {
    return this.call({"method":"DELETE","path":"/voice/api/provider-configs/{id}/","isRaw":false,"isKeyed":false}, input) as Promise<void>;
  }

  /** Check the credentials with the provider. */
  testVoiceProvider(input: { "id": string; signal?: AbortSignal }): Promise<VoiceProviderTest> {
    return this.call({"method":"POST","path":"/voice/api/provider-configs/{id}/test/","isRaw":false,"isKeyed":false}, input) as Promise<VoiceProviderTest>;
  }

  /** List call flows, newest first. */
  listVoiceTemplates(input: { query?: { "cursor"?: string | undefined; "limit"?: number | undefined }; signal?: AbortSignal } = {}): Promise<VoiceTemplatePage> {
    return this.call({"method":"GET","path":"/voice/api/templates/","isRaw":false,"isKeyed":false}, input) as Promise<VoiceTemplatePage>;
  }

  /** List call flows, newest first; page after page. */
  eachOfListVoiceTemplates(input: { query?: { "limit"?: number | undefined }; signal?: AbortSignal } = {}): AsyncGenerator<VoiceTemplateItem> {
    return this.pages((cursor) => this.listVoiceTemplates({ ...input, query: { ...('query' in input ? (input.query as object) : {}), cursor } }));
  }

  /** Create a call flow. */
  createVoiceTemplate(input: { query?: { "provider"?: "twilio-voice" | "plivo-voice" | "vonage-voice" | undefined }; body: VoiceTemplateRequest; idempotencyKey?: string; signal?: AbortSignal }): Promise<VoiceTemplate> {
    return this.call({"method":"POST","path":"/voice/api/templates/","isRaw":false,"isKeyed":true}, input) as Promise<VoiceTemplate>;
  }

  /** Read a call flow, and what it compiles to. */
  getVoiceTemplate(input: { "id": string; query?: { "provider"?: "twilio-voice" | "plivo-voice" | "vonage-voice" | undefined }; signal?: AbortSignal }): Promise<VoiceTemplate> {
    return this.call({"method":"GET","path":"/voice/api/templates/{id}/","isRaw":false,"isKeyed":false}, input) as Promise<VoiceTemplate>;
  }

  /** Rename a call flow, or change its flow. */
  updateVoiceTemplate(input: { "id": string; query?: { "provider"?: "twilio-voice" | "plivo-voice" | "vonage-voice" | undefined }; body: VoiceTemplatePatch; signal?: AbortSignal }): Promise<VoiceTemplate> {
    return this.call({"method":"PATCH","path":"/voice/api/templates/{id}/","isRaw":false,"isKeyed":false}, input) as Promise<VoiceTemplate>;
  }

  /** Remove a call flow. */
  deleteVoiceTemplate(input: { "id": string; signal?: AbortSignal }): Promise<void> {
    return this.call({"method":"DELETE","path":"/voice/api/templates/{id}/","isRaw":false,"isKeyed":false}, input) as Promise<void>;
  }

  /** List calls with status and duration, newest first. */
  listCalls(input: { query?: { "cursor"?: string | undefined; "limit"?: number | undefined; "status"?: "queued" | "ringing" | "in_progress" | "completed" | "busy" | "no_answer" | "canceled" | "failed" | "machine" | "unknown" | undefined; "to"?: string | undefined; "provider_config"?: string | undefined; "since"?: string | undefined; "until"?: string | undefined }; signal?: AbortSignal } = {}): Promise<CallPage> {
    return this.call({"method":"GET","path":"/voice/api/calls/","isRaw":false,"isKeyed":false}, input) as Promise<CallPage>;
  }

  /** List calls with status and duration, newest first; page after page. */
  eachOfListCalls(input: { query?: { "limit"?: number | undefined; "status"?: "queued" | "ringing" | "in_progress" | "completed" | "busy" | "no_answer" | "canceled" | "failed" | "machine" | "unknown" | undefined; "to"?: string | undefined; "provider_config"?: string | undefined; "since"?: string | undefined; "until"?: string | undefined }; signal?: AbortSignal } = {}): AsyncGenerator<CallItem> {
    return this.pages((cursor) => this.listCalls({ ...input, query: { ...('query' in input ? (input.query as object) : {}), cursor } }));
  }

  /** Place a call. */
  createCall(input: { body: CallRequest; idempotencyKey?: string; signal?: AbortSignal }): Promise<Call> {
    return this.call({"method":"POST","path":"/voice/api/calls/","isRaw":false,"isKeyed":true}, input) as Promise<Call>;
  }

  /** Read a call: its detail record, recordings, transcription and cost. */
  getCall(input: { "id": string; signal?: AbortSignal }): Promise<Call> {
    return this.call({"method":"GET","path":"/voice/api/calls/{id}/","isRaw":false,"isKeyed":false}, input) as Promise<Call>;
  }

  /** End a call. */
  hangUpCall(input: { "id": string; signal?: AbortSignal }): Promise<Call> {
    return this.call({"method":"POST","path":"/voice/api/calls/{id}/hangup/","isRaw":false,"isKeyed":false}, input) as Promise<Call>;
  }

  /** List events of calls, newest first: answer, DTMF, transfer, hang-up. */
  listCallEvents(input: { query?: { "cursor"?: string | undefined; "limit"?: number | undefined; "call_id"?: string | undefined; "kind"?: "ringing" | "answered" | "dtmf" | "transfer" | "recording" | "hangup" | "leg" | undefined }; signal?: AbortSignal } = {}): Promise<CallEventPage> {
    return this.call({"method":"GET","path":"/voice/api/call-events/","isRaw":false,"isKeyed":false}, input) as Promise<CallEventPage>;
  }

  /** List events of calls, newest first: answer, DTMF, transfer, hang-up; page after page. */
  eachOfListCallEvents(input: { query?: { "limit"?: number | undefined; "call_id"?: string | undefined; "kind"?: "ringing" | "answered" | "dtmf" | "transfer" | "recording" | "hangup" | "leg" | undefined }; signal?: AbortSignal } = {}): AsyncGenerator<CallEvent> {
    return this.pages((cursor) => this.listCallEvents({ ...input, query: { ...('query' in input ? (input.query as object) : {}), cursor } }));
  }

  /** List recordings, newest first. */
  listRecordings(input: { query?: { "cursor"?: string | undefined; "limit"?: number | undefined; "call_id"?: string | undefined; "to"?: string | undefined; "state"?: "fetching" | "stored" | "failed" | "deleted" | undefined; "since"?: string | undefined; "until"?: string | undefined }; signal?: AbortSignal } = {}): Promise<RecordingPage> {
    return this.call({"method":"GET","path":"/voice/api/recordings/","isRaw":false,"isKeyed":false}, input) as Promise<RecordingPage>;
  }

  /** List recordings, newest first; page after page. */
  eachOfListRecordings(input: { query?: { "limit"?: number | undefined; "call_id"?: string | undefined; "to"?: string | undefined; "state"?: "fetching" | "stored" | "failed" | "deleted" | undefined; "since"?: string | undefined; "until"?: string | undefined }; signal?: AbortSignal } = {}): AsyncGenerator<Recording> {
    return this.pages((cursor) => this.listRecordings({ ...input, query: { ...('query' in input ? (input.query as object) : {}), cursor } }));
  }

  /** Read a recording. */
  getRecording(input: { "id": string; signal?: AbortSignal }): Promise<Recording> {
    return this.call({"method":"GET","path":"/voice/api/recordings/{id}/","isRaw":false,"isKeyed":false}, input) as Promise<Recording>;
  }

  /** Delete a recording before its time. */
  deleteRecording(input: { "id": string; signal?: AbortSignal }): Promise<void> {
    return this.call({"method":"DELETE","path":"/voice/api/recordings/{id}/","isRaw":false,"isKeyed":false}, input) as Promise<void>;
  }

  /** Download the sound of a recording, or a part of it. */
  downloadRecording(input: { "id": string; signal?: AbortSignal }): Promise<Response> {
    return this.call({"method":"GET","path":"/voice/api/recordings/{id}/download/","isRaw":true,"isKeyed":false}, input) as Promise<Response>;
  }

  /** Read what was said on a recording. */
  getRecordingTranscription(input: { "id": string; signal?: AbortSignal }): Promise<Transcription> {
    return this.call({"method":"GET","path":"/voice/api/recordings/{id}/transcription/","isRaw":false,"isKeyed":false}, input) as Promise<Transcription>;
  }

  /** List consents to recording, newest first. */
  listRecordingConsents(input: { query?: { "cursor"?: string | undefined; "limit"?: number | undefined; "phone"?: string | undefined; "call_id"?: string | undefined }; signal?: AbortSignal } = {}): Promise<RecordingConsentPage> {
    return this.call({"method":"GET","path":"/voice/api/recording-consents/","isRaw":false,"isKeyed":false}, input) as Promise<RecordingConsentPage>;
  }

  /** List consents to recording, newest first; page after page. */
  eachOfListRecordingConsents(input: { query?: { "limit"?: number | undefined; "phone"?: string | undefined; "call_id"?: string | undefined }; signal?: AbortSignal } = {}): AsyncGenerator<RecordingConsent> {
    return this.pages((cursor) => this.listRecordingConsents({ ...input, query: { ...('query' in input ? (input.query as object) : {}), cursor } }));
  }

  /** Log a consent to recording, or its withdrawal. */
  logRecordingConsent(input: { body: RecordingConsentRequest; idempotencyKey?: string; signal?: AbortSignal }): Promise<RecordingConsent> {
    return this.call({"method":"POST","path":"/voice/api/recording-consents/","isRaw":false,"isKeyed":true}, input) as Promise<RecordingConsent>;
  }

  /** List rates by destination, newest first. */
  listRateCards(input: { query?: { "cursor"?: string | undefined; "limit"?: number | undefined; "prefix"?: string | undefined; "number"?: string | undefined }; signal?: AbortSignal } = {}): Promise<RateCardPage> {
    return this.call({"method":"GET","path":"/voice/api/rate-cards/","isRaw":false,"isKeyed":false}, input) as Promise<RateCardPage>;
  }

  /** List rates by destination, newest first; page after page. */
  eachOfListRateCards(input: { query?: { "limit"?: number | undefined; "prefix"?: string | undefined; "number"?: string | undefined }; signal?: AbortSignal } = {}): AsyncGenerator<RateCard> {
    return this.pages((cursor) => this.listRateCards({ ...input, query: { ...('query' in input ? (input.query as object) : {}), cursor } }));
  }

  /** Add a rate. */
  createRateCard(input: { body: RateCardRequest; idempotencyKey?: string; signal?: AbortSignal }): Promise<RateCard> {
    return this.call({"method":"POST","path":"/voice/api/rate-cards/","isRaw":false,"isKeyed":true}, input) as Promise<RateCard>;
  }

  /** End a rate, or remove one that has not begun. */
  deleteRateCard(input: { "id": string; signal?: AbortSignal }): Promise<void> {
    return this.call({"method":"DELETE","path":"/voice/api/rate-cards/{id}/","isRaw":false,"isKeyed":false}, input) as Promise<void>;
  }

  /** Import rates from CSV. */
  importRateCards(input: { file: Blob; filename?: string; signal?: AbortSignal }): Promise<RateCardImport> {
    return this.call({"method":"POST","path":"/voice/api/rate-cards/import/","isRaw":false,"isKeyed":false}, input) as Promise<RateCardImport>;
  }

  /** Look at a file of rates before it is imported. */
  previewRateCardImport(input: { file: Blob; filename?: string; signal?: AbortSignal }): Promise<RateCardImportPreview> {
    return this.call({"method":"POST","path":"/voice/api/rate-cards/import/preview/","isRaw":false,"isKeyed":false}, input) as Promise<RateCardImportPreview>;
  }

  /** Check the health of each configured PBX. */
  getAriHealth(input: { signal?: AbortSignal } = {}): Promise<AriHealth> {
    return this.call({"method":"GET","path":"/voice/api/ari-health/","isRaw":false,"isKeyed":false}, input) as Promise<AriHealth>;
  }

  /** Status callback of a provider, for a call, its recording or the text of it. */
  receiveCallState(input: { "config_id": string; "call_id": string; "what": string; signal?: AbortSignal }): Promise<void> {
    return this.call({"method":"POST","path":"/voice/api/callbacks/{config_id}/calls/{call_id}/{what}/","isRaw":false,"isKeyed":false}, input) as Promise<void>;
  }

  /** Callback of a provider for the next step of a call. */
  receiveFlowAnswer(input: { "config_id": string; "call_id": string; "count": string; "node": string; "event": string; query?: { "token"?: string | undefined; "again"?: number | undefined }; signal?: AbortSignal }): Promise<Response> {
    return this.call({"method":"POST","path":"/voice/api/callbacks/{config_id}/flow/{call_id}/{count}/{node}/{event}","isRaw":true,"isKeyed":false}, input) as Promise<Response>;
  }
}
