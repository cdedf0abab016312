import { z } from 'zod'
import type { Tx } from '#server/db/database.ts'
import { assignmentNotice } from '#server/db/schema/index.ts'
import type { Deps } from '#server/feature.ts'
import { sendPush } from '#server/features/reader/push/push.ts'
import { dayMs } from '#shared/domain/durations.ts'
import type { AssignmentDeps, Team } from './find-team.ts'

/** Emails a person what was assigned to them and isn't handled yet. `publishing/assignment-emails` runs it. */
export const assignedEmailJob = {
  name: 'email-assigned',
  payload: z.object({ userId: z.uuid() }),
  retryLimit: 5,
}

/** A device that is off for longer isn't told anymore. */
export const pushedDays = 3

export type EmailingDeps = AssignmentDeps & Pick<Deps, 'enqueue'>

export type Notice = { assignmentId: string; assignedTo: { assigneeId: string } | { locationId: string } }

/**
 * Writes who is to be told, and enqueues one job for each person, in the transaction that assigns. Once for an assignment
 * and a person, and never for what someone assigns to themselves.
 */
export async function notifyAssignees(
  deps: Pick<EmailingDeps, 'config' | 'clock' | 'enqueue'>,
  tx: Tx,
  { people, reader }: Pick<Team, 'people' | 'reader'>,
  notices: readonly Notice[],
): Promise<void> {
  const { clock, enqueue } = deps
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
    .returning({ userId: assignmentNotice.userId, assignmentId: assignmentNotice.assignmentId })
  for (const [userId, own] of Map.groupBy(added, (row) => row.userId)) {
    await enqueue(tx, assignedEmailJob, { userId })
    await sendPush(deps, tx, userId, 'assignment', {
      title: 'Assigned to you',
      body: own.length === 1 ? 'One thing to do' : `${own.length} things to do`,
      path: '/portal/assignments',
      tag: `assignment ${own[0]?.assignmentId}`,
      expiresAt: new Date(clock().getTime() + pushedDays * dayMs),
    })
  }
}
