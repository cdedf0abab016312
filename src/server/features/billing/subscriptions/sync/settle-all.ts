/** Like `Promise.all`, but rejects only after all have settled, so that no call runs on after its lease is released. */
export async function settleAll<T extends readonly unknown[] | []>(work: T) {
  await Promise.allSettled(work)
  return Promise.all(work)
}
