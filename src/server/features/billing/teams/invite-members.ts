import type { Caller } from '#server/http/principal.ts'
import type { InvitedAddress } from '#shared/contracts/billing/teams.ts'
import { AppError } from '#shared/errors.ts'
import { inviteAddress, requireAddress, requireInviter } from './invite-member.ts'
import type { TeamDeps } from './team-queries.ts'

/**
 * Invites several people. Each address has its own result, and a repeated request invites no one twice.
 * @throws AppError address_not_confirmed, no_team_plan, already_in_team
 */
export async function inviteMembers(
  deps: TeamDeps,
  caller: Caller,
  given: readonly string[],
): Promise<{ results: InvitedAddress[] }> {
  requireInviter(caller)
  const results: InvitedAddress[] = []
  for (const text of new Set(given)) {
    results.push({ email: text.trim(), result: await inviteOne(deps, caller, text) })
  }
  return { results }
}

async function inviteOne(deps: TeamDeps, caller: Caller, text: string): Promise<InvitedAddress['result']> {
  try {
    const isSent = await inviteAddress(deps, caller, requireAddress(deps, text), { onlyFresh: true })
    return isSent ? 'invited' : 'already_invited'
  } catch (error) {
    const result = error instanceof AppError ? results[error.code] : undefined
    if (!result) throw error
    return result
  }
}

/** Errors about one address. The others end the request. */
const results: Readonly<Record<string, InvitedAddress['result']>> = {
  validation_failed: 'invalid',
  email_address_invalid: 'invalid',
  email_address_not_authorized: 'invalid',
  already_member: 'already_member',
  team_full: 'no_seat',
  too_many_invitations: 'no_seat',
  over_email_send_rate_limit: 'limited',
}
