import fc from 'fast-check'
import { expect, test } from 'vitest'
import { problemOfPlaceholder, showPlaceholders, splitPlaceholders } from './placeholders.ts'
import { tradeExamplesFor } from './trade-examples.ts'

test('a prompt is split at its placeholders, which show their hint or the label of their variable', () => {
  const written = (part: string) => splitPlaceholders(part)[0]?.placeholder
  expect(splitPlaceholders('I am closing [store_name] on [date: date and shift].')).toEqual([
    { text: 'I am closing ', placeholder: null, at: 0 },
    { text: '[Store name]', placeholder: written('[store_name]'), at: 13 },
    { text: ' on ', placeholder: null, at: 25 },
    { text: '[date and shift]', placeholder: written('[date: date and shift]'), at: 29 },
    { text: '.', placeholder: null, at: 51 },
  ])
  expect(written('[date: date and shift]')).toEqual({
    written: '[date: date and shift]',
    name: 'date',
    hint: 'date and shift',
  })
  expect(splitPlaceholders('')).toEqual([])
  expect(splitPlaceholders('none here, [], [ ] or [[this').every(({ placeholder }) => placeholder === null)).toBe(true)
})

test('blanks that differ by trade are filled in for a known trade, unless they have a hint', () => {
  const body = 'We are a [business_type] called [store_name]. Sell [product: one item] and [product].'
  expect(showPlaceholders(body, tradeExamplesFor('fitness'))).toBe(
    'We are a [fitness studio] called [Store name]. Sell [one item] and [monthly membership].',
  )
  expect(showPlaceholders(body, tradeExamplesFor('food'))).toContain('[sandwich shop]')
  expect(showPlaceholders(body)).toContain('[Type of business]')
})

test('blanks of earlier versions stay as they are', () => {
  expect(showPlaceholders('For [store name] and [toString].')).toBe('For [store name] and [toString].')
})

test('an unknown variable is a problem, with what to write instead', () => {
  const problemOf = (body: string) =>
    splitPlaceholders(body).flatMap(({ placeholder }) => (placeholder ? [problemOfPlaceholder(placeholder)] : []))
  expect(problemOf('[store_name] and [notes: rough ones]')).toEqual([null, null])
  expect(problemOf('[store name]')[0]).toContain('Write [store_name]')
  expect(problemOf('[POS system: its name]')[0]).toContain('Write [pos_system: its name]')
  expect(problemOf('[items and counts]')[0]).toContain('Write [details: items and counts]')
})

test('the parts cover the prompt, and each knows where it starts', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('[', ']', 'a', ' ', '\n') }), (body) => {
      const parts = splitPlaceholders(body)
      expect(parts.map(({ text, placeholder }) => placeholder?.written ?? text).join('')).toBe(body)
      for (const { text, placeholder, at } of parts) {
        expect(body.startsWith(placeholder?.written ?? text, at)).toBe(true)
      }
    }),
  )
})
