import type { Config } from '#server/config/config.ts'
import type { Db, Tx } from '#server/db/database.ts'
import { readCustomFields } from '#server/features/reader/custom-fields/read-custom-fields.ts'
import type { TriggerNames } from '#shared/domain/describe-series.ts'
import { causesTrigger } from '#shared/domain/field-step.ts'
import type { SeriesTrigger, StoredStep } from '#shared/domain/series.ts'
import { AppError } from '#shared/errors.ts'
import { readSegment } from './read-segment.ts'

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
