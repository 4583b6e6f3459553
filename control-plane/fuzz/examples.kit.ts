/**
 * Bodies that are accepted, for routes whose schema alone does not lead to one. `#` becomes a number
 * that no other body has; `$name` a value of that field seen in answers.
 */
export const examples: Readonly<Record<string, readonly unknown[]>> = {
  'POST /v1/connectors': [
    {
      pattern: 'agent',
      kind: 'agent',
      name: 'n#',
      agent_id: '$id',
      settings: { connector: 'erp' },
    },
    {
      pattern: 'database',
      kind: 'postgres',
      name: 'n#',
      default_profile: 'PINT-AE',
      settings: { host: 'erp.example.com', database: 'erp', user: 'u', password: 'p' },
    },
    { pattern: 'database', kind: 'sqlite', name: 'n#', settings: { path: '/data/erp.db' } },
    { pattern: 'file', kind: 'files', name: 'n#', settings: { folder: '/data', format: 'csv' } },
  ],
  'PUT /v1/connectors/{id}/mapping': [
    {
      profile: 'PINT-AE',
      mapping: { fields: [{ target: 'number', from: { section: 'header', column: 'number' } }] },
    },
  ],
  'POST /v1/invoices': [{ connector_id: '$id', source_ref: 'INV-#', profile: 'BIS-3.0' }],
  'POST /v1/webhook-endpoints': [{ url: 'https://r.example.com/#', event_types: ['invoice.*'] }],
  'POST /v1/webhook-endpoints/{id}/replay': [{ since: '2026-01-01T00:00:00Z', only: 'all' }],
  'POST /v1/agents/enrol': [
    { token: '$token', public_key: `${'A'.repeat(43)}=`, hostname: 'h#', version: '1.0.0' },
  ],
  'POST /v1/api-keys': [{ name: 'k#', scopes: ['invoices:read'] }],
  'POST /contacts/': [
    {
      phone: '+9715012#',
      name: 'N#',
      segments: ['VIP'],
      attributes: { city: 'Dubai', born: '1990-02-28' },
    },
  ],
  'POST /contacts/segments/': [
    { name: 's#', query: { attribute: 'city', is: ['Dubai'] } },
    { name: 's#', query: { all: [{ attribute: 'born', below: '2000-01-01' }, { text: 'n' }] } },
    { name: 's#' },
  ],
  'POST /contacts/opt-outs/': [{ channel: 'sms', address: '+9715013#' }],
  'POST /contacts/{id}/consents/': [{ channel: 'sms', state: 'granted', note: '#' }],
  'POST /contacts/{id}/merge/': [{ contact_id: '$id' }],
  'POST /tenants/tenant-tags/': [{ name: 't#' }],
  'POST /tenants/api-keys/': [{ name: 'k#', role: 'agent' }],
  'POST /tenants/members/invite/': [{ email: 'p#@example.com', role: 'agent' }],
  'POST /wa/v1/apps/': [{ name: 'a#' }],
  'POST /sms/v1/apps/': [
    { name: 'a#' },
    { name: 'a#', provider: 'generic-http-sms', settings: {} },
  ],
  'POST /botchat/v1/bots/': [{ name: 'a#' }],
  'POST /rcs/v1/apps/': [{ name: 'a#' }],
  'POST /wa/v1/templates/': [
    {
      name: 't#',
      body: 'Good morning, {{1}}.',
      language: 'en',
      category: 'UTILITY',
      examples: ['A'],
    },
  ],
  'POST /sms/v1/templates/': [{ name: 't#', body: 'Good morning, {{name}} {{__proto__}}.' }],
  'POST /botchat/v1/templates/': [{ name: 't#', body: 'Good morning, {{constructor}}.' }],
  'POST /rcs/v1/templates/': [{ name: 't#', body: 'Good morning.' }],
  'POST /wa/v1/messages/': [{ to: '+9715012#', type: 'text', text: 'hello #' }],
  'POST /sms/v1/messages/': [{ to: '+9715012#', text: 'hello #' }],
  'POST /botchat/v1/messages/': [{ to: '12345', text: 'hello #' }],
  'POST /rcs/v1/messages/': [{ to: '+9715012#', type: 'text', text: 'hello #' }],
  'POST /broadcast/': [
    { template: '$name', segment: 'VIP', channel: 'sms', schedule_at: '2027-01-01T00:00:00Z' },
    { template: '$name', segment: 'VIP', channel: 'sms', dry_run: true, variables: { name: 'x' } },
  ],
  'POST /voice/api/provider-configs/': [
    { name: 'v#', provider: 'twilio-voice', from_number: '+60312345678' },
    { name: 'v#', provider: 'plivo-voice', from_number: '+60312345678', settings: {} },
    { name: 'v#', provider: 'vonage-voice', from_number: '+60312345678', settings: { a: 'b' } },
  ],
  'POST /voice/api/templates/': [
    {
      name: 'f#',
      flow: {
        version: 1,
        start: 'say',
        nodes: {
          say: { type: 'say', text: 'Hello {{name}}', language: 'en-US', next: 'bye' },
          bye: { type: 'hangup' },
        },
      },
    },
  ],
  'POST /voice/api/calls/': [
    { to: '+60123456#', template: '$name', provider_config_id: '$id', variables: { name: 'x' } },
  ],
  'POST /voice/api/recording-consents/': [
    { phone: '+9715012#', state: 'granted', method: 'written', evidence: '#' },
  ],
  'POST /voice/api/rate-cards/': [{ prefix: '+97#', currency: 'USD', per_minute: '0.05' }],
  'POST /webhook-endpoints/': [{ url: 'https://r.example.com/#' }],
  'POST /webhook-endpoints/{id}/replay/': [{ since: '2026-01-01T00:00:00Z', only: 'all' }],
};
