import type { CustomField, FieldValue } from '#shared/domain/custom-fields.ts'
import { readFieldValue } from '#shared/domain/read-field-value.ts'
import type { FieldStep, SeriesTrigger } from '#shared/domain/series.ts'

type ReadFieldStep = { field: CustomField; value: FieldValue | null } | { problem: string }

/** Checks a step as staff's own changes of a member are checked. A field that is retired can't be set. */
export function readFieldStep(step: Pick<FieldStep, 'field' | 'value'>, fields: readonly CustomField[]): ReadFieldStep {
  const field = fields.find(({ id }) => id === step.field)
  if (!field) return { problem: 'Choose a field.' }
  if (field.retired) return { problem: `The field “${field.label}” is retired. Choose another one.` }
  const read = readFieldValue(field, step.value)
  if ('problem' in read) return read
  if (read.value === null && step.value !== null) return { problem: `${field.label}: enter a value.` }
  return { field, value: read.value }
}

/** True if the step makes happen what a trigger waits for. */
export const causesTrigger = ({ field, value }: FieldStep, trigger: SeriesTrigger): boolean =>
  trigger.kind === 'field_set' &&
  trigger.field === field &&
  value !== null &&
  (trigger.value === null || (Array.isArray(value) ? value : [String(value)]).includes(trigger.value))
