/** Drawbridge E-Invoicing 1.0.0. Printed by "npm run sdk". */

export type AcceptRequest = { readonly "token": string; readonly "name": string; readonly "password": string };

export type Accepted = { readonly "id": string; readonly "status": "received" | "validating" | "validated" | "submitted" | "cleared" | "delivered" | "acknowledged" | "rejected"; readonly "checks": Checks; readonly "links": { readonly "self": string; readonly "events": string } };

export type AcceptedInvitation = { readonly "tenant_id": string; readonly "user_id": string; readonly "email": string; readonly "role": ("owner" | "admin" | "agent" | "analyst" | "developer" | "billing" | null); readonly "einvoicing_role": ("finance_admin" | "approver" | "operator" | "auditor" | "developer" | null) };

export type Agent = { readonly "id": string; readonly "hostname": string; readonly "version": string; readonly "online": boolean; readonly "enrolled_at": string; readonly "last_seen_at": (string | null) };

export type AgentList = { readonly "results": readonly (Agent)[]; readonly "next": null; readonly "previous": null };

export type AgentSource = { readonly "connector": string; readonly "documents": number; readonly "last_read_at": string; readonly "reconciliation": ({ readonly "at": string; readonly "documents": number; readonly "late": number; readonly "edited": number; readonly "deleted": number; readonly "examples": readonly ({ readonly "kind": "late" | "edited" | "deleted"; readonly "ref": string })[] } | null) };

export type AgentStatus = { readonly "received_at": string; readonly "queue": { readonly "state": "room" | "full"; readonly "detail": string; readonly "pending_commands": number; readonly "oldest_pending_at": (string | null); readonly "unsent_events": number; readonly "unsent_documents": number; readonly "unsent_bytes": number; readonly "oldest_unsent_at": (string | null) }; readonly "disk": { readonly "state": "room" | "full"; readonly "detail": string; readonly "free_bytes": number }; readonly "waiting": readonly ({ readonly "connector": string; readonly "detail": string; readonly "since": string })[]; readonly "findings": readonly ({ readonly "component": string; readonly "target": string; readonly "status": "ok" | "warn" | "fail"; readonly "detail": string; readonly "code": (string | null); readonly "action": (string | null) })[]; readonly "examined_at": (string | null) };

export type AgentWithSources = { readonly "id": string; readonly "hostname": string; readonly "version": string; readonly "online": boolean; readonly "enrolled_at": string; readonly "last_seen_at": (string | null); readonly "sources": readonly (AgentSource)[]; readonly "status": (AgentStatus | null) };

export type ApiKey = { readonly "id": string; readonly "name": string; readonly "shown": string; readonly "scopes": readonly (string)[]; readonly "allowed_ips": readonly (string)[]; readonly "created_at": string; readonly "expires_at": (string | null); readonly "revoked_at": (string | null); readonly "last_used_at": (string | null) };

export type ApiKeyPage = { readonly "results": readonly (ApiKey)[]; readonly "next": (string | null); readonly "previous": (string | null) };

export type ApiKeyPatch = { readonly "name"?: string | undefined; readonly "allowed_ips"?: readonly (string)[] | undefined; readonly "expires_at"?: (string | null) | undefined };

export type ApiKeyRequest = { readonly "name": string; readonly "scopes": readonly ("tenant:read" | "members:read" | "members:write" | "invoices:read" | "invoices:write" | "invoices:release" | "invoices:approve" | "received:read" | "received:write" | "received:respond" | "participants:write" | "company:read" | "company:write" | "connectors:read" | "connectors:write" | "mappings:approve" | "agents:read" | "agents:write" | "webhooks:read" | "webhooks:write" | "keys:read" | "keys:write" | "retention:read" | "retention:write" | "audit:read" | "*")[]; readonly "allowed_ips"?: readonly (string)[] | undefined; readonly "expires_at"?: string | undefined };

export type ApprovalPolicy = { readonly "mappings": "one" | "two"; readonly "live_submission": "one" | "two" };

export type AuditEvent = { readonly "id": string; readonly "timestamp": string; readonly "actor": { readonly "kind": "user" | "key" | "host" | "nobody"; readonly "id": (string | null) }; readonly "service": (string | null); readonly "environment": ("live" | "sandbox" | null); readonly "ip": (string | null); readonly "request_id": (string | null); readonly "action": string; readonly "subject": (string | null); readonly "outcome": "done" | "refused"; readonly "before": unknown; readonly "after": unknown };

export type AuditEventPage = { readonly "results": readonly (AuditEvent)[]; readonly "next": (string | null); readonly "previous": (string | null) };

export type BrowserSession = { readonly "user": { readonly "id": string; readonly "name": string; readonly "email": string; readonly "has_second_factor": boolean }; readonly "tenant": { readonly "id": string; readonly "name": string }; readonly "role": ("owner" | "admin" | "agent" | "analyst" | "developer" | "billing" | null); readonly "einvoicing_role": ("finance_admin" | "approver" | "operator" | "auditor" | "developer" | null); readonly "permissions": { readonly "einvoicing": readonly (string)[]; readonly "messaging": readonly (string)[] }; readonly "tenants": readonly ({ readonly "id": string; readonly "name": string })[]; readonly "signed_in_by": "password" | "provider"; readonly "environment": "live" | "sandbox"; readonly "ends"?: { readonly "idle_seconds": number; readonly "remaining_seconds": number } | undefined; readonly "addresses": { readonly "live": string; readonly "sandbox": string } };

export type BrowserSessionMove = { readonly "tenant_id": string };

export type BrowserSessionProof = { readonly "password": string; readonly "code"?: string | undefined };

export type BrowserSignIn = { readonly "email": string; readonly "password": string; readonly "tenant_id"?: string | undefined; readonly "code"?: string | undefined };

export type Bundle = { readonly "format": "drawbridge-bundle/1"; readonly "from": "agent" | "control-plane"; readonly "agent_id": string; readonly "number": number; readonly "created_at": string; readonly "control_plane_key": string; readonly "sealed": string; readonly "signature": string };

export type BundleReceipt = { readonly "number": number; readonly "digest": string; readonly "messages": number };

export type BuyerResponse = { readonly "code": string; readonly "status": "received" | "in_process" | "under_query" | "conditionally_accepted" | "rejected" | "accepted" | "paid" | "other"; readonly "note"?: string | undefined; readonly "at": string };

export type CarriedBundle = { readonly "direction": "from_agent" | "to_agent"; readonly "number": number; readonly "digest": string; readonly "messages": number; readonly "made_at": string; readonly "taken_at": (string | null) };

export type CarriedBundleList = { readonly "results": readonly (CarriedBundle)[]; readonly "next": null; readonly "previous": null };

export type Checks = { readonly "schema": "pending" | "passed" | "failed" | "skipped"; readonly "business_rules": "pending" | "passed" | "failed" | "skipped"; readonly "authority_clearance"?: "pending" | "passed" | "failed" | "skipped" | undefined };

export type Company = { readonly "legal_name": string; readonly "country": string; readonly "trn"?: string | undefined; readonly "tin"?: string | undefined; readonly "sst"?: string | undefined; readonly "vat"?: string | undefined; readonly "registration_id"?: string | undefined; readonly "registration_type"?: string | undefined; readonly "registration_authority"?: string | undefined; readonly "address_line1"?: string | undefined; readonly "address_line2"?: string | undefined; readonly "city"?: string | undefined; readonly "subdivision"?: string | undefined; readonly "post_code"?: string | undefined; readonly "contact_name"?: string | undefined; readonly "phone"?: string | undefined; readonly "email"?: string | undefined; readonly "industry_code"?: string | undefined; readonly "industry_name"?: string | undefined; readonly "bank_account"?: string | undefined; readonly "bank_account_name"?: string | undefined; readonly "endpoint_scheme"?: string | undefined; readonly "endpoint_id"?: string | undefined; readonly "default_currency"?: string | undefined; readonly "default_unit"?: string | undefined; readonly "default_payment_means"?: string | undefined; readonly "default_payment_terms"?: string | undefined };

export type CompanyLacking = { readonly "profile": ProfileId; readonly "fields": readonly (string)[] };

export type CompanyQuestion = { readonly "name": string; readonly "label": string; readonly "help": string; readonly "example": string; readonly "required": boolean };

export type CompanyQuestions = { readonly "results": readonly (CompanyQuestion)[] };

export type CompanyStatement = { readonly "format": "drawbridge-company/1"; readonly "agent_id": string; readonly "environment": "live" | "sandbox"; readonly "made_at": string; readonly "control_plane_key": string; readonly "company": string; readonly "signature": string };

export type CompanyView = { readonly "company"?: Company | undefined; readonly "updated_at"?: string | undefined; readonly "lacking": readonly (CompanyLacking)[] };

export type Connector = { readonly "id": string; readonly "pattern": "API" | "database" | "file" | "agent" | "email"; readonly "kind": string; readonly "name": string; readonly "agent_id"?: string | undefined; readonly "default_profile"?: ProfileId | undefined; readonly "duplicates": "warn" | "reject"; readonly "submit_from"?: string | undefined; readonly "receives"?: { readonly "import_to"?: string | undefined } | undefined; readonly "submission"?: SubmissionPolicy | undefined; readonly "settings": Readonly<Record<string, unknown>>; readonly "created_at": string; readonly "updated_at": string; readonly "next"?: readonly (NextStep)[] | undefined };

export type ConnectorKind = { readonly "kind": string; readonly "pattern": "API" | "database" | "file" | "agent" | "email"; readonly "title": string; readonly "settings": Readonly<Record<string, unknown>>; readonly "layout": readonly (string)[] };

export type ConnectorKindList = { readonly "results": readonly (ConnectorKind)[] };

export type ConnectorPage = { readonly "results": readonly (Connector)[]; readonly "next": (string | null); readonly "previous": (string | null) };

export type ConnectorPatch = { readonly "name"?: string | undefined; readonly "agent_id"?: string | undefined; readonly "default_profile"?: ProfileId | undefined; readonly "duplicates"?: "warn" | "reject" | undefined; readonly "settings"?: Readonly<Record<string, unknown>> | undefined; readonly "layout"?: Readonly<Record<string, unknown>> | undefined; readonly "submit_from"?: (string | null) | undefined; readonly "receives"?: ({ readonly "import_to"?: string | undefined } | null) | undefined; readonly "submission"?: (SubmissionPolicy | null) | undefined };

export type ConnectorRequest = { readonly "pattern": "API" | "database" | "file" | "agent" | "email"; readonly "kind": string; readonly "name": string; readonly "agent_id"?: string | undefined; readonly "default_profile"?: ProfileId | undefined; readonly "duplicates"?: "warn" | "reject" | undefined; readonly "settings"?: Readonly<Record<string, unknown>> | undefined };

export type ConnectorTest = { readonly "ok": boolean; readonly "detail": string; readonly "sample_refs"?: readonly (string)[] | undefined; readonly "write_back"?: string | undefined; readonly "code"?: string | undefined };

export type DefaultRoles = { readonly "role": ("owner" | "admin" | "agent" | "analyst" | "developer" | "billing" | null); readonly "einvoicing_role": ("finance_admin" | "approver" | "operator" | "auditor" | "developer" | null) };

export type DefaultRolesRequest = { readonly "role"?: ("owner" | "admin" | "agent" | "analyst" | "developer" | "billing" | null) | undefined; readonly "einvoicing_role"?: ("finance_admin" | "approver" | "operator" | "auditor" | "developer" | null) | undefined };

export type DiscoveredCompanyAnswer = { readonly "field": "legal_name" | "country" | "trn" | "tin" | "sst" | "vat" | "registration_id" | "registration_type" | "registration_authority" | "address_line1" | "address_line2" | "city" | "subdivision" | "post_code" | "contact_name" | "phone" | "email" | "industry_code" | "industry_name" | "bank_account" | "bank_account_name" | "endpoint_scheme" | "endpoint_id" | "default_currency" | "default_unit" | "default_payment_means" | "default_payment_terms"; readonly "value": string; readonly "from": string };

export type DiscoveredCreditNotes = ({ readonly "kind": "value"; readonly "column": string; readonly "value": string } | { readonly "kind": "table"; readonly "table": string } | { readonly "kind": "negative"; readonly "column": string } | { readonly "kind": "none" });

