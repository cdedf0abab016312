/** Account events with the labels that admins and account owners see. */
const accountEvents = {
  signed_up: 'Signed up',
  signed_in: 'Signed in',
  sign_in_failed: 'Sign-in failed',
  sign_in_locked: 'Sign-in locked after too many attempts',
  sign_in_unlocked: 'Sign-in unlocked',
  signed_out: 'Signed out',
  session_ended: 'Ended a session',
  refresh_token_reused: 'Old refresh token reused; session ended',
  recovery_requested: 'Requested a password reset',
  password_reset_sent: 'Password reset email sent',
  confirmation_resent: 'Confirmation email resent',
  address_confirmed: 'Confirmed the email address',
  password_changed: 'Changed the password',
  former_access_ended: 'Confirmed the email address; earlier password, two-step methods, and passkeys removed',
  email_change_requested: 'Requested an email address change',
  email_change_started: 'Email address change started by the publisher',
  email_changed: 'Changed the email address',
  factor_enrolled: 'Added a two-step method',
  factor_removed: 'Removed a two-step method',
  second_factor_failed: 'Two-step verification failed',
  second_factor_passed: 'Completed two-step verification',
  device_trusted: 'Trusted a device for 30 days',
  device_trust_ended: 'Stopped trusting a device',
  backup_codes_created: 'Created new backup codes',
  backup_code_used: 'Used a backup code',
  passkey_added: 'Added a passkey',
  passkey_removed: 'Removed a passkey',
  identity_confirmed: 'Confirmed their identity',
  data_exported: 'Downloaded their data',
  account_deleted: 'Deleted the account',
  account_disabled: 'Account disabled',
  account_enabled: 'Account enabled',
  user_created: 'Account created by an operator',
  user_updated: 'Account changed by an operator',
  user_invited: 'Invited',
  member_imported: 'Account imported',
  team_invitation_sent: 'Invited a team member',
  team_joined: 'Joined a team',
  team_left: 'Left a team',
  team_removed: 'Removed from a team',
  team_handed_over: 'Transferred a team',
  team_taken_over: 'Took over a team',
  access_granted: 'Complimentary access granted',
  access_revoked: 'Complimentary access revoked',
  admin_granted: 'Became an admin',
  admin_revoked: 'No longer an admin',
  signing_keys_rotated: 'Signing keys rotated',
} as const

/** Admin events: one entry per call that changes something. */
const publishingEvents = {
  content_created: 'Created content',
  content_edited: 'Edited content',
  content_restored: 'Restored an earlier version',
  content_published: 'Published content',
  publishing_scheduled: 'Scheduled publishing',
  publishing_canceled: 'Canceled scheduled publishing',
  publishing_failed: 'Scheduled publishing failed',
  publishing_alert_dismissed: 'Dismissed a publishing alert',
  content_unpublished: 'Unpublished content',
  content_deleted: 'Deleted a draft',
  content_undeleted: 'Restored a deleted draft',
  content_reordered: 'Reordered content',
  samples_removed: 'Removed the sample content',
  samples_restored: 'Put the sample content back',
  block_saved: 'Saved a block',
  block_deleted: 'Deleted a block',
  site_page_saved: 'Saved a page',
  site_page_deleted: 'Deleted a page',
  image_uploaded: 'Uploaded an image',
  image_deleted: 'Deleted an image',
  guide_file_uploaded: 'Uploaded a guide file',
  trust_pages_changed: 'Changed the trust pages',
  publication_settings_changed: 'Changed the publication’s settings',
} as const

const newsletterEvents = {
  mailing_created: 'Created a mailing',
  mailing_edited: 'Edited a mailing',
  mailing_deleted: 'Deleted a mailing draft',
  mailing_sent: 'Sent a mailing',
  mailing_scheduled: 'Scheduled a mailing',
  series_saved: 'Saved a series',
  series_turned_on: 'Turned a series on',
  series_paused: 'Paused a series',
  series_deleted: 'Deleted a series',
  mailing_updated: 'Updated a scheduled mailing to the latest text',
  mailing_alert_dismissed: 'Dismissed a mailing alert',
  mailing_unscheduled: 'Turned a scheduled mailing back into a draft',
  mailing_paused: 'Paused a mailing',
  mailing_resumed: 'Resumed a mailing',
  mailing_stopped: 'Stopped a mailing',
  test_email_sent: 'Sent a test email',
  mailing_resent: 'Sent a mailing to one more member',
  letters_resent: 'Resent emails with an unknown outcome',
  deliveries_exported: 'Exported deliveries',
  segment_saved: 'Saved a segment',
  segment_deleted: 'Deleted a segment',
  newsletter_settings_changed: 'Changed newsletter settings',
  newsletter_created: 'Created a newsletter',
  newsletter_changed: 'Changed a newsletter',
  newsletter_retired: 'Retired a newsletter',
  newsletter_restored: 'Put a newsletter back in use',
  newsletters_ordered: 'Changed the order of the newsletters',
  address_suppressed: 'Address suppressed',
  suppression_lifted: 'Suppression removed',
} as const

