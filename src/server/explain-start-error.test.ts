import { expect, test } from 'vitest'
import { explainStartError, OperatorError } from './explain-start-error.ts'

const failed = (code: string, message = 'failed') => Object.assign(new Error(message), { code })

test.each([
  [failed('ENOSPC'), 'The disk is full'],
  [failed('53100', 'could not extend file'), 'The disk is full'],
  [new Error('write error: No space left on device'), 'The disk is full'],
  [failed('EACCES'), 'can’t write to the data directory'],
  [failed('ECONNREFUSED'), 'can’t be reached'],
])('%s is explained to the operator', (error, message) => {
  const explained = explainStartError(error)
  expect(explained).toBeInstanceOf(OperatorError)
  expect((explained as Error).message).toContain(message)
})

test('a bug keeps its stack, and an OperatorError is returned unchanged', () => {
  const bug = new TypeError('x is undefined')
  expect(explainStartError(bug)).toBe(bug)
  const operatorError = new OperatorError('Port 3000 is in use.')
  expect(explainStartError(operatorError)).toBe(operatorError)
})
