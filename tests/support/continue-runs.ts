import { type AnyRun, continueRun, resumeRuns } from '#server/jobs/runs.ts'
import type { TestApp } from './create-test-app.ts'

/** Goes on with all open runs of a kind until they end, as their jobs would. */
export async function continueRuns(deps: TestApp['deps'], run: AnyRun): Promise<void> {
  const ids: string[] = []
  const enqueue: typeof deps.enqueue = async (_tx, job, payload) => {
    ids.push((job.payload.parse(payload) as { id: string }).id)
  }
  await resumeRuns({ ...deps, enqueue }, [run])
  for (const id of ids) await continueRun(deps, run, id)
}
