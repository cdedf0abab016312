import { desc, eq, or } from 'drizzle-orm'
import type { Tx } from '#server/db/database.ts'
import { taskAnswer, taskLink, taskOpening, teamAssignment } from '#server/db/schema/index.ts'
import type { Deps } from '#server/deps.ts'
import type { Feature } from '#server/feature.ts'
import { type Implementation, implement } from '#server/http/product-calls.ts'
import { scheduledJobs } from '#server/jobs/jobs.ts'
import * as contracts from '#shared/contracts/reader/task-links.ts'
import { taskQuestionJob } from './answer-task.ts'
import { deleteTaskPhotos } from './delete-task-photos.ts'
import { taskRoutes } from './task.routes.ts'
import { maxUploadBytes } from './task-form.ts'
import { endTaskLinks, makeTaskLinks, readTaskLinks, readTaskPhoto, readTaskSheets } from './task-links.ts'
import { taskPaths } from './task-page.ts'

const taskLinkCalls = (deps: Deps): Implementation[] => [
  implement(contracts.makeTaskLinksCall, (input, who) => makeTaskLinks(deps, who, input)),
  implement(contracts.taskSheetsCall, ({ assignmentIds }, who) => readTaskSheets(deps, who, assignmentIds)),
  implement(contracts.taskLinksCall, (_input, who) => readTaskLinks(deps, who)),
  implement(contracts.endTaskLinksCall, ({ assignmentIds }, who) => endTaskLinks(deps, who, assignmentIds)),
  implement(contracts.taskPhotoCall, ({ answerId }, who) => readTaskPhoto(deps, who, answerId)),
]

/** The links of the user's own team and those that the user made, with what crews entered there. */
async function readLinks(tx: Tx, userId: string) {
  const mine = or(eq(teamAssignment.ownerId, userId), eq(taskLink.createdBy, userId))
  const ofLink = eq(taskLink.assignmentId, teamAssignment.id)
  const { crew, language, createdAt, expiresAt, endedAt } = taskLink
  const links = await tx
    .select({ crew, language, createdAt, expiresAt, endedAt })
    .from(taskLink)
    .innerJoin(teamAssignment, ofLink)
    .where(mine)
    .orderBy(desc(createdAt))
  const openings = await tx
    .select({ name: taskOpening.name, firstAt: taskOpening.firstAt, lastAt: taskOpening.lastAt })
    .from(taskOpening)
    .innerJoin(teamAssignment, eq(teamAssignment.id, taskOpening.assignmentId))
    .leftJoin(taskLink, ofLink)
    .where(mine)
    .orderBy(taskOpening.firstAt)
  const { kind, name, text, number, at } = taskAnswer
  const answers = await tx
    .select({ kind, name, text, number, at })
    .from(taskAnswer)
    .innerJoin(teamAssignment, eq(teamAssignment.id, taskAnswer.assignmentId))
    .leftJoin(taskLink, ofLink)
    .where(mine)
    .orderBy(at)
  return { links, openings, answers }
}

export const taskLinksFeature: Feature = {
  calls: taskLinkCalls,
  routes: (deps) => [taskRoutes(deps)],
  jobs: (deps) =>
    scheduledJobs({ 'delete-task-photos': { cron: '23 * * * *', retryLimit: 1, run: () => deleteTaskPhotos(deps) } }),
  enqueuedEarly: [taskQuestionJob],
  exportedData: { taskLinks: readLinks },
  fileForms: { [taskPaths.answer]: { maxBytes: maxUploadBytes, answersItself: true } },
}