const memberEvents = {
  member_file_uploaded: 'Uploaded a file of members',
  members_import_started: 'Started importing members',
  members_import_canceled: 'Canceled importing members',
  members_imported: 'Imported members',
  member_renamed: 'Changed a member’s name',
  member_tagged: 'Changed a member’s tags',
  member_fields_changed: 'Changed a member’s fields',
  custom_field_created: 'Created a field',
  custom_field_changed: 'Changed a field',
  custom_field_retired: 'Retired a field',
  custom_field_restored: 'Put a field back in use',
  custom_fields_ordered: 'Changed the order of the fields',
  member_view_saved: 'Saved a view of the members list',
  member_view_deleted: 'Deleted a view of the members list',
  members_changed: 'Changed many members',
  members_change_undone: 'Undid a change of many members',
  members_change_stopped: 'Stopped a change of many members: the person running it lost their role',
  members_exported: 'Exported members',
  member_note_added: 'Added a note about a member',
  member_note_edited: 'Edited a note about a member',
  member_note_deleted: 'Deleted a note about a member',
  member_sessions_ended: 'Signed out by the publisher',
  view_as_started: 'The publisher viewed the portal as this account',
  view_as_ended: 'The publisher stopped viewing the portal as this account',
} as const

/** Access to the admin, from the staff page. Commands record `admin_granted` and `admin_revoked`. */
const staffEvents = {
  staff_invited: 'Invited someone to the staff',
  staff_invitation_revoked: 'Revoked a staff invitation',
  staff_joined: 'Joined the staff',
  staff_role_changed: 'Changed a staff role',
  staff_suspended: 'Suspended a staff member',
  staff_reactivated: 'Reactivated a staff member',
  staff_removed: 'Removed a staff member',
  ownership_transferred: 'Transferred ownership',
  staff_log_exported: 'Exported the staff log',
  api_key_created: 'Created an API key',
  api_key_revoked: 'Revoked an API key',
  member_created: 'Created a member',
  webhook_created: 'Added a webhook',
  webhook_changed: 'Changed a webhook',
  webhook_deleted: 'Deleted a webhook',
  webhook_disabled: 'Webhook disabled after repeated failures',
  webhook_secret_rotated: 'Replaced the signing secret of a webhook',
  webhook_replayed: 'Sent a webhook event again',
} as const

const billingEvents = {
  stripe_checked: 'Plan synced with Stripe',
  stripe_subscriptions_listed: 'Listed the Stripe account’s subscriptions',
  stripe_price_mapped: 'Assigned a Stripe price to a plan',
  stripe_adoption_started: 'Started adopting Stripe subscriptions',
  stripe_adoption_canceled: 'Canceled adopting Stripe subscriptions',
  stripe_customer_adopted: 'Linked a Stripe customer',
  invoice_refunded: 'Refunded an invoice',
  member_plan_canceled: 'Canceled a member’s plan',
  member_plan_kept: 'Undid the cancellation of a member’s plan',
  member_plan_switched: 'Switched a member’s plan',
  balance_credited: 'Added credit for future invoices',
  offer_created: 'Created an offer',
  offer_ended: 'Ended an offer',
  gift_settings_changed: 'Changed the settings of gifts',
  gift_refunded: 'Refunded a gift',
  plan_created: 'Created a plan',
  plan_changed: 'Changed a plan',
  plan_retired: 'Retired a plan',
  plan_restored: 'Put a plan back on sale',
  plans_ordered: 'Changed the order of the plans',
} as const

const dataEvents = {
  archive_requested: 'Created an archive of everything',
  archive_downloaded: 'Downloaded an archive of everything',
  archive_deleted: 'Deleted an archive of everything',
  backup_started: 'Started a backup',
  automatic_email_resumed: 'Turned automatic email on again after a restore',
  archive_imported: 'Imported an archive of everything',
  posts_uploaded: 'Uploaded a file with posts',
  posts_import_started: 'Imported posts',
  posts_import_canceled: 'Canceled an import of posts',
} as const

/** Filter groups of the audit log. */
export const eventGroups = {
  Accounts: accountEvents,
  Publishing: publishingEvents,
  Newsletter: newsletterEvents,
  Members: memberEvents,
  Staff: staffEvents,
  Billing: billingEvents,
  'Import and export': dataEvents,
} as const

/** All events in the audit log. */
export const securityEvents = {
  ...accountEvents,
  ...publishingEvents,
  ...newsletterEvents,
  ...memberEvents,
  ...staffEvents,
  ...billingEvents,
  ...dataEvents,
} as const

export type SecurityEvent = keyof typeof securityEvents
export type AdminEvent =
  | keyof typeof publishingEvents
  | keyof typeof newsletterEvents
  | keyof typeof memberEvents
  | keyof typeof staffEvents
  | keyof typeof billingEvents
  | keyof typeof dataEvents

/** Staff's own bookkeeping about a member, which the member's security page leaves out. */
export const staffOnlyEvents: readonly SecurityEvent[] = [
  'member_tagged',
  'member_fields_changed',
  'member_note_added',
  'member_note_edited',
  'member_note_deleted',
]

export const auditObjectKinds = [
  'issue',
  'prompt-pack',
  'guide',
  'tool',
  'block',
  'page',
  'image',
  'mailing',
  'segment',
  'member-view',
  'invoice',
  'api-key',
  'webhook',
  'offer',
  'plan',
  'series',
  'custom-field',
  'newsletter',
  'gift',
] as const
/** The object of an event, with its name at that time, because the log outlives it. */
export type AuditObject = { kind: (typeof auditObjectKinds)[number]; id: string; name: string }

export const securityEventNames = Object.keys(securityEvents) as [SecurityEvent, ...SecurityEvent[]]
