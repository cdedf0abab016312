import fc from 'fast-check'
import { expect, test } from 'vitest'
import { profileVariables } from './business-profile.ts'
import { fillPlaceholders } from './fill-placeholders.ts'
import { changedFacts, factsUsed } from './store-facts.ts'

const body = 'At [store_name], open [opening_hours], the [manager_role] asks [city: which one] about [notes].'

test('facts of the location and the business are kept, not what was typed or remembered', () => {
  const parts = fillPlaceholders(body, {
    typed: { 'city: which one': 'Dayton' },
    location: { store_name: 'Oak Avenue', opening_hours: '9 to 5' },
    profile: { manager_role: 'shift lead' },
    remembered: { notes: 'the oven' },
  })
  expect(factsUsed(parts)).toEqual({ store_name: 'Oak Avenue', opening_hours: '9 to 5', manager_role: 'shift lead' })
})

test('a fact that says something else, or is gone, is named with both', () => {
  const used = { store_name: 'Oak Avenue', opening_hours: '9 to 5', city: 'Dayton' }
  expect(changedFacts(used, { store_name: 'Oak Avenue', opening_hours: '9 to 6 ', state: 'Ohio' })).toEqual([
    { name: 'opening_hours', from: '9 to 5', to: '9 to 6' },
    { name: 'city', from: 'Dayton', to: '' },
  ])
})

test('whatever a text was filled in with, nothing has changed until a fact does', () => {
  const values = fc.dictionary(fc.constantFrom(...profileVariables), fc.string({ minLength: 1 }))
  fc.assert(
    fc.property(values, (facts) => {
      expect(changedFacts(factsUsed(fillPlaceholders(body, { profile: facts })), facts)).toEqual([])
    }),
  )
})
