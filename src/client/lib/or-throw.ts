/** Throws the error that auth-js returns as part of its result, and returns the data otherwise. */
export function orThrow<Result extends { data: unknown; error: Error | null }>(
  result: Result,
): NonNullable<Extract<Result, { error: null }>['data']> {
  if (result.error) throw result.error
  return result.data as NonNullable<Extract<Result, { error: null }>['data']>
}
