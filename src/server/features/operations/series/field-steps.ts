import type { Db, Tx } from '#server/db/database.ts'
import { readCustomFields } from '#server/features/reader/custom-fields/read-custom-fields.ts'
import type { CustomField, FieldValue } from '#shared/domain/custom-fields.ts'
import { readFieldStep } from '#shared/domain/field-step.ts'
import type { StoredStep } from '#shared/domain/series.ts'
import { AppError } from '#shared/errors.ts'

/** Fields that steps set; none are read for a series without such a step. */
export const readStepFields = async (db: Db | Tx, steps: readonly StoredStep[]): Promise<CustomField[]> =>
  steps.some((step) => step.kind === 'field') ? readCustomFields(db) : []

export type FieldToSet = { field: CustomField; value: FieldValue | null }

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
