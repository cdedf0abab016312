import { randomUUID } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { sqlState, type Tx, uniqueViolation } from '#server/db/database.ts'
import { newsletter, series, seriesSegmentMember } from '#server/db/schema/index.ts'
import type { Deps } from '#server/feature.ts'
import { type Actor, recordAdminEvent } from '#server/features/identity/auth/security/admin-event.ts'
import { createdBy } from '#server/features/identity/auth/security/editor.ts'
import { requireStepUp } from '#server/features/identity/auth/security/step-up.ts'
import { refuseErrors } from '#server/features/publishing/mailings/admin/send-mailing.ts'
import {
  readSendingSettings,
  requirePostalAddress,
} from '#server/features/publishing/sending-settings/sending-settings.ts'
import type { Caller } from '#server/http/principal.ts'
import type { adminSaveSeriesCall, adminSetSeriesStatusCall } from '#shared/contracts/operations/series.ts'
import { changesBetween } from '#shared/domain/changed-fields.ts'
import { describeMemberFilter, memberFilterText } from '#shared/domain/describe-member-filter.ts'
import { describeStep, describeTrigger } from '#shared/domain/describe-series.ts'
import type { AuditObject } from '#shared/domain/security-events.ts'
import {
  keepRemoved,
  type SeriesStatus,
  type SeriesStep,
  type StoredStep,
  seriesEmailContent,
} from '#shared/domain/series.ts'
import { AppError } from '#shared/errors.ts'
import { readStepFields, requireFields } from './apply-steps.ts'
import { checkTrigger, readTriggerNames } from './check-trigger.ts'
import { findSeries, lockSeries, type SeriesRow } from './series-row.ts'

export type EditDeps = Pick<Deps, 'config' | 'database' | 'clock' | 'newsletterMailer'>
type Wanted = z.output<typeof adminSaveSeriesCall.input>

const objectOf = ({ id, name }: Pick<SeriesRow, 'id' | 'name'>): AuditObject => ({ kind: 'series', id, name })

/**
 * Saves a series. Members who wait in a step that was deleted go on to the next one with the next run. A running series
 * sends what was saved to everyone in it, so that saving it needs what turning it on needs.
 * @throws AppError step_up_required for a series that is on; not_found, series_changed, name_taken; mailing_has_errors for an email of a series that isn't off;
 * validation_failed for a trigger, field or newsletter that can't be used
 */
export async function saveSeries(deps: EditDeps, who: Caller, wanted: Wanted) {
  const before = wanted.id ? await findSeries(deps.database.db, wanted.id) : null
  if (before?.status === 'on') {
    // One that was turned on meanwhile has another version.
    if (before.version !== wanted.version) throw new AppError('series_changed')
    await requireStepUp(deps, who)
  }
  await checkTrigger(deps.database.db, deps.config, wanted, deps.clock())
  await requireFields(deps.database.db, wanted.steps)
  // A series that is off is checked when it is turned on.
  if (before && before.status !== 'off') {
    requireFilters(deps, wanted.steps)
    await checkEmails(deps, changedEmails(before.steps, wanted.steps))
  }
  try {
    return await deps.database.db.transaction(async (tx) => {
      const now = deps.clock()
      await requireNewsletters(tx, wanted.steps)
      return wanted.id ? update(tx, deps, who, { ...wanted, id: wanted.id }, now) : create(tx, deps, who, wanted, now)
    })
  } catch (error) {
    if (sqlState(error) === uniqueViolation) throw new AppError('name_taken', { cause: error })
    throw error
  }
}

async function create(
  tx: Tx,
  deps: EditDeps,
  who: Actor,
  { name, trigger, steps, leavesWhen, reentryDays }: Wanted,
  now: Date,
) {
  const row = { id: randomUUID(), name, trigger, steps, leavesWhen, reentryDays }
  await tx.insert(series).values({ ...row, status: 'off', createdAt: now, ...createdBy(who), updatedAt: now })
  const changes = changesBetween({}, await readFacts(tx, deps, row))
  await recordAdminEvent(tx, who, { event: 'series_saved', object: objectOf(row), changes, now })
  return { id: row.id, version: 1 }
}

