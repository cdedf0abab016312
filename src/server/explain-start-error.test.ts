import { expect, test } from 'vitest'
import { explainStartError } from './explain-start-error.ts'
import { OperatorProblem } from './operator-problem.ts'

const failed = (code: string, message = 'failed') => Object.assign(new Error(message), { code })

test.each([
  [failed('ENOSPC'), 'The disk is full'],
  [failed('53100', 'could not extend file'), 'The disk is full'],
  [new Error('write error: No space left on device'), 'The disk is full'],
  [failed('EACCES'), "can't be written"],
  [failed('ECONNREFUSED'), "can't be reached"],
])('%s is explained in one sentence', (error, sentence) => {
  const explained = explainStartError(error)
  expect(explained).toBeInstanceOf(OperatorProblem)
  expect((explained as Error).message).toContain(sentence)
})

test('a mistake of ours keeps its stack, and a sentence stays as it is', () => {
  const bug = new TypeError('x is undefined')
  expect(explainStartError(bug)).toBe(bug)
  const sentence = new OperatorProblem('Port 3000 is in use.')
  expect(explainStartError(sentence)).toBe(sentence)
})
