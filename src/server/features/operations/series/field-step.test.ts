import { describe, expect, test } from 'vitest'
import type { CustomField, CustomFieldKind } from '#shared/domain/custom-fields.ts'
import { describeStep } from '#shared/domain/describe-series.ts'
import type { FieldStep } from '#shared/domain/series.ts'
import { publicationDefaults } from '#shared/publication-defaults.ts'
import { causesTrigger, readFieldStep } from './field-step.ts'

const fieldOf = (kind: CustomFieldKind, change: Partial<CustomField> = {}): CustomField => ({
  id: 1,
  key: 'shops',
  label: 'Shops',
  help: '',
  kind,
  options: [
    { key: 'small', label: 'Small', retired: false },
    { key: 'large', label: 'Large', retired: true },
  ],
  asked: 'never',
  required: true,
  retired: false,
  ...change,
})
const step = (value: FieldStep['value']): FieldStep => ({
  kind: 'field',
  id: '00000000-0000-4000-8000-000000000001',
  field: 1,
  value,
})

describe('A step that sets a field', () => {
  test.each<[CustomFieldKind, FieldStep['value'], FieldStep['value']]>([
    ['text', '  Two  shops ', 'Two shops'],
    ['number', -0, 0],
    ['date', '2026-11-28', '2026-11-28'],
    ['yes_no', false, false],
    ['choice', 'small', 'small'],
    ['choices', ['small'], ['small']],
    ['text', null, null],
    ['choices', null, null],
  ])('takes a valid %s', (kind, given, value) => {
    expect(readFieldStep(step(given), [fieldOf(kind)])).toEqual({ field: fieldOf(kind), value })
  })

  test.each<[CustomFieldKind, FieldStep['value']]>([
    ['text', ''],
    ['text', true],
    ['number', '3'],
    ['date', '2026-02-31'],
    ['yes_no', 'yes'],
    ['choice', 'large'],
    ['choice', 'gone'],
    ['choices', []],
  ])('refuses a %s that the field doesn’t take: %j', (kind, given) => {
    expect(readFieldStep(step(given), [fieldOf(kind)])).toEqual({ problem: expect.stringContaining('Shops: ') })
  })

  test('refuses a field that is retired or isn’t there', () => {
    const problem = expect.stringContaining('Choose a')
    expect(readFieldStep(step('a'), [fieldOf('text', { retired: true })])).toEqual({ problem })
    expect(readFieldStep(step(null), [])).toEqual({ problem: expect.stringContaining('Choose') })
  })

  test('is described with the names of the field and value', () => {
    const words = (value: FieldStep['value'], kind: CustomFieldKind) =>
      describeStep(publicationDefaults, step(value), { fields: [fieldOf(kind)] })
    expect(words(['small', 'large'], 'choices')).toBe('Set “Shops” to “Small, Large”')
    expect(words('2026-11-28', 'date')).toBe('Set “Shops” to “Nov 28, 2026”')
    expect(words('', 'text')).toBe('Set “Shops”')
    expect(words(null, 'text')).toBe('Clear “Shops”')
    expect(describeStep(publicationDefaults, step(true))).toBe('Set a field')
  })

  test('causes a trigger that waits for its value or any', () => {
    const trigger = (value: string | null, field = 1) => ({ kind: 'field_set', field, value }) as const
    expect(causesTrigger(step(3), trigger('3'))).toBe(true)
    expect(causesTrigger(step(['small', 'large']), trigger('large'))).toBe(true)
    expect(causesTrigger(step(false), trigger(null))).toBe(true)
    expect(causesTrigger(step(4), trigger('3'))).toBe(false)
    expect(causesTrigger(step(null), trigger(null))).toBe(false)
    expect(causesTrigger(step(3), trigger('3', 2))).toBe(false)
  })
})
