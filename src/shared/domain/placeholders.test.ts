import fc from 'fast-check'
import { expect, test } from 'vitest'
import { countPlaceholders, splitPlaceholders } from './placeholders.ts'

test('placeholders are set apart and nothing else is', () => {
  expect(splitPlaceholders('I am closing [store name] on [date].')).toEqual([
    { text: 'I am closing ', isPlaceholder: false, at: 0 },
    { text: '[store name]', isPlaceholder: true, at: 13 },
    { text: ' on ', isPlaceholder: false, at: 25 },
    { text: '[date]', isPlaceholder: true, at: 29 },
    { text: '.', isPlaceholder: false, at: 35 },
  ])
  expect(splitPlaceholders('')).toEqual([])
  expect(countPlaceholders('none here, [] or [[this')).toBe(0)
})

test('joining the parts gives the prompt back, and each part knows where it starts', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('[', ']', 'a', ' ', '\n') }), (body) => {
      const parts = splitPlaceholders(body)
      expect(parts.map((part) => part.text).join('')).toBe(body)
      for (const { text, at } of parts) expect(body.slice(at, at + text.length)).toBe(text)
    }),
  )
})
