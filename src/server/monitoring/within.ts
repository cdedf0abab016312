/** @throws Error if `work` takes longer. It isn't aborted. */
export async function within<T>(timeoutMs: number, work: Promise<T>): Promise<T> {
  const timeout = Promise.withResolvers<never>()
  const timer = setTimeout(() => timeout.reject(new Error(`no answer within ${timeoutMs} ms`)), timeoutMs)
  return Promise.race([work, timeout.promise]).finally(() => clearTimeout(timer))
}
