import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  applyChanges,
  changesBetweenValues,
  cleanText,
  hasControlCharacters,
  locationVariables,
  profileVariables,
  usualLocationVariables,
  valuesOfLocation,
} from './business-profile.ts'

test('every variable of the profile is listed once', () => {
  expect(new Set(profileVariables).size).toBe(profileVariables.length)
  expect(profileVariables).toEqual(expect.arrayContaining([...locationVariables]))
  expect(locationVariables).toEqual(expect.arrayContaining([...usualLocationVariables]))
})

test('a location’s name is its store name', () => {
  expect(valuesOfLocation({ name: 'Harbor Street', values: { city: 'Dayton' } })).toEqual({
    store_name: 'Harbor Street',
    city: 'Dayton',
  })
})

test('changes in two tabs both apply, unless they say different things about one field', () => {
  const stored = { city: 'Dayton', brand: 'Ember' }
  const other = applyChanges(stored, { city: { from: 'Dayton', to: 'Akron' } }).values
  expect(applyChanges(other, { brand: { from: 'Ember', to: '' } })).toEqual({
    values: { city: 'Akron' },
    conflicts: [],
  })
  expect(applyChanges(other, { city: { from: 'Dayton', to: 'Lima' }, brand: { from: 'Ember', to: 'Oak' } })).toEqual({
    values: other,
    conflicts: ['city'],
  })
})

test('a form reports only what it changed', () => {
  expect(
    changesBetweenValues(
      ['city', 'brand', 'area'],
      { city: 'Dayton', area: 'East' },
      { city: ' Dayton ', brand: 'Ember' },
    ),
  ).toEqual({ brand: { from: '', to: 'Ember' }, area: { from: 'East', to: '' } })
})

test('pasted control characters are removed, and a single line stays one', () => {
  expect(cleanText('one\r\ntwo\u0000\u001b\tthree', 'notes')).toBe('one\ntwo  \tthree')
  expect(cleanText('one\r\n\ttwo', 'city')).toBe('one two')
  expect(hasControlCharacters('one\r\ntwo\t')).toBe(false)
  expect(hasControlCharacters('bell\u0007')).toBe(true)
})

const names = ['city', 'brand', 'area'] as const
const values = fc.dictionary(fc.constantFrom(...names), fc.constantFrom('a', 'b', 'c'))

test('changes of two tabs have the same result in either order, or the later one conflicts; a repeat changes nothing', () => {
  fc.assert(
    fc.property(values, values, values, (stored, mine, theirs) => {
      const [first, second] = [mine, theirs].map((after) => changesBetweenValues(names, stored, after))
      if (!first || !second) return
      const once = applyChanges(stored, first)
      expect(once.conflicts).toEqual([])
      expect(applyChanges(once.values, first)).toEqual(once)
      const there = applyChanges(once.values, second)
      const back = applyChanges(applyChanges(stored, second).values, first)
      expect(there.conflicts.length > 0).toBe(back.conflicts.length > 0)
      if (there.conflicts.length === 0) expect(there.values).toEqual(back.values)
    }),
  )
})
