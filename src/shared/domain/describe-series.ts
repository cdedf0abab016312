import type { Publication } from '../publication-defaults.ts'
import { type CustomField, fieldValueText, hasOptions } from './custom-fields.ts'
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
  tag_set: 'A member gets a tag',
  field_set: 'A member’s field is set',
  joined_segment: 'A member joins a view or segment',
}

/** Fields, views and segments, which triggers and steps name by their ids. */
export type TriggerNames = {
  fields?: readonly CustomField[] | undefined
  segments?: readonly { id: string; name: string }[] | undefined
}

const days = (count: number) => `${count} ${count === 1 ? 'day' : 'days'}`

/** "30 days before a plan renews" */
export function describeTrigger(trigger: SeriesTrigger, { fields = [], segments = [] }: TriggerNames = {}): string {
  switch (trigger.kind) {
    case 'before_renewal':
      return `${days(trigger.days)} before a plan renews`
    case 'inactive':
      return `A member has been away for ${days(trigger.days)}`
    case 'tag_set':
      return `A member gets the tag “${trigger.tag}”`
    case 'field_set': {
      const field = fields.find(({ id }) => id === trigger.field)
      const name = field ? `“${field.label}”` : 'a field'
      if (trigger.value === null) return `A member’s answer to ${name} is set or changes`
      return `A member’s answer to ${name} becomes “${field ? wantedValueText(field, trigger.value) : trigger.value}”`
    }
    case 'joined_segment': {
      const name = segments.find(({ id }) => id === trigger.id)?.name
      return name ? `A member joins “${name}”` : triggerLabels.joined_segment
    }
    default:
      return triggerLabels[trigger.kind]
  }
}

/** The value that a trigger waits for, in words. */
const wantedValueText = (field: CustomField, value: string): string =>
  field.kind === 'yes_no'
    ? value === 'true'
      ? 'Yes'
      : 'No'
    : hasOptions(field.kind) || field.kind === 'date'
      ? fieldValueText(field, value)
      : value

export const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']

/** "8 AM" */
export const hourText = (hour: number): string => `${hour % 12 === 0 ? 12 : hour % 12} ${hour < 12 ? 'AM' : 'PM'}`

/** One line for a step, such as "Wait 3 days". */
export function describeStep(
  publication: Publication,
  step: StoredStep,
  { fields = [] }: Pick<TriggerNames, 'fields'> = {},
): string {
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
    case 'field': {
      const field = fields.find(({ id }) => id === step.field)
      const name = field ? `“${field.label}”` : 'a field'
      if (step.value === null) return `Clear ${name}`
      const text = field && fieldValueText(field, step.value)
      return text ? `Set ${name} to “${text}”` : `Set ${name}`
    }
    case 'webhook':
      return 'Notify your webhooks'
  }
}
