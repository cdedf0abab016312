/** What happens to accounts, each with the words that the publisher and the account's owner read. */
const accountEvents = {
  signed_up: 'Signed up',
  signed_in: 'Signed in',
  sign_in_failed: 'Sign-in failed',
  sign_in_locked: 'Sign-in locked after many tries',
  sign_in_unlocked: 'Sign-in was unlocked',
  signed_out: 'Signed out',
  session_ended: 'A session was ended',
  refresh_token_reused: 'An old session key was used again; the session was ended',
  recovery_requested: 'Asked for a new password by mail',
  password_reset_sent: 'Was sent a link to choose a new password',
  confirmation_resent: 'Was sent the confirmation email again',
  address_confirmed: 'Confirmed the address',
  password_changed: 'Changed the password',
  former_access_ended: 'Proved the address; password, second step and passkeys from before were removed',
  email_change_requested: 'Asked to change the address',
  email_changed: 'Changed the address',
  factor_enrolled: 'Added a second step',
  factor_removed: 'Removed a second step',
  second_factor_failed: 'Second step failed',
  second_factor_passed: 'Passed the second step',
  backup_codes_created: 'Made new backup codes',
  backup_code_used: 'Used a backup code',
  passkey_added: 'Added a passkey',
  passkey_removed: 'Removed a passkey',
  identity_confirmed: 'Confirmed who they are',
  data_exported: 'Downloaded their data',
  account_deleted: 'Deleted the account',
  account_disabled: 'Account was disabled',
  account_enabled: 'Account was enabled again',
  user_created: 'Account was made by an operator',
  user_updated: 'Account was changed by an operator',
  user_invited: 'Was invited',
  team_invitation_sent: 'Invited somebody to the team',
  team_joined: 'Joined a team',
  team_left: 'Left a team',
  team_removed: 'Was removed from a team',
  team_handed_over: 'Handed a team over',
  team_taken_over: 'Took a team over',
  access_granted: 'Was given complimentary access',
  access_revoked: 'Complimentary access was taken back',
  admin_granted: 'Became admin',
  admin_revoked: 'Is no longer admin',
  signing_keys_rotated: 'Signing keys were rotated',
} as const

/** What admins do: one line for each call that changes something. */
const publishingEvents = {
  content_created: 'Created content',
  content_edited: 'Edited content',
  content_restored: 'Restored an earlier version',
  content_published: 'Published content',
  publishing_scheduled: 'Scheduled publishing',
  publishing_canceled: 'Canceled scheduled publishing',
  publishing_failed: 'Scheduled publishing failed',
  publishing_alert_dismissed: 'Dismissed the alert of failed publishing',
  content_unpublished: 'Unpublished content',
  content_deleted: 'Deleted a draft',
  content_reordered: 'Changed the order of content',
  block_saved: 'Saved a block',
  block_deleted: 'Deleted a block',
  image_uploaded: 'Uploaded an image',
  image_deleted: 'Deleted an image',
  guide_file_uploaded: 'Uploaded a guide file',
} as const

const newsletterEvents = {
  mailing_created: 'Created a mailing',
  mailing_edited: 'Edited a mailing',
  mailing_deleted: 'Deleted a mailing draft',
  mailing_sent: 'Sent a mailing',
  mailing_scheduled: 'Scheduled a mailing',
  mailing_updated: 'Updated a scheduled mailing to the latest text',
  mailing_alert_dismissed: 'Dismissed the alert of a mailing',
  mailing_unscheduled: 'Turned a scheduled mailing back into a draft',
  mailing_paused: 'Paused a mailing',
  mailing_resumed: 'Resumed a mailing',
  mailing_stopped: 'Stopped a mailing',
  test_email_sent: 'Test email was sent',
  mailing_resent: 'Sent a mailing to one more member',
  letters_resent: 'Sent letters again whose fate was unknown',
  deliveries_exported: 'Exported deliveries',
  segment_saved: 'Saved a segment',
  segment_deleted: 'Deleted a segment',
  newsletter_settings_changed: 'Changed newsletter settings',
  address_suppressed: 'Address was suppressed',
  suppression_lifted: 'Suppression was lifted',
} as const

const billingEvents = {
  stripe_checked: 'Plan was compared with Stripe',
} as const

/** As the audit log offers them for filtering. */
export const eventGroups = {
  Accounts: accountEvents,
  Publishing: publishingEvents,
  Newsletter: newsletterEvents,
  Billing: billingEvents,
} as const

/** Everything that the audit log records. */
export const securityEvents = { ...accountEvents, ...publishingEvents, ...newsletterEvents, ...billingEvents } as const

export type SecurityEvent = keyof typeof securityEvents
/** What `recordAdminEvent` takes. */
export type AdminEvent = keyof typeof publishingEvents | keyof typeof newsletterEvents | keyof typeof billingEvents

export const auditObjectKinds = [
  'issue',
  'prompt-pack',
  'guide',
  'tool',
  'block',
  'image',
  'mailing',
  'segment',
] as const
/** Which thing it was, and what it was called then: the log outlives it. */
export type AuditObject = { kind: (typeof auditObjectKinds)[number]; id: string; name: string }

export const securityEventNames = Object.keys(securityEvents) as [SecurityEvent, ...SecurityEvent[]]
