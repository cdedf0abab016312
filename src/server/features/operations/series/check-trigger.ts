import { createHash } from 'node:crypto'
import { eq, type SQL, sql } from 'drizzle-orm'
import type { Config } from '#server/config/config.ts'
import type { Db, Tx } from '#server/db/database.ts'
import { memberViews, segments } from '#server/db/schema/index.ts'
import { memberFilterSql } from '#server/features/publishing/segments/filter-sql.ts'
import { readCustomFields } from '#server/features/reader/custom-fields/read-custom-fields.ts'
import type { TriggerNames } from '#shared/domain/describe-series.ts'
import { memberFilterSchema } from '#shared/domain/member-filter.ts'
import type { SeriesSegment, SeriesTrigger, StoredStep } from '#shared/domain/series.ts'
import { AppError } from '#shared/errors.ts'
import { causesTrigger } from './field-step.ts'

export type Segment = {
  name: string
  /** Changes with the view's filter, but not when staff add members to a segment. */
  version: string
  /** Condition on `member_facts f`. */
  where: SQL
  /** Tags by which members match. */
  tags: readonly string[]
  /** Fields by which members match. */
  fields: readonly number[]
}

/** Null for a view or segment that was deleted, or whose filter refers to something that no longer exists. */
export async function readSegment(
  db: Db | Tx,
  config: Pick<Config, 'settings' | 'stripe'>,
  { of, id }: SeriesSegment,
  now: Date,
): Promise<Segment | null> {
  if (of === 'segment') {
    const [found] = await db.select({ name: segments.name }).from(segments).where(eq(segments.id, id))
    const where = sql`f.user_id in (select user_id from segment_members where segment_id = ${id}::uuid)`
    return found ? { ...found, version: id, where, tags: [], fields: [] } : null
  }
  const [view] = await db
    .select({ name: memberViews.name, filter: memberViews.filter })
    .from(memberViews)
    .where(eq(memberViews.id, id))
  const filter = memberFilterSchema.safeParse(view?.filter).data
  if (!view || !filter) return null
  // The stored text is compared, so that a filter that a later version of the server parses otherwise is still the same.
  const hash = createHash('sha256').update(JSON.stringify(view.filter)).digest('hex')
  const { where } = memberFilterSql(config, filter, now)
  return {
    name: view.name,
    version: `${id}:${hash}`,
    where,
    tags: filter.tags,
    fields: filter.fields.map(({ field }) => field),
  }
}

/** @throws AppError validation_failed for a trigger that can't happen, or that the series' own steps would cause */
export async function checkTrigger(
  db: Db,
  config: Pick<Config, 'settings' | 'stripe'>,
  { trigger, steps }: { trigger: SeriesTrigger; steps: readonly StoredStep[] },
  now: Date,
): Promise<void> {
  const refuse = (message: string) => new AppError('validation_failed', { message })
  if (trigger.kind === 'tag_set' && addsTag(steps, trigger.tag)) {
    throw refuse('A step adds the tag that lets members enter this series. Choose another tag.')
  }
  if (steps.some((step) => !step.removed && step.kind === 'field' && causesTrigger(step, trigger))) {
    throw refuse('A step sets the field that lets members enter this series. Choose another field or value.')
  }
  if (trigger.kind === 'joined_segment' && !(await readSegment(db, config, trigger, now))) {
    throw refuse('The view or segment that lets members enter no longer exists. Choose another one.')
  }
  if (trigger.kind === 'field_set') {
    const field = (await readCustomFields(db)).find(({ id }) => id === trigger.field)
    if (!field) throw refuse('Choose the field that lets members enter.')
  }
}

const addsTag = (steps: readonly StoredStep[], tag: string) =>
  steps.some((step) => !step.removed && step.kind === 'tag' && step.change === 'add' && step.tag === tag)

/** Names for describing a trigger. */
export async function readTriggerNames(
  db: Db | Tx,
  config: Pick<Config, 'settings' | 'stripe'>,
  trigger: SeriesTrigger,
  now: Date,
): Promise<TriggerNames> {
  if (trigger.kind === 'field_set') return { fields: await readCustomFields(db) }
  if (trigger.kind !== 'joined_segment') return {}
  const segment = await readSegment(db, config, trigger, now)
  return { segments: segment ? [{ id: trigger.id, name: segment.name }] : [] }
}
