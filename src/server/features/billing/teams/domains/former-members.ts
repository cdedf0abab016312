import { and, eq, inArray, or } from 'drizzle-orm'
import type { Tx } from '#server/db/database.ts'
import { formerTeamMember, seatRequest } from '#server/db/schema/index.ts'
import { normalizeMailbox } from '#server/mail/normalize-mailbox.ts'
import type { TeamDeps } from '../team-queries.ts'

type Person = { ownerId: string; userId: string; email: string }
type Secrets = Pick<TeamDeps, 'secrets' | 'clock'>
const purpose = 'former team member'

function departuresOf({ secrets }: Secrets, { ownerId, userId, email }: Person) {
  const hashes = secrets.signatures(purpose, normalizeMailbox(email))
  const isSame = or(eq(formerTeamMember.userId, userId), inArray(formerTeamMember.addressHash, hashes))
  return and(eq(formerTeamMember.ownerId, ownerId), isSame)
}

const endRequest = (tx: Tx, { ownerId, userId }: Person) =>
  tx.delete(seatRequest).where(and(eq(seatRequest.ownerId, ownerId), eq(seatRequest.userId, userId)))

export const isFormerMember = async (deps: Secrets, tx: Tx, person: Person): Promise<boolean> =>
  (await tx.$count(formerTeamMember, departuresOf(deps, person))) > 0

/** From now on, signing in doesn't seat this person in this team. */
export async function recordFormerMember({ secrets, clock }: Secrets, tx: Tx, person: Person): Promise<void> {
  const { ownerId, userId, email } = person
  const former = { ownerId, userId, addressHash: secrets.sign(purpose, normalizeMailbox(email)), endedAt: clock() }
  await tx.insert(formerTeamMember).values(former).onConflictDoNothing()
  await endRequest(tx, person)
}

/** The owner let the person in, so an earlier departure and a request no longer count. */
export async function forgetDeparture(deps: Secrets, tx: Tx, person: Person): Promise<void> {
  await tx.delete(formerTeamMember).where(departuresOf(deps, person))
  await endRequest(tx, person)
}
