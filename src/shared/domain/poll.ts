import { dayMs } from './durations.ts'

export const minPollAnswers = 2
export const maxPollAnswers = 5
export const maxPollAnswerLength = 80
/** Votes count for this long after the drop is published. */
const pollDays = 30

/** Describes the problem of a poll, or returns null. A poll without question and answers is none. */
export function problemOfPoll(
  question: string,
  answers: readonly string[],
): { field: PollField; message: string } | null {
  const given = answers.map((answer) => answer.trim())
  if (question.trim() === '') {
    return given.length > 0
      ? { field: 'pollQuestion', message: 'Enter the question of the poll, or remove its answers' }
      : null
  }
  if (given.includes('')) return { field: 'pollAnswers', message: 'An answer of the poll is empty' }
  if (given.length < minPollAnswers || given.length > maxPollAnswers) {
    return { field: 'pollAnswers', message: `Give the poll ${minPollAnswers} to ${maxPollAnswers} answers` }
  }
  if (given.some((answer) => answer.length > maxPollAnswerLength)) {
    return { field: 'pollAnswers', message: `Use at most ${maxPollAnswerLength} characters for an answer of the poll` }
  }
  if (new Set(given.map((answer) => answer.toLowerCase())).size < given.length) {
    return { field: 'pollAnswers', message: 'Two answers of the poll are the same' }
  }
  return null
}
type PollField = 'pollQuestion' | 'pollAnswers'

export const pollClosesAt = (publishedAt: Date): Date => new Date(publishedAt.getTime() + pollDays * dayMs)

/** A vote as filters of members name it. */
export const pollToken = (issueId: string, answer: string): string => `${issueId}:${answer}`
export function readPollToken(token: string): { issueId: string; answer: string } {
  const [issueId = '', ...rest] = token.split(':')
  return { issueId, answer: rest.join(':') }
}
