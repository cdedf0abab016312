import { expect, test } from 'vitest'
import { splitBlanks } from './blanks.ts'

test('blanks are told from the text around them and nothing is lost', () => {
  const body = 'I am closing [store name] on [date and shift].'
  const parts = splitBlanks(body)
  expect(parts.map((part) => part.text).join('')).toBe(body)
  expect(parts.filter((part) => part.isBlank).map((part) => part.text)).toEqual(['[store name]', '[date and shift]'])
})

test('a prompt may begin or end with a blank, or have none', () => {
  expect(splitBlanks('[a] b [c]').map((part) => part.isBlank)).toEqual([true, false, true])
  expect(splitBlanks('plain')).toEqual([{ text: 'plain', isBlank: false, at: 0 }])
  expect(splitBlanks('')).toEqual([])
})
