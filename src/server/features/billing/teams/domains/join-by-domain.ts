import { sql } from 'drizzle-orm'
import { type Db, queryRows, type Tx } from '#server/db/database.ts'
import type { Deps } from '#server/feature.ts'
import { knownProductIds } from '#server/features/billing/subscriptions/stripe/plan-ids.ts'
import { findSubscriptionRow } from '#server/features/billing/subscriptions/sync/subscription-row.ts'
import { recordSecurityEvent } from '#server/features/identity/auth/security/security-event.ts'
import { emailJob } from '#server/jobs/email-job.ts'
import { joinedByDomainEmail, noFreeSeatEmail } from '#server/mail/texts/team-emails.ts'
import { entitlement } from '#shared/domain/entitlement.ts'
import { createRequest } from '../seats/seat-requests.ts'
import { findSeat, hasActiveTeamPlan, hasMembers, lockUsers, takeSeat } from '../team-queries.ts'
import { isFormerMember } from './former-members.ts'

type SignedIn = { userId: string; sessionId: string }
type Candidate = { owner_id: string; email: string; domain: string }

/**
 * The team whose domain the address is at. The address must have been verified by email: with EMAIL_CONFIRMATION=off, an
 * account counts as confirmed without that. A session without its second factor gives no seat.
 */
async function findCandidate(db: Db | Tx, { userId, sessionId }: SignedIn, now: Date) {
  const [found] = await queryRows<Candidate>(
    db,
    sql`select d.owner_id, u.email, d.domain
      from auth.users u
        join auth.sessions s on s.id = ${sessionId}::uuid and s.user_id = u.id and not s.awaits_second_factor
        join auth.identities i on i.user_id = u.id and i.provider = 'email' and i.email = u.email
          and i.identity_data ->> 'email_verified' = 'true'
        join team_domain d on d.domain = substring(u.email from '[^@]*$') and d.proven_at is not null
        join auth.users o on o.id = d.owner_id and o.deleted_at is null
          and (o.banned_until is null or o.banned_until <= ${now.toISOString()}::timestamptz)
      where u.id = ${userId}::uuid and u.email_confirmed_at is not null and d.owner_id <> u.id
        and not exists (select 1 from team_seat t where t.user_id = u.id)`,
  )
  return found
}

/**
 * Gives someone who signs in with a confirmed address at a team's domain a seat. If none is free, the owner gets a request
 * once. People with a plan or a team of their own get no seat, so that the owner doesn't pay for it.
 */
export async function joinByDomain(deps: Deps, signedIn: SignedIn): Promise<void> {
  const { db } = deps.database
  const found = await findCandidate(db, signedIn, deps.clock())
  if (found) await db.transaction((tx) => takeSeatByDomain(deps, tx, signedIn, found))
}

async function takeSeatByDomain(deps: Deps, tx: Tx, signedIn: SignedIn, { owner_id: ownerId }: Candidate) {
  const { userId } = signedIn
  const emails = await lockUsers(tx, [ownerId, userId])
  const now = deps.clock()
  // Read again under the lock: domain, address and seat may have changed.
  const found = await findCandidate(tx, signedIn, now)
  if (found?.owner_id !== ownerId) return
  const { email, domain } = found
  if (await isFormerMember(deps, tx, { ownerId, userId, email })) return
  const own = entitlement(await findSubscriptionRow(tx, userId), now, knownProductIds(deps.config))
  if (own.entitled || (await hasMembers(tx, userId))) return
  if (!(await hasActiveTeamPlan(deps, tx, ownerId)) || (await findSeat(tx, ownerId))) return
  const person = { ownerId, ownerEmail: emails.get(ownerId) ?? '', userId, email, seats: 1 }
  const { config } = deps
  if (!(await takeSeat(deps, tx, { ownerId, userId, joinedAt: now }))) {
    const { ownerEmail } = person
    const isNew = await createRequest(deps, tx, person)
    if (isNew) await deps.enqueue(tx, emailJob, noFreeSeatEmail({ to: email, ownerEmail, domain, config }))
    return
  }
  await recordSecurityEvent(tx, { event: 'team_joined', userId, email, note: person.ownerEmail, now })
  await deps.enqueue(tx, emailJob, joinedByDomainEmail({ to: person.ownerEmail, memberEmail: email, domain, config }))
}
