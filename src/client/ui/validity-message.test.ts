import { expect, test } from 'vitest'
import { type Control, validityMessage } from './validity-message.ts'

const field = (type: string, wrong: Partial<Control['validity']>, more: Partial<Control> = {}) =>
  validityMessage({
    type,
    validationMessage: 'The browser says so.',
    ...more,
    validity: {
      valid: false,
      valueMissing: false,
      typeMismatch: false,
      tooShort: false,
      tooLong: false,
      rangeUnderflow: false,
      rangeOverflow: false,
      ...wrong,
    },
  })

test('a short password’s message names the minimum length', () => {
  expect(field('password', { tooShort: true }, { minLength: 6 })).toBe('Use at least 6 characters.')
})

test('the message fits the type of field', () => {
  expect(field('email', { valueMissing: true })).toBe('Enter your email address.')
  expect(field('email', { typeMismatch: true })).toBe('Enter an email address such as name@example.com.')
  expect(field('password', { valueMissing: true })).toBe('Enter your password.')
  expect(field('text', { valueMissing: true })).toBe('Fill in this field.')
  expect(field('select-one', { valueMissing: true })).toBe('Choose an option.')
  expect(field('number', { rangeOverflow: true }, { max: '40' })).toBe('Enter 40 or less.')
})

test('a valid field has no message, and unknown rules use the browser’s message', () => {
  expect(field('text', { valid: true })).toBe('')
  expect(field('text', {})).toBe('The browser says so.')
})