async function update(tx: Tx, deps: EditDeps, who: Actor, { version, ...wanted }: Wanted & { id: string }, now: Date) {
  const before = await lockSeries(tx, wanted.id)
  if (before.version !== version) throw new AppError('series_changed')
  const steps = keepRemoved(before.steps, wanted.steps)
  const next = version + 1
  const isSameTrigger = JSON.stringify(before.trigger) === JSON.stringify(wanted.trigger)
  await tx
    .update(series)
    // With another trigger, what happened before doesn't count either.
    .set({
      ...wanted,
      steps,
      version: next,
      updatedAt: now,
      ...(!isSameTrigger && before.turnedOnAt && { scannedUntil: now, turnedOnAt: now }),
      ...(!isSameTrigger && { segmentVersion: null }),
    })
    .where(eq(series.id, wanted.id))
  if (!isSameTrigger) await tx.delete(seriesSegmentMember).where(eq(seriesSegmentMember.seriesId, wanted.id))
  const removed = steps.filter((step) => step.removed).map(({ id }) => id)
  await tx.execute(sql`update series_entry set due_at = ${now.toISOString()}::timestamptz
    where series_id = ${wanted.id}::uuid and step_id = any(${sql.param(`{${removed.join(',')}}`)}::uuid[])
      and due_at > ${now.toISOString()}::timestamptz`)
  const changes = changesBetween(await readFacts(tx, deps, before), await readFacts(tx, deps, wanted))
  if (changes.length > 0) {
    await recordAdminEvent(tx, who, { event: 'series_saved', object: objectOf(wanted), changes, now })
  }
  return { id: wanted.id, version: next }
}

/** For the staff log. */
const readFacts = async (
  tx: Tx,
  { config, clock }: EditDeps,
  {
    name,
    trigger,
    steps,
    leavesWhen,
    reentryDays,
  }: Pick<SeriesRow, 'name' | 'trigger' | 'steps' | 'leavesWhen' | 'reentryDays'>,
) => ({
  name,
  trigger: describeTrigger(trigger, await readTriggerNames(tx, config, trigger, clock())),
  steps: await describeSteps(tx, config, steps),
  leavesWhen: leavesWhen && leavesWhen !== 'invalid' ? memberFilterText(config.settings.publication, leavesWhen) : null,
  reentryDays,
})

async function describeSteps(tx: Tx, { settings }: EditDeps['config'], steps: readonly StoredStep[]) {
  const fields = await readStepFields(tx, steps)
  return steps
    .filter((step) => !step.removed)
    .map((step) => describeStep(settings.publication, step, { fields }))
    .join('; ')
}

function changedEmails(before: readonly StoredStep[], steps: readonly SeriesStep[]): SeriesStep[] {
  const known = new Set(before.map((step) => JSON.stringify(step)))
  return steps.filter((step) => !known.has(JSON.stringify(step)))
}

/** Locks the newsletters of emails, so that none is retired meanwhile. @throws AppError validation_failed */
async function requireNewsletters(tx: Tx, steps: readonly StoredStep[]) {
  for (const step of steps) {
    if (step.kind !== 'email' || step.removed || step.newsletterId === null) continue
    const [found] = await tx
      .select({ retiredAt: newsletter.retiredAt })
      .from(newsletter)
      .where(eq(newsletter.id, step.newsletterId))
      .for('share')
    if (!found || found.retiredAt) {
      throw new AppError('validation_failed', {
        message: `The newsletter of “${step.subject}” is no longer used. Choose another one.`,
      })
    }
  }
}

/** @throws AppError mailing_has_errors */
async function checkEmails(deps: EditDeps, steps: readonly StoredStep[]) {
  for (const step of steps) {
    if (step.kind === 'email') await refuseErrors(deps, seriesEmailContent(step), [])
  }
}

/**
 * Turns a series on or pauses it, with all of its emails that wait to be sent.
 * @throws AppError step_up_required, not_found, series_changed, postal_address_missing, mailing_has_errors;
 * validation_failed without a step, or for a trigger, field or newsletter that can't be used
 */
