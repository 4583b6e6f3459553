/** Written by `npm run write` from the OpenAPI file. */
export interface paths {
    "/v1/token": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign in with e-mail and password
         * @description A device that sends the `device` of an earlier sign-in has five tries in 15 minutes of its own. All others share five for each account; after these each next one waits longer, from 15 seconds to 15 minutes, until a day has passed.
         */
        post: operations["createToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/refresh": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Exchange a refresh token for the next pair
         * @description Each is good once. When the answer was lost, the same token gives the next pair again within 30 seconds; one that is used again later ends the session: somebody has a copy.
         */
        post: operations["refreshToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Change your password
         * @description All your other sessions end, and other devices are unknown until they sign in.
         */
        post: operations["changePassword"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/password/forgot": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ask for a mail with a link to choose a new password
         * @description The answer is the same whether or not somebody has the address. The link is good once and for an hour; no more than three are open at a time.
         */
        post: operations["requestPasswordReset"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/password/reset": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Choose a new password by the token of a mail or of the host
         * @description The token is good once. All your sessions end; a second factor stays.
         */
        post: operations["resetPassword"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/logout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * End this session
         * @description Neither of its tokens opens anything any more, on any node.
         */
        post: operations["logOut"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List your sessions
         * @description In all workspaces and both environments; the newest first, at most 200. A session that an identity provider vouched for sees those of its own workspace.
         */
        get: operations["listSessions"];
        put?: never;
        post?: never;
        /** End all of your sessions but this one */
        delete: operations["endOtherSessions"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** End one of your sessions */
        delete: operations["endSession"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/second-factor": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** See whether you have a second factor */
        get: operations["showSecondFactor"];
        put?: never;
        /**
         * Begin a second factor: codes by time (RFC 6238)
         * @description Show the address as a picture to an authenticator app, and confirm with a code of it. Until then nothing changes; begun again, an earlier secret is void.
         */
        post: operations["beginSecondFactor"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/second-factor/confirm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Confirm the second factor with a first code
         * @description From then on POST /v1/token asks for a code. Your other sessions end, which began without one. The answer has ten recovery codes, each good once in place of a code: keep them safe.
         */
        post: operations["confirmSecondFactor"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/second-factor/disable": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Disable the second factor
         * @description By your password and a code, or a recovery code. What was begun only is dropped.
         */
        post: operations["disableSecondFactor"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/second-factor/recovery-codes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make recovery codes anew
         * @description By your password and a code. The earlier ones are void at once, whether used or not.
         */
        post: operations["renewRecoveryCodes"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/identity-provider": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** See the identity provider of the workspace, and what to register there */
        get: operations["getIdentityProvider"];
        /**
         * Have members signed in by an identity provider (OpenID Connect)
         * @description It vouches for people in this workspace only. With another issuer or client, and when it is not enabled, the sessions end that it vouched for; when it is required, those of members by password, but for owners: only an owner can ask for that.
         */
        put: operations["putIdentityProvider"];
        post?: never;
        /**
         * Have nobody signed in by an identity provider any more
         * @description The sessions end that it vouched for. Members whom it made stay, and have no password: remove them, or name a provider again.
         */
        delete: operations["deleteIdentityProvider"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/identity-provider/check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** See whether the identity provider answers, and what it can do */
        post: operations["checkIdentityProvider"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/members": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List members */
        get: operations["listMembers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/members/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Remove a member
         * @description The member’s sessions end, invitations of theirs are void, and their conversations become unassigned shortly after. Keys that they made go on until they are revoked.
         */
        delete: operations["removeMember"];
        options?: never;
        head?: never;
        /**
         * Give a member other roles
         * @description It takes effect at once, also in open sessions.
         */
        patch: operations["updateMember"];
        trace?: never;
    };
    "/v1/invitations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List invitations that nobody has accepted yet */
        get: operations["listInvitations"];
        put?: never;
        /**
         * Invite a teammate by mail
         * @description Valid once, for seven days. A new invitation replaces the earlier one.
         */
        post: operations["inviteMember"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/invitations/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Withdraw an invitation */
        delete: operations["withdrawInvitation"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/invitations/accept": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Accept an invitation
         * @description A person with an account gives its password; others choose one.
         */
        post: operations["acceptInvitation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/session": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** See who is signed in, and what they may do */
        get: operations["showBrowserSession"];
        put?: never;
        /**
         * Sign in in a browser
         * @description Answers with a cookie in place of tokens. It ends when nobody did anything for a while (`ends.idle_seconds`), and after a day’s work however it is used. Tries are limited as for POST /v1/token.
         */
        post: operations["beginBrowserSession"];
        /** Sign out of this browser */
        delete: operations["endBrowserSession"];
        options?: never;
        head?: never;
        /** Go to another workspace of yours */
        patch: operations["moveBrowserSession"];
        trace?: never;
    };
    "/v1/session/proof": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Show that it is still you
         * @description For ten minutes what asks for it may be done: keys, secrets, roles and approvals.
         */
        post: operations["proveBrowserSession"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sign-in": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign in through the identity provider of a workspace
         * @description Answers with the page of the provider, and with a cookie that binds what comes of it to this browser. The provider sends the browser back, which then has the cookie of a session.
         */
        post: operations["beginProviderSignIn"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sign-in/proof": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Show at the identity provider that it is still you
         * @description For sessions that it vouched for, in place of POST /v1/session/proof: the provider asks for all that it asks for at a sign-in. Then, for ten minutes, what asks for it may be done: keys, secrets and approvals.
         */
        post: operations["beginProviderProof"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sign-in/trial": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Try the identity provider of the workspace
         * @description As a sign-in, but no session begins and no member changes: what came of it, and which roles would have, is `last_trial` of the settings afterwards.
         */
        post: operations["tryIdentityProvider"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sign-in/{tenant_id}/callback": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Come back from the identity provider
         * @description The redirect URI that is registered at the provider. Leads on to the page where the sign-in began; when nobody was signed in, to the page that says why, with a code and the id of this request.
         */
        get: operations["finishProviderSignIn"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sign-in/{tenant_id}/backchannel-logout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Have all sessions of a person ended, by their identity provider
         * @description The back-channel logout URI that is registered at the provider; a form with `logout_token`. All of the person’s sessions in the workspace end, in both environments, on every node.
         */
        post: operations["logOutByProvider"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/invoices": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List submissions, newest first */
        get: operations["listInvoices"];
        put?: never;
        /**
         * Submit a source document
         * @description Names a document in the ERP; it is pulled, checked and sent. Answers 202 at once when the verdict takes longer than the wait (5 seconds, or `Prefer: wait=N`), 422 when it was rejected within it. A document that is on its way or settled well is not taken again (409 `duplicate_document`), unless its connector says `duplicates: "warn"`.
         */
        post: operations["submitInvoice"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/invoices/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a submission */
        get: operations["getInvoice"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/invoices/{id}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The timeline of a submission, oldest first */
        get: operations["listInvoiceEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/invoices/{id}/document": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The emitted XML, for each stage it had */
        get: operations["getInvoiceDocument"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/invoices/{id}/acknowledge": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Acknowledge an invoice: its business outcome is known
         * @description For markets where no business answer comes back over the network.
         */
        post: operations["acknowledgeInvoice"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/invoices/{id}/release": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Release a held invoice
         * @description It is sent now, or waits for the approval of a second person where its connector asks for one; then only a person who has signed in may release it.
         */
        post: operations["releaseInvoice"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/invoices/{id}/approve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Approve a released invoice, as a second person
         * @description Only a person who has signed in, and neither submitted nor released it.
         */
        post: operations["approveInvoice"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/invoices/release": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Release held invoices
         * @description Each by itself: what cannot be done with one keeps back none of the others.
         */
        post: operations["releaseInvoices"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/invoices/approve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Approve released invoices, as a second person
         * @description Each by itself: what cannot be done with one keeps back none of the others.
         */
        post: operations["approveInvoices"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/invoices/{id}/withdraw": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Withdraw a held invoice: it is rejected, and never sent
         * @description Its document may be submitted again.
         */
        post: operations["withdrawInvoice"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/validate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Check an invoice without submitting it
         * @description The same engine as a submission: both stages, every fault with its place. Nothing is created and nothing is sent.
         */
        post: operations["validateInvoice"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/received": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the documents of suppliers, newest first */
        get: operations["listReceived"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/received/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a document of a supplier */
        get: operations["getReceived"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/received/{id}/document": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The document as it came, as the canonical model, or what a draft of it holds */
        get: operations["getReceivedDocument"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/received/{id}/import": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Put a document of a supplier into the ERP, as a draft
         * @description It is done soon after, once however often it is asked for; `import` says what came of it. What is a duplicate or cannot be read is not imported.
         */
        post: operations["importReceived"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/received/{id}/undo": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Take an imported draft out of the ERP again
         * @description The draft goes only as long as nobody has gone on with it there; else `import` says `conflict`. An import that still waits is taken back.
         */
        post: operations["undoImport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/received/{id}/respond": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Answer the supplier of a document
         * @description Over Peppol as an Invoice Response; to MyInvois a rejection, before `rejectable_until`. It is sent soon after, once in effect; `response` says how far it is. The same answer again changes nothing.
         */
        post: operations["respondToSupplier"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/received/{id}/responses": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** All answers to the supplier of a document, oldest first */
        get: operations["listSupplierResponses"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/participants": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the addresses to which suppliers send */
        get: operations["listParticipants"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/participants/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Have the documents for an address come here
         * @description An address has one tenant. In the sandbox it counts at once; in live once the host has seen to it that it is yours (`participant confirm`). Documents that came for it before come then too.
         */
        put: operations["putParticipant"];
        post?: never;
        /**
         * Have no more documents for an address come here
         * @description Those that came stay.
         */
        delete: operations["deleteParticipant"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/networks/{network}/documents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Take a document that an access point received
         * @description For access points that keep no list of what they received (phase4). The body is the StandardBusinessDocument, `X-Token` the `inbound_token` of the endpoint. Once it is answered with 202 the document is kept, and the same message may come again; 404: the participant is nobody’s here.
         */
        post: operations["receiveNetworkDocument"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/company": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read the company profile */
        get: operations["getCompany"];
        /**
         * Say who the company is
         * @description Once for all connectors and profiles of this environment: it replaces what was said before. What a source does not hold comes from here, on the side of the seller, or of the buyer where a mapping makes self-billed documents. A document that is validated from now on has it; those that are on their way stay as they are.
         */
        put: operations["putCompany"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/company/questions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what a company profile may say
         * @description In the order in which a form asks for it.
         */
        get: operations["listCompanyQuestions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/company/signed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The company profile, signed for a bridge agent
         * @description With the key by which that agent knows this control plane, so that it believes the answer whoever carries it: `drawbridge company import` takes it as a file. Without a company profile it says so by an empty one.
         */
        get: operations["getSignedCompany"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/connector-kinds": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the kinds of sources with their settings
         * @description For forms: what `pattern`, `kind` and `settings` of `POST /v1/connectors` may be.
         */
        get: operations["listConnectorKinds"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/connectors": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List connectors, newest first */
        get: operations["listConnectors"];
        put?: never;
        /** Bind an ERP to the service */
        post: operations["createConnector"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/connectors/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a connector */
        get: operations["getConnector"];
        put?: never;
        post?: never;
        /**
         * Remove a connector
         * @description What was submitted through it stays readable; its settings are erased.
         */
        delete: operations["deleteConnector"];
        options?: never;
        head?: never;
        /**
         * Change a connector
         * @description Fields that are left out stay; `settings` is replaced as a whole. `layout` puts its members in place of those of the settings (those that it leaves out take their default), and keeps where the source is and the secrets.
         */
        patch: operations["updateConnector"];
        trace?: never;
    };
    "/v1/connectors/{id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Test the connection to the source, and read its newest documents */
        post: operations["testConnector"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/approval-policy": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** How many people it takes to put something into use */
        get: operations["getApprovalPolicy"];
        /**
         * Say how many people it takes to put something into use
         * @description Who may change members may change it. Only a person who has signed in goes back to one.
         */
        put: operations["putApprovalPolicy"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/approvals": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what waits for an approval, newest first
         * @description Mappings with fields that are put forward and not approved, sources whose documents wait for a first one and, where beginning to submit takes two people, connectors whose hold another person ends.
         */
        get: operations["listWaitingApprovals"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/connectors/{id}/discover": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * What the source holds, and how its invoices may be read
         * @description Looks through the tables of a database, or the files of a folder or mailbox, whatever the settings say of them: tables with their keys, rows and dates, proposals of how invoices are read with their reasons, and three documents that are read so. Nothing is changed: PATCH the connector with a proposed `layout` to accept it.
         */
        post: operations["discoverConnector"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/connectors/{id}/mapping": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The field-by-field mapping of the source to the model
         * @description With samples from a document of the source, and what the profile asks for and nobody fills. When there is no mapping yet, one is proposed from the columns; it is used once it is approved.
         */
        get: operations["getMapping"];
        /**
         * Replace the mapping
         * @description A field that says the same keeps its approval, as long as lists and joins find its rows as before; one that is new or changed is approved when it is sent with `status: approved`, which takes the permission `mappings:approve`.
         */
        put: operations["replaceMapping"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/connectors/{id}/mapping/approve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Approve fields in bulk
         * @description All of them, those named, or those whose proposal has at least this confidence. What the newest preview of this very mapping objects to has to be accepted, each with a reason; without a preview there is nothing to answer.
         */
        post: operations["approveMapping"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/connectors/{id}/mapping/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * What the newest documents would come to, before the mapping is approved
         * @description Reads the newest documents through the mapping as if all of it were approved, with the company profile: how many would pass, what refuses the others, and our totals and tax beside the ERP's own. Nothing is submitted. What stands against the mapping is an objection: where the caller may propose or approve mappings, those of the stored mapping are kept, and its approval has to answer them (`accepted_objections`).
         */
        post: operations["previewMapping"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/connectors/{id}/mapping/document": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A document of the source beside what the mapping makes of it
         * @description The mapping is used as if all of it were approved, with the company profile. Every value of the invoice tells the column that it came from.
         */
        get: operations["getMappedDocument"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhook-endpoints": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List endpoints, oldest first */
        get: operations["listWebhookEndpoints"];
        put?: never;
        /**
         * Have events sent to an address
         * @description One endpoint serves both environments; the header X-Environment tells which. To verify: cut `,"signature":"sha256=…"` out of the raw body, put its `ts` and a full stop before it, and compare the HMAC-SHA256 (hex) under the secret as shown, `whsec_` included; refuse a `ts` more than 300 seconds off. Or verify by Standard Webhooks (webhook-id, webhook-timestamp, webhook-signature). Drop repeats by webhook-id. A repeat with the same Idempotency-Key shows no secret: rotate it if it was lost.
         */
        post: operations["createWebhookEndpoint"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhook-endpoints/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read an endpoint */
        get: operations["getWebhookEndpoint"];
        put?: never;
        post?: never;
        /**
         * Remove an endpoint
         * @description Nothing more is sent to it, also not what was waiting; its secrets are erased.
         */
        delete: operations["deleteWebhookEndpoint"];
        options?: never;
        head?: never;
        /** Change, disable or enable an endpoint */
        patch: operations["updateWebhookEndpoint"];
        trace?: never;
    };
    "/v1/webhook-endpoints/{id}/rotate-secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replace the signing secret
         * @description Until the grace ends both secrets sign the headers (X-Signature, webhook-signature); the body's `signature` is by the new one at once.
         */
        post: operations["rotateWebhookSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhook-endpoints/{id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a signed webhook.test event and see what the endpoint answers
         * @description Also to a disabled endpoint. Pending: it was not sent within 20 seconds.
         */
        post: operations["testWebhookEndpoint"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhook-endpoints/{id}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List deliveries with their attempts, newest event first */
        get: operations["listWebhookDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhook-endpoints/{id}/deliveries/{delivery_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a delivery with all that was kept of its attempts */
        get: operations["getWebhookDelivery"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhook-endpoints/{id}/deliveries/{delivery_id}/resend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send an event again, in any state
         * @description With the same webhook-id, a new signature, and the whole schedule of retries.
         */
        post: operations["resendWebhookDelivery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhook-endpoints/{id}/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send the events of a past time again
         * @description Of each subject in the order in which they happened, with the same webhook-id, a new signature and the whole schedule of retries; slowly enough for new events to go on. What is about to be sent anyway is left as it is. `only: "all"` also sends what the endpoint would get now and never got, as it was disabled or not there yet.
         */
        post: operations["replayWebhookEvents"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agents/enrolment-tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Issue a one-time token by which a host becomes an agent */
        post: operations["createEnrolmentToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agents/enrol": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Enrol an agent; the agent itself calls this */
        post: operations["enrolAgent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the agents */
        get: operations["listAgents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agents/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read an agent */
        get: operations["getAgent"];
        put?: never;
        post?: never;
        /** Revoke an agent and end its link */
        delete: operations["revokeAgent"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agents/{id}/bundles": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the bundles of an agent, both ways, the newest of each first */
        get: operations["listBundles"];
        put?: never;
        /**
         * Take a bundle that was carried here from an agent
         * @description Bundles are taken once and in order; a refusal changes nothing and names its reason.
         */
        post: operations["takeBundle"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agents/{id}/bundles/next": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make the next bundle to an agent, with all that waits for it
         * @description Asked again before anything new waits, it answers the same bundle.
         */
        post: operations["makeBundle"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agents/{id}/bundles/{number}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a bundle to an agent again, if it was lost on its way */
        get: operations["getBundle"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/api-keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the API keys of this environment, revoked ones too */
        get: operations["listApiKeys"];
        put?: never;
        /**
         * Issue an API key
         * @description It opens the environment of the address where it is issued, and no other. A repeat with the same Idempotency-Key makes no other key and shows none: revoke it if it was lost.
         */
        post: operations["issueApiKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/api-keys/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read what is kept of an API key */
        get: operations["getApiKey"];
        put?: never;
        post?: never;
        /**
         * Revoke an API key
         * @description It is refused on every node within a second, and stays in the list.
         */
        delete: operations["revokeApiKey"];
        options?: never;
        head?: never;
        /**
         * Rename an API key, or change from where and how long it may be used
         * @description Every node follows within a second. What a key may do never changes: issue another one for that.
         */
        patch: operations["updateApiKey"];
        trace?: never;
    };
    "/v1/retention": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read how long settled invoices are kept */
        get: operations["getRetention"];
        /**
         * Set how long settled invoices are kept
         * @description It holds for the environment of the address, and for invoices that are there already: the next sweep deletes those whose time is over, with their documents, timeline, webhook deliveries and idempotency keys, and nothing brings them back. An invoice that is on its way, may still be cancelled, or has a webhook that is still to be sent is never deleted. The audit log stays.
         */
        put: operations["setRetention"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/audit-log/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The audit log as a file: CSV, or a line of JSON an event
         * @description The newest first, at most 1000000 events: narrow it by time for more.
         */
        get: operations["exportAuditEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/audit-log": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Who did what to which thing, from where; the newest first
         * @description Changes of settings, mappings, keys, members and roles with what was there before and after; approvals, sign-ins and what was refused. Nobody can change an event, nor remove one.
         */
        get: operations["listAuditEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface webhooks {
    "invoice.received": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** An invoice was submitted */
        post: operations["on invoice.received"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "invoice.validating": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** An invoice is being checked */
        post: operations["on invoice.validating"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "invoice.validated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** An invoice keeps all rules */
        post: operations["on invoice.validated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "invoice.submitted": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** An invoice was sent to its authority or network */
        post: operations["on invoice.submitted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "invoice.cleared": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The authority has cleared an invoice */
        post: operations["on invoice.cleared"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "invoice.delivered": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** An invoice has arrived at its buyer */
        post: operations["on invoice.delivered"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "invoice.acknowledged": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** An invoice is settled */
        post: operations["on invoice.acknowledged"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "invoice.rejected": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** An invoice breaks a rule, or was refused */
        post: operations["on invoice.rejected"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "invoice.stalled": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The service has stopped trying to work on an invoice, which keeps its state */
        post: operations["on invoice.stalled"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "invoice.held": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A valid document waits for a person; only for endpoints that name it */
        post: operations["on invoice.held"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "invoice.source_changed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The source holds a document otherwise than it was sent; only for endpoints that name it */
        post: operations["on invoice.source_changed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "invoice.cancelled": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The authority says that a document which it had cleared was cancelled; only for endpoints that name it */
        post: operations["on invoice.cancelled"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "document.received": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A document of a supplier has come in; only for endpoints that name it */
        post: operations["on document.received"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "document.rejection_ends": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A document of a supplier can soon no longer be rejected; only for endpoints that name it */
        post: operations["on document.rejection_ends"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "document.rejection_unanswered": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A supplier has not cancelled a document that was rejected, so that it stands; only for endpoints that name it */
        post: operations["on document.rejection_unanswered"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "document.unreadable": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Something that is no invoice, or cannot be read, has come in as a document of a supplier; only for endpoints that name it */
        post: operations["on document.unreadable"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "document.cancelled": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A supplier has cancelled a document at its authority; only for endpoints that name it */
        post: operations["on document.cancelled"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "document.draft_kept": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The draft of a cancelled document stays in the ERP, and a person must take it out there; only for endpoints that name it */
        post: operations["on document.draft_kept"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "endpoint.disabled": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Another endpoint of yours was disabled */
        post: operations["on endpoint.disabled"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "work.stalled": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The service has stopped trying to do something that is no invoice’s */
        post: operations["on work.stalled"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "webhook.test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** You asked for a test */
        post: operations["on webhook.test"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface components {
    schemas: {
        AcceptRequest: {
            token: string;
            name: string;
            /** @description At least twelve characters; any are allowed. */
            password: string;
        };
        Accepted: {
            /**
             * @description Identifier of a submission.
             * @example inv_01k9zq3v7m2n4p6r8t0w2y4a6c
             */
            id: string;
            /** @enum {string} */
            status: "received" | "validating" | "validated" | "submitted" | "cleared" | "delivered" | "acknowledged" | "rejected";
            checks: components["schemas"]["Checks"];
            links: {
                self: string;
                events: string;
            };
        };
        AcceptedInvitation: {
            tenant_id: string;
            user_id: string;
            email: string;
            /** @description In messaging; null: none there. */
            role: ("owner" | "admin" | "agent" | "analyst" | "developer" | "billing") | null;
            /** @description In e-invoicing; null: none there, except for an owner, who may do everything. */
            einvoicing_role: ("finance_admin" | "approver" | "operator" | "auditor" | "developer") | null;
        };
        Agent: {
            id: string;
            hostname: string;
            version: string;
            online: boolean;
            /** Format: date-time */
            enrolled_at: string;
            last_seen_at: string | null;
        };
        AgentList: {
            results: components["schemas"]["Agent"][];
            next: null;
            previous: null;
        };
        AgentSource: {
            /** @description The name of the connector on the agent */
            connector: string;
            /** @description Documents that were read and stored, changes counted each time */
            documents: number;
            /** Format: date-time */
            last_read_at: string;
            /** @description The last comparison of the whole source with what was read of it */
            reconciliation: {
                /** Format: date-time */
                at: string;
                /** @description Documents that the source has */
                documents: number;
                /** @description Found behind the place that reading had reached */
                late: number;
                /** @description Changed without moving past that place */
                edited: number;
                /** @description Read once, and not in the source any more */
                deleted: number;
                examples: {
                    /** @enum {string} */
                    kind: "late" | "edited" | "deleted";
                    ref: string;
                }[];
            } | null;
        };
        AgentStatus: {
            /** Format: date-time */
            received_at: string;
            queue: {
                /**
                 * @description `full`: no more is read or taken
                 * @enum {string}
                 */
                state: "room" | "full";
                detail: string;
                /** @description Write-backs to do */
                pending_commands: number;
                oldest_pending_at: string | null;
                /** @description Events for the control plane */
                unsent_events: number;
                /** @description Documents among them */
                unsent_documents: number;
                unsent_bytes: number;
                oldest_unsent_at: string | null;
            };
            disk: {
                /**
                 * @description `full`: no more is read or taken
                 * @enum {string}
                 */
                state: "room" | "full";
                detail: string;
                free_bytes: number;
            };
            /** @description Sources that do not take what is to be written */
            waiting: {
                connector: string;
                detail: string;
                /** Format: date-time */
                since: string;
            }[];
            /** @description What the doctor of the agent found, the worst first */
            findings: {
                component: string;
                target: string;
                /** @enum {string} */
                status: "ok" | "warn" | "fail";
                detail: string;
                /** @description Null where nothing has to be done */
                code: string | null;
                /** @description What helps, as `drawbridge doctor` says it */
                action: string | null;
            }[];
            examined_at: string | null;
        };
        AgentWithSources: {
            id: string;
            hostname: string;
            version: string;
            online: boolean;
            /** Format: date-time */
            enrolled_at: string;
            last_seen_at: string | null;
            sources: components["schemas"]["AgentSource"][];
            /** @description As the agent last told, at most once a minute; null before it did */
            status: components["schemas"]["AgentStatus"] | null;
        };
        ApiKey: {
            id: string;
            name: string;
            /** @description The beginning of the key, to recognise it by. */
            shown: string;
            scopes: string[];
            allowed_ips: string[];
            /** Format: date-time */
            created_at: string;
            expires_at: string | null;
            revoked_at: string | null;
            last_used_at: string | null;
        };
        ApiKeyPage: {
            results: components["schemas"]["ApiKey"][];
            /** @description The cursor of the page after this one; null: the last. */
            next: string | null;
            /** @description The cursor of the page before this one; null: the first. */
            previous: string | null;
        };
        ApiKeyPatch: {
            name?: string;
            /** @description Addresses or CIDR ranges it may be used from; none: from anywhere. */
            allowed_ips?: string[];
            /** @description Null: it does not expire. */
            expires_at?: string | null;
        };
        ApiKeyRequest: {
            name: string;
            /** @description What the key may do, at most what you may do yourself; `*` is everything. */
            scopes: ("tenant:read" | "members:read" | "members:write" | "invoices:read" | "invoices:write" | "invoices:release" | "invoices:approve" | "received:read" | "received:write" | "received:respond" | "participants:write" | "company:read" | "company:write" | "connectors:read" | "connectors:write" | "mappings:approve" | "agents:read" | "agents:write" | "webhooks:read" | "webhooks:write" | "keys:read" | "keys:write" | "retention:read" | "retention:write" | "audit:read" | "*")[];
            /**
             * @description Addresses or CIDR ranges it may be used from; none: from anywhere.
             * @default []
             */
            allowed_ips: string[];
            /** Format: date-time */
            expires_at?: string;
        };
        /** @description How many people it takes to put something into use. */
        ApprovalPolicy: {
            /**
             * @description With `two`, a field of a mapping is put forward by one person, also with a key, and approved by another.
             * @enum {string}
             */
            mappings: "one" | "two";
            /**
             * @description With `two`, documents are submitted by themselves in the live environment (`submit_from`) once somebody has begun it with a hold (`submission.hold`), and another person has ended the hold.
             * @enum {string}
             */
            live_submission: "one" | "two";
        };
        AuditEvent: {
            id: string;
            /** Format: date-time */
            timestamp: string;
            actor: {
                /**
                 * @description `host`: a command of the host; `nobody`: not known.
                 * @enum {string}
                 */
                kind: "user" | "key" | "host" | "nobody";
                id: string | null;
            };
            /** @description Null: of the workspace, or not through an API. */
            service: string | null;
            /** @description The address that was called. */
            environment: ("live" | "sandbox") | null;
            ip: string | null;
            request_id: string | null;
            /** @description The operation of the API, or the command of the host. */
            action: string;
            subject: string | null;
            /** @enum {string} */
            outcome: "done" | "refused";
            /** @description What differs, as it was; secrets are masked. */
            before: unknown;
            /** @description What differs, as it became; secrets are masked. */
            after: unknown;
        };
        AuditEventPage: {
            results: components["schemas"]["AuditEvent"][];
            /** @description The cursor of the page after this one; null: the last. */
            next: string | null;
            /** @description The cursor of the page before this one; null: the first. */
            previous: string | null;
        };
        BrowserSession: {
            user: {
                id: string;
                name: string;
                email: string;
                has_second_factor: boolean;
            };
            /** @description The workspace that the session is for. */
            tenant: {
                id: string;
                name: string;
            };
            /** @description In messaging; null: none there. */
            role: ("owner" | "admin" | "agent" | "analyst" | "developer" | "billing") | null;
            /** @description In e-invoicing; null: none there, except for an owner, who may do everything. */
            einvoicing_role: ("finance_admin" | "approver" | "operator" | "auditor" | "developer") | null;
            /** @description What the person may do in each service; `*` is everything. */
            permissions: {
                einvoicing: string[];
                messaging: string[];
            };
            /** @description Workspaces of the person to which this session may go; its own is among them. */
            tenants: {
                id: string;
                name: string;
            }[];
            /**
             * @description Who vouched for the person: the own password, or the identity provider.
             * @enum {string}
             */
            signed_in_by: "password" | "provider";
            /** @enum {string} */
            environment: "live" | "sandbox";
            /** @description When the session ends by itself; of a session in a browser. */
            ends?: {
                /** @description It lasts at least so long after each request with the header `Person-Acted: ?1`, which says that a person did something since the last one. What a page asks for by itself goes without. */
                idle_seconds: number;
                /** @description It ends so long after this answer, however it is used. */
                remaining_seconds: number;
            };
            addresses: {
                live: string;
                sandbox: string;
            };
        };
        BrowserSessionMove: {
            /** Format: lowercase */
            tenant_id: string & (unknown & unknown);
        };
        BrowserSessionProof: {
            password: string;
            /** @description With a second factor. */
            code?: string;
        };
        BrowserSignIn: {
            /** Format: email */
            email: string;
            password: string;
            /**
             * Format: lowercase
             * @description Which tenant, for members of several; else the one joined first.
             */
            tenant_id?: string & (unknown & unknown);
            /** @description For accounts with a second factor. */
            code?: string;
        };
        Bundle: {
            /** @constant */
            format: "drawbridge-bundle/1";
            /** @enum {string} */
            from: "agent" | "control-plane";
            agent_id: string;
            number: number;
            /** Format: date-time */
            created_at: string;
            control_plane_key: string;
            /** Format: base64 */
            sealed: string;
            signature: string;
        };
        BundleReceipt: {
            number: number;
            digest: string;
            messages: number;
        };
        BuyerResponse: {
            /** @description As the buyer gave it (UNCL4343): AB, IP, UQ, CA, RE, AP, PD. */
            code: string;
            /** @enum {string} */
            status: "received" | "in_process" | "under_query" | "conditionally_accepted" | "rejected" | "accepted" | "paid" | "other";
            note?: string;
            /** Format: date-time */
            at: string;
        };
        CarriedBundle: {
            /** @enum {string} */
            direction: "from_agent" | "to_agent";
            number: number;
            /** @description SHA-256 of its signature, in hex; the agent shows the same */
            digest: string;
            messages: number;
            /** Format: date-time */
            made_at: string;
            /** @description null: on its way */
            taken_at: string | null;
        };
        CarriedBundleList: {
            results: components["schemas"]["CarriedBundle"][];
            next: null;
            previous: null;
        };
        Checks: {
            /** @enum {string} */
            schema: "pending" | "passed" | "failed" | "skipped";
            /** @enum {string} */
            business_rules: "pending" | "passed" | "failed" | "skipped";
            /** @enum {string} */
            authority_clearance?: "pending" | "passed" | "failed" | "skipped";
        };
        Company: {
            legal_name: string;
            country: string;
            /**
             * @description Tax registration number of the UAE, from the VAT certificate.
             * @example 100234567801003
             */
            trn?: string;
            /**
             * @description Tax identification number of LHDN, as in MyTax.
             * @example C2584563222
             */
            tin?: string;
            /**
             * @description Sales or service tax in Malaysia; two are joined by a semicolon.
             * @example W10-1808-32000005
             */
            sst?: string;
            /**
             * @description With the letters of the country.
             * @example BE0403019261
             */
            vat?: string;
            /**
             * @description Of the trade licence or the company register.
             * @example CN-1183764
             */
            registration_id?: string;
            /**
             * @description UAE: TL licence, EID Emirates ID, PAS passport, CD cabinet decision. Malaysia: BRN, NRIC, PASSPORT or ARMY.
             * @example TL
             */
            registration_type?: string;
            /**
             * @description Who issued the licence.
             * @example Dubai Department of Economy and Tourism
             */
            registration_authority?: string;
            /**
             * @description Of the registered address.
             * @example Office 1204, Bay Square 7
             */
            address_line1?: string;
            /**
             * @description If there is one.
             * @example Business Bay
             */
            address_line2?: string;
            /**
             * @description Of the registered address.
             * @example Dubai
             */
            city?: string;
            /**
             * @description UAE: AUH, DXB, SHJ, UAQ, FUJ, AJM or RAK. Malaysia: the name of the state.
             * @example DXB
             */
            subdivision?: string;
            /**
             * @description Where the country has them.
             * @example 50088
             */
            post_code?: string;
            /**
             * @description Whom customers ask about an invoice.
             * @example Accounts receivable
             */
            contact_name?: string;
            /**
             * @description With the code of the country.
             * @example +97142345678
             */
            phone?: string;
            /**
             * @description To which customers write about an invoice.
             * @example billing@alnoor.example
             */
            email?: string;
            /**
             * @description Five digits that say what the business is, in Malaysia.
             * @example 46510
             */
            industry_code?: string;
            /**
             * @description The words beside the MSIC code.
             * @example Wholesale of computer hardware, software and peripherals
             */
            industry_name?: string;
            /**
             * @description An IBAN, or the number where there are none.
             * @example AE070331234567890123456
             */
            bank_account?: string;
            /**
             * @description If it is not that of the company.
             * @example Al Noor Trading LLC
             */
            bank_account_name?: string;
            /**
             * @description Four digits: 0235 UAE, 0230 Malaysia, 0208 Belgium, 0088 GLN.
             * @example 0235
             */
            endpoint_scheme?: string;
            /**
             * @description In Peppol. In the UAE it is the TIN, and follows from the TRN.
             * @example 1002345678
             */
            endpoint_id?: string;
            /**
             * @description Of documents that name none.
             * @example AED
             */
            default_currency?: string;
            /**
             * @description Of lines that name none: UN/ECE Rec 20, H87 is a piece.
             * @example H87
             */
            default_unit?: string;
            /**
             * @description Of documents that name none: 10 cash, 30 transfer, 54 credit card.
             * @example 30
             */
            default_payment_means?: string;
            /**
             * @description Of documents that name none.
             * @example 30 days net
             */
            default_payment_terms?: string;
        };
        CompanyLacking: {
            profile: components["schemas"]["ProfileId"];
            fields: string[];
        };
        CompanyQuestion: {
            name: string;
            label: string;
            help: string;
            example: string;
            required: boolean;
        };
        CompanyQuestions: {
            results: components["schemas"]["CompanyQuestion"][];
        };
        CompanyStatement: {
            /** @constant */
            format: "drawbridge-company/1";
            agent_id: string;
            /** @enum {string} */
            environment: "live" | "sandbox";
            /** Format: date-time */
            made_at: string;
            control_plane_key: string;
            /** @description The company profile as JSON text, as it was signed. */
            company: string;
            signature: string;
        };
        CompanyView: {
            /** @description Absent until it is told. */
            company?: components["schemas"]["Company"];
            /** Format: date-time */
            updated_at?: string;
            /** @description What a profile requires of the company in each document and is not said here: a source has to hold it. */
            lacking: components["schemas"]["CompanyLacking"][];
        };
        Connector: {
            /**
             * @description Identifier of a connector.
             * @example cnx_01k9zq3v7m2n4p6r8t0w2y4a6c
             */
            id: string;
            /** @enum {string} */
            pattern: "API" | "database" | "file" | "agent" | "email";
            kind: string;
            name: string;
            agent_id?: string;
            default_profile?: components["schemas"]["ProfileId"];
            /**
             * @description What happens when a document is submitted again that is on its way or settled well: it is refused, or taken with `duplicate_of` and a warning.
             * @enum {string}
             */
            duplicates: "warn" | "reject";
            /**
             * Format: date
             * @description Documents issued on this day or later are submitted by themselves, in this environment, when the bridge agent finds them new or changed (`connector add --watch`). Null ends it.
             */
            submit_from?: string;
            /** @description Its documents are those of suppliers: what is found in it (UBL XML), here or by the bridge agent, is kept as received, in this environment, and imported into the connector that `import_to` names. Null ends it. */
            receives?: {
                import_to?: string;
            };
            submission?: components["schemas"]["SubmissionPolicy"];
            /** @description Secrets are masked. */
            settings: {
                [key: string]: unknown;
            };
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            next?: components["schemas"]["NextStep"][];
        };
        ConnectorKind: {
            kind: string;
            /** @enum {string} */
            pattern: "API" | "database" | "file" | "agent" | "email";
            /** @description What people call such a source. */
            title: string;
            /** @description JSON Schema (2020-12) of the settings, with a title and mostly a description for each. Beside the keywords of the standard: `secret` (never shown again) and `advanced` (rarely changed). */
            settings: {
                [key: string]: unknown;
            };
            /** @description Members of the settings that say how documents are read: what `POST /v1/connectors/{id}/discover` proposes. Empty where there is nothing to discover. */
            layout: string[];
        };
        ConnectorKindList: {
            results: components["schemas"]["ConnectorKind"][];
        };
        ConnectorPage: {
            results: components["schemas"]["Connector"][];
            /** @description The cursor of the page after this one; null: the last. */
            next: string | null;
            /** @description The cursor of the page before this one; null: the first. */
            previous: string | null;
        };
        ConnectorPatch: {
            name?: string;
            agent_id?: string;
            default_profile?: components["schemas"]["ProfileId"];
            /**
             * @description What happens when a document is submitted again that is on its way or settled well: it is refused, or taken with `duplicate_of` and a warning.
             * @enum {string}
             */
            duplicates?: "warn" | "reject";
            /** @description As the kind asks for; secrets are sealed and never shown again. */
            settings?: {
                [key: string]: unknown;
            };
            /** @description Members of the settings that say how documents are read, and neither where the source is nor who logs in: `sections` and `changes` of a database, as `POST /v1/connectors/{id}/discover` proposes them. */
            layout?: {
                [key: string]: unknown;
            };
            submit_from?: string | null;
            receives?: {
                import_to?: string;
            } | null;
            submission?: components["schemas"]["SubmissionPolicy"] | null;
        };
        ConnectorRequest: {
            /** @enum {string} */
            pattern: "API" | "database" | "file" | "agent" | "email";
            /** @description E.g. sqlite, postgres, mysql, files, agent. */
            kind: string;
            name: string;
            /** @description The bridge agent that reads it (pattern agent). */
            agent_id?: string;
            default_profile?: components["schemas"]["ProfileId"];
            /**
             * @description What happens when a document is submitted again that is on its way or settled well: it is refused, or taken with `duplicate_of` and a warning.
             * @default reject
             * @enum {string}
             */
            duplicates: "warn" | "reject";
            /**
             * @description As the kind asks for; secrets are sealed and never shown again.
             * @default {}
             */
            settings: {
                [key: string]: unknown;
            };
        };
        ConnectorTest: {
            ok: boolean;
            detail: string;
            /** @description References that can be submitted. */
            sample_refs?: string[];
            /** @description What keeps confirmations from being written, found without writing one. */
            write_back?: string;
            code?: string;
        };
        DefaultRoles: {
            /** @description In messaging; null: none there. */
            role: ("owner" | "admin" | "agent" | "analyst" | "developer" | "billing") | null;
            /** @description In e-invoicing; null: none there, except for an owner, who may do everything. */
            einvoicing_role: ("finance_admin" | "approver" | "operator" | "auditor" | "developer") | null;
        };
        DefaultRolesRequest: {
            /**
             * @description In messaging; null: none there.
             * @default null
             */
            role: ("owner" | "admin" | "agent" | "analyst" | "developer" | "billing") | null;
            /**
             * @description In e-invoicing; null: none there, except for an owner, who may do everything.
             * @default null
             */
            einvoicing_role: ("finance_admin" | "approver" | "operator" | "auditor" | "developer") | null;
        };
        DiscoveredCompanyAnswer: {
            /**
             * @description A member of the company profile.
             * @enum {string}
             */
            field: "legal_name" | "country" | "trn" | "tin" | "sst" | "vat" | "registration_id" | "registration_type" | "registration_authority" | "address_line1" | "address_line2" | "city" | "subdivision" | "post_code" | "contact_name" | "phone" | "email" | "industry_code" | "industry_name" | "bank_account" | "bank_account_name" | "endpoint_scheme" | "endpoint_id" | "default_currency" | "default_unit" | "default_payment_means" | "default_payment_terms";
            value: string;
            /** @description Where it stands: `company.tax_no`, or `settings (tax_no)`. */
            from: string;
        };
        /** @description Rows of the header's table with another value, rows of another table, or invoices whose total is negative. */
        DiscoveredCreditNotes: {
            /** @constant */
            kind: "value";
            column: string;
            value: string;
        } | {
            /** @constant */
            kind: "table";
            table: string;
        } | {
            /** @constant */
            kind: "negative";
            column: string;
        } | {
            /** @constant */
            kind: "none";
        };
        /** @description A document as a person reads it, by what its columns seem to mean. */
        DiscoveredDocument: {
            /** @description As `source_ref` of a submission. */
            ref: string;
            number?: string;
            date?: string;
            customer?: string;
            currency?: string;
            /** @description With tax, as the source has it. */
            total?: string;
            /** @description The first ten. */
            lines: {
                name?: string;
                quantity?: string;
                price?: string;
                net?: string;
            }[];
            line_count: number;
            /** @description The first ten rows of each section, as they stand in the source; values are cut. */
            sections: {
                [key: string]: {
                    origin: string;
                    key: string;
                    values: {
                        [key: string]: string | null;
                    };
                }[];
            };
        };
        DiscoveredTable: {
            name: string;
            /** @description About how many; left out where nothing says so. */
            rows?: number;
            columns: number;
            /** @description Its declared key; empty where there is none. */
            key: string[];
            /** @description Columns of dates, each with the latest that was seen; at most five. */
            dates: {
                column: string;
                /** Format: date */
                latest: string;
            }[];
        };
        Discovery: {
            /**
             * @description Identifier of a connector.
             * @example cnx_01k9zq3v7m2n4p6r8t0w2y4a6c
             */
            connector_id: string;
            /** @description E.g. "PostgreSQL at db:5432/erp", or "outbox: 3 files: 3 CSV of one layout". */
            source: string;
            /** @description What the server says it is: "MariaDB 10.11.6"; empty for files. */
            product: string;
            /** @description Those whose names may have to do with invoices, or those of the files, at most 400. */
            tables: components["schemas"]["DiscoveredTable"][];
            /** @description How the documents may be read, the surest first; empty when nothing looks so. */
            layouts: components["schemas"]["ProposedLayout"][];
            /** @description Other tables that might hold the header, the likeliest first. */
            alternatives: string[];
            credit_notes: components["schemas"]["DiscoveredCreditNotes"];
            /** @description What a database says of the company whose books it keeps, for PUT /v1/company. */
            company: components["schemas"]["DiscoveredCompanyAnswer"][];
            /** @description The newest documents, read as the first layout says, at most three. */
            documents: components["schemas"]["DiscoveredDocument"][];
            /** @description What was left out or could not be read, and why. */
            notes: string[];
            next: {
                why: string;
                call: string;
            }[];
        };
        DiscoveryRequest: {
            /** @description The table in which the invoices stand, where a person knows it. */
            header?: string;
        };
        DocumentCancelledEvent: {
            /** @constant */
            event: "document.cancelled";
            /** @description Of what it happened to. */
            id: string;
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            data: {
                /** Format: date-time */
                cancelled_at: string;
                reason: string | null;
                /** @description A draft of it is in the ERP, and is taken out. */
                in_erp: boolean;
                supplier: {
                    id: string | null;
                    name: string | null;
                };
                number: string | null;
                gross: string | null;
                currency: string | null;
                links: {
                    self: string;
                };
            };
            /**
             * Format: date-time
             * @description When this attempt was signed.
             */
            ts: string;
            /** @description HMAC-SHA256 by the secret of the endpoint: see docs/webhooks.md. */
            signature: string;
        };
        DocumentDraftKeptEvent: {
            /** @constant */
            event: "document.draft_kept";
            /** @description Of what it happened to. */
            id: string;
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            data: {
                reason: string;
                supplier: {
                    id: string | null;
                    name: string | null;
                };
                number: string | null;
                gross: string | null;
                currency: string | null;
                links: {
                    self: string;
                };
            };
            /**
             * Format: date-time
             * @description When this attempt was signed.
             */
            ts: string;
            /** @description HMAC-SHA256 by the secret of the endpoint: see docs/webhooks.md. */
            signature: string;
        };
        DocumentReceivedEvent: {
            /** @constant */
            event: "document.received";
            /** @description Of what it happened to. */
            id: string;
            profile?: string;
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            data: {
                /** @description The network or the connector that it came from. */
                source: string;
                document_type: string | null;
                supplier: {
                    id: string | null;
                    name: string | null;
                };
                number: string | null;
                issue_date: string | null;
                currency: string | null;
                gross: string | null;
                valid: boolean;
                links: {
                    self: string;
                    document: string;
                };
            };
            /**
             * Format: date-time
             * @description When this attempt was signed.
             */
            ts: string;
            /** @description HMAC-SHA256 by the secret of the endpoint: see docs/webhooks.md. */
            signature: string;
        };
        DocumentRejectionEndsEvent: {
            /** @constant */
            event: "document.rejection_ends";
            /** @description Of what it happened to. */
            id: string;
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            data: {
                /** Format: date-time */
                rejectable_until: string;
                supplier: {
                    id: string | null;
                    name: string | null;
                };
                number: string | null;
                gross: string | null;
                currency: string | null;
                links: {
                    self: string;
                };
            };
            /**
             * Format: date-time
             * @description When this attempt was signed.
             */
            ts: string;
            /** @description HMAC-SHA256 by the secret of the endpoint: see docs/webhooks.md. */
            signature: string;
        };
        DocumentRejectionUnansweredEvent: {
            /** @constant */
            event: "document.rejection_unanswered";
            /** @description Of what it happened to. */
            id: string;
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            data: {
                /** Format: date-time */
                rejectable_until: string;
                supplier: {
                    id: string | null;
                    name: string | null;
                };
                number: string | null;
                gross: string | null;
                currency: string | null;
                links: {
                    self: string;
                };
            };
            /**
             * Format: date-time
             * @description When this attempt was signed.
             */
            ts: string;
            /** @description HMAC-SHA256 by the secret of the endpoint: see docs/webhooks.md. */
            signature: string;
        };
        DocumentUnreadableEvent: {
            /** @constant */
            event: "document.unreadable";
            /** @description Of what it happened to. */
            id: string;
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            data: {
                /** @description The network or the connector that it came from. */
                source: string;
                /** @description Its id there. */
                network_id: string;
                reason: string;
                links: {
                    self: string;
                    document: string;
                };
            };
            /**
             * Format: date-time
             * @description When this attempt was signed.
             */
            ts: string;
            /** @description HMAC-SHA256 by the secret of the endpoint: see docs/webhooks.md. */
            signature: string;
        };
        EndpointDisabledEvent: {
            /** @constant */
            event: "endpoint.disabled";
            /** @description Of what it happened to. */
            id: string;
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            data: {
                reason: string;
                url: string;
            };
            /**
             * Format: date-time
             * @description When this attempt was signed.
             */
            ts: string;
            /** @description HMAC-SHA256 by the secret of the endpoint: see docs/webhooks.md. */
            signature: string;
        };
        Enrolment: {
            agent_id: string;
            link_url: string;
            /** @description By the key for which the request was sealed, of both */
            signature: string;
        };
        EnrolmentToken: {
            token: string;
            /** Format: date-time */
            expires_at: string;
            hostname: string | null;
        };
        /** @description What went wrong. */
        Error: {
            /** @description A sentence for a person. */
            detail: string;
            /**
             * @description A code for programs.
             * @enum {string}
             */
            code: "malformed_json" | "invalid_request" | "missing_credentials" | "invalid_credentials" | "revoked_credentials" | "wrong_environment" | "ip_not_allowed" | "tenant_suspended" | "not_permitted" | "proof_needed" | "not_found" | "method_not_allowed" | "idempotency_payload_mismatch" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal_error" | "unavailable" | "wrong_password" | "refresh_refused" | "too_many_attempts" | "not_a_member" | "role_too_strong" | "user_not_found" | "last_owner" | "second_factor_required" | "wrong_code" | "second_factor_enabled" | "second_factor_not_begun" | "password_not_allowed" | "signed_in_by_provider" | "sign_in_name_unknown" | "sign_in_name_taken" | "no_identity_provider" | "no_way_back" | "provider_unreachable" | "logout_token_refused" | "session_needed" | "session_not_found" | "reset_not_found" | "already_member" | "invitation_not_found" | "mail_unavailable" | "api_key_not_found" | "api_key_revoked" | "scope_too_strong" | "connector_not_found" | "person_required" | "second_person_required" | "second_person_needed" | "invoice_not_found" | "received_not_found" | "participant_not_found" | "participant_taken" | "network_not_found" | "network_refused" | "message_unreadable" | "document_not_found" | "agent_not_found" | "bundle_not_found" | "bundle_empty" | "bundle_unreadable" | "bundle_outgoing" | "bundle_foreign" | "bundle_tampered" | "bundle_replayed" | "bundle_forked" | "bundle_out_of_order" | "bundle_retired_key" | "webhook_endpoint_not_found" | "delivery_not_found" | "profile_required" | "mapping_invalid" | "mapping_changed" | "objections_open" | "discovery_under_way" | "discovery_unsupported" | "preview_under_way" | "source_not_found" | "source_not_allowed" | "source_unreachable" | "duplicate_document" | "state_conflict";
            request_id: string;
            /** @description Messages by field, on a 400. */
            errors?: {
                [key: string]: string[];
            };
        };
        ErrorSource: {
            connector: string;
            /** @description Table or file. */
            origin: string;
            column: string;
            /** @description Key of the row. */
            key: string;
            value: string | null;
        };
        Explanation: {
            why: string;
            fix: string;
            /** @description Where the value usually stands in an ERP. */
            erp: string;
        };
        Forwarding: {
            /**
             * @description `off`: this environment has no access point; `withheld`: it must not go out.
             * @enum {string}
             */
            status: "waiting" | "sent" | "delivered" | "refused" | "off" | "withheld";
            reason?: string;
            errors?: {
                code: string;
                message: string;
            }[];
            sent_at?: string | null;
            /** Format: date-time */
            at: string;
        };
        GroupRoles: {
            group: string;
            /** @description In messaging; null: none there. */
            role: ("owner" | "admin" | "agent" | "analyst" | "developer" | "billing") | null;
            /** @description In e-invoicing; null: none there, except for an owner, who may do everything. */
            einvoicing_role: ("finance_admin" | "approver" | "operator" | "auditor" | "developer") | null;
        };
        GroupRolesRequest: {
            group: string;
            /**
             * @description In messaging; null: none there.
             * @default null
             */
            role: ("owner" | "admin" | "agent" | "analyst" | "developer" | "billing") | null;
            /**
             * @description In e-invoicing; null: none there, except for an owner, who may do everything.
             * @default null
             */
            einvoicing_role: ("finance_admin" | "approver" | "operator" | "auditor" | "developer") | null;
        };
        Hold: {
            /**
             * @description Who must act before it is sent; left out when it was let go, or withdrawn.
             * @enum {string}
             */
            waits_for?: "release" | "approval";
            /** @description Why it waits, and what to do. */
            reason?: string;
            /** Format: date-time */
            since: string;
            released_by?: string;
            /** Format: date-time */
            released_at?: string;
            approved_by?: string;
            /** Format: date-time */
            approved_at?: string;
        };
        HoldRequest: {
            invoices: string[];
        };
        HoldResult: {
            results: {
                /**
                 * @description Identifier of a submission.
                 * @example inv_01k9zq3v7m2n4p6r8t0w2y4a6c
                 */
                id: string;
                /**
                 * @description `sent`: it goes to the authority now; `refused`: `code` and `detail` say why.
                 * @enum {string}
                 */
                outcome: "sent" | "waits_for_approval" | "refused";
                code?: string;
                detail?: string;
            }[];
        };
        IdentityProvider: {
            /** @description What people call it: “Acme sign-on”. */
            name: string;
            /** @description What people type at the sign-in page; unique here. */
            sign_in_name: string;
            /**
             * Format: uri
             * @description As the provider writes it, with or without a slash at the end.
             */
            issuer: string;
            client_id: string;
            scopes: string[];
            /** @description The claim with the groups; within others: `realm_access.roles`. */
            groups_claim: string;
            /** @description Whose addresses may sign in; none: any. Members who are there already are known only by an address of these. */
            email_domains: string[];
            /** @description Members sign in through it alone, not by password. Owners may always use theirs. */
            is_required: boolean;
            /** @description One of them has to be in `acr` before keys, secrets and approvals; none: any. */
            proof_acr_values: string[];
            /** @description One of them has to be in `amr` before keys, secrets and approvals; none: any. */
            proof_amr_values: string[];
            /** @description False: it can be tried, and nobody signs in through it. */
            is_enabled: boolean;
            /** @description The first that fits counts, for each service. Nobody names a role that they could not grant. */
            group_roles: components["schemas"]["GroupRoles"][];
            /** @description Of whoever is in none of the groups; null: they are refused. */
            default_roles: components["schemas"]["DefaultRoles"] | null;
            has_client_secret: boolean;
            last_trial: components["schemas"]["SignInTrial"] | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        IdentityProviderCheck: {
            ok: boolean;
            /** @description What was found, or what is wrong. */
            detail: string;
            authorization_endpoint: string | null;
            /** @description It has a page that ends its own session. */
            ends_sessions: boolean;
            /** @description It says by itself that somebody signed out. */
            tells_sign_outs: boolean;
        };
        IdentityProviderRequest: {
            /** @description What people call it: “Acme sign-on”. */
            name: string;
            /** @description What people type at the sign-in page; unique here. */
            sign_in_name: string;
            /**
             * Format: uri
             * @description As the provider writes it, with or without a slash at the end.
             */
            issuer: string;
            client_id: string;
            /**
             * @default [
             *       "openid",
             *       "email",
             *       "profile"
             *     ]
             */
            scopes: string[];
            /**
             * @description The claim with the groups; within others: `realm_access.roles`.
             * @default groups
             */
            groups_claim: string;
            /**
             * @description Whose addresses may sign in; none: any. Members who are there already are known only by an address of these.
             * @default []
             */
            email_domains: string[];
            /**
             * @description Members sign in through it alone, not by password. Owners may always use theirs.
             * @default false
             */
            is_required: boolean;
            /**
             * @description One of them has to be in `acr` before keys, secrets and approvals; none: any.
             * @default []
             */
            proof_acr_values: string[];
            /**
             * @description One of them has to be in `amr` before keys, secrets and approvals; none: any.
             * @default []
             */
            proof_amr_values: string[];
            /**
             * @description False: it can be tried, and nobody signs in through it.
             * @default true
             */
            is_enabled: boolean;
            /** @description Never answered. Left out: the one before stays; null: a client without a secret. */
            client_secret?: string | null;
            /**
             * @description The first that fits counts, for each service. Nobody names a role that they could not grant.
             * @default []
             */
            group_roles: components["schemas"]["GroupRolesRequest"][];
            /**
             * @description Of whoever is in none of the groups; null: they are refused.
             * @default null
             */
            default_roles: components["schemas"]["DefaultRolesRequest"] | null;
        };
        IdentityProviderSettings: {
            /** @description Null: there is none. */
            provider: components["schemas"]["IdentityProvider"] | null;
            /** @description To register at the provider. */
            redirect_uris: string[];
            /** @description To register there as pages after signing out. */
            sign_out_uris: string[];
            /** @description Where the provider says that somebody signed out. */
            backchannel_logout_uri: string;
        };
        Import: {
            /**
             * @description `waiting`: the ERP does not answer yet; `given-up`: it did not within 30 days.
             * @enum {string}
             */
            outcome: "waiting" | "written" | "already" | "undone" | "conflict" | "unsupported" | "given-up";
            /**
             * @description What is waited for, or was.
             * @enum {string}
             */
            action?: "import" | "undo";
            /** @description Table or file. */
            target?: string;
            reason?: string;
            /** Format: date-time */
            at: string;
        };
        ImportRequest: {
            /**
             * @description Where to; needed unless its participant or connector names one.
             * @example cnx_01k9zq3v7m2n4p6r8t0w2y4a6c
             */
            connector_id?: string;
        };
        Invitation: {
            id: string;
            email: string;
            /** @description In messaging; null: none there. */
            role: ("owner" | "admin" | "agent" | "analyst" | "developer" | "billing") | null;
            /** @description In e-invoicing; null: none there, except for an owner, who may do everything. */
            einvoicing_role: ("finance_admin" | "approver" | "operator" | "auditor" | "developer") | null;
            invited_by: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            expires_at: string;
        };
        InvitationPage: {
            results: components["schemas"]["Invitation"][];
            /** @description The cursor of the page after this one; null: the last. */
            next: string | null;
            /** @description The cursor of the page before this one; null: the first. */
            previous: string | null;
        };
        InviteRequest: {
            /** Format: email */
            email: string;
            /**
             * @description In messaging; null: none there.
             * @default null
             */
            role: ("owner" | "admin" | "agent" | "analyst" | "developer" | "billing") | null;
            /**
             * @description In e-invoicing; null: none there, except for an owner, who may do everything.
             * @default null
             */
            einvoicing_role: ("finance_admin" | "approver" | "operator" | "auditor" | "developer") | null;
        };
        Invoice: {
            /**
             * @description Identifier of a submission.
             * @example inv_01k9zq3v7m2n4p6r8t0w2y4a6c
             */
            id: string;
            /** @enum {string} */
            status: "received" | "validating" | "validated" | "submitted" | "cleared" | "delivered" | "acknowledged" | "rejected";
            /** @enum {string} */
            environment: "live" | "sandbox";
            profile: components["schemas"]["ProfileId"];
            connector_id: string;
            source_ref: string;
            /** @description Invoice number, once the document was read. */
            number?: string;
            /** @description The buyer's name, once the document was read. */
            buyer?: string;
            currency?: string;
            /** @description The total with tax, in the currency of the document. */
            gross?: string;
            checks: components["schemas"]["Checks"];
            errors: components["schemas"]["ValidationError"][];
            warnings: components["schemas"]["ValidationError"][];
            duplicate_of?: string;
            /** @description Why it is not validated yet: its source gave no document, or the invoice that it corrects has no verdict. Shown of one invoice, not in lists. */
            waiting?: components["schemas"]["ValidationWait"];
            /** @description Identifier given by the clearance authority. */
            uin?: string;
            validation_url?: string;
            /** @description The last answer of the authority. */
            authority_status?: string;
            /** Format: date-time */
            cancellable_until?: string;
            write_back?: {
                [key: string]: unknown;
            };
            /** @description How a cleared document, with its identifier, came to the buyer over Peppol. */
            forwarding?: components["schemas"]["Forwarding"];
            /** @description The last answer of the buyer; accepted or paid makes the invoice `acknowledged`. */
            buyer_response?: components["schemas"]["BuyerResponse"];
            /** @description A valid document that was not sent at once, because its connector asks for a release. */
            hold?: components["schemas"]["Hold"];
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            links: {
                self: string;
                events: string;
            };
        };
        InvoiceAcknowledgedEvent: {
            /** @constant */
            event: "invoice.acknowledged";
            /** @description Of what it happened to. */
            id: string;
            profile: string;
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            /**
             * Format: date-time
             * @description When this attempt was signed.
             */
            ts: string;
            /** @description HMAC-SHA256 by the secret of the endpoint: see docs/webhooks.md. */
            signature: string;
        };
        InvoiceCancelledEvent: {
            /** @constant */
            event: "invoice.cancelled";
            /** @description Of what it happened to. */
            id: string;
            profile: string;
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            /**
             * Format: date-time
             * @description When this attempt was signed.
             */
            ts: string;
            /** @description HMAC-SHA256 by the secret of the endpoint: see docs/webhooks.md. */
            signature: string;
        };
        InvoiceClearedEvent: {
            /** @constant */
            event: "invoice.cleared";
            /** @description Of what it happened to. */
            id: string;
            profile: string;
            /** @description The authority's own identifier. */
            uin?: string;
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            /**
             * Format: date-time
             * @description When this attempt was signed.
             */
            ts: string;
            /** @description HMAC-SHA256 by the secret of the endpoint: see docs/webhooks.md. */
            signature: string;
        };
        InvoiceDeliveredEvent: {
            /** @constant */
            event: "invoice.delivered";
            /** @description Of what it happened to. */
            id: string;
            profile: string;
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            /**
             * Format: date-time
             * @description When this attempt was signed.
             */
            ts: string;
            /** @description HMAC-SHA256 by the secret of the endpoint: see docs/webhooks.md. */
            signature: string;
        };
        InvoiceEvent: {
            id: string;
            event: string;
            status: string;
            /** Format: date-time */
            timestamp: string;
            /** @description Time since the submission was accepted. */
            elapsed_ms: number;
        };
        InvoiceHeldEvent: {
            /** @constant */
            event: "invoice.held";
            /** @description Of what it happened to. */
            id: string;
            profile: string;
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            data: {
                /** @enum {string} */
                waits_for: "release" | "approval";
                reason: string;
            };
            /**
             * Format: date-time
             * @description When this attempt was signed.
             */
            ts: string;
            /** @description HMAC-SHA256 by the secret of the endpoint: see docs/webhooks.md. */
            signature: string;
        };
        InvoicePage: {
            results: components["schemas"]["Invoice"][];
            /** @description The cursor of the page after this one; null: the last. */
            next: string | null;
            /** @description The cursor of the page before this one; null: the first. */
            previous: string | null;
        };
        InvoiceReceivedEvent: {
            /** @constant */
            event: "invoice.received";
            /** @description Of what it happened to. */
            id: string;
            profile: string;
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            /**
             * Format: date-time
             * @description When this attempt was signed.
             */
            ts: string;
            /** @description HMAC-SHA256 by the secret of the endpoint: see docs/webhooks.md. */
            signature: string;
        };
        InvoiceRejectedEvent: {
            /** @constant */
            event: "invoice.rejected";
            /** @description Of what it happened to. */
            id: string;
            profile: string;
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            /**
             * Format: date-time
             * @description When this attempt was signed.
             */
            ts: string;
            /** @description HMAC-SHA256 by the secret of the endpoint: see docs/webhooks.md. */
            signature: string;
        };
        InvoiceSourceChangedEvent: {
            /** @constant */
            event: "invoice.source_changed";
            /** @description Of what it happened to. */
            id: string;
            profile: string;
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            data: {
                reason: string;
            };
            /**
             * Format: date-time
             * @description When this attempt was signed.
             */
            ts: string;
            /** @description HMAC-SHA256 by the secret of the endpoint: see docs/webhooks.md. */
            signature: string;
        };
        InvoiceStalledEvent: {
            /** @constant */
            event: "invoice.stalled";
            /** @description Of what it happened to. */
            id: string;
            profile: string;
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            data: {
                reason: string;
                queue: string;
            };
            /**
             * Format: date-time
             * @description When this attempt was signed.
             */
            ts: string;
            /** @description HMAC-SHA256 by the secret of the endpoint: see docs/webhooks.md. */
            signature: string;
        };
        InvoiceSubmittedEvent: {
            /** @constant */
            event: "invoice.submitted";
            /** @description Of what it happened to. */
            id: string;
            profile: string;
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            /**
             * Format: date-time
             * @description When this attempt was signed.
             */
            ts: string;
            /** @description HMAC-SHA256 by the secret of the endpoint: see docs/webhooks.md. */
            signature: string;
        };
        InvoiceValidatedEvent: {
            /** @constant */
            event: "invoice.validated";
            /** @description Of what it happened to. */
            id: string;
            profile: string;
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            /**
             * Format: date-time
             * @description When this attempt was signed.
             */
            ts: string;
            /** @description HMAC-SHA256 by the secret of the endpoint: see docs/webhooks.md. */
            signature: string;
        };
        InvoiceValidatingEvent: {
            /** @constant */
            event: "invoice.validating";
            /** @description Of what it happened to. */
            id: string;
            profile: string;
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            /**
             * Format: date-time
             * @description When this attempt was signed.
             */
            ts: string;
            /** @description HMAC-SHA256 by the secret of the endpoint: see docs/webhooks.md. */
            signature: string;
        };
        IssuedApiKey: {
            id: string;
            /** @description The key itself: shown this once and stored nowhere; null in a repeat. */
            key: string | null;
            shown: string;
            name: string;
            scopes: string[];
            allowed_ips: string[];
            expires_at: string | null;
        };
        MappedDocument: {
            /**
             * @description Identifier of a connector.
             * @example cnx_01k9zq3v7m2n4p6r8t0w2y4a6c
             */
            connector_id: string;
            profile: components["schemas"]["ProfileId"];
            /** @description The newest documents, at most 50. */
            source_refs: string[];
            /** @description The document that is shown; none where none is. */
            source_ref?: string;
            /** @description As the source holds it. */
            sections: {
                section: string;
                /** @description The table, file or sheet. */
                origin: string;
                rows_total: number;
                /** @description At most 20, without empty columns; long values are cut. */
                rows: {
                    key: string;
                    values: {
                        [key: string]: string;
                    };
                }[];
            }[];
            /** @description As the mapping and the company profile make it; of a list the first 20 entries. */
            values: {
                /** @description Field of the model, positions counted from 1. */
                path: string;
                /** @description The field of the mapping. */
                target: string;
                value: string;
                /** @enum {string} */
                by: "column" | "constant" | "company";
                from?: {
                    section: string;
                    key: string;
                    column: string;
                };
                /** @enum {string} */
                status: "proposed" | "approved";
            }[];
            /** @description What could not be mapped. */
            problems: string[];
        };
        MappedField: {
            target: string;
            /** @enum {string} */
            status: "proposed" | "approved";
            /** @description What the sample document gives. */
            sample?: unknown;
        } & {
            [key: string]: unknown;
        };
        Mapping: {
            /**
             * @description Identifier of a connector.
             * @example cnx_01k9zq3v7m2n4p6r8t0w2y4a6c
             */
            connector_id: string;
            profile: components["schemas"]["ProfileId"];
            /** @description The version of the mapping that was read; 0 when there was none. If it changed in between, the answer is 409. */
            version: number;
            /** @enum {string} */
            status: "empty" | "proposed" | "partly_approved" | "approved";
            /** @description Who last changed what it says, a person or a key of nobody in particular; `approved_by` of a field tells who approved it. */
            changed_by?: string;
            fields: components["schemas"]["MappedField"][];
            lists?: {
                [key: string]: unknown;
            };
            joins?: {
                [key: string]: unknown;
            };
            /** @description What differs from what was last approved; none where nothing was. */
            changes: {
                target: string;
                /** @description As it was approved; none of a field that is new. */
                was?: {
                    target: string;
                    from?: {
                        section: string;
                        column: string;
                    };
                    value?: string;
                    transforms?: ({
                        /** @constant */
                        kind: "trim";
                    } | {
                        /** @constant */
                        kind: "upper";
                    } | {
                        /** @constant */
                        kind: "default";
                        value?: string;
                        columns?: string[];
                    } | {
                        /** @constant */
                        kind: "map";
                        /** @enum {string} */
                        list?: "countries" | "units";
                        values: {
                            [key: string]: string;
                        };
                        /** @enum {string} */
                        unmapped?: "refuse" | "keep";
                    } | {
                        /** @constant */
                        kind: "date";
                        /** @enum {string} */
                        format: "ISO" | "YYYYMMDD" | "YYYY/MM/DD" | "YYYY.MM.DD" | "DD/MM/YYYY" | "DD-MM-YYYY" | "DD.MM.YYYY" | "MM/DD/YYYY" | "MM-DD-YYYY" | "DD MMM YYYY" | "MMM DD YYYY" | "DD/MM/YY" | "MM/DD/YY" | "YY/MM/DD" | "EXCEL" | "EPOCH" | "EPOCH_MS" | "CYYMMDD" | "YYMMDD" | "YYYYDDD" | "CYYDDD" | "YYDDD";
                        offset?: string;
                    } | {
                        /** @constant */
                        kind: "time";
                        /** @enum {string} */
                        format: "ISO" | "HH:MM:SS" | "HH:MM" | "HHMMSS";
                    } | {
                        /** @constant */
                        kind: "decimal";
                        /** @enum {string} */
                        point: "." | ",";
                    } | {
                        /** @constant */
                        kind: "negate";
                    } | {
                        /** @constant */
                        kind: "abs";
                    } | {
                        /** @constant */
                        kind: "round";
                        places: number;
                    } | {
                        /** @constant */
                        kind: "multiply";
                        by: {
                            column: string;
                            section?: string;
                        } | {
                            value: string;
                        };
                        when?: {
                            column: string;
                            section?: string;
                            value: string;
                        };
                    } | {
                        /** @constant */
                        kind: "divide";
                        by: {
                            column: string;
                            section?: string;
                        } | {
                            value: string;
                        };
                        /** @enum {string} */
                        on_top?: "percent" | "fraction";
                        when?: {
                            column: string;
                            section?: string;
                            value: string;
                        };
                    } | {
                        /** @constant */
                        kind: "subtract";
                        by: {
                            column: string;
                            section?: string;
                        } | {
                            value: string;
                        };
                        when?: {
                            column: string;
                            section?: string;
                            value: string;
                        };
                    } | {
                        /** @constant */
                        kind: "concat";
                        columns: string[];
                        separator: string;
                    } | {
                        /** @constant */
                        kind: "substring";
                        start: number;
                        length?: number;
                    } | {
                        /** @constant */
                        kind: "split";
                        separator: string;
                        part: number;
                    })[];
                    /** @enum {string} */
                    status: "proposed" | "approved";
                    confidence?: number;
                    reason?: string;
                    proposed_by?: string;
                    approved_by?: string;
                    approved_at?: string;
                };
                /** @description As it is now; none of a field that was taken out. */
                now?: {
                    target: string;
                    from?: {
                        section: string;
                        column: string;
                    };
                    value?: string;
                    transforms?: ({
                        /** @constant */
                        kind: "trim";
                    } | {
                        /** @constant */
                        kind: "upper";
                    } | {
                        /** @constant */
                        kind: "default";
                        value?: string;
                        columns?: string[];
                    } | {
                        /** @constant */
                        kind: "map";
                        /** @enum {string} */
                        list?: "countries" | "units";
                        values: {
                            [key: string]: string;
                        };
                        /** @enum {string} */
                        unmapped?: "refuse" | "keep";
                    } | {
                        /** @constant */
                        kind: "date";
                        /** @enum {string} */
                        format: "ISO" | "YYYYMMDD" | "YYYY/MM/DD" | "YYYY.MM.DD" | "DD/MM/YYYY" | "DD-MM-YYYY" | "DD.MM.YYYY" | "MM/DD/YYYY" | "MM-DD-YYYY" | "DD MMM YYYY" | "MMM DD YYYY" | "DD/MM/YY" | "MM/DD/YY" | "YY/MM/DD" | "EXCEL" | "EPOCH" | "EPOCH_MS" | "CYYMMDD" | "YYMMDD" | "YYYYDDD" | "CYYDDD" | "YYDDD";
                        offset?: string;
                    } | {
                        /** @constant */
                        kind: "time";
                        /** @enum {string} */
                        format: "ISO" | "HH:MM:SS" | "HH:MM" | "HHMMSS";
                    } | {
                        /** @constant */
                        kind: "decimal";
                        /** @enum {string} */
                        point: "." | ",";
                    } | {
                        /** @constant */
                        kind: "negate";
                    } | {
                        /** @constant */
                        kind: "abs";
                    } | {
                        /** @constant */
                        kind: "round";
                        places: number;
                    } | {
                        /** @constant */
                        kind: "multiply";
                        by: {
                            column: string;
                            section?: string;
                        } | {
                            value: string;
                        };
                        when?: {
                            column: string;
                            section?: string;
                            value: string;
                        };
                    } | {
                        /** @constant */
                        kind: "divide";
                        by: {
                            column: string;
                            section?: string;
                        } | {
                            value: string;
                        };
                        /** @enum {string} */
                        on_top?: "percent" | "fraction";
                        when?: {
                            column: string;
                            section?: string;
                            value: string;
                        };
                    } | {
                        /** @constant */
                        kind: "subtract";
                        by: {
                            column: string;
                            section?: string;
                        } | {
                            value: string;
                        };
                        when?: {
                            column: string;
                            section?: string;
                            value: string;
                        };
                    } | {
                        /** @constant */
                        kind: "concat";
                        columns: string[];
                        separator: string;
                    } | {
                        /** @constant */
                        kind: "substring";
                        start: number;
                        length?: number;
                    } | {
                        /** @constant */
                        kind: "split";
                        separator: string;
                        part: number;
                    })[];
                    /** @enum {string} */
                    status: "proposed" | "approved";
                    confidence?: number;
                    reason?: string;
                    proposed_by?: string;
                    approved_by?: string;
                    approved_at?: string;
                };
            }[];
            coverage: {
                /** @description The newest documents of the source on which the rules were tried, at most 20. */
                documents: number;
                counts: {
                    [key: string]: number;
                };
                /** @description Fields without which documents are refused, each with what it means and where ERPs keep it: those that the profile requires always, and those that the rules found missing in the documents that were tried. */
                missing: string[];
                fields: {
                    path: string;
                    term: string;
                    name: string;
                    help: string;
                    /** @enum {string} */
                    required: "always" | "conditional" | "optional";
                    /** @enum {string} */
                    state: "mapped" | "proposed" | "filled" | "missing" | "conditional" | "optional";
                    message?: string;
                }[];
            };
            /** @description Mapped columns that must hold codes, and which of their values in the newest documents do. */
            value_maps: {
                target: string;
                section: string;
                column: string;
                /** @enum {string} */
                list: "countries" | "currencies" | "units" | "tax categories";
                /** @description Different values that were seen. */
                values: number;
                recognised: number;
                /** @description Values that are no codes yet: a value map (transform `map`) says what they mean. */
                unrecognised: string[];
            }[];
            /** @description What the source offers. */
            columns: {
                section: string;
                origin: string;
                column: string;
                type: string;
                samples: string[];
            }[];
            /** @description The document the samples are from. */
            sample_ref?: string;
            /** @description What the sample document could not be mapped for. */
            problems: string[];
            /** @description New and changed documents of the source that are not submitted yet, such as those that wait, however long, for the first mapping to be approved; at most 10000 are counted. */
            documents_waiting: number;
            next: {
                why: string;
                call: string;
            }[];
        };
        MappingApproval: {
            /** @description The version of the mapping that was read; 0 when there was none. If it changed in between, the answer is 409. */
            version?: number;
            targets?: string[];
            min_confidence?: number;
            /** @description Objections of the newest preview that do not stand against it, and why. */
            accepted_objections?: {
                id: string;
                reason: string;
            }[];
        };
        MappingObjection: {
            /** @description Another one once the fields concerned are changed. */
            id: string;
            /** @enum {string} */
            kind: "total_differs" | "tax_differs" | "refused" | "missing_field" | "zero_tax";
            words: string;
            /** @description How many of the documents it is of. */
            documents: number;
            example?: components["schemas"]["PreviewExample"];
            /** @description Somebody accepted it, with a reason. */
            accepted: boolean;
        };
        MappingPreview: {
            /**
             * @description Identifier of a connector.
             * @example cnx_01k9zq3v7m2n4p6r8t0w2y4a6c
             */
            connector_id: string;
            profile: components["schemas"]["ProfileId"];
            documents: {
                read: number;
                /** @description Would be submitted. */
                passed: number;
                refused: number;
            };
            /** @description Why not all of the documents were read. */
            stopped?: string;
            /** @description Rules that would refuse documents, the most frequent first, at most 50. */
            refusals: components["schemas"]["PreviewRefusal"][];
            /** @description Totals computed from the lines, beside the ERP's own where a column holds them. */
            totals: components["schemas"]["PreviewTotal"][];
            objections: components["schemas"]["MappingObjection"][];
            next: {
                why: string;
                call: string;
            }[];
        };
        MappingPreviewRequest: {
            /**
             * @description How many of the newest documents are read; some kinds of sources name fewer.
             * @default 50
             */
            documents: number;
            /** @description Looked at in place of the stored one; its objections are not kept. */
            mapping?: {
                /** @enum {string} */
                profile?: "PINT-AE" | "PINT-MY" | "BIS-3.0";
                lists?: {
                    [key: string]: {
                        section: string;
                        where?: {
                            column: string;
                            parent_column: string;
                        };
                    };
                };
                joins?: {
                    [key: string]: {
                        parent: string;
                        column: string;
                        parent_column: string;
                    };
                };
                fields: {
                    target: string;
                    from?: {
                        section: string;
                        column: string;
                    };
                    value?: string;
                    transforms?: ({
                        /** @constant */
                        kind: "trim";
                    } | {
                        /** @constant */
                        kind: "upper";
                    } | {
                        /** @constant */
                        kind: "default";
                        value?: string;
                        columns?: string[];
                    } | {
                        /** @constant */
                        kind: "map";
                        /** @enum {string} */
                        list?: "countries" | "units";
                        values: {
                            [key: string]: string;
                        };
                        /** @enum {string} */
                        unmapped?: "refuse" | "keep";
                    } | {
                        /** @constant */
                        kind: "date";
                        /** @enum {string} */
                        format: "ISO" | "YYYYMMDD" | "YYYY/MM/DD" | "YYYY.MM.DD" | "DD/MM/YYYY" | "DD-MM-YYYY" | "DD.MM.YYYY" | "MM/DD/YYYY" | "MM-DD-YYYY" | "DD MMM YYYY" | "MMM DD YYYY" | "DD/MM/YY" | "MM/DD/YY" | "YY/MM/DD" | "EXCEL" | "EPOCH" | "EPOCH_MS" | "CYYMMDD" | "YYMMDD" | "YYYYDDD" | "CYYDDD" | "YYDDD";
                        offset?: string;
                    } | {
                        /** @constant */
                        kind: "time";
                        /** @enum {string} */
                        format: "ISO" | "HH:MM:SS" | "HH:MM" | "HHMMSS";
                    } | {
                        /** @constant */
                        kind: "decimal";
                        /** @enum {string} */
                        point: "." | ",";
                    } | {
                        /** @constant */
                        kind: "negate";
                    } | {
                        /** @constant */
                        kind: "abs";
                    } | {
                        /** @constant */
                        kind: "round";
                        places: number;
                    } | {
                        /** @constant */
                        kind: "multiply";
                        by: {
                            column: string;
                            section?: string;
                        } | {
                            value: string;
                        };
                        when?: {
                            column: string;
                            section?: string;
                            value: string;
                        };
                    } | {
                        /** @constant */
                        kind: "divide";
                        by: {
                            column: string;
                            section?: string;
                        } | {
                            value: string;
                        };
                        /** @enum {string} */
                        on_top?: "percent" | "fraction";
                        when?: {
                            column: string;
                            section?: string;
                            value: string;
                        };
                    } | {
                        /** @constant */
                        kind: "subtract";
                        by: {
                            column: string;
                            section?: string;
                        } | {
                            value: string;
                        };
                        when?: {
                            column: string;
                            section?: string;
                            value: string;
                        };
                    } | {
                        /** @constant */
                        kind: "concat";
                        columns: string[];
                        separator: string;
                    } | {
                        /** @constant */
                        kind: "substring";
                        start: number;
                        length?: number;
                    } | {
                        /** @constant */
                        kind: "split";
                        separator: string;
                        part: number;
                    })[];
                    /** @enum {string} */
                    status: "proposed" | "approved";
                    confidence?: number;
                    reason?: string;
                    proposed_by?: string;
                    approved_by?: string;
                    approved_at?: string;
                }[];
            };
        };
        MappingRequest: {
            /** @description The version of the mapping that was read; 0 when there was none. If it changed in between, the answer is 409. */
            version?: number;
            mapping: {
                /** @enum {string} */
                profile?: "PINT-AE" | "PINT-MY" | "BIS-3.0";
                lists?: {
                    [key: string]: {
                        section: string;
                        where?: {
                            column: string;
                            parent_column: string;
                        };
                    };
                };
                joins?: {
                    [key: string]: {
                        parent: string;
                        column: string;
                        parent_column: string;
                    };
                };
                fields: {
                    target: string;
                    from?: {
                        section: string;
                        column: string;
                    };
                    value?: string;
                    transforms?: ({
                        /** @constant */
                        kind: "trim";
                    } | {
                        /** @constant */
                        kind: "upper";
                    } | {
                        /** @constant */
                        kind: "default";
                        value?: string;
                        columns?: string[];
                    } | {
                        /** @constant */
                        kind: "map";
                        /** @enum {string} */
                        list?: "countries" | "units";
                        values: {
                            [key: string]: string;
                        };
                        /** @enum {string} */
                        unmapped?: "refuse" | "keep";
                    } | {
                        /** @constant */
                        kind: "date";
                        /** @enum {string} */
                        format: "ISO" | "YYYYMMDD" | "YYYY/MM/DD" | "YYYY.MM.DD" | "DD/MM/YYYY" | "DD-MM-YYYY" | "DD.MM.YYYY" | "MM/DD/YYYY" | "MM-DD-YYYY" | "DD MMM YYYY" | "MMM DD YYYY" | "DD/MM/YY" | "MM/DD/YY" | "YY/MM/DD" | "EXCEL" | "EPOCH" | "EPOCH_MS" | "CYYMMDD" | "YYMMDD" | "YYYYDDD" | "CYYDDD" | "YYDDD";
                        offset?: string;
                    } | {
                        /** @constant */
                        kind: "time";
                        /** @enum {string} */
                        format: "ISO" | "HH:MM:SS" | "HH:MM" | "HHMMSS";
                    } | {
                        /** @constant */
                        kind: "decimal";
                        /** @enum {string} */
                        point: "." | ",";
                    } | {
                        /** @constant */
                        kind: "negate";
                    } | {
                        /** @constant */
                        kind: "abs";
                    } | {
                        /** @constant */
                        kind: "round";
                        places: number;
                    } | {
                        /** @constant */
                        kind: "multiply";
                        by: {
                            column: string;
                            section?: string;
                        } | {
                            value: string;
                        };
                        when?: {
                            column: string;
                            section?: string;
                            value: string;
                        };
                    } | {
                        /** @constant */
                        kind: "divide";
                        by: {
                            column: string;
                            section?: string;
                        } | {
                            value: string;
                        };
                        /** @enum {string} */
                        on_top?: "percent" | "fraction";
                        when?: {
                            column: string;
                            section?: string;
                            value: string;
                        };
                    } | {
                        /** @constant */
                        kind: "subtract";
                        by: {
                            column: string;
                            section?: string;
                        } | {
                            value: string;
                        };
                        when?: {
                            column: string;
                            section?: string;
                            value: string;
                        };
                    } | {
                        /** @constant */
                        kind: "concat";
                        columns: string[];
                        separator: string;
                    } | {
                        /** @constant */
                        kind: "substring";
                        start: number;
                        length?: number;
                    } | {
                        /** @constant */
                        kind: "split";
                        separator: string;
                        part: number;
                    })[];
                    /** @enum {string} */
                    status: "proposed" | "approved";
                    confidence?: number;
                    reason?: string;
                    proposed_by?: string;
                    approved_by?: string;
                    approved_at?: string;
                }[];
            };
        };
        Member: {
            id: string;
            email: string;
            name: string;
            /** @description In messaging; null: none there. */
            role: ("owner" | "admin" | "agent" | "analyst" | "developer" | "billing") | null;
            /** @description In e-invoicing; null: none there, except for an owner, who may do everything. */
            einvoicing_role: ("finance_admin" | "approver" | "operator" | "auditor" | "developer") | null;
            /**
             * @description `provider`: by the identity provider of the workspace, without a password here.
             * @enum {string}
             */
            signs_in_by: "password" | "provider";
            /** @description Of the password; what a provider asks for is not known here. */
            has_second_factor: boolean;
            /** Format: date-time */
            joined_at: string;
        };
        MemberPage: {
            results: components["schemas"]["Member"][];
            /** @description The cursor of the page after this one; null: the last. */
            next: string | null;
            /** @description The cursor of the page before this one; null: the first. */
            previous: string | null;
        };
        MemberPatch: {
            /** @description In messaging; null: none there. */
            role?: ("owner" | "admin" | "agent" | "analyst" | "developer" | "billing") | null;
            /** @description In e-invoicing; null: none there, except for an owner, who may do everything. */
            einvoicing_role?: ("finance_admin" | "approver" | "operator" | "auditor" | "developer") | null;
        };
        NextStep: {
            why: string;
            call: string;
        };
        Participant: {
            id: string;
            import_to?: string;
            /**
             * @description `unconfirmed`: the host has not yet seen to it that the address is yours.
             * @enum {string}
             */
            status: "confirmed" | "unconfirmed";
            /** Format: date-time */
            created_at: string;
        };
        ParticipantList: {
            results: components["schemas"]["Participant"][];
            next: null;
            previous: null;
        };
        ParticipantRequest: {
            /**
             * @description The connector into which its documents are imported by themselves.
             * @default null
             */
            import_to: string | null;
        };
        PasswordChange: {
            password: string;
            /** @description At least twelve characters; any are allowed. */
            new_password: string;
        };
        PasswordChanged: {
            /** @description To keep on this device for 180 days, and to send at the next sign-in: a device that is known has tries of its own, which nobody else can use up. It opens nothing. */
            device: string;
        };
        PasswordForgotten: {
            /** Format: email */
            email: string;
        };
        PasswordReset: {
            token: string;
            /** @description At least twelve characters; any are allowed. */
            new_password: string;
        };
        PreviewExample: {
            source_ref: string;
            source?: components["schemas"]["ErrorSource"];
        };
        PreviewRefusal: {
            rule: string;
            field: string;
            message: string;
            documents: number;
            example: components["schemas"]["PreviewExample"];
        };
        PreviewTotal: {
            /** @enum {string} */
            total: "lines" | "net" | "tax" | "gross";
            origin?: string;
            /** @description Where the ERP holds it. */
            column?: string;
            /** @description Documents in which both are known. */
            compared: number;
            equal: number;
            differences: {
                source_ref: string;
                ours: string;
                erp: string;
                currency?: string;
                source?: components["schemas"]["ErrorSource"];
            }[];
        };
        /** @enum {string} */
        ProfileId: "PINT-AE" | "PINT-MY" | "BIS-3.0";
        ProposedLayout: {
            /** @description What it is taken from: a known ERP, or the tables themselves. */
            title: string;
            /** @enum {string} */
            documents: "invoices" | "credit notes";
            /** @description Members of the settings that say how documents are read, and neither where the source is nor who logs in: `sections` and `changes` of a database, as `POST /v1/connectors/{id}/discover` proposes them. */
            layout: {
                [key: string]: unknown;
            };
            /** @description Why, a sentence for each section. */
            reasons: {
                [key: string]: string;
            };
            /** @description 0 to 1. */
            confidence: number;
            /** @description What a person should know of it. */
            notes: string[];
            /** @description Tax codes of the ERP → categories (UNCL5305), for a person to confirm. */
            tax_codes?: {
                [key: string]: string;
            };
        };
        ProviderProofRequest: {
            /** @default / */
            return_to: string;
        };
        ProviderSignInRequest: {
            /** @description Its sign-in name. */
            workspace: string;
            /**
             * @description The page of the console to go to afterwards.
             * @default /
             */
            return_to: string;
        };
        ProviderSignInStart: {
            /** @description Where the browser goes on: a page of the provider. */
            url: string;
        };
        ReceivedDocument: {
            /** @example rcv_01k9zq3v7m2n4p6r8t0w2y4a6c */
            id: string;
            /**
             * @description `received`: kept, and not in the ERP; `imported`: its draft is there; `undone`: the draft was taken out again; `duplicate`: it repeats another; `unreadable`: it is no invoice; `cancelled`: its supplier has cancelled it, and nothing of it is in the ERP.
             * @enum {string}
             */
            status: "received" | "imported" | "undone" | "duplicate" | "unreadable" | "cancelled";
            /** @enum {string} */
            environment: "live" | "sandbox";
            /** @description The network (`peppol`) or the connector that it came from. */
            source: string;
            /** @description Its id there: of Peppol the SBDH instance identifier. */
            network_id: string;
            /** @description The address that it was sent to. */
            participant?: string;
            /** @description As the document states it; without a known one no rules were run. */
            profile?: components["schemas"]["ProfileId"];
            checks: components["schemas"]["Checks"];
            errors: components["schemas"]["ValidationError"][];
            warnings: components["schemas"]["ValidationError"][];
            /** @enum {string} */
            document_type?: "invoice" | "credit-note";
            supplier?: {
                id: string;
                name: string;
            };
            number?: string;
            issue_date?: string;
            currency?: string;
            gross?: string;
            /**
             * @description What it repeats, or repeated when it came and was rejected or cancelled since; then it is no duplicate any more.
             * @example rcv_01k9zq3v7m2n4p6r8t0w2y4a6c
             */
            duplicate_of?: string;
            import_to?: string;
            import?: components["schemas"]["Import"];
            /** @description What the supplier was last answered; `delivered` by the network, or taken by the authority. */
            response?: components["schemas"]["SupplierResponse"];
            /** Format: date-time */
            rejectable_until?: string;
            /**
             * Format: date-time
             * @description When its supplier cancelled it at its authority. Its draft is taken out of the ERP; while `status` is `imported` it is still there, and `import` says why.
             */
            cancelled_at?: string;
            cancel_reason?: string;
            /** Format: date-time */
            received_at: string;
            /** Format: date-time */
            updated_at: string;
            links: {
                self: string;
                document: string;
            };
        };
        ReceivedPage: {
            results: components["schemas"]["ReceivedDocument"][];
            /** @description The cursor of the page after this one; null: the last. */
            next: string | null;
            /** @description The cursor of the page before this one; null: the first. */
            previous: string | null;
        };
        RecoveryCodes: {
            recovery_codes: string[];
        };
        RecoveryCodesRequest: {
            password: string;
            /** @description Six digits of the authenticator app, or a recovery code. */
            code: string;
        };
        RefreshRequest: {
            refresh: string;
        };
        Rejected: {
            /**
             * @description Identifier of a submission.
             * @example inv_01k9zq3v7m2n4p6r8t0w2y4a6c
             */
            id: string;
            /** @constant */
            status: "rejected";
            errors: components["schemas"]["ValidationError"][];
            warnings?: components["schemas"]["ValidationError"][];
        };
        RespondRequest: {
            /** @enum {string} */
            status: "received" | "in_process" | "under_query" | "conditionally_accepted" | "rejected" | "accepted" | "paid";
            /**
             * @description `NON` no issue, `REF` references are wrong, `LEG` legal information is wrong, `REC` the receiver is unknown, `QUA` the quality is insufficient, `DEL` the delivery has problems, `PRI` prices are wrong, `QTY` quantities are wrong, `ITM` items are wrong, `PAY` payment terms are wrong, `UNR` the invoice is not recognised, `FIN` finance terms are wrong, `PPD` partially paid, `OTH` other
             * @default []
             */
            reasons: {
                /** @enum {string} */
                code: "NON" | "REF" | "LEG" | "REC" | "QUA" | "DEL" | "PRI" | "QTY" | "ITM" | "PAY" | "UNR" | "FIN" | "PPD" | "OTH";
                text?: string;
            }[];
            /**
             * @description `NOA` nothing, `PIN` provide information, `NIN` issue a new invoice, `CNF` issue a credit note in full, `CNP` issue a credit note in part, `CNA` issue a credit note for the amount, `OTH` other
             * @default []
             */
            actions: {
                /** @enum {string} */
                code: "NOA" | "PIN" | "NIN" | "CNF" | "CNP" | "CNA" | "OTH";
                text?: string;
            }[];
            note?: string;
        };
        Retention: {
            /** @description Days after its last change when a settled invoice is deleted; null: never. The law asks that most invoices be kept for years: ask whoever keeps your books before you set it. */
            invoice_days: number | null;
        };
        RotateSecretRequest: {
            /**
             * @description Seconds for which the old secret goes on signing beside the new one.
             * @default 86400
             */
            grace_s: number;
        };
        SecondFactor: {
            is_enabled: boolean;
            confirmed_at: string | null;
            recovery_codes_left: number;
        };
        SecondFactorBegin: {
            password: string;
        };
        SecondFactorConfirm: {
            /** @description Six digits of the authenticator app, or a recovery code. */
            code: string;
        };
        SecondFactorDisable: {
            password: string;
            /** @description Six digits of the authenticator app, or a recovery code. */
            code: string;
        };
        SecondFactorSecret: {
            /** @description Base32, for typing it into the app. */
            secret: string;
            /** @description otpauth://…, for a picture that the app reads. */
            uri: string;
        };
        Session: {
            id: string;
            tenant_id: string;
            tenant_name: string;
            /** @enum {string} */
            environment: "live" | "sandbox";
            /** @description Where it began. */
            ip: string | null;
            /** @description What the client called itself then. */
            user_agent: string | null;
            /** @description The one that asks. */
            is_current: boolean;
            /** Format: date-time */
            created_at: string;
            refreshed_at: string | null;
            /** Format: date-time */
            expires_at: string;
            /**
             * @description Who vouched for the person: the own password, or the identity provider.
             * @enum {string}
             */
            signed_in_by: "password" | "provider";
        };
        SessionList: {
            results: components["schemas"]["Session"][];
        };
        SignInTrial: {
            /** Format: date-time */
            at: string;
            /** @description Why nobody would have been signed in. */
            problem: ("sign_in_expired" | "provider_denied" | "provider_unreachable" | "provider_error" | "provider_answer_refused" | "provider_changed" | "email_missing" | "email_unverified" | "email_domain" | "no_role" | "member_exists" | "other_person" | "proof_too_weak" | "session_ended") | null;
            /** @description What is behind the problem. */
            detail: string | null;
            subject: string | null;
            email: string | null;
            /** @description As many as 50. */
            groups: string[];
            /** @description In messaging; null: none there. */
            role: ("owner" | "admin" | "agent" | "analyst" | "developer" | "billing") | null;
            /** @description In e-invoicing; null: none there, except for an owner, who may do everything. */
            einvoicing_role: ("finance_admin" | "approver" | "operator" | "auditor" | "developer") | null;
            /** @description The names of all claims that came. */
            claims: string[];
        };
        SignedIn: {
            /** @description JWT, valid for 15 minutes at this address. */
            access: string;
            /** @description JWT, valid once, for 14 days. */
            refresh: string;
            tenant_id: string;
            /** @description In messaging; null: none there. */
            role: ("owner" | "admin" | "agent" | "analyst" | "developer" | "billing") | null;
            /** @description In e-invoicing; null: none there, except for an owner, who may do everything. */
            einvoicing_role: ("finance_admin" | "approver" | "operator" | "auditor" | "developer") | null;
            /** @description To keep on this device for 180 days, and to send at the next sign-in: a device that is known has tries of its own, which nobody else can use up. It opens nothing. */
            device: string;
            tenants: {
                id: string;
                name: string;
                /** @description In messaging; null: none there. */
                role: ("owner" | "admin" | "agent" | "analyst" | "developer" | "billing") | null;
                /** @description In e-invoicing; null: none there, except for an owner, who may do everything. */
                einvoicing_role: ("finance_admin" | "approver" | "operator" | "auditor" | "developer") | null;
            }[];
        };
        SignedOut: {
            /** @description Where the browser goes on, to end the session at the identity provider too. */
            provider_sign_out_url: string;
        };
        Submission: {
            /** @description The connector that reads the document. */
            connector_id: string;
            /** @description Defaults to the profile of the connector. */
            profile?: components["schemas"]["ProfileId"];
            /** @description Reference of the source document in the ERP, e.g. its number. */
            source_ref: string;
        };
        /** @description What is asked for before documents are submitted, in this environment, whoever submits them. Null ends it; what is held already stays held. */
        SubmissionPolicy: {
            /** @description Only documents whose header has one of these values there are submitted; others are rejected (`<PROFILE>-SOURCE-NOT-POSTED`), or left alone until they change. */
            posted?: {
                /** @description Of the document's header, as the source calls it. */
                column: string;
                values: string[];
            };
            /**
             * @description Valid documents wait: until somebody releases them (`POST /v1/invoices/{id}/release`), or until a second person has approved them too (`POST /v1/invoices/{id}/approve`).
             * @enum {string}
             */
            hold?: "release" | "approval";
        };
        SupplierResponse: {
            id: string;
            /** @enum {string} */
            status: "received" | "in_process" | "under_query" | "conditionally_accepted" | "rejected" | "accepted" | "paid";
            /**
             * @description How far the answer is; `reason` says why it waits or was refused.
             * @enum {string}
             */
            state: "waiting" | "sent" | "delivered" | "refused";
            reason?: string;
            /** Format: date-time */
            at: string;
        };
        SupplierResponseList: {
            results: {
                id: string;
                /** @enum {string} */
                status: "received" | "in_process" | "under_query" | "conditionally_accepted" | "rejected" | "accepted" | "paid";
                reasons: {
                    code: string;
                    text?: string;
                }[];
                actions: {
                    code: string;
                    text?: string;
                }[];
                note?: string;
                /**
                 * @description How far the answer is; `reason` says why it waits or was refused.
                 * @enum {string}
                 */
                state: "waiting" | "sent" | "delivered" | "refused";
                reason?: string;
                /** @description The user or the key that gave it. */
                by: string;
                /** Format: date-time */
                at: string;
            }[];
            next: null;
            previous: null;
        };
        TokenPair: {
            /** @description JWT, valid for 15 minutes at this address. */
            access: string;
            /** @description JWT, valid once, for 14 days. */
            refresh: string;
        };
        TokenRequest: {
            /** Format: email */
            email: string;
            password: string;
            /**
             * Format: lowercase
             * @description Which tenant, for members of several; else the one joined first.
             */
            tenant_id?: string & (unknown & unknown);
            /** @description For accounts with a second factor. */
            code?: string;
            /** @description As the last sign-in on this device answered it. */
            device?: string;
        };
        ValidationError: {
            /** @description XPath of the failing element in the emitted document. */
            field: string;
            /** @description `<PROFILE>-<rule id of the authority>`. */
            rule: string;
            message: string;
            /** @enum {string} */
            severity: "fatal" | "warning";
            /** @description Where the value came from in the ERP. */
            source?: components["schemas"]["ErrorSource"];
            /** @description In plain words; left out of lists. */
            explanation?: components["schemas"]["Explanation"];
            /** @description The authority's own text in other languages. */
            translations?: {
                [key: string]: string;
            };
        };
        ValidationReport: {
            valid: boolean;
            profile: components["schemas"]["ProfileId"];
            checks: components["schemas"]["Checks"];
            errors: components["schemas"]["ValidationError"][];
            warnings: components["schemas"]["ValidationError"][];
            /** @description The document as it would be emitted. */
            xml?: string;
        };
        ValidationRequest: {
            /** @description Needed unless the connector has a default profile. */
            profile?: components["schemas"]["ProfileId"];
            /**
             * @description Identifier of a connector.
             * @example cnx_01k9zq3v7m2n4p6r8t0w2y4a6c
             */
            connector_id?: string;
            source_ref?: string;
            /** @description The invoice in the JSON form of the canonical model. */
            invoice?: {
                [key: string]: unknown;
            };
            /** @description A UBL 2.1 Invoice or CreditNote. */
            xml?: string;
            /**
             * @description Fill what the profile fixes and arithmetic gives, as a submission does; not for XML.
             * @default true
             */
            complete: boolean;
        };
        ValidationWait: {
            reason: string;
            /** Format: date-time */
            since: string;
            /** Format: date-time */
            next_attempt_at: string;
        };
        WaitingApproval: {
            /**
             * @description `first_mapping`: documents of the source wait, and nobody has put a mapping forward yet. `live_submission`: submitting by itself was begun with a hold, which another person ends; in live alone.
             * @enum {string}
             */
            kind: "mapping" | "first_mapping" | "live_submission";
            /**
             * @description Identifier of a connector.
             * @example cnx_01k9zq3v7m2n4p6r8t0w2y4a6c
             */
            connector_id: string;
            connector_name: string;
            /** @description Of a mapping. */
            profile?: components["schemas"]["ProfileId"];
            /** @description How many fields of the mapping wait. */
            fields?: number;
            /** @description New and changed documents that are submitted once a first mapping is approved; at most 10000 are counted. */
            documents_waiting?: number;
            /** Format: date */
            submit_from?: string;
            put_forward_by: {
                id: string;
                /** @description null: who is not there any more. */
                name: string | null;
            }[];
            /** @description You alone have put it forward: where it takes two people, another one approves. */
            is_yours: boolean;
            /** Format: date-time */
            since: string;
        };
        WaitingApprovalList: {
            results: components["schemas"]["WaitingApproval"][];
            next: null;
            previous: null;
        };
        WebhookDelivery: {
            id: string;
            /** @description Sent as webhook-id, the same with every attempt. */
            event_id: string;
            event: string;
            subject_id: string;
            /** @enum {string} */
            environment: "live" | "sandbox";
            /**
             * @description held: it waits because the endpoint is disabled or degraded. set_aside: it keeps failing while the endpoint answers others, so later events of its subject go on without it; it is still tried by the schedule, and can be replayed.
             * @enum {string}
             */
            state: "pending" | "delivered" | "failed" | "held" | "set_aside";
            next_attempt_at: string | null;
            /** Format: date-time */
            created_at: string;
            settled_at: string | null;
            payload: {
                [key: string]: unknown;
            };
            attempts: {
                n: number;
                at: string;
                ms: number;
                status: number | null;
                /** @description Why there was no answer. */
                error: string | null;
                response_head: string;
                /** @description Cut; one delivery read by itself shows more. */
                response_body: string;
            }[];
        };
        WebhookDeliveryPage: {
            results: components["schemas"]["WebhookDelivery"][];
            /** @description The cursor of the page after this one; null: the last. */
            next: string | null;
            /** @description The cursor of the page before this one; null: the first. */
            previous: string | null;
        };
        WebhookEndpoint: {
            /**
             * @description Identifier of a webhook endpoint.
             * @example whe_01k9zq3v7m2n4p6r8t0w2y4a6c
             */
            id: string;
            url: string;
            event_types: string[];
            description: string;
            /**
             * @description degraded: it fails so often that deliveries wait and it is tried now and then.
             * @enum {string}
             */
            state: "active" | "degraded" | "disabled";
            /** @description gone: it answered 410; failing: for five days without one success. */
            disabled_reason: ("requested" | "gone" | "failing") | null;
            failing_since: string | null;
            /** @description Newest first; each that has not ended signs. */
            secrets: {
                id: string;
                /** Format: date-time */
                created_at: string;
                expires_at: string | null;
            }[];
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        WebhookEndpointPage: {
            results: components["schemas"]["WebhookEndpoint"][];
            /** @description The cursor of the page after this one; null: the last. */
            next: string | null;
            /** @description The cursor of the page before this one; null: the first. */
            previous: string | null;
        };
        WebhookEndpointPatch: {
            /** @description Where events are sent by POST; https. */
            url?: string;
            /** @description Events to send, `invoice.*` for all of a subject but `invoice.held`, `invoice.source_changed`, `invoice.cancelled`, which are sent where they are named themselves; empty: every event but these and those of `document.*`, which names those that are added later, too. */
            event_types?: ("invoice.received" | "invoice.validating" | "invoice.validated" | "invoice.submitted" | "invoice.cleared" | "invoice.delivered" | "invoice.acknowledged" | "invoice.rejected" | "invoice.stalled" | "invoice.held" | "invoice.source_changed" | "invoice.cancelled" | "document.received" | "document.unreadable" | "document.rejection_ends" | "document.rejection_unanswered" | "document.cancelled" | "document.draft_kept" | "endpoint.disabled" | "invoice.*" | "document.*" | "work.stalled")[];
            description?: string;
            /**
             * @description Set active again, it gets what waited when it was disabled; what happened since then only a replay with `only: "all"` sends.
             * @enum {string}
             */
            state?: "active" | "disabled";
        };
        WebhookEndpointRequest: {
            /** @description Where events are sent by POST; https. */
            url: string;
            /**
             * @description Events to send, `invoice.*` for all of a subject but `invoice.held`, `invoice.source_changed`, `invoice.cancelled`, which are sent where they are named themselves; empty: every event but these and those of `document.*`, which names those that are added later, too.
             * @default []
             */
            event_types: ("invoice.received" | "invoice.validating" | "invoice.validated" | "invoice.submitted" | "invoice.cleared" | "invoice.delivered" | "invoice.acknowledged" | "invoice.rejected" | "invoice.stalled" | "invoice.held" | "invoice.source_changed" | "invoice.cancelled" | "document.received" | "document.unreadable" | "document.rejection_ends" | "document.rejection_unanswered" | "document.cancelled" | "document.draft_kept" | "endpoint.disabled" | "invoice.*" | "document.*" | "work.stalled")[];
            /** @default  */
            description: string;
        };
        WebhookEndpointWithSecret: {
            /**
             * @description Identifier of a webhook endpoint.
             * @example whe_01k9zq3v7m2n4p6r8t0w2y4a6c
             */
            id: string;
            url: string;
            event_types: string[];
            description: string;
            /**
             * @description degraded: it fails so often that deliveries wait and it is tried now and then.
             * @enum {string}
             */
            state: "active" | "degraded" | "disabled";
            /** @description gone: it answered 410; failing: for five days without one success. */
            disabled_reason: ("requested" | "gone" | "failing") | null;
            failing_since: string | null;
            /** @description Newest first; each that has not ended signs. */
            secrets: {
                id: string;
                /** Format: date-time */
                created_at: string;
                expires_at: string | null;
            }[];
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /** @description The signing secret: shown this once; null in a repeat. */
            secret: string | null;
        };
        WebhookReplay: {
            id: string;
            /**
             * @description Identifier of a webhook endpoint.
             * @example whe_01k9zq3v7m2n4p6r8t0w2y4a6c
             */
            endpoint_id: string;
            /** @enum {string} */
            environment: "live" | "sandbox";
            /** Format: date-time */
            since: string;
            /** Format: date-time */
            until: string;
            events: string[];
            /** @enum {string} */
            only: "failed" | "all";
            /** @description How many events there were when it was asked for. */
            count: number;
            /** Format: date-time */
            created_at: string;
        };
        WebhookReplayRequest: {
            /**
             * Format: date-time
             * @description Events that happened at this time or later.
             */
            since: string;
            /**
             * Format: date-time
             * @description Events that happened before this time; default: now.
             */
            until?: string;
            /**
             * @description Events to send, `invoice.*` for all of a subject but `invoice.held`, `invoice.source_changed`, `invoice.cancelled`, which are sent where they are named themselves; empty: every event but these and those of `document.*`, which names those that are added later, too.
             * @default []
             */
            events: ("invoice.received" | "invoice.validating" | "invoice.validated" | "invoice.submitted" | "invoice.cleared" | "invoice.delivered" | "invoice.acknowledged" | "invoice.rejected" | "invoice.stalled" | "invoice.held" | "invoice.source_changed" | "invoice.cancelled" | "document.received" | "document.unreadable" | "document.rejection_ends" | "document.rejection_unanswered" | "document.cancelled" | "document.draft_kept" | "endpoint.disabled" | "invoice.*" | "document.*" | "work.stalled")[];
            /**
             * @description failed: what was given up or set aside; all: also what was delivered.
             * @default failed
             * @enum {string}
             */
            only: "failed" | "all";
        };
        WebhookTestEvent: {
            /** @constant */
            event: "webhook.test";
            /** @description Of what it happened to. */
            id: string;
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            /**
             * Format: date-time
             * @description When this attempt was signed.
             */
            ts: string;
            /** @description HMAC-SHA256 by the secret of the endpoint: see docs/webhooks.md. */
            signature: string;
        };
        WithdrawRequest: {
            reason?: string;
        };
        WorkStalledEvent: {
            /** @constant */
            event: "work.stalled";
            /** @description Of what it happened to. */
            id: string;
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            data: {
                reason: string;
                queue: string;
            };
            /**
             * Format: date-time
             * @description When this attempt was signed.
             */
            ts: string;
            /** @description HMAC-SHA256 by the secret of the endpoint: see docs/webhooks.md. */
            signature: string;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    createToken: {
        parameters: {
            query?: never;
            header?: {
                "User-Agent"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "email": "amal@example.com",
                 *       "password": "correct horse battery staple",
                 *       "tenant_id": "7d0e6c52-4a51-4a0e-9c35-0f6c2b1f9d11",
                 *       "code": "492817",
                 *       "device": "dev_2mX0qv7Yt4bH1zK8sN5wE3rU6aP0dLfGiQoTyVxM9cJ"
                 *     }
                 */
                "application/json": components["schemas"]["TokenRequest"];
            };
        };
        responses: {
            /** @description The pair of tokens. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "access": "eyJhbGciOiJFZERTQSJ9.eyJzdWIiOiJ1c3JfMDFrM3c5In0.c2lnbmF0dXJl",
                     *       "refresh": "rt_9cJ2mX0qv7Yt4bH1zK8sN5wE3rU6aP0dLfGiQoTyVxM",
                     *       "tenant_id": "7d0e6c52-4a51-4a0e-9c35-0f6c2b1f9d11",
                     *       "role": "admin",
                     *       "einvoicing_role": "finance_admin",
                     *       "device": "dev_2mX0qv7Yt4bH1zK8sN5wE3rU6aP0dLfGiQoTyVxM9cJ",
                     *       "tenants": [
                     *         {
                     *           "id": "usr_01k3w9v2x4m6n8p0q2r4s6t8v0",
                     *           "name": "Amal Haddad",
                     *           "role": "admin",
                     *           "einvoicing_role": "finance_admin"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["SignedIn"];
                };
            };
            /**
             * @description `invalid_request`: A parameter is missing or wrong.
             *     `malformed_json`: The body is not JSON.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `wrong_password`: E-mail and password do not fit.
             *     `second_factor_required`: A code of the second factor is needed.
             *     `wrong_code`: The code is no good.
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `not_a_member`: Not a member of this tenant.
             *     `password_not_allowed`: The workspace is not signed in to by password.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload_too_large`: The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported_media_type`: The media type of the body is not accepted. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `too_many_attempts`: Signing in was tried too often. */
            429: {
                headers: {
                    /** @description Whole seconds. */
                    "Retry-After"?: number;
                    /** @description To the millisecond. */
                    "Retry-After-Ms"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error`: A fault of the service. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unavailable`: The service cannot answer now. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    refreshToken: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "refresh": "rt_9cJ2mX0qv7Yt4bH1zK8sN5wE3rU6aP0dLfGiQoTyVxM"
                 *     }
                 */
                "application/json": components["schemas"]["RefreshRequest"];
            };
        };
        responses: {
            /** @description The next pair. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "access": "eyJhbGciOiJFZERTQSJ9.eyJzdWIiOiJ1c3JfMDFrM3c5In0.c2lnbmF0dXJl",
                     *       "refresh": "rt_9cJ2mX0qv7Yt4bH1zK8sN5wE3rU6aP0dLfGiQoTyVxM"
                     *     }
                     */
                    "application/json": components["schemas"]["TokenPair"];
                };
            };
            /**
             * @description `invalid_request`: A parameter is missing or wrong.
             *     `malformed_json`: The body is not JSON.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `refresh_refused`: The refresh token is not valid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload_too_large`: The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported_media_type`: The media type of the body is not accepted. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error`: A fault of the service. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unavailable`: The service cannot answer now. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    changePassword: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "password": "correct horse battery staple",
                 *       "new_password": "seven quiet rivers at dawn"
                 *     }
                 */
                "application/json": components["schemas"]["PasswordChange"];
            };
        };
        responses: {
            /** @description It holds from now on. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "device": "dev_2mX0qv7Yt4bH1zK8sN5wE3rU6aP0dLfGiQoTyVxM9cJ"
                     *     }
                     */
                    "application/json": components["schemas"]["PasswordChanged"];
                };
            };
            /**
             * @description `invalid_request`: A parameter is missing or wrong.
             *     `malformed_json`: The body is not JSON.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `missing_credentials`: No API key was sent.
             *     `invalid_credentials`: The API key is unknown.
             *     `revoked_credentials`: The API key was revoked.
             *     `wrong_environment`: The API key belongs to the other environment.
             *     `wrong_password`: E-mail and password do not fit.
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `ip_not_allowed`: The key may not be used from here.
             *     `tenant_suspended`: The workspace is suspended.
             *     `not_permitted`: The key lacks the permission.
             *     `session_needed`: Only a person may do this.
             *     `signed_in_by_provider`: The identity provider looks after this account.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload_too_large`: The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported_media_type`: The media type of the body is not accepted. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `rate_limited`: Too many requests.
             *     `too_many_attempts`: Signing in was tried too often.
             */
            429: {
                headers: {
                    /** @description Whole seconds. */
                    "Retry-After"?: number;
                    /** @description To the millisecond. */
                    "Retry-After-Ms"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error`: A fault of the service. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unavailable`: The service cannot answer now. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    requestPasswordReset: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "email": "amal@example.com"
                 *     }
                 */
                "application/json": components["schemas"]["PasswordForgotten"];
            };
        };
        responses: {
            /** @description If somebody has the address, a mail is on its way. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /**
             * @description `invalid_request`: A parameter is missing or wrong.
             *     `malformed_json`: The body is not JSON.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload_too_large`: The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported_media_type`: The media type of the body is not accepted. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `too_many_attempts`: Signing in was tried too often. */
            429: {
                headers: {
                    /** @description Whole seconds. */
                    "Retry-After"?: number;
                    /** @description To the millisecond. */
                    "Retry-After-Ms"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error`: A fault of the service. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unavailable`: The service cannot answer now. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    resetPassword: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "token": "Zx3kq0b1T8vYw5nR2mJ7hC4dF6gL9pS0aXeUiOtMyVs",
                 *       "new_password": "seven quiet rivers at dawn"
                 *     }
                 */
                "application/json": components["schemas"]["PasswordReset"];
            };
        };
        responses: {
            /** @description POST /v1/token signs in with it. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "device": "dev_2mX0qv7Yt4bH1zK8sN5wE3rU6aP0dLfGiQoTyVxM9cJ"
                     *     }
                     */
                    "application/json": components["schemas"]["PasswordChanged"];
                };
            };
            /**
             * @description `invalid_request`: A parameter is missing or wrong.
             *     `malformed_json`: The body is not JSON.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `reset_not_found`: No such token for a new password. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload_too_large`: The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported_media_type`: The media type of the body is not accepted. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error`: A fault of the service. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unavailable`: The service cannot answer now. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    logOut: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It has ended. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `invalid_request`: A parameter is missing or wrong. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `missing_credentials`: No API key was sent.
             *     `invalid_credentials`: The API key is unknown.
             *     `revoked_credentials`: The API key was revoked.
             *     `wrong_environment`: The API key belongs to the other environment.
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `ip_not_allowed`: The key may not be used from here.
             *     `tenant_suspended`: The workspace is suspended.
             *     `not_permitted`: The key lacks the permission.
             *     `session_needed`: Only a person may do this.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    /** @description Whole seconds. */
                    "Retry-After"?: number;
                    /** @description To the millisecond. */
                    "Retry-After-Ms"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error`: A fault of the service. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unavailable`: The service cannot answer now. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listSessions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Those that have not ended. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "results": [
                     *         {
                     *           "id": "ses_01k3w9v2x4m6n8p0q2r4s6t8v0",
                     *           "tenant_id": "7d0e6c52-4a51-4a0e-9c35-0f6c2b1f9d11",
                     *           "tenant_name": "Gulf Trading LLC",
                     *           "environment": "live",
                     *           "ip": "203.0.113.7",
                     *           "user_agent": "Mozilla/5.0 (X11; Linux x86_64) Firefox/148.0",
                     *           "is_current": false,
                     *           "created_at": "2026-03-02T08:15:30.000Z",
                     *           "refreshed_at": "2026-03-02T08:15:30.000Z",
                     *           "expires_at": "2026-03-02T08:15:30.000Z",
                     *           "signed_in_by": "password"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["SessionList"];
                };
            };
            /** @description `invalid_request`: A parameter is missing or wrong. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `missing_credentials`: No API key was sent.
             *     `invalid_credentials`: The API key is unknown.
             *     `revoked_credentials`: The API key was revoked.
             *     `wrong_environment`: The API key belongs to the other environment.
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `ip_not_allowed`: The key may not be used from here.
             *     `tenant_suspended`: The workspace is suspended.
             *     `not_permitted`: The key lacks the permission.
             *     `session_needed`: Only a person may do this.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    /** @description Whole seconds. */
                    "Retry-After"?: number;
                    /** @description To the millisecond. */
                    "Retry-After-Ms"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error`: A fault of the service. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unavailable`: The service cannot answer now. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    endOtherSessions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description They have ended. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `invalid_request`: A parameter is missing or wrong. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `missing_credentials`: No API key was sent.
             *     `invalid_credentials`: The API key is unknown.
             *     `revoked_credentials`: The API key was revoked.
             *     `wrong_environment`: The API key belongs to the other environment.
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `ip_not_allowed`: The key may not be used from here.
             *     `tenant_suspended`: The workspace is suspended.
             *     `not_permitted`: The key lacks the permission.
             *     `session_needed`: Only a person may do this.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    /** @description Whole seconds. */
                    "Retry-After"?: number;
                    /** @description To the millisecond. */
                    "Retry-After-Ms"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error`: A fault of the service. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unavailable`: The service cannot answer now. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    endSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example usr_01k3w9v2x4m6n8p0q2r4s6t8v0 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It has ended. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `invalid_request`: A parameter is missing or wrong. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `missing_credentials`: No API key was sent.
             *     `invalid_credentials`: The API key is unknown.
             *     `revoked_credentials`: The API key was revoked.
             *     `wrong_environment`: The API key belongs to the other environment.
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `ip_not_allowed`: The key may not be used from here.
             *     `tenant_suspended`: The workspace is suspended.
             *     `not_permitted`: The key lacks the permission.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `not_found`: There is nothing at this path.
             *     `session_not_found`: No such session.
             */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    /** @description Whole seconds. */
                    "Retry-After"?: number;
                    /** @description To the millisecond. */
                    "Retry-After-Ms"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error`: A fault of the service. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unavailable`: The service cannot answer now. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    showSecondFactor: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As it is now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "is_enabled": false,
                     *       "confirmed_at": "2026-03-02T08:15:30.000Z",
                     *       "recovery_codes_left": 1
                     *     }
                     */
                    "application/json": components["schemas"]["SecondFactor"];
                };
            };
            /** @description `invalid_request`: A parameter is missing or wrong. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `missing_credentials`: No API key was sent.
             *     `invalid_credentials`: The API key is unknown.
             *     `revoked_credentials`: The API key was revoked.
             *     `wrong_environment`: The API key belongs to the other environment.
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `ip_not_allowed`: The key may not be used from here.
             *     `tenant_suspended`: The workspace is suspended.
             *     `not_permitted`: The key lacks the permission.
             *     `session_needed`: Only a person may do this.
             *     `signed_in_by_provider`: The identity provider looks after this account.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    /** @description Whole seconds. */
                    "Retry-After"?: number;
                    /** @description To the millisecond. */
                    "Retry-After-Ms"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error`: A fault of the service. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unavailable`: The service cannot answer now. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    beginSecondFactor: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "password": "correct horse battery staple"
                 *     }
                 */
                "application/json": components["schemas"]["SecondFactorBegin"];
            };
        };
        responses: {
            /** @description The secret, shown once. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "secret": "JBSWY3DPEHPK3PXP",
                     *       "uri": "otpauth://totp/Drawbridge:amal@example.com?secret=JBSWY3DPEHPK3PXP&issuer=Drawbridge"
                     *     }
                     */
                    "application/json": components["schemas"]["SecondFactorSecret"];
                };
            };
            /**
             * @description `invalid_request`: A parameter is missing or wrong.
             *     `malformed_json`: The body is not JSON.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `missing_credentials`: No API key was sent.
             *     `invalid_credentials`: The API key is unknown.
             *     `revoked_credentials`: The API key was revoked.
             *     `wrong_environment`: The API key belongs to the other environment.
             *     `wrong_password`: E-mail and password do not fit.
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `ip_not_allowed`: The key may not be used from here.
             *     `tenant_suspended`: The workspace is suspended.
             *     `not_permitted`: The key lacks the permission.
             *     `session_needed`: Only a person may do this.
             *     `signed_in_by_provider`: The identity provider looks after this account.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `second_factor_enabled`: A second factor is enabled already. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload_too_large`: The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported_media_type`: The media type of the body is not accepted. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `rate_limited`: Too many requests.
             *     `too_many_attempts`: Signing in was tried too often.
             */
            429: {
                headers: {
                    /** @description Whole seconds. */
                    "Retry-After"?: number;
                    /** @description To the millisecond. */
                    "Retry-After-Ms"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error`: A fault of the service. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unavailable`: The service cannot answer now. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    confirmSecondFactor: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "code": "492817"
                 *     }
                 */
                "application/json": components["schemas"]["SecondFactorConfirm"];
            };
        };
        responses: {
            /** @description Recovery codes, shown once. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "recovery_codes": [
                     *         "k7m2-9xqd",
                     *         "p4w8-3ztr"
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["RecoveryCodes"];
                };
            };
            /**
             * @description `invalid_request`: A parameter is missing or wrong.
             *     `malformed_json`: The body is not JSON.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `missing_credentials`: No API key was sent.
             *     `invalid_credentials`: The API key is unknown.
             *     `revoked_credentials`: The API key was revoked.
             *     `wrong_environment`: The API key belongs to the other environment.
             *     `wrong_code`: The code is no good.
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `ip_not_allowed`: The key may not be used from here.
             *     `tenant_suspended`: The workspace is suspended.
             *     `not_permitted`: The key lacks the permission.
             *     `session_needed`: Only a person may do this.
             *     `signed_in_by_provider`: The identity provider looks after this account.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `second_factor_not_begun`: No second factor waits for a first code. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload_too_large`: The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported_media_type`: The media type of the body is not accepted. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `rate_limited`: Too many requests.
             *     `too_many_attempts`: Signing in was tried too often.
             */
            429: {
                headers: {
                    /** @description Whole seconds. */
                    "Retry-After"?: number;
                    /** @description To the millisecond. */
                    "Retry-After-Ms"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error`: A fault of the service. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unavailable`: The service cannot answer now. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    disableSecondFactor: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "password": "correct horse battery staple",
                 *       "code": "492817"
                 *     }
                 */
                "application/json": components["schemas"]["SecondFactorDisable"];
            };
        };
        responses: {
            /** @description POST /v1/token asks for no code any more. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /**
             * @description `invalid_request`: A parameter is missing or wrong.
             *     `malformed_json`: The body is not JSON.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `missing_credentials`: No API key was sent.
             *     `invalid_credentials`: The API key is unknown.
             *     `revoked_credentials`: The API key was revoked.
             *     `wrong_environment`: The API key belongs to the other environment.
             *     `wrong_password`: E-mail and password do not fit.
             *     `wrong_code`: The code is no good.
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `ip_not_allowed`: The key may not be used from here.
             *     `tenant_suspended`: The workspace is suspended.
             *     `not_permitted`: The key lacks the permission.
             *     `session_needed`: Only a person may do this.
             *     `signed_in_by_provider`: The identity provider looks after this account.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload_too_large`: The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported_media_type`: The media type of the body is not accepted. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `rate_limited`: Too many requests.
             *     `too_many_attempts`: Signing in was tried too often.
             */
            429: {
                headers: {
                    /** @description Whole seconds. */
                    "Retry-After"?: number;
                    /** @description To the millisecond. */
                    "Retry-After-Ms"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error`: A fault of the service. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unavailable`: The service cannot answer now. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    renewRecoveryCodes: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "password": "correct horse battery staple",
                 *       "code": "492817"
                 *     }
                 */
                "application/json": components["schemas"]["RecoveryCodesRequest"];
            };
        };
        responses: {
            /** @description Recovery codes, shown once. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "recovery_codes": [
                     *         "k7m2-9xqd",
                     *         "p4w8-3ztr"
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["RecoveryCodes"];
                };
            };
            /**
             * @description `invalid_request`: A parameter is missing or wrong.
             *     `malformed_json`: The body is not JSON.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `missing_credentials`: No API key was sent.
             *     `invalid_credentials`: The API key is unknown.
             *     `revoked_credentials`: The API key was revoked.
             *     `wrong_environment`: The API key belongs to the other environment.
             *     `wrong_password`: E-mail and password do not fit.
             *     `wrong_code`: The code is no good.
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `ip_not_allowed`: The key may not be used from here.
             *     `tenant_suspended`: The workspace is suspended.
             *     `not_permitted`: The key lacks the permission.
             *     `session_needed`: Only a person may do this.
             *     `signed_in_by_provider`: The identity provider looks after this account.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `second_factor_not_begun`: No second factor waits for a first code. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload_too_large`: The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported_media_type`: The media type of the body is not accepted. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `rate_limited`: Too many requests.
             *     `too_many_attempts`: Signing in was tried too often.
             */
            429: {
                headers: {
                    /** @description Whole seconds. */
                    "Retry-After"?: number;
                    /** @description To the millisecond. */
                    "Retry-After-Ms"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error`: A fault of the service. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unavailable`: The service cannot answer now. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getIdentityProvider: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As it is now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "provider": {
                     *         "name": "Gulf Trading sign-on",
                     *         "sign_in_name": "gulf-trading",
                     *         "issuer": "https://login.example.com",
                     *         "client_id": "drawbridge",
                     *         "scopes": [
                     *           "openid",
                     *           "email",
                     *           "profile"
                     *         ],
                     *         "groups_claim": "groups",
                     *         "email_domains": [
                     *           "example.com"
                     *         ],
                     *         "is_required": false,
                     *         "proof_acr_values": [
                     *           "urn:example:mfa"
                     *         ],
                     *         "proof_amr_values": [
                     *           "mfa"
                     *         ],
                     *         "is_enabled": false,
                     *         "group_roles": [
                     *           {
                     *             "group": "finance",
                     *             "role": "admin",
                     *             "einvoicing_role": "finance_admin"
                     *           }
                     *         ],
                     *         "default_roles": {
                     *           "role": "admin",
                     *           "einvoicing_role": "finance_admin"
                     *         },
                     *         "has_client_secret": false,
                     *         "last_trial": {
                     *           "at": "2026-03-02T08:15:30.000Z",
                     *           "problem": null,
                     *           "detail": null,
                     *           "subject": "00u1x9k2mX0qv7Yt4bH1",
                     *           "email": "amal@example.com",
                     *           "groups": [
                     *             "finance",
                     *             "dubai"
                     *           ],
                     *           "role": "admin",
                     *           "einvoicing_role": "finance_admin",
                     *           "claims": [
                     *             "sub",
                     *             "email",
                     *             "email_verified",
                     *             "groups"
                     *           ]
                     *         },
                     *         "created_at": "2026-03-02T08:15:30.000Z",
                     *         "updated_at": "2026-03-02T08:15:30.000Z"
                     *       },
                     *       "redirect_uris": [
                     *         "https://drawbridge.example.com/v1/sign-in/7d0e6c52-4a51-4a0e-9c35-0f6c2b1f9d11/callback"
                     *       ],
                     *       "sign_out_uris": [
                     *         "https://drawbridge.example.com/console/sign-in"
                     *       ],
                     *       "backchannel_logout_uri": "https://drawbridge.example.com/v1/sign-in/7d0e6c52-4a51-4a0e-9c35-0f6c2b1f9d11/backchannel-logout"
                     *     }
                     */
                    "application/json": components["schemas"]["IdentityProviderSettings"];
                };
            };
            /** @description `invalid_request`: A parameter is missing or wrong. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `missing_credentials`: No API key was sent.
             *     `invalid_credentials`: The API key is unknown.
             *     `revoked_credentials`: The API key was revoked.
             *     `wrong_environment`: The API key belongs to the other environment.
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `ip_not_allowed`: The key may not be used from here.
             *     `tenant_suspended`: The workspace is suspended.
             *     `not_permitted`: The key lacks the permission.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    /** @description Whole seconds. */
                    "Retry-After"?: number;
                    /** @description To the millisecond. */
                    "Retry-After-Ms"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error`: A fault of the service. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unavailable`: The service cannot answer now. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    putIdentityProvider: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Gulf Trading sign-on",
                 *       "sign_in_name": "gulf-trading",
                 *       "issuer": "https://login.example.com",
                 *       "client_id": "drawbridge",
                 *       "scopes": [
                 *         "openid",
                 *         "email",
                 *         "profile"
                 *       ],
                 *       "groups_claim": "groups",
                 *       "email_domains": [
                 *         "example.com"
                 *       ],
                 *       "is_required": false,
                 *       "proof_acr_values": [
                 *         "urn:example:mfa"
                 *       ],
                 *       "proof_amr_values": [
                 *         "mfa"
                 *       ],
                 *       "is_enabled": false,
                 *       "client_secret": "8uQ2vX9m4Tn6Kp0RzYw3",
                 *       "group_roles": [
                 *         {
                 *           "group": "finance",
                 *           "role": "admin",
                 *           "einvoicing_role": "finance_admin"
                 *         }
                 *       ],
                 *       "default_roles": {
                 *         "role": "admin",
                 *         "einvoicing_role": "finance_admin"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["IdentityProviderRequest"];
            };
        };
        responses: {
            /** @description As it is now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "provider": {
                     *         "name": "Gulf Trading sign-on",
                     *         "sign_in_name": "gulf-trading",
                     *         "issuer": "https://login.example.com",
                     *         "client_id": "drawbridge",
                     *         "scopes": [
                     *           "openid",
                     *           "email",
                     *           "profile"
                     *         ],
                     *         "groups_claim": "groups",
                     *         "email_domains": [
                     *           "example.com"
                     *         ],
                     *         "is_required": false,
                     *         "proof_acr_values": [
                     *           "urn:example:mfa"
                     *         ],
                     *         "proof_amr_values": [
                     *           "mfa"
                     *         ],
                     *         "is_enabled": false,
                     *         "group_roles": [
                     *           {
                     *             "group": "finance",
                     *             "role": "admin",
                     *             "einvoicing_role": "finance_admin"
                     *           }
                     *         ],
                     *         "default_roles": {
                     *           "role": "admin",
                     *           "einvoicing_role": "finance_admin"
                     *         },
                     *         "has_client_secret": false,
                     *         "last_trial": {
                     *           "at": "2026-03-02T08:15:30.000Z",
                     *           "problem": null,
                     *           "detail": null,
                     *           "subject": "00u1x9k2mX0qv7Yt4bH1",
                     *           "email": "amal@example.com",
                     *           "groups": [
                     *             "finance",
                     *             "dubai"
                     *           ],
                     *           "role": "admin",
                     *           "einvoicing_role": "finance_admin",
                     *           "claims": [
                     *             "sub",
                     *             "email",
                     *             "email_verified",
                     *             "groups"
                     *           ]
                     *         },
                     *         "created_at": "2026-03-02T08:15:30.000Z",
                     *         "updated_at": "2026-03-02T08:15:30.000Z"
                     *       },
                     *       "redirect_uris": [
                     *         "https://drawbridge.example.com/v1/sign-in/7d0e6c52-4a51-4a0e-9c35-0f6c2b1f9d11/callback"
                     *       ],
                     *       "sign_out_uris": [
                     *         "https://drawbridge.example.com/console/sign-in"
                     *       ],
                     *       "backchannel_logout_uri": "https://drawbridge.example.com/v1/sign-in/7d0e6c52-4a51-4a0e-9c35-0f6c2b1f9d11/backchannel-logout"
                     *     }
                     */
                    "application/json": components["schemas"]["IdentityProviderSettings"];
                };
            };
            /**
             * @description `invalid_request`: A parameter is missing or wrong.
             *     `malformed_json`: The body is not JSON.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `missing_credentials`: No API key was sent.
             *     `invalid_credentials`: The API key is unknown.
             *     `revoked_credentials`: The API key was revoked.
             *     `wrong_environment`: The API key belongs to the other environment.
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `ip_not_allowed`: The key may not be used from here.
             *     `tenant_suspended`: The workspace is suspended.
             *     `not_permitted`: The key lacks the permission.
             *     `proof_needed`: The person has to show again who they are.
             *     `role_too_strong`: The role permits more than the caller may.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `sign_in_name_taken`: Another workspace has this sign-in name.
             *     `no_way_back`: No owner could sign in by password.
             */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload_too_large`: The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported_media_type`: The media type of the body is not accepted. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    /** @description Whole seconds. */
                    "Retry-After"?: number;
                    /** @description To the millisecond. */
                    "Retry-After-Ms"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error`: A fault of the service. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unavailable`: The service cannot answer now. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    deleteIdentityProvider: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description There is none any more. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `invalid_request`: A parameter is missing or wrong. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `missing_credentials`: No API key was sent.
             *     `invalid_credentials`: The API key is unknown.
             *     `revoked_credentials`: The API key was revoked.
             *     `wrong_environment`: The API key belongs to the other environment.
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `ip_not_allowed`: The key may not be used from here.
             *     `tenant_suspended`: The workspace is suspended.
             *     `not_permitted`: The key lacks the permission.
             *     `proof_needed`: The person has to show again who they are.
             *     `role_too_strong`: The role permits more than the caller may.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `no_identity_provider`: The workspace has no identity provider. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    /** @description Whole seconds. */
                    "Retry-After"?: number;
                    /** @description To the millisecond. */
                    "Retry-After-Ms"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error`: A fault of the service. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unavailable`: The service cannot answer now. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    checkIdentityProvider: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was found. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "ok": false,
                     *       "detail": "It answers.",
                     *       "authorization_endpoint": "https://login.example.com/authorize",
                     *       "ends_sessions": false,
                     *       "tells_sign_outs": false
                     *     }
                     */
                    "application/json": components["schemas"]["IdentityProviderCheck"];
                };
            };
            /** @description `invalid_request`: A parameter is missing or wrong. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `missing_credentials`: No API key was sent.
             *     `invalid_credentials`: The API key is unknown.
             *     `revoked_credentials`: The API key was revoked.
             *     `wrong_environment`: The API key belongs to the other environment.
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `ip_not_allowed`: The key may not be used from here.
             *     `tenant_suspended`: The workspace is suspended.
             *     `not_permitted`: The key lacks the permission.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `no_identity_provider`: The workspace has no identity provider. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    /** @description Whole seconds. */
                    "Retry-After"?: number;
                    /** @description To the millisecond. */
                    "Retry-After-Ms"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error`: A fault of the service. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unavailable`: The service cannot answer now. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listMembers: {
        parameters: {
            query?: {
                /** @description The "next" or "previous" of another page of this list; none: the first page. */
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of members. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "results": [
                     *         {
                     *           "id": "usr_01k3w9v2x4m6n8p0q2r4s6t8v0",
                     *           "email": "amal@example.com",
                     *           "name": "Amal Haddad",
                     *           "role": "admin",
                     *           "einvoicing_role": "finance_admin",
                     *           "signs_in_by": "password",
                     *           "has_second_factor": false,
                     *           "joined_at": "2026-03-02T08:15:30.000Z"
                     *         }
                     *       ],
                     *       "next": "next",
                     *       "previous": "previous"
                     *     }
                     */
                    "application/json": components["schemas"]["MemberPage"];
                };
            };
            /** @description `invalid_request`: A parameter is missing or wrong. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `missing_credentials`: No API key was sent.
             *     `invalid_credentials`: The API key is unknown.
             *     `revoked_credentials`: The API key was revoked.
             *     `wrong_environment`: The API key belongs to the other environment.
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `ip_not_allowed`: The key may not be used from here.
             *     `tenant_suspended`: The workspace is suspended.
             *     `not_permitted`: The key lacks the permission.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    /** @description Whole seconds. */
                    "Retry-After"?: number;
                    /** @description To the millisecond. */
                    "Retry-After-Ms"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error`: A fault of the service. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unavailable`: The service cannot answer now. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    removeMember: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example usr_01k3w9v2x4m6n8p0q2r4s6t8v0 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The member was removed. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `invalid_request`: A parameter is missing or wrong. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `missing_credentials`: No API key was sent.
             *     `invalid_credentials`: The API key is unknown.
             *     `revoked_credentials`: The API key was revoked.
             *     `wrong_environment`: The API key belongs to the other environment.
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `ip_not_allowed`: The key may not be used from here.
             *     `tenant_suspended`: The workspace is suspended.
             *     `not_permitted`: The key lacks the permission.
             *     `role_too_strong`: The role permits more than the caller may.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `not_found`: There is nothing at this path.
             *     `user_not_found`: No such member.
             */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `last_owner`: A tenant keeps an owner.
             *     `no_way_back`: No owner could sign in by password.
             */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    /** @description Whole seconds. */
                    "Retry-After"?: number;
                    /** @description To the millisecond. */
                    "Retry-After-Ms"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error`: A fault of the service. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unavailable`: The service cannot answer now. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    updateMember: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example usr_01k3w9v2x4m6n8p0q2r4s6t8v0 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "role": "admin",
                 *       "einvoicing_role": "finance_admin"
                 *     }
                 */
                "application/json": components["schemas"]["MemberPatch"];
            };
        };
        responses: {
            /** @description The member as it is now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "usr_01k3w9v2x4m6n8p0q2r4s6t8v0",
                     *       "email": "amal@example.com",
                     *       "name": "Amal Haddad",
                     *       "role": "admin",
                     *       "einvoicing_role": "finance_admin",
                     *       "signs_in_by": "password",
                     *       "has_second_factor": false,
                     *       "joined_at": "2026-03-02T08:15:30.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Member"];
                };
            };
            /**
             * @description `invalid_request`: A parameter is missing or wrong.
             *     `malformed_json`: The body is not JSON.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `missing_credentials`: No API key was sent.
             *     `invalid_credentials`: The API key is unknown.
             *     `revoked_credentials`: The API key was revoked.
             *     `wrong_environment`: The API key belongs to the other environment.
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `ip_not_allowed`: The key may not be used from here.
             *     `tenant_suspended`: The workspace is suspended.
             *     `not_permitted`: The key lacks the permission.
             *     `proof_needed`: The person has to show again who they are.
             *     `role_too_strong`: The role permits more than the caller may.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `not_found`: There is nothing at this path.
             *     `user_not_found`: No such member.
             */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `last_owner`: A tenant keeps an owner.
             *     `no_way_back`: No owner could sign in by password.
             */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload_too_large`: The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported_media_type`: The media type of the body is not accepted. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    /** @description Whole seconds. */
                    "Retry-After"?: number;
                    /** @description To the millisecond. */
                    "Retry-After-Ms"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error`: A fault of the service. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unavailable`: The service cannot answer now. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listInvitations: {
        parameters: {
            query?: {
                /** @description The "next" or "previous" of another page of this list; none: the first page. */
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "results": [
                     *         {
                     *           "id": "ivt_01k3w9v2x4m6n8p0q2r4s6t8v0",
                     *           "email": "amal@example.com",
                     *           "role": "admin",
                     *           "einvoicing_role": "finance_admin",
                     *           "invited_by": "usr_01k3w9v2x4m6n8p0q2r4s6t8v0",
                     *           "created_at": "2026-03-02T08:15:30.000Z",
                     *           "expires_at": "2026-03-02T08:15:30.000Z"
                     *         }
                     *       ],
                     *       "next": "next",
                     *       "previous": "previous"
                     *     }
                     */
                    "application/json": components["schemas"]["InvitationPage"];
                };
            };
            /** @description `invalid_request`: A parameter is missing or wrong. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `missing_credentials`: No API key was sent.
             *     `invalid_credentials`: The API key is unknown.
             *     `revoked_credentials`: The API key was revoked.
             *     `wrong_environment`: The API key belongs to the other environment.
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `ip_not_allowed`: The key may not be used from here.
             *     `tenant_suspended`: The workspace is suspended.
             *     `not_permitted`: The key lacks the permission.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    /** @description Whole seconds. */
                    "Retry-After"?: number;
                    /** @description To the millisecond. */
                    "Retry-After-Ms"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error`: A fault of the service. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unavailable`: The service cannot answer now. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    inviteMember: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeat with the same key and body makes nothing new and answers the same. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "email": "amal@example.com",
                 *       "role": "admin",
                 *       "einvoicing_role": "finance_admin"
                 *     }
                 */
                "application/json": components["schemas"]["InviteRequest"];
            };
        };
        responses: {
            /** @description The invitation was sent. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "ivt_01k3w9v2x4m6n8p0q2r4s6t8v0",
                     *       "email": "amal@example.com",
                     *       "role": "admin",
                     *       "einvoicing_role": "finance_admin",
                     *       "invited_by": "usr_01k3w9v2x4m6n8p0q2r4s6t8v0",
                     *       "created_at": "2026-03-02T08:15:30.000Z",
                     *       "expires_at": "2026-03-02T08:15:30.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Invitation"];
                };
            };
            /**
             * @description `invalid_request`: A parameter is missing or wrong.
             *     `malformed_json`: The body is not JSON.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `missing_credentials`: No API key was sent.
             *     `invalid_credentials`: The API key is unknown.
             *     `revoked_credentials`: The API key was revoked.
             *     `wrong_environment`: The API key belongs to the other environment.
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `ip_not_allowed`: The key may not be used from here.
             *     `tenant_suspended`: The workspace is suspended.
             *     `not_permitted`: The key lacks the permission.
             *     `proof_needed`: The person has to show again who they are.
             *     `role_too_strong`: The role permits more than the caller may.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `already_member`: Already a member.
             *     `idempotency_payload_mismatch`: The Idempotency-Key was used with another payload.
             */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload_too_large`: The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported_media_type`: The media type of the body is not accepted. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    /** @description Whole seconds. */
                    "Retry-After"?: number;
                    /** @description To the millisecond. */
                    "Retry-After-Ms"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error`: A fault of the service. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `unavailable`: The service cannot answer now.
             *     `mail_unavailable`: The mail could not be sent.
             */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    withdrawInvitation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example usr_01k3w9v2x4m6n8p0q2r4s6t8v0 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Its token is void. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `invalid_request`: A parameter is missing or wrong. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `missing_credentials`: No API key was sent.
             *     `invalid_credentials`: The API key is unknown.
             *     `revoked_credentials`: The API key was revoked.
             *     `wrong_environment`: The API key belongs to the other environment.
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `ip_not_allowed`: The key may not be used from here.
             *     `tenant_suspended`: The workspace is suspended.
             *     `not_permitted`: The key lacks the permission.
             *     `role_too_strong`: The role permits more than the caller may.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `not_found`: There is nothing at this path.
             *     `invitation_not_found`: No such invitation.
             */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    /** @description Whole seconds. */
                    "Retry-After"?: number;
                    /** @description To the millisecond. */
                    "Retry-After-Ms"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error`: A fault of the service. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unavailable`: The service cannot answer now. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    acceptInvitation: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "token": "Zx3kq0b1T8vYw5nR2mJ7hC4dF6gL9pS0aXeUiOtMyVs",
                 *       "name": "Amal Haddad",
                 *       "password": "correct horse battery staple"
                 *     }
                 */
                "application/json": components["schemas"]["AcceptRequest"];
            };
        };
        responses: {
            /** @description The person is a member now: POST /v1/token signs in. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "tenant_id": "7d0e6c52-4a51-4a0e-9c35-0f6c2b1f9d11",
                     *       "user_id": "usr_01k3w9v2x4m6n8p0q2r4s6t8v0",
                     *       "email": "amal@example.com",
                     *       "role": "admin",
                     *       "einvoicing_role": "finance_admin"
                     *     }
                     */
                    "application/json": components["schemas"]["AcceptedInvitation"];
                };
            };
            /**
             * @description `invalid_request`: A parameter is missing or wrong.
             *     `malformed_json`: The body is not JSON.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `wrong_password`: E-mail and password do not fit. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `invitation_not_found`: No such invitation. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload_too_large`: The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported_media_type`: The media type of the body is not accepted. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `too_many_attempts`: Signing in was tried too often. */
            429: {
                headers: {
                    /** @description Whole seconds. */
                    "Retry-After"?: number;
                    /** @description To the millisecond. */
                    "Retry-After-Ms"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error`: A fault of the service. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unavailable`: The service cannot answer now. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    showBrowserSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Who is signed in. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "user": {
                     *         "id": "usr_01k3w9v2x4m6n8p0q2r4s6t8v0",
                     *         "name": "Amal Haddad",
                     *         "email": "amal@example.com",
                     *         "has_second_factor": false
                     *       },
                     *       "tenant": {
                     *         "id": "usr_01k3w9v2x4m6n8p0q2r4s6t8v0",
                     *         "name": "Amal Haddad"
                     *       },
                     *       "role": "admin",
                     *       "einvoicing_role": "finance_admin",
                     *       "permissions": {
                     *         "einvoicing": [
                     *           "invoices:read"
                     *         ],
                     *         "messaging": [
                     *           "contacts:read",
                     *           "messages:send"
                     *         ]
                     *       },
                     *       "tenants": [
                     *         {
                     *           "id": "usr_01k3w9v2x4m6n8p0q2r4s6t8v0",
                     *           "name": "Amal Haddad"
                     *         }
                     *       ],
                     *       "signed_in_by": "password",
                     *       "environment": "live",
                     *       "ends": {
                     *         "idle_seconds": 1740,
                     *         "remaining_seconds": 41000
                     *       },
                     *       "addresses": {
                     *         "live": "https://drawbridge.example.com",
                     *         "sandbox": "https://sandbox.drawbridge.example.com"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["BrowserSession"];
                };
            };
            /** @description `invalid_request`: A parameter is missing or wrong. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `missing_credentials`: No API key was sent.
             *     `invalid_credentials`: The API key is unknown.
             *     `revoked_credentials`: The API key was revoked.
             *     `wrong_environment`: The API key belongs to the other environment.
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `ip_not_allowed`: The key may not be used from here.
             *     `tenant_suspended`: The workspace is suspended.
             *     `not_permitted`: The key lacks the permission.
             *     `session_needed`: Only a person may do this.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    /** @description Whole seconds. */
                    "Retry-After"?: number;
                    /** @description To the millisecond. */
                    "Retry-After-Ms"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error`: A fault of the service. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unavailable`: The service cannot answer now. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    beginBrowserSession: {
        parameters: {
            query?: never;
            header?: {
                "User-Agent"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "email": "amal@example.com",
                 *       "password": "correct horse battery staple",
                 *       "tenant_id": "7d0e6c52-4a51-4a0e-9c35-0f6c2b1f9d11",
                 *       "code": "492817"
                 *     }
                 */
                "application/json": components["schemas"]["BrowserSignIn"];
            };
        };
        responses: {
            /** @description Who is signed in. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "user": {
                     *         "id": "usr_01k3w9v2x4m6n8p0q2r4s6t8v0",
                     *         "name": "Amal Haddad",
                     *         "email": "amal@example.com",
                     *         "has_second_factor": false
                     *       },
                     *       "tenant": {
                     *         "id": "usr_01k3w9v2x4m6n8p0q2r4s6t8v0",
                     *         "name": "Amal Haddad"
                     *       },
                     *       "role": "admin",
                     *       "einvoicing_role": "finance_admin",
                     *       "permissions": {
                     *         "einvoicing": [
                     *           "invoices:read"
                     *         ],
                     *         "messaging": [
                     *           "contacts:read",
                     *           "messages:send"
                     *         ]
                     *       },
                     *       "tenants": [
                     *         {
                     *           "id": "usr_01k3w9v2x4m6n8p0q2r4s6t8v0",
                     *           "name": "Amal Haddad"
                     *         }
                     *       ],
                     *       "signed_in_by": "password",
                     *       "environment": "live",
                     *       "ends": {
                     *         "idle_seconds": 1740,
                     *         "remaining_seconds": 41000
                     *       },
                     *       "addresses": {
                     *         "live": "https://drawbridge.example.com",
                     *         "sandbox": "https://sandbox.drawbridge.example.com"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["BrowserSession"];
                };
            };
            /**
             * @description `invalid_request`: A parameter is missing or wrong.
             *     `malformed_json`: The body is not JSON.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `wrong_password`: E-mail and password do not fit.
             *     `second_factor_required`: A code of the second factor is needed.
             *     `wrong_code`: The code is no good.
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `not_a_member`: Not a member of this tenant.
             *     `password_not_allowed`: The workspace is not signed in to by password.
             *     `not_permitted`: The key lacks the permission.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload_too_large`: The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported_media_type`: The media type of the body is not accepted. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `too_many_attempts`: Signing in was tried too often. */
            429: {
                headers: {
                    /** @description Whole seconds. */
                    "Retry-After"?: number;
                    /** @description To the millisecond. */
                    "Retry-After-Ms"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error`: A fault of the service. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unavailable`: The service cannot answer now. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    endBrowserSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It has ended here; the provider’s own has not yet. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "provider_sign_out_url": "https://login.example.com/sign-out?client_id=drawbridge"
                     *     }
                     */
                    "application/json": components["schemas"]["SignedOut"];
                };
            };
            /** @description The cookie opens nothing any more, on any node. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `invalid_request`: A parameter is missing or wrong. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `missing_credentials`: No API key was sent.
             *     `invalid_credentials`: The API key is unknown.
             *     `revoked_credentials`: The API key was revoked.
             *     `wrong_environment`: The API key belongs to the other environment.
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `ip_not_allowed`: The key may not be used from here.
             *     `tenant_suspended`: The workspace is suspended.
             *     `not_permitted`: The key lacks the permission.
             *     `session_needed`: Only a person may do this.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    /** @description Whole seconds. */
                    "Retry-After"?: number;
                    /** @description To the millisecond. */
                    "Retry-After-Ms"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error`: A fault of the service. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unavailable`: The service cannot answer now. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    moveBrowserSession: {
        parameters: {
            query?: never;
            header?: {
                "User-Agent"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "tenant_id": "7d0e6c52-4a51-4a0e-9c35-0f6c2b1f9d11"
                 *     }
                 */
                "application/json": components["schemas"]["BrowserSessionMove"];
            };
        };
        responses: {
            /** @description Who is signed in. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "user": {
                     *         "id": "usr_01k3w9v2x4m6n8p0q2r4s6t8v0",
                     *         "name": "Amal Haddad",
                     *         "email": "amal@example.com",
                     *         "has_second_factor": false
                     *       },
                     *       "tenant": {
                     *         "id": "usr_01k3w9v2x4m6n8p0q2r4s6t8v0",
                     *         "name": "Amal Haddad"
                     *       },
                     *       "role": "admin",
                     *       "einvoicing_role": "finance_admin",
                     *       "permissions": {
                     *         "einvoicing": [
                     *           "invoices:read"
                     *         ],
                     *         "messaging": [
                     *           "contacts:read",
                     *           "messages:send"
                     *         ]
                     *       },
                     *       "tenants": [
                     *         {
                     *           "id": "usr_01k3w9v2x4m6n8p0q2r4s6t8v0",
                     *           "name": "Amal Haddad"
                     *         }
                     *       ],
                     *       "signed_in_by": "password",
                     *       "environment": "live",
                     *       "ends": {
                     *         "idle_seconds": 1740,
                     *         "remaining_seconds": 41000
                     *       },
                     *       "addresses": {
                     *         "live": "https://drawbridge.example.com",
                     *         "sandbox": "https://sandbox.drawbridge.example.com"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["BrowserSession"];
                };
            };
            /**
             * @description `invalid_request`: A parameter is missing or wrong.
             *     `malformed_json`: The body is not JSON.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `missing_credentials`: No API key was sent.
             *     `invalid_credentials`: The API key is unknown.
             *     `revoked_credentials`: The API key was revoked.
             *     `wrong_environment`: The API key belongs to the other environment.
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `ip_not_allowed`: The key may not be used from here.
             *     `tenant_suspended`: The workspace is suspended.
             *     `not_permitted`: The key lacks the permission.
             *     `session_needed`: Only a person may do this.
             *     `signed_in_by_provider`: The identity provider looks after this account.
             *     `not_a_member`: Not a member of this tenant.
             *     `password_not_allowed`: The workspace is not signed in to by password.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload_too_large`: The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported_media_type`: The media type of the body is not accepted. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    /** @description Whole seconds. */
                    "Retry-After"?: number;
                    /** @description To the millisecond. */
                    "Retry-After-Ms"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error`: A fault of the service. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unavailable`: The service cannot answer now. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    proveBrowserSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "password": "correct horse battery staple",
                 *       "code": "492817"
                 *     }
                 */
                "application/json": components["schemas"]["BrowserSessionProof"];
            };
        };
        responses: {
            /** @description It is you. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /**
             * @description `invalid_request`: A parameter is missing or wrong.
             *     `malformed_json`: The body is not JSON.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `missing_credentials`: No API key was sent.
             *     `invalid_credentials`: The API key is unknown.
             *     `revoked_credentials`: The API key was revoked.
             *     `wrong_environment`: The API key belongs to the other environment.
             *     `wrong_password`: E-mail and password do not fit.
             *     `second_factor_required`: A code of the second factor is needed.
             *     `wrong_code`: The code is no good.
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `ip_not_allowed`: The key may not be used from here.
             *     `tenant_suspended`: The workspace is suspended.
             *     `not_permitted`: The key lacks the permission.
             *     `session_needed`: Only a person may do this.
             *     `signed_in_by_provider`: The identity provider looks after this account.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload_too_large`: The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported_media_type`: The media type of the body is not accepted. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `rate_limited`: Too many requests.
             *     `too_many_attempts`: Signing in was tried too often.
             */
            429: {
                headers: {
                    /** @description Whole seconds. */
                    "Retry-After"?: number;
                    /** @description To the millisecond. */
                    "Retry-After-Ms"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error`: A fault of the service. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unavailable`: The service cannot answer now. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    beginProviderSignIn: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "workspace": "gulf-trading",
                 *       "return_to": "/invoices"
                 *     }
                 */
                "application/json": components["schemas"]["ProviderSignInRequest"];
            };
        };
        responses: {
            /** @description Where the browser goes on. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "url": "https://login.example.com/authorize?client_id=drawbridge&response_type=code"
                     *     }
                     */
                    "application/json": components["schemas"]["ProviderSignInStart"];
                };
            };
            /**
             * @description `invalid_request`: A parameter is missing or wrong.
             *     `malformed_json`: The body is not JSON.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `not_permitted`: The key lacks the permission. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `sign_in_name_unknown`: No workspace is signed in to by this name. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload_too_large`: The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported_media_type`: The media type of the body is not accepted. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error`: A fault of the service. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `provider_unreachable`: The identity provider does not answer as it should. */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unavailable`: The service cannot answer now. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    beginProviderProof: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "return_to": "/invoices"
                 *     }
                 */
                "application/json": components["schemas"]["ProviderProofRequest"];
            };
        };
        responses: {
            /** @description Where the browser goes on. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "url": "https://login.example.com/authorize?client_id=drawbridge&response_type=code"
                     *     }
                     */
                    "application/json": components["schemas"]["ProviderSignInStart"];
                };
            };
            /**
             * @description `invalid_request`: A parameter is missing or wrong.
             *     `malformed_json`: The body is not JSON.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `missing_credentials`: No API key was sent.
             *     `invalid_credentials`: The API key is unknown.
             *     `revoked_credentials`: The API key was revoked.
             *     `wrong_environment`: The API key belongs to the other environment.
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `ip_not_allowed`: The key may not be used from here.
             *     `tenant_suspended`: The workspace is suspended.
             *     `not_permitted`: The key lacks the permission.
             *     `session_needed`: Only a person may do this.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `no_identity_provider`: The workspace has no identity provider. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload_too_large`: The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported_media_type`: The media type of the body is not accepted. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    /** @description Whole seconds. */
                    "Retry-After"?: number;
                    /** @description To the millisecond. */
                    "Retry-After-Ms"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error`: A fault of the service. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `provider_unreachable`: The identity provider does not answer as it should. */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unavailable`: The service cannot answer now. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    tryIdentityProvider: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Where the browser goes on. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "url": "https://login.example.com/authorize?client_id=drawbridge&response_type=code"
                     *     }
                     */
                    "application/json": components["schemas"]["ProviderSignInStart"];
                };
            };
            /** @description `invalid_request`: A parameter is missing or wrong. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `missing_credentials`: No API key was sent.
             *     `invalid_credentials`: The API key is unknown.
             *     `revoked_credentials`: The API key was revoked.
             *     `wrong_environment`: The API key belongs to the other environment.
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `ip_not_allowed`: The key may not be used from here.
             *     `tenant_suspended`: The workspace is suspended.
             *     `not_permitted`: The key lacks the permission.
             *     `session_needed`: Only a person may do this.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `no_identity_provider`: The workspace has no identity provider. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    /** @description Whole seconds. */
                    "Retry-After"?: number;
                    /** @description To the millisecond. */
                    "Retry-After-Ms"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error`: A fault of the service. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `provider_unreachable`: The identity provider does not answer as it should. */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unavailable`: The service cannot answer now. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    finishProviderSignIn: {
        parameters: {
            query?: {
                /** @description Good once, to be redeemed at the provider. */
                code?: string;
                state?: string;
                /** @description Who answers (RFC 9207). */
                iss?: string;
                /** @description Why there is no code. */
                error?: string;
            };
            header?: {
                "User-Agent"?: string;
            };
            path: {
                /** @example 7d0e6c52-4a51-4a0e-9c35-0f6c2b1f9d11 */
                tenant_id: string & (unknown & unknown);
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description On to a page of the console. */
            303: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `invalid_request`: A parameter is missing or wrong. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `not_found`: There is nothing at this path. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error`: A fault of the service. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unavailable`: The service cannot answer now. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    logOutByProvider: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 7d0e6c52-4a51-4a0e-9c35-0f6c2b1f9d11 */
                tenant_id: string & (unknown & unknown);
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description They have ended, or there were none. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /**
             * @description `invalid_request`: A parameter is missing or wrong.
             *     `logout_token_refused`: The logout token is not valid.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `not_found`: There is nothing at this path. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload_too_large`: The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error`: A fault of the service. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `provider_unreachable`: The identity provider does not answer as it should. */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unavailable`: The service cannot answer now. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listInvoices: {
        parameters: {
            query?: {
                /** @description The "next" or "previous" of another page of this list; none: the first page. */
                cursor?: string;
                limit?: number;
                status?: "received" | "validating" | "validated" | "submitted" | "cleared" | "delivered" | "acknowledged" | "rejected";
                profile?: components["schemas"]["ProfileId"];
                connector_id?: string;
                source_ref?: string;
                number?: string;
                /** @description How the buyer's name begins; small and capital letters are the same. */
                buyer?: string;
                /** @description Of the total with tax, in the currency of each document. */
                amount_min?: string;
                /** @description The same, at most. */
                amount_max?: string;
                /** @description Only those that wait for this. */
                waits_for?: "release" | "approval";
                /** @description Submitted at this instant or later. */
                since?: string;
                /** @description Submitted before this instant. */
                until?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of submissions. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "results": [
                     *         {
                     *           "id": "inv_01k3w9v2x4m6n8p0q2r4s6t8v0",
                     *           "status": "delivered",
                     *           "environment": "live",
                     *           "profile": "BIS-3.0",
                     *           "connector_id": "cnx_01k3w9v2x4m6n8p0q2r4s6t8v0",
                     *           "source_ref": "2026-0001.csv",
                     *           "number": "2026-0001",
                     *           "buyer": "Gulf Retail LLC",
                     *           "currency": "EUR",
                     *           "gross": "1210.00",
                     *           "checks": {
                     *             "schema": "pending",
                     *             "business_rules": "pending",
                     *             "authority_clearance": "pending"
                     *           },
                     *           "errors": [],
                     *           "warnings": [],
                     *           "duplicate_of": "inv_01k3w9v2x4m6n8p0q2r4s6t8v0",
                     *           "waiting": {
                     *             "reason": "requested",
                     *             "since": "2026-03-02T08:00:00.000Z",
                     *             "next_attempt_at": "2026-03-02T08:15:30.000Z"
                     *           },
                     *           "uin": "F9D425P6DS7D8IU",
                     *           "validation_url": "https://myinvois.example.com/F9D425P6DS7D8IU/share/2K1",
                     *           "authority_status": "Valid",
                     *           "cancellable_until": "2026-03-02T08:15:30.000Z",
                     *           "write_back": {
                     *             "cleared": "2026-03-02T08:15:30.000Z"
                     *           },
                     *           "forwarding": {
                     *             "status": "delivered",
                     *             "reason": "requested",
                     *             "errors": [
                     *               {
                     *                 "code": "recipient_unknown",
                     *                 "message": "A VAT identifier begins with the code of the country that issued it (EL for Greece)."
                     *               }
                     *             ],
                     *             "sent_at": "2026-03-02T08:15:30.000Z",
                     *             "at": "2026-03-02T08:15:30.000Z"
                     *           },
                     *           "buyer_response": {
                     *             "code": "AP",
                     *             "status": "received",
                     *             "note": "Asked for by phone on 2 March.",
                     *             "at": "2026-03-02T08:15:30.000Z"
                     *           },
                     *           "hold": {
                     *             "waits_for": "release",
                     *             "reason": "Its connector asks for a release before it is sent.",
                     *             "since": "2026-03-02T08:00:00.000Z",
                     *             "released_by": "usr_01k3w9v2x4m6n8p0q2r4s6t8v0",
                     *             "released_at": "2026-03-02T08:15:30.000Z",
                     *             "approved_by": "usr_01k3w9v2x4m6n8p0q2r4s6t8v0",
                     *             "approved_at": "2026-03-02T08:15:30.000Z"
                     *           },
                     *           "created_at": "2026-03-02T08:15:30.000Z",
                     *           "updated_at": "2026-03-02T08:15:30.000Z",
                     *           "links": {
                     *             "self": "/v1/invoices/inv_01k3w9v2x4m6n8p0q2r4s6t8v0",
                     *             "events": "/v1/invoices/inv_01k3w9v2x4m6n8p0q2r4s6t8v0/events"
                     *           }
                     *         }
                     *       ],
                     *       "next": "next",
                     *       "previous": "previous"
                     *     }
                     */
                    "application/json": components["schemas"]["InvoicePage"];
                };
            };
            /** @description `invalid_request`: A parameter is missing or wrong. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `missing_credentials`: No API key was sent.
             *     `invalid_credentials`: The API key is unknown.
             *     `revoked_credentials`: The API key was revoked.
             *     `wrong_environment`: The API key belongs to the other environment.
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `ip_not_allowed`: The key may not be used from here.
             *     `tenant_suspended`: The workspace is suspended.
             *     `not_permitted`: The key lacks the permission.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    /** @description Whole seconds. */
                    "Retry-After"?: number;
                    /** @description To the millisecond. */
                    "Retry-After-Ms"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error`: A fault of the service. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unavailable`: The service cannot answer now. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    submitInvoice: {
        parameters: {
            query?: never;
            header?: {
                /** @description Chosen by the caller; the same key with the same body is safe to send again. */
                "Idempotency-Key"?: string;
                /** @description `wait=N` (seconds, at most 30) waits for the verdict; `respond-async` does not. */
                Prefer?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "connector_id": "cnx_01k3w9v2x4m6n8p0q2r4s6t8v0",
                 *       "profile": "BIS-3.0",
                 *       "source_ref": "2026-0001.csv"
                 *     }
                 */
                "application/json": components["schemas"]["Submission"];
            };
        };
        responses: {
            /** @description Accepted; webhooks report the rest. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "inv_01k3w9v2x4m6n8p0q2r4s6t8v0",
                     *       "status": "delivered",
                     *       "checks": {
                     *         "schema": "pending",
                     *         "business_rules": "pending",
                     *         "authority_clearance": "pending"
                     *       },
                     *       "links": {
                     *         "self": "/v1/invoices/inv_01k3w9v2x4m6n8p0q2r4s6t8v0",
                     *         "events": "/v1/invoices/inv_01k3w9v2x4m6n8p0q2r4s6t8v0/events"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Accepted"];
                };
            };
            /**
             * @description `invalid_request`: A parameter is missing or wrong.
             *     `malformed_json`: The body is not JSON.
             *     `profile_required`: No profile was given.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `missing_credentials`: No API key was sent.
             *     `invalid_credentials`: The API key is unknown.
             *     `revoked_credentials`: The API key was revoked.
             *     `wrong_environment`: The API key belongs to the other environment.
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `ip_not_allowed`: The key may not be used from here.
             *     `tenant_suspended`: The workspace is suspended.
             *     `not_permitted`: The key lacks the permission.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `connector_not_found`: No such connector. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `idempotency_payload_mismatch`: The Idempotency-Key was used with another payload.
             *     `duplicate_document`: The document is submitted already.
             */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload_too_large`: The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported_media_type`: The media type of the body is not accepted. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The document failed its checks. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "inv_01k3w9v2x4m6n8p0q2r4s6t8v0",
                     *       "status": "rejected",
                     *       "errors": [
                     *         {
                     *           "field": "/Invoice/cac:AccountingCustomerParty/cac:Party/cac:PartyTaxScheme[1]/cbc:CompanyID",
                     *           "rule": "BIS-3.0-BR-CO-09",
                     *           "message": "A VAT identifier begins with the code of the country that issued it (EL for Greece).",
                     *           "severity": "fatal",
                     *           "source": {
                     *             "connector": "cnx_01k3w9v2x4m6n8p0q2r4s6t8v0",
                     *             "origin": "2026-0002.csv",
                     *             "column": "buyer_vat",
                     *             "key": "2",
                     *             "value": "0884303369"
                     *           },
                     *           "explanation": {
                     *             "why": "The number stands without its country.",
                     *             "fix": "Write BE0884303369.",
                     *             "erp": "Correct the VAT number of the customer."
                     *           },
                     *           "translations": {
                     *             "ms": "Nombor VAT bermula dengan kod negaranya."
                     *           }
                     *         }
                     *       ],
                     *       "warnings": []
                     *     }
                     */
                    "application/json": components["schemas"]["Rejected"];
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    /** @description Whole seconds. */
                    "Retry-After"?: number;
                    /** @description To the millisecond. */
                    "Retry-After-Ms"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error`: A fault of the service. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unavailable`: The service cannot answer now. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getInvoice: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Identifier of a submission.
                 * @example inv_01k3w9v2x4m6n8p0q2r4s6t8v0
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The submission. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "inv_01k3w9v2x4m6n8p0q2r4s6t8v0",
                     *       "status": "delivered",
                     *       "environment": "live",
                     *       "profile": "BIS-3.0",
                     *       "connector_id": "cnx_01k3w9v2x4m6n8p0q2r4s6t8v0",
                     *       "source_ref": "2026-0001.csv",
                     *       "number": "2026-0001",
                     *       "buyer": "Gulf Retail LLC",
                     *       "currency": "EUR",
                     *       "gross": "1210.00",
                     *       "checks": {
                     *         "schema": "pending",
                     *         "business_rules": "pending",
                     *         "authority_clearance": "pending"
                     *       },
                     *       "errors": [],
                     *       "warnings": [],
                     *       "duplicate_of": "inv_01k3w9v2x4m6n8p0q2r4s6t8v0",
                     *       "waiting": {
                     *         "reason": "requested",
                     *         "since": "2026-03-02T08:00:00.000Z",
                     *         "next_attempt_at": "2026-03-02T08:15:30.000Z"
                     *       },
                     *       "uin": "F9D425P6DS7D8IU",
                     *       "validation_url": "https://myinvois.example.com/F9D425P6DS7D8IU/share/2K1",
                     *       "authority_status": "Valid",
                     *       "cancellable_until": "2026-03-02T08:15:30.000Z",
                     *       "write_back": {
                     *         "cleared": "2026-03-02T08:15:30.000Z"
                     *       },
                     *       "forwarding": {
                     *         "status": "delivered",
                     *         "reason": "requested",
                     *         "errors": [
                     *           {
                     *             "code": "recipient_unknown",
                     *             "message": "A VAT identifier begins with the code of the country that issued it (EL for Greece)."
                     *           }
                     *         ],
                     *         "sent_at": "2026-03-02T08:15:30.000Z",
                     *         "at": "2026-03-02T08:15:30.000Z"
                     *       },
                     *       "buyer_response": {
                     *         "code": "AP",
                     *         "status": "received",
                     *         "note": "Asked for by phone on 2 March.",
                     *         "at": "2026-03-02T08:15:30.000Z"
                     *       },
                     *       "hold": {
                     *         "waits_for": "release",
                     *         "reason": "Its connector asks for a release before it is sent.",
                     *         "since": "2026-03-02T08:00:00.000Z",
                     *         "released_by": "usr_01k3w9v2x4m6n8p0q2r4s6t8v0",
                     *         "released_at": "2026-03-02T08:15:30.000Z",
                     *         "approved_by": "usr_01k3w9v2x4m6n8p0q2r4s6t8v0",
                     *         "approved_at": "2026-03-02T08:15:30.000Z"
                     *       },
                     *       "created_at": "2026-03-02T08:15:30.000Z",
                     *       "updated_at": "2026-03-02T08:15:30.000Z",
                     *       "links": {
                     *         "self": "/v1/invoices/inv_01k3w9v2x4m6n8p0q2r4s6t8v0",
                     *         "events": "/v1/invoices/inv_01k3w9v2x4m6n8p0q2r4s6t8v0/events"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Invoice"];
                };
            };
            /** @description `invalid_request`: A parameter is missing or wrong. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `missing_credentials`: No API key was sent.
             *     `invalid_credentials`: The API key is unknown.
             *     `revoked_credentials`: The API key was revoked.
             *     `wrong_environment`: The API key belongs to the other environment.
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `ip_not_allowed`: The key may not be used from here.
             *     `tenant_suspended`: The workspace is suspended.
             *     `not_permitted`: The key lacks the permission.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `not_found`: There is nothing at this path.
             *     `invoice_not_found`: No such invoice.
             */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    /** @description Whole seconds. */
                    "Retry-After"?: number;
                    /** @description To the millisecond. */
                    "Retry-After-Ms"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error`: A fault of the service. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unavailable`: The service cannot answer now. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listInvoiceEvents: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Identifier of a submission.
                 * @example inv_01k3w9v2x4m6n8p0q2r4s6t8v0
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Every transition, and `stalled` where the service has stopped trying. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "results": [
                     *         {
                     *           "id": "evt_01k3w9v2x4m6n8p0q2r4s6t8v0",
                     *           "event": "invoice.cleared",
                     *           "status": "delivered",
                     *           "timestamp": "2026-03-02T08:15:30.000Z",
                     *           "elapsed_ms": 1
                     *         }
                     *       ],
                     *       "next": null,
                     *       "previous": null
                     *     }
                     */
                    "application/json": {
                        results: components["schemas"]["InvoiceEvent"][];
                        next: null;
                        previous: null;
                    };
                };
            };
            /** @description `invalid_request`: A parameter is missing or wrong. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `missing_credentials`: No API key was sent.
             *     `invalid_credentials`: The API key is unknown.
             *     `revoked_credentials`: The API key was revoked.
             *     `wrong_environment`: The API key belongs to the other environment.
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `ip_not_allowed`: The key may not be used from here.
             *     `tenant_suspended`: The workspace is suspended.
             *     `not_permitted`: The key lacks the permission.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `not_found`: There is nothing at this path.
             *     `invoice_not_found`: No such invoice.
             */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    /** @description Whole seconds. */
                    "Retry-After"?: number;
                    /** @description To the millisecond. */
                    "Retry-After-Ms"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error`: A fault of the service. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unavailable`: The service cannot answer now. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getInvoiceDocument: {
        parameters: {
            query?: {
                /** @description The validated document; what a clearance authority was sent; the document with its identifier; the model. Default: final where there is one, else document. */
                stage?: "document" | "clearance" | "final" | "cim";
            };
            header?: never;
            path: {
                /**
                 * @description Identifier of a submission.
                 * @example inv_01k3w9v2x4m6n8p0q2r4s6t8v0
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The bytes as they were sent; the model is JSON. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/xml": unknown;
                    "application/json": unknown;
                };
            };
            /** @description `invalid_request`: A parameter is missing or wrong. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `missing_credentials`: No API key was sent.
             *     `invalid_credentials`: The API key is unknown.
             *     `revoked_credentials`: The API key was revoked.
             *     `wrong_environment`: The API key belongs to the other environment.
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `ip_not_allowed`: The key may not be used from here.
             *     `tenant_suspended`: The workspace is suspended.
             *     `not_permitted`: The key lacks the permission.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `not_found`: There is nothing at this path.
             *     `invoice_not_found`: No such invoice.
             *     `document_not_found`: No such document yet.
             */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    /** @description Whole seconds. */
                    "Retry-After"?: number;
                    /** @description To the millisecond. */
                    "Retry-After-Ms"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error`: A fault of the service. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unavailable`: The service cannot answer now. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    acknowledgeInvoice: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Identifier of a submission.
                 * @example inv_01k3w9v2x4m6n8p0q2r4s6t8v0
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The submission, acknowledged. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "inv_01k3w9v2x4m6n8p0q2r4s6t8v0",
                     *       "status": "delivered",
                     *       "environment": "live",
                     *       "profile": "BIS-3.0",
                     *       "connector_id": "cnx_01k3w9v2x4m6n8p0q2r4s6t8v0",
                     *       "source_ref": "2026-0001.csv",
                     *       "number": "2026-0001",
                     *       "buyer": "Gulf Retail LLC",
                     *       "currency": "EUR",
                     *       "gross": "1210.00",
                     *       "checks": {
                     *         "schema": "pending",
                     *         "business_rules": "pending",
                     *         "authority_clearance": "pending"
                     *       },
                     *       "errors": [],
                     *       "warnings": [],
                     *       "duplicate_of": "inv_01k3w9v2x4m6n8p0q2r4s6t8v0",
                     *       "waiting": {
                     *         "reason": "requested",
                     *         "since": "2026-03-02T08:00:00.000Z",
                     *         "next_attempt_at": "2026-03-02T08:15:30.000Z"
                     *       },
                     *       "uin": "F9D425P6DS7D8IU",
                     *       "validation_url": "https://myinvois.example.com/F9D425P6DS7D8IU/share/2K1",
                     *       "authority_status": "Valid",
                     *       "cancellable_until": "2026-03-02T08:15:30.000Z",
                     *       "write_back": {
                     *         "cleared": "2026-03-02T08:15:30.000Z"
                     *       },
                     *       "forwarding": {
                     *         "status": "delivered",
                     *         "reason": "requested",
                     *         "errors": [
                     *           {
                     *             "code": "recipient_unknown",
                     *             "message": "A VAT identifier begins with the code of the country that issued it (EL for Greece)."
                     *           }
                     *         ],
                     *         "sent_at": "2026-03-02T08:15:30.000Z",
                     *         "at": "2026-03-02T08:15:30.000Z"
                     *       },
                     *       "buyer_response": {
                     *         "code": "AP",
                     *         "status": "received",
                     *         "note": "Asked for by phone on 2 March.",
                     *         "at": "2026-03-02T08:15:30.000Z"
                     *       },
                     *       "hold": {
                     *         "waits_for": "release",
                     *         "reason": "Its connector asks for a release before it is sent.",
                     *         "since": "2026-03-02T08:00:00.000Z",
                     *         "released_by": "usr_01k3w9v2x4m6n8p0q2r4s6t8v0",
                     *         "released_at": "2026-03-02T08:15:30.000Z",
                     *         "approved_by": "usr_01k3w9v2x4m6n8p0q2r4s6t8v0",
                     *         "approved_at": "2026-03-02T08:15:30.000Z"
                     *       },
                     *       "created_at": "2026-03-02T08:15:30.000Z",
                     *       "updated_at": "2026-03-02T08:15:30.000Z",
                     *       "links": {
                     *         "self": "/v1/invoices/inv_01k3w9v2x4m6n8p0q2r4s6t8v0",
                     *         "events": "/v1/invoices/inv_01k3w9v2x4m6n8p0q2r4s6t8v0/events"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Invoice"];
                };
            };
            /** @description `invalid_request`: A parameter is missing or wrong. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `missing_credentials`: No API key was sent.
             *     `invalid_credentials`: The API key is unknown.
             *     `revoked_credentials`: The API key was revoked.
             *     `wrong_environment`: The API key belongs to the other environment.
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `ip_not_allowed`: The key may not be used from here.
             *     `tenant_suspended`: The workspace is suspended.
             *     `not_permitted`: The key lacks the permission.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `not_found`: There is nothing at this path.
             *     `invoice_not_found`: No such invoice.
             */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `state_conflict`: The invoice is not in a state for this. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    /** @description Whole seconds. */
                    "Retry-After"?: number;
                    /** @description To the millisecond. */
                    "Retry-After-Ms"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error`: A fault of the service. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unavailable`: The service cannot answer now. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    releaseInvoice: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Identifier of a submission.
                 * @example inv_01k3w9v2x4m6n8p0q2r4s6t8v0
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The submission as it is now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "inv_01k3w9v2x4m6n8p0q2r4s6t8v0",
                     *       "status": "delivered",
                     *       "environment": "live",
                     *       "profile": "BIS-3.0",
                     *       "connector_id": "cnx_01k3w9v2x4m6n8p0q2r4s6t8v0",
                     *       "source_ref": "2026-0001.csv",
                     *       "number": "2026-0001",
                     *       "buyer": "Gulf Retail LLC",
                     *       "currency": "EUR",
                     *       "gross": "1210.00",
                     *       "checks": {
                     *         "schema": "pending",
                     *         "business_rules": "pending",
                     *         "authority_clearance": "pending"
                     *       },
                     *       "errors": [],
                     *       "warnings": [],
                     *       "duplicate_of": "inv_01k3w9v2x4m6n8p0q2r4s6t8v0",
                     *       "waiting": {
                     *         "reason": "requested",
                     *         "since": "2026-03-02T08:00:00.000Z",
                     *         "next_attempt_at": "2026-03-02T08:15:30.000Z"
                     *       },
                     *       "uin": "F9D425P6DS7D8IU",
                     *       "validation_url": "https://myinvois.example.com/F9D425P6DS7D8IU/share/2K1",
                     *       "authority_status": "Valid",
                     *       "cancellable_until": "2026-03-02T08:15:30.000Z",
                     *       "write_back": {
                     *         "cleared": "2026-03-02T08:15:30.000Z"
                     *       },
                     *       "forwarding": {
                     *         "status": "delivered",
                     *         "reason": "requested",
                     *         "errors": [
                     *           {
                     *             "code": "recipient_unknown",
                     *             "message": "A VAT identifier begins with the code of the country that issued it (EL for Greece)."
                     *           }
                     *         ],
                     *         "sent_at": "2026-03-02T08:15:30.000Z",
                     *         "at": "2026-03-02T08:15:30.000Z"
                     *       },
                     *       "buyer_response": {
                     *         "code": "AP",
                     *         "status": "received",
                     *         "note": "Asked for by phone on 2 March.",
                     *         "at": "2026-03-02T08:15:30.000Z"
                     *       },
                     *       "hold": {
                     *         "waits_for": "release",
                     *         "reason": "Its connector asks for a release before it is sent.",
                     *         "since": "2026-03-02T08:00:00.000Z",
                     *         "released_by": "usr_01k3w9v2x4m6n8p0q2r4s6t8v0",
                     *         "released_at": "2026-03-02T08:15:30.000Z",
                     *         "approved_by": "usr_01k3w9v2x4m6n8p0q2r4s6t8v0",
                     *         "approved_at": "2026-03-02T08:15:30.000Z"
                     *       },
                     *       "created_at": "2026-03-02T08:15:30.000Z",
                     *       "updated_at": "2026-03-02T08:15:30.000Z",
                     *       "links": {
                     *         "self": "/v1/invoices/inv_01k3w9v2x4m6n8p0q2r4s6t8v0",
                     *         "events": "/v1/invoices/inv_01k3w9v2x4m6n8p0q2r4s6t8v0/events"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Invoice"];
                };
            };
            /** @description `invalid_request`: A parameter is missing or wrong. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `missing_credentials`: No API key was sent.
             *     `invalid_credentials`: The API key is unknown.
             *     `revoked_credentials`: The API key was revoked.
             *     `wrong_environment`: The API key belongs to the other environment.
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `ip_not_allowed`: The key may not be used from here.
             *     `tenant_suspended`: The workspace is suspended.
             *     `not_permitted`: The key lacks the permission.
             *     `person_required`: Only a person who has signed in may do this.
             *     `second_person_required`: A second person must approve.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `not_found`: There is nothing at this path.
             *     `invoice_not_found`: No such invoice.
             */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `state_conflict`: The invoice is not in a state for this. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    /** @description Whole seconds. */
                    "Retry-After"?: number;
                    /** @description To the millisecond. */
                    "Retry-After-Ms"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error`: A fault of the service. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unavailable`: The service cannot answer now. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    approveInvoice: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Identifier of a submission.
                 * @example inv_01k3w9v2x4m6n8p0q2r4s6t8v0
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The submission as it is now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "inv_01k3w9v2x4m6n8p0q2r4s6t8v0",
                     *       "status": "delivered",
                     *       "environment": "live",
                     *       "profile": "BIS-3.0",
                     *       "connector_id": "cnx_01k3w9v2x4m6n8p0q2r4s6t8v0",
                     *       "source_ref": "2026-0001.csv",
                     *       "number": "2026-0001",
                     *       "buyer": "Gulf Retail LLC",
                     *       "currency": "EUR",
                     *       "gross": "1210.00",
                     *       "checks": {
                     *         "schema": "pending",
                     *         "business_rules": "pending",
                     *         "authority_clearance": "pending"
                     *       },
                     *       "errors": [],
                     *       "warnings": [],
                     *       "duplicate_of": "inv_01k3w9v2x4m6n8p0q2r4s6t8v0",
                     *       "waiting": {
                     *         "reason": "requested",
                     *         "since": "2026-03-02T08:00:00.000Z",
                     *         "next_attempt_at": "2026-03-02T08:15:30.000Z"
                     *       },
                     *       "uin": "F9D425P6DS7D8IU",
                     *       "validation_url": "https://myinvois.example.com/F9D425P6DS7D8IU/share/2K1",
                     *       "authority_status": "Valid",
                     *       "cancellable_until": "2026-03-02T08:15:30.000Z",
                     *       "write_back": {
                     *         "cleared": "2026-03-02T08:15:30.000Z"
                     *       },
                     *       "forwarding": {
                     *         "status": "delivered",
                     *         "reason": "requested",
                     *         "errors": [
                     *           {
                     *             "code": "recipient_unknown",
                     *             "message": "A VAT identifier begins with the code of the country that issued it (EL for Greece)."
                     *           }
                     *         ],
                     *         "sent_at": "2026-03-02T08:15:30.000Z",
                     *         "at": "2026-03-02T08:15:30.000Z"
                     *       },
                     *       "buyer_response": {
                     *         "code": "AP",
                     *         "status": "received",
                     *         "note": "Asked for by phone on 2 March.",
                     *         "at": "2026-03-02T08:15:30.000Z"
                     *       },
                     *       "hold": {
                     *         "waits_for": "release",
                     *         "reason": "Its connector asks for a release before it is sent.",
                     *         "since": "2026-03-02T08:00:00.000Z",
                     *         "released_by": "usr_01k3w9v2x4m6n8p0q2r4s6t8v0",
                     *         "released_at": "2026-03-02T08:15:30.000Z",
                     *         "approved_by": "usr_01k3w9v2x4m6n8p0q2r4s6t8v0",
                     *         "approved_at": "2026-03-02T08:15:30.000Z"
                     *       },
                     *       "created_at": "2026-03-02T08:15:30.000Z",
                     *       "updated_at": "2026-03-02T08:15:30.000Z",
                     *       "links": {
                     *         "self": "/v1/invoices/inv_01k3w9v2x4m6n8p0q2r4s6t8v0",
                     *         "events": "/v1/invoices/inv_01k3w9v2x4m6n8p0q2r4s6t8v0/events"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Invoice"];
                };
            };
            /** @description `invalid_request`: A parameter is missing or wrong. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `missing_credentials`: No API key was sent.
             *     `invalid_credentials`: The API key is unknown.
             *     `revoked_credentials`: The API key was revoked.
             *     `wrong_environment`: The API key belongs to the other environment.
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `ip_not_allowed`: The key may not be used from here.
             *     `tenant_suspended`: The workspace is suspended.
             *     `not_permitted`: The key lacks the permission.
             *     `person_required`: Only a person who has signed in may do this.
             *     `second_person_required`: A second person must approve.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `not_found`: There is nothing at this path.
             *     `invoice_not_found`: No such invoice.
             */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `state_conflict`: The invoice is not in a state for this. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    /** @description Whole seconds. */
                    "Retry-After"?: number;
                    /** @description To the millisecond. */
                    "Retry-After-Ms"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error`: A fault of the service. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unavailable`: The service cannot answer now. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    releaseInvoices: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "invoices": [
                 *         "inv_01k3w9v2x4m6n8p0q2r4s6t8v0"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["HoldRequest"];
            };
        };
        responses: {
            /** @description What came of each. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "results": [
                     *         {
                     *           "id": "inv_01k3w9v2x4m6n8p0q2r4s6t8v0",
                     *           "outcome": "sent",
                     *           "code": "not_held",
                     *           "detail": "It answers."
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["HoldResult"];
                };
            };
            /**
             * @description `invalid_request`: A parameter is missing or wrong.
             *     `malformed_json`: The body is not JSON.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `missing_credentials`: No API key was sent.
             *     `invalid_credentials`: The API key is unknown.
             *     `revoked_credentials`: The API key was revoked.
             *     `wrong_environment`: The API key belongs to the other environment.
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `ip_not_allowed`: The key may not be used from here.
             *     `tenant_suspended`: The workspace is suspended.
             *     `not_permitted`: The key lacks the permission.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload_too_large`: The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported_media_type`: The media type of the body is not accepted. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    /** @description Whole seconds. */
                    "Retry-After"?: number;
                    /** @description To the millisecond. */
                    "Retry-After-Ms"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error`: A fault of the service. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unavailable`: The service cannot answer now. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    approveInvoices: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "invoices": [
                 *         "inv_01k3w9v2x4m6n8p0q2r4s6t8v0"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["HoldRequest"];
            };
        };
        responses: {
            /** @description What came of each. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "results": [
                     *         {
                     *           "id": "inv_01k3w9v2x4m6n8p0q2r4s6t8v0",
                     *           "outcome": "sent",
                     *           "code": "not_held",
                     *           "detail": "It answers."
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["HoldResult"];
                };
            };
            /**
             * @description `invalid_request`: A parameter is missing or wrong.
             *     `malformed_json`: The body is not JSON.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `missing_credentials`: No API key was sent.
             *     `invalid_credentials`: The API key is unknown.
             *     `revoked_credentials`: The API key was revoked.
             *     `wrong_environment`: The API key belongs to the other environment.
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `ip_not_allowed`: The key may not be used from here.
             *     `tenant_suspended`: The workspace is suspended.
             *     `not_permitted`: The key lacks the permission.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload_too_large`: The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported_media_type`: The media type of the body is not accepted. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    /** @description Whole seconds. */
                    "Retry-After"?: number;
                    /** @description To the millisecond. */
                    "Retry-After-Ms"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error`: A fault of the service. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unavailable`: The service cannot answer now. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    withdrawInvoice: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Identifier of a submission.
                 * @example inv_01k3w9v2x4m6n8p0q2r4s6t8v0
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "reason": "Wrong customer."
                 *     }
                 */
                "application/json": components["schemas"]["WithdrawRequest"];
            };
        };
        responses: {
            /** @description The submission, rejected. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "inv_01k3w9v2x4m6n8p0q2r4s6t8v0",
                     *       "status": "delivered",
                     *       "environment": "live",
                     *       "profile": "BIS-3.0",
                     *       "connector_id": "cnx_01k3w9v2x4m6n8p0q2r4s6t8v0",
                     *       "source_ref": "2026-0001.csv",
                     *       "number": "2026-0001",
                     *       "buyer": "Gulf Retail LLC",
                     *       "currency": "EUR",
                     *       "gross": "1210.00",
                     *       "checks": {
                     *         "schema": "pending",
                     *         "business_rules": "pending",
                     *         "authority_clearance": "pending"
                     *       },
                     *       "errors": [],
                     *       "warnings": [],
                     *       "duplicate_of": "inv_01k3w9v2x4m6n8p0q2r4s6t8v0",
                     *       "waiting": {
                     *         "reason": "requested",
                     *         "since": "2026-03-02T08:00:00.000Z",
                     *         "next_attempt_at": "2026-03-02T08:15:30.000Z"
                     *       },
                     *       "uin": "F9D425P6DS7D8IU",
                     *       "validation_url": "https://myinvois.example.com/F9D425P6DS7D8IU/share/2K1",
                     *       "authority_status": "Valid",
                     *       "cancellable_until": "2026-03-02T08:15:30.000Z",
                     *       "write_back": {
                     *         "cleared": "2026-03-02T08:15:30.000Z"
                     *       },
                     *       "forwarding": {
                     *         "status": "delivered",
                     *         "reason": "requested",
                     *         "errors": [
                     *           {
                     *             "code": "recipient_unknown",
                     *             "message": "A VAT identifier begins with the code of the country that issued it (EL for Greece)."
                     *           }
                     *         ],
                     *         "sent_at": "2026-03-02T08:15:30.000Z",
                     *         "at": "2026-03-02T08:15:30.000Z"
                     *       },
                     *       "buyer_response": {
                     *         "code": "AP",
                     *         "status": "received",
                     *         "note": "Asked for by phone on 2 March.",
                     *         "at": "2026-03-02T08:15:30.000Z"
                     *       },
                     *       "hold": {
                     *         "waits_for": "release",
                     *         "reason": "Its connector asks for a release before it is sent.",
                     *         "since": "2026-03-02T08:00:00.000Z",
                     *         "released_by": "usr_01k3w9v2x4m6n8p0q2r4s6t8v0",
                     *         "released_at": "2026-03-02T08:15:30.000Z",
                     *         "approved_by": "usr_01k3w9v2x4m6n8p0q2r4s6t8v0",
                     *         "approved_at": "2026-03-02T08:15:30.000Z"
                     *       },
                     *       "created_at": "2026-03-02T08:15:30.000Z",
                     *       "updated_at": "2026-03-02T08:15:30.000Z",
                     *       "links": {
                     *         "self": "/v1/invoices/inv_01k3w9v2x4m6n8p0q2r4s6t8v0",
                     *         "events": "/v1/invoices/inv_01k3w9v2x4m6n8p0q2r4s6t8v0/events"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Invoice"];
                };
            };
            /**
             * @description `invalid_request`: A parameter is missing or wrong.
             *     `malformed_json`: The body is not JSON.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `missing_credentials`: No API key was sent.
             *     `invalid_credentials`: The API key is unknown.
             *     `revoked_credentials`: The API key was revoked.
             *     `wrong_environment`: The API key belongs to the other environment.
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `ip_not_allowed`: The key may not be used from here.
             *     `tenant_suspended`: The workspace is suspended.
             *     `not_permitted`: The key lacks the permission.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `not_found`: There is nothing at this path.
             *     `invoice_not_found`: No such invoice.
             */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `state_conflict`: The invoice is not in a state for this. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload_too_large`: The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported_media_type`: The media type of the body is not accepted. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    /** @description Whole seconds. */
                    "Retry-After"?: number;
                    /** @description To the millisecond. */
                    "Retry-After-Ms"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error`: A fault of the service. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unavailable`: The service cannot answer now. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    validateInvoice: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "connector_id": "cnx_01k3w9v2x4m6n8p0q2r4s6t8v0",
                 *       "source_ref": "2026-0001.csv"
                 *     }
                 */
                "application/json": components["schemas"]["ValidationRequest"];
            };
        };
        responses: {
            /** @description The full report. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "valid": false,
                     *       "profile": "BIS-3.0",
                     *       "checks": {
                     *         "schema": "pending",
                     *         "business_rules": "pending",
                     *         "authority_clearance": "pending"
                     *       },
                     *       "errors": [
                     *         {
                     *           "field": "/Invoice/cac:AccountingCustomerParty/cac:Party/cac:PartyTaxScheme[1]/cbc:CompanyID",
                     *           "rule": "BIS-3.0-BR-CO-09",
                     *           "message": "A VAT identifier begins with the code of the country that issued it (EL for Greece).",
                     *           "severity": "fatal",
                     *           "source": {
                     *             "connector": "cnx_01k3w9v2x4m6n8p0q2r4s6t8v0",
                     *             "origin": "2026-0002.csv",
                     *             "column": "buyer_vat",
                     *             "key": "2",
                     *             "value": "0884303369"
                     *           },
                     *           "explanation": {
                     *             "why": "The number stands without its country.",
                     *             "fix": "Write BE0884303369.",
                     *             "erp": "Correct the VAT number of the customer."
                     *           },
                     *           "translations": {
                     *             "ms": "Nombor VAT bermula dengan kod negaranya."
                     *           }
                     *         }
                     *       ],
                     *       "warnings": [],
                     *       "xml": "<Invoice xmlns=\"urn:oasis:names:specification:ubl:schema:xsd:Invoice-2\">…</Invoice>"
                     *     }
                     */
                    "application/json": components["schemas"]["ValidationReport"];
                };
            };
            /**
             * @description `invalid_request`: A parameter is missing or wrong.
             *     `malformed_json`: The body is not JSON.
             *     `profile_required`: No profile was given.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `missing_credentials`: No API key was sent.
             *     `invalid_credentials`: The API key is unknown.
             *     `revoked_credentials`: The API key was revoked.
             *     `wrong_environment`: The API key belongs to the other environment.
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `ip_not_allowed`: The key may not be used from here.
             *     `tenant_suspended`: The workspace is suspended.
             *     `not_permitted`: The key lacks the permission.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `connector_not_found`: No such connector.
             *     `source_not_found`: The source has no such document.
             */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload_too_large`: The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported_media_type`: The media type of the body is not accepted. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `source_not_allowed`: The settings name a source that is not read from here. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    /** @description Whole seconds. */
                    "Retry-After"?: number;
                    /** @description To the millisecond. */
                    "Retry-After-Ms"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error`: A fault of the service. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `unavailable`: The service cannot answer now.
             *     `source_unreachable`: The source did not answer.
             */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listReceived: {
        parameters: {
            query?: {
                /** @description The "next" or "previous" of another page of this list; none: the first page. */
                cursor?: string;
                limit?: number;
                status?: "received" | "imported" | "undone" | "duplicate" | "unreadable" | "cancelled";
                number?: string;
                /** @description Its id, as `supplier.id` shows it. */
                supplier?: string;
                source?: string;
                /** @description Only those that their supplier has cancelled, or only the others. With `status=imported`: those whose draft is still in the ERP. */
                cancelled?: "true" | "false";
                /** @description Received at this instant or later. */
                since?: string;
                /** @description Received before this instant. */
                until?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of documents. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "results": [
                     *         {
                     *           "id": "rcv_01k3w9v2x4m6n8p0q2r4s6t8v0",
                     *           "status": "received",
                     *           "environment": "live",
                     *           "source": "peppol",
                     *           "network_id": "6b1f9d11-7d0e-4c52-8a51-9c350f6c2b1f",
                     *           "participant": "0208:0884303369",
                     *           "profile": "BIS-3.0",
                     *           "checks": {
                     *             "schema": "pending",
                     *             "business_rules": "pending",
                     *             "authority_clearance": "pending"
                     *           },
                     *           "errors": [
                     *             {
                     *               "field": "/Invoice/cac:AccountingCustomerParty/cac:Party/cac:PartyTaxScheme[1]/cbc:CompanyID",
                     *               "rule": "BIS-3.0-BR-CO-09",
                     *               "message": "A VAT identifier begins with the code of the country that issued it (EL for Greece).",
                     *               "severity": "fatal",
                     *               "source": {
                     *                 "connector": "cnx_01k3w9v2x4m6n8p0q2r4s6t8v0",
                     *                 "origin": "2026-0002.csv",
                     *                 "column": "buyer_vat",
                     *                 "key": "2",
                     *                 "value": "0884303369"
                     *               },
                     *               "explanation": {
                     *                 "why": "The number stands without its country.",
                     *                 "fix": "Write BE0884303369.",
                     *                 "erp": "Correct the VAT number of the customer."
                     *               },
                     *               "translations": {
                     *                 "ms": "Nombor VAT bermula dengan kod negaranya."
                     *               }
                     *             }
                     *           ],
                     *           "warnings": [],
                     *           "document_type": "invoice",
                     *           "supplier": {
                     *             "id": "usr_01k3w9v2x4m6n8p0q2r4s6t8v0",
                     *             "name": "Amal Haddad"
                     *           },
                     *           "number": "2026-0001",
                     *           "issue_date": "2026-02-27",
                     *           "currency": "EUR",
                     *           "gross": "1210.00",
                     *           "duplicate_of": "rcv_01k3w9v2x4m6n8p0q2r4s6t8v0",
                     *           "import_to": "cnx_01k3w9v2x4m6n8p0q2r4s6t8v0",
                     *           "import": {
                     *             "outcome": "waiting",
                     *             "action": "import",
                     *             "target": "einv_received",
                     *             "reason": "requested",
                     *             "at": "2026-03-02T08:15:30.000Z"
                     *           },
                     *           "response": {
                     *             "id": "usr_01k3w9v2x4m6n8p0q2r4s6t8v0",
                     *             "status": "received",
                     *             "state": "waiting",
                     *             "reason": "The order number is missing.",
                     *             "at": "2026-03-02T08:15:30.000Z"
                     *           },
                     *           "rejectable_until": "2026-03-02T08:15:30.000Z",
                     *           "cancelled_at": "2026-03-02T08:15:30.000Z",
                     *           "cancel_reason": "wrong buyer",
                     *           "received_at": "2026-03-02T08:15:30.000Z",
                     *           "updated_at": "2026-03-02T08:15:30.000Z",
                     *           "links": {
                     *             "self": "/v1/invoices/inv_01k3w9v2x4m6n8p0q2r4s6t8v0",
                     *             "document": "/v1/received/rcv_01k3w9v2x4m6n8p0q2r4s6t8v0/document"
                     *           }
                     *         }
                     *       ],
                     *       "next": "next",
                     *       "previous": "previous"
                     *     }
                     */
                    "application/json": components["schemas"]["ReceivedPage"];
                };
            };
            /** @description `invalid_request`: A parameter is missing or wrong. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `missing_credentials`: No API key was sent.
             *     `invalid_credentials`: The API key is unknown.
             *     `revoked_credentials`: The API key was revoked.
             *     `wrong_environment`: The API key belongs to the other environment.
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `ip_not_allowed`: The key may not be used from here.
             *     `tenant_suspended`: The workspace is suspended.
             *     `not_permitted`: The key lacks the permission.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    /** @description Whole seconds. */
                    "Retry-After"?: number;
                    /** @description To the millisecond. */
                    "Retry-After-Ms"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error`: A fault of the service. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unavailable`: The service cannot answer now. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getReceived: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example rcv_01k3w9v2x4m6n8p0q2r4s6t8v0 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The document. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "rcv_01k3w9v2x4m6n8p0q2r4s6t8v0",
                     *       "status": "received",
                     *       "environment": "live",
                     *       "source": "peppol",
                     *       "network_id": "6b1f9d11-7d0e-4c52-8a51-9c350f6c2b1f",
                     *       "participant": "0208:0884303369",
                     *       "profile": "BIS-3.0",
                     *       "checks": {
                     *         "schema": "pending",
                     *         "business_rules": "pending",
                     *         "authority_clearance": "pending"
                     *       },
                     *       "errors": [
                     *         {
                     *           "field": "/Invoice/cac:AccountingCustomerParty/cac:Party/cac:PartyTaxScheme[1]/cbc:CompanyID",
                     *           "rule": "BIS-3.0-BR-CO-09",
                     *           "message": "A VAT identifier begins with the code of the country that issued it (EL for Greece).",
                     *           "severity": "fatal",
                     *           "source": {
                     *             "connector": "cnx_01k3w9v2x4m6n8p0q2r4s6t8v0",
                     *             "origin": "2026-0002.csv",
                     *             "column": "buyer_vat",
                     *             "key": "2",
                     *             "value": "0884303369"
                     *           },
                     *           "explanation": {
                     *             "why": "The number stands without its country.",
                     *             "fix": "Write BE0884303369.",
                     *             "erp": "Correct the VAT number of the customer."
                     *           },
                     *           "translations": {
                     *             "ms": "Nombor VAT bermula dengan kod negaranya."
                     *           }
                     *         }
                     *       ],
                     *       "warnings": [],
                     *       "document_type": "invoice",
                     *       "supplier": {
                     *         "id": "usr_01k3w9v2x4m6n8p0q2r4s6t8v0",
                     *         "name": "Amal Haddad"
                     *       },
                     *       "number": "2026-0001",
                     *       "issue_date": "2026-02-27",
                     *       "currency": "EUR",
                     *       "gross": "1210.00",
                     *       "duplicate_of": "rcv_01k3w9v2x4m6n8p0q2r4s6t8v0",
                     *       "import_to": "cnx_01k3w9v2x4m6n8p0q2r4s6t8v0",
                     *       "import": {
                     *         "outcome": "waiting",
                     *         "action": "import",
                     *         "target": "einv_received",
                     *         "reason": "requested",
                     *         "at": "2026-03-02T08:15:30.000Z"
                     *       },
                     *       "response": {
                     *         "id": "usr_01k3w9v2x4m6n8p0q2r4s6t8v0",
                     *         "status": "received",
                     *         "state": "waiting",
                     *         "reason": "The order number is missing.",
                     *         "at": "2026-03-02T08:15:30.000Z"
                     *       },
                     *       "rejectable_until": "2026-03-02T08:15:30.000Z",
                     *       "cancelled_at": "2026-03-02T08:15:30.000Z",
                     *       "cancel_reason": "wrong buyer",
                     *       "received_at": "2026-03-02T08:15:30.000Z",
                     *       "updated_at": "2026-03-02T08:15:30.000Z",
                     *       "links": {
                     *         "self": "/v1/invoices/inv_01k3w9v2x4m6n8p0q2r4s6t8v0",
                     *         "document": "/v1/received/rcv_01k3w9v2x4m6n8p0q2r4s6t8v0/document"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ReceivedDocument"];
                };
            };
            /** @description `invalid_request`: A parameter is missing or wrong. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `missing_credentials`: No API key was sent.
             *     `invalid_credentials`: The API key is unknown.
             *     `revoked_credentials`: The API key was revoked.
             *     `wrong_environment`: The API key belongs to the other environment.
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `ip_not_allowed`: The key may not be used from here.
             *     `tenant_suspended`: The workspace is suspended.
             *     `not_permitted`: The key lacks the permission.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `not_found`: There is nothing at this path.
             *     `received_not_found`: No such received document.
             */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    /** @description Whole seconds. */
                    "Retry-After"?: number;
                    /** @description To the millisecond. */
                    "Retry-After-Ms"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error`: A fault of the service. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unavailable`: The service cannot answer now. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getReceivedDocument: {
        parameters: {
            query?: {
                form?: "document" | "cim" | "draft";
            };
            header?: never;
            path: {
                /** @example rcv_01k3w9v2x4m6n8p0q2r4s6t8v0 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The bytes as they came; JSON of the model or the draft. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/xml": unknown;
                    "application/json": unknown;
                };
            };
            /** @description `invalid_request`: A parameter is missing or wrong. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `missing_credentials`: No API key was sent.
             *     `invalid_credentials`: The API key is unknown.
             *     `revoked_credentials`: The API key was revoked.
             *     `wrong_environment`: The API key belongs to the other environment.
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `ip_not_allowed`: The key may not be used from here.
             *     `tenant_suspended`: The workspace is suspended.
             *     `not_permitted`: The key lacks the permission.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `not_found`: There is nothing at this path.
             *     `received_not_found`: No such received document.
             *     `document_not_found`: No such document yet.
             */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    /** @description Whole seconds. */
                    "Retry-After"?: number;
                    /** @description To the millisecond. */
                    "Retry-After-Ms"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error`: A fault of the service. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unavailable`: The service cannot answer now. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    importReceived: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example rcv_01k3w9v2x4m6n8p0q2r4s6t8v0 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "connector_id": "cnx_01k3w9v2x4m6n8p0q2r4s6t8v0"
                 *     }
                 */
                "application/json": components["schemas"]["ImportRequest"];
            };
        };
        responses: {
            /** @description It will be imported. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "rcv_01k3w9v2x4m6n8p0q2r4s6t8v0",
                     *       "status": "received",
                     *       "environment": "live",
                     *       "source": "peppol",
                     *       "network_id": "6b1f9d11-7d0e-4c52-8a51-9c350f6c2b1f",
                     *       "participant": "0208:0884303369",
                     *       "profile": "BIS-3.0",
                     *       "checks": {
                     *         "schema": "pending",
                     *         "business_rules": "pending",
                     *         "authority_clearance": "pending"
                     *       },
                     *       "errors": [
                     *         {
                     *           "field": "/Invoice/cac:AccountingCustomerParty/cac:Party/cac:PartyTaxScheme[1]/cbc:CompanyID",
                     *           "rule": "BIS-3.0-BR-CO-09",
                     *           "message": "A VAT identifier begins with the code of the country that issued it (EL for Greece).",
                     *           "severity": "fatal",
                     *           "source": {
                     *             "connector": "cnx_01k3w9v2x4m6n8p0q2r4s6t8v0",
                     *             "origin": "2026-0002.csv",
                     *             "column": "buyer_vat",
                     *             "key": "2",
                     *             "value": "0884303369"
                     *           },
                     *           "explanation": {
                     *             "why": "The number stands without its country.",
                     *             "fix": "Write BE0884303369.",
                     *             "erp": "Correct the VAT number of the customer."
                     *           },
                     *           "translations": {
                     *             "ms": "Nombor VAT bermula dengan kod negaranya."
                     *           }
                     *         }
                     *       ],
                     *       "warnings": [],
                     *       "document_type": "invoice",
                     *       "supplier": {
                     *         "id": "usr_01k3w9v2x4m6n8p0q2r4s6t8v0",
                     *         "name": "Amal Haddad"
                     *       },
                     *       "number": "2026-0001",
                     *       "issue_date": "2026-02-27",
                     *       "currency": "EUR",
                     *       "gross": "1210.00",
                     *       "duplicate_of": "rcv_01k3w9v2x4m6n8p0q2r4s6t8v0",
                     *       "import_to": "cnx_01k3w9v2x4m6n8p0q2r4s6t8v0",
                     *       "import": {
                     *         "outcome": "waiting",
                     *         "action": "import",
                     *         "target": "einv_received",
                     *         "reason": "requested",
                     *         "at": "2026-03-02T08:15:30.000Z"
                     *       },
                     *       "response": {
                     *         "id": "usr_01k3w9v2x4m6n8p0q2r4s6t8v0",
                     *         "status": "received",
                     *         "state": "waiting",
                     *         "reason": "The order number is missing.",
                     *         "at": "2026-03-02T08:15:30.000Z"
                     *       },
                     *       "rejectable_until": "2026-03-02T08:15:30.000Z",
                     *       "cancelled_at": "2026-03-02T08:15:30.000Z",
                     *       "cancel_reason": "wrong buyer",
                     *       "received_at": "2026-03-02T08:15:30.000Z",
                     *       "updated_at": "2026-03-02T08:15:30.000Z",
                     *       "links": {
                     *         "self": "/v1/invoices/inv_01k3w9v2x4m6n8p0q2r4s6t8v0",
                     *         "document": "/v1/received/rcv_01k3w9v2x4m6n8p0q2r4s6t8v0/document"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ReceivedDocument"];
                };
            };
            /**
             * @description `invalid_request`: A parameter is missing or wrong.
             *     `malformed_json`: The body is not JSON.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `missing_credentials`: No API key was sent.
             *     `invalid_credentials`: The API key is unknown.
             *     `revoked_credentials`: The API key was revoked.
             *     `wrong_environment`: The API key belongs to the other environment.
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `ip_not_allowed`: The key may not be used from here.
             *     `tenant_suspended`: The workspace is suspended.
             *     `not_permitted`: The key lacks the permission.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `not_found`: There is nothing at this path.
             *     `received_not_found`: No such received document.
             *     `connector_not_found`: No such connector.
             */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `state_conflict`: The invoice is not in a state for this. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload_too_large`: The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported_media_type`: The media type of the body is not accepted. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    /** @description Whole seconds. */
                    "Retry-After"?: number;
                    /** @description To the millisecond. */
                    "Retry-After-Ms"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error`: A fault of the service. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unavailable`: The service cannot answer now. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    undoImport: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example rcv_01k3w9v2x4m6n8p0q2r4s6t8v0 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It will be taken out. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "rcv_01k3w9v2x4m6n8p0q2r4s6t8v0",
                     *       "status": "received",
                     *       "environment": "live",
                     *       "source": "peppol",
                     *       "network_id": "6b1f9d11-7d0e-4c52-8a51-9c350f6c2b1f",
                     *       "participant": "0208:0884303369",
                     *       "profile": "BIS-3.0",
                     *       "checks": {
                     *         "schema": "pending",
                     *         "business_rules": "pending",
                     *         "authority_clearance": "pending"
                     *       },
                     *       "errors": [
                     *         {
                     *           "field": "/Invoice/cac:AccountingCustomerParty/cac:Party/cac:PartyTaxScheme[1]/cbc:CompanyID",
                     *           "rule": "BIS-3.0-BR-CO-09",
                     *           "message": "A VAT identifier begins with the code of the country that issued it (EL for Greece).",
                     *           "severity": "fatal",
                     *           "source": {
                     *             "connector": "cnx_01k3w9v2x4m6n8p0q2r4s6t8v0",
                     *             "origin": "2026-0002.csv",
                     *             "column": "buyer_vat",
                     *             "key": "2",
                     *             "value": "0884303369"
                     *           },
                     *           "explanation": {
                     *             "why": "The number stands without its country.",
                     *             "fix": "Write BE0884303369.",
                     *             "erp": "Correct the VAT number of the customer."
                     *           },
                     *           "translations": {
                     *             "ms": "Nombor VAT bermula dengan kod negaranya."
                     *           }
                     *         }
                     *       ],
                     *       "warnings": [],
                     *       "document_type": "invoice",
                     *       "supplier": {
                     *         "id": "usr_01k3w9v2x4m6n8p0q2r4s6t8v0",
                     *         "name": "Amal Haddad"
                     *       },
                     *       "number": "2026-0001",
                     *       "issue_date": "2026-02-27",
                     *       "currency": "EUR",
                     *       "gross": "1210.00",
                     *       "duplicate_of": "rcv_01k3w9v2x4m6n8p0q2r4s6t8v0",
                     *       "import_to": "cnx_01k3w9v2x4m6n8p0q2r4s6t8v0",
                     *       "import": {
                     *         "outcome": "waiting",
                     *         "action": "import",
                     *         "target": "einv_received",
                     *         "reason": "requested",
                     *         "at": "2026-03-02T08:15:30.000Z"
                     *       },
                     *       "response": {
                     *         "id": "usr_01k3w9v2x4m6n8p0q2r4s6t8v0",
                     *         "status": "received",
                     *         "state": "waiting",
                     *         "reason": "The order number is missing.",
                     *         "at": "2026-03-02T08:15:30.000Z"
                     *       },
                     *       "rejectable_until": "2026-03-02T08:15:30.000Z",
                     *       "cancelled_at": "2026-03-02T08:15:30.000Z",
                     *       "cancel_reason": "wrong buyer",
                     *       "received_at": "2026-03-02T08:15:30.000Z",
                     *       "updated_at": "2026-03-02T08:15:30.000Z",
                     *       "links": {
                     *         "self": "/v1/invoices/inv_01k3w9v2x4m6n8p0q2r4s6t8v0",
                     *         "document": "/v1/received/rcv_01k3w9v2x4m6n8p0q2r4s6t8v0/document"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ReceivedDocument"];
                };
            };
            /** @description `invalid_request`: A parameter is missing or wrong. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `missing_credentials`: No API key was sent.
             *     `invalid_credentials`: The API key is unknown.
             *     `revoked_credentials`: The API key was revoked.
             *     `wrong_environment`: The API key belongs to the other environment.
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `ip_not_allowed`: The key may not be used from here.
             *     `tenant_suspended`: The workspace is suspended.
             *     `not_permitted`: The key lacks the permission.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `not_found`: There is nothing at this path.
             *     `received_not_found`: No such received document.
             */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `state_conflict`: The invoice is not in a state for this. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    /** @description Whole seconds. */
                    "Retry-After"?: number;
                    /** @description To the millisecond. */
                    "Retry-After-Ms"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error`: A fault of the service. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unavailable`: The service cannot answer now. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    respondToSupplier: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example rcv_01k3w9v2x4m6n8p0q2r4s6t8v0 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "status": "rejected",
                 *       "reasons": [
                 *         {
                 *           "code": "PRI",
                 *           "text": "Twice the agreed price."
                 *         }
                 *       ],
                 *       "actions": [
                 *         {
                 *           "code": "CNF"
                 *         }
                 *       ],
                 *       "note": "Asked for by phone on 2 March."
                 *     }
                 */
                "application/json": components["schemas"]["RespondRequest"];
            };
        };
        responses: {
            /** @description It will be sent. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "rcv_01k3w9v2x4m6n8p0q2r4s6t8v0",
                     *       "status": "received",
                     *       "environment": "live",
                     *       "source": "peppol",
                     *       "network_id": "6b1f9d11-7d0e-4c52-8a51-9c350f6c2b1f",
                     *       "participant": "0208:0884303369",
                     *       "profile": "BIS-3.0",
                     *       "checks": {
                     *         "schema": "pending",
                     *         "business_rules": "pending",
                     *         "authority_clearance": "pending"
                     *       },
                     *       "errors": [
                     *         {
                     *           "field": "/Invoice/cac:AccountingCustomerParty/cac:Party/cac:PartyTaxScheme[1]/cbc:CompanyID",
                     *           "rule": "BIS-3.0-BR-CO-09",
                     *           "message": "A VAT identifier begins with the code of the country that issued it (EL for Greece).",
                     *           "severity": "fatal",
                     *           "source": {
                     *             "connector": "cnx_01k3w9v2x4m6n8p0q2r4s6t8v0",
                     *             "origin": "2026-0002.csv",
                     *             "column": "buyer_vat",
                     *             "key": "2",
                     *             "value": "0884303369"
                     *           },
                     *           "explanation": {
                     *             "why": "The number stands without its country.",
                     *             "fix": "Write BE0884303369.",
                     *             "erp": "Correct the VAT number of the customer."
                     *           },
                     *           "translations": {
                     *             "ms": "Nombor VAT bermula dengan kod negaranya."
                     *           }
                     *         }
                     *       ],
                     *       "warnings": [],
                     *       "document_type": "invoice",
                     *       "supplier": {
                     *         "id": "usr_01k3w9v2x4m6n8p0q2r4s6t8v0",
                     *         "name": "Amal Haddad"
                     *       },
                     *       "number": "2026-0001",
                     *       "issue_date": "2026-02-27",
                     *       "currency": "EUR",
                     *       "gross": "1210.00",
                     *       "duplicate_of": "rcv_01k3w9v2x4m6n8p0q2r4s6t8v0",
                     *       "import_to": "cnx_01k3w9v2x4m6n8p0q2r4s6t8v0",
                     *       "import": {
                     *         "outcome": "waiting",
                     *         "action": "import",
                     *         "target": "einv_received",
                     *         "reason": "requested",
                     *         "at": "2026-03-02T08:15:30.000Z"
                     *       },
                     *       "response": {
                     *         "id": "usr_01k3w9v2x4m6n8p0q2r4s6t8v0",
                     *         "status": "received",
                     *         "state": "waiting",
                     *         "reason": "The order number is missing.",
                     *         "at": "2026-03-02T08:15:30.000Z"
                     *       },
                     *       "rejectable_until": "2026-03-02T08:15:30.000Z",
                     *       "cancelled_at": "2026-03-02T08:15:30.000Z",
                     *       "cancel_reason": "wrong buyer",
                     *       "received_at": "2026-03-02T08:15:30.000Z",
                     *       "updated_at": "2026-03-02T08:15:30.000Z",
                     *       "links": {
                     *         "self": "/v1/invoices/inv_01k3w9v2x4m6n8p0q2r4s6t8v0",
                     *         "document": "/v1/received/rcv_01k3w9v2x4m6n8p0q2r4s6t8v0/document"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ReceivedDocument"];
                };
            };
            /**
             * @description `invalid_request`: A parameter is missing or wrong.
             *     `malformed_json`: The body is not JSON.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `missing_credentials`: No API key was sent.
             *     `invalid_credentials`: The API key is unknown.
             *     `revoked_credentials`: The API key was revoked.
             *     `wrong_environment`: The API key belongs to the other environment.
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `ip_not_allowed`: The key may not be used from here.
             *     `tenant_suspended`: The workspace is suspended.
             *     `not_permitted`: The key lacks the permission.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `not_found`: There is nothing at this path.
             *     `received_not_found`: No such received document.
             */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `state_conflict`: The invoice is not in a state for this. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload_too_large`: The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported_media_type`: The media type of the body is not accepted. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    /** @description Whole seconds. */
                    "Retry-After"?: number;
                    /** @description To the millisecond. */
                    "Retry-After-Ms"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error`: A fault of the service. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unavailable`: The service cannot answer now. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listSupplierResponses: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example rcv_01k3w9v2x4m6n8p0q2r4s6t8v0 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answers. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "results": [
                     *         {
                     *           "id": "usr_01k3w9v2x4m6n8p0q2r4s6t8v0",
                     *           "status": "received",
                     *           "reasons": [
                     *             {
                     *               "code": "492817",
                     *               "text": "Is my order ready?"
                     *             }
                     *           ],
                     *           "actions": [
                     *             {
                     *               "code": "492817",
                     *               "text": "Is my order ready?"
                     *             }
                     *           ],
                     *           "note": "Asked for by phone on 2 March.",
                     *           "state": "waiting",
                     *           "reason": "requested",
                     *           "by": "usr_01k3w9v2x4m6n8p0q2r4s6t8v0",
                     *           "at": "2026-03-02T08:15:30.000Z"
                     *         }
                     *       ],
                     *       "next": null,
                     *       "previous": null
                     *     }
                     */
                    "application/json": components["schemas"]["SupplierResponseList"];
                };
            };
            /** @description `invalid_request`: A parameter is missing or wrong. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `missing_credentials`: No API key was sent.
             *     `invalid_credentials`: The API key is unknown.
             *     `revoked_credentials`: The API key was revoked.
             *     `wrong_environment`: The API key belongs to the other environment.
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `ip_not_allowed`: The key may not be used from here.
             *     `tenant_suspended`: The workspace is suspended.
             *     `not_permitted`: The key lacks the permission.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `not_found`: There is nothing at this path.
             *     `received_not_found`: No such received document.
             */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    /** @description Whole seconds. */
                    "Retry-After"?: number;
                    /** @description To the millisecond. */
                    "Retry-After-Ms"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error`: A fault of the service. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unavailable`: The service cannot answer now. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listParticipants: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All of them. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "results": [
                     *         {
                     *           "id": "0208:0884303369",
                     *           "import_to": "cnx_01k3w9v2x4m6n8p0q2r4s6t8v0",
                     *           "status": "confirmed",
                     *           "created_at": "2026-03-02T08:15:30.000Z"
                     *         }
                     *       ],
                     *       "next": null,
                     *       "previous": null
                     *     }
                     */
                    "application/json": components["schemas"]["ParticipantList"];
                };
            };
            /** @description `invalid_request`: A parameter is missing or wrong. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `missing_credentials`: No API key was sent.
             *     `invalid_credentials`: The API key is unknown.
             *     `revoked_credentials`: The API key was revoked.
             *     `wrong_environment`: The API key belongs to the other environment.
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `ip_not_allowed`: The key may not be used from here.
             *     `tenant_suspended`: The workspace is suspended.
             *     `not_permitted`: The key lacks the permission.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    /** @description Whole seconds. */
                    "Retry-After"?: number;
                    /** @description To the millisecond. */
                    "Retry-After-Ms"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error`: A fault of the service. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unavailable`: The service cannot answer now. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    putParticipant: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example id */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "import_to": "cnx_01k3w9v2x4m6n8p0q2r4s6t8v0"
                 *     }
                 */
                "application/json": components["schemas"]["ParticipantRequest"];
            };
        };
        responses: {
            /** @description The address. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0208:0884303369",
                     *       "import_to": "cnx_01k3w9v2x4m6n8p0q2r4s6t8v0",
                     *       "status": "confirmed",
                     *       "created_at": "2026-03-02T08:15:30.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Participant"];
                };
            };
            /**
             * @description `invalid_request`: A parameter is missing or wrong.
             *     `malformed_json`: The body is not JSON.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `missing_credentials`: No API key was sent.
             *     `invalid_credentials`: The API key is unknown.
             *     `revoked_credentials`: The API key was revoked.
             *     `wrong_environment`: The API key belongs to the other environment.
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `ip_not_allowed`: The key may not be used from here.
             *     `tenant_suspended`: The workspace is suspended.
             *     `not_permitted`: The key lacks the permission.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `not_found`: There is nothing at this path.
             *     `connector_not_found`: No such connector.
             */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `participant_taken`: The participant is of another tenant.
             *     `state_conflict`: The invoice is not in a state for this.
             */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload_too_large`: The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported_media_type`: The media type of the body is not accepted. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    /** @description Whole seconds. */
                    "Retry-After"?: number;
                    /** @description To the millisecond. */
                    "Retry-After-Ms"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error`: A fault of the service. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unavailable`: The service cannot answer now. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    deleteParticipant: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example id */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It was removed. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `invalid_request`: A parameter is missing or wrong. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `missing_credentials`: No API key was sent.
             *     `invalid_credentials`: The API key is unknown.
             *     `revoked_credentials`: The API key was revoked.
             *     `wrong_environment`: The API key belongs to the other environment.
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `ip_not_allowed`: The key may not be used from here.
             *     `tenant_suspended`: The workspace is suspended.
             *     `not_permitted`: The key lacks the permission.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `not_found`: There is nothing at this path.
             *     `participant_not_found`: No such participant.
             */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    /** @description Whole seconds. */
                    "Retry-After"?: number;
                    /** @description To the millisecond. */
                    "Retry-After-Ms"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error`: A fault of the service. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unavailable`: The service cannot answer now. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    receiveNetworkDocument: {
        parameters: {
            query?: never;
            header?: {
                "X-Token"?: string;
            };
            path: {
                /** @example network */
                network: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is kept. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /**
             * @description `invalid_request`: A parameter is missing or wrong.
             *     `message_unreadable`: The message does not read.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `network_refused`: The message does not prove that the access point sent it. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `not_found`: There is nothing at this path.
             *     `network_not_found`: No such network.
             *     `participant_not_found`: No such participant.
             */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload_too_large`: The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error`: A fault of the service. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unavailable`: The service cannot answer now. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getCompany: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What holds in this environment. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "company": {
                     *         "legal_name": "Al Noor Trading LLC",
                     *         "country": "AE",
                     *         "trn": "100234567801003",
                     *         "tin": "C2584563222",
                     *         "sst": "W10-1808-32000005",
                     *         "vat": "BE0403019261",
                     *         "registration_id": "CN-1183764",
                     *         "registration_type": "TL",
                     *         "registration_authority": "Dubai Department of Economy and Tourism",
                     *         "address_line1": "Office 1204, Bay Square 7",
                     *         "address_line2": "Business Bay",
                     *         "city": "Dubai",
                     *         "subdivision": "DXB",
                     *         "post_code": "50088",
                     *         "contact_name": "Accounts receivable",
                     *         "phone": "+97142345678",
                     *         "email": "billing@alnoor.example",
                     *         "industry_code": "46510",
                     *         "industry_name": "Wholesale of computer hardware, software and peripherals",
                     *         "bank_account": "AE070331234567890123456",
                     *         "bank_account_name": "Al Noor Trading LLC",
                     *         "endpoint_scheme": "0235",
                     *         "endpoint_id": "1002345678",
                     *         "default_currency": "AED",
                     *         "default_unit": "H87",
                     *         "default_payment_means": "30",
                     *         "default_payment_terms": "30 days net"
                     *       },
                     *       "updated_at": "2026-03-02T08:15:30.000Z",
                     *       "lacking": [
                     *         {
                     *           "profile": "BIS-3.0",
                     *           "fields": [
                     *             "seller.endpoint"
                     *           ]
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["CompanyView"];
                };
            };
            /** @description `invalid_request`: A parameter is missing or wrong. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `missing_credentials`: No API key was sent.
             *     `invalid_credentials`: The API key is unknown.
             *     `revoked_credentials`: The API key was revoked.
             *     `wrong_environment`: The API key belongs to the other environment.
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `ip_not_allowed`: The key may not be used from here.
             *     `tenant_suspended`: The workspace is suspended.
             *     `not_permitted`: The key lacks the permission.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    /** @description Whole seconds. */
                    "Retry-After"?: number;
                    /** @description To the millisecond. */
                    "Retry-After-Ms"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error`: A fault of the service. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unavailable`: The service cannot answer now. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    putCompany: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "legal_name": "Al Noor Trading LLC",
                 *       "country": "AE",
                 *       "trn": "100234567801003",
                 *       "tin": "C2584563222",
                 *       "sst": "W10-1808-32000005",
                 *       "vat": "BE0403019261",
                 *       "registration_id": "CN-1183764",
                 *       "registration_type": "TL",
                 *       "registration_authority": "Dubai Department of Economy and Tourism",
                 *       "address_line1": "Office 1204, Bay Square 7",
                 *       "address_line2": "Business Bay",
                 *       "city": "Dubai",
                 *       "subdivision": "DXB",
                 *       "post_code": "50088",
                 *       "contact_name": "Accounts receivable",
                 *       "phone": "+97142345678",
                 *       "email": "billing@alnoor.example",
                 *       "industry_code": "46510",
                 *       "industry_name": "Wholesale of computer hardware, software and peripherals",
                 *       "bank_account": "AE070331234567890123456",
                 *       "bank_account_name": "Al Noor Trading LLC",
                 *       "endpoint_scheme": "0235",
                 *       "endpoint_id": "1002345678",
                 *       "default_currency": "AED",
                 *       "default_unit": "H87",
                 *       "default_payment_means": "30",
                 *       "default_payment_terms": "30 days net"
                 *     }
                 */
                "application/json": components["schemas"]["Company"];
            };
        };
        responses: {
            /** @description What holds now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "company": {
                     *         "legal_name": "Al Noor Trading LLC",
                     *         "country": "AE",
                     *         "trn": "100234567801003",
                     *         "tin": "C2584563222",
                     *         "sst": "W10-1808-32000005",
                     *         "vat": "BE0403019261",
                     *         "registration_id": "CN-1183764",
                     *         "registration_type": "TL",
                     *         "registration_authority": "Dubai Department of Economy and Tourism",
                     *         "address_line1": "Office 1204, Bay Square 7",
                     *         "address_line2": "Business Bay",
                     *         "city": "Dubai",
                     *         "subdivision": "DXB",
                     *         "post_code": "50088",
                     *         "contact_name": "Accounts receivable",
                     *         "phone": "+97142345678",
                     *         "email": "billing@alnoor.example",
                     *         "industry_code": "46510",
                     *         "industry_name": "Wholesale of computer hardware, software and peripherals",
                     *         "bank_account": "AE070331234567890123456",
                     *         "bank_account_name": "Al Noor Trading LLC",
                     *         "endpoint_scheme": "0235",
                     *         "endpoint_id": "1002345678",
                     *         "default_currency": "AED",
                     *         "default_unit": "H87",
                     *         "default_payment_means": "30",
                     *         "default_payment_terms": "30 days net"
                     *       },
                     *       "updated_at": "2026-03-02T08:15:30.000Z",
                     *       "lacking": [
                     *         {
                     *           "profile": "BIS-3.0",
                     *           "fields": [
                     *             "seller.endpoint"
                     *           ]
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["CompanyView"];
                };
            };
            /**
             * @description `invalid_request`: A parameter is missing or wrong.
             *     `malformed_json`: The body is not JSON.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `missing_credentials`: No API key was sent.
             *     `invalid_credentials`: The API key is unknown.
             *     `revoked_credentials`: The API key was revoked.
             *     `wrong_environment`: The API key belongs to the other environment.
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `ip_not_allowed`: The key may not be used from here.
             *     `tenant_suspended`: The workspace is suspended.
             *     `not_permitted`: The key lacks the permission.
             *     `proof_needed`: The person has to show again who they are.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload_too_large`: The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported_media_type`: The media type of the body is not accepted. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    /** @description Whole seconds. */
                    "Retry-After"?: number;
                    /** @description To the millisecond. */
                    "Retry-After-Ms"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error`: A fault of the service. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unavailable`: The service cannot answer now. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listCompanyQuestions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All of it. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "results": [
                     *         {
                     *           "name": "trn",
                     *           "label": "TRN",
                     *           "help": "Tax registration number of the UAE, from the VAT certificate.",
                     *           "example": "100234567801003",
                     *           "required": false
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["CompanyQuestions"];
                };
            };
            /** @description `invalid_request`: A parameter is missing or wrong. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `missing_credentials`: No API key was sent.
             *     `invalid_credentials`: The API key is unknown.
             *     `revoked_credentials`: The API key was revoked.
             *     `wrong_environment`: The API key belongs to the other environment.
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `ip_not_allowed`: The key may not be used from here.
             *     `tenant_suspended`: The workspace is suspended.
             *     `not_permitted`: The key lacks the permission.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    /** @description Whole seconds. */
                    "Retry-After"?: number;
                    /** @description To the millisecond. */
                    "Retry-After-Ms"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error`: A fault of the service. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unavailable`: The service cannot answer now. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getSignedCompany: {
        parameters: {
            query: {
                agent_id: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description For this environment. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "format": "drawbridge-company/1",
                     *       "agent_id": "agt_01k3w9v2x4m6n8p0q2r4s6t8v0",
                     *       "environment": "live",
                     *       "made_at": "2026-03-02T08:15:30.000Z",
                     *       "control_plane_key": "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
                     *       "company": "{\"legal_name\":\"Al Noor Trading LLC\",\"country\":\"AE\"}",
                     *       "signature": "Qm9vZ2llV29vZ2llQm9vZ2llV29vZ2llQm9vZ2llV29vZ2llQm9vZ2llV29vZ2llQm9vZ2llV29vZ2llQmFzZQ=="
                     *     }
                     */
                    "application/json": components["schemas"]["CompanyStatement"];
                };
            };
            /** @description `invalid_request`: A parameter is missing or wrong. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `missing_credentials`: No API key was sent.
             *     `invalid_credentials`: The API key is unknown.
             *     `revoked_credentials`: The API key was revoked.
             *     `wrong_environment`: The API key belongs to the other environment.
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `ip_not_allowed`: The key may not be used from here.
             *     `tenant_suspended`: The workspace is suspended.
             *     `not_permitted`: The key lacks the permission.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `agent_not_found`: No such agent. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `bundle_retired_key`: The key that the agent trusts was retired. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    /** @description Whole seconds. */
                    "Retry-After"?: number;
                    /** @description To the millisecond. */
                    "Retry-After-Ms"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error`: A fault of the service. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unavailable`: The service cannot answer now. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listConnectorKinds: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All kinds. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "results": [
                     *         {
                     *           "kind": "files",
                     *           "pattern": "file",
                     *           "title": "Folder of CSV, XLSX, JSON, XML or PDF files",
                     *           "settings": {
                     *             "type": "object",
                     *             "properties": {
                     *               "folder": {
                     *                 "type": "string",
                     *                 "title": "Folder",
                     *                 "description": "Folder that holds the documents, in a place that may be read",
                     *                 "examples": [
                     *                   "outbox"
                     *                 ]
                     *               }
                     *             },
                     *             "required": [
                     *               "folder"
                     *             ]
                     *           },
                     *           "layout": [
                     *             "kinds",
                     *             "delimiter",
                     *             "headerLine"
                     *           ]
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ConnectorKindList"];
                };
            };
            /** @description `invalid_request`: A parameter is missing or wrong. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `missing_credentials`: No API key was sent.
             *     `invalid_credentials`: The API key is unknown.
             *     `revoked_credentials`: The API key was revoked.
             *     `wrong_environment`: The API key belongs to the other environment.
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `ip_not_allowed`: The key may not be used from here.
             *     `tenant_suspended`: The workspace is suspended.
             *     `not_permitted`: The key lacks the permission.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    /** @description Whole seconds. */
                    "Retry-After"?: number;
                    /** @description To the millisecond. */
                    "Retry-After-Ms"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error`: A fault of the service. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unavailable`: The service cannot answer now. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listConnectors: {
        parameters: {
            query?: {
                /** @description The "next" or "previous" of another page of this list; none: the first page. */
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of connectors. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "results": [
                     *         {
                     *           "id": "cnx_01k3w9v2x4m6n8p0q2r4s6t8v0",
                     *           "pattern": "file",
                     *           "kind": "files",
                     *           "name": "Outbox",
                     *           "agent_id": "agt_01k3w9v2x4m6n8p0q2r4s6t8v0",
                     *           "default_profile": "PINT-AE",
                     *           "duplicates": "warn",
                     *           "submit_from": "2026-03-02",
                     *           "receives": {
                     *             "import_to": "cnx_01k3w9v2x4m6n8p0q2r4s6t8v0"
                     *           },
                     *           "submission": {
                     *             "posted": {
                     *               "column": "STATE",
                     *               "values": [
                     *                 "POSTED"
                     *               ]
                     *             },
                     *             "hold": "release"
                     *           },
                     *           "settings": {
                     *             "folder": "outbox"
                     *           },
                     *           "created_at": "2026-03-02T08:15:30.000Z",
                     *           "updated_at": "2026-03-02T08:15:30.000Z",
                     *           "next": [
                     *             {
                     *               "why": "The number stands without its country.",
                     *               "call": "POST /v1/connectors/cnx_01k3w9v2x4m6n8p0q2r4s6t8v0/test"
                     *             }
                     *           ]
                     *         }
                     *       ],
                     *       "next": "next",
                     *       "previous": "previous"
                     *     }
                     */
                    "application/json": components["schemas"]["ConnectorPage"];
                };
            };
            /** @description `invalid_request`: A parameter is missing or wrong. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `missing_credentials`: No API key was sent.
             *     `invalid_credentials`: The API key is unknown.
             *     `revoked_credentials`: The API key was revoked.
             *     `wrong_environment`: The API key belongs to the other environment.
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `ip_not_allowed`: The key may not be used from here.
             *     `tenant_suspended`: The workspace is suspended.
             *     `not_permitted`: The key lacks the permission.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    /** @description Whole seconds. */
                    "Retry-After"?: number;
                    /** @description To the millisecond. */
                    "Retry-After-Ms"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error`: A fault of the service. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unavailable`: The service cannot answer now. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    createConnector: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeat with the same key and body makes nothing new and answers the same. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "pattern": "file",
                 *       "kind": "files",
                 *       "name": "Outbox",
                 *       "default_profile": "BIS-3.0",
                 *       "settings": {
                 *         "folder": "outbox"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["ConnectorRequest"];
            };
        };
        responses: {
            /** @description The connector, and what to do next. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "cnx_01k3w9v2x4m6n8p0q2r4s6t8v0",
                     *       "pattern": "file",
                     *       "kind": "files",
                     *       "name": "Outbox",
                     *       "agent_id": "agt_01k3w9v2x4m6n8p0q2r4s6t8v0",
                     *       "default_profile": "PINT-AE",
                     *       "duplicates": "warn",
                     *       "submit_from": "2026-03-02",
                     *       "receives": {
                     *         "import_to": "cnx_01k3w9v2x4m6n8p0q2r4s6t8v0"
                     *       },
                     *       "submission": {
                     *         "posted": {
                     *           "column": "STATE",
                     *           "values": [
                     *             "POSTED"
                     *           ]
                     *         },
                     *         "hold": "release"
                     *       },
                     *       "settings": {
                     *         "folder": "outbox"
                     *       },
                     *       "created_at": "2026-03-02T08:15:30.000Z",
                     *       "updated_at": "2026-03-02T08:15:30.000Z",
                     *       "next": [
                     *         {
                     *           "why": "The number stands without its country.",
                     *           "call": "POST /v1/connectors/cnx_01k3w9v2x4m6n8p0q2r4s6t8v0/test"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Connector"];
                };
            };
            /**
             * @description `invalid_request`: A parameter is missing or wrong.
             *     `malformed_json`: The body is not JSON.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `missing_credentials`: No API key was sent.
             *     `invalid_credentials`: The API key is unknown.
             *     `revoked_credentials`: The API key was revoked.
             *     `wrong_environment`: The API key belongs to the other environment.
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `ip_not_allowed`: The key may not be used from here.
             *     `tenant_suspended`: The workspace is suspended.
             *     `not_permitted`: The key lacks the permission.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `agent_not_found`: No such agent. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `idempotency_payload_mismatch`: The Idempotency-Key was used with another payload. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload_too_large`: The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported_media_type`: The media type of the body is not accepted. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    /** @description Whole seconds. */
                    "Retry-After"?: number;
                    /** @description To the millisecond. */
                    "Retry-After-Ms"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error`: A fault of the service. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unavailable`: The service cannot answer now. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getConnector: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Identifier of a connector.
                 * @example usr_01k3w9v2x4m6n8p0q2r4s6t8v0
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The connector. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "cnx_01k3w9v2x4m6n8p0q2r4s6t8v0",
                     *       "pattern": "file",
                     *       "kind": "files",
                     *       "name": "Outbox",
                     *       "agent_id": "agt_01k3w9v2x4m6n8p0q2r4s6t8v0",
                     *       "default_profile": "PINT-AE",
                     *       "duplicates": "warn",
                     *       "submit_from": "2026-03-02",
                     *       "receives": {
                     *         "import_to": "cnx_01k3w9v2x4m6n8p0q2r4s6t8v0"
                     *       },
                     *       "submission": {
                     *         "posted": {
                     *           "column": "STATE",
                     *           "values": [
                     *             "POSTED"
                     *           ]
                     *         },
                     *         "hold": "release"
                     *       },
                     *       "settings": {
                     *         "folder": "outbox"
                     *       },
                     *       "created_at": "2026-03-02T08:15:30.000Z",
                     *       "updated_at": "2026-03-02T08:15:30.000Z",
                     *       "next": [
                     *         {
                     *           "why": "The number stands without its country.",
                     *           "call": "POST /v1/connectors/cnx_01k3w9v2x4m6n8p0q2r4s6t8v0/test"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Connector"];
                };
            };
            /** @description `invalid_request`: A parameter is missing or wrong. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `missing_credentials`: No API key was sent.
             *     `invalid_credentials`: The API key is unknown.
             *     `revoked_credentials`: The API key was revoked.
             *     `wrong_environment`: The API key belongs to the other environment.
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `ip_not_allowed`: The key may not be used from here.
             *     `tenant_suspended`: The workspace is suspended.
             *     `not_permitted`: The key lacks the permission.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `not_found`: There is nothing at this path.
             *     `connector_not_found`: No such connector.
             */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    /** @description Whole seconds. */
                    "Retry-After"?: number;
                    /** @description To the millisecond. */
                    "Retry-After-Ms"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error`: A fault of the service. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unavailable`: The service cannot answer now. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    deleteConnector: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Identifier of a connector.
                 * @example usr_01k3w9v2x4m6n8p0q2r4s6t8v0
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It was removed. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `invalid_request`: A parameter is missing or wrong. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `missing_credentials`: No API key was sent.
             *     `invalid_credentials`: The API key is unknown.
             *     `revoked_credentials`: The API key was revoked.
             *     `wrong_environment`: The API key belongs to the other environment.
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `ip_not_allowed`: The key may not be used from here.
             *     `tenant_suspended`: The workspace is suspended.
             *     `not_permitted`: The key lacks the permission.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `not_found`: There is nothing at this path.
             *     `connector_not_found`: No such connector.
             */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    /** @description Whole seconds. */
                    "Retry-After"?: number;
                    /** @description To the millisecond. */
                    "Retry-After-Ms"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error`: A fault of the service. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unavailable`: The service cannot answer now. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    updateConnector: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Identifier of a connector.
                 * @example usr_01k3w9v2x4m6n8p0q2r4s6t8v0
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Outbox",
                 *       "default_profile": "BIS-3.0",
                 *       "duplicates": "reject",
                 *       "submission": {
                 *         "posted": {
                 *           "column": "STATE",
                 *           "values": [
                 *             "POSTED"
                 *           ]
                 *         },
                 *         "hold": "release"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["ConnectorPatch"];
            };
        };
        responses: {
            /** @description The connector as it is now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "cnx_01k3w9v2x4m6n8p0q2r4s6t8v0",
                     *       "pattern": "file",
                     *       "kind": "files",
                     *       "name": "Outbox",
                     *       "agent_id": "agt_01k3w9v2x4m6n8p0q2r4s6t8v0",
                     *       "default_profile": "PINT-AE",
                     *       "duplicates": "warn",
                     *       "submit_from": "2026-03-02",
                     *       "receives": {
                     *         "import_to": "cnx_01k3w9v2x4m6n8p0q2r4s6t8v0"
                     *       },
                     *       "submission": {
                     *         "posted": {
                     *           "column": "STATE",
                     *           "values": [
                     *             "POSTED"
                     *           ]
                     *         },
                     *         "hold": "release"
                     *       },
                     *       "settings": {
                     *         "folder": "outbox"
                     *       },
                     *       "created_at": "2026-03-02T08:15:30.000Z",
                     *       "updated_at": "2026-03-02T08:15:30.000Z",
                     *       "next": [
                     *         {
                     *           "why": "The number stands without its country.",
                     *           "call": "POST /v1/connectors/cnx_01k3w9v2x4m6n8p0q2r4s6t8v0/test"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Connector"];
                };
            };
            /**
             * @description `invalid_request`: A parameter is missing or wrong.
             *     `malformed_json`: The body is not JSON.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `missing_credentials`: No API key was sent.
             *     `invalid_credentials`: The API key is unknown.
             *     `revoked_credentials`: The API key was revoked.
             *     `wrong_environment`: The API key belongs to the other environment.
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `ip_not_allowed`: The key may not be used from here.
             *     `tenant_suspended`: The workspace is suspended.
             *     `not_permitted`: The key lacks the permission.
             *     `person_required`: Only a person who has signed in may do this.
             *     `proof_needed`: The person has to show again who they are.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `not_found`: There is nothing at this path.
             *     `connector_not_found`: No such connector.
             *     `agent_not_found`: No such agent.
             */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `second_person_needed`: Another person must approve the mapping. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload_too_large`: The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported_media_type`: The media type of the body is not accepted. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    /** @description Whole seconds. */
                    "Retry-After"?: number;
                    /** @description To the millisecond. */
                    "Retry-After-Ms"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error`: A fault of the service. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unavailable`: The service cannot answer now. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    testConnector: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Identifier of a connector.
                 * @example usr_01k3w9v2x4m6n8p0q2r4s6t8v0
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer of the source. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "ok": false,
                     *       "detail": "It answers.",
                     *       "sample_refs": [
                     *         "2026-0001.csv",
                     *         "2026-0002.csv"
                     *       ],
                     *       "write_back": "The folder status-sandbox can be written to.",
                     *       "code": "492817"
                     *     }
                     */
                    "application/json": components["schemas"]["ConnectorTest"];
                };
            };
            /** @description `invalid_request`: A parameter is missing or wrong. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `missing_credentials`: No API key was sent.
             *     `invalid_credentials`: The API key is unknown.
             *     `revoked_credentials`: The API key was revoked.
             *     `wrong_environment`: The API key belongs to the other environment.
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `ip_not_allowed`: The key may not be used from here.
             *     `tenant_suspended`: The workspace is suspended.
             *     `not_permitted`: The key lacks the permission.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `not_found`: There is nothing at this path.
             *     `connector_not_found`: No such connector.
             */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    /** @description Whole seconds. */
                    "Retry-After"?: number;
                    /** @description To the millisecond. */
                    "Retry-After-Ms"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error`: A fault of the service. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unavailable`: The service cannot answer now. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getApprovalPolicy: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What holds now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "mappings": "one",
                     *       "live_submission": "one"
                     *     }
                     */
                    "application/json": components["schemas"]["ApprovalPolicy"];
                };
            };
            /** @description `invalid_request`: A parameter is missing or wrong. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `missing_credentials`: No API key was sent.
             *     `invalid_credentials`: The API key is unknown.
             *     `revoked_credentials`: The API key was revoked.
             *     `wrong_environment`: The API key belongs to the other environment.
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `ip_not_allowed`: The key may not be used from here.
             *     `tenant_suspended`: The workspace is suspended.
             *     `not_permitted`: The key lacks the permission.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    /** @description Whole seconds. */
                    "Retry-After"?: number;
                    /** @description To the millisecond. */
                    "Retry-After-Ms"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error`: A fault of the service. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unavailable`: The service cannot answer now. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    putApprovalPolicy: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "mappings": "one",
                 *       "live_submission": "one"
                 *     }
                 */
                "application/json": components["schemas"]["ApprovalPolicy"];
            };
        };
        responses: {
            /** @description What holds now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "mappings": "one",
                     *       "live_submission": "one"
                     *     }
                     */
                    "application/json": components["schemas"]["ApprovalPolicy"];
                };
            };
            /**
             * @description `invalid_request`: A parameter is missing or wrong.
             *     `malformed_json`: The body is not JSON.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `missing_credentials`: No API key was sent.
             *     `invalid_credentials`: The API key is unknown.
             *     `revoked_credentials`: The API key was revoked.
             *     `wrong_environment`: The API key belongs to the other environment.
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `ip_not_allowed`: The key may not be used from here.
             *     `tenant_suspended`: The workspace is suspended.
             *     `not_permitted`: The key lacks the permission.
             *     `proof_needed`: The person has to show again who they are.
             *     `person_required`: Only a person who has signed in may do this.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload_too_large`: The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported_media_type`: The media type of the body is not accepted. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    /** @description Whole seconds. */
                    "Retry-After"?: number;
                    /** @description To the millisecond. */
                    "Retry-After-Ms"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error`: A fault of the service. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unavailable`: The service cannot answer now. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listWaitingApprovals: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What waits. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "results": [
                     *         {
                     *           "kind": "mapping",
                     *           "connector_id": "cnx_01k3w9v2x4m6n8p0q2r4s6t8v0",
                     *           "connector_name": "Outbox",
                     *           "profile": "BIS-3.0",
                     *           "fields": 1,
                     *           "documents_waiting": 0,
                     *           "submit_from": "2026-03-02",
                     *           "put_forward_by": [
                     *             {
                     *               "id": "usr_01k3w9v2x4m6n8p0q2r4s6t8v0",
                     *               "name": "Amal Haddad"
                     *             }
                     *           ],
                     *           "is_yours": false,
                     *           "since": "2026-03-02T08:00:00.000Z"
                     *         }
                     *       ],
                     *       "next": null,
                     *       "previous": null
                     *     }
                     */
                    "application/json": components["schemas"]["WaitingApprovalList"];
                };
            };
            /** @description `invalid_request`: A parameter is missing or wrong. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `missing_credentials`: No API key was sent.
             *     `invalid_credentials`: The API key is unknown.
             *     `revoked_credentials`: The API key was revoked.
             *     `wrong_environment`: The API key belongs to the other environment.
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `ip_not_allowed`: The key may not be used from here.
             *     `tenant_suspended`: The workspace is suspended.
             *     `not_permitted`: The key lacks the permission.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    /** @description Whole seconds. */
                    "Retry-After"?: number;
                    /** @description To the millisecond. */
                    "Retry-After-Ms"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error`: A fault of the service. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unavailable`: The service cannot answer now. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    discoverConnector: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Identifier of a connector.
                 * @example usr_01k3w9v2x4m6n8p0q2r4s6t8v0
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /** @example {} */
                "application/json": components["schemas"]["DiscoveryRequest"];
            };
        };
        responses: {
            /** @description What was found. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "connector_id": "cnx_01k3w9v2x4m6n8p0q2r4s6t8v0",
                     *       "source": "PostgreSQL at db:5432/erp",
                     *       "product": "PostgreSQL 17.2",
                     *       "tables": [
                     *         {
                     *           "name": "invoice",
                     *           "rows": 18204,
                     *           "columns": 14,
                     *           "key": [
                     *             "id"
                     *           ],
                     *           "dates": [
                     *             {
                     *               "column": "invoice_date",
                     *               "latest": "2026-03-02"
                     *             }
                     *           ]
                     *         }
                     *       ],
                     *       "layouts": [
                     *         {
                     *           "title": "Invoices in \"invoice\"",
                     *           "documents": "invoices",
                     *           "layout": {
                     *             "sections": {
                     *               "header": {
                     *                 "table": "invoice",
                     *                 "key": "id",
                     *                 "match": "invoice_number"
                     *               },
                     *               "lines": {
                     *                 "table": "invoice_line",
                     *                 "key": "id",
                     *                 "match": "invoice_id",
                     *                 "matchFrom": "id"
                     *               }
                     *             }
                     *           },
                     *           "reasons": {
                     *             "header": "\"invoice\" has a date, a customer and a number, and \"invoice_line\" its lines."
                     *           },
                     *           "confidence": 0.93,
                     *           "notes": []
                     *         }
                     *       ],
                     *       "alternatives": [
                     *         "sales_order"
                     *       ],
                     *       "credit_notes": {
                     *         "kind": "negative",
                     *         "column": "total"
                     *       },
                     *       "company": [
                     *         {
                     *           "field": "legal_name",
                     *           "value": "Brouwerij De Molen NV",
                     *           "from": "company.name"
                     *         },
                     *         {
                     *           "field": "vat",
                     *           "value": "BE0403019261",
                     *           "from": "company.vat_number"
                     *         }
                     *       ],
                     *       "documents": [
                     *         {
                     *           "ref": "2026-0004",
                     *           "number": "2026-0004",
                     *           "date": "2026-03-02",
                     *           "customer": "Horeca Groothandel Noord NV",
                     *           "currency": "EUR",
                     *           "total": "121.00",
                     *           "lines": [
                     *             {
                     *               "name": "Tripel, crate of 24",
                     *               "quantity": "4",
                     *               "price": "25.00",
                     *               "net": "100.00"
                     *             }
                     *           ],
                     *           "line_count": 1,
                     *           "sections": {
                     *             "header": [
                     *               {
                     *                 "origin": "invoice",
                     *                 "key": "18204",
                     *                 "values": {
                     *                   "id": "18204",
                     *                   "total": "121.00"
                     *                 }
                     *               }
                     *             ]
                     *           }
                     *         }
                     *       ],
                     *       "notes": [],
                     *       "next": [
                     *         {
                     *           "why": "Accept a layout.",
                     *           "call": "PATCH /v1/connectors/cnx_01k3w9v2x4m6n8p0q2r4s6t8v0"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Discovery"];
                };
            };
            /**
             * @description `invalid_request`: A parameter is missing or wrong.
             *     `malformed_json`: The body is not JSON.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `missing_credentials`: No API key was sent.
             *     `invalid_credentials`: The API key is unknown.
             *     `revoked_credentials`: The API key was revoked.
             *     `wrong_environment`: The API key belongs to the other environment.
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `ip_not_allowed`: The key may not be used from here.
             *     `tenant_suspended`: The workspace is suspended.
             *     `not_permitted`: The key lacks the permission.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `not_found`: There is nothing at this path.
             *     `connector_not_found`: No such connector.
             */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `discovery_under_way`: A discovery of the tenant is under way.
             *     `discovery_unsupported`: The source has nothing to look through.
             */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload_too_large`: The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported_media_type`: The media type of the body is not accepted. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `source_not_allowed`: The settings name a source that is not read from here. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    /** @description Whole seconds. */
                    "Retry-After"?: number;
                    /** @description To the millisecond. */
                    "Retry-After-Ms"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error`: A fault of the service. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `unavailable`: The service cannot answer now.
             *     `source_unreachable`: The source did not answer.
             */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getMapping: {
        parameters: {
            query?: {
                /** @description Default: the profile of the connector. */
                profile?: components["schemas"]["ProfileId"];
            };
            header?: never;
            path: {
                /**
                 * @description Identifier of a connector.
                 * @example usr_01k3w9v2x4m6n8p0q2r4s6t8v0
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The mapping, or a proposal. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "connector_id": "cnx_01k3w9v2x4m6n8p0q2r4s6t8v0",
                     *       "profile": "BIS-3.0",
                     *       "version": 1,
                     *       "status": "empty",
                     *       "fields": [
                     *         {
                     *           "target": "einv_received",
                     *           "status": "proposed"
                     *         }
                     *       ],
                     *       "changes": [
                     *         {
                     *           "target": "einv_received"
                     *         }
                     *       ],
                     *       "coverage": {
                     *         "documents": 1,
                     *         "counts": {
                     *           "mapped": 1,
                     *           "proposed": 1,
                     *           "filled": 1,
                     *           "missing": 1,
                     *           "conditional": 1,
                     *           "optional": 1
                     *         },
                     *         "missing": [
                     *           "buyer.vat"
                     *         ],
                     *         "fields": [
                     *           {
                     *             "path": "buyer.vat",
                     *             "term": "BT-48",
                     *             "name": "Amal Haddad",
                     *             "help": "The VAT number of the buyer.",
                     *             "required": "always",
                     *             "state": "mapped"
                     *           }
                     *         ]
                     *       },
                     *       "value_maps": [
                     *         {
                     *           "target": "einv_received",
                     *           "section": "header",
                     *           "column": "buyer_vat",
                     *           "list": "countries",
                     *           "values": 1,
                     *           "recognised": 1,
                     *           "unrecognised": [
                     *             "Utopia"
                     *           ]
                     *         }
                     *       ],
                     *       "columns": [
                     *         {
                     *           "section": "header",
                     *           "origin": "2026-0002.csv",
                     *           "column": "buyer_vat",
                     *           "type": "text",
                     *           "samples": [
                     *             "0884303369"
                     *           ]
                     *         }
                     *       ],
                     *       "problems": [
                     *         "The column \"buyer_vat\" is empty in 3 of 50 documents."
                     *       ],
                     *       "documents_waiting": 0,
                     *       "next": [
                     *         {
                     *           "why": "The number stands without its country.",
                     *           "call": "POST /v1/connectors/cnx_01k3w9v2x4m6n8p0q2r4s6t8v0/test"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Mapping"];
                };
            };
            /**
             * @description `invalid_request`: A parameter is missing or wrong.
             *     `profile_required`: No profile was given.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `missing_credentials`: No API key was sent.
             *     `invalid_credentials`: The API key is unknown.
             *     `revoked_credentials`: The API key was revoked.
             *     `wrong_environment`: The API key belongs to the other environment.
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `ip_not_allowed`: The key may not be used from here.
             *     `tenant_suspended`: The workspace is suspended.
             *     `not_permitted`: The key lacks the permission.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `not_found`: There is nothing at this path.
             *     `connector_not_found`: No such connector.
             */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `source_not_allowed`: The settings name a source that is not read from here. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    /** @description Whole seconds. */
                    "Retry-After"?: number;
                    /** @description To the millisecond. */
                    "Retry-After-Ms"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error`: A fault of the service. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `unavailable`: The service cannot answer now.
             *     `source_unreachable`: The source did not answer.
             */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    replaceMapping: {
        parameters: {
            query?: {
                /** @description Default: the profile of the connector. */
                profile?: components["schemas"]["ProfileId"];
            };
            header?: never;
            path: {
                /**
                 * @description Identifier of a connector.
                 * @example usr_01k3w9v2x4m6n8p0q2r4s6t8v0
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "version": 0,
                 *       "mapping": {
                 *         "profile": "BIS-3.0",
                 *         "fields": [
                 *           {
                 *             "target": "number",
                 *             "from": {
                 *               "section": "header",
                 *               "column": "invoice_number"
                 *             },
                 *             "status": "approved",
                 *             "transforms": [
                 *               {
                 *                 "kind": "trim"
                 *               }
                 *             ]
                 *           }
                 *         ]
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["MappingRequest"];
            };
        };
        responses: {
            /** @description The mapping as it is now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "connector_id": "cnx_01k3w9v2x4m6n8p0q2r4s6t8v0",
                     *       "profile": "BIS-3.0",
                     *       "version": 1,
                     *       "status": "empty",
                     *       "fields": [
                     *         {
                     *           "target": "einv_received",
                     *           "status": "proposed"
                     *         }
                     *       ],
                     *       "changes": [
                     *         {
                     *           "target": "einv_received"
                     *         }
                     *       ],
                     *       "coverage": {
                     *         "documents": 1,
                     *         "counts": {
                     *           "mapped": 1,
                     *           "proposed": 1,
                     *           "filled": 1,
                     *           "missing": 1,
                     *           "conditional": 1,
                     *           "optional": 1
                     *         },
                     *         "missing": [
                     *           "buyer.vat"
                     *         ],
                     *         "fields": [
                     *           {
                     *             "path": "buyer.vat",
                     *             "term": "BT-48",
                     *             "name": "Amal Haddad",
                     *             "help": "The VAT number of the buyer.",
                     *             "required": "always",
                     *             "state": "mapped"
                     *           }
                     *         ]
                     *       },
                     *       "value_maps": [
                     *         {
                     *           "target": "einv_received",
                     *           "section": "header",
                     *           "column": "buyer_vat",
                     *           "list": "countries",
                     *           "values": 1,
                     *           "recognised": 1,
                     *           "unrecognised": [
                     *             "Utopia"
                     *           ]
                     *         }
                     *       ],
                     *       "columns": [
                     *         {
                     *           "section": "header",
                     *           "origin": "2026-0002.csv",
                     *           "column": "buyer_vat",
                     *           "type": "text",
                     *           "samples": [
                     *             "0884303369"
                     *           ]
                     *         }
                     *       ],
                     *       "problems": [
                     *         "The column \"buyer_vat\" is empty in 3 of 50 documents."
                     *       ],
                     *       "documents_waiting": 0,
                     *       "next": [
                     *         {
                     *           "why": "The number stands without its country.",
                     *           "call": "POST /v1/connectors/cnx_01k3w9v2x4m6n8p0q2r4s6t8v0/test"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Mapping"];
                };
            };
            /**
             * @description `invalid_request`: A parameter is missing or wrong.
             *     `malformed_json`: The body is not JSON.
             *     `profile_required`: No profile was given.
             *     `mapping_invalid`: The mapping cannot be used.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `missing_credentials`: No API key was sent.
             *     `invalid_credentials`: The API key is unknown.
             *     `revoked_credentials`: The API key was revoked.
             *     `wrong_environment`: The API key belongs to the other environment.
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `ip_not_allowed`: The key may not be used from here.
             *     `tenant_suspended`: The workspace is suspended.
             *     `not_permitted`: The key lacks the permission.
             *     `person_required`: Only a person who has signed in may do this.
             *     `proof_needed`: The person has to show again who they are.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `not_found`: There is nothing at this path.
             *     `connector_not_found`: No such connector.
             */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `mapping_changed`: The mapping was changed meanwhile.
             *     `objections_open`: The preview of the mapping objects.
             *     `second_person_needed`: Another person must approve the mapping.
             */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload_too_large`: The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported_media_type`: The media type of the body is not accepted. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `source_not_allowed`: The settings name a source that is not read from here. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    /** @description Whole seconds. */
                    "Retry-After"?: number;
                    /** @description To the millisecond. */
                    "Retry-After-Ms"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error`: A fault of the service. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `unavailable`: The service cannot answer now.
             *     `source_unreachable`: The source did not answer.
             */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    approveMapping: {
        parameters: {
            query?: {
                /** @description Default: the profile of the connector. */
                profile?: components["schemas"]["ProfileId"];
            };
            header?: never;
            path: {
                /**
                 * @description Identifier of a connector.
                 * @example usr_01k3w9v2x4m6n8p0q2r4s6t8v0
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "min_confidence": 0.8,
                 *       "accepted_objections": [
                 *         {
                 *           "id": "obj_6b86b273ff34fce19d6b",
                 *           "reason": "The ERP rounds each line; agreed with the accountant."
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["MappingApproval"];
            };
        };
        responses: {
            /** @description The mapping as it is now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "connector_id": "cnx_01k3w9v2x4m6n8p0q2r4s6t8v0",
                     *       "profile": "BIS-3.0",
                     *       "version": 1,
                     *       "status": "empty",
                     *       "fields": [
                     *         {
                     *           "target": "einv_received",
                     *           "status": "proposed"
                     *         }
                     *       ],
                     *       "changes": [
                     *         {
                     *           "target": "einv_received"
                     *         }
                     *       ],
                     *       "coverage": {
                     *         "documents": 1,
                     *         "counts": {
                     *           "mapped": 1,
                     *           "proposed": 1,
                     *           "filled": 1,
                     *           "missing": 1,
                     *           "conditional": 1,
                     *           "optional": 1
                     *         },
                     *         "missing": [
                     *           "buyer.vat"
                     *         ],
                     *         "fields": [
                     *           {
                     *             "path": "buyer.vat",
                     *             "term": "BT-48",
                     *             "name": "Amal Haddad",
                     *             "help": "The VAT number of the buyer.",
                     *             "required": "always",
                     *             "state": "mapped"
                     *           }
                     *         ]
                     *       },
                     *       "value_maps": [
                     *         {
                     *           "target": "einv_received",
                     *           "section": "header",
                     *           "column": "buyer_vat",
                     *           "list": "countries",
                     *           "values": 1,
                     *           "recognised": 1,
                     *           "unrecognised": [
                     *             "Utopia"
                     *           ]
                     *         }
                     *       ],
                     *       "columns": [
                     *         {
                     *           "section": "header",
                     *           "origin": "2026-0002.csv",
                     *           "column": "buyer_vat",
                     *           "type": "text",
                     *           "samples": [
                     *             "0884303369"
                     *           ]
                     *         }
                     *       ],
                     *       "problems": [
                     *         "The column \"buyer_vat\" is empty in 3 of 50 documents."
                     *       ],
                     *       "documents_waiting": 0,
                     *       "next": [
                     *         {
                     *           "why": "The number stands without its country.",
                     *           "call": "POST /v1/connectors/cnx_01k3w9v2x4m6n8p0q2r4s6t8v0/test"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Mapping"];
                };
            };
            /**
             * @description `invalid_request`: A parameter is missing or wrong.
             *     `malformed_json`: The body is not JSON.
             *     `profile_required`: No profile was given.
             *     `mapping_invalid`: The mapping cannot be used.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `missing_credentials`: No API key was sent.
             *     `invalid_credentials`: The API key is unknown.
             *     `revoked_credentials`: The API key was revoked.
             *     `wrong_environment`: The API key belongs to the other environment.
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `ip_not_allowed`: The key may not be used from here.
             *     `tenant_suspended`: The workspace is suspended.
             *     `not_permitted`: The key lacks the permission.
             *     `proof_needed`: The person has to show again who they are.
             *     `person_required`: Only a person who has signed in may do this.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `not_found`: There is nothing at this path.
             *     `connector_not_found`: No such connector.
             */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `mapping_changed`: The mapping was changed meanwhile.
             *     `objections_open`: The preview of the mapping objects.
             *     `second_person_needed`: Another person must approve the mapping.
             */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload_too_large`: The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported_media_type`: The media type of the body is not accepted. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `source_not_allowed`: The settings name a source that is not read from here. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    /** @description Whole seconds. */
                    "Retry-After"?: number;
                    /** @description To the millisecond. */
                    "Retry-After-Ms"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error`: A fault of the service. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `unavailable`: The service cannot answer now.
             *     `source_unreachable`: The source did not answer.
             */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    previewMapping: {
        parameters: {
            query?: {
                /** @description Default: the profile of the connector. */
                profile?: components["schemas"]["ProfileId"];
            };
            header?: never;
            path: {
                /**
                 * @description Identifier of a connector.
                 * @example usr_01k3w9v2x4m6n8p0q2r4s6t8v0
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "documents": 50
                 *     }
                 */
                "application/json": components["schemas"]["MappingPreviewRequest"];
            };
        };
        responses: {
            /** @description What they would come to. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "connector_id": "cnx_01k3w9v2x4m6n8p0q2r4s6t8v0",
                     *       "profile": "BIS-3.0",
                     *       "documents": {
                     *         "read": 50,
                     *         "passed": 48,
                     *         "refused": 2
                     *       },
                     *       "refusals": [
                     *         {
                     *           "rule": "BIS-3.0-BR-CO-09",
                     *           "field": "/Invoice/cac:AccountingCustomerParty/cac:Party/cac:PartyTaxScheme[1]/cbc:CompanyID",
                     *           "message": "A VAT identifier begins with the code of the country that issued it (EL for Greece).",
                     *           "documents": 2,
                     *           "example": {
                     *             "source_ref": "2026-0002.csv",
                     *             "source": {
                     *               "connector": "cnx_01k3w9v2x4m6n8p0q2r4s6t8v0",
                     *               "origin": "2026-0002.csv",
                     *               "column": "buyer_vat",
                     *               "key": "2",
                     *               "value": "0884303369"
                     *             }
                     *           }
                     *         }
                     *       ],
                     *       "totals": [
                     *         {
                     *           "total": "tax",
                     *           "origin": "2026-0004.csv",
                     *           "column": "vat_total",
                     *           "compared": 50,
                     *           "equal": 49,
                     *           "differences": [
                     *             {
                     *               "source_ref": "2026-0004.csv",
                     *               "ours": "21",
                     *               "erp": "21.01",
                     *               "currency": "EUR"
                     *             }
                     *           ]
                     *         }
                     *       ],
                     *       "objections": [
                     *         {
                     *           "id": "obj_6b86b273ff34fce19d6b",
                     *           "kind": "tax_differs",
                     *           "words": "The tax is not the ERP's own in 1 of 50 documents: 21 EUR here, and 21.01 in 2026-0004.csv.vat_total.",
                     *           "documents": 1,
                     *           "example": {
                     *             "source_ref": "2026-0004.csv"
                     *           },
                     *           "accepted": false
                     *         },
                     *         {
                     *           "id": "obj_4e07408562bedb8b60ce",
                     *           "kind": "refused",
                     *           "words": "2 of 50 documents would be refused by BIS-3.0-BR-CO-09: A VAT identifier begins with the code of the country that issued it (EL for Greece).",
                     *           "documents": 2,
                     *           "example": {
                     *             "source_ref": "2026-0002.csv",
                     *             "source": {
                     *               "connector": "cnx_01k3w9v2x4m6n8p0q2r4s6t8v0",
                     *               "origin": "2026-0002.csv",
                     *               "column": "buyer_vat",
                     *               "key": "2",
                     *               "value": "0884303369"
                     *             }
                     *           },
                     *           "accepted": false
                     *         }
                     *       ],
                     *       "next": [
                     *         {
                     *           "why": "Objections are open: correct the mapping, or the documents in the ERP, and preview again.",
                     *           "call": "PUT /v1/connectors/cnx_01k3w9v2x4m6n8p0q2r4s6t8v0/mapping?profile=BIS-3.0"
                     *         },
                     *         {
                     *           "why": "Or accept them in the approval, each with a reason.",
                     *           "call": "POST /v1/connectors/cnx_01k3w9v2x4m6n8p0q2r4s6t8v0/mapping/approve?profile=BIS-3.0"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["MappingPreview"];
                };
            };
            /**
             * @description `invalid_request`: A parameter is missing or wrong.
             *     `malformed_json`: The body is not JSON.
             *     `profile_required`: No profile was given.
             *     `mapping_invalid`: The mapping cannot be used.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `missing_credentials`: No API key was sent.
             *     `invalid_credentials`: The API key is unknown.
             *     `revoked_credentials`: The API key was revoked.
             *     `wrong_environment`: The API key belongs to the other environment.
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `ip_not_allowed`: The key may not be used from here.
             *     `tenant_suspended`: The workspace is suspended.
             *     `not_permitted`: The key lacks the permission.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `not_found`: There is nothing at this path.
             *     `connector_not_found`: No such connector.
             */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `preview_under_way`: A preview of this connector is under way. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload_too_large`: The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported_media_type`: The media type of the body is not accepted. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `source_not_allowed`: The settings name a source that is not read from here. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    /** @description Whole seconds. */
                    "Retry-After"?: number;
                    /** @description To the millisecond. */
                    "Retry-After-Ms"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error`: A fault of the service. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `unavailable`: The service cannot answer now.
             *     `source_unreachable`: The source did not answer.
             */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getMappedDocument: {
        parameters: {
            query?: {
                /** @description Default: the profile of the connector. */
                profile?: components["schemas"]["ProfileId"];
                /** @description The document to look at. Default: the newest one. */
                source_ref?: string;
            };
            header?: never;
            path: {
                /**
                 * @description Identifier of a connector.
                 * @example usr_01k3w9v2x4m6n8p0q2r4s6t8v0
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Both. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "connector_id": "cnx_01k3w9v2x4m6n8p0q2r4s6t8v0",
                     *       "profile": "BIS-3.0",
                     *       "source_refs": [
                     *         "2026-0002.csv",
                     *         "2026-0001.csv"
                     *       ],
                     *       "source_ref": "2026-0002.csv",
                     *       "sections": [
                     *         {
                     *           "section": "header",
                     *           "origin": "2026-0002.csv",
                     *           "rows_total": 1,
                     *           "rows": [
                     *             {
                     *               "key": "2",
                     *               "values": {
                     *                 "invoice_number": "2026-0002",
                     *                 "buyer_vat": "0884303369"
                     *               }
                     *             }
                     *           ]
                     *         }
                     *       ],
                     *       "values": [
                     *         {
                     *           "path": "number",
                     *           "target": "number",
                     *           "value": "2026-0002",
                     *           "by": "column",
                     *           "from": {
                     *             "section": "header",
                     *             "key": "2",
                     *             "column": "invoice_number"
                     *           },
                     *           "status": "approved"
                     *         }
                     *       ],
                     *       "problems": []
                     *     }
                     */
                    "application/json": components["schemas"]["MappedDocument"];
                };
            };
            /**
             * @description `invalid_request`: A parameter is missing or wrong.
             *     `profile_required`: No profile was given.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `missing_credentials`: No API key was sent.
             *     `invalid_credentials`: The API key is unknown.
             *     `revoked_credentials`: The API key was revoked.
             *     `wrong_environment`: The API key belongs to the other environment.
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `ip_not_allowed`: The key may not be used from here.
             *     `tenant_suspended`: The workspace is suspended.
             *     `not_permitted`: The key lacks the permission.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `not_found`: There is nothing at this path.
             *     `connector_not_found`: No such connector.
             *     `source_not_found`: The source has no such document.
             */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `source_not_allowed`: The settings name a source that is not read from here. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    /** @description Whole seconds. */
                    "Retry-After"?: number;
                    /** @description To the millisecond. */
                    "Retry-After-Ms"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error`: A fault of the service. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `unavailable`: The service cannot answer now.
             *     `source_unreachable`: The source did not answer.
             */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listWebhookEndpoints: {
        parameters: {
            query?: {
                /** @description The "next" or "previous" of another page of this list; none: the first page. */
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of endpoints. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "results": [
                     *         {
                     *           "id": "whe_01k3w9v2x4m6n8p0q2r4s6t8v0",
                     *           "url": "https://erp.example.com/hooks",
                     *           "event_types": [
                     *             "invoice.*"
                     *           ],
                     *           "description": "Orders and their reminders",
                     *           "state": "active",
                     *           "disabled_reason": "requested",
                     *           "failing_since": "2026-03-02T08:15:30.000Z",
                     *           "secrets": [
                     *             {
                     *               "id": "whe_01k3w9v2x4m6n8p0q2r4s6t8v0",
                     *               "created_at": "2026-03-02T08:15:30.000Z",
                     *               "expires_at": "2026-03-02T08:15:30.000Z"
                     *             }
                     *           ],
                     *           "created_at": "2026-03-02T08:15:30.000Z",
                     *           "updated_at": "2026-03-02T08:15:30.000Z"
                     *         }
                     *       ],
                     *       "next": "next",
                     *       "previous": "previous"
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookEndpointPage"];
                };
            };
            /** @description `invalid_request`: A parameter is missing or wrong. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `missing_credentials`: No API key was sent.
             *     `invalid_credentials`: The API key is unknown.
             *     `revoked_credentials`: The API key was revoked.
             *     `wrong_environment`: The API key belongs to the other environment.
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `ip_not_allowed`: The key may not be used from here.
             *     `tenant_suspended`: The workspace is suspended.
             *     `not_permitted`: The key lacks the permission.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    /** @description Whole seconds. */
                    "Retry-After"?: number;
                    /** @description To the millisecond. */
                    "Retry-After-Ms"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error`: A fault of the service. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unavailable`: The service cannot answer now. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    createWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeat with the same key and body makes nothing new and answers the same. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "url": "https://erp.example.com/hooks",
                 *       "event_types": [
                 *         "invoice.*"
                 *       ],
                 *       "description": "Orders and their reminders"
                 *     }
                 */
                "application/json": components["schemas"]["WebhookEndpointRequest"];
            };
        };
        responses: {
            /** @description The endpoint, with its signing secret. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "whe_01k3w9v2x4m6n8p0q2r4s6t8v0",
                     *       "url": "https://erp.example.com/hooks",
                     *       "event_types": [
                     *         "invoice.*"
                     *       ],
                     *       "description": "Orders and their reminders",
                     *       "state": "active",
                     *       "disabled_reason": "requested",
                     *       "failing_since": "2026-03-02T08:15:30.000Z",
                     *       "secrets": [
                     *         {
                     *           "id": "whe_01k3w9v2x4m6n8p0q2r4s6t8v0",
                     *           "created_at": "2026-03-02T08:15:30.000Z",
                     *           "expires_at": "2026-03-02T08:15:30.000Z"
                     *         }
                     *       ],
                     *       "created_at": "2026-03-02T08:15:30.000Z",
                     *       "updated_at": "2026-03-02T08:15:30.000Z",
                     *       "secret": "whsec_87pxaEC3dVn1Tq0mYk5rJ8uWbZ2sLxHf"
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookEndpointWithSecret"];
                };
            };
            /**
             * @description `invalid_request`: A parameter is missing or wrong.
             *     `malformed_json`: The body is not JSON.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `missing_credentials`: No API key was sent.
             *     `invalid_credentials`: The API key is unknown.
             *     `revoked_credentials`: The API key was revoked.
             *     `wrong_environment`: The API key belongs to the other environment.
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `ip_not_allowed`: The key may not be used from here.
             *     `tenant_suspended`: The workspace is suspended.
             *     `not_permitted`: The key lacks the permission.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `idempotency_payload_mismatch`: The Idempotency-Key was used with another payload. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload_too_large`: The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported_media_type`: The media type of the body is not accepted. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    /** @description Whole seconds. */
                    "Retry-After"?: number;
                    /** @description To the millisecond. */
                    "Retry-After-Ms"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error`: A fault of the service. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unavailable`: The service cannot answer now. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Identifier of a webhook endpoint.
                 * @example usr_01k3w9v2x4m6n8p0q2r4s6t8v0
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The endpoint. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "whe_01k3w9v2x4m6n8p0q2r4s6t8v0",
                     *       "url": "https://erp.example.com/hooks",
                     *       "event_types": [
                     *         "invoice.*"
                     *       ],
                     *       "description": "Orders and their reminders",
                     *       "state": "active",
                     *       "disabled_reason": "requested",
                     *       "failing_since": "2026-03-02T08:15:30.000Z",
                     *       "secrets": [
                     *         {
                     *           "id": "whe_01k3w9v2x4m6n8p0q2r4s6t8v0",
                     *           "created_at": "2026-03-02T08:15:30.000Z",
                     *           "expires_at": "2026-03-02T08:15:30.000Z"
                     *         }
                     *       ],
                     *       "created_at": "2026-03-02T08:15:30.000Z",
                     *       "updated_at": "2026-03-02T08:15:30.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookEndpoint"];
                };
            };
            /** @description `invalid_request`: A parameter is missing or wrong. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `missing_credentials`: No API key was sent.
             *     `invalid_credentials`: The API key is unknown.
             *     `revoked_credentials`: The API key was revoked.
             *     `wrong_environment`: The API key belongs to the other environment.
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `ip_not_allowed`: The key may not be used from here.
             *     `tenant_suspended`: The workspace is suspended.
             *     `not_permitted`: The key lacks the permission.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `not_found`: There is nothing at this path.
             *     `webhook_endpoint_not_found`: No such endpoint.
             */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    /** @description Whole seconds. */
                    "Retry-After"?: number;
                    /** @description To the millisecond. */
                    "Retry-After-Ms"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error`: A fault of the service. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unavailable`: The service cannot answer now. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    deleteWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Identifier of a webhook endpoint.
                 * @example usr_01k3w9v2x4m6n8p0q2r4s6t8v0
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It was removed. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `invalid_request`: A parameter is missing or wrong. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `missing_credentials`: No API key was sent.
             *     `invalid_credentials`: The API key is unknown.
             *     `revoked_credentials`: The API key was revoked.
             *     `wrong_environment`: The API key belongs to the other environment.
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `ip_not_allowed`: The key may not be used from here.
             *     `tenant_suspended`: The workspace is suspended.
             *     `not_permitted`: The key lacks the permission.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `not_found`: There is nothing at this path.
             *     `webhook_endpoint_not_found`: No such endpoint.
             */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    /** @description Whole seconds. */
                    "Retry-After"?: number;
                    /** @description To the millisecond. */
                    "Retry-After-Ms"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error`: A fault of the service. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unavailable`: The service cannot answer now. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    updateWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Identifier of a webhook endpoint.
                 * @example usr_01k3w9v2x4m6n8p0q2r4s6t8v0
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "description": "ERP in Dubai"
                 *     }
                 */
                "application/json": components["schemas"]["WebhookEndpointPatch"];
            };
        };
        responses: {
            /** @description The endpoint as it is now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "whe_01k3w9v2x4m6n8p0q2r4s6t8v0",
                     *       "url": "https://erp.example.com/hooks",
                     *       "event_types": [
                     *         "invoice.*"
                     *       ],
                     *       "description": "Orders and their reminders",
                     *       "state": "active",
                     *       "disabled_reason": "requested",
                     *       "failing_since": "2026-03-02T08:15:30.000Z",
                     *       "secrets": [
                     *         {
                     *           "id": "whe_01k3w9v2x4m6n8p0q2r4s6t8v0",
                     *           "created_at": "2026-03-02T08:15:30.000Z",
                     *           "expires_at": "2026-03-02T08:15:30.000Z"
                     *         }
                     *       ],
                     *       "created_at": "2026-03-02T08:15:30.000Z",
                     *       "updated_at": "2026-03-02T08:15:30.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookEndpoint"];
                };
            };
            /**
             * @description `invalid_request`: A parameter is missing or wrong.
             *     `malformed_json`: The body is not JSON.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `missing_credentials`: No API key was sent.
             *     `invalid_credentials`: The API key is unknown.
             *     `revoked_credentials`: The API key was revoked.
             *     `wrong_environment`: The API key belongs to the other environment.
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `ip_not_allowed`: The key may not be used from here.
             *     `tenant_suspended`: The workspace is suspended.
             *     `not_permitted`: The key lacks the permission.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `not_found`: There is nothing at this path.
             *     `webhook_endpoint_not_found`: No such endpoint.
             */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload_too_large`: The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported_media_type`: The media type of the body is not accepted. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    /** @description Whole seconds. */
                    "Retry-After"?: number;
                    /** @description To the millisecond. */
                    "Retry-After-Ms"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error`: A fault of the service. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unavailable`: The service cannot answer now. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    rotateWebhookSecret: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Identifier of a webhook endpoint.
                 * @example usr_01k3w9v2x4m6n8p0q2r4s6t8v0
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "grace_s": 86400
                 *     }
                 */
                "application/json": components["schemas"]["RotateSecretRequest"];
            };
        };
        responses: {
            /** @description The endpoint, with its new secret. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "whe_01k3w9v2x4m6n8p0q2r4s6t8v0",
                     *       "url": "https://erp.example.com/hooks",
                     *       "event_types": [
                     *         "invoice.*"
                     *       ],
                     *       "description": "Orders and their reminders",
                     *       "state": "active",
                     *       "disabled_reason": "requested",
                     *       "failing_since": "2026-03-02T08:15:30.000Z",
                     *       "secrets": [
                     *         {
                     *           "id": "whe_01k3w9v2x4m6n8p0q2r4s6t8v0",
                     *           "created_at": "2026-03-02T08:15:30.000Z",
                     *           "expires_at": "2026-03-02T08:15:30.000Z"
                     *         }
                     *       ],
                     *       "created_at": "2026-03-02T08:15:30.000Z",
                     *       "updated_at": "2026-03-02T08:15:30.000Z",
                     *       "secret": "whsec_87pxaEC3dVn1Tq0mYk5rJ8uWbZ2sLxHf"
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookEndpointWithSecret"];
                };
            };
            /**
             * @description `invalid_request`: A parameter is missing or wrong.
             *     `malformed_json`: The body is not JSON.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `missing_credentials`: No API key was sent.
             *     `invalid_credentials`: The API key is unknown.
             *     `revoked_credentials`: The API key was revoked.
             *     `wrong_environment`: The API key belongs to the other environment.
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `ip_not_allowed`: The key may not be used from here.
             *     `tenant_suspended`: The workspace is suspended.
             *     `not_permitted`: The key lacks the permission.
             *     `proof_needed`: The person has to show again who they are.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `not_found`: There is nothing at this path.
             *     `webhook_endpoint_not_found`: No such endpoint.
             */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload_too_large`: The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported_media_type`: The media type of the body is not accepted. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    /** @description Whole seconds. */
                    "Retry-After"?: number;
                    /** @description To the millisecond. */
                    "Retry-After-Ms"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error`: A fault of the service. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unavailable`: The service cannot answer now. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    testWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Identifier of a webhook endpoint.
                 * @example usr_01k3w9v2x4m6n8p0q2r4s6t8v0
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "dlv_01k3w9v2x4m6n8p0q2r4s6t8v0",
                     *       "event_id": "evt_01k3w9v2x4m6n8p0q2r4s6t8v0",
                     *       "event": "invoice.cleared",
                     *       "subject_id": "inv_01k3w9v2x4m6n8p0q2r4s6t8v0",
                     *       "environment": "live",
                     *       "state": "pending",
                     *       "next_attempt_at": "2026-03-02T08:15:30.000Z",
                     *       "created_at": "2026-03-02T08:15:30.000Z",
                     *       "settled_at": "2026-03-02T08:15:30.000Z",
                     *       "payload": {
                     *         "event": "invoice.cleared",
                     *         "id": "inv_01k3w9v2x4m6n8p0q2r4s6t8v0"
                     *       },
                     *       "attempts": []
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookDelivery"];
                };
            };
            /** @description `invalid_request`: A parameter is missing or wrong. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `missing_credentials`: No API key was sent.
             *     `invalid_credentials`: The API key is unknown.
             *     `revoked_credentials`: The API key was revoked.
             *     `wrong_environment`: The API key belongs to the other environment.
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `ip_not_allowed`: The key may not be used from here.
             *     `tenant_suspended`: The workspace is suspended.
             *     `not_permitted`: The key lacks the permission.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `not_found`: There is nothing at this path.
             *     `webhook_endpoint_not_found`: No such endpoint.
             */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    /** @description Whole seconds. */
                    "Retry-After"?: number;
                    /** @description To the millisecond. */
                    "Retry-After-Ms"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error`: A fault of the service. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unavailable`: The service cannot answer now. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listWebhookDeliveries: {
        parameters: {
            query?: {
                /** @description The "next" or "previous" of another page of this list; none: the first page. */
                cursor?: string;
                limit?: number;
                state?: "pending" | "delivered" | "failed" | "held" | "set_aside";
            };
            header?: never;
            path: {
                /**
                 * @description Identifier of a webhook endpoint.
                 * @example usr_01k3w9v2x4m6n8p0q2r4s6t8v0
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of deliveries. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "results": [
                     *         {
                     *           "id": "dlv_01k3w9v2x4m6n8p0q2r4s6t8v0",
                     *           "event_id": "evt_01k3w9v2x4m6n8p0q2r4s6t8v0",
                     *           "event": "invoice.cleared",
                     *           "subject_id": "inv_01k3w9v2x4m6n8p0q2r4s6t8v0",
                     *           "environment": "live",
                     *           "state": "pending",
                     *           "next_attempt_at": "2026-03-02T08:15:30.000Z",
                     *           "created_at": "2026-03-02T08:15:30.000Z",
                     *           "settled_at": "2026-03-02T08:15:30.000Z",
                     *           "payload": {
                     *             "event": "invoice.cleared",
                     *             "id": "inv_01k3w9v2x4m6n8p0q2r4s6t8v0"
                     *           },
                     *           "attempts": []
                     *         }
                     *       ],
                     *       "next": "next",
                     *       "previous": "previous"
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookDeliveryPage"];
                };
            };
            /** @description `invalid_request`: A parameter is missing or wrong. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `missing_credentials`: No API key was sent.
             *     `invalid_credentials`: The API key is unknown.
             *     `revoked_credentials`: The API key was revoked.
             *     `wrong_environment`: The API key belongs to the other environment.
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `ip_not_allowed`: The key may not be used from here.
             *     `tenant_suspended`: The workspace is suspended.
             *     `not_permitted`: The key lacks the permission.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `not_found`: There is nothing at this path.
             *     `webhook_endpoint_not_found`: No such endpoint.
             */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    /** @description Whole seconds. */
                    "Retry-After"?: number;
                    /** @description To the millisecond. */
                    "Retry-After-Ms"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error`: A fault of the service. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unavailable`: The service cannot answer now. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getWebhookDelivery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Identifier of a webhook endpoint.
                 * @example usr_01k3w9v2x4m6n8p0q2r4s6t8v0
                 */
                id: string;
                /** @example dlv_01k3w9v2x4m6n8p0q2r4s6t8v0 */
                delivery_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The delivery. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "dlv_01k3w9v2x4m6n8p0q2r4s6t8v0",
                     *       "event_id": "evt_01k3w9v2x4m6n8p0q2r4s6t8v0",
                     *       "event": "invoice.cleared",
                     *       "subject_id": "inv_01k3w9v2x4m6n8p0q2r4s6t8v0",
                     *       "environment": "live",
                     *       "state": "pending",
                     *       "next_attempt_at": "2026-03-02T08:15:30.000Z",
                     *       "created_at": "2026-03-02T08:15:30.000Z",
                     *       "settled_at": "2026-03-02T08:15:30.000Z",
                     *       "payload": {
                     *         "event": "invoice.cleared",
                     *         "id": "inv_01k3w9v2x4m6n8p0q2r4s6t8v0"
                     *       },
                     *       "attempts": []
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookDelivery"];
                };
            };
            /** @description `invalid_request`: A parameter is missing or wrong. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `missing_credentials`: No API key was sent.
             *     `invalid_credentials`: The API key is unknown.
             *     `revoked_credentials`: The API key was revoked.
             *     `wrong_environment`: The API key belongs to the other environment.
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `ip_not_allowed`: The key may not be used from here.
             *     `tenant_suspended`: The workspace is suspended.
             *     `not_permitted`: The key lacks the permission.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `not_found`: There is nothing at this path.
             *     `webhook_endpoint_not_found`: No such endpoint.
             *     `delivery_not_found`: No such delivery.
             */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    /** @description Whole seconds. */
                    "Retry-After"?: number;
                    /** @description To the millisecond. */
                    "Retry-After-Ms"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error`: A fault of the service. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unavailable`: The service cannot answer now. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    resendWebhookDelivery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Identifier of a webhook endpoint.
                 * @example usr_01k3w9v2x4m6n8p0q2r4s6t8v0
                 */
                id: string;
                /** @example dlv_01k3w9v2x4m6n8p0q2r4s6t8v0 */
                delivery_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It will be sent. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "dlv_01k3w9v2x4m6n8p0q2r4s6t8v0",
                     *       "event_id": "evt_01k3w9v2x4m6n8p0q2r4s6t8v0",
                     *       "event": "invoice.cleared",
                     *       "subject_id": "inv_01k3w9v2x4m6n8p0q2r4s6t8v0",
                     *       "environment": "live",
                     *       "state": "pending",
                     *       "next_attempt_at": "2026-03-02T08:15:30.000Z",
                     *       "created_at": "2026-03-02T08:15:30.000Z",
                     *       "settled_at": "2026-03-02T08:15:30.000Z",
                     *       "payload": {
                     *         "event": "invoice.cleared",
                     *         "id": "inv_01k3w9v2x4m6n8p0q2r4s6t8v0"
                     *       },
                     *       "attempts": []
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookDelivery"];
                };
            };
            /** @description `invalid_request`: A parameter is missing or wrong. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `missing_credentials`: No API key was sent.
             *     `invalid_credentials`: The API key is unknown.
             *     `revoked_credentials`: The API key was revoked.
             *     `wrong_environment`: The API key belongs to the other environment.
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `ip_not_allowed`: The key may not be used from here.
             *     `tenant_suspended`: The workspace is suspended.
             *     `not_permitted`: The key lacks the permission.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `not_found`: There is nothing at this path.
             *     `webhook_endpoint_not_found`: No such endpoint.
             *     `delivery_not_found`: No such delivery.
             */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    /** @description Whole seconds. */
                    "Retry-After"?: number;
                    /** @description To the millisecond. */
                    "Retry-After-Ms"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error`: A fault of the service. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unavailable`: The service cannot answer now. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    replayWebhookEvents: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeat with the same key and body makes nothing new and answers the same. */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description Identifier of a webhook endpoint.
                 * @example usr_01k3w9v2x4m6n8p0q2r4s6t8v0
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "since": "2026-03-02T08:00:00.000Z",
                 *       "until": "2026-03-02T12:00:00.000Z",
                 *       "events": [
                 *         "invoice.cleared"
                 *       ],
                 *       "only": "failed"
                 *     }
                 */
                "application/json": components["schemas"]["WebhookReplayRequest"];
            };
        };
        responses: {
            /** @description How many will be sent. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "rpl_01k3w9v2x4m6n8p0q2r4s6t8v0",
                     *       "endpoint_id": "whe_01k3w9v2x4m6n8p0q2r4s6t8v0",
                     *       "environment": "live",
                     *       "since": "2026-03-02T08:00:00.000Z",
                     *       "until": "2026-03-02T12:00:00.000Z",
                     *       "events": [
                     *         "invoice.cleared"
                     *       ],
                     *       "only": "failed",
                     *       "count": 1,
                     *       "created_at": "2026-03-02T08:15:30.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookReplay"];
                };
            };
            /**
             * @description `invalid_request`: A parameter is missing or wrong.
             *     `malformed_json`: The body is not JSON.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `missing_credentials`: No API key was sent.
             *     `invalid_credentials`: The API key is unknown.
             *     `revoked_credentials`: The API key was revoked.
             *     `wrong_environment`: The API key belongs to the other environment.
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `ip_not_allowed`: The key may not be used from here.
             *     `tenant_suspended`: The workspace is suspended.
             *     `not_permitted`: The key lacks the permission.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `not_found`: There is nothing at this path.
             *     `webhook_endpoint_not_found`: No such endpoint.
             */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `idempotency_payload_mismatch`: The Idempotency-Key was used with another payload. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload_too_large`: The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported_media_type`: The media type of the body is not accepted. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    /** @description Whole seconds. */
                    "Retry-After"?: number;
                    /** @description To the millisecond. */
                    "Retry-After-Ms"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error`: A fault of the service. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unavailable`: The service cannot answer now. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    createEnrolmentToken: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "hostname": "erp-01.example.com",
                 *       "expires_in_seconds": 3600
                 *     }
                 */
                "application/json": {
                    /** @description The only host that may use the token */
                    hostname?: string;
                    /** @default 3600 */
                    expires_in_seconds?: number;
                };
            };
        };
        responses: {
            /** @description The token, shown this once */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "token": "Zx3kq0b1T8vYw5nR2mJ7hC4dF6gL9pS0aXeUiOtMyVs",
                     *       "expires_at": "2026-03-02T08:15:30.000Z",
                     *       "hostname": "erp-01.example.com"
                     *     }
                     */
                    "application/json": components["schemas"]["EnrolmentToken"];
                };
            };
            /**
             * @description `invalid_request`: A parameter is missing or wrong.
             *     `malformed_json`: The body is not JSON.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `missing_credentials`: No API key was sent.
             *     `invalid_credentials`: The API key is unknown.
             *     `revoked_credentials`: The API key was revoked.
             *     `wrong_environment`: The API key belongs to the other environment.
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `ip_not_allowed`: The key may not be used from here.
             *     `tenant_suspended`: The workspace is suspended.
             *     `not_permitted`: The key lacks the permission.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload_too_large`: The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported_media_type`: The media type of the body is not accepted. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    /** @description Whole seconds. */
                    "Retry-After"?: number;
                    /** @description To the millisecond. */
                    "Retry-After-Ms"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error`: A fault of the service. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unavailable`: The service cannot answer now. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    enrolAgent: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "control_plane_key": "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
                 *       "sealed": "c2VhbGVkIGZvciB0aGUgY29udHJvbCBwbGFuZQ=="
                 *     }
                 */
                "application/json": {
                    control_plane_key: string;
                    /**
                     * Format: base64
                     * @description Token, key, host and version, sealed for that key: see docs/link.md
                     */
                    sealed: string;
                };
            };
        };
        responses: {
            /** @description The agent, which trusts that key of the control plane */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "agent_id": "agt_01k3w9v2x4m6n8p0q2r4s6t8v0",
                     *       "link_url": "wss://drawbridge.example.com/agent",
                     *       "signature": "Qm9vZ2llV29vZ2llQm9vZ2llV29vZ2llQm9vZ2llV29vZ2llQm9vZ2llV29vZ2llQm9vZ2llV29vZ2llQmFzZQ=="
                     *     }
                     */
                    "application/json": components["schemas"]["Enrolment"];
                };
            };
            /**
             * @description `invalid_request`: A parameter is missing or wrong.
             *     `malformed_json`: The body is not JSON.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `invalid_credentials`: The API key is unknown. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload_too_large`: The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported_media_type`: The media type of the body is not accepted. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error`: A fault of the service. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unavailable`: The service cannot answer now. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listAgents: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The agents, oldest first */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "results": [
                     *         {
                     *           "id": "agt_01k3w9v2x4m6n8p0q2r4s6t8v0",
                     *           "hostname": "erp-01.example.com",
                     *           "version": "0.1.0",
                     *           "online": false,
                     *           "enrolled_at": "2026-03-02T08:15:30.000Z",
                     *           "last_seen_at": "2026-03-02T08:15:30.000Z"
                     *         }
                     *       ],
                     *       "next": null,
                     *       "previous": null
                     *     }
                     */
                    "application/json": components["schemas"]["AgentList"];
                };
            };
            /** @description `invalid_request`: A parameter is missing or wrong. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `missing_credentials`: No API key was sent.
             *     `invalid_credentials`: The API key is unknown.
             *     `revoked_credentials`: The API key was revoked.
             *     `wrong_environment`: The API key belongs to the other environment.
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `ip_not_allowed`: The key may not be used from here.
             *     `tenant_suspended`: The workspace is suspended.
             *     `not_permitted`: The key lacks the permission.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    /** @description Whole seconds. */
                    "Retry-After"?: number;
                    /** @description To the millisecond. */
                    "Retry-After-Ms"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error`: A fault of the service. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unavailable`: The service cannot answer now. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getAgent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example usr_01k3w9v2x4m6n8p0q2r4s6t8v0 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The agent, and its sources */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "agt_01k3w9v2x4m6n8p0q2r4s6t8v0",
                     *       "hostname": "erp-01.example.com",
                     *       "version": "0.1.0",
                     *       "online": false,
                     *       "enrolled_at": "2026-03-02T08:15:30.000Z",
                     *       "last_seen_at": "2026-03-02T08:15:30.000Z",
                     *       "sources": [
                     *         {
                     *           "connector": "cnx_01k3w9v2x4m6n8p0q2r4s6t8v0",
                     *           "documents": 1,
                     *           "last_read_at": "2026-03-02T08:15:30.000Z",
                     *           "reconciliation": {
                     *             "at": "2026-03-02T08:15:30.000Z",
                     *             "documents": 1,
                     *             "late": 1,
                     *             "edited": 1,
                     *             "deleted": 1,
                     *             "examples": [
                     *               {
                     *                 "kind": "late",
                     *                 "ref": "2026-0001.csv"
                     *               }
                     *             ]
                     *           }
                     *         }
                     *       ],
                     *       "status": {
                     *         "received_at": "2026-03-02T08:15:30.000Z",
                     *         "queue": {
                     *           "state": "room",
                     *           "detail": "It answers.",
                     *           "pending_commands": 1,
                     *           "oldest_pending_at": "2026-03-02T08:15:30.000Z",
                     *           "unsent_events": 1,
                     *           "unsent_documents": 1,
                     *           "unsent_bytes": 1,
                     *           "oldest_unsent_at": "2026-03-02T08:15:30.000Z"
                     *         },
                     *         "disk": {
                     *           "state": "room",
                     *           "detail": "It answers.",
                     *           "free_bytes": 1
                     *         },
                     *         "waiting": [
                     *           {
                     *             "connector": "cnx_01k3w9v2x4m6n8p0q2r4s6t8v0",
                     *             "detail": "It answers.",
                     *             "since": "2026-03-02T08:00:00.000Z"
                     *           }
                     *         ],
                     *         "findings": [
                     *           {
                     *             "component": "disk",
                     *             "target": "einv_received",
                     *             "status": "ok",
                     *             "detail": "It answers.",
                     *             "code": "492817",
                     *             "action": "createApiKey"
                     *           }
                     *         ],
                     *         "examined_at": "2026-03-02T08:15:30.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["AgentWithSources"];
                };
            };
            /** @description `invalid_request`: A parameter is missing or wrong. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `missing_credentials`: No API key was sent.
             *     `invalid_credentials`: The API key is unknown.
             *     `revoked_credentials`: The API key was revoked.
             *     `wrong_environment`: The API key belongs to the other environment.
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `ip_not_allowed`: The key may not be used from here.
             *     `tenant_suspended`: The workspace is suspended.
             *     `not_permitted`: The key lacks the permission.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `not_found`: There is nothing at this path.
             *     `agent_not_found`: No such agent.
             */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    /** @description Whole seconds. */
                    "Retry-After"?: number;
                    /** @description To the millisecond. */
                    "Retry-After-Ms"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error`: A fault of the service. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unavailable`: The service cannot answer now. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    revokeAgent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example usr_01k3w9v2x4m6n8p0q2r4s6t8v0 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Revoked */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `invalid_request`: A parameter is missing or wrong. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `missing_credentials`: No API key was sent.
             *     `invalid_credentials`: The API key is unknown.
             *     `revoked_credentials`: The API key was revoked.
             *     `wrong_environment`: The API key belongs to the other environment.
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `ip_not_allowed`: The key may not be used from here.
             *     `tenant_suspended`: The workspace is suspended.
             *     `not_permitted`: The key lacks the permission.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `not_found`: There is nothing at this path.
             *     `agent_not_found`: No such agent.
             */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    /** @description Whole seconds. */
                    "Retry-After"?: number;
                    /** @description To the millisecond. */
                    "Retry-After-Ms"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error`: A fault of the service. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unavailable`: The service cannot answer now. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listBundles: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example usr_01k3w9v2x4m6n8p0q2r4s6t8v0 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What came, and what is on its way */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "results": [
                     *         {
                     *           "direction": "from_agent",
                     *           "number": 1,
                     *           "digest": "9b74c9899b74c9899b74c9899b74c9899b74c9899b74c9899b74c9899b74c989",
                     *           "messages": 1,
                     *           "made_at": "2026-03-02T08:15:30.000Z",
                     *           "taken_at": "2026-03-02T08:15:30.000Z"
                     *         }
                     *       ],
                     *       "next": null,
                     *       "previous": null
                     *     }
                     */
                    "application/json": components["schemas"]["CarriedBundleList"];
                };
            };
            /** @description `invalid_request`: A parameter is missing or wrong. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `missing_credentials`: No API key was sent.
             *     `invalid_credentials`: The API key is unknown.
             *     `revoked_credentials`: The API key was revoked.
             *     `wrong_environment`: The API key belongs to the other environment.
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `ip_not_allowed`: The key may not be used from here.
             *     `tenant_suspended`: The workspace is suspended.
             *     `not_permitted`: The key lacks the permission.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `not_found`: There is nothing at this path.
             *     `agent_not_found`: No such agent.
             */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    /** @description Whole seconds. */
                    "Retry-After"?: number;
                    /** @description To the millisecond. */
                    "Retry-After-Ms"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error`: A fault of the service. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unavailable`: The service cannot answer now. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    takeBundle: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example usr_01k3w9v2x4m6n8p0q2r4s6t8v0 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "format": "drawbridge-bundle/1",
                 *       "from": "agent",
                 *       "agent_id": "agt_01k3w9v2x4m6n8p0q2r4s6t8v0",
                 *       "number": 1,
                 *       "created_at": "2026-03-02T08:15:30.000Z",
                 *       "control_plane_key": "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
                 *       "sealed": "c2VhbGVkIGZvciB0aGUgY29udHJvbCBwbGFuZQ==",
                 *       "signature": "Qm9vZ2llV29vZ2llQm9vZ2llV29vZ2llQm9vZ2llV29vZ2llQm9vZ2llV29vZ2llQm9vZ2llV29vZ2llQmFzZQ=="
                 *     }
                 */
                "application/json": components["schemas"]["Bundle"];
            };
        };
        responses: {
            /** @description What was taken */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "number": 1,
                     *       "digest": "9b74c9899b74c9899b74c9899b74c9899b74c9899b74c9899b74c9899b74c989",
                     *       "messages": 1
                     *     }
                     */
                    "application/json": components["schemas"]["BundleReceipt"];
                };
            };
            /**
             * @description `invalid_request`: A parameter is missing or wrong.
             *     `malformed_json`: The body is not JSON.
             *     `bundle_unreadable`: This is no bundle.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `missing_credentials`: No API key was sent.
             *     `invalid_credentials`: The API key is unknown.
             *     `revoked_credentials`: The API key was revoked.
             *     `wrong_environment`: The API key belongs to the other environment.
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `ip_not_allowed`: The key may not be used from here.
             *     `tenant_suspended`: The workspace is suspended.
             *     `not_permitted`: The key lacks the permission.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `not_found`: There is nothing at this path.
             *     `agent_not_found`: No such agent.
             */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `bundle_outgoing`: The bundle goes to the agent.
             *     `bundle_foreign`: The bundle is of another.
             *     `bundle_tampered`: The bundle was changed.
             *     `bundle_replayed`: The bundle was taken before.
             *     `bundle_forked`: There are two copies of an end.
             *     `bundle_out_of_order`: An earlier bundle is missing.
             *     `bundle_retired_key`: The key that the agent trusts was retired.
             */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload_too_large`: The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported_media_type`: The media type of the body is not accepted. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    /** @description Whole seconds. */
                    "Retry-After"?: number;
                    /** @description To the millisecond. */
                    "Retry-After-Ms"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error`: A fault of the service. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unavailable`: The service cannot answer now. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    makeBundle: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example usr_01k3w9v2x4m6n8p0q2r4s6t8v0 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The bundle, to be saved as a file */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "format": "drawbridge-bundle/1",
                     *       "from": "agent",
                     *       "agent_id": "agt_01k3w9v2x4m6n8p0q2r4s6t8v0",
                     *       "number": 1,
                     *       "created_at": "2026-03-02T08:15:30.000Z",
                     *       "control_plane_key": "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
                     *       "sealed": "c2VhbGVkIGZvciB0aGUgY29udHJvbCBwbGFuZQ==",
                     *       "signature": "Qm9vZ2llV29vZ2llQm9vZ2llV29vZ2llQm9vZ2llV29vZ2llQm9vZ2llV29vZ2llQm9vZ2llV29vZ2llQmFzZQ=="
                     *     }
                     */
                    "application/json": components["schemas"]["Bundle"];
                };
            };
            /** @description `invalid_request`: A parameter is missing or wrong. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `missing_credentials`: No API key was sent.
             *     `invalid_credentials`: The API key is unknown.
             *     `revoked_credentials`: The API key was revoked.
             *     `wrong_environment`: The API key belongs to the other environment.
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `ip_not_allowed`: The key may not be used from here.
             *     `tenant_suspended`: The workspace is suspended.
             *     `not_permitted`: The key lacks the permission.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `not_found`: There is nothing at this path.
             *     `agent_not_found`: No such agent.
             */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `bundle_empty`: Nothing waits to be carried.
             *     `bundle_retired_key`: The key that the agent trusts was retired.
             */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    /** @description Whole seconds. */
                    "Retry-After"?: number;
                    /** @description To the millisecond. */
                    "Retry-After-Ms"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error`: A fault of the service. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unavailable`: The service cannot answer now. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getBundle: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example usr_01k3w9v2x4m6n8p0q2r4s6t8v0 */
                id: string;
                /** @example 1 */
                number: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The same bundle as before */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "format": "drawbridge-bundle/1",
                     *       "from": "agent",
                     *       "agent_id": "agt_01k3w9v2x4m6n8p0q2r4s6t8v0",
                     *       "number": 1,
                     *       "created_at": "2026-03-02T08:15:30.000Z",
                     *       "control_plane_key": "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
                     *       "sealed": "c2VhbGVkIGZvciB0aGUgY29udHJvbCBwbGFuZQ==",
                     *       "signature": "Qm9vZ2llV29vZ2llQm9vZ2llV29vZ2llQm9vZ2llV29vZ2llQm9vZ2llV29vZ2llQm9vZ2llV29vZ2llQmFzZQ=="
                     *     }
                     */
                    "application/json": components["schemas"]["Bundle"];
                };
            };
            /** @description `invalid_request`: A parameter is missing or wrong. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `missing_credentials`: No API key was sent.
             *     `invalid_credentials`: The API key is unknown.
             *     `revoked_credentials`: The API key was revoked.
             *     `wrong_environment`: The API key belongs to the other environment.
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `ip_not_allowed`: The key may not be used from here.
             *     `tenant_suspended`: The workspace is suspended.
             *     `not_permitted`: The key lacks the permission.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `not_found`: There is nothing at this path.
             *     `bundle_not_found`: No such bundle to the agent.
             */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    /** @description Whole seconds. */
                    "Retry-After"?: number;
                    /** @description To the millisecond. */
                    "Retry-After-Ms"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error`: A fault of the service. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unavailable`: The service cannot answer now. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listApiKeys: {
        parameters: {
            query?: {
                /** @description The "next" or "previous" of another page of this list; none: the first page. */
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of keys. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "results": [
                     *         {
                     *           "id": "key_01k3w9v2x4m6n8p0q2r4s6t8v0",
                     *           "name": "ERP in Dubai",
                     *           "shown": "sk_test_…9f3c",
                     *           "scopes": [
                     *             "invoices:read",
                     *             "invoices:write"
                     *           ],
                     *           "allowed_ips": [
                     *             "203.0.113.0/24"
                     *           ],
                     *           "created_at": "2026-03-02T08:15:30.000Z",
                     *           "expires_at": "2027-10-01T08:15:30.000Z",
                     *           "revoked_at": "2026-03-02T08:15:30.000Z",
                     *           "last_used_at": "2026-03-02T08:15:30.000Z"
                     *         }
                     *       ],
                     *       "next": "next",
                     *       "previous": "previous"
                     *     }
                     */
                    "application/json": components["schemas"]["ApiKeyPage"];
                };
            };
            /** @description `invalid_request`: A parameter is missing or wrong. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `missing_credentials`: No API key was sent.
             *     `invalid_credentials`: The API key is unknown.
             *     `revoked_credentials`: The API key was revoked.
             *     `wrong_environment`: The API key belongs to the other environment.
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `ip_not_allowed`: The key may not be used from here.
             *     `tenant_suspended`: The workspace is suspended.
             *     `not_permitted`: The key lacks the permission.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    /** @description Whole seconds. */
                    "Retry-After"?: number;
                    /** @description To the millisecond. */
                    "Retry-After-Ms"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error`: A fault of the service. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unavailable`: The service cannot answer now. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    issueApiKey: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeat with the same key and body makes nothing new and answers the same. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "ERP in Dubai",
                 *       "scopes": [
                 *         "invoices:read",
                 *         "invoices:write"
                 *       ],
                 *       "allowed_ips": [
                 *         "203.0.113.0/24"
                 *       ],
                 *       "expires_at": "2027-10-01T08:15:30.000Z"
                 *     }
                 */
                "application/json": components["schemas"]["ApiKeyRequest"];
            };
        };
        responses: {
            /** @description The key, shown this once. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "key_01k3w9v2x4m6n8p0q2r4s6t8v0",
                     *       "key": "2",
                     *       "shown": "sk_test_…9f3c",
                     *       "name": "ERP in Dubai",
                     *       "scopes": [
                     *         "invoices:read",
                     *         "invoices:write"
                     *       ],
                     *       "allowed_ips": [
                     *         "203.0.113.0/24"
                     *       ],
                     *       "expires_at": "2027-10-01T08:15:30.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["IssuedApiKey"];
                };
            };
            /**
             * @description `invalid_request`: A parameter is missing or wrong.
             *     `malformed_json`: The body is not JSON.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `missing_credentials`: No API key was sent.
             *     `invalid_credentials`: The API key is unknown.
             *     `revoked_credentials`: The API key was revoked.
             *     `wrong_environment`: The API key belongs to the other environment.
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `ip_not_allowed`: The key may not be used from here.
             *     `tenant_suspended`: The workspace is suspended.
             *     `not_permitted`: The key lacks the permission.
             *     `proof_needed`: The person has to show again who they are.
             *     `scope_too_strong`: The key permits more than the caller may.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `idempotency_payload_mismatch`: The Idempotency-Key was used with another payload. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload_too_large`: The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported_media_type`: The media type of the body is not accepted. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    /** @description Whole seconds. */
                    "Retry-After"?: number;
                    /** @description To the millisecond. */
                    "Retry-After-Ms"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error`: A fault of the service. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unavailable`: The service cannot answer now. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example id */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The key, without its secret. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "key_01k3w9v2x4m6n8p0q2r4s6t8v0",
                     *       "name": "ERP in Dubai",
                     *       "shown": "sk_test_…9f3c",
                     *       "scopes": [
                     *         "invoices:read",
                     *         "invoices:write"
                     *       ],
                     *       "allowed_ips": [
                     *         "203.0.113.0/24"
                     *       ],
                     *       "created_at": "2026-03-02T08:15:30.000Z",
                     *       "expires_at": "2027-10-01T08:15:30.000Z",
                     *       "revoked_at": "2026-03-02T08:15:30.000Z",
                     *       "last_used_at": "2026-03-02T08:15:30.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["ApiKey"];
                };
            };
            /** @description `invalid_request`: A parameter is missing or wrong. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `missing_credentials`: No API key was sent.
             *     `invalid_credentials`: The API key is unknown.
             *     `revoked_credentials`: The API key was revoked.
             *     `wrong_environment`: The API key belongs to the other environment.
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `ip_not_allowed`: The key may not be used from here.
             *     `tenant_suspended`: The workspace is suspended.
             *     `not_permitted`: The key lacks the permission.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `not_found`: There is nothing at this path.
             *     `api_key_not_found`: No such API key.
             */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    /** @description Whole seconds. */
                    "Retry-After"?: number;
                    /** @description To the millisecond. */
                    "Retry-After-Ms"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error`: A fault of the service. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unavailable`: The service cannot answer now. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    revokeApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example id */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is revoked. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `invalid_request`: A parameter is missing or wrong. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `missing_credentials`: No API key was sent.
             *     `invalid_credentials`: The API key is unknown.
             *     `revoked_credentials`: The API key was revoked.
             *     `wrong_environment`: The API key belongs to the other environment.
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `ip_not_allowed`: The key may not be used from here.
             *     `tenant_suspended`: The workspace is suspended.
             *     `not_permitted`: The key lacks the permission.
             *     `proof_needed`: The person has to show again who they are.
             *     `scope_too_strong`: The key permits more than the caller may.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `not_found`: There is nothing at this path.
             *     `api_key_not_found`: No such API key.
             */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    /** @description Whole seconds. */
                    "Retry-After"?: number;
                    /** @description To the millisecond. */
                    "Retry-After-Ms"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error`: A fault of the service. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unavailable`: The service cannot answer now. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    updateApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example id */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "ERP in Dubai",
                 *       "allowed_ips": [
                 *         "203.0.113.0/24"
                 *       ],
                 *       "expires_at": "2027-10-01T08:15:30.000Z"
                 *     }
                 */
                "application/json": components["schemas"]["ApiKeyPatch"];
            };
        };
        responses: {
            /** @description The key as it is now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "key_01k3w9v2x4m6n8p0q2r4s6t8v0",
                     *       "name": "ERP in Dubai",
                     *       "shown": "sk_test_…9f3c",
                     *       "scopes": [
                     *         "invoices:read",
                     *         "invoices:write"
                     *       ],
                     *       "allowed_ips": [
                     *         "203.0.113.0/24"
                     *       ],
                     *       "created_at": "2026-03-02T08:15:30.000Z",
                     *       "expires_at": "2027-10-01T08:15:30.000Z",
                     *       "revoked_at": "2026-03-02T08:15:30.000Z",
                     *       "last_used_at": "2026-03-02T08:15:30.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["ApiKey"];
                };
            };
            /**
             * @description `invalid_request`: A parameter is missing or wrong.
             *     `malformed_json`: The body is not JSON.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `missing_credentials`: No API key was sent.
             *     `invalid_credentials`: The API key is unknown.
             *     `revoked_credentials`: The API key was revoked.
             *     `wrong_environment`: The API key belongs to the other environment.
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `ip_not_allowed`: The key may not be used from here.
             *     `tenant_suspended`: The workspace is suspended.
             *     `not_permitted`: The key lacks the permission.
             *     `proof_needed`: The person has to show again who they are.
             *     `scope_too_strong`: The key permits more than the caller may.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `not_found`: There is nothing at this path.
             *     `api_key_not_found`: No such API key.
             */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `api_key_revoked`: The API key was revoked. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload_too_large`: The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported_media_type`: The media type of the body is not accepted. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    /** @description Whole seconds. */
                    "Retry-After"?: number;
                    /** @description To the millisecond. */
                    "Retry-After-Ms"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error`: A fault of the service. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unavailable`: The service cannot answer now. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getRetention: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What holds in this environment. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "invoice_days": 30
                     *     }
                     */
                    "application/json": components["schemas"]["Retention"];
                };
            };
            /** @description `invalid_request`: A parameter is missing or wrong. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `missing_credentials`: No API key was sent.
             *     `invalid_credentials`: The API key is unknown.
             *     `revoked_credentials`: The API key was revoked.
             *     `wrong_environment`: The API key belongs to the other environment.
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `ip_not_allowed`: The key may not be used from here.
             *     `tenant_suspended`: The workspace is suspended.
             *     `not_permitted`: The key lacks the permission.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    /** @description Whole seconds. */
                    "Retry-After"?: number;
                    /** @description To the millisecond. */
                    "Retry-After-Ms"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error`: A fault of the service. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unavailable`: The service cannot answer now. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    setRetention: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "invoice_days": 30
                 *     }
                 */
                "application/json": components["schemas"]["Retention"];
            };
        };
        responses: {
            /** @description What holds now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "invoice_days": 30
                     *     }
                     */
                    "application/json": components["schemas"]["Retention"];
                };
            };
            /**
             * @description `invalid_request`: A parameter is missing or wrong.
             *     `malformed_json`: The body is not JSON.
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `missing_credentials`: No API key was sent.
             *     `invalid_credentials`: The API key is unknown.
             *     `revoked_credentials`: The API key was revoked.
             *     `wrong_environment`: The API key belongs to the other environment.
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `ip_not_allowed`: The key may not be used from here.
             *     `tenant_suspended`: The workspace is suspended.
             *     `not_permitted`: The key lacks the permission.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload_too_large`: The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported_media_type`: The media type of the body is not accepted. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    /** @description Whole seconds. */
                    "Retry-After"?: number;
                    /** @description To the millisecond. */
                    "Retry-After-Ms"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error`: A fault of the service. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unavailable`: The service cannot answer now. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    exportAuditEvents: {
        parameters: {
            query?: {
                /** @description CSV, or a line of JSON an event. */
                format?: "csv" | "jsonl";
                /** @description The id of a member or of a key. */
                actor?: string;
                /** @description For example `updateConnector`, `signIn`. */
                action?: string;
                /** @description The id of the thing. */
                subject?: string;
                outcome?: "done" | "refused";
                environment?: "live" | "sandbox";
                /** @description From this instant on. */
                since?: string;
                /** @description Before this instant. */
                until?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The events. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/x-ndjson": unknown;
                    "text/csv": unknown;
                };
            };
            /** @description `invalid_request`: A parameter is missing or wrong. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `missing_credentials`: No API key was sent.
             *     `invalid_credentials`: The API key is unknown.
             *     `revoked_credentials`: The API key was revoked.
             *     `wrong_environment`: The API key belongs to the other environment.
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `ip_not_allowed`: The key may not be used from here.
             *     `tenant_suspended`: The workspace is suspended.
             *     `not_permitted`: The key lacks the permission.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    /** @description Whole seconds. */
                    "Retry-After"?: number;
                    /** @description To the millisecond. */
                    "Retry-After-Ms"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error`: A fault of the service. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unavailable`: The service cannot answer now. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listAuditEvents: {
        parameters: {
            query?: {
                /** @description The "next" or "previous" of another page of this list; none: the first page. */
                cursor?: string;
                limit?: number;
                /** @description The id of a member or of a key. */
                actor?: string;
                /** @description For example `updateConnector`, `signIn`. */
                action?: string;
                /** @description The id of the thing. */
                subject?: string;
                outcome?: "done" | "refused";
                environment?: "live" | "sandbox";
                /** @description From this instant on. */
                since?: string;
                /** @description Before this instant. */
                until?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "results": [
                     *         {
                     *           "id": "aud_01k3w9v2x4m6n8p0q2r4s6t8v0",
                     *           "timestamp": "2026-03-02T08:15:30.000Z",
                     *           "actor": {
                     *             "kind": "user",
                     *             "id": "aud_01k3w9v2x4m6n8p0q2r4s6t8v0"
                     *           },
                     *           "service": "messaging",
                     *           "environment": "live",
                     *           "ip": "203.0.113.7",
                     *           "request_id": "req_01k3w9v2x4m6n8p0q2r4s6t8v0",
                     *           "action": "createApiKey",
                     *           "subject": "key_01k3w9v2x4m6n8p0q2r4s6t8v0",
                     *           "outcome": "done",
                     *           "before": {
                     *             "name": "Till 3"
                     *           },
                     *           "after": {
                     *             "name": "Till 4"
                     *           }
                     *         }
                     *       ],
                     *       "next": "next",
                     *       "previous": "previous"
                     *     }
                     */
                    "application/json": components["schemas"]["AuditEventPage"];
                };
            };
            /** @description `invalid_request`: A parameter is missing or wrong. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `missing_credentials`: No API key was sent.
             *     `invalid_credentials`: The API key is unknown.
             *     `revoked_credentials`: The API key was revoked.
             *     `wrong_environment`: The API key belongs to the other environment.
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `ip_not_allowed`: The key may not be used from here.
             *     `tenant_suspended`: The workspace is suspended.
             *     `not_permitted`: The key lacks the permission.
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    /** @description Whole seconds. */
                    "Retry-After"?: number;
                    /** @description To the millisecond. */
                    "Retry-After-Ms"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error`: A fault of the service. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unavailable`: The service cannot answer now. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "on invoice.received": {
        parameters: {
            query?: never;
            header: {
                /** @description The same for every attempt: drop those that you have seen. */
                "webhook-id": string;
                /** @description When it was signed, in seconds. */
                "webhook-timestamp": string;
                /** @description By Standard Webhooks. */
                "webhook-signature": string;
                /** @description As in the body; one of each live secret. */
                "x-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "event": "invoice.received",
                 *       "id": "inv_01k3w9v2x4m6n8p0q2r4s6t8v0",
                 *       "profile": "PINT-AE",
                 *       "timestamp": "2026-03-02T08:15:30.000Z",
                 *       "ts": "2026-03-02T08:15:30.412Z",
                 *       "signature": "sha256=5f3c9ad15f3c9ad15f3c9ad15f3c9ad15f3c9ad15f3c9ad15f3c9ad15f3c9ad1"
                 *     }
                 */
                "application/json": components["schemas"]["InvoiceReceivedEvent"];
            };
        };
        responses: {
            /** @description It is taken. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is sent again later: see docs/webhooks.md. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "on invoice.validating": {
        parameters: {
            query?: never;
            header: {
                /** @description The same for every attempt: drop those that you have seen. */
                "webhook-id": string;
                /** @description When it was signed, in seconds. */
                "webhook-timestamp": string;
                /** @description By Standard Webhooks. */
                "webhook-signature": string;
                /** @description As in the body; one of each live secret. */
                "x-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "event": "invoice.validating",
                 *       "id": "inv_01k3w9v2x4m6n8p0q2r4s6t8v0",
                 *       "profile": "PINT-AE",
                 *       "timestamp": "2026-03-02T08:15:30.000Z",
                 *       "ts": "2026-03-02T08:15:30.412Z",
                 *       "signature": "sha256=5f3c9ad15f3c9ad15f3c9ad15f3c9ad15f3c9ad15f3c9ad15f3c9ad15f3c9ad1"
                 *     }
                 */
                "application/json": components["schemas"]["InvoiceValidatingEvent"];
            };
        };
        responses: {
            /** @description It is taken. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is sent again later: see docs/webhooks.md. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "on invoice.validated": {
        parameters: {
            query?: never;
            header: {
                /** @description The same for every attempt: drop those that you have seen. */
                "webhook-id": string;
                /** @description When it was signed, in seconds. */
                "webhook-timestamp": string;
                /** @description By Standard Webhooks. */
                "webhook-signature": string;
                /** @description As in the body; one of each live secret. */
                "x-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "event": "invoice.validated",
                 *       "id": "inv_01k3w9v2x4m6n8p0q2r4s6t8v0",
                 *       "profile": "PINT-AE",
                 *       "timestamp": "2026-03-02T08:15:30.000Z",
                 *       "ts": "2026-03-02T08:15:30.412Z",
                 *       "signature": "sha256=5f3c9ad15f3c9ad15f3c9ad15f3c9ad15f3c9ad15f3c9ad15f3c9ad15f3c9ad1"
                 *     }
                 */
                "application/json": components["schemas"]["InvoiceValidatedEvent"];
            };
        };
        responses: {
            /** @description It is taken. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is sent again later: see docs/webhooks.md. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "on invoice.submitted": {
        parameters: {
            query?: never;
            header: {
                /** @description The same for every attempt: drop those that you have seen. */
                "webhook-id": string;
                /** @description When it was signed, in seconds. */
                "webhook-timestamp": string;
                /** @description By Standard Webhooks. */
                "webhook-signature": string;
                /** @description As in the body; one of each live secret. */
                "x-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "event": "invoice.submitted",
                 *       "id": "inv_01k3w9v2x4m6n8p0q2r4s6t8v0",
                 *       "profile": "PINT-AE",
                 *       "timestamp": "2026-03-02T08:15:30.000Z",
                 *       "ts": "2026-03-02T08:15:30.412Z",
                 *       "signature": "sha256=5f3c9ad15f3c9ad15f3c9ad15f3c9ad15f3c9ad15f3c9ad15f3c9ad15f3c9ad1"
                 *     }
                 */
                "application/json": components["schemas"]["InvoiceSubmittedEvent"];
            };
        };
        responses: {
            /** @description It is taken. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is sent again later: see docs/webhooks.md. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "on invoice.cleared": {
        parameters: {
            query?: never;
            header: {
                /** @description The same for every attempt: drop those that you have seen. */
                "webhook-id": string;
                /** @description When it was signed, in seconds. */
                "webhook-timestamp": string;
                /** @description By Standard Webhooks. */
                "webhook-signature": string;
                /** @description As in the body; one of each live secret. */
                "x-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "event": "invoice.cleared",
                 *       "id": "inv_01k3w9v2x4m6n8p0q2r4s6t8v0",
                 *       "profile": "PINT-MY",
                 *       "uin": "F9D425P6DS7D8IU",
                 *       "timestamp": "2026-03-02T08:15:30.000Z",
                 *       "ts": "2026-03-02T08:15:30.412Z",
                 *       "signature": "sha256=5f3c9ad15f3c9ad15f3c9ad15f3c9ad15f3c9ad15f3c9ad15f3c9ad15f3c9ad1"
                 *     }
                 */
                "application/json": components["schemas"]["InvoiceClearedEvent"];
            };
        };
        responses: {
            /** @description It is taken. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is sent again later: see docs/webhooks.md. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "on invoice.delivered": {
        parameters: {
            query?: never;
            header: {
                /** @description The same for every attempt: drop those that you have seen. */
                "webhook-id": string;
                /** @description When it was signed, in seconds. */
                "webhook-timestamp": string;
                /** @description By Standard Webhooks. */
                "webhook-signature": string;
                /** @description As in the body; one of each live secret. */
                "x-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "event": "invoice.delivered",
                 *       "id": "inv_01k3w9v2x4m6n8p0q2r4s6t8v0",
                 *       "profile": "PINT-AE",
                 *       "timestamp": "2026-03-02T08:15:30.000Z",
                 *       "ts": "2026-03-02T08:15:30.412Z",
                 *       "signature": "sha256=5f3c9ad15f3c9ad15f3c9ad15f3c9ad15f3c9ad15f3c9ad15f3c9ad15f3c9ad1"
                 *     }
                 */
                "application/json": components["schemas"]["InvoiceDeliveredEvent"];
            };
        };
        responses: {
            /** @description It is taken. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is sent again later: see docs/webhooks.md. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "on invoice.acknowledged": {
        parameters: {
            query?: never;
            header: {
                /** @description The same for every attempt: drop those that you have seen. */
                "webhook-id": string;
                /** @description When it was signed, in seconds. */
                "webhook-timestamp": string;
                /** @description By Standard Webhooks. */
                "webhook-signature": string;
                /** @description As in the body; one of each live secret. */
                "x-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "event": "invoice.acknowledged",
                 *       "id": "inv_01k3w9v2x4m6n8p0q2r4s6t8v0",
                 *       "profile": "PINT-AE",
                 *       "timestamp": "2026-03-02T08:15:30.000Z",
                 *       "ts": "2026-03-02T08:15:30.412Z",
                 *       "signature": "sha256=5f3c9ad15f3c9ad15f3c9ad15f3c9ad15f3c9ad15f3c9ad15f3c9ad15f3c9ad1"
                 *     }
                 */
                "application/json": components["schemas"]["InvoiceAcknowledgedEvent"];
            };
        };
        responses: {
            /** @description It is taken. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is sent again later: see docs/webhooks.md. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "on invoice.rejected": {
        parameters: {
            query?: never;
            header: {
                /** @description The same for every attempt: drop those that you have seen. */
                "webhook-id": string;
                /** @description When it was signed, in seconds. */
                "webhook-timestamp": string;
                /** @description By Standard Webhooks. */
                "webhook-signature": string;
                /** @description As in the body; one of each live secret. */
                "x-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "event": "invoice.rejected",
                 *       "id": "inv_01k3w9v2x4m6n8p0q2r4s6t8v0",
                 *       "profile": "PINT-AE",
                 *       "timestamp": "2026-03-02T08:15:30.000Z",
                 *       "ts": "2026-03-02T08:15:30.412Z",
                 *       "signature": "sha256=5f3c9ad15f3c9ad15f3c9ad15f3c9ad15f3c9ad15f3c9ad15f3c9ad15f3c9ad1"
                 *     }
                 */
                "application/json": components["schemas"]["InvoiceRejectedEvent"];
            };
        };
        responses: {
            /** @description It is taken. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is sent again later: see docs/webhooks.md. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "on invoice.stalled": {
        parameters: {
            query?: never;
            header: {
                /** @description The same for every attempt: drop those that you have seen. */
                "webhook-id": string;
                /** @description When it was signed, in seconds. */
                "webhook-timestamp": string;
                /** @description By Standard Webhooks. */
                "webhook-signature": string;
                /** @description As in the body; one of each live secret. */
                "x-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "event": "invoice.stalled",
                 *       "id": "inv_01k3w9v2x4m6n8p0q2r4s6t8v0",
                 *       "profile": "PINT-AE",
                 *       "timestamp": "2026-03-02T08:15:30.000Z",
                 *       "data": {
                 *         "reason": "The service could not work on this invoice and has stopped trying; its operator was told.",
                 *         "queue": "write-back"
                 *       },
                 *       "ts": "2026-03-02T08:15:30.412Z",
                 *       "signature": "sha256=5f3c9ad15f3c9ad15f3c9ad15f3c9ad15f3c9ad15f3c9ad15f3c9ad15f3c9ad1"
                 *     }
                 */
                "application/json": components["schemas"]["InvoiceStalledEvent"];
            };
        };
        responses: {
            /** @description It is taken. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is sent again later: see docs/webhooks.md. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "on invoice.held": {
        parameters: {
            query?: never;
            header: {
                /** @description The same for every attempt: drop those that you have seen. */
                "webhook-id": string;
                /** @description When it was signed, in seconds. */
                "webhook-timestamp": string;
                /** @description By Standard Webhooks. */
                "webhook-signature": string;
                /** @description As in the body; one of each live secret. */
                "x-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "event": "invoice.held",
                 *       "id": "inv_01k3w9v2x4m6n8p0q2r4s6t8v0",
                 *       "profile": "PINT-AE",
                 *       "timestamp": "2026-03-02T08:15:30.000Z",
                 *       "data": {
                 *         "waits_for": "release",
                 *         "reason": "Its connector has valid documents wait. Release it (POST /v1/invoices/{id}/release) to have it sent."
                 *       },
                 *       "ts": "2026-03-02T08:15:30.412Z",
                 *       "signature": "sha256=5f3c9ad15f3c9ad15f3c9ad15f3c9ad15f3c9ad15f3c9ad15f3c9ad15f3c9ad1"
                 *     }
                 */
                "application/json": components["schemas"]["InvoiceHeldEvent"];
            };
        };
        responses: {
            /** @description It is taken. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is sent again later: see docs/webhooks.md. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "on invoice.source_changed": {
        parameters: {
            query?: never;
            header: {
                /** @description The same for every attempt: drop those that you have seen. */
                "webhook-id": string;
                /** @description When it was signed, in seconds. */
                "webhook-timestamp": string;
                /** @description By Standard Webhooks. */
                "webhook-signature": string;
                /** @description As in the body; one of each live secret. */
                "x-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "event": "invoice.source_changed",
                 *       "id": "inv_01k3w9v2x4m6n8p0q2r4s6t8v0",
                 *       "profile": "PINT-AE",
                 *       "timestamp": "2026-03-02T08:15:30.000Z",
                 *       "data": {
                 *         "reason": "The document changed in its source after it was sent: the total was 1050.00 and is 1260.00. What was sent stays as it was. Correct it by a credit note, or have it cancelled by its authority and submit it again."
                 *       },
                 *       "ts": "2026-03-02T08:15:30.412Z",
                 *       "signature": "sha256=5f3c9ad15f3c9ad15f3c9ad15f3c9ad15f3c9ad15f3c9ad15f3c9ad15f3c9ad1"
                 *     }
                 */
                "application/json": components["schemas"]["InvoiceSourceChangedEvent"];
            };
        };
        responses: {
            /** @description It is taken. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is sent again later: see docs/webhooks.md. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "on invoice.cancelled": {
        parameters: {
            query?: never;
            header: {
                /** @description The same for every attempt: drop those that you have seen. */
                "webhook-id": string;
                /** @description When it was signed, in seconds. */
                "webhook-timestamp": string;
                /** @description By Standard Webhooks. */
                "webhook-signature": string;
                /** @description As in the body; one of each live secret. */
                "x-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "event": "invoice.cancelled",
                 *       "id": "inv_01k3w9v2x4m6n8p0q2r4s6t8v0",
                 *       "profile": "PINT-AE",
                 *       "timestamp": "2026-03-02T08:15:30.000Z",
                 *       "ts": "2026-03-02T08:15:30.412Z",
                 *       "signature": "sha256=5f3c9ad15f3c9ad15f3c9ad15f3c9ad15f3c9ad15f3c9ad15f3c9ad15f3c9ad1"
                 *     }
                 */
                "application/json": components["schemas"]["InvoiceCancelledEvent"];
            };
        };
        responses: {
            /** @description It is taken. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is sent again later: see docs/webhooks.md. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "on document.received": {
        parameters: {
            query?: never;
            header: {
                /** @description The same for every attempt: drop those that you have seen. */
                "webhook-id": string;
                /** @description When it was signed, in seconds. */
                "webhook-timestamp": string;
                /** @description By Standard Webhooks. */
                "webhook-signature": string;
                /** @description As in the body; one of each live secret. */
                "x-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "event": "document.received",
                 *       "id": "rcv_01k3w9v2x4m6n8p0q2r4s6t8v0",
                 *       "profile": "BIS-3.0",
                 *       "timestamp": "2026-03-02T08:15:30.000Z",
                 *       "data": {
                 *         "source": "peppol",
                 *         "document_type": "invoice",
                 *         "supplier": {
                 *           "id": "0208:0884303369",
                 *           "name": "Papeterie Dubois SA"
                 *         },
                 *         "number": "F-2026-0117",
                 *         "issue_date": "2026-02-27",
                 *         "currency": "EUR",
                 *         "gross": "1210.00",
                 *         "valid": true,
                 *         "links": {
                 *           "self": "/v1/received/rcv_01k3w9v2x4m6n8p0q2r4s6t8v0",
                 *           "document": "/v1/received/rcv_01k3w9v2x4m6n8p0q2r4s6t8v0/document"
                 *         }
                 *       },
                 *       "ts": "2026-03-02T08:15:30.412Z",
                 *       "signature": "sha256=5f3c9ad15f3c9ad15f3c9ad15f3c9ad15f3c9ad15f3c9ad15f3c9ad15f3c9ad1"
                 *     }
                 */
                "application/json": components["schemas"]["DocumentReceivedEvent"];
            };
        };
        responses: {
            /** @description It is taken. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is sent again later: see docs/webhooks.md. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "on document.rejection_ends": {
        parameters: {
            query?: never;
            header: {
                /** @description The same for every attempt: drop those that you have seen. */
                "webhook-id": string;
                /** @description When it was signed, in seconds. */
                "webhook-timestamp": string;
                /** @description By Standard Webhooks. */
                "webhook-signature": string;
                /** @description As in the body; one of each live secret. */
                "x-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "event": "document.rejection_ends",
                 *       "id": "rcv_01k3w9v2x4m6n8p0q2r4s6t8v0",
                 *       "timestamp": "2026-03-02T08:15:30.000Z",
                 *       "data": {
                 *         "rejectable_until": "2026-03-02T08:15:30.000Z",
                 *         "supplier": {
                 *           "id": "C20830570210",
                 *           "name": "Kedai Buku Sentosa"
                 *         },
                 *         "number": "INV-2026-0117",
                 *         "gross": "530.00",
                 *         "currency": "MYR",
                 *         "links": {
                 *           "self": "/v1/received/rcv_01k3w9v2x4m6n8p0q2r4s6t8v0"
                 *         }
                 *       },
                 *       "ts": "2026-03-02T08:15:30.412Z",
                 *       "signature": "sha256=5f3c9ad15f3c9ad15f3c9ad15f3c9ad15f3c9ad15f3c9ad15f3c9ad15f3c9ad1"
                 *     }
                 */
                "application/json": components["schemas"]["DocumentRejectionEndsEvent"];
            };
        };
        responses: {
            /** @description It is taken. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is sent again later: see docs/webhooks.md. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "on document.rejection_unanswered": {
        parameters: {
            query?: never;
            header: {
                /** @description The same for every attempt: drop those that you have seen. */
                "webhook-id": string;
                /** @description When it was signed, in seconds. */
                "webhook-timestamp": string;
                /** @description By Standard Webhooks. */
                "webhook-signature": string;
                /** @description As in the body; one of each live secret. */
                "x-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "event": "document.rejection_unanswered",
                 *       "id": "rcv_01k3w9v2x4m6n8p0q2r4s6t8v0",
                 *       "timestamp": "2026-03-02T08:15:30.000Z",
                 *       "data": {
                 *         "rejectable_until": "2026-03-02T08:15:30.000Z",
                 *         "supplier": {
                 *           "id": "C20830570210",
                 *           "name": "Kedai Buku Sentosa"
                 *         },
                 *         "number": "INV-2026-0117",
                 *         "gross": "530.00",
                 *         "currency": "MYR",
                 *         "links": {
                 *           "self": "/v1/received/rcv_01k3w9v2x4m6n8p0q2r4s6t8v0"
                 *         }
                 *       },
                 *       "ts": "2026-03-02T08:15:30.412Z",
                 *       "signature": "sha256=5f3c9ad15f3c9ad15f3c9ad15f3c9ad15f3c9ad15f3c9ad15f3c9ad15f3c9ad1"
                 *     }
                 */
                "application/json": components["schemas"]["DocumentRejectionUnansweredEvent"];
            };
        };
        responses: {
            /** @description It is taken. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is sent again later: see docs/webhooks.md. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "on document.unreadable": {
        parameters: {
            query?: never;
            header: {
                /** @description The same for every attempt: drop those that you have seen. */
                "webhook-id": string;
                /** @description When it was signed, in seconds. */
                "webhook-timestamp": string;
                /** @description By Standard Webhooks. */
                "webhook-signature": string;
                /** @description As in the body; one of each live secret. */
                "x-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "event": "document.unreadable",
                 *       "id": "rcv_01k3w9v2x4m6n8p0q2r4s6t8v0",
                 *       "timestamp": "2026-03-02T08:15:30.000Z",
                 *       "data": {
                 *         "source": "cnx_01k3w9v2x4m6n8p0q2r4s6t8v0",
                 *         "network_id": "<cafe@supplier.example>/logo.png#0123456789abcdef",
                 *         "reason": "It has no number, without which it is no invoice.",
                 *         "links": {
                 *           "self": "/v1/received/rcv_01k3w9v2x4m6n8p0q2r4s6t8v0",
                 *           "document": "/v1/received/rcv_01k3w9v2x4m6n8p0q2r4s6t8v0/document"
                 *         }
                 *       },
                 *       "ts": "2026-03-02T08:15:30.412Z",
                 *       "signature": "sha256=5f3c9ad15f3c9ad15f3c9ad15f3c9ad15f3c9ad15f3c9ad15f3c9ad15f3c9ad1"
                 *     }
                 */
                "application/json": components["schemas"]["DocumentUnreadableEvent"];
            };
        };
        responses: {
            /** @description It is taken. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is sent again later: see docs/webhooks.md. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "on document.cancelled": {
        parameters: {
            query?: never;
            header: {
                /** @description The same for every attempt: drop those that you have seen. */
                "webhook-id": string;
                /** @description When it was signed, in seconds. */
                "webhook-timestamp": string;
                /** @description By Standard Webhooks. */
                "webhook-signature": string;
                /** @description As in the body; one of each live secret. */
                "x-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "event": "document.cancelled",
                 *       "id": "rcv_01k3w9v2x4m6n8p0q2r4s6t8v0",
                 *       "timestamp": "2026-03-02T08:15:30.000Z",
                 *       "data": {
                 *         "cancelled_at": "2026-03-01T08:15:30.000Z",
                 *         "reason": "wrong buyer",
                 *         "in_erp": true,
                 *         "supplier": {
                 *           "id": "C20830570210",
                 *           "name": "Kedai Buku Sentosa"
                 *         },
                 *         "number": "INV-2026-0117",
                 *         "gross": "530.00",
                 *         "currency": "MYR",
                 *         "links": {
                 *           "self": "/v1/received/rcv_01k3w9v2x4m6n8p0q2r4s6t8v0"
                 *         }
                 *       },
                 *       "ts": "2026-03-02T08:15:30.412Z",
                 *       "signature": "sha256=5f3c9ad15f3c9ad15f3c9ad15f3c9ad15f3c9ad15f3c9ad15f3c9ad15f3c9ad1"
                 *     }
                 */
                "application/json": components["schemas"]["DocumentCancelledEvent"];
            };
        };
        responses: {
            /** @description It is taken. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is sent again later: see docs/webhooks.md. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "on document.draft_kept": {
        parameters: {
            query?: never;
            header: {
                /** @description The same for every attempt: drop those that you have seen. */
                "webhook-id": string;
                /** @description When it was signed, in seconds. */
                "webhook-timestamp": string;
                /** @description By Standard Webhooks. */
                "webhook-signature": string;
                /** @description As in the body; one of each live secret. */
                "x-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "event": "document.draft_kept",
                 *       "id": "rcv_01k3w9v2x4m6n8p0q2r4s6t8v0",
                 *       "timestamp": "2026-03-02T08:15:30.000Z",
                 *       "data": {
                 *         "reason": "einv_received: somebody has gone on with the draft of rcv_01k3w9v2x4m6n8p0q2r4s6t8v0, for status is \"posted\" and not \"draft\"",
                 *         "supplier": {
                 *           "id": "C20830570210",
                 *           "name": "Kedai Buku Sentosa"
                 *         },
                 *         "number": "INV-2026-0117",
                 *         "gross": "530.00",
                 *         "currency": "MYR",
                 *         "links": {
                 *           "self": "/v1/received/rcv_01k3w9v2x4m6n8p0q2r4s6t8v0"
                 *         }
                 *       },
                 *       "ts": "2026-03-02T08:15:30.412Z",
                 *       "signature": "sha256=5f3c9ad15f3c9ad15f3c9ad15f3c9ad15f3c9ad15f3c9ad15f3c9ad15f3c9ad1"
                 *     }
                 */
                "application/json": components["schemas"]["DocumentDraftKeptEvent"];
            };
        };
        responses: {
            /** @description It is taken. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is sent again later: see docs/webhooks.md. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "on endpoint.disabled": {
        parameters: {
            query?: never;
            header: {
                /** @description The same for every attempt: drop those that you have seen. */
                "webhook-id": string;
                /** @description When it was signed, in seconds. */
                "webhook-timestamp": string;
                /** @description By Standard Webhooks. */
                "webhook-signature": string;
                /** @description As in the body; one of each live secret. */
                "x-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "event": "endpoint.disabled",
                 *       "id": "whe_01k3w9v2x4m6n8p0q2r4s6t8v0",
                 *       "timestamp": "2026-03-02T08:15:30.000Z",
                 *       "data": {
                 *         "reason": "no answer with 2xx for five days",
                 *         "url": "https://erp.example.com/hooks"
                 *       },
                 *       "ts": "2026-03-02T08:15:30.412Z",
                 *       "signature": "sha256=5f3c9ad15f3c9ad15f3c9ad15f3c9ad15f3c9ad15f3c9ad15f3c9ad15f3c9ad1"
                 *     }
                 */
                "application/json": components["schemas"]["EndpointDisabledEvent"];
            };
        };
        responses: {
            /** @description It is taken. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is sent again later: see docs/webhooks.md. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "on work.stalled": {
        parameters: {
            query?: never;
            header: {
                /** @description The same for every attempt: drop those that you have seen. */
                "webhook-id": string;
                /** @description When it was signed, in seconds. */
                "webhook-timestamp": string;
                /** @description By Standard Webhooks. */
                "webhook-signature": string;
                /** @description As in the body; one of each live secret. */
                "x-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "event": "work.stalled",
                 *       "id": "brc_01k3w9v2x4m6n8p0q2r4s6t8v0",
                 *       "timestamp": "2026-03-02T08:15:30.000Z",
                 *       "data": {
                 *         "reason": "The service could not do this and has stopped trying; its operator was told.",
                 *         "queue": "broadcast"
                 *       },
                 *       "ts": "2026-03-02T08:15:30.412Z",
                 *       "signature": "sha256=5f3c9ad15f3c9ad15f3c9ad15f3c9ad15f3c9ad15f3c9ad15f3c9ad15f3c9ad1"
                 *     }
                 */
                "application/json": components["schemas"]["WorkStalledEvent"];
            };
        };
        responses: {
            /** @description It is taken. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is sent again later: see docs/webhooks.md. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "on webhook.test": {
        parameters: {
            query?: never;
            header: {
                /** @description The same for every attempt: drop those that you have seen. */
                "webhook-id": string;
                /** @description When it was signed, in seconds. */
                "webhook-timestamp": string;
                /** @description By Standard Webhooks. */
                "webhook-signature": string;
                /** @description As in the body; one of each live secret. */
                "x-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "event": "webhook.test",
                 *       "id": "whe_01k3w9v2x4m6n8p0q2r4s6t8v0",
                 *       "timestamp": "2026-03-02T08:15:30.000Z",
                 *       "ts": "2026-03-02T08:15:30.412Z",
                 *       "signature": "sha256=5f3c9ad15f3c9ad15f3c9ad15f3c9ad15f3c9ad15f3c9ad15f3c9ad15f3c9ad1"
                 *     }
                 */
                "application/json": components["schemas"]["WebhookTestEvent"];
            };
        };
        responses: {
            /** @description It is taken. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is sent again later: see docs/webhooks.md. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}
