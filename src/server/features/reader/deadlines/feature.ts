import { eq } from 'drizzle-orm'
import { deadline } from '#server/db/schema/index.ts'
import type { Feature } from '#server/feature.ts'
import { implement } from '#server/http/product-calls.ts'
import * as contracts from '#shared/contracts/reader/deadlines.ts'
import { deleteDeadline, readDeadlines, saveDeadline } from './deadlines.ts'

export const deadlinesFeature: Feature = {
  calls: (deps) => [
    implement(contracts.deadlinesCall, (_input, who) => readDeadlines(deps, who.userId)),
    implement(contracts.saveDeadlineCall, (input, who) => saveDeadline(deps, who.userId, input)),
    implement(contracts.deleteDeadlineCall, ({ id }, who) => deleteDeadline(deps, who.userId, id)),
  ],
  onProfileReset: async (tx, userId) => void (await tx.delete(deadline).where(eq(deadline.userId, userId))),
}
