import fc from 'fast-check'
import { expect, test } from 'vitest'
import { canReadSection, canReadWhole, isOpenByDefault, newDropChoices, visitor } from './open-sections.ts'

const member = { hasAccess: true }
const sections = fc.array(fc.record({ openToEveryone: fc.boolean() }))

test('a member reads every section, a visitor those that are open to everyone', () => {
  expect(canReadSection(member, { openToEveryone: false })).toBe(true)
  expect(canReadSection(visitor, { openToEveryone: false })).toBe(false)
  expect(canReadSection(visitor, { openToEveryone: true })).toBe(true)
})

test('a drop is read as a whole only by those who may read each of its sections', () => {
  fc.assert(
    fc.property(sections, fc.boolean(), (drop, hasAccess) => {
      const viewer = { hasAccess }
      expect(canReadWhole(viewer, drop)).toBe(drop.every((section) => canReadSection(viewer, section)))
      expect(canReadWhole(member, drop)).toBe(true)
    }),
  )
})

test('a drop without sections is open: its opening is all of it', () => {
  expect(canReadWhole(visitor, [])).toBe(true)
})

test('a new drop begins with its first section open, with all of them, or with none', () => {
  const choices = Object.keys(newDropChoices) as (keyof typeof newDropChoices)[]
  expect(choices.map((choice) => [choice, isOpenByDefault(choice, 0), isOpenByDefault(choice, 1)])).toEqual([
    ['opening', false, false],
    ['first-section', true, false],
    ['whole', true, true],
  ])
})
