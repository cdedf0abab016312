import { sql } from 'drizzle-orm'
import { queryRows, type Tx } from '#server/db/database.ts'
import type { Deps, Feature } from '#server/feature.ts'
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
const readLinks = (tx: Tx, userId: string) =>
  queryRows(
    tx,
    sql`select l.crew, l.language, l.created_at as "createdAt", l.expires_at as "expiresAt", l.ended_at as "endedAt",
        (select json_agg(json_build_object('name', o.name, 'firstAt', o.first_at, 'lastAt', o.last_at) order by o.first_at)
          from task_opening o where o.assignment_id = a.id) as openings,
        (select json_agg(json_build_object('kind', q.kind, 'name', q.name, 'text', q.text, 'number', q.number, 'at', q.at) order by q.at)
          from task_answer q where q.assignment_id = a.id) as answers
      from team_assignment a left join task_link l on l.assignment_id = a.id
      where (a.owner_id = ${userId}::uuid or l.created_by = ${userId}::uuid)
        and (l.assignment_id is not null or exists (select 1 from task_answer q where q.assignment_id = a.id))
      order by l.created_at desc`,
  )

export const taskLinksFeature: Feature = {
  calls: taskLinkCalls,
  routes: (deps) => [taskRoutes(deps)],
  jobs: (deps) =>
    scheduledJobs({ 'delete-task-photos': { cron: '23 * * * *', retryLimit: 1, run: () => deleteTaskPhotos(deps) } }),
  enqueuedEarly: [taskQuestionJob],
  exportedData: { taskLinks: readLinks },
  fileForms: { [taskPaths.answer]: { maxBytes: maxUploadBytes, answersItself: true } },
}