export async function setSeriesStatus(
  deps: EditDeps,
  who: Caller,
  { id, version, status }: z.output<typeof adminSetSeriesStatusCall.input>,
): Promise<{ status: SeriesStatus }> {
  if (status === 'on') {
    await requireStepUp(deps, who)
    const found = await findSeries(deps.database.db, id)
    await checkTrigger(deps.database.db, deps.config, found, deps.clock())
    await requireReady(deps, found)
  }
  return deps.database.db.transaction(async (tx) => {
    const before = await lockSeries(tx, id)
    if (before.version !== version) throw new AppError('series_changed')
    if (status === 'on') await requireNewsletters(tx, before.steps)
    if (before.status === status || (before.status === 'off' && status === 'paused')) return { status: before.status }
    const now = deps.clock()
    const isFirst = before.status === 'off'
    await tx
      .update(series)
      .set({ status, updatedAt: now, ...(isFirst && { turnedOnAt: now, scannedUntil: now }) })
      .where(eq(series.id, id))
    await holdEmails(tx, id, status, now)
    const event = status === 'on' ? 'series_turned_on' : 'series_paused'
    await recordAdminEvent(tx, who, { event, object: objectOf(before), now })
    return { status }
  })
}

async function requireReady(deps: EditDeps, { steps, leavesWhen }: SeriesRow) {
  requirePostalAddress(deps.config, await readSendingSettings(deps.database.db))
  const active = steps.filter((step) => !step.removed)
  const refuse = (message: string) => new AppError('validation_failed', { message })
  if (active.length === 0) throw refuse('Add a step first.')
  if (leavesWhen === 'invalid' || active.some((step) => step.kind === 'condition' && step.filter === null)) {
    throw refuse('A condition refers to something that no longer exists. Change it and save the series first.')
  }
  await requireFields(deps.database.db, active)
  requireFilters(deps, active)
  await checkEmails(deps, active)
}

/** @throws AppError validation_failed for a condition that everyone passes */
function requireFilters({ config }: EditDeps, steps: readonly StoredStep[]) {
  const isOpen = (step: StoredStep) =>
    step.kind === 'condition' &&
    step.filter !== null &&
    describeMemberFilter(config.settings.publication, step.filter).length === 0
  if (!steps.some(isOpen)) return
  throw new AppError('validation_failed', {
    message: 'A condition has no filter, so everyone would pass it. Choose one, or remove the condition.',
  })
}

/** Mailings that paused automatically stay so: someone has to look at them. */
async function holdEmails(tx: Tx, id: string, status: 'on' | 'paused', now: Date) {
  const own = sql`id in (select mailing_id from series_mailing where series_id = ${id}::uuid)`
  const at = sql`${now.toISOString()}::timestamptz`
  // In one order, as senders lock one mailing at a time.
  await tx.execute(sql`select 1 from mailings where ${own} order by id for no key update`)
  await tx.execute(
    status === 'paused'
      ? sql`update mailings set status = 'paused', pause_reason = 'publisher', updated_at = ${at}
          where ${own} and status = 'sending'`
      : sql`update mailings set status = 'sending', pause_reason = null, updated_at = ${at}
          where ${own} and status = 'paused' and pause_reason = 'publisher'`,
  )
}

/** Emails that wait to be sent are stopped. @throws AppError not_found, series_is_on */
export async function deleteSeries({ database, clock }: EditDeps, who: Actor, id: string) {
  await database.db.transaction(async (tx) => {
    const before = await lockSeries(tx, id)
    if (before.status === 'on') throw new AppError('series_is_on')
    const now = clock()
    const own = sql`id in (select mailing_id from series_mailing where series_id = ${id}::uuid)`
    await tx.execute(sql`select 1 from mailings where ${own} order by id for no key update`)
    // The sender stops the deliveries of a stopped mailing.
    await tx.execute(sql`update mailings
      set status = 'stopped', pause_reason = null, finished_at = ${now.toISOString()}::timestamptz
      where ${own} and status in ('sending', 'paused')`)
    await tx.delete(series).where(eq(series.id, id))
    await recordAdminEvent(tx, who, { event: 'series_deleted', object: objectOf(before), now })
  })
  return {}
}
