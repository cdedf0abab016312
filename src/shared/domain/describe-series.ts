import type { Publication } from '../publication-defaults.ts'
import { memberFilterText } from './describe-member-filter.ts'
import type { SeriesTrigger, StoredStep } from './series.ts'

export const triggerLabels: Record<SeriesTrigger['kind'], string> = {
  free_sign_up: 'Someone asks for the free edition',
  paid_start: 'A plan starts',
  plan_ended: 'A plan ends',
  payment_failed: 'A payment fails',
  tried: 'A member tries something',
  before_renewal: 'Before a plan renews',
  inactive: 'A member has been away',
}

const days = (count: number) => `${count} ${count === 1 ? 'day' : 'days'}`

/** "30 days before a plan renews" */
export function describeTrigger(trigger: SeriesTrigger): string {
  if (trigger.kind === 'before_renewal') return `${days(trigger.days)} before a plan renews`
  if (trigger.kind === 'inactive') return `A member has been away for ${days(trigger.days)}`
  return triggerLabels[trigger.kind]
}

export const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']

/** "8 AM" */
export const hourText = (hour: number): string => `${hour % 12 === 0 ? 12 : hour % 12} ${hour < 12 ? 'AM' : 'PM'}`

/** One line for a step, such as "Wait 3 days". */
export function describeStep(publication: Publication, step: StoredStep): string {
  switch (step.kind) {
    case 'email':
      return `Email: ${step.subject}`
    case 'wait':
      return `Wait ${step.amount} ${step.amount === 1 ? step.unit.slice(0, -1) : step.unit}`
    case 'until':
      return `Wait until ${step.weekday === null ? '' : `${weekdays[step.weekday]}, `}${hourText(step.hour)}`
    case 'condition': {
      const words = step.filter ? memberFilterText(publication, step.filter) : 'No longer valid'
      return `Only if: ${words}. Otherwise ${step.otherwise === 'end' ? 'the series ends' : 'skip the next step'}`
    }
    case 'tag':
      return step.change === 'add' ? `Add the tag “${step.tag}”` : `Remove the tag “${step.tag}”`
    case 'webhook':
      return 'Notify your webhooks'
  }
}
