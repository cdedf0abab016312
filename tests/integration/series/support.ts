import { asc, eq, sql } from 'drizzle-orm'
import { deliveries, mailings, seriesEntry, seriesStepResult, users } from '#server/db/schema/index.ts'
import type { Deps } from '#server/feature.ts'
import { enterByEvents, enterBySegment, enterByTime } from '#server/features/operations/series/enter-series.ts'
import { runDueSteps } from '#server/features/operations/series/run-due-steps.ts'
import type { SeriesDraft } from '#shared/contracts/operations/series.ts'
import { memberFilterSchema } from '#shared/domain/member-filter.ts'
import type { SeriesStep } from '#shared/domain/series.ts'
import type { TestUser } from '#tests/support/build-user.ts'
import { call } from '#tests/support/client-for.ts'
import type { TestApp } from '#tests/support/create-test-app.ts'

export const hourMs = 60 * 60 * 1000
export const dayMs = 24 * hourMs

export const stepId = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`
export const email = (n: number, body = `Text of email ${n}.`): Extract<SeriesStep, { kind: 'email' }> => ({
  kind: 'email',
  id: stepId(n),
  subject: `Email ${n}`,
  preheader: '',
  body,
  newsletterId: null,
})
export const wait = (n: number, amount: number, unit: 'hours' | 'days' = 'days'): SeriesStep => ({
  kind: 'wait',
  id: stepId(n),
  amount,
  unit,
})
export const filter = (part: object) => memberFilterSchema.parse(part)

export const draft = (part: Partial<SeriesDraft> & Pick<SeriesDraft, 'steps'>): SeriesDraft => ({
  name: 'Welcome',
  trigger: { kind: 'free_sign_up' },
  leavesWhen: null,
  reentryDays: null,
  ...part,
})

/** Runs the job of each minute. */
export async function runMinute(deps: Deps) {
  await enterByEvents(deps)
  await enterByTime(deps)
  await enterBySegment(deps)
  return runDueSteps(deps)
}

export function createSeriesHelpers(server: TestApp, staff: () => TestUser) {
  const { db } = server.database
  const invoke = async (name: string, input: object, who = staff()) => {
    const { status, body } = await call(server, name, input, who.token)
    return { status, body: body as Record<string, never> & { id: string; version: number } }
  }
  const save = async (wanted: SeriesDraft) => {
    const saved = await invoke('admin-save-series', wanted)
    if (saved.status !== 200) throw new Error(JSON.stringify(saved))
    return saved.body
  }
  const setStatus = (of: { id: string; version: number }, status: 'on' | 'paused') =>
    invoke('admin-set-series-status', { ...of, status })
  const turnOn = async (wanted: SeriesDraft) => {
    const saved = await save(wanted)
    const on = await setStatus(saved, 'on')
    if (on.status !== 200) throw new Error(JSON.stringify(on))
    return saved
  }
  /** Subjects of the deliveries of each address, in order, with their status unless it is `pending`. */
  const delivered = async (): Promise<Record<string, string[]>> => {
    const rows = await db
      .select({ email: users.email, subject: mailings.subject, status: deliveries.status, cause: deliveries.cause })
      .from(deliveries)
      .innerJoin(mailings, eq(mailings.id, deliveries.mailingId))
      .innerJoin(users, eq(users.id, deliveries.userId))
      .orderBy(asc(deliveries.id))
    const byAddress = Map.groupBy(rows, (row) => row.email ?? '')
    return Object.fromEntries(
      [...byAddress].map(([address, list]) => [
        address,
        list.map(({ subject, status, cause }) => (status === 'pending' ? subject : `${subject}: ${cause ?? status}`)),
      ]),
    )
  }
  const entries = () => db.select().from(seriesEntry).orderBy(asc(seriesEntry.id))
  const results = () => db.select().from(seriesStepResult).orderBy(asc(seriesStepResult.at), sql`entry_id, step_id`)
  /** A field of the publisher, called Shops. */
  const createField = async (kind: string, options: string[] = []) => {
    const { status, body } = await invoke('admin-save-custom-field', {
      id: null,
      version: 0,
      label: 'Shops',
      help: '',
      kind,
      options: options.map((label) => ({ key: null, label, retired: false })),
      asked: 'never',
      required: false,
    })
    if (status !== 200) throw new Error(JSON.stringify(body))
    const items = body.items as unknown as { id: number }[]
    return items[0]?.id ?? 0
  }
  /** As staff do it. */
  const setField = async ({ id }: TestUser, field: number, value: unknown) => {
    const { status, body } = await invoke('admin-set-member-fields', { userId: id, answers: [{ id: field, value }] })
    if (status !== 200) throw new Error(JSON.stringify(body))
  }
  return { invoke, save, setStatus, turnOn, delivered, entries, results, createField, setField }
}