export type DiscoveredDocument = { readonly "ref": string; readonly "number"?: string | undefined; readonly "date"?: string | undefined; readonly "customer"?: string | undefined; readonly "currency"?: string | undefined; readonly "total"?: string | undefined; readonly "lines": readonly ({ readonly "name"?: string | undefined; readonly "quantity"?: string | undefined; readonly "price"?: string | undefined; readonly "net"?: string | undefined })[]; readonly "line_count": number; readonly "sections": Readonly<Record<string, readonly ({ readonly "origin": string; readonly "key": string; readonly "values": Readonly<Record<string, (string | null)>> })[]>> };

export type DiscoveredTable = { readonly "name": string; readonly "rows"?: number | undefined; readonly "columns": number; readonly "key": readonly (string)[]; readonly "dates": readonly ({ readonly "column": string; readonly "latest": string })[] };

export type Discovery = { readonly "connector_id": string; readonly "source": string; readonly "product": string; readonly "tables": readonly (DiscoveredTable)[]; readonly "layouts": readonly (ProposedLayout)[]; readonly "alternatives": readonly (string)[]; readonly "credit_notes": DiscoveredCreditNotes; readonly "company": readonly (DiscoveredCompanyAnswer)[]; readonly "documents": readonly (DiscoveredDocument)[]; readonly "notes": readonly (string)[]; readonly "next": readonly ({ readonly "why": string; readonly "call": string })[] };

export type DiscoveryRequest = { readonly "header"?: string | undefined };

export type DocumentCancelledEvent = { readonly "event": "document.cancelled"; readonly "id": string; readonly "timestamp": string; readonly "data": { readonly "cancelled_at": string; readonly "reason": (string | null); readonly "in_erp": boolean; readonly "supplier": { readonly "id": (string | null); readonly "name": (string | null) }; readonly "number": (string | null); readonly "gross": (string | null); readonly "currency": (string | null); readonly "links": { readonly "self": string } }; readonly "ts": string; readonly "signature": string };

export type DocumentDraftKeptEvent = { readonly "event": "document.draft_kept"; readonly "id": string; readonly "timestamp": string; readonly "data": { readonly "reason": string; readonly "supplier": { readonly "id": (string | null); readonly "name": (string | null) }; readonly "number": (string | null); readonly "gross": (string | null); readonly "currency": (string | null); readonly "links": { readonly "self": string } }; readonly "ts": string; readonly "signature": string };

export type DocumentReceivedEvent = { readonly "event": "document.received"; readonly "id": string; readonly "profile"?: string | undefined; readonly "timestamp": string; readonly "data": { readonly "source": string; readonly "document_type": (string | null); readonly "supplier": { readonly "id": (string | null); readonly "name": (string | null) }; readonly "number": (string | null); readonly "issue_date": (string | null); readonly "currency": (string | null); readonly "gross": (string | null); readonly "valid": boolean; readonly "links": { readonly "self": string; readonly "document": string } }; readonly "ts": string; readonly "signature": string };

export type DocumentRejectionEndsEvent = { readonly "event": "document.rejection_ends"; readonly "id": string; readonly "timestamp": string; readonly "data": { readonly "rejectable_until": string; readonly "supplier": { readonly "id": (string | null); readonly "name": (string | null) }; readonly "number": (string | null); readonly "gross": (string | null); readonly "currency": (string | null); readonly "links": { readonly "self": string } }; readonly "ts": string; readonly "signature": string };

export type DocumentRejectionUnansweredEvent = { readonly "event": "document.rejection_unanswered"; readonly "id": string; readonly "timestamp": string; readonly "data": { readonly "rejectable_until": string; readonly "supplier": { readonly "id": (string | null); readonly "name": (string | null) }; readonly "number": (string | null); readonly "gross": (string | null); readonly "currency": (string | null); readonly "links": { readonly "self": string } }; readonly "ts": string; readonly "signature": string };

export type DocumentUnreadableEvent = { readonly "event": "document.unreadable"; readonly "id": string; readonly "timestamp": string; readonly "data": { readonly "source": string; readonly "network_id": string; readonly "reason": string; readonly "links": { readonly "self": string; readonly "document": string } }; readonly "ts": string; readonly "signature": string };

export type EndpointDisabledEvent = { readonly "event": "endpoint.disabled"; readonly "id": string; readonly "timestamp": string; readonly "data": { readonly "reason": string; readonly "url": string }; readonly "ts": string; readonly "signature": string };

export type Enrolment = { readonly "agent_id": string; readonly "link_url": string; readonly "signature": string };

export type EnrolmentToken = { readonly "token": string; readonly "expires_at": string; readonly "hostname": (string | null) };

