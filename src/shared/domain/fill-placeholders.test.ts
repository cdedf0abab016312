import fc from 'fast-check'
import { expect, test } from 'vitest'
import { filledText, fillPlaceholders, missingBlanks, suggestValue } from './fill-placeholders.ts'
import { splitPlaceholders } from './placeholders.ts'

const fill = (body: string, sources: Parameters<typeof fillPlaceholders>[1]) =>
  filledText(fillPlaceholders(body, sources))

test('a location comes before the profile, and the profile before an earlier answer', () => {
  const body = 'Open in [city]: [opening_hours], run by [manager_role].'
  const sources = {
    location: { city: 'Dayton' },
    profile: { city: 'Akron', opening_hours: '9 to 5' },
    remembered: { city: 'Toledo', opening_hours: 'always', manager_role: 'the owner' },
  }
  expect(fill(body, sources)).toBe('Open in Dayton: 9 to 5, run by the owner.')
  expect(fillPlaceholders(body, sources).flatMap(({ source }) => source ?? [])).toEqual([
    'location',
    'profile',
    'remembered',
  ])
})

test('what is typed into the open prompt comes first', () => {
  expect(fill('[city]', { typed: { city: 'Lima' }, location: { city: 'Dayton' } })).toBe('Lima')
})

test('a blank with a question of its own is not answered by the profile, which is only offered', () => {
  const body = '[franchisor_rules: who may reply]'
  const sources = { profile: { franchisor_rules: 'Ads need approval.' } }
  const [part] = fillPlaceholders(body, sources)
  expect(part).toMatchObject({ key: 'franchisor_rules: who may reply', value: null })
  expect(part?.placeholder && suggestValue(part.placeholder, sources)).toBe('Ads need approval.')
  expect(fill(body, { remembered: { 'franchisor_rules: who may reply': 'We may.' } })).toBe('We may.')
})

test('equal blanks have one answer, and each missing one is counted once', () => {
  const parts = fillPlaceholders('[role], [role] and [role: who decides] in [city]', { profile: { city: 'Dayton' } })
  expect(missingBlanks(parts).map(({ key }) => key)).toEqual(['role', 'role: who decides'])
  expect(fill('[role] and [role]', { remembered: { role: 'cook' } })).toBe('cook and cook')
})

test('blanks of earlier versions and names of object members are only blanks', () => {
  expect(fill('[toString] [constructor] [store name]', { profile: {}, remembered: { 'store name': 'Harbor' } })).toBe(
    '[toString] [constructor] Harbor',
  )
})

test('a sentence in a blank before a period doesn’t end in two', () => {
  const body = '[notes]. Until [time].'
  expect(fill(body, { typed: { notes: 'Plain and warm.', time: '9:00 p.m.' } })).toBe('Plain and warm. Until 9:00 p.m.')
  expect(fill(body, { typed: { notes: 'And so on...', time: '9 to 5' } })).toBe('And so on.... Until 9 to 5.')
  expect(fill('[notes]... [time]', { typed: { notes: 'Well.', time: 'now.' } })).toBe('Well.... now.')
})

test('spaces alone are no value', () => {
  expect(fill('[city]', { location: { city: '  \n' }, profile: { city: 'Akron' } })).toBe('Akron')
})

const keys = ['city', 'brand', 'role', 'notes: what happened', 'store name'] as const
const text = fc.string({
  unit: fc.constantFrom('[', ']', '<', '>', '&', '$', '{', '}', 'a', ' ', '\n', 'city', '[city]'),
})
const values = fc.dictionary(fc.constantFrom(...keys), text)
const sources = fc.record({ typed: values, location: values, profile: values, remembered: values })
const body = fc
  .array(fc.oneof(text, fc.constantFrom(...keys.map((key) => `[${key}]`))))
  .map((pieces) => pieces.join(''))

test('text outside of blanks never changes, and values are inserted as they are and not filled again', () => {
  fc.assert(
    fc.property(body, sources, (prompt, given) => {
      const parts = fillPlaceholders(prompt, given)
      expect(parts.map(({ text: shown, placeholder, at }) => ({ text: shown, placeholder, at }))).toEqual(
        splitPlaceholders(prompt),
      )
      for (const { value, placeholder } of parts) {
        if (!placeholder) expect(value).toBeNull()
        if (value !== null) expect(Object.values(given).flatMap((each) => Object.values(each))).toContain(value)
      }
      expect(filledText(parts)).toBe(parts.map((part) => part.value ?? part.text).join(''))
    }),
  )
})

test('the order in which sources and values were entered makes no difference', () => {
  const reversed = (record: object) => Object.fromEntries(Object.entries(record).reverse())
  fc.assert(
    fc.property(body, sources, (prompt, given) => {
      const other = reversed(Object.fromEntries(Object.entries(given).map(([name, each]) => [name, reversed(each)])))
      expect(fillPlaceholders(prompt, other)).toEqual(fillPlaceholders(prompt, given))
    }),
  )
})
