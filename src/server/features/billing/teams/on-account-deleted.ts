import { eq } from 'drizzle-orm'
import type { Tx } from '#server/db/database.ts'
import { users } from '#server/db/schema/index.ts'
import { emailJob } from '#server/jobs/email-job.ts'
import { memberLeftEmail, teamDissolvedEmail } from '#server/mail/texts/team-emails.ts'
import type { TeamDeps } from './team-deps.ts'
import { findSeat, listMembers } from './team-queries.ts'

/** Emails the owner that a member's seat is free, or the members of an owner that their team ends. */
export async function announceTeamEnd(
  tx: Tx,
  userId: string,
  { config, enqueue }: Pick<TeamDeps, 'config' | 'enqueue'>,
): Promise<void> {
  const [leaving] = await tx.select({ email: users.email }).from(users).where(eq(users.id, userId))
  const email = leaving?.email ?? ''
  const seat = await findSeat(tx, userId)
  if (seat) await enqueue(tx, emailJob, memberLeftEmail({ to: seat.ownerEmail, memberEmail: email, config }))
  for (const member of await listMembers(tx, userId)) {
    await enqueue(tx, emailJob, teamDissolvedEmail({ to: member.email, ownerEmail: email, config }))
  }
}
