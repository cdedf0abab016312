import { and, asc, eq, gt, isNotNull, isNull, lt, ne, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { type Db, sqlState, type Tx, uniqueViolation } from '#server/db/database.ts'
import { teamDomain } from '#server/db/schema/index.ts'
import { isPublicDomain } from '#server/features/billing/subscriptions/customers/public-domains.ts'
import { requireEmail } from '#server/features/identity/auth/email-flows/email-address.ts'
import { requireAcceptableEmail } from '#server/features/identity/auth/limits/bot-protection.ts'
import { consumeDailyEmailLimit } from '#server/features/identity/auth/limits/email-limits.ts'
import { consumePoint, userCounterKey } from '#server/features/identity/auth/limits/rate-limit-counters.ts'
import type { Caller } from '#server/http/principal.ts'
import { emailJob } from '#server/jobs/email-job.ts'
import { teamDomainCodeEmail } from '#server/mail/texts/team-emails.ts'
import { maxTeamDomains, type OwnedTeam, type proveTeamDomainCall } from '#shared/contracts/billing/teams.ts'
import { formatCount } from '#shared/domain/format-count.ts'
import { AppError } from '#shared/errors.ts'
import { requireInviter } from '../invite-members.ts'
import { hashToken, newCode, normalizeCode } from '../join-team.ts'
import { findSeat, hasActiveTeamPlan, lockUsers, type TeamDeps } from '../team-queries.ts'

const codeMinutes = 30
const maxAttempts = 5
/** Codes for a team, including those that were refused, so that no one can ask for thousands of domains. */
const dailyCodes = { points: 20, windowSeconds: 24 * 60 * 60 }

const domainOf = (email: string): string => email.slice(email.lastIndexOf('@') + 1)

const hashOf = (ownerId: string, domain: string, code: string) =>
  hashToken(['team domain', ownerId, domain, normalizeCode(code)].join('\n'))

/**
 * Emails a code to an address at a domain, which proves the domain for the caller's team. Doing it again replaces the code.
 * @throws AppError address_not_confirmed, no_team_plan, already_in_team, domain_taken, over_email_send_rate_limit;
 * validation_failed for a public domain, a domain of the team, and one too many
 */
export async function addTeamDomain(deps: TeamDeps, who: Caller, given: string): Promise<{ domain: string }> {
  const { clock, config } = deps
  const { db } = deps.database
  requireInviter(who)
  const email = requireEmail(given)
  requireAcceptableEmail(config, email)
  const domain = domainOf(email)
  if (await isPublicDomain(domain)) {
    throw new AppError('validation_failed', {
      message: `Anyone can get an address at ${domain}, so it can’t give access. Use your company’s own domain.`,
    })
  }
  const now = clock()
  const { points } = await consumePoint(db, userCounterKey(who.userId, 'domains'), dailyCodes.windowSeconds, now)
  if (points > dailyCodes.points) throw new AppError('over_email_send_rate_limit')
  await db.transaction(async (tx) => {
    const ownerEmail = (await lockUsers(tx, [who.userId])).get(who.userId) ?? ''
    if (!(await hasActiveTeamPlan(deps, tx, who.userId))) throw new AppError('no_team_plan')
    if (await findSeat(tx, who.userId)) throw new AppError('already_in_team')
    await requireFree(deps, tx, who.userId, domain)
    const known = await tx.select().from(teamDomain).where(eq(teamDomain.ownerId, who.userId))
    const same = known.find((row) => row.domain === domain)
    if (same?.provenAt) throw new AppError('validation_failed', { message: `${domain} already gives access.` })
    if (!same && known.length >= maxTeamDomains) {
      throw new AppError('validation_failed', {
        message: `A team can have ${formatCount(maxTeamDomains, 'domain')}. Remove one first.`,
      })
    }
    await consumeDailyEmailLimit(tx, 'team_domain', email, now)
    const code = newCode()
    const fresh = {
      email,
      codeHash: hashOf(who.userId, domain, code),
      codeExpiresAt: new Date(now.getTime() + codeMinutes * 60_000),
      attempts: 0,
    }
    await tx
      .insert(teamDomain)
      .values({ ownerId: who.userId, domain, createdAt: now, ...fresh })
      .onConflictDoUpdate({ target: [teamDomain.ownerId, teamDomain.domain], set: fresh })
    const sent = { to: email, config, ownerEmail, domain, code, minutes: codeMinutes }
    await deps.enqueue(tx, emailJob, teamDomainCodeEmail(sent))
  })
  return { domain }
}

const provenByOther = (ownerId: string, domain: string) =>
  and(eq(teamDomain.domain, domain), ne(teamDomain.ownerId, ownerId), isNotNull(teamDomain.provenAt))

/** A domain of a team whose plan has ended is free. @throws AppError domain_taken */
async function requireFree(deps: TeamDeps, tx: Tx, ownerId: string, domain: string): Promise<void> {
  const [other] = await tx
    .select({ ownerId: teamDomain.ownerId })
    .from(teamDomain)
    .where(provenByOther(ownerId, domain))
  if (other && (await hasActiveTeamPlan(deps, tx, other.ownerId))) throw new AppError('domain_taken')
}

/**
 * Proves a domain with the emailed code. A second click succeeds.
 * @throws AppError domain_code_invalid, domain_taken, no_team_plan
 */
export async function proveTeamDomain(
  deps: TeamDeps,
  who: Caller,
  { domain, code }: z.output<typeof proveTeamDomainCall.input>,
): Promise<{ proven: true }> {
  const { db } = deps.database
  const { userId: ownerId } = who
  const own = and(eq(teamDomain.ownerId, ownerId), eq(teamDomain.domain, domain))
  const isOpen = and(
    isNull(teamDomain.provenAt),
    gt(teamDomain.codeExpiresAt, deps.clock()),
    lt(teamDomain.attempts, maxAttempts),
  )
  // Counted in a statement of its own, so that a refusal can't undo it.
  const [tried] = await db
    .update(teamDomain)
    .set({ attempts: sql`${teamDomain.attempts} + 1` })
    .where(and(own, isOpen))
    .returning({ codeHash: teamDomain.codeHash })
  const hash = hashOf(ownerId, domain, code)
  if (tried?.codeHash !== hash) {
    if (await db.$count(teamDomain, and(own, isNotNull(teamDomain.provenAt)))) return { proven: true }
    throw new AppError('domain_code_invalid')
  }
  try {
    await db.transaction(async (tx) => {
      await lockUsers(tx, [ownerId])
      if (!(await hasActiveTeamPlan(deps, tx, ownerId))) throw new AppError('no_team_plan')
      await requireFree(deps, tx, ownerId, domain)
      await tx.delete(teamDomain).where(provenByOther(ownerId, domain))
      await tx
        .update(teamDomain)
        .set({ provenAt: deps.clock(), codeHash: null })
        .where(and(own, eq(teamDomain.codeHash, hash)))
    })
  } catch (error) {
    if (sqlState(error) === uniqueViolation) throw new AppError('domain_taken')
    throw error
  }
  return { proven: true }
}

/** Members who joined by the domain keep their seats. */
export async function removeTeamDomain(deps: TeamDeps, who: Caller, domain: string): Promise<{ removed: boolean }> {
  const removed = await deps.database.db
    .delete(teamDomain)
    .where(and(eq(teamDomain.ownerId, who.userId), eq(teamDomain.domain, domain)))
    .returning({ domain: teamDomain.domain })
  return { removed: removed.length > 0 }
}

export async function listDomains(db: Db, ownerId: string): Promise<OwnedTeam['domains']> {
  const rows = await db.select().from(teamDomain).where(eq(teamDomain.ownerId, ownerId)).orderBy(asc(teamDomain.domain))
  return rows.map(({ domain, email, provenAt }) => ({ domain, email, provenAt: provenAt?.toISOString() ?? null }))
}
