import { createHash } from 'node:crypto'
import { and, eq, ne, sql } from 'drizzle-orm'
import type { Db, Tx } from '#server/db/database.ts'
import { mailings, seriesMailing } from '#server/db/schema/index.ts'
import {
  addToAutomaticMailing,
  createAutomaticMailing,
} from '#server/features/publishing/mailings/sending/automatic-mailing.ts'
import { writeFieldValues } from '#server/features/reader/custom-fields/field-values.ts'
import { readCustomFields } from '#server/features/reader/custom-fields/read-custom-fields.ts'
import type { CustomField, FieldValue } from '#shared/domain/custom-fields.ts'
import { type EmailStep, type StoredStep, seriesEmailContent } from '#shared/domain/series.ts'
import { AppError } from '#shared/errors.ts'
import type { SeriesProgress } from './advance-series.ts'
import { readFieldStep } from './field-step.ts'
import type { SeriesRow } from './series-row.ts'

/** Fields that steps set; none are read for a series without such a step. */
export const readStepFields = async (db: Db | Tx, steps: readonly StoredStep[]): Promise<CustomField[]> =>
  steps.some((step) => step.kind === 'field') ? readCustomFields(db) : []

type FieldToSet = { field: CustomField; value: FieldValue | null }

/** What steps set, by step. A step whose field is retired, or no longer takes the value, is left out. */
export async function readFieldSteps(db: Db | Tx, steps: readonly StoredStep[]): Promise<Map<string, FieldToSet>> {
  const fields = await readStepFields(db, steps)
  return new Map(
    steps.flatMap((step) => {
      const read = step.kind === 'field' ? readFieldStep(step, fields) : null
      return read && 'field' in read ? [[step.id, read]] : []
    }),
  )
}

/** "Step 2: The field “Shop size” is retired. Choose another one." */
export async function findFieldProblems(db: Db | Tx, steps: readonly StoredStep[]): Promise<string[]> {
  const fields = await readStepFields(db, steps)
  return steps
    .filter((step) => !step.removed)
    .flatMap((step, at) => {
      const read = step.kind === 'field' ? readFieldStep(step, fields) : null
      return read && 'problem' in read ? [`Step ${at + 1}: ${read.problem}`] : []
    })
}

/** @throws AppError validation_failed for a field that is retired, or a value that it doesn't take */
export async function requireFields(db: Db | Tx, steps: readonly StoredStep[]): Promise<void> {
  const [message] = await findFieldProblems(db, steps)
  if (message) throw new AppError('validation_failed', { message })
}

export type Moved = { id: number; userId: string; round: number; progress: SeriesProgress }
type Context = { tracking: boolean; fields: ReadonlyMap<string, FieldToSet>; now: Date }

/** A member has at most so many tags. */
const maxTags = 50

/** Stores where members are now, and does what their steps say. Runs in the transaction that read them. */
export async function applySteps(tx: Tx, series: SeriesRow, moved: readonly Moved[], context: Context): Promise<void> {
  await storeResults(tx, moved, context)
  const taken = moved.flatMap(({ progress, ...member }) =>
    progress.results.map(({ step, outcome }) => ({ ...member, step, outcome })),
  )
  for (const step of series.steps) {
    const members = taken.filter(
      (each) => each.step.id === step.id && (each.outcome === 'sent' || each.outcome === 'done'),
    )
    if (members.length > 0) await takeStep(tx, series, step, members, context)
  }
  await storePositions(tx, moved, context)
}

type Member = Omit<Moved, 'progress'>

async function takeStep(tx: Tx, series: SeriesRow, step: StoredStep, members: readonly Member[], context: Context) {
  switch (step.kind) {
    case 'email':
      return sendEmail(tx, series, step, members, context)
    case 'tag':
      return changeTag(tx, series, step, members, context)
    case 'field': {
      const change = context.fields.get(step.id)
      return change && setField(tx, change, members, context)
    }
    case 'webhook':
      // Written for the webhooks that want it, and sent by their own job.
      await tx.execute(sql`select emit_webhook_event('series.step_reached', e.id || ':' || ${step.id}::text)
        from unnest(${sql.param(`{${members.map(({ id }) => id).join(',')}}`)}::bigint[]) as e (id)`)
  }
}