export type Error = { readonly "detail": string; readonly "code": "malformed_json" | "invalid_request" | "missing_credentials" | "invalid_credentials" | "revoked_credentials" | "wrong_environment" | "ip_not_allowed" | "tenant_suspended" | "not_permitted" | "proof_needed" | "not_found" | "method_not_allowed" | "idempotency_payload_mismatch" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal_error" | "unavailable" | "wrong_password" | "refresh_refused" | "too_many_attempts" | "not_a_member" | "role_too_strong" | "user_not_found" | "last_owner" | "second_factor_required" | "wrong_code" | "second_factor_enabled" | "second_factor_not_begun" | "password_not_allowed" | "signed_in_by_provider" | "sign_in_name_unknown" | "sign_in_name_taken" | "no_identity_provider" | "no_way_back" | "provider_unreachable" | "logout_token_refused" | "session_needed" | "session_not_found" | "reset_not_found" | "already_member" | "invitation_not_found" | "mail_unavailable" | "api_key_not_found" | "api_key_revoked" | "scope_too_strong" | "connector_not_found" | "person_required" | "second_person_required" | "second_person_needed" | "invoice_not_found" | "received_not_found" | "participant_not_found" | "participant_taken" | "network_not_found" | "network_refused" | "message_unreadable" | "document_not_found" | "agent_not_found" | "bundle_not_found" | "bundle_empty" | "bundle_unreadable" | "bundle_outgoing" | "bundle_foreign" | "bundle_tampered" | "bundle_replayed" | "bundle_forked" | "bundle_out_of_order" | "bundle_retired_key" | "webhook_endpoint_not_found" | "delivery_not_found" | "profile_required" | "mapping_invalid" | "mapping_changed" | "objections_open" | "discovery_under_way" | "discovery_unsupported" | "preview_under_way" | "source_not_found" | "source_not_allowed" | "source_unreachable" | "duplicate_document" | "state_conflict"; readonly "request_id": string; readonly "errors"?: Readonly<Record<string, readonly (string)[]>> | undefined };

export type ErrorSource = { readonly "connector": string; readonly "origin": string; readonly "column": string; readonly "key": string; readonly "value": (string | null) };

export type Explanation = { readonly "why": string; readonly "fix": string; readonly "erp": string };

export type Forwarding = { readonly "status": "waiting" | "sent" | "delivered" | "refused" | "off" | "withheld"; readonly "reason"?: string | undefined; readonly "errors"?: readonly ({ readonly "code": string; readonly "message": string })[] | undefined; readonly "sent_at"?: (string | null) | undefined; readonly "at": string };

export type GroupRoles = { readonly "group": string; readonly "role": ("owner" | "admin" | "agent" | "analyst" | "developer" | "billing" | null); readonly "einvoicing_role": ("finance_admin" | "approver" | "operator" | "auditor" | "developer" | null) };

export type GroupRolesRequest = { readonly "group": string; readonly "role"?: ("owner" | "admin" | "agent" | "analyst" | "developer" | "billing" | null) | undefined; readonly "einvoicing_role"?: ("finance_admin" | "approver" | "operator" | "auditor" | "developer" | null) | undefined };

export type Hold = { readonly "waits_for"?: "release" | "approval" | undefined; readonly "reason"?: string | undefined; readonly "since": string; readonly "released_by"?: string | undefined; readonly "released_at"?: string | undefined; readonly "approved_by"?: string | undefined; readonly "approved_at"?: string | undefined };

export type HoldRequest = { readonly "invoices": readonly (string)[] };

export type HoldResult = { readonly "results": readonly ({ readonly "id": string; readonly "outcome": "sent" | "waits_for_approval" | "refused"; readonly "code"?: string | undefined; readonly "detail"?: string | undefined })[] };

export type IdentityProvider = { readonly "name": string; readonly "sign_in_name": string; readonly "issuer": string; readonly "client_id": string; readonly "scopes": readonly (string)[]; readonly "groups_claim": string; readonly "email_domains": readonly (string)[]; readonly "is_required": boolean; readonly "proof_acr_values": readonly (string)[]; readonly "proof_amr_values": readonly (string)[]; readonly "is_enabled": boolean; readonly "group_roles": readonly (GroupRoles)[]; readonly "default_roles": (DefaultRoles | null); readonly "has_client_secret": boolean; readonly "last_trial": (SignInTrial | null); readonly "created_at": string; readonly "updated_at": string };

export type IdentityProviderCheck = { readonly "ok": boolean; readonly "detail": string; readonly "authorization_endpoint": (string | null); readonly "ends_sessions": boolean; readonly "tells_sign_outs": boolean };

export type IdentityProviderRequest = { readonly "name": string; readonly "sign_in_name": string; readonly "issuer": string; readonly "client_id": string; readonly "scopes"?: readonly (string)[] | undefined; readonly "groups_claim"?: string | undefined; readonly "email_domains"?: readonly (string)[] | undefined; readonly "is_required"?: boolean | undefined; readonly "proof_acr_values"?: readonly (string)[] | undefined; readonly "proof_amr_values"?: readonly (string)[] | undefined; readonly "is_enabled"?: boolean | undefined; readonly "client_secret"?: (string | null) | undefined; readonly "group_roles"?: readonly (GroupRolesRequest)[] | undefined; readonly "default_roles"?: (DefaultRolesRequest | null) | undefined };

export type IdentityProviderSettings = { readonly "provider": (IdentityProvider | null); readonly "redirect_uris": readonly (string)[]; readonly "sign_out_uris": readonly (string)[]; readonly "backchannel_logout_uri": string };

export type Import = { readonly "outcome": "waiting" | "written" | "already" | "undone" | "conflict" | "unsupported" | "given-up"; readonly "action"?: "import" | "undo" | undefined; readonly "target"?: string | undefined; readonly "reason"?: string | undefined; readonly "at": string };

export type ImportRequest = { readonly "connector_id"?: string | undefined };

export type Invitation = { readonly "id": string; readonly "email": string; readonly "role": ("owner" | "admin" | "agent" | "analyst" | "developer" | "billing" | null); readonly "einvoicing_role": ("finance_admin" | "approver" | "operator" | "auditor" | "developer" | null); readonly "invited_by": string; readonly "created_at": string; readonly "expires_at": string };

export type InvitationPage = { readonly "results": readonly (Invitation)[]; readonly "next": (string | null); readonly "previous": (string | null) };

export type InviteRequest = { readonly "email": string; readonly "role"?: ("owner" | "admin" | "agent" | "analyst" | "developer" | "billing" | null) | undefined; readonly "einvoicing_role"?: ("finance_admin" | "approver" | "operator" | "auditor" | "developer" | null) | undefined };

export type Invoice = { readonly "id": string; readonly "status": "received" | "validating" | "validated" | "submitted" | "cleared" | "delivered" | "acknowledged" | "rejected"; readonly "environment": "live" | "sandbox"; readonly "profile": ProfileId; readonly "connector_id": string; readonly "source_ref": string; readonly "number"?: string | undefined; readonly "buyer"?: string | undefined; readonly "currency"?: string | undefined; readonly "gross"?: string | undefined; readonly "checks": Checks; readonly "errors": readonly (ValidationError)[]; readonly "warnings": readonly (ValidationError)[]; readonly "duplicate_of"?: string | undefined; readonly "waiting"?: ValidationWait | undefined; readonly "uin"?: string | undefined; readonly "validation_url"?: string | undefined; readonly "authority_status"?: string | undefined; readonly "cancellable_until"?: string | undefined; readonly "write_back"?: Readonly<Record<string, unknown>> | undefined; readonly "forwarding"?: Forwarding | undefined; readonly "buyer_response"?: BuyerResponse | undefined; readonly "hold"?: Hold | undefined; readonly "created_at": string; readonly "updated_at": string; readonly "links": { readonly "self": string; readonly "events": string } };

export type InvoiceAcknowledgedEvent = { readonly "event": "invoice.acknowledged"; readonly "id": string; readonly "profile": string; readonly "timestamp": string; readonly "ts": string; readonly "signature": string };

export type InvoiceCancelledEvent = { readonly "event": "invoice.cancelled"; readonly "id": string; readonly "profile": string; readonly "timestamp": string; readonly "ts": string; readonly "signature": string };

export type InvoiceClearedEvent = { readonly "event": "invoice.cleared"; readonly "id": string; readonly "profile": string; readonly "uin"?: string | undefined; readonly "timestamp": string; readonly "ts": string; readonly "signature": string };

export type InvoiceDeliveredEvent = { readonly "event": "invoice.delivered"; readonly "id": string; readonly "profile": string; readonly "timestamp": string; readonly "ts": string; readonly "signature": string };

export type InvoiceEvent = { readonly "id": string; readonly "event": string; readonly "status": string; readonly "timestamp": string; readonly "elapsed_ms": number };

export type InvoiceHeldEvent = { readonly "event": "invoice.held"; readonly "id": string; readonly "profile": string; readonly "timestamp": string; readonly "data": { readonly "waits_for": "release" | "approval"; readonly "reason": string }; readonly "ts": string; readonly "signature": string };

export type InvoicePage = { readonly "results": readonly (Invoice)[]; readonly "next": (string | null); readonly "previous": (string | null) };

export type InvoiceReceivedEvent = { readonly "event": "invoice.received"; readonly "id": string; readonly "profile": string; readonly "timestamp": string; readonly "ts": string; readonly "signature": string };

export type InvoiceRejectedEvent = { readonly "event": "invoice.rejected"; readonly "id": string; readonly "profile": string; readonly "timestamp": string; readonly "ts": string; readonly "signature": string };

export type InvoiceSourceChangedEvent = { readonly "event": "invoice.source_changed"; readonly "id": string; readonly "profile": string; readonly "timestamp": string; readonly "data": { readonly "reason": string }; readonly "ts": string; readonly "signature": string };

export type InvoiceStalledEvent = { readonly "event": "invoice.stalled"; readonly "id": string; readonly "profile": string; readonly "timestamp": string; readonly "data": { readonly "reason": string; readonly "queue": string }; readonly "ts": string; readonly "signature": string };

export type InvoiceSubmittedEvent = { readonly "event": "invoice.submitted"; readonly "id": string; readonly "profile": string; readonly "timestamp": string; readonly "ts": string; readonly "signature": string };

export type InvoiceValidatedEvent = { readonly "event": "invoice.validated"; readonly "id": string; readonly "profile": string; readonly "timestamp": string; readonly "ts": string; readonly "signature": string };

export type InvoiceValidatingEvent = { readonly "event": "invoice.validating"; readonly "id": string; readonly "profile": string; readonly "timestamp": string; readonly "ts": string; readonly "signature": string };

export type IssuedApiKey = { readonly "id": string; readonly "key": (string | null); readonly "shown": string; readonly "name": string; readonly "scopes": readonly (string)[]; readonly "allowed_ips": readonly (string)[]; readonly "expires_at": (string | null) };

export type MappedDocument = { readonly "connector_id": string; readonly "profile": ProfileId; readonly "source_refs": readonly (string)[]; readonly "source_ref"?: string | undefined; readonly "sections": readonly ({ readonly "section": string; readonly "origin": string; readonly "rows_total": number; readonly "rows": readonly ({ readonly "key": string; readonly "values": Readonly<Record<string, string>> })[] })[]; readonly "values": readonly ({ readonly "path": string; readonly "target": string; readonly "value": string; readonly "by": "column" | "constant" | "company"; readonly "from"?: { readonly "section": string; readonly "key": string; readonly "column": string } | undefined; readonly "status": "proposed" | "approved" })[]; readonly "problems": readonly (string)[] };

export type MappedField = { readonly "target": string; readonly "status": "proposed" | "approved"; readonly "sample"?: unknown | undefined };

export type Mapping = { readonly "connector_id": string; readonly "profile": ProfileId; readonly "version": number; readonly "status": "empty" | "proposed" | "partly_approved" | "approved"; readonly "changed_by"?: string | undefined; readonly "fields": readonly (MappedField)[]; readonly "lists"?: Readonly<Record<string, unknown>> | undefined; readonly "joins"?: Readonly<Record<string, unknown>> | undefined; readonly "changes": readonly ({ readonly "target": string; readonly "was"?: { readonly "target": string; readonly "from"?: { readonly "section": string; readonly "column": string } | undefined; readonly "value"?: string | undefined; readonly "transforms"?: readonly (({ readonly "kind": "trim" } | { readonly "kind": "upper" } | { readonly "kind": "default"; readonly "value"?: string | undefined; readonly "columns"?: readonly (string)[] | undefined } | { readonly "kind": "map"; readonly "list"?: "countries" | "units" | undefined; readonly "values": Readonly<Record<string, string>>; readonly "unmapped"?: "refuse" | "keep" | undefined } | { readonly "kind": "date"; readonly "format": "ISO" | "YYYYMMDD" | "YYYY/MM/DD" | "YYYY.MM.DD" | "DD/MM/YYYY" | "DD-MM-YYYY" | "DD.MM.YYYY" | "MM/DD/YYYY" | "MM-DD-YYYY" | "DD MMM YYYY" | "MMM DD YYYY" | "DD/MM/YY" | "MM/DD/YY" | "YY/MM/DD" | "EXCEL" | "EPOCH" | "EPOCH_MS" | "CYYMMDD" | "YYMMDD" | "YYYYDDD" | "CYYDDD" | "YYDDD"; readonly "offset"?: string | undefined } | { readonly "kind": "time"; readonly "format": "ISO" | "HH:MM:SS" | "HH:MM" | "HHMMSS" } | { readonly "kind": "decimal"; readonly "point": "." | "," } | { readonly "kind": "negate" } | { readonly "kind": "abs" } | { readonly "kind": "round"; readonly "places": number } | { readonly "kind": "multiply"; readonly "by": ({ readonly "column": string; readonly "section"?: string | undefined } | { readonly "value": string }); readonly "when"?: { readonly "column": string; readonly "section"?: string | undefined; readonly "value": string } | undefined } | { readonly "kind": "divide"; readonly "by": ({ readonly "column": string; readonly "section"?: string | undefined } | { readonly "value": string }); readonly "on_top"?: "percent" | "fraction" | undefined; readonly "when"?: { readonly "column": string; readonly "section"?: string | undefined; readonly "value": string } | undefined } | { readonly "kind": "subtract"; readonly "by": ({ readonly "column": string; readonly "section"?: string | undefined } | { readonly "value": string }); readonly "when"?: { readonly "column": string; readonly "section"?: string | undefined; readonly "value": string } | undefined } | { readonly "kind": "concat"; readonly "columns": readonly (string)[]; readonly "separator": string } | { readonly "kind": "substring"; readonly "start": number; readonly "length"?: number | undefined } | { readonly "kind": "split"; readonly "separator": string; readonly "part": number }))[] | undefined; readonly "status": "proposed" | "approved"; readonly "confidence"?: number | undefined; readonly "reason"?: string | undefined; readonly "proposed_by"?: string | undefined; readonly "approved_by"?: string | undefined; readonly "approved_at"?: string | undefined } | undefined; readonly "now"?: { readonly "target": string; readonly "from"?: { readonly "section": string; readonly "column": string } | undefined; readonly "value"?: string | undefined; readonly "transforms"?: readonly (({ readonly "kind": "trim" } | { readonly "kind": "upper" } | { readonly "kind": "default"; readonly "value"?: string | undefined; readonly "columns"?: readonly (string)[] | undefined } | { readonly "kind": "map"; readonly "list"?: "countries" | "units" | undefined; readonly "values": Readonly<Record<string, string>>; readonly "unmapped"?: "refuse" | "keep" | undefined } | { readonly "kind": "date"; readonly "format": "ISO" | "YYYYMMDD" | "YYYY/MM/DD" | "YYYY.MM.DD" | "DD/MM/YYYY" | "DD-MM-YYYY" | "DD.MM.YYYY" | "MM/DD/YYYY" | "MM-DD-YYYY" | "DD MMM YYYY" | "MMM DD YYYY" | "DD/MM/YY" | "MM/DD/YY" | "YY/MM/DD" | "EXCEL" | "EPOCH" | "EPOCH_MS" | "CYYMMDD" | "YYMMDD" | "YYYYDDD" | "CYYDDD" | "YYDDD"; readonly "offset"?: string | undefined } | { readonly "kind": "time"; readonly "format": "ISO" | "HH:MM:SS" | "HH:MM" | "HHMMSS" } | { readonly "kind": "decimal"; readonly "point": "." | "," } | { readonly "kind": "negate" } | { readonly "kind": "abs" } | { readonly "kind": "round"; readonly "places": number } | { readonly "kind": "multiply"; readonly "by": ({ readonly "column": string; readonly "section"?: string | undefined } | { readonly "value": string }); readonly "when"?: { readonly "column": string; readonly "section"?: string | undefined; readonly "value": string } | undefined } | { readonly "kind": "divide"; readonly "by": ({ readonly "column": string; readonly "section"?: string | undefined } | { readonly "value": string }); readonly "on_top"?: "percent" | "fraction" | undefined; readonly "when"?: { readonly "column": string; readonly "section"?: string | undefined; readonly "value": string } | undefined } | { readonly "kind": "subtract"; readonly "by": ({ readonly "column": string; readonly "section"?: string | undefined } | { readonly "value": string }); readonly "when"?: { readonly "column": string; readonly "section"?: string | undefined; readonly "value": string } | undefined } | { readonly "kind": "concat"; readonly "columns": readonly (string)[]; readonly "separator": string } | { readonly "kind": "substring"; readonly "start": number; readonly "length"?: number | undefined } | { readonly "kind": "split"; readonly "separator": string; readonly "part": number }))[] | undefined; readonly "status": "proposed" | "approved"; readonly "confidence"?: number | undefined; readonly "reason"?: string | undefined; readonly "proposed_by"?: string | undefined; readonly "approved_by"?: string | undefined; readonly "approved_at"?: string | undefined } | undefined })[]; readonly "coverage": { readonly "documents": number; readonly "counts": Readonly<Record<string, number>>; readonly "missing": readonly (string)[]; readonly "fields": readonly ({ readonly "path": string; readonly "term": string; readonly "name": string; readonly "help": string; readonly "required": "always" | "conditional" | "optional"; readonly "state": "mapped" | "proposed" | "filled" | "missing" | "conditional" | "optional"; readonly "message"?: string | undefined })[] }; readonly "value_maps": readonly ({ readonly "target": string; readonly "section": string; readonly "column": string; readonly "list": "countries" | "currencies" | "units" | "tax categories"; readonly "values": number; readonly "recognised": number; readonly "unrecognised": readonly (string)[] })[]; readonly "columns": readonly ({ readonly "section": string; readonly "origin": string; readonly "column": string; readonly "type": string; readonly "samples": readonly (string)[] })[]; readonly "sample_ref"?: string | undefined; readonly "problems": readonly (string)[]; readonly "documents_waiting": number; readonly "next": readonly ({ readonly "why": string; readonly "call": string })[] };

export type MappingApproval = { readonly "version"?: number | undefined; readonly "targets"?: readonly (string)[] | undefined; readonly "min_confidence"?: number | undefined; readonly "accepted_objections"?: readonly ({ readonly "id": string; readonly "reason": string })[] | undefined };

export type MappingObjection = { readonly "id": string; readonly "kind": "total_differs" | "tax_differs" | "refused" | "missing_field" | "zero_tax"; readonly "words": string; readonly "documents": number; readonly "example"?: PreviewExample | undefined; readonly "accepted": boolean };

export type MappingPreview = { readonly "connector_id": string; readonly "profile": ProfileId; readonly "documents": { readonly "read": number; readonly "passed": number; readonly "refused": number }; readonly "stopped"?: string | undefined; readonly "refusals": readonly (PreviewRefusal)[]; readonly "totals": readonly (PreviewTotal)[]; readonly "objections": readonly (MappingObjection)[]; readonly "next": readonly ({ readonly "why": string; readonly "call": string })[] };

export type MappingPreviewRequest = { readonly "documents"?: number | undefined; readonly "mapping"?: { readonly "profile"?: "PINT-AE" | "PINT-MY" | "BIS-3.0" | undefined; readonly "lists"?: Readonly<Record<string, { readonly "section": string; readonly "where"?: { readonly "column": string; readonly "parent_column": string } | undefined }>> | undefined; readonly "joins"?: Readonly<Record<string, { readonly "parent": string; readonly "column": string; readonly "parent_column": string }>> | undefined; readonly "fields": readonly ({ readonly "target": string; readonly "from"?: { readonly "section": string; readonly "column": string } | undefined; readonly "value"?: string | undefined; readonly "transforms"?: readonly (({ readonly "kind": "trim" } | { readonly "kind": "upper" } | { readonly "kind": "default"; readonly "value"?: string | undefined; readonly "columns"?: readonly (string)[] | undefined } | { readonly "kind": "map"; readonly "list"?: "countries" | "units" | undefined; readonly "values": Readonly<Record<string, string>>; readonly "unmapped"?: "refuse" | "keep" | undefined } | { readonly "kind": "date"; readonly "format": "ISO" | "YYYYMMDD" | "YYYY/MM/DD" | "YYYY.MM.DD" | "DD/MM/YYYY" | "DD-MM-YYYY" | "DD.MM.YYYY" | "MM/DD/YYYY" | "MM-DD-YYYY" | "DD MMM YYYY" | "MMM DD YYYY" | "DD/MM/YY" | "MM/DD/YY" | "YY/MM/DD" | "EXCEL" | "EPOCH" | "EPOCH_MS" | "CYYMMDD" | "YYMMDD" | "YYYYDDD" | "CYYDDD" | "YYDDD"; readonly "offset"?: string | undefined } | { readonly "kind": "time"; readonly "format": "ISO" | "HH:MM:SS" | "HH:MM" | "HHMMSS" } | { readonly "kind": "decimal"; readonly "point": "." | "," } | { readonly "kind": "negate" } | { readonly "kind": "abs" } | { readonly "kind": "round"; readonly "places": number } | { readonly "kind": "multiply"; readonly "by": ({ readonly "column": string; readonly "section"?: string | undefined } | { readonly "value": string }); readonly "when"?: { readonly "column": string; readonly "section"?: string | undefined; readonly "value": string } | undefined } | { readonly "kind": "divide"; readonly "by": ({ readonly "column": string; readonly "section"?: string | undefined } | { readonly "value": string }); readonly "on_top"?: "percent" | "fraction" | undefined; readonly "when"?: { readonly "column": string; readonly "section"?: string | undefined; readonly "value": string } | undefined } | { readonly "kind": "subtract"; readonly "by": ({ readonly "column": string; readonly "section"?: string | undefined } | { readonly "value": string }); readonly "when"?: { readonly "column": string; readonly "section"?: string | undefined; readonly "value": string } | undefined } | { readonly "kind": "concat"; readonly "columns": readonly (string)[]; readonly "separator": string } | { readonly "kind": "substring"; readonly "start": number; readonly "length"?: number | undefined } | { readonly "kind": "split"; readonly "separator": string; readonly "part": number }))[] | undefined; readonly "status": "proposed" | "approved"; readonly "confidence"?: number | undefined; readonly "reason"?: string | undefined; readonly "proposed_by"?: string | undefined; readonly "approved_by"?: string | undefined; readonly "approved_at"?: string | undefined })[] } | undefined };

export type MappingRequest = { readonly "version"?: number | undefined; readonly "mapping": { readonly "profile"?: "PINT-AE" | "PINT-MY" | "BIS-3.0" | undefined; readonly "lists"?: Readonly<Record<string, { readonly "section": string; readonly "where"?: { readonly "column": string; readonly "parent_column": string } | undefined }>> | undefined; readonly "joins"?: Readonly<Record<string, { readonly "parent": string; readonly "column": string; readonly "parent_column": string }>> | undefined; readonly "fields": readonly ({ readonly "target": string; readonly "from"?: { readonly "section": string; readonly "column": string } | undefined; readonly "value"?: string | undefined; readonly "transforms"?: readonly (({ readonly "kind": "trim" } | { readonly "kind": "upper" } | { readonly "kind": "default"; readonly "value"?: string | undefined; readonly "columns"?: readonly (string)[] | undefined } | { readonly "kind": "map"; readonly "list"?: "countries" | "units" | undefined; readonly "values": Readonly<Record<string, string>>; readonly "unmapped"?: "refuse" | "keep" | undefined } | { readonly "kind": "date"; readonly "format": "ISO" | "YYYYMMDD" | "YYYY/MM/DD" | "YYYY.MM.DD" | "DD/MM/YYYY" | "DD-MM-YYYY" | "DD.MM.YYYY" | "MM/DD/YYYY" | "MM-DD-YYYY" | "DD MMM YYYY" | "MMM DD YYYY" | "DD/MM/YY" | "MM/DD/YY" | "YY/MM/DD" | "EXCEL" | "EPOCH" | "EPOCH_MS" | "CYYMMDD" | "YYMMDD" | "YYYYDDD" | "CYYDDD" | "YYDDD"; readonly "offset"?: string | undefined } | { readonly "kind": "time"; readonly "format": "ISO" | "HH:MM:SS" | "HH:MM" | "HHMMSS" } | { readonly "kind": "decimal"; readonly "point": "." | "," } | { readonly "kind": "negate" } | { readonly "kind": "abs" } | { readonly "kind": "round"; readonly "places": number } | { readonly "kind": "multiply"; readonly "by": ({ readonly "column": string; readonly "section"?: string | undefined } | { readonly "value": string }); readonly "when"?: { readonly "column": string; readonly "section"?: string | undefined; readonly "value": string } | undefined } | { readonly "kind": "divide"; readonly "by": ({ readonly "column": string; readonly "section"?: string | undefined } | { readonly "value": string }); readonly "on_top"?: "percent" | "fraction" | undefined; readonly "when"?: { readonly "column": string; readonly "section"?: string | undefined; readonly "value": string } | undefined } | { readonly "kind": "subtract"; readonly "by": ({ readonly "column": string; readonly "section"?: string | undefined } | { readonly "value": string }); readonly "when"?: { readonly "column": string; readonly "section"?: string | undefined; readonly "value": string } | undefined } | { readonly "kind": "concat"; readonly "columns": readonly (string)[]; readonly "separator": string } | { readonly "kind": "substring"; readonly "start": number; readonly "length"?: number | undefined } | { readonly "kind": "split"; readonly "separator": string; readonly "part": number }))[] | undefined; readonly "status": "proposed" | "approved"; readonly "confidence"?: number | undefined; readonly "reason"?: string | undefined; readonly "proposed_by"?: string | undefined; readonly "approved_by"?: string | undefined; readonly "approved_at"?: string | undefined })[] } };

export type Member = { readonly "id": string; readonly "email": string; readonly "name": string; readonly "role": ("owner" | "admin" | "agent" | "analyst" | "developer" | "billing" | null); readonly "einvoicing_role": ("finance_admin" | "approver" | "operator" | "auditor" | "developer" | null); readonly "signs_in_by": "password" | "provider"; readonly "has_second_factor": boolean; readonly "joined_at": string };

export type MemberPage = { readonly "results": readonly (Member)[]; readonly "next": (string | null); readonly "previous": (string | null) };

export type MemberPatch = { readonly "role"?: ("owner" | "admin" | "agent" | "analyst" | "developer" | "billing" | null) | undefined; readonly "einvoicing_role"?: ("finance_admin" | "approver" | "operator" | "auditor" | "developer" | null) | undefined };

export type NextStep = { readonly "why": string; readonly "call": string };

export type Participant = { readonly "id": string; readonly "import_to"?: string | undefined; readonly "status": "confirmed" | "unconfirmed"; readonly "created_at": string };

export type ParticipantList = { readonly "results": readonly (Participant)[]; readonly "next": null; readonly "previous": null };

export type ParticipantRequest = { readonly "import_to"?: (string | null) | undefined };

export type PasswordChange = { readonly "password": string; readonly "new_password": string };

export type PasswordChanged = { readonly "device": string };

export type PasswordForgotten = { readonly "email": string };

export type PasswordReset = { readonly "token": string; readonly "new_password": string };

export type PreviewExample = { readonly "source_ref": string; readonly "source"?: ErrorSource | undefined };

export type PreviewRefusal = { readonly "rule": string; readonly "field": string; readonly "message": string; readonly "documents": number; readonly "example": PreviewExample };

export type PreviewTotal = { readonly "total": "lines" | "net" | "tax" | "gross"; readonly "origin"?: string | undefined; readonly "column"?: string | undefined; readonly "compared": number; readonly "equal": number; readonly "differences": readonly ({ readonly "source_ref": string; readonly "ours": string; readonly "erp": string; readonly "currency"?: string | undefined; readonly "source"?: ErrorSource | undefined })[] };

export type ProfileId = "PINT-AE" | "PINT-MY" | "BIS-3.0";

export type ProposedLayout = { readonly "title": string; readonly "documents": "invoices" | "credit notes"; readonly "layout": Readonly<Record<string, unknown>>; readonly "reasons": Readonly<Record<string, string>>; readonly "confidence": number; readonly "notes": readonly (string)[]; readonly "tax_codes"?: Readonly<Record<string, string>> | undefined };

export type ProviderProofRequest = { readonly "return_to"?: string | undefined };

export type ProviderSignInRequest = { readonly "workspace": string; readonly "return_to"?: string | undefined };

export type ProviderSignInStart = { readonly "url": string };

export type ReceivedDocument = { readonly "id": string; readonly "status": "received" | "imported" | "undone" | "duplicate" | "unreadable" | "cancelled"; readonly "environment": "live" | "sandbox"; readonly "source": string; readonly "network_id": string; readonly "participant"?: string | undefined; readonly "profile"?: ProfileId | undefined; readonly "checks": Checks; readonly "errors": readonly (ValidationError)[]; readonly "warnings": readonly (ValidationError)[]; readonly "document_type"?: "invoice" | "credit-note" | undefined; readonly "supplier"?: { readonly "id": string; readonly "name": string } | undefined; readonly "number"?: string | undefined; readonly "issue_date"?: string | undefined; readonly "currency"?: string | undefined; readonly "gross"?: string | undefined; readonly "duplicate_of"?: string | undefined; readonly "import_to"?: string | undefined; readonly "import"?: Import | undefined; readonly "response"?: SupplierResponse | undefined; readonly "rejectable_until"?: string | undefined; readonly "cancelled_at"?: string | undefined; readonly "cancel_reason"?: string | undefined; readonly "received_at": string; readonly "updated_at": string; readonly "links": { readonly "self": string; readonly "document": string } };

export type ReceivedPage = { readonly "results": readonly (ReceivedDocument)[]; readonly "next": (string | null); readonly "previous": (string | null) };

export type RecoveryCodes = { readonly "recovery_codes": readonly (string)[] };

export type RecoveryCodesRequest = { readonly "password": string; readonly "code": string };

export type RefreshRequest = { readonly "refresh": string };

export type Rejected = { readonly "id": string; readonly "status": "rejected"; readonly "errors": readonly (ValidationError)[]; readonly "warnings"?: readonly (ValidationError)[] | undefined };

export type RespondRequest = { readonly "status": "received" | "in_process" | "under_query" | "conditionally_accepted" | "rejected" | "accepted" | "paid"; readonly "reasons"?: readonly ({ readonly "code": "NON" | "REF" | "LEG" | "REC" | "QUA" | "DEL" | "PRI" | "QTY" | "ITM" | "PAY" | "UNR" | "FIN" | "PPD" | "OTH"; readonly "text"?: string | undefined })[] | undefined; readonly "actions"?: readonly ({ readonly "code": "NOA" | "PIN" | "NIN" | "CNF" | "CNP" | "CNA" | "OTH"; readonly "text"?: string | undefined })[] | undefined; readonly "note"?: string | undefined };

export type Retention = { readonly "invoice_days": (number | null) };

export type RotateSecretRequest = { readonly "grace_s"?: number | undefined };

export type SecondFactor = { readonly "is_enabled": boolean; readonly "confirmed_at": (string | null); readonly "recovery_codes_left": number };

export type SecondFactorBegin = { readonly "password": string };

export type SecondFactorConfirm = { readonly "code": string };

export type SecondFactorDisable = { readonly "password": string; readonly "code": string };

export type SecondFactorSecret = { readonly "secret": string; readonly "uri": string };

export type Session = { readonly "id": string; readonly "tenant_id": string; readonly "tenant_name": string; readonly "environment": "live" | "sandbox"; readonly "ip": (string | null); readonly "user_agent": (string | null); readonly "is_current": boolean; readonly "created_at": string; readonly "refreshed_at": (string | null); readonly "expires_at": string; readonly "signed_in_by": "password" | "provider" };

export type SessionList = { readonly "results": readonly (Session)[] };

export type SignInTrial = { readonly "at": string; readonly "problem": ("sign_in_expired" | "provider_denied" | "provider_unreachable" | "provider_error" | "provider_answer_refused" | "provider_changed" | "email_missing" | "email_unverified" | "email_domain" | "no_role" | "member_exists" | "other_person" | "proof_too_weak" | "session_ended" | null); readonly "detail": (string | null); readonly "subject": (string | null); readonly "email": (string | null); readonly "groups": readonly (string)[]; readonly "role": ("owner" | "admin" | "agent" | "analyst" | "developer" | "billing" | null); readonly "einvoicing_role": ("finance_admin" | "approver" | "operator" | "auditor" | "developer" | null); readonly "claims": readonly (string)[] };

export type SignedIn = { readonly "access": string; readonly "refresh": string; readonly "tenant_id": string; readonly "role": ("owner" | "admin" | "agent" | "analyst" | "developer" | "billing" | null); readonly "einvoicing_role": ("finance_admin" | "approver" | "operator" | "auditor" | "developer" | null); readonly "device": string; readonly "tenants": readonly ({ readonly "id": string; readonly "name": string; readonly "role": ("owner" | "admin" | "agent" | "analyst" | "developer" | "billing" | null); readonly "einvoicing_role": ("finance_admin" | "approver" | "operator" | "auditor" | "developer" | null) })[] };

export type SignedOut = { readonly "provider_sign_out_url": string };

export type Submission = { readonly "connector_id": string; readonly "profile"?: ProfileId | undefined; readonly "source_ref": string };

export type SubmissionPolicy = { readonly "posted"?: { readonly "column": string; readonly "values": readonly (string)[] } | undefined; readonly "hold"?: "release" | "approval" | undefined };

export type SupplierResponse = { readonly "id": string; readonly "status": "received" | "in_process" | "under_query" | "conditionally_accepted" | "rejected" | "accepted" | "paid"; readonly "state": "waiting" | "sent" | "delivered" | "refused"; readonly "reason"?: string | undefined; readonly "at": string };

export type SupplierResponseList = { readonly "results": readonly ({ readonly "id": string; readonly "status": "received" | "in_process" | "under_query" | "conditionally_accepted" | "rejected" | "accepted" | "paid"; readonly "reasons": readonly ({ readonly "code": string; readonly "text"?: string | undefined })[]; readonly "actions": readonly ({ readonly "code": string; readonly "text"?: string | undefined })[]; readonly "note"?: string | undefined; readonly "state": "waiting" | "sent" | "delivered" | "refused"; readonly "reason"?: string | undefined; readonly "by": string; readonly "at": string })[]; readonly "next": null; readonly "previous": null };

export type TokenPair = { readonly "access": string; readonly "refresh": string };

export type TokenRequest = { readonly "email": string; readonly "password": string; readonly "tenant_id"?: string | undefined; readonly "code"?: string | undefined; readonly "device"?: string | undefined };

export type ValidationError = { readonly "field": string; readonly "rule": string; readonly "message": string; readonly "severity": "fatal" | "warning"; readonly "source"?: ErrorSource | undefined; readonly "explanation"?: Explanation | undefined; readonly "translations"?: Readonly<Record<string, string>> | undefined };

export type ValidationReport = { readonly "valid": boolean; readonly "profile": ProfileId; readonly "checks": Checks; readonly "errors": readonly (ValidationError)[]; readonly "warnings": readonly (ValidationError)[]; readonly "xml"?: string | undefined };

export type ValidationRequest = { readonly "profile"?: ProfileId | undefined; readonly "connector_id"?: string | undefined; readonly "source_ref"?: string | undefined; readonly "invoice"?: Readonly<Record<string, unknown>> | undefined; readonly "xml"?: string | undefined; readonly "complete"?: boolean | undefined };

export type ValidationWait = { readonly "reason": string; readonly "since": string; readonly "next_attempt_at": string };

export type WaitingApproval = { readonly "kind": "mapping" | "first_mapping" | "live_submission"; readonly "connector_id": string; readonly "connector_name": string; readonly "profile"?: ProfileId | undefined; readonly "fields"?: number | undefined; readonly "documents_waiting"?: number | undefined; readonly "submit_from"?: string | undefined; readonly "put_forward_by": readonly ({ readonly "id": string; readonly "name": (string | null) })[]; readonly "is_yours": boolean; readonly "since": string };

export type WaitingApprovalList = { readonly "results": readonly (WaitingApproval)[]; readonly "next": null; readonly "previous": null };

export type WebhookDelivery = { readonly "id": string; readonly "event_id": string; readonly "event": string; readonly "subject_id": string; readonly "environment": "live" | "sandbox"; readonly "state": "pending" | "delivered" | "failed" | "held" | "set_aside"; readonly "next_attempt_at": (string | null); readonly "created_at": string; readonly "settled_at": (string | null); readonly "payload": Readonly<Record<string, unknown>>; readonly "attempts": readonly ({ readonly "n": number; readonly "at": string; readonly "ms": number; readonly "status": (number | null); readonly "error": (string | null); readonly "response_head": string; readonly "response_body": string })[] };

export type WebhookDeliveryPage = { readonly "results": readonly (WebhookDelivery)[]; readonly "next": (string | null); readonly "previous": (string | null) };

export type WebhookEndpoint = { readonly "id": string; readonly "url": string; readonly "event_types": readonly (string)[]; readonly "description": string; readonly "state": "active" | "degraded" | "disabled"; readonly "disabled_reason": ("requested" | "gone" | "failing" | null); readonly "failing_since": (string | null); readonly "secrets": readonly ({ readonly "id": string; readonly "created_at": string; readonly "expires_at": (string | null) })[]; readonly "created_at": string; readonly "updated_at": string };

export type WebhookEndpointPage = { readonly "results": readonly (WebhookEndpoint)[]; readonly "next": (string | null); readonly "previous": (string | null) };

export type WebhookEndpointPatch = { readonly "url"?: string | undefined; readonly "event_types"?: readonly ("invoice.received" | "invoice.validating" | "invoice.validated" | "invoice.submitted" | "invoice.cleared" | "invoice.delivered" | "invoice.acknowledged" | "invoice.rejected" | "invoice.stalled" | "invoice.held" | "invoice.source_changed" | "invoice.cancelled" | "document.received" | "document.unreadable" | "document.rejection_ends" | "document.rejection_unanswered" | "document.cancelled" | "document.draft_kept" | "endpoint.disabled" | "invoice.*" | "document.*" | "work.stalled")[] | undefined; readonly "description"?: string | undefined; readonly "state"?: "active" | "disabled" | undefined };

export type WebhookEndpointRequest = { readonly "url": string; readonly "event_types"?: readonly ("invoice.received" | "invoice.validating" | "invoice.validated" | "invoice.submitted" | "invoice.cleared" | "invoice.delivered" | "invoice.acknowledged" | "invoice.rejected" | "invoice.stalled" | "invoice.held" | "invoice.source_changed" | "invoice.cancelled" | "document.received" | "document.unreadable" | "document.rejection_ends" | "document.rejection_unanswered" | "document.cancelled" | "document.draft_kept" | "endpoint.disabled" | "invoice.*" | "document.*" | "work.stalled")[] | undefined; readonly "description"?: string | undefined };

export type WebhookEndpointWithSecret = { readonly "id": string; readonly "url": string; readonly "event_types": readonly (string)[]; readonly "description": string; readonly "state": "active" | "degraded" | "disabled"; readonly "disabled_reason": ("requested" | "gone" | "failing" | null); readonly "failing_since": (string | null); readonly "secrets": readonly ({ readonly "id": string; readonly "created_at": string; readonly "expires_at": (string | null) })[]; readonly "created_at": string; readonly "updated_at": string; readonly "secret": (string | null) };

export type WebhookReplay = { readonly "id": string; readonly "endpoint_id": string; readonly "environment": "live" | "sandbox"; readonly "since": string; readonly "until": string; readonly "events": readonly (string)[]; readonly "only": "failed" | "all"; readonly "count": number; readonly "created_at": string };

export type WebhookReplayRequest = { readonly "since": string; readonly "until"?: string | undefined; readonly "events"?: readonly ("invoice.received" | "invoice.validating" | "invoice.validated" | "invoice.submitted" | "invoice.cleared" | "invoice.delivered" | "invoice.acknowledged" | "invoice.rejected" | "invoice.stalled" | "invoice.held" | "invoice.source_changed" | "invoice.cancelled" | "document.received" | "document.unreadable" | "document.rejection_ends" | "document.rejection_unanswered" | "document.cancelled" | "document.draft_kept" | "endpoint.disabled" | "invoice.*" | "document.*" | "work.stalled")[] | undefined; readonly "only"?: "failed" | "all" | undefined };

export type WebhookTestEvent = { readonly "event": "webhook.test"; readonly "id": string; readonly "timestamp": string; readonly "ts": string; readonly "signature": string };

export type WithdrawRequest = { readonly "reason"?: string | undefined };

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
    return this.call({"method":"POST","path":"/v1/token","isRaw":false,"isKeyed":false}, input) as Promise<SignedIn>;
  }

  /** Exchange a refresh token for the next pair. */
  refreshToken(input: { body: RefreshRequest; signal?: AbortSignal }): Promise<TokenPair> {
    return this.call({"method":"POST","path":"/v1/refresh","isRaw":false,"isKeyed":false}, input) as Promise<TokenPair>;
  }

  /** Change your password. */
  changePassword(input: { body: PasswordChange; signal?: AbortSignal }): Promise<PasswordChanged> {
    return this.call({"method":"POST","path":"/v1/password","isRaw":false,"isKeyed":false}, input) as Promise<PasswordChanged>;
  }

  /** Ask for a mail with a link to choose a new password. */
  requestPasswordReset(input: { body: PasswordForgotten; signal?: AbortSignal }): Promise<void> {
    return this.call({"method":"POST","path":"/v1/password/forgot","isRaw":false,"isKeyed":false}, input) as Promise<void>;
  }

  /** Choose a new password by the token of a mail or of the host. */
  resetPassword(input: { body: PasswordReset; signal?: AbortSignal }): Promise<PasswordChanged> {
    return this.call({"method":"POST","path":"/v1/password/reset","isRaw":false,"isKeyed":false}, input) as Promise<PasswordChanged>;
  }

  /** End this session. */
  logOut(input: { signal?: AbortSignal } = {}): Promise<void> {
    return this.call({"method":"POST","path":"/v1/logout","isRaw":false,"isKeyed":false}, input) as Promise<void>;
  }

  /** List your sessions. */
  listSessions(input: { signal?: AbortSignal } = {}): Promise<SessionList> {
    return this.call({"method":"GET","path":"/v1/sessions","isRaw":false,"isKeyed":false}, input) as Promise<SessionList>;
  }

  /** End all of your sessions but this one. */
  endOtherSessions(input: { signal?: AbortSignal } = {}): Promise<void> {
    return this.call({"method":"DELETE","path":"/v1/sessions","isRaw":false,"isKeyed":false}, input) as Promise<void>;
  }

  /** End one of your sessions. */
  endSession(input: { "id": string; signal?: AbortSignal }): Promise<void> {
    return this.call({"method":"DELETE","path":"/v1/sessions/{id}","isRaw":false,"isKeyed":false}, input) as Promise<void>;
  }

  /** See whether you have a second factor. */
  showSecondFactor(input: { signal?: AbortSignal } = {}): Promise<SecondFactor> {
    return this.call({"method":"GET","path":"/v1/second-factor","isRaw":false,"isKeyed":false}, input) as Promise<SecondFactor>;
  }

  /** Begin a second factor: codes by time (RFC 6238). */
  beginSecondFactor(input: { body: SecondFactorBegin; signal?: AbortSignal }): Promise<SecondFactorSecret> {
    return this.call({"method":"POST","path":"/v1/second-factor","isRaw":false,"isKeyed":false}, input) as Promise<SecondFactorSecret>;
  }

  /** Confirm the second factor with a first code. */
  confirmSecondFactor(input: { body: SecondFactorConfirm; signal?: AbortSignal }): Promise<RecoveryCodes> {
    return this.call({"method":"POST","path":"/v1/second-factor/confirm","isRaw":false,"isKeyed":false}, input) as Promise<RecoveryCodes>;
  }

  /** Disable the second factor. */
  disableSecondFactor(input: { body: SecondFactorDisable; signal?: AbortSignal }): Promise<void> {
    return this.call({"method":"POST","path":"/v1/second-factor/disable","isRaw":false,"isKeyed":false}, input) as Promise<void>;
  }

  /** Make recovery codes anew. */
  renewRecoveryCodes(input: { body: RecoveryCodesRequest; signal?: AbortSignal }): Promise<RecoveryCodes> {
    return this.call({"method":"POST","path":"/v1/second-factor/recovery-codes","isRaw":false,"isKeyed":false}, input) as Promise<RecoveryCodes>;
  }

  /** See the identity provider of the workspace, and what to register there. */
  getIdentityProvider(input: { signal?: AbortSignal } = {}): Promise<IdentityProviderSettings> {
    return this.call({"method":"GET","path":"/v1/identity-provider","isRaw":false,"isKeyed":false}, input) as Promise<IdentityProviderSettings>;
  }

  /** Have members signed in by an identity provider (OpenID Connect). */
  putIdentityProvider(input: { body: IdentityProviderRequest; signal?: AbortSignal }): Promise<IdentityProviderSettings> {
    return this.call({"method":"PUT","path":"/v1/identity-provider","isRaw":false,"isKeyed":false}, input) as Promise<IdentityProviderSettings>;
  }

  /** Have nobody signed in by an identity provider any more. */
  deleteIdentityProvider(input: { signal?: AbortSignal } = {}): Promise<void> {
    return this.call({"method":"DELETE","path":"/v1/identity-provider","isRaw":false,"isKeyed":false}, input) as Promise<void>;
  }

  /** See whether the identity provider answers, and what it can do. */
  checkIdentityProvider(input: { signal?: AbortSignal } = {}): Promise<IdentityProviderCheck> {
    return this.call({"method":"POST","path":"/v1/identity-provider/check","isRaw":false,"isKeyed":false}, input) as Promise<IdentityProviderCheck>;
  }

  /** List members. */
  listMembers(input: { query?: { "cursor"?: string | undefined; "limit"?: number | undefined }; signal?: AbortSignal } = {}): Promise<MemberPage> {
    return this.call({"method":"GET","path":"/v1/members","isRaw":false,"isKeyed":false}, input) as Promise<MemberPage>;
  }

  /** List members; page after page. */
  eachOfListMembers(input: { query?: { "limit"?: number | undefined }; signal?: AbortSignal } = {}): AsyncGenerator<Member> {
    return this.pages((cursor) => this.listMembers({ ...input, query: { ...('query' in input ? (input.query as object) : {}), cursor } }));
  }

  /** Give a member other roles. */
  updateMember(input: { "id": string; body: MemberPatch; signal?: AbortSignal }): Promise<Member> {
    return this.call({"method":"PATCH","path":"/v1/members/{id}","isRaw":false,"isKeyed":false}, input) as Promise<Member>;
  }

  /** Remove a member. */
  removeMember(input: { "id": string; signal?: AbortSignal }): Promise<void> {
    return this.call({"method":"DELETE","path":"/v1/members/{id}","isRaw":false,"isKeyed":false}, input) as Promise<void>;
  }

  /** Invite a teammate by mail. */
  inviteMember(input: { body: InviteRequest; idempotencyKey?: string; signal?: AbortSignal }): Promise<Invitation> {
    return this.call({"method":"POST","path":"/v1/invitations","isRaw":false,"isKeyed":true}, input) as Promise<Invitation>;
  }

  /** List invitations that nobody has accepted yet. */
  listInvitations(input: { query?: { "cursor"?: string | undefined; "limit"?: number | undefined }; signal?: AbortSignal } = {}): Promise<InvitationPage> {
    return this.call({"method":"GET","path":"/v1/invitations","isRaw":false,"isKeyed":false}, input) as Promise<InvitationPage>;
  }

  /** List invitations that nobody has accepted yet; page after page. */
  eachOfListInvitations(input: { query?: { "limit"?: number | undefined }; signal?: AbortSignal } = {}): AsyncGenerator<Invitation> {
    return this.pages((cursor) => this.listInvitations({ ...input, query: { ...('query' in input ? (input.query as object) : {}), cursor } }));
  }

  /** Withdraw an invitation. */
  withdrawInvitation(input: { "id": string; signal?: AbortSignal }): Promise<void> {
    return this.call({"method":"DELETE","path":"/v1/invitations/{id}","isRaw":false,"isKeyed":false}, input) as Promise<void>;
  }

  /** Accept an invitation. */
  acceptInvitation(input: { body: AcceptRequest; signal?: AbortSignal }): Promise<AcceptedInvitation> {
    return this.call({"method":"POST","path":"/v1/invitations/accept","isRaw":false,"isKeyed":false}, input) as Promise<AcceptedInvitation>;
  }

  /** Sign in in a browser. */
  beginBrowserSession(input: { body: BrowserSignIn; signal?: AbortSignal }): Promise<BrowserSession> {
    return this.call({"method":"POST","path":"/v1/session","isRaw":false,"isKeyed":false}, input) as Promise<BrowserSession>;
  }

  /** See who is signed in, and what they may do. */
  showBrowserSession(input: { signal?: AbortSignal } = {}): Promise<BrowserSession> {
    return this.call({"method":"GET","path":"/v1/session","isRaw":false,"isKeyed":false}, input) as Promise<BrowserSession>;
  }

  /** Go to another workspace of yours. */
  moveBrowserSession(input: { body: BrowserSessionMove; signal?: AbortSignal }): Promise<BrowserSession> {
    return this.call({"method":"PATCH","path":"/v1/session","isRaw":false,"isKeyed":false}, input) as Promise<BrowserSession>;
  }

  /** Sign out of this browser. */
  endBrowserSession(input: { signal?: AbortSignal } = {}): Promise<SignedOut> {
    return this.call({"method":"DELETE","path":"/v1/session","isRaw":false,"isKeyed":false}, input) as Promise<SignedOut>;
  }

  /** Show that it is still you. */
  proveBrowserSession(input: { body: BrowserSessionProof; signal?: AbortSignal }): Promise<void> {
    return this.call({"method":"POST","path":"/v1/session/proof","isRaw":false,"isKeyed":false}, input) as Promise<void>;
  }

  /** Sign in through the identity provider of a workspace. */
  beginProviderSignIn(input: { body: ProviderSignInRequest; signal?: AbortSignal }): Promise<ProviderSignInStart> {
    return this.call({"method":"POST","path":"/v1/sign-in","isRaw":false,"isKeyed":false}, input) as Promise<ProviderSignInStart>;
  }

  /** Show at the identity provider that it is still you. */
  beginProviderProof(input: { body?: ProviderProofRequest; signal?: AbortSignal } = {}): Promise<ProviderSignInStart> {
    return this.call({"method":"POST","path":"/v1/sign-in/proof","isRaw":false,"isKeyed":false}, input) as Promise<ProviderSignInStart>;
  }

  /** Try the identity provider of the workspace. */
  tryIdentityProvider(input: { signal?: AbortSignal } = {}): Promise<ProviderSignInStart> {
    return this.call({"method":"POST","path":"/v1/sign-in/trial","isRaw":false,"isKeyed":false}, input) as Promise<ProviderSignInStart>;
  }

  /** Come back from the identity provider. */
  finishProviderSignIn(input: { "tenant_id": string; query?: { "code"?: string | undefined; "state"?: string | undefined; "iss"?: string | undefined; "error"?: string | undefined }; signal?: AbortSignal }): Promise<void> {
    return this.call({"method":"GET","path":"/v1/sign-in/{tenant_id}/callback","isRaw":false,"isKeyed":false}, input) as Promise<void>;
  }

  /** Have all sessions of a person ended, by their identity provider. */
  logOutByProvider(input: { "tenant_id": string; signal?: AbortSignal }): Promise<void> {
    return this.call({"method":"POST","path":"/v1/sign-in/{tenant_id}/backchannel-logout","isRaw":false,"isKeyed":false}, input) as Promise<void>;
  }

  /** Submit a source document. */
  submitInvoice(input: { body: Submission; idempotencyKey?: string; prefer?: string; signal?: AbortSignal }): Promise<Accepted> {
    return this.call({"method":"POST","path":"/v1/invoices","isRaw":false,"isKeyed":true}, input) as Promise<Accepted>;
  }

  /** List submissions, newest first. */
  listInvoices(input: { query?: { "cursor"?: string | undefined; "limit"?: number | undefined; "status"?: "received" | "validating" | "validated" | "submitted" | "cleared" | "delivered" | "acknowledged" | "rejected" | undefined; "profile"?: ProfileId | undefined; "connector_id"?: string | undefined; "source_ref"?: string | undefined; "number"?: string | undefined; "buyer"?: string | undefined; "amount_min"?: string | undefined; "amount_max"?: string | undefined; "waits_for"?: "release" | "approval" | undefined; "since"?: string | undefined; "until"?: string | undefined }; signal?: AbortSignal } = {}): Promise<InvoicePage> {
    return this.call({"method":"GET","path":"/v1/invoices","isRaw":false,"isKeyed":false}, input) as Promise<InvoicePage>;
  }

  /** List submissions, newest first; page after page. */
  eachOfListInvoices(input: { query?: { "limit"?: number | undefined; "status"?: "received" | "validating" | "validated" | "submitted" | "cleared" | "delivered" | "acknowledged" | "rejected" | undefined; "profile"?: ProfileId | undefined; "connector_id"?: string | undefined; "source_ref"?: string | undefined; "number"?: string | undefined; "buyer"?: string | undefined; "amount_min"?: string | undefined; "amount_max"?: string | undefined; "waits_for"?: "release" | "approval" | undefined; "since"?: string | undefined; "until"?: string | undefined }; signal?: AbortSignal } = {}): AsyncGenerator<Invoice> {
    return this.pages((cursor) => this.listInvoices({ ...input, query: { ...('query' in input ? (input.query as object) : {}), cursor } }));
  }

  /** Read a submission. */
  getInvoice(input: { "id": string; signal?: AbortSignal }): Promise<Invoice> {
    return this.call({"method":"GET","path":"/v1/invoices/{id}","isRaw":false,"isKeyed":false}, input) as Promise<Invoice>;
  }

  /** The timeline of a submission, oldest first. */
  listInvoiceEvents(input: { "id": string; signal?: AbortSignal }): Promise<{ readonly "results": readonly (InvoiceEvent)[]; readonly "next": null; readonly "previous": null }> {
    return this.call({"method":"GET","path":"/v1/invoices/{id}/events","isRaw":false,"isKeyed":false}, input) as Promise<{ readonly "results": readonly (InvoiceEvent)[]; readonly "next": null; readonly "previous": null }>;
  }

  /** The emitted XML, for each stage it had. */
  getInvoiceDocument(input: { "id": string; query?: { "stage"?: "document" | "clearance" | "final" | "cim" | undefined }; signal?: AbortSignal }): Promise<Response> {
    return this.call({"method":"GET","path":"/v1/invoices/{id}/document","isRaw":true,"isKeyed":false}, input) as Promise<Response>;
  }

  /** Acknowledge an invoice: its business outcome is known. */
  acknowledgeInvoice(input: { "id": string; signal?: AbortSignal }): Promise<Invoice> {
    return this.call({"method":"POST","path":"/v1/invoices/{id}/acknowledge","isRaw":false,"isKeyed":false}, input) as Promise<Invoice>;
  }

  /** Release a held invoice. */
  releaseInvoice(input: { "id": string; signal?: AbortSignal }): Promise<Invoice> {
    return this.call({"method":"POST","path":"/v1/invoices/{id}/release","isRaw":false,"isKeyed":false}, input) as Promise<Invoice>;
  }

  /** Approve a released invoice, as a second person. */
  approveInvoice(input: { "id": string; signal?: AbortSignal }): Promise<Invoice> {
    return this.call({"method":"POST","path":"/v1/invoices/{id}/approve","isRaw":false,"isKeyed":false}, input) as Promise<Invoice>;
  }

  /** Release held invoices. */
  releaseInvoices(input: { body: HoldRequest; signal?: AbortSignal }): Promise<HoldResult> {
    return this.call({"method":"POST","path":"/v1/invoices/release","isRaw":false,"isKeyed":false}, input) as Promise<HoldResult>;
  }

  /** Approve released invoices, as a second person. */
  approveInvoices(input: { body: HoldRequest; signal?: AbortSignal }): Promise<HoldResult> {
    return this.call({"method":"POST","path":"/v1/invoices/approve","isRaw":false,"isKeyed":false}, input) as Promise<HoldResult>;
  }

  /** Withdraw a held invoice: it is rejected, and never sent. */
  withdrawInvoice(input: { "id": string; body?: WithdrawRequest; signal?: AbortSignal }): Promise<Invoice> {
    return this.call({"method":"POST","path":"/v1/invoices/{id}/withdraw","isRaw":false,"isKeyed":false}, input) as Promise<Invoice>;
  }

  /** Check an invoice without submitting it. */
  validateInvoice(input: { body: ValidationRequest; signal?: AbortSignal }): Promise<ValidationReport> {
    return this.call({"method":"POST","path":"/v1/validate","isRaw":false,"isKeyed":false}, input) as Promise<ValidationReport>;
  }

  /** List the documents of suppliers, newest first. */
  listReceived(input: { query?: { "cursor"?: string | undefined; "limit"?: number | undefined; "status"?: "received" | "imported" | "undone" | "duplicate" | "unreadable" | "cancelled" | undefined; "number"?: string | undefined; "supplier"?: string | undefined; "source"?: string | undefined; "cancelled"?: "true" | "false" | undefined; "since"?: string | undefined; "until"?: string | undefined }; signal?: AbortSignal } = {}): Promise<ReceivedPage> {
    return this.call({"method":"GET","path":"/v1/received","isRaw":false,"isKeyed":false}, input) as Promise<ReceivedPage>;
  }

  /** List the documents of suppliers, newest first; page after page. */
  eachOfListReceived(input: { query?: { "limit"?: number | undefined; "status"?: "received" | "imported" | "undone" | "duplicate" | "unreadable" | "cancelled" | undefined; "number"?: string | undefined; "supplier"?: string | undefined; "source"?: string | undefined; "cancelled"?: "true" | "false" | undefined; "since"?: string | undefined; "until"?: string | undefined }; signal?: AbortSignal } = {}): AsyncGenerator<ReceivedDocument> {
    return this.pages((cursor) => this.listReceived({ ...input, query: { ...('query' in input ? (input.query as object) : {}), cursor } }));
  }

  /** Read a document of a supplier. */
  getReceived(input: { "id": string; signal?: AbortSignal }): Promise<ReceivedDocument> {
    return this.call({"method":"GET","path":"/v1/received/{id}","isRaw":false,"isKeyed":false}, input) as Promise<ReceivedDocument>;
  }

  /** The document as it came, as the canonical model, or what a draft of it holds. */
  getReceivedDocument(input: { "id": string; query?: { "form"?: "document" | "cim" | "draft" | undefined }; signal?: AbortSignal }): Promise<Response> {
    return this.call({"method":"GET","path":"/v1/received/{id}/document","isRaw":true,"isKeyed":false}, input) as Promise<Response>;
  }

  /** Put a document of a supplier into the ERP, as a draft. */
  importReceived(input: { "id": string; body?: ImportRequest; signal?: AbortSignal }): Promise<ReceivedDocument> {
    return this.call({"method":"POST","path":"/v1/received/{id}/import","isRaw":false,"isKeyed":false}, input) as Promise<ReceivedDocument>;
  }

  /** Take an imported draft out of the ERP again. */
  undoImport(input: { "id": string; signal?: AbortSignal }): Promise<ReceivedDocument> {
    return this.call({"method":"POST","path":"/v1/received/{id}/undo","isRaw":false,"isKeyed":false}, input) as Promise<ReceivedDocument>;
  }

  /** Answer the supplier of a document. */
  respondToSupplier(input: { "id": string; body: RespondRequest; signal?: AbortSignal }): Promise<ReceivedDocument> {
    return this.call({"method":"POST","path":"/v1/received/{id}/respond","isRaw":false,"isKeyed":false}, input) as Promise<ReceivedDocument>;
  }

  /** All answers to the supplier of a document, oldest first. */
  listSupplierResponses(input: { "id": string; signal?: AbortSignal }): Promise<SupplierResponseList> {
    return this.call({"method":"GET","path":"/v1/received/{id}/responses","isRaw":false,"isKeyed":false}, input) as Promise<SupplierResponseList>;
  }

  /** List the addresses to which suppliers send. */
  listParticipants(input: { signal?: AbortSignal } = {}): Promise<ParticipantList> {
    return this.call({"method":"GET","path":"/v1/participants","isRaw":false,"isKeyed":false}, input) as Promise<ParticipantList>;
  }

  /** Have the documents for an address come here. */
  putParticipant(input: { "id": string; body?: ParticipantRequest; signal?: AbortSignal }): Promise<Participant> {
    return this.call({"method":"PUT","path":"/v1/participants/{id}","isRaw":false,"isKeyed":false}, input) as Promise<Participant>;
  }

  /** Have no more documents for an address come here. */
  deleteParticipant(input: { "id": string; signal?: AbortSignal }): Promise<void> {
    return this.call({"method":"DELETE","path":"/v1/participants/{id}","isRaw":false,"isKeyed":false}, input) as Promise<void>;
  }

  /** Take a document that an access point received. */
  receiveNetworkDocument(input: { "network": string; signal?: AbortSignal }): Promise<void> {
    return this.call({"method":"POST","path":"/v1/networks/{network}/documents","isRaw":false,"isKeyed":false}, input) as Promise<void>;
  }

  /** Read the company profile. */
  getCompany(input: { signal?: AbortSignal } = {}): Promise<CompanyView> {
    return this.call({"method":"GET","path":"/v1/company","isRaw":false,"isKeyed":false}, input) as Promise<CompanyView>;
  }

  /** Say who the company is. */
  putCompany(input: { body: Company; signal?: AbortSignal }): Promise<CompanyView> {
    return this.call({"method":"PUT","path":"/v1/company","isRaw":false,"isKeyed":false}, input) as Promise<CompanyView>;
  }

  /** List what a company profile may say. */
  listCompanyQuestions(input: { signal?: AbortSignal } = {}): Promise<CompanyQuestions> {
    return this.call({"method":"GET","path":"/v1/company/questions","isRaw":false,"isKeyed":false}, input) as Promise<CompanyQuestions>;
  }

  /** The company profile, signed for a bridge agent. */
  getSignedCompany(input: { query?: { "agent_id"?: string | undefined }; signal?: AbortSignal } = {}): Promise<CompanyStatement> {
    return this.call({"method":"GET","path":"/v1/company/signed","isRaw":false,"isKeyed":false}, input) as Promise<CompanyStatement>;
  }

  /** List the kinds of sources with their settings. */
  listConnectorKinds(input: { signal?: AbortSignal } = {}): Promise<ConnectorKindList> {
    return this.call({"method":"GET","path":"/v1/connector-kinds","isRaw":false,"isKeyed":false}, input) as Promise<ConnectorKindList>;
  }

  /** Bind an ERP to the service. */
  createConnector(input: { body: ConnectorRequest; idempotencyKey?: string; signal?: AbortSignal }): Promise<Connector> {
    return this.call({"method":"POST","path":"/v1/connectors","isRaw":false,"isKeyed":true}, input) as Promise<Connector>;
  }

  /** List connectors, newest first. */
  listConnectors(input: { query?: { "cursor"?: string | undefined; "limit"?: number | undefined }; signal?: AbortSignal } = {}): Promise<ConnectorPage> {
    return this.call({"method":"GET","path":"/v1/connectors","isRaw":false,"isKeyed":false}, input) as Promise<ConnectorPage>;
  }

  /** List connectors, newest first; page after page. */
  eachOfListConnectors(input: { query?: { "limit"?: number | undefined }; signal?: AbortSignal } = {}): AsyncGenerator<Connector> {
    return this.pages((cursor) => this.listConnectors({ ...input, query: { ...('query' in input ? (input.query as object) : {}), cursor } }));
  }

  /** Read a connector. */
  getConnector(input: { "id": string; signal?: AbortSignal }): Promise<Connector> {
    return this.call({"method":"GET","path":"/v1/connectors/{id}","isRaw":false,"isKeyed":false}, input) as Promise<Connector>;
  }

  /** Change a connector. */
  updateConnector(input: { "id": string; body: ConnectorPatch; signal?: AbortSignal }): Promise<Connector> {
    return this.call({"method":"PATCH","path":"/v1/connectors/{id}","isRaw":false,"isKeyed":false}, input) as Promise<Connector>;
  }

  /** Remove a connector. */
  deleteConnector(input: { "id": string; signal?: AbortSignal }): Promise<void> {
    return this.call({"method":"DELETE","path":"/v1/connectors/{id}","isRaw":false,"isKeyed":false}, input) as Promise<void>;
  }

  /** Test the connection to the source, and read its newest documents. */
  testConnector(input: { "id": string; signal?: AbortSignal }): Promise<ConnectorTest> {
    return this.call({"method":"POST","path":"/v1/connectors/{id}/test","isRaw":false,"isKeyed":false}, input) as Promise<ConnectorTest>;
  }

  /** How many people it takes to put something into use. */
  getApprovalPolicy(input: { signal?: AbortSignal } = {}): Promise<ApprovalPolicy> {
    return this.call({"method":"GET","path":"/v1/approval-policy","isRaw":false,"isKeyed":false}, input) as Promise<ApprovalPolicy>;
  }

  /** Say how many people it takes to put something into use. */
  putApprovalPolicy(input: { body: ApprovalPolicy; signal?: AbortSignal }): Promise<ApprovalPolicy> {
    return this.call({"method":"PUT","path":"/v1/approval-policy","isRaw":false,"isKeyed":false}, input) as Promise<ApprovalPolicy>;
  }

  /** List what waits for an approval, newest first. */
  listWaitingApprovals(input: { signal?: AbortSignal } = {}): Promise<WaitingApprovalList> {
    return this.call({"method":"GET","path":"/v1/approvals","isRaw":false,"isKeyed":false}, input) as Promise<WaitingApprovalList>;
  }

  /** What the source holds, and how its invoices may be read. */
  discoverConnector(input: { "id": string; body?: DiscoveryRequest; signal?: AbortSignal }): Promise<Discovery> {
    return this.call({"method":"POST","path":"/v1/connectors/{id}/discover","isRaw":false,"isKeyed":false}, input) as Promise<Discovery>;
  }

  /** The field-by-field mapping of the source to the model. */
  getMapping(input: { "id": string; query?: { "profile"?: ProfileId | undefined }; signal?: AbortSignal }): Promise<Mapping> {
    return this.call({"method":"GET","path":"/v1/connectors/{id}/mapping","isRaw":false,"isKeyed":false}, input) as Promise<Mapping>;
  }

  /** Replace the mapping. */
  replaceMapping(input: { "id": string; query?: { "profile"?: ProfileId | undefined }; body: MappingRequest; signal?: AbortSignal }): Promise<Mapping> {
    return this.call({"method":"PUT","path":"/v1/connectors/{id}/mapping","isRaw":false,"isKeyed":false}, input) as Promise<Mapping>;
  }

  /** Approve fields in bulk. */
  approveMapping(input: { "id": string; query?: { "profile"?: ProfileId | undefined }; body?: MappingApproval; signal?: AbortSignal }): Promise<Mapping> {
    return this.call({"method":"POST","path":"/v1/connectors/{id}/mapping/approve","isRaw":false,"isKeyed":false}, input) as Promise<Mapping>;
  }

  /** What the newest documents would come to, before the mapping is approved. */
  previewMapping(input: { "id": string; query?: { "profile"?: ProfileId | undefined }; body?: MappingPreviewRequest; signal?: AbortSignal }): Promise<MappingPreview> {
    return this.call({"method":"POST","path":"/v1/connectors/{id}/mapping/preview","isRaw":false,"isKeyed":false}, input) as Promise<MappingPreview>;
  }

  /** A document of the source beside what the mapping makes of it. */
  getMappedDocument(input: { "id": string; query?: { "profile"?: ProfileId | undefined; "source_ref"?: string | undefined }; signal?: AbortSignal }): Promise<MappedDocument> {
    return this.call({"method":"GET","path":"/v1/connectors/{id}/mapping/document","isRaw":false,"isKeyed":false}, input) as Promise<MappedDocument>;
  }

  /** Have events sent to an address. */
  createWebhookEndpoint(input: { body: WebhookEndpointRequest; idempotencyKey?: string; signal?: AbortSignal }): Promise<WebhookEndpointWithSecret> {
    return this.call({"method":"POST","path":"/v1/webhook-endpoints","isRaw":false,"isKeyed":true}, input) as Promise<WebhookEndpointWithSecret>;
  }

  /** List endpoints, oldest first. */
  listWebhookEndpoints(input: { query?: { "cursor"?: string | undefined; "limit"?: number | undefined }; signal?: AbortSignal } = {}): Promise<WebhookEndpointPage> {
    return this.call({"method":"GET","path":"/v1/webhook-endpoints","isRaw":false,"isKeyed":false}, input) as Promise<WebhookEndpointPage>;
  }

  /** List endpoints, oldest first; page after page. */
  eachOfListWebhookEndpoints(input: { query?: { "limit"?: number | undefined }; signal?: AbortSignal } = {}): AsyncGenerator<WebhookEndpoint> {
    return this.pages((cursor) => this.listWebhookEndpoints({ ...input, query: { ...('query' in input ? (input.query as object) : {}), cursor } }));
  }

  /** Read an endpoint. */
  getWebhookEndpoint(input: { "id": string; signal?: AbortSignal }): Promise<WebhookEndpoint> {
    return this.call({"method":"GET","path":"/v1/webhook-endpoints/{id}","isRaw":false,"isKeyed":false}, input) as Promise<WebhookEndpoint>;
  }

  /** Change, disable or enable an endpoint. */
  updateWebhookEndpoint(input: { "id": string; body: WebhookEndpointPatch; signal?: AbortSignal }): Promise<WebhookEndpoint> {
    return this.call({"method":"PATCH","path":"/v1/webhook-endpoints/{id}","isRaw":false,"isKeyed":false}, input) as Promise<WebhookEndpoint>;
  }

  /** Remove an endpoint. */
  deleteWebhookEndpoint(input: { "id": string; signal?: AbortSignal }): Promise<void> {
    return this.call({"method":"DELETE","path":"/v1/webhook-endpoints/{id}","isRaw":false,"isKeyed":false}, input) as Promise<void>;
  }

  /** Replace the signing secret. */
  rotateWebhookSecret(input: { "id": string; body?: RotateSecretRequest; signal?: AbortSignal }): Promise<WebhookEndpointWithSecret> {
    return this.call({"method":"POST","path":"/v1/webhook-endpoints/{id}/rotate-secret","isRaw":false,"isKeyed":false}, input) as Promise<WebhookEndpointWithSecret>;
  }

  /** Send a signed webhook.test event and see what the endpoint answers. */
  testWebhookEndpoint(input: { "id": string; signal?: AbortSignal }): Promise<WebhookDelivery> {
    return this.call({"method":"POST","path":"/v1/webhook-endpoints/{id}/test","isRaw":false,"isKeyed":false}, input) as Promise<WebhookDelivery>;
  }

  /** List deliveries with their attempts, newest event first. */
  listWebhookDeliveries(input: { "id": string; query?: { "cursor"?: string | undefined; "limit"?: number | undefined; "state"?: "pending" | "delivered" | "failed" | "held" | "set_aside" | undefined }; signal?: AbortSignal }): Promise<WebhookDeliveryPage> {
    return this.call({"method":"GET","path":"/v1/webhook-endpoints/{id}/deliveries","isRaw":false,"isKeyed":false}, input) as Promise<WebhookDeliveryPage>;
  }

  /** List deliveries with their attempts, newest event first; page after page. */
  eachOfListWebhookDeliveries(input: { "id": string; query?: { "limit"?: number | undefined; "state"?: "pending" | "delivered" | "failed" | "held" | "set_aside" | undefined }; signal?: AbortSignal }): AsyncGenerator<WebhookDelivery> {
    return this.pages((cursor) => this.listWebhookDeliveries({ ...input, query: { ...('query' in input ? (input.query as object) : {}), cursor } }));
  }

  /** Read a delivery with all that was kept of its attempts. */
  getWebhookDelivery(input: { "id": string; "delivery_id": string; signal?: AbortSignal }): Promise<WebhookDelivery> {
    return this.call({"method":"GET","path":"/v1/webhook-endpoints/{id}/deliveries/{delivery_id}","isRaw":false,"isKeyed":false}, input) as Promise<WebhookDelivery>;
  }

  /** Send an event again, in any state. */
  resendWebhookDelivery(input: { "id": string; "delivery_id": string; signal?: AbortSignal }): Promise<WebhookDelivery> {
    return this.call({"method":"POST","path":"/v1/webhook-endpoints/{id}/deliveries/{delivery_id}/resend","isRaw":false,"isKeyed":false}, input) as Promise<WebhookDelivery>;
  }

  /** Send the events of a past time again. */
  replayWebhookEvents(input: { "id": string; body: WebhookReplayRequest; idempotencyKey?: string; signal?: AbortSignal }): Promise<WebhookReplay> {
    return this.call({"method":"POST","path":"/v1/webhook-endpoints/{id}/replay","isRaw":false,"isKeyed":true}, input) as Promise<WebhookReplay>;
  }

  /** Issue a one-time token by which a host becomes an agent. */
  createEnrolmentToken(input: { body?: { readonly "hostname"?: string | undefined; readonly "expires_in_seconds"?: number | undefined }; signal?: AbortSignal } = {}): Promise<EnrolmentToken> {
    return this.call({"method":"POST","path":"/v1/agents/enrolment-tokens","isRaw":false,"isKeyed":false}, input) as Promise<EnrolmentToken>;
  }

  /** Enrol an agent; the agent itself calls this. */
  enrolAgent(input: { body: { readonly "control_plane_key": string; readonly "sealed": string }; signal?: AbortSignal }): Promise<Enrolment> {
    return this.call({"method":"POST","path":"/v1/agents/enrol","isRaw":false,"isKeyed":false}, input) as Promise<Enrolment>;
  }

  /** List the agents. */
  listAgents(input: { signal?: AbortSignal } = {}): Promise<AgentList> {
    return this.call({"method":"GET","path":"/v1/agents","isRaw":false,"isKeyed":false}, input) as Promise<AgentList>;
  }

  /** Read an agent. */
  getAgent(input: { "id": string; signal?: AbortSignal }): Promise<AgentWithSources> {
    return this.call({"method":"GET","path":"/v1/agents/{id}","isRaw":false,"isKeyed":false}, input) as Promise<AgentWithSources>;
  }

  /** Revoke an agent and end its link. */
  revokeAgent(input: { "id": string; signal?: AbortSignal }): Promise<void> {
    return this.call({"method":"DELETE","path":"/v1/agents/{id}","isRaw":false,"isKeyed":false}, input) as Promise<void>;
  }

  /** Take a bundle that was carried here from an agent. */
  takeBundle(input: { "id": string; body: Bundle; signal?: AbortSignal }): Promise<BundleReceipt> {
    return this.call({"method":"POST","path":"/v1/agents/{id}/bundles","isRaw":false,"isKeyed":false}, input) as Promise<BundleReceipt>;
  }

  /** List the bundles of an agent, both ways, the newest of each first. */
  listBundles(input: { "id": string; signal?: AbortSignal }): Promise<CarriedBundleList> {
    return this.call({"method":"GET","path":"/v1/agents/{id}/bundles","isRaw":false,"isKeyed":false}, input) as Promise<CarriedBundleList>;
  }

  /** Make the next bundle to an agent, with all that waits for it. */
  makeBundle(input: { "id": string; signal?: AbortSignal }): Promise<Bundle> {
    return this.call({"method":"POST","path":"/v1/agents/{id}/bundles/next","isRaw":false,"isKeyed":false}, input) as Promise<Bundle>;
  }

  /** Read a bundle to an agent again, if it was lost on its way. */
  getBundle(input: { "id": string; "number": string; signal?: AbortSignal }): Promise<Bundle> {
    return this.call({"method":"GET","path":"/v1/agents/{id}/bundles/{number}","isRaw":false,"isKeyed":false}, input) as Promise<Bundle>;
  }

  /** Issue an API key. */
  issueApiKey(input: { body: ApiKeyRequest; idempotencyKey?: string; signal?: AbortSignal }): Promise<IssuedApiKey> {
    return this.call({"method":"POST","path":"/v1/api-keys","isRaw":false,"isKeyed":true}, input) as Promise<IssuedApiKey>;
  }

  /** List the API keys of this environment, revoked ones too. */
  listApiKeys(input: { query?: { "cursor"?: string | undefined; "limit"?: number | undefined }; signal?: AbortSignal } = {}): Promise<ApiKeyPage> {
    return this.call({"method":"GET","path":"/v1/api-keys","isRaw":false,"isKeyed":false}, input) as Promise<ApiKeyPage>;
  }

  /** List the API keys of this environment, revoked ones too; page after page. */
  eachOfListApiKeys(input: { query?: { "limit"?: number | undefined }; signal?: AbortSignal } = {}): AsyncGenerator<ApiKey> {
    return this.pages((cursor) => this.listApiKeys({ ...input, query: { ...('query' in input ? (input.query as object) : {}), cursor } }));
  }

  /** Read what is kept of an API key. */
  getApiKey(input: { "id": string; signal?: AbortSignal }): Promise<ApiKey> {
    return this.call({"method":"GET","path":"/v1/api-keys/{id}","isRaw":false,"isKeyed":false}, input) as Promise<ApiKey>;
  }

  /** Rename an API key, or change from where and how long it may be used. */
  updateApiKey(input: { "id": string; body: ApiKeyPatch; signal?: AbortSignal }): Promise<ApiKey> {
    return this.call({"method":"PATCH","path":"/v1/api-keys/{id}","isRaw":false,"isKeyed":false}, input) as Promise<ApiKey>;
  }

  /** Revoke an API key. */
  revokeApiKey(input: { "id": string; signal?: AbortSignal }): Promise<void> {
    return this.call({"method":"DELETE","path":"/v1/api-keys/{id}","isRaw":false,"isKeyed":false}, input) as Promise<void>;
  }

  /** Read how long settled invoices are kept. */
  getRetention(input: { signal?: AbortSignal } = {}): Promise<Retention> {
    return this.call({"method":"GET","path":"/v1/retention","isRaw":false,"isKeyed":false}, input) as Promise<Retention>;
  }

  /** Set how long settled invoices are kept. */
  setRetention(input: { body: Retention; signal?: AbortSignal }): Promise<Retention> {
    return this.call({"method":"PUT","path":"/v1/retention","isRaw":false,"isKeyed":false}, input) as Promise<Retention>;
  }

  /** The audit log as a file: CSV, or a line of JSON an event. */
  exportAuditEvents(input: { query?: { "format"?: "csv" | "jsonl" | undefined; "actor"?: string | undefined; "action"?: string | undefined; "subject"?: string | undefined; "outcome"?: "done" | "refused" | undefined; "environment"?: "live" | "sandbox" | undefined; "since"?: string | undefined; "until"?: string | undefined }; signal?: AbortSignal } = {}): Promise<Response> {
    return this.call({"method":"GET","path":"/v1/audit-log/export","isRaw":true,"isKeyed":false}, input) as Promise<Response>;
  }

  /** Who did what to which thing, from where; the newest first. */
  listAuditEvents(input: { query?: { "cursor"?: string | undefined; "limit"?: number | undefined; "actor"?: string | undefined; "action"?: string | undefined; "subject"?: string | undefined; "outcome"?: "done" | "refused" | undefined; "environment"?: "live" | "sandbox" | undefined; "since"?: string | undefined; "until"?: string | undefined }; signal?: AbortSignal } = {}): Promise<AuditEventPage> {
    return this.call({"method":"GET","path":"/v1/audit-log","isRaw":false,"isKeyed":false}, input) as Promise<AuditEventPage>;
  }

  /** Who did what to which thing, from where; the newest first; page after page. */
  eachOfListAuditEvents(input: { query?: { "limit"?: number | undefined; "actor"?: string | undefined; "action"?: string | undefined; "subject"?: string | undefined; "outcome"?: "done" | "refused" | undefined; "environment"?: "live" | "sandbox" | undefined; "since"?: string | undefined; "until"?: string | undefined }; signal?: AbortSignal } = {}): AsyncGenerator<AuditEvent> {
    return this.pages((cursor) => this.listAuditEvents({ ...input, query: { ...('query' in input ? (input.query as object) : {}), cursor } }));
  }
}
