import { expect, test } from 'vitest'
import { pollToken, problemOfPoll, readPollToken } from './poll.ts'

test.for([
  ['', [], null],
  ['Twice?', ['Yes', 'No'], null],
  ['', ['Yes', 'No'], 'pollQuestion'],
  ['Twice?', [], 'pollAnswers'],
  ['Twice?', ['Yes'], 'pollAnswers'],
  ['Twice?', ['1', '2', '3', '4', '5', '6'], 'pollAnswers'],
  ['Twice?', ['Yes', ' '], 'pollAnswers'],
  ['Twice?', ['Yes', ' yes'], 'pollAnswers'],
  ['Twice?', ['Yes', 'x'.repeat(81)], 'pollAnswers'],
] as const)('A poll “%s” with %j is judged', ([question, answers, field]) => {
  expect(problemOfPoll(question, answers)?.field ?? null).toBe(field)
})

test('A vote in a filter keeps an answer with a colon', () => {
  expect(readPollToken(pollToken('drop-1', 'No: later'))).toEqual({ issueId: 'drop-1', answer: 'No: later' })
})