/** Each version of a text, and each newsletter, has a mailing of its own, so that an edit changes nothing that was sent. */
async function sendEmail(
  tx: Tx,
  { id: seriesId }: SeriesRow,
  step: EmailStep,
  members: readonly Member[],
  { tracking, now }: Context,
) {
  const content = seriesEmailContent(step)
  const { newsletterId } = step
  const sent = JSON.stringify(content) + (newsletterId === null ? '' : ` ${newsletterId}`)
  const contentHash = createHash('sha256').update(sent).digest('hex')
  for (const [round, inRound] of Map.groupBy(members, (member) => member.round)) {
    const key = { seriesId, stepId: step.id, round, contentHash }
    const mailingId =
      (await findMailing(tx, key)) ??
      (await createAutomaticMailing(tx, { content, tracked: tracking, newsletterId }, now))
    await tx
      .insert(seriesMailing)
      .values({ mailingId, ...key })
      .onConflictDoNothing()
    await addToAutomaticMailing(
      tx,
      mailingId,
      inRound.map(({ userId }) => userId),
      now,
    )
  }
}

/** A mailing that the publisher stopped never sends again. */
async function findMailing(
  tx: Tx,
  key: { seriesId: string; stepId: string; round: number; contentHash: string },
): Promise<string | undefined> {
  const [found] = await tx
    .select({ id: mailings.id })
    .from(seriesMailing)
    .innerJoin(mailings, eq(mailings.id, seriesMailing.mailingId))
    .where(
      and(
        eq(seriesMailing.seriesId, key.seriesId),
        eq(seriesMailing.stepId, key.stepId),
        eq(seriesMailing.round, key.round),
        eq(seriesMailing.contentHash, key.contentHash),
        ne(mailings.status, 'stopped'),
      ),
    )
    .limit(1)
  return found?.id
}

async function changeTag(
  tx: Tx,
  { name }: SeriesRow,
  { tag, change }: Extract<StoredStep, { kind: 'tag' }>,
  members: readonly Member[],
  { now }: Context,
) {
  const userIds = userIdsOf(members)
  await markAsBySeries(tx)
  await tx.execute(
    change === 'remove'
      ? sql`delete from member_tags where user_id = any(${userIds}) and tag = ${tag}`
      : sql`insert into member_tags (user_id, tag, joined_micros, added_at, added_by)
          select u.id, ${tag}, (extract(epoch from u.created_at) * 1000000)::bigint, ${now.toISOString()}::timestamptz,
            ${`Series “${name}”`}
          from auth.users u
          where u.id = any(${userIds}) and (select count(*) from member_tags t where t.user_id = u.id) < ${maxTags}
          order by u.id on conflict do nothing`,
  )
}

async function setField(tx: Tx, change: FieldToSet, members: readonly Member[], { now }: Context) {
  await markAsBySeries(tx)
  // In one order, so that two series that set fields of the same members can't deadlock.
  await tx.execute(sql`select 1 from custom_field_values
    where user_id = any(${userIdsOf(members)}) order by user_id for no key update`)
  const sorted = members.map(({ userId }) => userId).sort()
  await writeFieldValues(
    tx,
    sorted.map((userId) => ({ userId, changes: [change] })),
    now,
  )
}

/** Holds until the transaction ends. The database triggers on tags and fields read it. */
const markAsBySeries = (tx: Tx) => tx.execute(sql`select set_config('front_counter.by_series', 'yes', true)`)

const userIdsOf = (members: readonly Member[]) =>
  sql`${sql.param(`{${members.map(({ userId }) => userId).join(',')}}`)}::uuid[]`

async function storeResults(tx: Tx, moved: readonly Moved[], { now }: Context) {
  const rows = moved.flatMap(({ id, progress }) =>
    progress.results.map(({ step, outcome }) => ({ entry_id: id, step_id: step.id, outcome })),
  )
  if (rows.length === 0) return
  await tx.execute(sql`insert into series_step_result (entry_id, step_id, outcome, at)
    select r.entry_id, r.step_id, r.outcome, ${now.toISOString()}::timestamptz
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r (entry_id bigint, step_id uuid, outcome text)`)
}

async function storePositions(tx: Tx, moved: readonly Moved[], { now }: Context) {
  const rows = moved.map(({ id, progress: { stepId, dueAt, end } }) => ({
    id,
    step_id: stepId,
    due_at: dueAt?.toISOString() ?? null,
    end_reason: end,
  }))
  await tx.execute(sql`update series_entry e
    set step_id = r.step_id, due_at = r.due_at, end_reason = r.end_reason,
      ended_at = case when r.end_reason is not null then ${now.toISOString()}::timestamptz end
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as r (id bigint, step_id uuid, due_at timestamptz, end_reason text)
    where e.id = r.id`)
}
