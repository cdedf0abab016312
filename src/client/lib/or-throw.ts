/** The auth client answers with its error in hand; everybody here expects it to be thrown. */
export function orThrow<Answer extends { data: unknown; error: Error | null }>(
  answer: Answer,
): NonNullable<Extract<Answer, { error: null }>['data']> {
  if (answer.error) throw answer.error
  return answer.data as NonNullable<Extract<Answer, { error: null }>['data']>
}
