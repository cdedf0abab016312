import { eq, lt } from 'drizzle-orm'
import type { Tx } from '#server/db/database.ts'
import { personRow, personRows } from '#server/db/person-rows.ts'
import { businessLocation, teamInvitation, teamSeat, teamSeatLocation, users } from '#server/db/schema/index.ts'
import type { Deps, Feature, PersonReaders } from '#server/feature.ts'
import { emailJob } from '#server/jobs/email-job.ts'
import { type FeatureJobs, scheduledJobs } from '#server/jobs/jobs.ts'
import { memberLeftEmail, teamDissolvedEmail } from '#server/mail/texts/team-emails.ts'
import { joinByDomain } from './domains/join-by-domain.ts'
import { lowerDueSeats } from './seats/raise-and-lower-seats.ts'
import { findSeat, listMembers, type TeamDeps } from './team-queries.ts'
import { teamCalls } from './teams.calls.ts'

const exportedData: PersonReaders = {
  team: readTeam,
}

/** The user's own seat, and the seats and invitations of the team they own. */
async function readTeam(tx: Tx, userId: string) {
  const ofTeam = { of: 'ownerId' } as const
  const columns = ['email', 'createdAt', 'sentAt', 'expiresAt', 'acceptedAt'] as const
  const invitations = await personRows(tx, teamInvitation, { ...ofTeam, columns }, userId)
  const seats = await personRows(tx, teamSeat, { ...ofTeam, columns: ['seat', 'joinedAt'] }, userId)
  const ownLocations = await tx
    .select({ name: businessLocation.name })
    .from(teamSeatLocation)
    .innerJoin(businessLocation, eq(businessLocation.id, teamSeatLocation.locationId))
    .where(eq(teamSeatLocation.userId, userId))
  return { ownSeat: await personRow(tx, teamSeat, ['joinedAt'], userId), ownLocations, seats, invitations }
}

/** How long expired invitations are kept, so that a late visitor sees why the link doesn't work. */
const retentionMs = 30 * 24 * 60 * 60 * 1000

/** Deletes old invitations, since they contain email addresses of people without an account. */
export async function sweepInvitations({ database, clock }: Pick<Deps, 'database' | 'clock'>): Promise<void> {
  await database.db
    .delete(teamInvitation)
    .where(lt(teamInvitation.expiresAt, new Date(clock().getTime() - retentionMs)))
}

const teamJobs = (deps: Deps): FeatureJobs =>
  scheduledJobs({
    'sweep-invitations': { cron: '41 3 * * *', retryLimit: 2, run: () => sweepInvitations(deps) },
    'lower-due-seats': { cron: '7 * * * *', retryLimit: 1, run: () => lowerDueSeats(deps) },
  })

/** Emails the owner that a member's seat is free, or the members of an owner that their team ends. */
async function announceTeamEnd(
  tx: Tx,
  userId: string,
  { config, enqueue }: Pick<TeamDeps, 'config' | 'enqueue'>,
): Promise<void> {
  const [leaving] = await tx.select({ email: users.email }).from(users).where(eq(users.id, userId))
  const email = leaving?.email ?? ''
  const seat = await findSeat(tx, userId)
  if (seat) await enqueue(tx, emailJob, memberLeftEmail({ to: seat.ownerEmail, memberEmail: email, config, list: [] }))
  for (const member of await listMembers(tx, userId)) {
    await enqueue(tx, emailJob, teamDissolvedEmail({ to: member.email, ownerEmail: email, config }))
  }
}

export const teamsFeature: Feature = {
  calls: teamCalls,
  jobs: teamJobs,
  onAccountDeleted: announceTeamEnd,
  onSignedIn: joinByDomain,
  exportedData,
}
