import { accountParts } from './account.ts'
import { billingParts } from './billing.ts'
import { businessProfileParts } from './business-profile.ts'
import { editorialParts } from './editorial-work.ts'
import { emailParts } from './email.ts'
import type { ExportParts } from './export-part.ts'
import { freshnessParts } from './freshness.ts'
import { memberParts } from './members.ts'
import { savedParts } from './saved.ts'
import { sharingParts } from './sharing.ts'
import { signInParts } from './sign-in.ts'
import { teamParts } from './team.ts'
import { triesParts } from './tries.ts'

/** Parts list their columns one by one, so that a new column, hash or key never reaches an export by accident. */
export const exportedData: ExportParts = {
  ...accountParts,
  ...signInParts,
  ...billingParts,
  ...teamParts,
  ...businessProfileParts,
  ...triesParts,
  ...emailParts,
  ...memberParts,
  ...savedParts,
  ...editorialParts,
  ...sharingParts,
  ...freshnessParts,
}

/** Tables about an account that the export omits, with the reason. */
export const omittedTables: Readonly<Record<string, string>> = {
  'auth.refresh_tokens': 'hashes of session tokens; the sessions are exported',
  'auth.one_time_tokens': 'hashes of email codes that expire within an hour',
  'auth.flow_state': 'hashes of sign-in codes that expire within minutes',
  'auth.mfa_challenges': 'two-step challenges that expire within minutes',
  'auth.webauthn_challenges': 'passkey challenges that expire within minutes',
  'public.member_import_rows': 'lines of an uploaded file, deleted when the import ends; refused ones after 30 days',
  'public.trial_usage': 'hashes of email addresses; the subscription says whether a trial was used',
  'public.bulk_action_members': 'which changes of many members included this one; the changes themselves are exported',
  'public.member_facts': 'copies of what the account’s other tables contain, for the publisher’s list of members',
  'public.revenue_change': 'totals of invoices, which are exported',
  'public.revenue_customer': 'when those totals were computed',
}
