import { and, eq } from 'drizzle-orm'
import { formerTeamMember, seatRequest, teamDomain, teamInvitation, teamSeat } from '#server/db/schema/index.ts'
import type { FeatureDeps } from '#server/feature.ts'
import {
  transferCustomer,
  withCheckoutsClosed,
} from '#server/features/billing/subscriptions/customers/transfer-customer.ts'
import { recordSecurityEvent } from '#server/features/identity/auth/security/security-event.ts'
import type { Caller } from '#server/http/principal.ts'
import { emailJob } from '#server/jobs/email-job.ts'
import { ownershipReceivedEmail, ownershipTransferredEmail } from '#server/mail/texts/team-emails.ts'
import { AppError } from '#shared/errors.ts'
import { hasActiveTeamPlan, hasMembers, listMembers, lockUsers, type TeamDeps } from './team-queries.ts'

/**
 * Makes a member the owner. Seats, invitations, customer and subscription move in one transaction, and the former owner
 * takes the member's seat. The card on file stays, so the plan continues; the emails to both say so.
 * @throws AppError not_in_team, no_team_plan, has_own_plan, no_billing_account, stripe_unavailable
 */
export async function transferTeam(
  deps: TeamDeps & Pick<FeatureDeps, 'onTeamTransferred'>,
  who: Caller,
  to: string,
): Promise<{ transferred: true }> {
  const from = who.userId
  // Check membership first, so that callers can't expire a stranger's checkouts.
  await requireMember(deps, from, to)
  await withCheckoutsClosed(deps, { from, to }, (seq) =>
    deps.database.db.transaction(async (tx) => {
      const emails = await lockUsers(tx, [from, to])
      const [seat] = await tx
        .select()
        .from(teamSeat)
        .where(and(eq(teamSeat.ownerId, from), eq(teamSeat.userId, to)))
        .for('update')
      if (!seat || (await hasMembers(tx, to))) throw new AppError('not_in_team')
      if (!(await hasActiveTeamPlan(deps, tx, from))) throw new AppError('no_team_plan')
      await transferCustomer(tx, deps, { from, to }, seq)

      await tx.delete(teamSeat).where(eq(teamSeat.userId, to))
      await tx.update(teamSeat).set({ ownerId: to }).where(eq(teamSeat.ownerId, from))
      // If the former owner already has a seat in another team, they keep only that one.
      await tx
        .insert(teamSeat)
        .values({ ownerId: to, userId: from, seat: seat.seat, joinedAt: deps.clock() })
        .onConflictDoNothing()
      await tx.delete(seatRequest).where(eq(seatRequest.userId, to))
      for (const table of [teamInvitation, teamDomain, formerTeamMember, seatRequest]) {
        await tx.delete(table).where(eq(table.ownerId, to))
        await tx.update(table).set({ ownerId: to }).where(eq(table.ownerId, from))
      }

      await deps.onTeamTransferred(tx, from, to)

      const fromEmail = emails.get(from) ?? ''
      const toEmail = emails.get(to) ?? ''
      const client = who.client
      const now = deps.clock()
      await recordSecurityEvent(tx, {
        event: 'team_handed_over',
        userId: from,
        email: fromEmail,
        client,
        note: toEmail,
        now,
      })
      await recordSecurityEvent(tx, { event: 'team_taken_over', userId: to, email: toEmail, note: fromEmail, now })
      const { config } = deps
      await deps.enqueue(tx, emailJob, ownershipTransferredEmail({ to: fromEmail, otherEmail: toEmail, config }))
      await deps.enqueue(tx, emailJob, ownershipReceivedEmail({ to: toEmail, otherEmail: fromEmail, config }))
    }),
  )
  return { transferred: true }
}

async function requireMember(deps: TeamDeps, ownerId: string, userId: string): Promise<void> {
  const members = await listMembers(deps.database.db, ownerId)
  if (!members.some((member) => member.userId === userId)) throw new AppError('not_in_team')
}
