type FixedEmail = {
  what: string
  /** Why its text can't be changed in the settings. */
  why: string
  /** Names of the emails, for a test that none is missing. */
  emails: readonly string[]
}

/** All emails that the settings don't offer. */
export const fixedEmails: readonly FixedEmail[] = [
  {
    what: 'Drops, digests and news',
    why: 'You write each of them under Newsletter.',
    emails: ['issue', 'digest', 'news'],
  },
  {
    what: 'Emails of series',
    why: 'You write each of them under Newsletter, Series.',
    emails: ['series'],
  },
  {
    what: 'Emails to one member',
    why: 'You write each of them on the member’s page.',
    emails: ['personal'],
  },
  {
    what: '“Did it work?”',
    why: 'It asks each member about what they tried, and the answers are counted by its buttons.',
    emails: ['follow-up'],
  },
  {
    what: 'Staff invitations and changes of roles',
    why: 'They go to your staff and say what a role may do.',
    emails: [
      'staff-invitation',
      'staff-role',
      'staff-suspended',
      'staff-reactivated',
      'staff-removed',
      'staff-joined',
      'staff-new-owner',
    ],
  },
  {
    what: 'Emails that staff choose',
    why: 'They go to your staff, who turn each of them on for themselves.',
    emails: ['staff-events', 'staff-summary'],
  },
  {
    what: 'Alerts',
    why: 'They tell you and your staff what failed: mailings, scheduled drops, backups, webhooks and second plans.',
    emails: [
      'mailing-not-sent',
      'mailing-paused',
      'publishing-failed',
      'backup-problem',
      'webhook-failures',
      'duplicate-report',
    ],
  },
]
