import { memberFilterSchema } from '#shared/domain/member-filter.ts'
import type { SeriesStep, StepKind } from '#shared/domain/series.ts'

/** Labels of the buttons that add a step. */
export const stepKinds: Record<StepKind, string> = {
  email: 'Add an email',
  wait: 'Add a wait',
  until: 'Add a wait until a day',
  condition: 'Add a condition',
  tag: 'Add a change of tags',
  field: 'Add a change of a field',
  webhook: 'Add a webhook',
}

export function newStep(kind: StepKind): SeriesStep {
  const id = crypto.randomUUID()
  switch (kind) {
    case 'email':
      return { kind, id, subject: '', preheader: '', body: '', newsletterId: null }
    case 'wait':
      return { kind, id, amount: 3, unit: 'days' }
    case 'until':
      return { kind, id, weekday: 1, hour: 8 }
    case 'condition':
      return { kind, id, filter: memberFilterSchema.parse({}), otherwise: 'skip' }
    case 'tag':
      return { kind, id, tag: '', change: 'add' }
    case 'field':
      return { kind, id, field: 0, value: '' }
    case 'webhook':
      return { kind, id }
  }
}
