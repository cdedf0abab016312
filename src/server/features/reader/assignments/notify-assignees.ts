import { z } from 'zod'
import type { Tx } from '#server/db/database.ts'
import { assignmentNotice } from '#server/db/schema/index.ts'
import type { Deps } from '#server/deps.ts'
import type { AssignmentDeps, Team } from './find-team.ts'

/** Emails a person what was assigned to them and isn't handled yet. `publishing/assignment-emails` runs it. */
export const assignedEmailJob = {
  name: 'email-assigned',
  payload: z.object({ userId: z.uuid() }),
  retryLimit: 5,
}

export type EmailingDeps = AssignmentDeps & Pick<Deps, 'enqueue'>

export type Notice = { assignmentId: string; assignedTo: { assigneeId: string } | { locationId: string } }

/**
 * Writes who is to be told, and enqueues one job for each person, in the transaction that assigns. Once for an assignment
 * and a person, and never for what someone assigns to themselves.
 */
export async function notifyAssignees(
  { clock, enqueue }: Pick<EmailingDeps, 'clock' | 'enqueue'>,
  tx: Tx,
  { people, reader }: Pick<Team, 'people' | 'reader'>,
  notices: readonly Notice[],
): Promise<void> {
  const rows = notices.flatMap(({ assignmentId, assignedTo }) =>
    people
      .filter(({ userId, locationIds }) =>
        'assigneeId' in assignedTo ? userId === assignedTo.assigneeId : locationIds.includes(assignedTo.locationId),
      )
      .filter(({ userId }) => userId !== reader.userId)
      .map(({ userId }) => ({ assignmentId, userId, createdAt: clock() })),
  )
  if (rows.length === 0) return
  const added = await tx
    .insert(assignmentNotice)
    .values(rows)
    .onConflictDoNothing()
    .returning({ userId: assignmentNotice.userId })
  for (const userId of new Set(added.map((row) => row.userId))) await enqueue(tx, assignedEmailJob, { userId })
}
