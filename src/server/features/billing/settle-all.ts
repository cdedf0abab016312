/**
 * Side by side, as `Promise.all`; but a failure is heard when the others have ended too, so that nothing is still at work
 * at Stripe when a lease is given back.
 */
export async function settleAll<T extends readonly unknown[] | []>(work: T) {
  await Promise.allSettled(work)
  return Promise.all(work)
}
