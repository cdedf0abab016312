import { expect, test } from 'vitest'
import { mergeSettings } from './merge-settings.ts'

test('changes of different settings are both kept, also returns to the default', () => {
  const merged = mergeSettings({ name: 'A', tagline: 'T' }, { name: 'B' }, { name: 'A', tagline: 'T', footer: 'F' })
  expect(merged).toEqual({ values: { name: 'B', footer: 'F' }, clashes: [] })
})

test('of a setting that both changed, theirs is kept and both are shown', () => {
  const merged = mergeSettings({ name: 'A' }, { name: 'B' }, {})
  expect(merged).toEqual({ values: {}, clashes: [{ name: 'name', mine: 'B', theirs: undefined }] })
})

test('the same change by both is no clash', () => {
  expect(mergeSettings({}, { name: 'B' }, { name: 'B' })).toEqual({ values: { name: 'B' }, clashes: [] })
})
