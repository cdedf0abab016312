import { and, eq } from 'drizzle-orm'
import { z } from 'zod'
import type { Tx } from '#server/db/database.ts'
import { taskAnswer, taskOpening, taskPhoto, teamAssignment } from '#server/db/schema/index.ts'
import type { Deps } from '#server/feature.ts'
import { consumePoint } from '#server/features/identity/auth/limits/rate-limit-counters.ts'
import { rateLimitError } from '#server/features/identity/auth/limits/rate-limit-error.ts'
import { pushedDays } from '#server/features/reader/assignments/notify-assignees.ts'
import { sendPush } from '#server/features/reader/push/push.ts'
import { photoKey } from '#server/media/object-key.ts'
import { processImage } from '#server/media/process-image.ts'
import { dayMs } from '#shared/domain/durations.ts'
import { maxTaskQuestions } from '#shared/domain/task-links.ts'
import { AppError } from '#shared/errors.ts'
import type { Task } from './find-task.ts'

/** Emails the owner what a crew asked. `publishing/assignment-emails` runs it. */
export const taskQuestionJob = {
  name: 'email-task-question',
  payload: z.object({ answerId: z.uuid() }),
  retryLimit: 5,
}

type AnswerDeps = Pick<Deps, 'config' | 'database' | 'clock' | 'store' | 'enqueue'>

/** A crew sends one or two; the rest is a program. */
const maxPerHour = { answer: 60, opening: 200 }
/** Names that are kept of those who opened a task. */
const maxNames = 50
/** Wide enough to read a label. */
const photoSize = { width: 1_280, height: 1_280 }

/** @throws AppError over_request_rate_limit */
export async function consumeTaskLimit(
  { database, clock }: Pick<Deps, 'database' | 'clock'>,
  { assignmentId }: Task,
  what: keyof typeof maxPerHour,
): Promise<void> {
  const now = clock()
  const { points, expiresAt } = await consumePoint(database.db, `task-${what}:${assignmentId}`, 3_600, now)
  if (points > maxPerHour[what]) throw rateLimitError({ what: 'answers to this task', until: expiresAt, now })
}

/** Remembers that someone opened the task, by name if they entered one. */
export async function recordOpening({ database, clock }: AnswerDeps, task: Task, name: string): Promise<void> {
  await database.db.transaction((tx) => addOpening(tx, task, name, clock()))
}

async function addOpening(tx: Tx, { assignmentId }: Task, name: string, now: Date): Promise<void> {
  if ((await tx.$count(taskOpening, eq(taskOpening.assignmentId, assignmentId))) >= maxNames) return
  await tx
    .insert(taskOpening)
    .values({ assignmentId, name, firstAt: now, lastAt: now })
    .onConflictDoUpdate({ target: [taskOpening.assignmentId, taskOpening.name], set: { lastAt: now } })
}

type CheckOff = { name: string; number: string; photo: Uint8Array | null }

/**
 * Checks the task off. Of two people at the same moment, the first counts, and the other is shown who that was.
 * @throws AppError unsupported_file, invalid_image, file_store_unavailable
 */
export async function checkOffTask(deps: AnswerDeps, task: Task, { name, number, photo }: CheckOff): Promise<void> {
  const { assignmentId } = task
  const photoId = photo && !task.done ? await storePhoto(deps, photo) : null
  await deps.database.db.transaction(async (tx) => {
    const now = deps.clock()
    const [checked] = await tx
      .update(teamAssignment)
      .set({ done: true, doneBy: null, doneName: name, checkedAt: now })
      .where(and(eq(teamAssignment.id, assignmentId), eq(teamAssignment.done, false)))
      .returning({ id: teamAssignment.id })
    // The photo of the second one is deleted by the next clean-up.
    if (!checked) return
    await tx
      .insert(taskAnswer)
      .values({ id: crypto.randomUUID(), assignmentId, kind: 'done', name, number, photoId, at: now })
    await addOpening(tx, task, name, now)
  })
}

/** Shrinks a photo and removes what its camera added, such as the place. The row comes first, so that no file is left behind. */
async function storePhoto({ database, store, clock }: AnswerDeps, photo: Uint8Array): Promise<string> {
  const { bytes, contentType } = await processImage(photo, photoSize)
  const id = crypto.randomUUID()
  await database.db.insert(taskPhoto).values({ id, createdAt: clock() })
  await store.put(photoKey(id), bytes, contentType)
  return id
}

/** Stores a question and enqueues the email to the owner. @throws AppError over_request_rate_limit */
export async function askAboutTask(
  deps: AnswerDeps,
  task: Task,
  { name, question }: { name: string; question: string },
): Promise<void> {
  const { assignmentId } = task
  await deps.database.db.transaction(async (tx) => {
    const now = deps.clock()
    const asked = await tx.$count(
      taskAnswer,
      and(eq(taskAnswer.assignmentId, assignmentId), eq(taskAnswer.kind, 'question')),
    )
    if (asked >= maxTaskQuestions) throw new AppError('over_request_rate_limit')
    const id = crypto.randomUUID()
    await tx.insert(taskAnswer).values({ id, assignmentId, kind: 'question', name, text: question, at: now })
    await addOpening(tx, task, name, now)
    await deps.enqueue(tx, taskQuestionJob, { answerId: id })
    await sendPush(deps, tx, task.ownerId, 'question', {
      title: 'A store asks a question',
      body: task.title,
      path: '/portal/assignments',
      tag: `question ${assignmentId}`,
      expiresAt: new Date(now.getTime() + pushedDays * dayMs),
    })
  })
}
