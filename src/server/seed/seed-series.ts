import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import type { Tx } from '#server/db/database.ts'
import { seedState, series } from '#server/db/schema/index.ts'
import { memberFilterSchema } from '#shared/domain/member-filter.ts'
import { type SeriesStep, seriesStepsSchema, seriesTriggerSchema } from '#shared/domain/series.ts'

const seriesFile = 'series.yaml'
const loadedKey = 'series'

const fileSchema = z.array(
  z.strictObject({
    name: z.string(),
    trigger: seriesTriggerSchema,
    leavesWhen: z.unknown().optional(),
    reentryDays: z.number().int().min(30).optional(),
    steps: z.array(z.record(z.string(), z.unknown())),
  }),
)

export type SampleSeries = {
  name: string
  trigger: z.output<typeof seriesTriggerSchema>
  leavesWhen: z.output<typeof memberFilterSchema> | null
  reentryDays: number | null
  steps: SeriesStep[]
}

/** The sample series of the content folder, if it has any. @throws ZodError for an invalid one */
export async function readSampleSeries(directory: string): Promise<SampleSeries[]> {
  const path = join(directory, seriesFile)
  if (!existsSync(path)) return []
  const { parse } = await import('yaml')
  return fileSchema
    .parse(parse(readFileSync(path, 'utf8')))
    .map(({ name, trigger, leavesWhen, reentryDays = null, steps }) => ({
      name,
      trigger,
      leavesWhen: leavesWhen === undefined ? null : memberFilterSchema.parse(leavesWhen),
      reentryDays,
      steps: seriesStepsSchema.parse(steps.map((step, index) => ({ ...step, id: idOf(`${name} ${index}`) }))),
    }))
}

/** The same on each load. */
function idOf(name: string): string {
  const hex = createHash('sha256').update(`sample series ${name}`).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

/** Adds the sample series once, turned off. What the publisher edited or deleted since stays so. */
export async function seedSeries(tx: Tx, directory: string, now: Date): Promise<void> {
  const [first] = await tx
    .insert(seedState)
    .values({ name: loadedKey, hash: '', seededAt: now })
    .onConflictDoNothing()
    .returning({ name: seedState.name })
  if (!first) return
  for (const { name, ...sample } of await readSampleSeries(directory)) {
    const dates = { createdAt: now, updatedAt: now }
    await tx
      .insert(series)
      .values({ id: idOf(name), name, status: 'off', ...sample, ...dates })
      .onConflictDoNothing()
  }
}
