import { createdBy, type TableEntries } from './table-entry.ts'

/** Tables that the archive leaves out, with the reason. */
export const tablesOutsideArchive = {
  sessions: { archive: 'Secret: sessions. Members sign in again.', exported: 'sessions' },
  refreshTokens: {
    archive: 'Secret: sessions.',
    exported: { leftOut: 'hashes of session tokens; the sessions are exported' },
  },
  mfaAmrClaims: { archive: 'Part of sessions.', exported: 'sessions' },
  mfaFactors: {
    archive: 'Secret: second factors. Members set them up again.',
    exported: {
      as: 'mfaFactors',
      columns: [
        'factorType as type',
        'status',
        'friendlyName as name',
        'phone',
        'createdAt',
        'lastChallengedAt as lastUsedAt',
      ],
    },
  },
  mfaChallenges: {
    archive: 'Secret: second factors.',
    exported: { leftOut: 'two-step challenges that expire within minutes' },
  },
  backupCodes: {
    archive: 'Secret: second factors.',
    exported: { as: 'backupCodes', columns: ['createdAt', 'usedAt'] },
  },
  webauthnCredentials: {
    archive: 'Passkeys work only at the address that they were made for.',
    exported: {
      as: 'passkeys',
      columns: ['friendlyName as name', 'transports', 'backedUp', 'createdAt', 'lastUsedAt'],
    },
  },
  webauthnChallenges: {
    archive: 'Secret: passkeys.',
    exported: { leftOut: 'passkey challenges that expire within minutes' },
  },
  oneTimeTokens: {
    archive: 'Secret: emailed links and codes.',
    exported: { leftOut: 'hashes of email codes that expire within an hour' },
  },
  flowState: {
    archive: 'Secret: emailed links.',
    exported: { leftOut: 'hashes of sign-in codes that expire within minutes' },
  },
  oauthClients: { archive: 'Programs that asked for a connection here.' },
  oauthAuthorizations: {
    archive: 'Requests for a connection, which end within minutes.',
    exported: { leftOut: 'requests for a connection that end within minutes' },
  },
  oauthConsents: { archive: 'Secret: connections. Members connect their assistants again.', exported: 'connections' },
  oauthTokenFamilies: {
    archive: 'Secret: connections.',
    exported: { leftOut: 'hashes of connection tokens; the connections are exported' },
  },
  knownAddresses: { archive: 'IP addresses of the last 90 days, for security only.', exported: 'knownIpAddresses' },
  trustedDevices: {
    archive: 'Part of sessions.',
    exported: { as: 'trustedDevices', columns: ['userAgent', 'createdAt as trustedAt', 'expiresAt as trustedUntil'] },
  },
  signingKeys: { archive: 'Secret: keys of this installation.' },
  auditLogEntries: { archive: 'The security log of this installation, with IP addresses.', exported: 'securityEvents' },
  teamInvitation: { archive: 'Secret: open invitations. Owners invite again.', exported: 'team' },
  teamDomain: {
    archive: 'Owners prove their domains again.',
    exported: { as: 'teamDomains', of: 'ownerId', columns: ['domain', 'email', 'createdAt', 'provenAt'] },
  },
  staffInvitations: {
    archive: 'Secret: open invitations. Owners invite again.',
    exported: { as: 'staffInvitations', of: 'invitedById', columns: ['email', 'role', 'sentAt'], order: ['email'] },
  },
  taskLink: { archive: 'Secret: links to tasks. Teams make new ones.', exported: 'taskLinks' },
  taskPhoto: { archive: 'Photos of tasks are deleted after 90 days and never leave the server.' },
  shareLinks: {
    archive: 'Secret: links to single items. Members make new ones.',
    exported: {
      as: 'sharedLinks',
      columns: ['kind', 'itemId as id', 'showsBusiness', 'createdAt', 'expiresAt'],
      order: ['createdAt desc'],
    },
  },
  viewAsSessions: {
    archive: 'Secret: sessions of staff. The security log records them.',
    exported: {
      as: 'viewedByStaff',
      columns: ['createdAt as startedAt', 'expiresAt', 'endedAt'],
      order: ['createdAt', 'id'],
    },
  },
  apiKeys: {
    archive: 'Secret: keys of the API. Owners make new ones.',
    edited: createdBy('apiKeys', 'name'),
  },
  apiRequests: { archive: 'Temporary: answers to repeated requests.' },
  webhookEndpoints: { archive: 'Secret: each address has a signing secret. Owners add them again.' },
  webhookEvents: { archive: 'Temporary: events for webhooks.' },
  webhookDeliveries: { archive: 'Temporary: events for webhooks.' },
  webhookAttempts: { archive: 'Temporary: events for webhooks.' },
  pendingCheckout: { archive: 'Open checkouts, which end by themselves.', exported: 'billing' },
  stripeEvent: { archive: 'Stripe keeps its events.', exported: 'billing' },
  memberFacts: {
    archive: 'Copies of other tables, made again by triggers.',
    exported: { leftOut: 'copies of what the account’s other tables contain, for the publisher’s list of members' },
  },
  bulkActions: { archive: 'Changes of many members that can be undone here. What they changed is archived.' },
  bulkActionMembers: {
    archive: 'Part of the changes of many members.',
    exported: { leftOut: 'which changes of many members included this one; the changes themselves are exported' },
  },
  archives: { archive: 'Archives like this one.' },
  backups: { archive: 'Backups of this installation.', backedUp: false },
  backfills: { archive: 'Progress of updates of this server.' },
  memberImports: { archive: 'Uploaded files with members. Those imported are in the archive.' },
  memberImportChunks: { archive: 'Uploaded files with members.' },
  memberImportRows: {
    archive: 'Uploaded files with members.',
    exported: { leftOut: 'lines of an uploaded file, deleted when the import ends; refused ones after 30 days' },
  },
  stripeAdoption: { archive: 'Temporary: lists of subscriptions read from Stripe.' },
  stripeAdoptionSubscription: { archive: 'Temporary: lists of subscriptions read from Stripe.' },
  postImports: { archive: 'Uploaded files with posts. What came of them is in the archive.' },
  postImportItems: { archive: 'Uploaded files with posts.' },
  staffEvent: { archive: 'Temporary: what the next emails to staff are about.' },
  seriesEvent: {
    archive: 'Temporary: what may make members enter a series, for a minute.',
    exported: { leftOut: 'facts that make someone enter a series, deleted within minutes; the series are exported' },
  },
  seriesSegmentMember: {
    archive: 'Temporary: who is in the segments that series wait for.',
    exported: { leftOut: 'who matches a saved filter, compared every 15 minutes; the series are exported' },
  },
  staffEmailSent: { archive: 'Temporary: when staff last got an email.' },
  replyMailbox: { archive: 'How far the mailbox of replies has been read by this server.' },
  rateLimits: { archive: 'Temporary: rate limits.' },
  leases: { archive: 'Temporary: locks between nodes.', backedUp: false },
  senders: { archive: 'Temporary: running sender processes.' },
  throttleUsage: { archive: 'Temporary: emails per minute.' },
  pushSubscription: {
    archive: 'Secret: devices with push messages. Members turn them on again.',
    exported: { as: 'pushDevices', columns: ['kinds', 'quiet', 'createdAt'], order: ['createdAt'] },
  },
  memberFeeds: {
    archive: 'Secret: addresses of feeds. Members get new ones.',
    exported: { as: 'feed', single: true, columns: ['changedAt'] },
  },
  feedFetch: {
    archive: 'Temporary: apps that fetched members’ feeds.',
    exported: { as: 'feedFetches', columns: ['day', 'app'], order: ['day'] },
  },
  pageVisits: { archive: 'Counts of the last 90 days at this address.' },
  visitors: { archive: 'Temporary: where visitors of today came from.' },
  counters: { archive: 'Counted again by triggers.' },
  searchVocabulary: { archive: 'Computed from the content.' },
} as const satisfies Partial<TableEntries>
