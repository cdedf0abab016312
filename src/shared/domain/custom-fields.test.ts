import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { matchesFieldCondition } from '#tests/support/member-filter-model.ts'
import {
  type CustomField,
  fieldValueText,
  isReservedLabel,
  keyOfLabel,
  maxFieldNumber,
  newKey,
} from './custom-fields.ts'
import { dayRangeParts, fieldConditionText, fieldTokens, numberRangeParts, valueToken } from './field-conditions.ts'
import { readFieldValue } from './read-field-value.ts'

const field = (kind: CustomField['kind']): CustomField => ({
  id: 3,
  key: 'size',
  label: 'Size',
  help: '',
  kind,
  options: [
    { key: 'small', label: 'Small shop', retired: false },
    { key: 'large', label: 'Large shop', retired: false },
    { key: 'kiosk', label: 'Kiosk', retired: true },
  ],
  asked: 'account',
  required: false,
  retired: false,
})

test.each([
  ['Shop size', 'shop_size'],
  ['  Größe (m²) ', 'gro_e_m2'],
  ['Café №1', 'cafe_no1'],
  ['名前', ''],
  ['x'.repeat(60), 'x'.repeat(40)],
])('the key of “%s” is “%s”', (label, key) => {
  expect(keyOfLabel(label)).toBe(key)
})

test('a key that is taken gets a number, and a label without letters another word', () => {
  expect(newKey('Shop size', ['shop_size', 'shop_size_2'], 'field')).toBe('shop_size_3')
  expect(newKey('名前', ['field'], 'field')).toBe('field_2')
})

test.each(['First name', 'EMAIL', 'tags', ' Focus  areas '])('“%s” is something that every member has', (label) => {
  expect(isReservedLabel(label)).toBe(true)
})

describe('a value', () => {
  test.each([
    ['text', '  two\n words ', 'two words'],
    ['text', 'S\u202ema\u2066ll', 'Small'],
    ['text', '\0', null],
    ['number', -0, 0],
    ['number', 12.5, 12.5],
    ['date', '2024-02-29', '2024-02-29'],
    ['yes_no', false, false],
    ['choice', 'small', 'small'],
    ['choices', ['large', 'small', 'large'], ['small', 'large']],
    ['choices', [], null],
    ['choice', '', null],
  ] as const)('of kind %s is read from %j', (kind, given, value) => {
    expect(readFieldValue(field(kind), given)).toEqual({ value })
  })

  test.each([
    ['text', 'x'.repeat(201)],
    ['text', 7],
    ['number', '12'],
    ['number', Number.NaN],
    ['number', maxFieldNumber * 2],
    ['date', '2025-02-29'],
    ['date', '0001-01-01'],
    ['yes_no', 'yes'],
    ['choice', 'huge'],
    ['choice', ['small', 'large']],
    ['choices', ['small', 'kiosk']],
  ] as const)('of kind %s is refused: %j', (kind, given) => {
    expect(readFieldValue(field(kind), given)).toEqual({ problem: expect.stringMatching(/^Size: \S.*\.$/) })
  })

  test('can stay an option that was retired after it was chosen', () => {
    expect(readFieldValue(field('choices'), ['small', 'kiosk'], ['kiosk'])).toEqual({ value: ['small', 'kiosk'] })
  })

  test('reads as a person would write it', () => {
    expect(fieldValueText(field('choices'), ['large', 'kiosk'])).toBe('Large shop, Kiosk')
    expect(fieldValueText(field('date'), '2026-03-08')).toBe('Mar 8, 2026')
    expect([true, false, null].map((value) => fieldValueText(field('yes_no'), value))).toEqual(['Yes', 'No', ''])
  })
})

const anyNumber = fc.oneof(
  fc.integer({ min: -2_000, max: 2_000 }),
  fc.double({ min: -maxFieldNumber, max: maxFieldNumber, noNaN: true }),
)

test('a number has one of the tokens of each range that contains it', () => {
  fc.assert(
    fc.property(anyNumber, fc.option(anyNumber), fc.option(anyNumber), (value, min, max) => {
      fc.pre(matchesFieldCondition(value, { field: 3, min, max }))
      const { inside, edge } = numberRangeParts(min, max)
      const tokens = [...inside, ...edge].map((part) => valueToken(3, part))
      expect(tokens.length).toBeLessThan(60)
      expect(fieldTokens(3, 'number', value).some((token) => tokens.includes(token))).toBe(true)
    }),
  )
})

test('a number with a token inside a range is in the range', () => {
  fc.assert(
    fc.property(anyNumber, fc.option(anyNumber), fc.option(anyNumber), (value, min, max) => {
      const tokens = numberRangeParts(min, max).inside.map((part) => valueToken(3, part))
      fc.pre(fieldTokens(3, 'number', value).some((token) => tokens.includes(token)))
      expect(matchesFieldCondition(value, { field: 3, min, max })).toBe(true)
    }),
  )
  expect(numberRangeParts(50, null).edge).toEqual([])
  expect(numberRangeParts(50, 99)).toMatchObject({ inside: ['+1.5', '+1.6', '+1.7', '+1.8'], edge: ['+1.9'] })
})

test('a day is in a range if it has a token inside, and has one of its tokens if it is', () => {
  const anyDay = fc.date({ min: new Date('1990-01-01'), max: new Date('2010-12-31'), noInvalidDate: true })
  const day = anyDay.map((date) => date.toISOString().slice(0, 10))
  fc.assert(
    fc.property(day, day, day, (value, from, to) => {
      fc.pre(from <= to)
      const { inside = [], edge = [] } = dayRangeParts(from, to) ?? {}
      const has = (parts: readonly string[]) =>
        fieldTokens(3, 'date', value).some((token) => parts.some((part) => token === valueToken(3, part)))
      const matches = matchesFieldCondition(value, { field: 3, from, to })
      if (has(inside)) expect(matches).toBe(true)
      if (matches) expect(has([...inside, ...edge])).toBe(true)
    }),
  )
  expect(dayRangeParts('2023-12-01', '2025-02-28')).toEqual({
    inside: ['2023-12', '2024', '2025-01', '2025-02'],
    edge: [],
  })
  expect(dayRangeParts('2024-02-01', '2024-02-28')).toEqual({ inside: [], edge: ['2024-02'] })
  expect(dayRangeParts('1000-01-01', '9999-12-31')).toBeNull()
})

test('a condition is shown with the names that the field has now', () => {
  expect(fieldConditionText({ field: 3, anyOf: ['small', 'kiosk'] }, [field('choice')])).toBe(
    'Size: Small shop or Kiosk',
  )
  expect(fieldConditionText({ field: 3, min: null, max: 5 }, [field('number')])).toBe('Size: up to 5')
  expect(fieldConditionText({ field: 3, filled: false }, [])).toBe('Field 3: not answered')
})
